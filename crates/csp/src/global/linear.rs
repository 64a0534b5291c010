//! Linear constraints: a sum of coefficients times variables lies in a range.
//!
//! Propagation is by *bounds* (Davis 1987; Harvey and Schimpf 2002): if all other terms have their
//! smallest values, the distance to the upper end of the range is the most by which this term may
//! exceed its own smallest value; and the same from above. This reads the smallest and the largest
//! value of each variable only, so that a call reads each term twice, and once more for each round
//! in which something was pruned. Values in the middle remain even if no assignment with them
//! reaches the range: finding them is as hard as the subset sum problem.
//!
//! There may be as many rounds as values. A call ends after [`MAX_ROUNDS`] of them and requests
//! another one, because the limit of work at a node is checked between calls.

use std::ops::{Bound, RangeBounds, RangeInclusive};

use crate::{
    Domains, Model, ModelError, Propagator, PropagatorScratch, Pruned, Variable, Wake, Wipeout,
};

/// The largest absolute value of a sum: twice that, and a little more, fits into 64 bits.
const MAX_SUM: i128 = 1 << 61;

/// The number of rounds in a call. Almost all calls end after one or two.
const MAX_ROUNDS: usize = 16;

/// A sum in a range. No coefficient is zero, and no variable occurs twice.
#[derive(Clone, Debug)]
struct Linear {
    /// The variables with positive coefficients, then those with negative ones.
    variables: Vec<Variable>,
    /// The absolute values of the coefficients.
    factors: Vec<i64>,
    /// The number of positive coefficients.
    positive: usize,
    low: i64,
    high: i64,
    /// The smallest and the largest sum of values of the model.
    possible: (i64, i64),
    /// Whether all factors are 1.
    is_unit: bool,
}

impl Linear {
    /// Creates the constraint, with the terms of one variable added up.
    fn new(
        model: &Model,
        terms: impl IntoIterator<Item = (i64, Variable)>,
        range: impl RangeBounds<i64>,
    ) -> Result<Self, ModelError> {
        let mut terms: Vec<(i64, Variable)> = terms.into_iter().collect();
        model.check(terms.iter().map(|term| term.1))?;
        terms.sort_by_key(|term| term.1);
        let (mut positive, mut negative) = (Vec::new(), Vec::new());
        let mut largest: i128 = 0;
        let mut possible = (0, 0);
        for same in terms.chunk_by(|one, other| one.1 == other.1) {
            let variable = same[0].1;
            let coefficient: i128 = same.iter().map(|term| i128::from(term.0)).sum();
            if coefficient == 0 {
                continue;
            }
            let (low, high) = model.domain(variable).bounds().unwrap_or((0, 0));
            let farthest = low.unsigned_abs().max(high.unsigned_abs()).max(1);
            // The sum of all 64-bit coefficients that fit into memory does not overflow 128 bits,
            // but the products might.
            largest = coefficient
                .abs()
                .checked_mul(farthest.into())
                .and_then(|term| term.checked_add(largest))
                .filter(|&largest| largest <= MAX_SUM)
                .ok_or_else(|| ModelError::SumTooLarge { variable: model.describe(variable) })?;
            // At most 2⁶¹, since it is part of `largest`. So are the products.
            let coefficient = coefficient as i64;
            let signed = if coefficient > 0 { &mut positive } else { &mut negative };
            signed.push((variable, coefficient.abs()));
            let ends = [low, high].map(|end| coefficient * i64::from(end));
            possible.0 += ends[0].min(ends[1]);
            possible.1 += ends[0].max(ends[1]);
        }
        let low = match range.start_bound() {
            Bound::Included(&low) => low.into(),
            Bound::Excluded(&low) => i128::from(low) + 1,
            Bound::Unbounded => -largest,
        };
        let high = match range.end_bound() {
            Bound::Included(&high) => high.into(),
            Bound::Excluded(&high) => i128::from(high) - 1,
            Bound::Unbounded => largest,
        };
        // No sum exceeds `largest` in absolute value.
        let clamped = |end: i128| end.clamp(-largest - 1, largest + 1) as i64;
        let (low, high) = (clamped(low), clamped(high));
        let count = positive.len();
        let (variables, factors): (Vec<_>, Vec<_>) = positive.into_iter().chain(negative).unzip();
        let is_unit = factors.iter().all(|&factor| factor == 1);
        Ok(Linear { variables, factors, positive: count, low, high, possible, is_unit })
    }

    /// Returns the variables with their coefficients.
    fn terms(&self) -> impl Iterator<Item = (Variable, i64)> + '_ {
        let factors = self.factors.iter().enumerate();
        let coefficients =
            factors.map(|(place, &factor)| if place < self.positive { factor } else { -factor });
        self.variables.iter().copied().zip(coefficients)
    }
}

impl Propagator for Linear {
    fn name(&self) -> &str {
        "linear"
    }

    fn scope(&self) -> &[Variable] {
        &self.variables
    }

    fn holds(&self, values: &[i32]) -> bool {
        let terms = values.iter().zip(self.terms());
        let sum: i64 = terms.map(|(&value, (_, factor))| i64::from(value) * factor).sum();
        (self.low..=self.high).contains(&sum)
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        self.enforce(self.low..=self.high, domains, scratch)
    }

    /// The bounds decide, without the propagation that the default would undo.
    fn entailment(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Option<bool> {
        match self.position(domains, scratch) {
            Ok(Position::Inside) => Some(true),
            Ok(Position::Across(..)) => None,
            Ok(Position::Outside) | Err(_) => Some(false),
        }
    }

    fn propagate_negation(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        match (self.position(domains, scratch)?, self.variables.first()) {
            (Position::Inside, Some(&first)) => Err(Wipeout(first)),
            (Position::Across(least, most), _) => self.exclude((least, most), domains, scratch),
            _ => Ok(()),
        }
    }

    /// The values of a single open variable that satisfy the constraint are an interval, and one
    /// round of propagation by bounds finds its ends.
    fn propagates_last(&self) -> bool {
        true
    }

    /// A range that is open at one end depends on one bound of each term.
    fn wake(&self, place: usize) -> Wake {
        let grows = place < self.positive;
        let (low, high) = self.possible;
        let depends_on_max = match (self.low > low, self.high < high) {
            (true, false) => grows,
            (false, true) => !grows,
            _ => return Wake::Bounds,
        };
        if depends_on_max { Wake::Max } else { Wake::Min }
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

impl Linear {
    /// Reads the bounds of the constraint's `variables` into `ends`. Returns the smallest and the
    /// largest sum, and the largest width of a term: the difference between its ends.
    ///
    /// If `UNIT`, all coefficients are 1 or -1: this and the pruning then take no multiplication
    /// and no division.
    #[inline(always)]
    fn sums<const UNIT: bool>(
        &self,
        variables: &[Variable],
        domains: &Domains,
        ends: &mut [Ends],
    ) -> Result<(i64, i64, i64), Wipeout> {
        let (mut least, mut widths, mut widest) = (0, 0, 0);
        for (place, (&variable, ends)) in variables.iter().zip(ends).enumerate() {
            let (min, max) = domains.bounds(variable).ok_or(Wipeout(variable))?;
            *ends = [min, max].map(|end| i64::from(end) as u64);
            let factor = if UNIT { 1 } else { self.factors[place] };
            let (from, to) = (factor * i64::from(min), factor * i64::from(max));
            least += if place < self.positive { from } else { -to };
            widths += to - from;
            widest = widest.max(to - from);
        }
        Ok((least, least + widths, widest))
    }

    /// Prunes by bounds so that the sum lies in `range`.
    fn enforce(
        &self,
        range: RangeInclusive<i64>,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Pruned {
        let is_at_fixpoint = if !self.is_unit {
            self.enforce_terms::<false>(&self.variables, range, domains, self.ends(scratch))?
        } else if let Ok(variables) = <&[Variable; 3]>::try_from(&*self.variables) {
            // Sums of three terms, such as differences, have unrolled loops with the bounds in
            // registers. That saves a quarter of their instructions.
            self.enforce_terms::<true>(variables, range, domains, &mut [Ends::default(); 3])?
        } else {
            self.enforce_terms::<true>(&self.variables, range, domains, self.ends(scratch))?
        };
        if !is_at_fixpoint {
            scratch.call_again();
        }
        Ok(())
    }

    /// Prunes by bounds so that the sum of `variables`, those of the constraint, lies in `range`.
    /// Returns whether that has reached its fixpoint.
    #[inline(always)]
    fn enforce_terms<const UNIT: bool>(
        &self,
        variables: &[Variable],
        range: RangeInclusive<i64>,
        domains: &mut Domains,
        ends: &mut [Ends],
    ) -> Result<bool, Wipeout> {
        let (low, high) = range.into_inner();
        let Some(&first) = variables.first() else { return Ok(true) };
        let (mut least, mut most, mut widest) = self.sums::<UNIT>(variables, domains, ends)?;
        for _ in 0..MAX_ROUNDS {
            // If all variables are assigned, `least` equals `most`: their test is complete.
            if least > high {
                return Err(Wipeout(first));
            }
            let lost;
            if widest > high - least {
                (lost, widest) =
                    self.narrow::<UNIT>(variables, high - least, true, domains, ends)?;
                most -= lost;
            }
            if most < low {
                return Err(Wipeout(first));
            }
            // Mostly no term is wide enough to leave the range alone.
            if widest <= most - low {
                return Ok(true);
            }
            let lost;
            (lost, widest) = self.narrow::<UNIT>(variables, most - low, false, domains, ends)?;
            least += lost;
        }
        Ok(false)
    }

    /// Returns the part of the scratch for the bounds of all variables.
    #[inline]
    fn ends<'a>(&self, scratch: &'a mut PropagatorScratch) -> &'a mut [Ends] {
        scratch.words.resize(2 * self.variables.len(), 0);
        scratch.words.as_chunks_mut().0
    }

    /// Prunes the largest values of each term, or its smallest ones, until its width is at most
    /// `room`. Returns by how much the widths have decreased together, and the largest width.
    #[inline(always)]
    fn narrow<const UNIT: bool>(
        &self,
        variables: &[Variable],
        room: i64,
        from_above: bool,
        domains: &mut Domains,
        ends: &mut [Ends],
    ) -> Result<(i64, i64), Wipeout> {
        let (mut lost, mut widest) = (0, 0);
        for (place, (&variable, ends)) in variables.iter().zip(ends).enumerate() {
            let [min, max] = ends.map(|end| end as i64);
            let factor = if UNIT { 1 } else { self.factors[place] };
            let mut width = factor * (max - min);
            if width > room {
                // The new bound lies between the smallest and the largest value.
                let span = if UNIT { room } else { room / factor };
                let (min, max) = if (place < self.positive) == from_above {
                    (min, min + span)
                } else {
                    (max - span, max)
                };
                let (min, max) = domains.keep_between(variable, min as i32, max as i32)?;
                *ends = [min, max].map(|end| i64::from(end) as u64);
                let after = factor * (i64::from(max) - i64::from(min));
                lost += width - after;
                width = after;
            }
            widest = widest.max(width);
        }
        Ok((lost, widest))
    }
}

/// The smallest and the largest value of a variable, as words of 64-bit integers.
type Ends = [u64; 2];

/// The position of the possible sums relative to the range.
enum Position {
    Inside,
    Outside,
    /// Some sums lie in the range, others do not. The smallest and the largest sum.
    Across(i64, i64),
}

impl Linear {
    fn position(
        &self,
        domains: &Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<Position, Wipeout> {
        let ends = self.ends(scratch);
        let (least, most, _) = self.sums::<false>(&self.variables, domains, ends)?;
        let Linear { low, high, .. } = *self;
        Ok(if least > high || most < low || low > high {
            Position::Outside
        } else if least >= low && most <= high {
            Position::Inside
        } else {
            Position::Across(least, most)
        })
    }

    /// Prunes so that the sum does not lie in the range, given the smallest and the largest sum.
    fn exclude(
        &self,
        (least, most): (i64, i64),
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Pruned {
        let Linear { low, high, .. } = *self;
        if least >= low {
            return self.enforce(high + 1..=most, domains, scratch);
        }
        if most <= high {
            return self.enforce(least..=low - 1, domains, scratch);
        }
        // The sum may lie on either side. That prunes values only if one variable is left.
        let mut open = self.terms().filter(|&(term, _)| !domains.is_assigned(term));
        if let (Some((last, factor)), None) = (open.next(), open.next()) {
            let Some(min) = domains.min(last) else { return Err(Wipeout(last)) };
            let smallest = factor * i64::from(min);
            let others = if factor > 0 { least - smallest } else { most - smallest };
            domains.retain(last, |value| {
                !(low..=high).contains(&(others + factor * i64::from(value)))
            })?;
        }
        Ok(())
    }
}

impl Model {
    /// Requires that the sum of `coefficient · variable` lies in `range`: `15..=15` for equal to
    /// 15, `..=15` for at most 15, `15..` for at least 15. An empty range has no solution.
    ///
    /// A variable may occur more than once; its coefficients are added. The empty sum is 0.
    ///
    /// Propagation is by bounds: afterwards the smallest and the largest value of each variable are
    /// compatible with *some* real values of the other variables between their bounds. For a range
    /// that is open at one end, these are values of the variables; for an equation, they may be
    /// fractional or missing from a domain. A round takes time linear in the number of terms,
    /// and is repeated while it prunes something. There may be as many rounds as values if bounds
    /// move by one in each round (2*x* = 2*y* + 1, or *x* < *y* and *y* < *x*); the
    /// [limit of work](crate::Propagate#limit-of-work) at a node then ends them early. The
    /// levels below [full propagation](crate::Propagate::full) prune nothing before all
    /// variables but one are assigned.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Assignment, Model, Propagate};
    ///
    /// // SEND + MORE = MONEY: letters are different digits, and no number begins with zero.
    /// let mut model = Model::new();
    /// let [s, m] = model.variables(2, 1..=9)?[..] else { unreachable!() };
    /// let [e, n, d, o, r, y] = model.variables(6, 0..=9)?[..] else { unreachable!() };
    /// model.all_different(&[s, e, n, d, m, o, r, y])?;
    /// let number = |sign: i64, letters: &[_]| {
    ///     let places = (0..letters.len() as u32).rev().map(|place| sign * 10_i64.pow(place));
    ///     places.zip(letters.to_vec()).collect::<Vec<_>>()
    /// };
    /// let addends = [number(1, &[s, e, n, d]), number(1, &[m, o, r, e])].concat();
    /// let sum = number(-1, &[m, o, n, e, y]);
    /// model.linear([addends, sum].concat(), 0..=0)?;
    ///
    /// let network = model.build();
    /// let search = Search::new(&network).hooks((Propagate::full(),));
    /// let mut solutions = search.extract(Assignment::of).solutions();
    /// let solution = solutions.next().ok_or("no solution")?;
    /// let money: Vec<i32> = solution.of_variables(&[m, o, n, e, y]).collect();
    /// assert_eq!(money, [1, 0, 6, 5, 2]);
    /// assert_eq!(solutions.next(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`]; [`ModelError::SumTooLarge`] if the largest absolute values
    /// of all terms add up to more than 2⁶¹, or if a coefficient exceeds 2⁶¹.
    pub fn linear(
        &mut self,
        terms: impl IntoIterator<Item = (i64, Variable)>,
        range: impl RangeBounds<i64>,
    ) -> Result<(), ModelError> {
        let linear = Linear::new(self, terms, range)?;
        self.propagator(linear)
    }

    /// Requires that the sum of these variables lies in `range`: [`linear`](Self::linear) with all
    /// coefficients 1.
    ///
    /// # Errors
    ///
    /// The same as of [`linear`](Self::linear).
    pub fn sum(
        &mut self,
        variables: &[Variable],
        range: impl RangeBounds<i64>,
    ) -> Result<(), ModelError> {
        self.linear(variables.iter().map(|&variable| (1, variable)), range)
    }

    /// Requires that `indicator` is 1 if the sum of all `coefficient · variable` lies in `range`,
    /// and 0 otherwise: the *reified* form of [`linear`](Self::linear), with the same ranges.
    ///
    /// Restricts the indicator to 0 and 1. Once the sum must or cannot lie in the range, by the
    /// bounds of its variables, the indicator is assigned. Once the indicator is assigned, the sum
    /// is propagated by bounds: to the range, or away from it. In the latter case nothing is pruned
    /// as long as sums on both sides of the range are possible and several variables are left.
    ///
    /// Indicators combine constraints by sums of their own. Two tasks of three and of two hours do
    /// not overlap if one of them ends before the other one begins:
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Model, Propagate};
    ///
    /// let mut model = Model::new();
    /// let [one, other] = model.variables(2, 0..=4)?[..] else { unreachable!() };
    /// let [first, second] = model.variables(2, 0..=1)?[..] else { unreachable!() };
    /// model.linear_reified(first, [(1, other), (-1, one)], 3..)?;
    /// model.linear_reified(second, [(1, one), (-1, other)], 2..)?;
    /// model.sum(&[first, second], 1..)?;
    /// let network = model.build();
    /// let outcome = Search::new(&network).hook(Propagate::full()).count();
    /// assert_eq!(outcome.exact(), Some(3 + 6));
    /// # Ok::<(), secateurs_csp::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The same as of [`linear`](Self::linear).
    pub fn linear_reified(
        &mut self,
        indicator: Variable,
        terms: impl IntoIterator<Item = (i64, Variable)>,
        range: impl RangeBounds<i64>,
    ) -> Result<(), ModelError> {
        self.reify(indicator, |model| model.linear(terms, range))
    }
}
