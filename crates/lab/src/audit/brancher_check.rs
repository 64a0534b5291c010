//! Checks of a brancher against the problem's own order.

use std::collections::HashSet;

use secateurs::{Effect, ObjectiveValue, Problem, ProblemOrder};

use super::coverage::{Coverage, GapReason, Share};
use super::observed_brancher::{AnyBrancher, ErasedCursors};
use super::reference::{Auditable, Reference, Solutions, Unknown, known};
use super::violation::{Checked, Exhibit, Loss, Violation};

/// The name of the brancher in violations and gaps.
const SUBJECT: &str = "the brancher";

/// A violation of the claim, and the states that show it.
type LossWithExhibits = (Loss, Vec<Exhibit>);

/// The solutions in a brancher's tree, compared with those in the problem's own order.
struct Comparison {
    /// The number of solutions in the problem's own order.
    own: u128,
    /// Whether the solutions in the brancher's tree are known to be some of them.
    are_identified: bool,
    /// How the brancher's tree violates the claim.
    loss: Option<LossWithExhibits>,
}

/// Creates the brancher of the problem's own order.
fn own_order<'p, P: Problem + 'p>() -> AnyBrancher<'p, P> {
    Box::new(ErasedCursors::new(ProblemOrder))
}

impl<P: Auditable, V: ObjectiveValue> Reference<'_, P, V> {
    /// Calls `visit` with the state of each solution in the problem's own order. Returns their
    /// number.
    fn solutions_in_own_order(&self, visit: &mut dyn FnMut(&P::State)) -> Result<u128, Unknown> {
        self.solutions_by(own_order(), &self.problem.root(), visit)
    }

    /// Checks that the brancher's tree has the solutions that its effect claims, for an audit
    /// without an objective.
    pub(super) fn check_brancher(&self, coverage: &mut Coverage) -> Checked {
        let effect = (self.brancher)().effect();
        // The hooks of the problem may keep other solutions in another order.
        let hook_effect = self
            .problem_hooks()
            .iter()
            .map(|hook| hook.effect())
            .fold(Effect::Preserving, Effect::max);
        let claim = effect.max(hook_effect);
        match known(self.compare_solutions(claim, hook_effect == Effect::Preserving))? {
            Some(Comparison { own, are_identified, loss: None }) => {
                if !are_identified {
                    coverage.omit(GapReason::InNumber, SUBJECT, 1);
                }
                let own = u64::try_from(own).unwrap_or(u64::MAX);
                coverage.nodes += Share { checked: own, of: own };
                self.record_unchecked_claims(claim, coverage);
            }
            Some(Comparison { loss: Some((loss, exhibits)), .. }) => {
                return Err(Violation::new(SUBJECT, loss, exhibits).with_effect(effect));
            }
            None => coverage.omit(GapReason::Unfinished, SUBJECT, 1),
        }
        Ok(())
    }

    /// Records the parts of the claim that cannot be checked.
    fn record_unchecked_claims(&self, claim: Effect, coverage: &mut Coverage) {
        match claim {
            Effect::Lossy => coverage.omit(GapReason::Unclaimed, SUBJECT, 1),
            Effect::Representatives if self.question.orbit.is_none() => {
                coverage.omit(GapReason::WithoutOrbits, SUBJECT, 1);
            }
            _ => {}
        }
    }

    /// Compares the solutions in the brancher's tree with those in the problem's own order.
    /// `own_is_maximum` says whether no correct brancher can have more solutions, which holds
    /// unless hooks of the problem lose some.
    fn compare_solutions(
        &self,
        claim: Effect,
        own_is_maximum: bool,
    ) -> Result<Comparison, Unknown> {
        let (mut orbits, mut own_orbits) = (HashSet::new(), HashSet::new());
        let root = self.problem.root();
        let key = self.question.orbit.as_ref().filter(|_| claim == Effect::Representatives);
        let (mut found, mut expected) = (Solutions::default(), Solutions::default());
        self.solutions_below(&root, &mut |state| {
            found.add(own_is_maximum.then(|| self.show(state)));
            orbits.extend(key.map(|key| key(self.problem, state)));
        })?;
        self.solutions_in_own_order(&mut |state| {
            expected.add(own_is_maximum.then(|| self.show(state)));
            own_orbits.extend(key.map(|key| key(self.problem, state)));
        })?;
        let (count, own) = (found.count, expected.count);
        let lost_orbit = own_orbits.difference(&orbits).min();
        let loss = match (claim, lost_orbit) {
            _ if own_is_maximum && count > own => {
                Some((Loss::Surplus { count: count - own }, Vec::new()))
            }
            (Effect::Preserving, _) if count < own => Some(self.lost_solutions(own - count)?),
            (Effect::Representatives, Some(orbit)) => {
                Some((Loss::Orbit { orbit: orbit.clone() }, Vec::new()))
            }
            (Effect::Representatives | Effect::OptimumOnly, _) if count == 0 && own > 0 => {
                Some((Loss::Existence, Vec::new()))
            }
            _ => None,
        };
        let are_identified = !own_is_maximum || !found.exceed(&expected);
        Ok(Comparison { own, are_identified, loss })
    }

    /// Describes `count` lost solutions. One of them is named only if the printed states tell which
    /// ones are lost.
    fn lost_solutions(&self, count: u128) -> Result<LossWithExhibits, Unknown> {
        let mut kept = HashSet::new();
        self.solutions_below(&self.problem.root(), &mut |state| {
            kept.insert(self.show(state));
        })?;
        let (mut one, mut missing) = (None, 0);
        self.solutions_in_own_order(&mut |state| {
            let shown = self.show(state);
            if !kept.contains(&shown) {
                missing += 1;
                one.get_or_insert(shown);
            }
        })?;
        let one = one.filter(|_| missing == count);
        let in_full = one.clone().filter(|one| one.contains('\n'));
        let exhibits = in_full.map(|one| Exhibit::new("lost", one, "")).into_iter().collect();
        Ok((Loss::Solutions { count, one }, exhibits))
    }

    /// Returns the best value in the problem's own order, with which the result of the audited
    /// search is compared.
    pub(super) fn best_in_own_order(&self) -> Result<Option<V>, Unknown> {
        self.best_by(&own_order, &self.problem.root())
    }

    /// Checks that the best value found by the audited search is the one in the problem's own
    /// order. To be called after the hooks were found to keep their claims in the brancher's tree,
    /// so that a difference is due to the brancher.
    pub(super) fn check_best_by_brancher(
        &self,
        best_in_own_order: Result<Option<V>, Unknown>,
        found: BestFound<'_, V>,
        coverage: &mut Coverage,
    ) -> Checked {
        let Some(expected) = known(best_in_own_order)? else {
            coverage.omit(GapReason::Unfinished, SUBJECT, 1);
            return Ok(());
        };
        let BestFound { value: found, known_before, is_exhausted, combined_effect } = found;
        let is_better = |one: Option<&V>, other: Option<&V>| {
            one.is_some_and(|one| self.question.is_better(one, other))
        };
        // The ledger has already recorded that a limit ended the search.
        if !is_exhausted {
            return Ok(());
        }
        let gap = if combined_effect == Effect::Lossy {
            Some(GapReason::Unclaimed)
        } else if known_before.is_some() && !is_better(expected.as_ref(), known_before) {
            Some(GapReason::KnownBefore)
        } else {
            None
        };
        if let Some(reason) = gap {
            coverage.omit(reason, SUBJECT, 1);
            return Ok(());
        }
        let expected = expected.as_ref();
        let loss = match (expected, found) {
            (Some(optimum), found) if is_better(Some(optimum), found) => {
                Loss::optimum(optimum, found)
            }
            (expected, Some(found)) if is_better(Some(found), expected) => {
                Loss::gained(expected, found)
            }
            _ => {
                coverage.nodes += Share { checked: 1, of: 1 };
                return Ok(());
            }
        };
        let effect = (self.brancher)().effect();
        Err(Violation::new(SUBJECT, loss, Vec::new()).with_effect(effect))
    }
}

/// The best value found by the audited search.
pub(super) struct BestFound<'v, V> {
    pub(super) value: Option<&'v V>,
    /// A value known before the search began.
    pub(super) known_before: Option<&'v V>,
    pub(super) is_exhausted: bool,
    /// The weakest claim of the brancher and all hooks.
    pub(super) combined_effect: Effect,
}
