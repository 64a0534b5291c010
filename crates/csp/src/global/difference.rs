//! The constraint that the values of variables are different, around a rule that prunes them as a
//! whole: [`AllDifferent`].

use std::fmt::Debug;

use super::conditional::probe_different;
use crate::propagator::are_distinct;
use crate::{Domains, Propagator, PropagatorScratch, Pruned, Variable, Wake, Wipeout};

/// A rule that prunes variables whose values must be different, as a whole. It is idempotent.
pub(super) trait DifferentRule: Debug + Send + Sync {
    /// The name of the constraint with this rule.
    const NAME: &str;
    /// The cost of a call for each variable: every rule is more expensive than propagators that
    /// visit each variable once.
    const COST: u32 = 8;
    /// The changes that wake the rule.
    const WAKE: Wake = Wake::Any;

    /// Returns the variables: at least two distinct ones.
    fn variables(&self) -> &[Variable];

    /// See [`Propagator::propagate`].
    fn prune(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned;
}

/// The constraint that the values of variables are different, propagated by a rule.
#[derive(Debug)]
pub(super) struct AllDifferent<R>(pub(super) R);

impl<R: DifferentRule> Propagator for AllDifferent<R> {
    fn name(&self) -> &str {
        R::NAME
    }

    fn scope(&self) -> &[Variable] {
        self.0.variables()
    }

    fn holds(&self, values: &[i32]) -> bool {
        are_distinct(values.iter().copied())
    }

    fn entailment(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Option<bool> {
        let members = self.scope().iter().map(|&variable| (variable, 0));
        probe_different(self, members, domains, scratch)
    }

    fn propagate(&self, domains: &mut Domains, scratch: &mut PropagatorScratch) -> Pruned {
        self.0.prune(domains, scratch)
    }

    /// Removes the values of the other variables, which are assigned, from the last one.
    fn propagate_last(
        &self,
        domains: &mut Domains,
        last: Variable,
        _: &mut PropagatorScratch,
    ) -> Pruned {
        for &other in self.scope().iter().filter(|&&other| other != last) {
            let value = domains.min(other).ok_or(Wipeout(other))?;
            domains.remove(last, value)?;
        }
        Ok(())
    }

    fn wake(&self, _: usize) -> Wake {
        R::WAKE
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn cost(&self) -> u32 {
        u32::try_from(self.scope().len()).unwrap_or(u32::MAX).saturating_mul(R::COST)
    }
}
