//! The ledger of an audit: visited solutions, actions of hooks, and the losses that they caused.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use secateurs::{Effect, ObjectiveValue, Problem, Substitute, SubstituteOrder};

use super::coverage::{Coverage, GapReason};
use super::reference::{Auditable, Reference, Unknown};
use super::violation::{Exhibit, Loss, Violation};

/// A cut, tightening or credit of a hook.
pub(super) struct HookAction<'d, P: Problem> {
    pub(super) hook: &'d str,
    pub(super) effect: Effect,
    pub(super) substitute: Substitute,
    pub(super) before: &'d P::State,
    /// The state afterwards; `None` if the node was cut off.
    pub(super) after: Option<&'d P::State>,
    pub(super) credited: u128,
    /// Copies the path.
    pub(super) path: &'d dyn Fn() -> Vec<P::Choice>,
}

/// A loss that may still be compensated by a solution elsewhere.
struct Lost<P: Problem> {
    hook: String,
    effect: Effect,
    before: P::State,
    after: Option<P::State>,
    path: Vec<P::Choice>,
    /// The number of the action, from 1.
    time: u64,
    /// The hooks that caused equivalent losses before.
    others: Vec<String>,
}

impl<P: Problem<State: Clone>> Lost<P> {
    /// Creates a loss. `previous` is an equivalent loss that it replaces.
    fn new(action: &HookAction<'_, P>, time: u64, previous: Option<Lost<P>>) -> Self {
        let others = previous.map_or(Vec::new(), |mut previous| {
            if !previous.others.contains(&previous.hook) {
                previous.others.push(previous.hook);
            }
            previous.others.retain(|other| other != action.hook);
            previous.others
        });
        Lost {
            hook: action.hook.to_owned(),
            effect: action.effect,
            before: action.before.clone(),
            after: action.after.cloned(),
            path: (action.path)(),
            time,
            others,
        }
    }
}

/// A random sampler with a fixed probability.
pub(super) struct Sampler {
    share: f64,
    random: fastrand::Rng,
}

impl Sampler {
    pub(super) fn new(share: f64, seed: u64) -> Self {
        Sampler { share, random: fastrand::Rng::with_seed(seed) }
    }

    /// Returns whether to include the next item.
    pub(super) fn draw(&mut self) -> bool {
        self.share >= 1.0 || self.random.f64() < self.share
    }
}

/// The actions of the audited hooks, and whether their losses are compensated elsewhere.
pub(super) struct Ledger<'a, P: Problem, V> {
    pub(super) reference: Rc<Reference<'a, P, V>>,
    sampler: Sampler,
    /// Whether each action must by itself preserve a best solution.
    locally: bool,
    /// The weakest claim of all hooks, which is the claim of the whole search.
    combined_effect: Effect,
    /// The orbits with a visited solution.
    visited: HashSet<String>,
    /// The last loss of each orbit.
    lost: BTreeMap<String, Lost<P>>,
    /// The best visited value, or the one known before if that is better.
    best: Option<V>,
    /// A value known before the search began.
    known_before: Option<V>,
    /// The best lost value, and its last loss.
    best_lost: Option<(V, Lost<P>)>,
    /// The best value lost by hooks that claim that a better one remains, and its last loss.
    worse_lost: Option<(V, Lost<P>)>,
    /// Whether that value is known nevertheless, because a hook offered it.
    is_offered: bool,
    any_visited: bool,
    /// The last loss of all solutions below a node before any was visited.
    existence_lost: Option<Lost<P>>,
    /// The number of actions so far.
    time: u64,
    coverage: Coverage,
    pub(super) violation: Option<Violation>,
}

impl<'a, P: Auditable, V: ObjectiveValue> Ledger<'a, P, V> {
    /// Creates a ledger. `best` is a value known before the search.
    pub(super) fn new(
        reference: Rc<Reference<'a, P, V>>,
        sampler: Sampler,
        locally: bool,
        combined_effect: Effect,
        best: Option<V>,
    ) -> Self {
        Ledger {
            reference,
            sampler,
            locally,
            combined_effect,
            visited: HashSet::new(),
            lost: BTreeMap::new(),
            any_visited: best.is_some(),
            known_before: best.clone(),
            best,
            best_lost: None,
            worse_lost: None,
            is_offered: false,
            existence_lost: None,
            time: 0,
            coverage: Coverage::of_one(),
            violation: None,
        }
    }

    /// Records a visited solution.
    pub(super) fn record_solution(&mut self, state: &P::State) {
        self.any_visited = true;
        let Reference { problem, question, .. } = &*self.reference;
        if let Some(orbit) = &question.orbit {
            self.visited.insert(orbit(problem, state));
        }
        if question.direction.is_some() {
            let value = (question.value)(problem, state);
            if question.is_better(&value, self.best.as_ref()) {
                self.best = Some(value);
            }
        }
    }

    /// Records an action of a hook, and checks it.
    pub(super) fn record(&mut self, action: &HookAction<'_, P>) {
        if self.violation.is_some() {
            return;
        }
        self.time += 1;
        self.reference.meter.count_action();
        let gap = if self.is_unclaimed(action.effect) {
            Some(GapReason::Unclaimed)
        } else if !self.sampler.draw() {
            Some(GapReason::LeftOut)
        } else {
            *self.reference.prefix.borrow_mut() = (action.path)();
            let checked = self.check(action);
            self.reference.prefix.borrow_mut().clear();
            checked.err().map(|unknown| match unknown {
                Unknown::TooLarge => GapReason::TooLarge,
                Unknown::KnownBefore => GapReason::KnownBefore,
                Unknown::Refuted(violation) => {
                    // The path of the violation starts at the state that was cut off.
                    let below = Exhibit::new(
                        "below",
                        self.reference.show(action.before),
                        format!("{:?}", (action.path)()),
                    );
                    self.violation = Some(violation.with_exhibit(below));
                    GapReason::Unfinished
                }
            })
        };
        if let Some(reason) = gap {
            self.coverage.omit(reason, action.hook, 1);
        }
        self.coverage.add_action(action.after.is_none(), gap.is_none());
    }

    /// Returns whether an action of a hook of this effect is not covered by any claim. Next to a
    /// lossy hook, only preserving hooks are checked, unless losses are judged locally: other hooks
    /// rely on solutions elsewhere, which the lossy hook may have cut off.
    fn is_unclaimed(&self, effect: Effect) -> bool {
        let is_local = self.locally && self.reference.question.direction.is_some();
        effect == Effect::Lossy
            || self.combined_effect == Effect::Lossy && effect != Effect::Preserving && !is_local
    }

    fn check(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        self.check_gain(action)?;
        if self.violation.is_some() {
            return Ok(());
        }
        let question = &self.reference.question;
        match action.effect {
            Effect::Preserving => self.check_all(action),
            _ if question.direction.is_some() => self.check_best(action),
            // Next to a hook that only keeps some solution, most orbits may lose all of their
            // solutions.
            Effect::Representatives
                if question.orbit.is_some() && self.combined_effect == Effect::Representatives =>
            {
                self.check_orbits(action)
            }
            Effect::Representatives if self.combined_effect == Effect::Representatives => {
                // Unless there is nothing to lose, one solution elsewhere does not show that every
                // orbit keeps one.
                let may_lose = match self.reference.count_below(action.before) {
                    Ok((solutions, _)) => solutions > 0,
                    Err(refuted @ Unknown::Refuted(_)) => return Err(refuted),
                    Err(Unknown::TooLarge | Unknown::KnownBefore) => true,
                };
                self.coverage.omit(GapReason::WithoutOrbits, action.hook, u64::from(may_lose));
                self.check_existence(action)
            }
            _ => self.check_existence(action),
        }
    }

    /// Checks that the action adds no solution and no better value. Whatever the hook claims to
    /// preserve, an answer that is too good is as wrong as one that is not good enough.
    fn check_gain(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let reference = Rc::clone(&self.reference);
        let loss = if reference.question.direction.is_some() {
            let Some(after) = action.after else { return Ok(()) };
            let (before, after) =
                (reference.best_below(action.before)?, reference.best_below(after)?);
            match after {
                Some(after) if reference.question.is_better(&after, before.as_ref()) => {
                    Loss::gained(before.as_ref(), &after)
                }
                // The count below may be unchanged although the solutions became worse.
                after if action.effect == Effect::Preserving => match before {
                    Some(before) if reference.question.is_better(&before, after.as_ref()) => {
                        Loss::optimum(&before, after.as_ref())
                    }
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            }
        } else {
            // `check_all` compares the counts of preserving hooks.
            if action.effect == Effect::Preserving || action.after.is_none() && action.credited == 0
            {
                return Ok(());
            }
            let before = reference.count_below(action.before)?.0;
            let after = action.after.map_or(Ok(0), |after| Ok(reference.count_below(after)?.0))?;
            match after.saturating_add(action.credited).checked_sub(before) {
                None | Some(0) => return Ok(()),
                Some(count) => Loss::Surplus { count },
            }
        };
        self.violation = Some(self.violation(Lost::new(action, self.time, None), loss));
        Ok(())
    }

    fn violation(&self, lost: Lost<P>, loss: Loss) -> Violation {
        let path = format!("{:?}", lost.path);
        let before = self.reference.show(&lost.before);
        let exhibits = match &lost.after {
            None => vec![Exhibit::new("cut off", before, path)],
            Some(after) => vec![
                Exhibit::new("before", before, path.clone()),
                Exhibit::new("after", self.reference.show(after), path),
            ],
        };
        Violation::new(lost.hook, loss, exhibits).with_effect(lost.effect).with_others(lost.others)
    }

    /// Checks that no solution is lost.
    fn check_all(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let reference = &self.reference;
        let (before, one) = match (&reference.question.best_below, action.after) {
            // Whether there is a solution is known without a search.
            (Some(best), None) if action.credited == 0 => {
                (u128::from(best(reference.problem, action.before).is_some()), None)
            }
            _ => reference.count_below(action.before)?,
        };
        let left = action.after.map_or(Ok(0), |after| Ok(reference.count_below(after)?.0))?;
        let left = left.saturating_add(action.credited);
        let loss = match before.cmp(&left) {
            std::cmp::Ordering::Equal => return Ok(()),
            std::cmp::Ordering::Greater => {
                Loss::Solutions { count: before - left, one: one.clone() }
            }
            std::cmp::Ordering::Less => Loss::Surplus { count: left - before },
        };
        let mut violation = self.violation(Lost::new(action, self.time, None), loss);
        if let Some(one) = one.filter(|one| left == 0 && one.contains('\n')) {
            violation = violation.with_exhibit(Exhibit::new("lost", one, ""));
        }
        self.violation = Some(violation);
        Ok(())
    }

    /// Records the orbits that have no solution left below the node and none visited so far.
    fn check_orbits(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let before = self.reference.orbits_below(action.before)?;
        let left = action
            .after
            .map_or_else(|| Ok(HashSet::new()), |after| self.reference.orbits_below(after))?;
        for orbit in before.difference(&left).filter(|orbit| !self.visited.contains(*orbit)) {
            let lost = Lost::new(action, self.time, self.lost.remove(orbit));
            self.lost.insert(orbit.clone(), lost);
        }
        Ok(())
    }

    /// Records that all solutions below the node are lost, if none has been visited so far.
    fn check_existence(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        // Credited solutions exist, although they are not visited.
        self.any_visited |= action.credited > 0;
        if self.any_visited || self.reference.count_below(action.before)?.0 == 0 {
            return Ok(());
        }
        if action.after.map_or(Ok(0), |after| Ok(self.reference.count_below(after)?.0))? == 0 {
            self.existence_lost = Some(Lost::new(action, self.time, self.existence_lost.take()));
        }
        Ok(())
    }

    /// Records that the best solutions below the node are lost, if they are better than those
    /// visited so far.
    fn check_best(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let reference = Rc::clone(&self.reference);
        let question = &reference.question;
        let Some(before) = reference.best_below(action.before)? else { return Ok(()) };
        // A loss that does not beat the value known before is allowed; but that value may stem from
        // another search, so the action counts as unchecked.
        if self.known_before.is_some() && !question.is_better(&before, self.known_before.as_ref()) {
            return Err(Unknown::KnownBefore);
        }
        let claims_better =
            action.substitute == Substitute::Elsewhere(SubstituteOrder::BetterValue);
        if claims_better
            && self
                .worse_lost
                .as_ref()
                .is_none_or(|(lost, _)| !question.is_better(lost, Some(&before)))
        {
            self.worse_lost = Some((before.clone(), Lost::new(action, self.time, None)));
        }
        // A loss that does not beat the visited solutions is harmless.
        if !question.is_better(&before, self.best.as_ref()) {
            return Ok(());
        }
        let left = action.after.map_or(Ok(None), |after| reference.best_below(after))?;
        if !question.is_better(&before, left.as_ref()) {
            return Ok(());
        }
        if self.locally {
            let loss = Loss::optimum(&before, left.as_ref());
            self.violation = Some(self.violation(Lost::new(action, self.time, None), loss));
            return Ok(());
        }
        match self.best_lost.take() {
            Some((known, lost)) if question.is_better(&known, Some(&before)) => {
                self.best_lost = Some((known, lost))
            }
            Some((known, lost)) if known == before => {
                self.best_lost = Some((before, Lost::new(action, self.time, Some(lost))));
            }
            _ => self.best_lost = Some((before, Lost::new(action, self.time, None))),
        }
        Ok(())
    }

    /// Returns the earliest loss that was not compensated, after the search has ended or was
    /// stopped. `known` is the best value known now, from any source.
    pub(super) fn finish(
        mut self,
        is_exhausted: bool,
        known: Option<&V>,
    ) -> Result<Coverage, Violation> {
        if let Some(violation) = self.violation {
            return Err(violation);
        }
        let mut losses: Vec<(Lost<P>, Loss)> = Vec::new();
        for (orbit, lost) in std::mem::take(&mut self.lost) {
            if !self.visited.contains(&orbit) {
                losses.push((lost, Loss::Orbit { orbit }));
            }
        }
        if let Some((optimum, lost)) = self.best_lost.take()
            && self.reference.question.is_better(&optimum, self.best.as_ref())
        {
            // A hook may have found the value by other means and offered it.
            self.is_offered = known == Some(&optimum);
            if !self.is_offered {
                losses.push((lost, Loss::optimum(&optimum, self.best.as_ref())));
            }
        }
        if let Some((value, lost)) = self.worse_lost.take()
            && let Some(best) = &self.best
            && !self.reference.question.is_better(best, Some(&value))
        {
            let loss = Loss::NotBetter { lost: format!("{value:?}"), best: format!("{best:?}") };
            losses.push((lost, loss));
        }
        if let Some(lost) = self.existence_lost.take().filter(|_| !self.any_visited) {
            losses.push((lost, Loss::Existence));
        }
        if !is_exhausted {
            self.coverage.omit(GapReason::Unfinished, "the audited search", 1);
            for (lost, _) in &losses {
                self.coverage.omit(GapReason::Unsettled, &lost.hook, 1);
            }
            return Ok(self.coverage);
        }
        match losses.into_iter().min_by_key(|(lost, _)| lost.time) {
            Some((lost, loss)) => Err(self.violation(lost, loss)),
            None => match known.filter(|known| self.is_spurious(known)) {
                Some(known) => {
                    let loss = Loss::gained(self.best.as_ref(), known);
                    Err(Violation::new("the hooks together", loss, Vec::new()))
                }
                None => Ok(self.coverage),
            },
        }
    }

    /// Returns whether the known value is better than every solution, visited or lost.
    fn is_spurious(&self, known: &V) -> bool {
        let is_better = |than| self.reference.question.is_better(known, than);
        // If an action was not checked, the value may be that of a solution that it has cut off.
        self.coverage.is_exhaustive()
            && self.combined_effect < Effect::Lossy
            && is_better(self.best.as_ref())
            && !self.is_offered
    }
}
