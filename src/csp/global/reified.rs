//! Reified linear constraints: a variable states whether a sum lies in a range.

use std::ops::RangeBounds;

use super::linear::Linear;
use crate::csp::{Domains, Model, ModelError, Propagator, PropagatorScratch, Variable, Wipeout};

/// The first variable of the scope is 1 if the sum lies in its range, and 0 otherwise.
#[derive(Clone, Debug)]
struct Reified {
    linear: Linear,
    /// The indicator, and the variables of the sum.
    scope: Vec<Variable>,
}

/// The position of the possible sums relative to the range.
enum Position {
    Inside,
    Outside,
    /// Some sums lie in the range, others do not. The smallest and the largest sum.
    Across(i64, i64),
}

impl Reified {
    fn position(&self, domains: &Domains) -> Result<Position, Wipeout> {
        let (least, most) = self.linear.sums(domains)?;
        let Linear { low, high, .. } = self.linear;
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
    ) -> Result<(), Wipeout> {
        let Linear { low, high, .. } = self.linear;
        if least >= low {
            return self.linear.enforce(high + 1..=most, domains, scratch);
        }
        if most <= high {
            return self.linear.enforce(least..=low - 1, domains, scratch);
        }
        // The sum may lie on either side. That prunes values only if one variable is left.
        let mut open = self.linear.terms().filter(|&(term, _)| !domains.is_assigned(term));
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

impl Propagator for Reified {
    fn name(&self) -> &str {
        "reified linear"
    }

    fn scope(&self) -> &[Variable] {
        &self.scope
    }

    fn holds(&self, values: &[i32]) -> bool {
        matches!(values[0], 0 | 1) && (values[0] == 1) == self.linear.holds(&values[1..])
    }

    fn propagate(
        &self,
        domains: &mut Domains,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        let indicator = self.scope[0];
        match (domains.value(indicator), self.position(domains)?) {
            (None, Position::Inside) => domains.assign(indicator, 1).map(|_| ()),
            (None, Position::Outside) => domains.assign(indicator, 0).map(|_| ()),
            (None, Position::Across(..)) => Ok(()),
            (Some(1), Position::Inside) | (Some(0), Position::Outside) => Ok(()),
            (Some(1), Position::Across(..)) => {
                self.linear.enforce(self.linear.low..=self.linear.high, domains, scratch)
            }
            (Some(0), Position::Across(least, most)) => {
                self.exclude((least, most), domains, scratch)
            }
            (Some(_), _) => Err(Wipeout(indicator)),
        }
    }

    fn propagate_last(
        &self,
        domains: &mut Domains,
        _: Variable,
        scratch: &mut PropagatorScratch,
    ) -> Result<(), Wipeout> {
        self.propagate(domains, scratch)
    }
}

impl Model {
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
    /// use secateurs::csp::{Model, Propagate};
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
    /// # Ok::<(), secateurs::csp::ModelError>(())
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
        let linear = Linear::new(self, terms, range)?;
        self.restrict(indicator, |value| matches!(value, 0 | 1))?;
        let scope = [indicator].into_iter().chain(linear.variables.iter().copied()).collect();
        self.propagator(Reified { linear, scope })
    }
}
