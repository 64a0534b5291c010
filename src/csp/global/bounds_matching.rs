//! All-different constraints that are propagated by bounds.
//!
//! If *k* variables have all their values in an interval of *k* integers, they need all of them: it
//! is a *Hall interval*, and other variables lose their bounds in it. All Hall intervals are found
//! in one pass over the variables in the order of their largest values, with union-find structures
//! on the sorted ends of the domains (López-Ortiz, Quimper, Tromp and van Beek 2003). This raises
//! the smallest values; a second pass over the mirrored domains lowers the largest ones.
//!
//! Both passes find the exact bounds of all assignments of different integers between the current
//! bounds, so that one call suffices, unless a new bound is missing from a domain.

use std::cmp::Ordering;

use super::are_distinct;
use crate::csp::{
    Domains, Model, ModelError, Propagator, PropagatorScratch, Variable, Wake, Wipeout,
};

/// At least two distinct variables whose values must be different.
#[derive(Clone, Debug)]
struct BoundsMatching {
    variables: Vec<Variable>,
}

/// The sum of a number that stands for a value and of its mirror image, see [`encode`].
const MIRROR: u64 = (1 << 32) + 4;

/// Returns the number that stands for a value. It and the next number are at least 2, and so are
/// their mirror images.
fn encode(value: i32) -> u64 {
    u64::from(value.abs_diff(i32::MIN)) + 2
}

fn decode(number: u64) -> i32 {
    i32::MIN.wrapping_add_unsigned(number.wrapping_sub(2) as u32)
}

/// The parts of [`PropagatorScratch`]. Variables are stored as their indices in the constraint.
struct Parts<'a> {
    /// The variables in ascending order of their smallest values, and of their largest ones. The
    /// orders of the last call are kept: they are almost sorted for the next one.
    by_low: &'a mut [u64],
    by_end: &'a mut [u64],
    /// The smallest value of each variable, and the first number after its largest value.
    low: &'a mut [u64],
    end: &'a mut [u64],
    passes: Passes<'a>,
}

/// The buffers of a pass. Positions are those of `points`.
struct Passes<'a> {
    /// The positions of the smallest value and of the end of each variable.
    low_position: &'a mut [u64],
    end_position: &'a mut [u64],
    /// The smallest values after the pass.
    raised: &'a mut [u64],
    /// All smallest values and ends in ascending order without repetitions, from position 1 on,
    /// between two that are smaller and larger.
    points: &'a mut [u64],
    /// A forest over the positions. Its roots are the ends of ranges that still have free numbers.
    /// A root points to the root before it; any other position, to a later one.
    range: &'a mut [u64],
    /// The quantity of free numbers between each root and the one before it.
    free: &'a mut [u64],
    /// A forest over the positions: from each position in a Hall interval to the end of the
    /// interval. Any other position points to an earlier one.
    hall: &'a mut [u64],
}

/// Sorts indices by the keys that they stand for. Between two calls few variables change their
/// place: insertion then takes linear time. If many do, it takes quadratic time, so that long lists
/// are sorted otherwise.
fn sort_by(order: &mut [u64], keys: &[u64]) {
    const MAX_INSERTION: usize = 64;

    if order.len() > MAX_INSERTION {
        return order.sort_unstable_by_key(|&index| keys[index as usize]);
    }
    for end in 1..order.len() {
        let index = order[end];
        let key = keys[index as usize];
        let mut place = end;
        while place > 0 && keys[order[place - 1] as usize] > key {
            order[place] = order[place - 1];
            place -= 1;
        }
        order[place] = index;
    }
}

impl Propagator for BoundsMatching {
    fn name(&self) -> &str {
        "all different by bounds"
    }

    fn scope(&self) -> &[Variable] {
        &self.variables
    }

    fn holds(&self, values: &[i32]) -> bool {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).all(|two| two[0] != two[1])
    }

    fn propagate(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        let Parts { by_low, by_end, low, end, mut passes } = self.parts(scratch);
        for (index, &variable) in self.variables.iter().enumerate() {
            let (min, max) = domains.bounds(variable).ok_or(Wipeout(variable))?;
            (low[index], end[index]) = (encode(min), encode(max) + 1);
        }
        sort_by(by_low, low);
        sort_by(by_end, end);
        // Whether a new bound was missing from its domain, so that the bound has moved further.
        let mut has_skipped = false;
        if !passes.raise(low, end, by_low, by_end) {
            return Err(Wipeout(self.variables[0]));
        }
        for (index, &variable) in self.variables.iter().enumerate() {
            if passes.raised[index] > low[index] {
                let bound = decode(passes.raised[index]);
                domains.at_least(variable, bound)?;
                has_skipped |= domains.min(variable) != Some(bound);
            }
        }
        for (low, end) in low.iter_mut().zip(&mut *end) {
            (*low, *end) = (MIRROR - *end, MIRROR - *low);
        }
        by_low.reverse();
        by_end.reverse();
        if !passes.raise(low, end, by_end, by_low) {
            return Err(Wipeout(self.variables[0]));
        }
        for (index, &variable) in self.variables.iter().enumerate() {
            if passes.raised[index] > low[index] {
                let bound = decode(MIRROR - passes.raised[index] - 1);
                domains.at_most(variable, bound)?;
                has_skipped |= domains.max(variable) != Some(bound);
            }
        }
        by_low.reverse();
        by_end.reverse();
        if has_skipped {
            scratch.call_again();
        }
        Ok(())
    }

    fn propagate_last(
        &self,
        domains: &mut Domains,
        last: Variable,
        _: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        // The values of the others may lie between the bounds of the last variable.
        for &other in self.variables.iter().filter(|&&other| other != last) {
            let value = domains.min(other).ok_or(Wipeout(other))?;
            domains.remove(last, value)?;
        }
        Ok(())
    }

    fn wake(&self, _: usize) -> Wake {
        Wake::Bounds
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    /// More expensive than propagators that visit each variable once, and cheaper than matchings.
    fn cost(&self) -> u32 {
        u32::try_from(self.variables.len()).unwrap_or(u32::MAX).saturating_mul(4)
    }
}

impl BoundsMatching {
    fn parts<'a>(&self, scratch: &'a mut PropagatorScratch) -> Parts<'a> {
        let variables = self.variables.len();
        let points = 2 * variables + 2;
        let words = 7 * variables + 4 * points;
        if scratch.words.len() != words {
            scratch.words.clear();
            scratch.words.extend((0..variables as u64).chain(0..variables as u64));
            scratch.words.resize(words, 0);
        }
        let (by_low, rest) = scratch.words.split_at_mut(variables);
        let (by_end, rest) = rest.split_at_mut(variables);
        let (low, rest) = rest.split_at_mut(variables);
        let (end, rest) = rest.split_at_mut(variables);
        let (low_position, rest) = rest.split_at_mut(variables);
        let (end_position, rest) = rest.split_at_mut(variables);
        let (raised, rest) = rest.split_at_mut(variables);
        let (point, rest) = rest.split_at_mut(points);
        let (range, rest) = rest.split_at_mut(points);
        let (free, hall) = rest.split_at_mut(points);
        let passes =
            Passes { low_position, end_position, raised, points: point, range, free, hall };
        Parts { by_low, by_end, low, end, passes }
    }
}

impl Passes<'_> {
    /// Computes the smallest value of each variable in an assignment of different numbers between
    /// the bounds. Returns whether there is one.
    ///
    /// Each variable, in the order of the ends, takes the first free number from its smallest value
    /// on: only the quantity of free numbers in each range is stored. When the ranges up to an end
    /// have no free number left, a Hall interval ends there, and the smallest values of later
    /// variables leave it.
    fn raise(&mut self, low: &[u64], end: &[u64], by_low: &[u64], by_end: &[u64]) -> bool {
        let last = self.merge_points(low, end, by_low, by_end);
        let Passes { low_position, end_position, raised, points, range, free, hall } = self;
        raised.copy_from_slice(low);
        (range[0], hall[0]) = (0, 0);
        for position in 1..=last + 1 {
            (range[position], hall[position]) = (position as u64 - 1, position as u64 - 1);
            free[position] = points[position] - points[position - 1];
        }
        for &index in by_end {
            let index = index as usize;
            let (from, to) = (low_position[index] as usize, end_position[index] as usize);
            let mut root = root_of(range, from + 1);
            let before = range[root];
            free[root] -= 1;
            if free[root] == 0 {
                // Joins this range to the next one.
                range[root] = root as u64 + 1;
                root = root_of(range, root + 1);
                range[root] = before;
            }
            redirect(range, from + 1, root, root);
            // All numbers of the range after the end of this variable are free. With fewer free
            // numbers, this variable has none; with as many, none is left before its end.
            let left = (free[root] + points[to]).cmp(&points[root]);
            if left == Ordering::Less {
                return false;
            }
            if hall[from] > from as u64 {
                let leaves = root_of(hall, hall[from] as usize);
                raised[index] = points[leaves];
                redirect(hall, from, leaves, leaves);
            }
            if left == Ordering::Equal {
                let from = hall[to] as usize;
                redirect(hall, from, before as usize - 1, to);
                hall[to] = before - 1;
            }
        }
        true
    }

    /// Sorts the smallest values and the ends of all variables, and finds their positions. Returns
    /// the last position.
    fn merge_points(&mut self, low: &[u64], end: &[u64], by_low: &[u64], by_end: &[u64]) -> usize {
        let (mut lows, mut last) = (by_low.iter().peekable(), 0);
        self.points[0] = low[by_low[0] as usize] - 2;
        let mut add = |points: &mut [u64], point: u64| {
            if points[last] != point {
                last += 1;
                points[last] = point;
            }
            last as u64
        };
        for &index in by_end {
            let end = end[index as usize];
            while let Some(&earlier) = lows.next_if(|&&earlier| low[earlier as usize] <= end) {
                self.low_position[earlier as usize] = add(self.points, low[earlier as usize]);
            }
            self.end_position[index as usize] = add(self.points, end);
        }
        self.points[last + 1] = self.points[last] + 2;
        last
    }
}

/// Follows a path in a forest as long as it leads to later positions.
fn root_of(forest: &[u64], from: usize) -> usize {
    let mut at = from;
    while forest[at] > at as u64 {
        at = forest[at] as usize;
    }
    at
}

/// Redirects all positions of a path in a forest, from `from` up to but not including `end`.
fn redirect(forest: &mut [u64], from: usize, end: usize, to: usize) {
    let mut at = from;
    while at != end {
        at = std::mem::replace(&mut forest[at], to as u64) as usize;
    }
}

impl Model {
    /// Requires that all of these variables have different values, and propagates their bounds:
    /// [full propagation](crate::csp::Propagate::full) prunes the smallest and the largest value of
    /// a variable unless the other variables can have different integers between their bounds
    /// (López-Ortiz, Quimper, Tromp and van Beek 2003). It notices at once, for example, that three
    /// variables cannot have values between 1 and 2, and if two of them do, the smallest value of
    /// the third one is not 1.
    ///
    /// States [`all_different`](Self::all_different) as well, which the levels below full
    /// propagation use, and which removes the values of assigned variables. A call takes time
    /// O(*n* log *n*) for *n* variables, whatever the number of values, and is repeated only if a
    /// bound moved past missing values. It runs when a bound has changed.
    ///
    /// This suits domains that are intervals, together with constraints that prune bounds, such as
    /// sums. [`all_different_matching`](Self::all_different_matching) also finds values in the
    /// middle of a domain that are in no solution, at a higher cost.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Model, Propagate};
    ///
    /// // A million values and three variables that share two of them, refuted at the root.
    /// let mut model = Model::new();
    /// let wide = model.variables(20, 0..1_000_000)?;
    /// let narrow = model.variables(3, 7..=8)?;
    /// model.all_different_bounds(&[wide, narrow].concat())?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).exists();
    /// assert_eq!(outcome.exists(), Some(false));
    /// assert_eq!(outcome.report().nodes(), 1);
    /// # Ok::<(), secateurs::csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`].
    pub fn all_different_bounds(&mut self, variables: &[Variable]) -> Result<(), ModelError> {
        self.all_different(variables)?;
        // A variable that must differ from itself has already lost its values.
        if variables.len() < 2 || !are_distinct(variables) {
            return Ok(());
        }
        self.propagator(BoundsMatching { variables: variables.to_vec() })
    }
}
