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

use super::difference::{AllDifferent, DifferentRule};
use crate::{Domains, Model, ModelError, PropagatorScratch, Pruned, Variable, Wake, Wipeout};

/// At least two distinct variables whose values must be different.
#[derive(Clone, Debug)]
struct BoundsMatching {
    variables: Vec<Variable>,
}

/// The sum of a point, which is a smallest value or an end, and its mirror image. The mirror images
/// of the ends are the smallest values of the mirrored domains.
const MIRROR: u64 = (1 << 32) + 4;

/// Returns the number that stands for a value. It and the next number are at least 2, and so are
/// their mirror images, because a point that is less by 2 precedes all others.
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
    spans: &'a mut [[u64; 2]],
    /// The variables whose smallest values the pass has raised, each with its new smallest value.
    raised: &'a mut [[u64; 2]],
    /// All smallest values and ends in ascending order without repetitions, from position 1 on. The
    /// point before them and the point after them are sentinels.
    points: &'a mut [Point],
    /// The position of the last smallest value or end.
    last: usize,
}

/// A number at which a domain begins or ends, with the fields [`NUMBER`], [`RANGE`], [`FREE`] and
/// [`HALL`].
type Point = [u64; 4];

/// The number itself.
const NUMBER: usize = 0;
/// A link of a forest over the positions. Its roots are the ends of ranges that still have free
/// numbers. A root points to the root before it, which is an earlier position; any other position
/// points to a later one. So [`root_of`] stops at roots.
const RANGE: usize = 1;
/// The quantity of free numbers between a root and the one before it.
const FREE: usize = 2;
/// A link of a forest over the positions: from each position in a Hall interval to the end of the
/// interval. Any other position points to an earlier one.
const HALL: usize = 3;

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

impl DifferentRule for BoundsMatching {
    const NAME: &str = "all different by bounds";
    /// Cheaper than a matching.
    const COST: u32 = 4;
    const WAKE: Wake = Wake::Bounds;

    fn variables(&self) -> &[Variable] {
        &self.variables
    }

    fn prune(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        let Parts { by_low, by_end, low, end, mut passes } = self.parts(scratch);
        for (index, &variable) in self.variables.iter().enumerate() {
            let (min, max) = domains.bounds(variable).ok_or(Wipeout(variable))?;
            (low[index], end[index]) = (encode(min), encode(max) + 1);
        }
        sort_by(by_low, low);
        sort_by(by_end, end);
        passes.merge_points(low, end, by_low, by_end);
        // Whether a new bound was missing from its domain, so that the bound has moved further.
        let mut has_skipped = false;
        let contradiction = Wipeout(self.variables[0]);
        for &[index, number] in passes.raise(by_end.iter()).ok_or(contradiction)? {
            let (variable, bound) = (self.variables[index as usize], decode(number));
            domains.at_least(variable, bound)?;
            has_skipped |= domains.min(variable) != Some(bound);
        }
        // The second pass may ignore what the first one has raised, since no assignment has smaller
        // values.
        passes.mirror();
        for &[index, number] in passes.raise(by_low.iter().rev()).ok_or(contradiction)? {
            let variable = self.variables[index as usize];
            let bound = decode(MIRROR - number - 1);
            domains.at_most(variable, bound)?;
            has_skipped |= domains.max(variable) != Some(bound);
        }
        if has_skipped {
            scratch.call_again();
        }
        Ok(())
    }
}

impl BoundsMatching {
    fn parts<'a>(&self, scratch: &'a mut PropagatorScratch) -> Parts<'a> {
        let variables = self.variables.len();
        let words = 8 * variables + 4 * (2 * variables + 2);
        if scratch.words.len() != words {
            scratch.words.clear();
            scratch.words.extend((0..variables as u64).chain(0..variables as u64));
            scratch.words.resize(words, 0);
        }
        let (by_low, rest) = scratch.words.split_at_mut(variables);
        let (by_end, rest) = rest.split_at_mut(variables);
        let (low, rest) = rest.split_at_mut(variables);
        let (end, rest) = rest.split_at_mut(variables);
        let (raised, rest) = rest.split_at_mut(2 * variables);
        let (spans, points) = rest.split_at_mut(2 * variables);
        let passes = Passes {
            spans: spans.as_chunks_mut().0,
            raised: raised.as_chunks_mut().0,
            points: points.as_chunks_mut().0,
            last: 0,
        };
        Parts { by_low, by_end, low, end, passes }
    }
}

impl Passes<'_> {
    /// Computes the smallest value of each variable in an assignment of different numbers between
    /// the bounds, and returns those that differ from the bound, or `None` if there is no such
    /// assignment. The variables come in the order of their ends.
    ///
    /// Each of them takes the first free number from its smallest value on: only the quantity of
    /// free numbers in each range is stored. When the ranges up to an end have no free number left,
    /// a Hall interval ends there, and the smallest values of later variables leave it.
    fn raise<'i>(&mut self, by_end: impl Iterator<Item = &'i u64>) -> Option<&[[u64; 2]]> {
        let Passes { spans, raised, points, .. } = self;
        let mut length = 0;
        for &index in by_end {
            let [from, to] = spans[index as usize].map(|position| position as usize);
            let mut root = root_of(points, RANGE, from + 1);
            let before = points[root][RANGE];
            points[root][FREE] -= 1;
            if points[root][FREE] == 0 {
                // Joins this range to the next one.
                points[root][RANGE] = root as u64 + 1;
                root = root_of(points, RANGE, root + 1);
                points[root][RANGE] = before;
            }
            redirect(points, RANGE, from + 1, root, root);
            // All numbers of the range after the end of this variable are free. With fewer free
            // numbers, this variable has none; with as many, none is left before its end.
            let left = (points[root][FREE] + points[to][NUMBER]).cmp(&points[root][NUMBER]);
            if left == Ordering::Less {
                return None;
            }
            let hall = points[from][HALL] as usize;
            if hall > from {
                // The smallest value is in a Hall interval, and leaves it.
                let leaves = root_of(points, HALL, hall);
                raised[length] = [index, points[leaves][NUMBER]];
                length += 1;
                redirect(points, HALL, from, leaves, leaves);
            }
            if left == Ordering::Equal {
                // A Hall interval leads from the root before this one to the end of this variable:
                // all its positions lead to its end, whose link leads out of it.
                let from = points[to][HALL] as usize;
                redirect(points, HALL, from, before as usize - 1, to);
                points[to][HALL] = before - 1;
            }
        }
        Some(&raised[..length])
    }

    /// Sorts the smallest values and the ends of all variables, and finds their positions. Each
    /// point is the root of a range, and no Hall interval is known.
    fn merge_points(&mut self, low: &[u64], end: &[u64], by_low: &[u64], by_end: &[u64]) {
        let Passes { spans, points, last, .. } = self;
        let mut at = 0;
        let mut number = low[by_low[0] as usize] - 2;
        points[0] = point(0, number, number);
        let mut add = |next: u64| {
            if next != number {
                at += 1;
                points[at] = point(at, next, number);
                number = next;
            }
            at as u64
        };
        let mut lows = by_low.iter().map(|&index| (index, low[index as usize])).peekable();
        for &index in by_end {
            let end = end[index as usize];
            while let Some((earlier, low)) = lows.next_if(|&(_, low)| low <= end) {
                spans[earlier as usize][0] = add(low);
            }
            spans[index as usize][1] = add(end);
        }
        add(end[by_end[by_end.len() - 1] as usize] + 2);
        *last = at - 1;
    }

    /// Replaces each number by its mirror image, so that smallest values and ends are exchanged.
    fn mirror(&mut self) {
        let Passes { spans, points, last, .. } = self;
        let points = &mut points[..*last + 2];
        points.reverse();
        let mut before = MIRROR - points[0][NUMBER];
        for (position, entry) in points.iter_mut().enumerate() {
            let number = MIRROR - entry[NUMBER];
            *entry = point(position, number, before);
            before = number;
        }
        for span in &mut **spans {
            *span = [span[1], span[0]].map(|position| *last as u64 + 1 - position);
        }
    }
}

/// Returns the point at a position before a pass: it is the root of a range of free numbers, and is
/// in no Hall interval.
#[inline(always)]
fn point(position: usize, number: u64, before: u64) -> Point {
    let previous = (position as u64).saturating_sub(1);
    [number, previous, number - before, previous]
}

/// Follows a path in a forest as long as it leads to later positions.
#[inline(always)]
fn root_of(points: &[Point], forest: usize, from: usize) -> usize {
    let mut at = from;
    while points[at][forest] > at as u64 {
        at = points[at][forest] as usize;
    }
    at
}

/// Redirects all positions of a path in a forest, from `from` up to but not including `end`.
#[inline(always)]
fn redirect(points: &mut [Point], forest: usize, from: usize, end: usize, to: usize) {
    let mut at = from;
    while at != end {
        at = std::mem::replace(&mut points[at][forest], to as u64) as usize;
    }
}

/// Adds the constraint that these variables have different values, with their bounds pruned.
pub(super) fn add(model: &mut Model, variables: &[Variable]) -> Result<(), ModelError> {
    model.propagator(AllDifferent(BoundsMatching { variables: variables.to_vec() }))
}
