//! Sums: coefficient times variable, added up, in a range.
//!
//! Propagation is by *bounds* (Davis 1987; Harvey and Schimpf 2002): if all other terms are as
//! small as they can be, the room that is left below the upper end of the range is the most by
//! which this term may exceed its own smallest value; and the same from above. That looks only at
//! the smallest and the largest value of each variable, so a call costs two looks a term, and one
//! more round for each round in which something was taken away. Values in the middle stay, although
//! with some of them the sum may come out nowhere: to tell them is as hard as the subset sum
//! problem.

use std::ops::{Bound, RangeBounds};

use crate::csp::{
    Domains, Model, ModelError, Propagator, PropagatorScratch, Variable, Wake, Wipeout,
};

/// Sums are at most this far from zero: twice that, and a little more, fits into 64 bits.
const MAX_SUM: i128 = 1 << 61;

/// A sum in a range. No coefficient is zero, and no variable comes twice.
#[derive(Clone, Debug)]
struct Linear {
    variables: Vec<Variable>,
    coefficients: Vec<i64>,
    low: i64,
    high: i64,
}

impl Linear {
    fn terms(&self) -> impl Iterator<Item = (Variable, i64)> + '_ {
        self.variables.iter().copied().zip(self.coefficients.iter().copied())
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
        let sum: i64 =
            values.iter().zip(&self.coefficients).map(|(&value, &by)| i64::from(value) * by).sum();
        (self.low..=self.high).contains(&sum)
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Result<(), Wipeout> {
        let Some(&first) = self.variables.first() else { return Ok(()) };
        let (mut least, mut most) = (0, 0);
        for (variable, by) in self.terms() {
            let (min, max) = bounds(domains, variable)?;
            least += by * if by > 0 { min } else { max };
            most += by * if by > 0 { max } else { min };
        }
        loop {
            if least > self.high || most < self.low {
                return Err(Wipeout(first));
            }
            if least >= self.low && most <= self.high {
                return Ok(());
            }
            let mut changed = false;
            for (variable, by) in self.terms() {
                let (min, max) = bounds(domains, variable)?;
                // By how much this term may exceed its smallest value, and stay below its largest.
                let (room_above, room_below) = (self.high - least, most - self.low);
                let (up, down) =
                    if by > 0 { (room_above, room_below) } else { (room_below, room_above) };
                let (up, down) = (up / by.abs(), down / by.abs());
                if max - min <= up && max - min <= down {
                    continue;
                }
                // Both are between the smallest and the largest value, where they are less than the
                // gap.
                if max - min > up {
                    domains.at_most(variable, (min + up) as i32)?;
                }
                if max - min > down {
                    domains.at_least(variable, (max - down) as i32)?;
                }
                let (raised, lowered) = {
                    let (new_min, new_max) = bounds(domains, variable)?;
                    (new_min - min, max - new_max)
                };
                least += by.abs() * if by > 0 { raised } else { lowered };
                most -= by.abs() * if by > 0 { lowered } else { raised };
                if least > self.high || most < self.low {
                    return Err(Wipeout(variable));
                }
                changed = true;
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// With one variable left, its bounds say all there is to say.
    fn propagate_last(
        &self,
        domains: &mut Domains,
        _: Variable,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        self.propagate(domains, scratch)
    }

    fn wake(&self) -> Wake {
        Wake::Bounds
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

fn bounds(domains: &Domains, variable: Variable) -> Result<(i64, i64), Wipeout> {
    match (domains.min(variable), domains.max(variable)) {
        (Some(min), Some(max)) => Ok((min.into(), max.into())),
        _ => Err(Wipeout(variable)),
    }
}

impl Model {
    /// The sum of `coefficient · variable` lies in `range`: `15..=15` for equal to 15, `..=15` for
    /// at most, `15..` for at least. An empty range has no solution.
    ///
    /// A variable may come more than once; its coefficients are added. No terms at all have the sum
    /// 0.
    ///
    /// Propagated by bounds: of every variable, the smallest and the largest value is one that goes
    /// with *some* real values of the others between their own bounds. For a range that is open at
    /// one end those are values that go together; for an equation they may fail to be integers, or
    /// fall into a hole. A call costs time proportional to the number of terms, for each round in
    /// which something is taken away. There may be as many rounds as values, where bounds drive
    /// each other on by one a time (2*x* = 2*y* + 1, or *x* < *y* and *y* < *x*); they belong to
    /// one node, within which no limit is looked at, so that such sums of very wide domains are to
    /// be avoided. At the levels below [full propagation](crate::csp::Propagate::full), nothing is
    /// taken away before just one variable is left.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Assignment, Model, Propagate};
    ///
    /// // SEND + MORE = MONEY: each letter is a digit, each another one, and none of the numbers begins with a zero.
    /// let mut model = Model::new();
    /// let [s, m] = model.variables(2, 1..=9)?[..] else { unreachable!() };
    /// let [e, n, d, o, r, y] = model.variables(6, 0..=9)?[..] else { unreachable!() };
    /// model.all_different(&[s, e, n, d, m, o, r, y])?;
    /// let number = |sign: i64, letters: &[_]| {
    ///     let places = (0..letters.len() as u32).rev().map(|place| sign * 10_i64.pow(place));
    ///     places.zip(letters.to_vec()).collect::<Vec<_>>()
    /// };
    /// let terms = [number(1, &[s, e, n, d]), number(1, &[m, o, r, e]), number(-1, &[m, o, n, e, y])];
    /// model.linear(terms.concat(), 0..=0)?;
    ///
    /// let network = model.build();
    /// let mut solutions = Search::new(&network).hooks((Propagate::full(),)).extract(Assignment::of).solutions();
    /// let solution = solutions.next().ok_or("there is one")?;
    /// let money: Vec<i32> = solution.of_variables(&[m, o, n, e, y]).collect();
    /// assert_eq!(money, [1, 0, 6, 5, 2]);
    /// assert_eq!(solutions.next(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownVariable`]; [`ModelError::SumTooLarge`] if the terms, each as far from
    /// zero as it can be, add up to more than 2⁶¹, or a coefficient is larger than that.
    pub fn linear(
        &mut self,
        terms: impl IntoIterator<Item = (i64, Variable)>,
        range: impl RangeBounds<i64>,
    ) -> Result<(), ModelError> {
        let mut terms: Vec<(i64, Variable)> = terms.into_iter().collect();
        self.check(terms.iter().map(|term| term.1))?;
        terms.sort_by_key(|term| term.1);
        let (mut variables, mut coefficients) = (Vec::new(), Vec::new());
        let mut largest: i128 = 0;
        for same in terms.chunk_by(|one, other| one.1 == other.1) {
            let variable = same[0].1;
            let coefficient: i128 = same.iter().map(|term| i128::from(term.0)).sum();
            if coefficient == 0 {
                continue;
            }
            let (low, high) = self.domain(variable).bounds().unwrap_or((0, 0));
            let farthest = low.unsigned_abs().max(high.unsigned_abs()).max(1);
            // As many 64-bit coefficients as fit into memory do not go beyond 128 bits, but their
            // products might.
            largest = coefficient
                .abs()
                .checked_mul(farthest.into())
                .and_then(|term| term.checked_add(largest))
                .filter(|&largest| largest <= MAX_SUM)
                .ok_or_else(|| ModelError::SumTooLarge { variable: self.describe(variable) })?;
            variables.push(variable);
            // At most 2⁶¹, as it is part of `largest`.
            coefficients.push(coefficient as i64);
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
        // No sum is farther away than `largest`.
        let near = |end: i128| end.clamp(-largest - 1, largest + 1) as i64;
        self.propagator(Linear { variables, coefficients, low: near(low), high: near(high) })
    }

    /// The sum of these variables lies in `range`: [`linear`](Self::linear) with all coefficients
    /// 1.
    ///
    /// # Errors
    ///
    /// As of [`linear`](Self::linear).
    pub fn sum(
        &mut self,
        variables: &[Variable],
        range: impl RangeBounds<i64>,
    ) -> Result<(), ModelError> {
        self.linear(variables.iter().map(|&variable| (1, variable)), range)
    }
}
