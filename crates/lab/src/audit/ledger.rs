//! The ledger of an audit: visited solutions, actions of hooks, and the losses that they caused.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Debug;
use std::rc::Rc;

use secateurs::{Effect, ObjectiveValue, Problem, Substitute, SubstituteOrder};

use super::coverage::{Coverage, GapReason, Sampler};
use super::reference::{Reference, Solutions, Unknown};
use super::violation::{Exhibit, Loss, Violation};

/// A cut, tightening or credit of a hook.
pub(super) struct HookAction<'d, P: Problem> {
    pub(super) hook: &'d str,
    pub(super) effect: Effect,
    pub(super) substitute: Substitute,
    pub(super) before: &'d P::State,
    /// The state afterwards; `None` if the node was cut off.
    pub(super) after: Option<&'d P::State>,
    /// The number of solutions at or below the node that the hook has credited.
    pub(super) credited: u128,
    /// Copies the path.
    pub(super) path: &'d dyn Fn() -> Vec<P::Choice>,
}

/// An action that has lost solutions, which a solution elsewhere may still compensate.
struct LossAction<P: Problem> {
    hook: String,
    effect: Effect,
    before: P::State,
    after: Option<P::State>,
    path: Vec<P::Choice>,
    /// The number of the action, from 1.
    number: u64,
    /// The other hooks that caused equivalent losses before.
    others: Vec<String>,
}

impl<P: Problem<State: Clone>> LossAction<P> {
    /// Copies an action. `previous` is an action with an equivalent loss that it replaces.
    fn new(action: &HookAction<'_, P>, number: u64, previous: Option<LossAction<P>>) -> Self {
        let others = previous.map_or(Vec::new(), |mut previous| {
            previous.others.push(previous.hook);
            previous.others.retain(|other| other != action.hook);
            previous.others
        });
        LossAction {
            hook: action.hook.to_owned(),
            effect: action.effect,
            before: action.before.clone(),
            after: action.after.cloned(),
            path: (action.path)(),
            number,
            others,
        }
    }

    /// Returns the violation that the action caused by its loss.
    fn violation<V>(self, reference: &Reference<'_, P, V>, loss: Loss) -> Violation
    where
        P: Problem<State: PartialEq, Choice: Clone + Debug>,
        V: ObjectiveValue,
    {
        let path = format!("{:?}", self.path);
        let before = reference.show(&self.before);
        let exhibits = match &self.after {
            None => vec![Exhibit::new("cut off", before, path)],
            Some(after) => vec![
                Exhibit::new("before", before, path.clone()),
                Exhibit::new("after", reference.show(after), path),
            ],
        };
        Violation::new(self.hook, loss, exhibits).with_effect(self.effect).with_others(self.others)
    }
}

/// The solutions at or below a node that an action has removed.
struct Removed {
    /// The orbits without a solution left, with the numbers of their solutions before.
    orbits: HashMap<String, u128>,
    /// The number of removed solutions, of all orbits.
    solutions: u128,
    /// Whether the action has added an orbit.
    has_new_orbits: bool,
}

/// The actions of the audited hooks, and whether their losses are compensated elsewhere.
pub(super) struct Ledger<'a, P: Problem, V> {
    pub(super) reference: Rc<Reference<'a, P, V>>,
    sampler: Sampler,
    /// Whether each action must by itself preserve a best solution.
    locally: bool,
    /// The weakest claim of all hooks, which is the claim of the whole search.
    combined_effect: Effect,
    /// The orbits with a visited or credited solution.
    visited_orbits: HashSet<String>,
    /// The last action that lost each orbit.
    lost_orbits: BTreeMap<String, LossAction<P>>,
    /// The best visited value, or the one known before if that is better.
    best_visited: Option<V>,
    /// A value known before the search began.
    known_before: Option<V>,
    /// The best value that was lost while no visited one was as good, and the last action that lost
    /// it.
    best_lost: Option<(V, LossAction<P>)>,
    /// The best value lost by hooks that claim that a better one remains, and the last action that
    /// lost it.
    lost_to_better: Option<(V, LossAction<P>)>,
    /// The best value of the solutions at or below the nodes at which some were credited.
    best_credited: Option<V>,
    any_visited: bool,
    any_credited: bool,
    /// Whether the values or the orbits of some of the credited solutions are unknown.
    has_unknown_credits: bool,
    /// The last action that lost all solutions below a node before any was visited or credited.
    existence_lost: Option<LossAction<P>>,
    /// The number of actions so far.
    actions: u64,
    coverage: Coverage,
    pub(super) violation: Option<Violation>,
}

impl<'a, P, V> Ledger<'a, P, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue,
{
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
            visited_orbits: HashSet::new(),
            lost_orbits: BTreeMap::new(),
            any_visited: best.is_some(),
            known_before: best.clone(),
            best_visited: best,
            best_lost: None,
            lost_to_better: None,
            best_credited: None,
            any_credited: false,
            has_unknown_credits: false,
            existence_lost: None,
            actions: 0,
            coverage: Coverage::of_one(),
            violation: None,
        }
    }

    /// Records a visited solution.
    pub(super) fn record_solution(&mut self, state: &P::State) {
        self.any_visited = true;
        let Reference { problem, question, .. } = &*self.reference;
        if let Some(orbit) = &question.orbit {
            self.visited_orbits.insert(orbit(problem, state));
        }
        if question.direction.is_some() {
            let value = (question.value)(problem, state);
            if question.is_better(&value, self.best_visited.as_ref()) {
                self.best_visited = Some(value);
            }
        }
    }

    /// Records an action of a hook, and checks it.
    pub(super) fn record(&mut self, action: &HookAction<'_, P>) {
        if self.violation.is_some() {
            return;
        }
        self.actions += 1;
        self.reference.meter.count_action();
        *self.reference.prefix.borrow_mut() = (action.path)();
        let gap = self.check_within_limits(action);
        self.reference.prefix.borrow_mut().clear();
        if let Some(reason) = gap {
            self.coverage.omit(reason, action.hook, 1);
        }
        self.coverage.add_action(action.after.is_none(), gap.is_none());
    }

    /// Checks an action if it is drawn. Returns the reason if it is not checked.
    fn check_within_limits(&mut self, action: &HookAction<'_, P>) -> Option<GapReason> {
        // Credited solutions excuse losses that other hooks cause, so they concern every action.
        let recorded = self.record_credit(action);
        let omitted = if self.is_unclaimed(action.effect) {
            Some(GapReason::Unclaimed)
        } else {
            (!self.sampler.draw()).then_some(GapReason::LeftOut)
        };
        let checked = match omitted {
            None => recorded.and_then(|()| self.check(action)),
            Some(_) => recorded,
        };
        match checked {
            Ok(()) => omitted,
            Err(Unknown::TooLarge) => omitted.or(Some(GapReason::TooLarge)),
            Err(Unknown::KnownBefore) => omitted.or(Some(GapReason::KnownBefore)),
            Err(Unknown::Identity) => omitted.or(Some(GapReason::InNumber)),
            Err(Unknown::Refuted(violation)) => {
                // The path of the violation starts at the state that was cut off.
                let shown = self.reference.show(action.before);
                let below = Exhibit::new("below", shown, format!("{:?}", (action.path)()));
                self.violation = Some(violation.with_exhibit(below));
                None
            }
        }
    }

    /// Records that credited solutions exist, although they are not visited.
    fn record_credit(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        if action.credited == 0 {
            return Ok(());
        }
        self.any_credited = true;
        let reference = Rc::clone(&self.reference);
        let question = &reference.question;
        let is_any_unknown = std::mem::replace(&mut self.has_unknown_credits, true);
        let mut is_unknown = false;
        if question.direction.is_some() {
            // It is unknown which of the solutions are credited, but all of them exist.
            if let Some(best) = reference.best_below(action.before)?
                && question.is_better(&best, self.best_credited.as_ref())
            {
                self.best_credited = Some(best);
            }
        } else if question.orbit.is_some() {
            let Removed { orbits, solutions, .. } = self.removed(action)?;
            // Any selection of that many solutions has one of each orbit that is larger than the
            // number of the others.
            let others = solutions.saturating_sub(action.credited);
            is_unknown = orbits.values().any(|&size| size <= others);
            let credited = orbits.into_iter().filter(|&(_, size)| size > others);
            self.visited_orbits.extend(credited.map(|(orbit, _)| orbit));
        }
        self.has_unknown_credits = is_any_unknown || is_unknown;
        Ok(())
    }

    /// Returns whether no claim covers an action of a hook of this effect. A lossy hook claims
    /// nothing. Beside one, only preserving hooks have a claim, because all others rely on
    /// solutions elsewhere; or all have one, if losses are judged locally.
    fn is_unclaimed(&self, effect: Effect) -> bool {
        let is_local = self.locally && self.reference.question.direction.is_some();
        effect == Effect::Lossy
            || self.combined_effect == Effect::Lossy && effect != Effect::Preserving && !is_local
    }

    fn check(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let are_identified = self.check_gain(action)?;
        if self.violation.is_some() {
            return Ok(());
        }
        self.check_loss(action)?;
        // `check_orbits` has compared the orbits.
        let by_orbits = self.is_checked_by_orbits(action.effect);
        if are_identified || by_orbits { Ok(()) } else { Err(Unknown::Identity) }
    }

    /// Checks that the action loses nothing that the hook claims to preserve, or records the loss.
    fn check_loss(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let question = &self.reference.question;
        match action.effect {
            Effect::Preserving => self.check_all(action),
            _ if question.direction.is_some() => self.check_best(action),
            effect if self.is_checked_by_orbits(effect) => self.check_orbits(action),
            Effect::Representatives if self.combined_effect == Effect::Representatives => {
                // Without orbits, only existence can be checked. If there is no solution, nothing
                // is missing.
                let may_lose = match self.reference.count_below(action.before, false) {
                    Ok(solutions) => solutions.count > 0,
                    Err(refuted @ Unknown::Refuted(_)) => return Err(refuted),
                    Err(_) => true,
                };
                self.coverage.omit(GapReason::WithoutOrbits, action.hook, u64::from(may_lose));
                self.check_existence(action)
            }
            // Beside a hook that only keeps some solution, most orbits may lose all of theirs.
            _ => self.check_existence(action),
        }
    }

    /// Returns whether the orbits left by hooks of this effect are compared.
    fn is_checked_by_orbits(&self, effect: Effect) -> bool {
        effect == Effect::Representatives
            && self.combined_effect == Effect::Representatives
            && self.reference.question.orbit.is_some()
            && self.reference.question.direction.is_none()
    }

    /// Checks that the action adds no solution and no better value. Whatever the hook claims to
    /// preserve, an answer that is too good is as wrong as one that is not good enough. Returns
    /// whether the solutions that are left are known to be some of those before, as far as that is
    /// compared here: with an objective, only values are, and `check_all` compares those that
    /// preserving hooks leave.
    fn check_gain(&mut self, action: &HookAction<'_, P>) -> Result<bool, Unknown> {
        let reference = Rc::clone(&self.reference);
        let loss = if reference.question.direction.is_some() {
            let Some(after) = action.after else { return Ok(true) };
            let (before, after) =
                (reference.best_below(action.before)?, reference.best_below(after)?);
            match after {
                Some(after) if reference.question.is_better(&after, before.as_ref()) => {
                    Loss::gained(before.as_ref(), &after)
                }
                // The count below may be unchanged although the solutions became worse. The best
                // one may also be among those that were credited.
                after if action.effect == Effect::Preserving && action.credited == 0 => {
                    match before {
                        Some(before) if reference.question.is_better(&before, after.as_ref()) => {
                            Loss::optimum(&before, after.as_ref())
                        }
                        _ => return Ok(true),
                    }
                }
                _ => return Ok(true),
            }
        } else {
            // `check_all` compares the counts of preserving hooks.
            if action.effect == Effect::Preserving || action.after.is_none() && action.credited == 0
            {
                return Ok(true);
            }
            let (before, after) = self.before_and_after(action)?;
            match after.count.saturating_add(action.credited).checked_sub(before.count) {
                None | Some(0) => return Ok(!after.exceed(&before)),
                Some(count) => Loss::Surplus { count },
            }
        };
        self.violation =
            Some(LossAction::new(action, self.actions, None).violation(&self.reference, loss));
        Ok(true)
    }

    /// Returns the solutions at or below the node before and after the action, those after it
    /// without the credited ones.
    fn before_and_after(
        &self,
        action: &HookAction<'_, P>,
    ) -> Result<(Solutions, Solutions), Unknown> {
        let before = self.reference.count_below(action.before, action.after.is_some())?;
        let after = match action.after {
            Some(after) => self.reference.count_below(after, true)?,
            None => Solutions::default(),
        };
        Ok((before, after))
    }

    /// Checks that no solution is lost.
    fn check_all(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let reference = &self.reference;
        let (before, after) = match (&reference.question.best_below, action.after) {
            // Whether a solution is lost is known without a search, which only describes the loss.
            (Some(best), None) if action.credited == 0 => {
                if best(reference.problem, action.before).is_none() {
                    return Ok(());
                }
                let before = match reference.count_below(action.before, false) {
                    Err(Unknown::TooLarge) => Solutions { count: 1, ..Solutions::default() },
                    counted => counted?,
                };
                (before, Solutions::default())
            }
            _ => self.before_and_after(action)?,
        };
        let left = after.count.saturating_add(action.credited);
        let Solutions { count, one, .. } = &before;
        let loss = match count.cmp(&left) {
            std::cmp::Ordering::Equal if after.exceed(&before) => return Err(Unknown::Identity),
            std::cmp::Ordering::Equal => return Ok(()),
            std::cmp::Ordering::Greater => {
                Loss::Solutions { count: count - left, one: one.clone() }
            }
            std::cmp::Ordering::Less => Loss::Surplus { count: left - count },
        };
        let one = one.clone();
        let mut violation =
            LossAction::new(action, self.actions, None).violation(&self.reference, loss);
        // A drawing takes several lines, which the text of the loss leaves out.
        if let Some(one) = one.filter(|one| left == 0 && one.contains('\n')) {
            violation = violation.with_exhibit(Exhibit::new("lost", one, ""));
        }
        self.violation = Some(violation);
        Ok(())
    }

    /// Returns what the action has removed from the solutions at or below the node.
    fn removed(&self, action: &HookAction<'_, P>) -> Result<Removed, Unknown> {
        let mut orbits = self.reference.orbits_below(action.before)?;
        let (mut solutions, mut has_new_orbits) = (orbits.values().sum::<u128>(), false);
        if let Some(after) = action.after {
            for (orbit, size) in self.reference.orbits_below(after)? {
                has_new_orbits |= orbits.remove(&orbit).is_none();
                solutions = solutions.saturating_sub(size);
            }
        }
        Ok(Removed { orbits, solutions, has_new_orbits })
    }

    /// Records the orbits that have no solution left below the node and none visited so far.
    fn check_orbits(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let Removed { orbits, has_new_orbits, .. } = self.removed(action)?;
        for orbit in orbits.into_keys() {
            if !self.visited_orbits.contains(&orbit) {
                let previous = self.lost_orbits.remove(&orbit);
                self.lost_orbits.insert(orbit, LossAction::new(action, self.actions, previous));
            }
        }
        if has_new_orbits { Err(Unknown::Identity) } else { Ok(()) }
    }

    /// Records that all solutions below the node are lost, if none has been visited or credited so
    /// far.
    fn check_existence(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let any_known = self.any_visited || self.any_credited;
        if any_known || self.reference.count_below(action.before, false)?.count == 0 {
            return Ok(());
        }
        let after = match action.after {
            Some(after) => self.reference.count_below(after, false)?.count,
            None => 0,
        };
        if after == 0 {
            self.existence_lost =
                Some(LossAction::new(action, self.actions, self.existence_lost.take()));
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
        // A loss that does not beat the visited solutions is harmless, unless it claims to be worse
        // than one of them.
        let beats_visited = question.is_better(&before, self.best_visited.as_ref());
        if !beats_visited && !claims_better {
            return Ok(());
        }
        let left = action.after.map_or(Ok(None), |after| reference.best_below(after))?;
        if !question.is_better(&before, left.as_ref()) {
            return Ok(());
        }
        let is_best_so_far = |lost: &Option<(V, _)>| {
            lost.as_ref().is_none_or(|(lost, _)| !question.is_better(lost, Some(&before)))
        };
        if claims_better && is_best_so_far(&self.lost_to_better) {
            let action = LossAction::new(action, self.actions, None);
            self.lost_to_better = Some((before.clone(), action));
        }
        if !beats_visited {
            return Ok(());
        }
        // A best solution may be among those that the action credits.
        if self.locally && action.credited == 0 {
            let loss = Loss::optimum(&before, left.as_ref());
            self.violation =
                Some(LossAction::new(action, self.actions, None).violation(&self.reference, loss));
            return Ok(());
        }
        if is_best_so_far(&self.best_lost) {
            let equivalent = self.best_lost.take().filter(|(lost, _)| *lost == before);
            let previous = equivalent.map(|(_, previous)| previous);
            self.best_lost = Some((before, LossAction::new(action, self.actions, previous)));
        }
        Ok(())
    }

    /// Ends the audit, after the search has ended or was stopped. Of the uncompensated losses,
    /// returns the one whose last action came first. `known` is the best value known now, from any
    /// source.
    pub(super) fn finish(
        mut self,
        is_exhausted: bool,
        known: Option<&V>,
    ) -> Result<Coverage, Violation> {
        if let Some(violation) = self.violation {
            return Err(violation);
        }
        let question = &self.reference.question;
        let text = |value: &V| format!("{value:?}");
        let mut losses: Vec<(LossAction<P>, Loss)> = Vec::new();
        for (orbit, lost) in self.lost_orbits {
            if self.visited_orbits.contains(&orbit) {
                continue;
            }
            if self.has_unknown_credits {
                self.coverage.omit(GapReason::WithoutOrbits, &lost.hook, 1);
            } else {
                losses.push((lost, Loss::Orbit { orbit }));
            }
        }
        // A hook may have found the value of a solution by other means and offered it.
        let best = match known {
            Some(known) if question.is_better(known, self.best_visited.as_ref()) => Some(known),
            _ => self.best_visited.as_ref(),
        };
        // The best value that any solution is known to have, whether or not it was lost.
        let mut existing = self.best_visited.clone();
        if let Some(credited) = self.best_credited
            && question.is_better(&credited, existing.as_ref())
        {
            existing = Some(credited);
        }
        if let Some((optimum, lost)) = self.best_lost {
            if question.is_better(&optimum, best) {
                // A solution that is as good may be among those that were credited.
                if self.has_unknown_credits || !question.is_better(&optimum, existing.as_ref()) {
                    self.coverage.omit(GapReason::Unsettled, &lost.hook, 1);
                } else {
                    losses.push((lost, Loss::optimum(&optimum, best)));
                }
            }
            if question.is_better(&optimum, existing.as_ref()) {
                existing = Some(optimum);
            }
        }
        if let Some((value, lost)) = self.lost_to_better {
            let substitute = match best {
                Some(best) if question.is_better(best, existing.as_ref()) => Some(best),
                _ => existing.as_ref(),
            };
            if let Some(best) = substitute.filter(|best| !question.is_better(best, Some(&value))) {
                if self.has_unknown_credits {
                    self.coverage.omit(GapReason::Unsettled, &lost.hook, 1);
                } else {
                    losses.push((lost, Loss::NotBetter { lost: text(&value), best: text(best) }));
                }
            }
        }
        if let Some(lost) = self.existence_lost
            && !self.any_visited
            && !self.any_credited
        {
            losses.push((lost, Loss::Existence));
        }
        if !is_exhausted {
            self.coverage.omit(GapReason::Unfinished, "the audited search", 1);
            for (lost, _) in losses.drain(..) {
                self.coverage.omit(GapReason::Unsettled, &lost.hook, 1);
            }
        }
        if let Some((lost, loss)) = losses.into_iter().min_by_key(|(lost, _)| lost.number) {
            return Err(lost.violation(&self.reference, loss));
        }
        // If an action was not checked, a hook may have offered the value of a solution that it has
        // cut off or credited.
        let is_spurious = |known: &&V| {
            is_exhausted
                && self.coverage.is_exhaustive()
                && self.combined_effect < Effect::Lossy
                && question.is_better(known, existing.as_ref())
        };
        match known.filter(is_spurious) {
            Some(known) => {
                let loss = Loss::gained(existing.as_ref(), known);
                Err(Violation::new("the hooks together", loss, Vec::new()))
            }
            None => Ok(self.coverage),
        }
    }
}
