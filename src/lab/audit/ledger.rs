//! What was visited, and what was lost where.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Debug;
use std::rc::Rc;

use super::coverage::Coverage;
use super::reference::{Reference, Unknown};
use super::violation::{Exhibit, Loss, Violation};
use crate::hook::Effect;
use crate::problem::Problem;

/// What a hook did to a node.
pub(super) struct HookAction<'d, P: Problem> {
    pub(super) hook: &'d str,
    pub(super) effect: Effect,
    pub(super) before: &'d P::State,
    /// What it left of the state; nothing if it cut it off.
    pub(super) after: Option<&'d P::State>,
    pub(super) credited: u128,
    /// Makes a copy of the path.
    pub(super) path: &'d dyn Fn() -> Vec<P::Choice>,
}

/// Something was lost there: it may be left elsewhere.
struct Lost<P: Problem> {
    hook: String,
    effect: Effect,
    before: P::State,
    after: Option<P::State>,
    path: Vec<P::Choice>,
    time: u64,
    /// Hooks that lost something as good before.
    others: Vec<String>,
}

impl<P: Problem<State: Clone>> Lost<P> {
    fn new(action: &HookAction<'_, P>, time: u64, before: Option<Lost<P>>) -> Self {
        let others = before.map_or(Vec::new(), |mut before| {
            if !before.others.contains(&before.hook) {
                before.others.push(before.hook);
            }
            before.others.retain(|other| other != action.hook);
            before.others
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

/// How a random share is drawn.
pub(super) struct Sampler {
    share: f64,
    random: fastrand::Rng,
}

impl Sampler {
    pub(super) fn new(share: f64, seed: u64) -> Self {
        Sampler { share, random: fastrand::Rng::with_seed(seed) }
    }

    /// Whether the next one is to be looked at.
    pub(super) fn draw(&mut self) -> bool {
        self.share >= 1.0 || self.random.f64() < self.share
    }
}

pub(super) struct Ledger<'a, P: Problem, V> {
    pub(super) reference: Rc<Reference<'a, P, V>>,
    sampler: Sampler,
    /// Whether each action must leave a best solution by itself.
    locally: bool,
    /// The weakest claim of all hooks: what they leave together is worth no more.
    together: Effect,
    /// Orbits of which a solution was visited.
    visited: HashSet<String>,
    /// Where an orbit was met last in what was lost.
    lost: BTreeMap<String, Lost<P>>,
    best: Option<V>,
    /// A value that was known before the search began.
    known_before: Option<V>,
    /// Where the best value was met last in what was lost.
    best_lost: Option<(V, Lost<P>)>,
    /// Whether that value is known all the same.
    is_offered: bool,
    any_visited: bool,
    any_lost: Option<Lost<P>>,
    clock: u64,
    coverage: Coverage,
    pub(super) violation: Option<Violation>,
}

impl<'a, P, V> Ledger<'a, P, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone + Debug,
{
    /// `best` is a value that is known already.
    pub(super) fn new(
        reference: Rc<Reference<'a, P, V>>,
        sampler: Sampler,
        locally: bool,
        together: Effect,
        best: Option<V>,
    ) -> Self {
        Ledger {
            reference,
            sampler,
            locally,
            together,
            visited: HashSet::new(),
            lost: BTreeMap::new(),
            any_visited: best.is_some(),
            known_before: best.clone(),
            best,
            best_lost: None,
            is_offered: false,
            any_lost: None,
            clock: 0,
            coverage: Coverage::of_one(),
            violation: None,
        }
    }

    /// A solution was visited.
    pub(super) fn visit(&mut self, state: &P::State) {
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

    /// A hook cut a state off, or tightened it.
    pub(super) fn judge(&mut self, action: &HookAction<'_, P>) {
        if self.violation.is_some() {
            return;
        }
        self.clock += 1;
        let checked = if self.is_unclaimed(action.effect) {
            self.coverage.unclaimed += 1;
            false
        } else if !self.sampler.draw() {
            self.coverage.left_out += 1;
            false
        } else {
            match self.check(action) {
                Ok(()) => true,
                Err(Unknown::TooLarge) => {
                    self.coverage.too_large += 1;
                    false
                }
                Err(Unknown::KnownBefore) => {
                    self.coverage.known_before += 1;
                    false
                }
                Err(Unknown::Leak(violation)) => {
                    // Its path begins where the search below the cut began.
                    let below = Exhibit::new(
                        "below",
                        self.reference.show(action.before),
                        format!("{:?}", (action.path)()),
                    );
                    self.violation = Some(violation.showing(below));
                    false
                }
            }
        };
        let kind = if action.after.is_none() {
            &mut self.coverage.cuts
        } else {
            &mut self.coverage.tightenings
        };
        kind.add(checked);
    }

    /// Whether nobody claims anything of what a hook of this effect does: what a lossy hook has
    /// lost cannot be held against one that counts on what is left elsewhere.
    fn is_unclaimed(&self, effect: Effect) -> bool {
        let is_local = self.locally && self.reference.question.direction.is_some();
        effect == Effect::Lossy
            || self.together == Effect::Lossy && effect != Effect::Preserving && !is_local
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
            // Beside a hook that only keeps some solution, of most orbits none is left.
            Effect::Representatives
                if question.orbit.is_some() && self.together == Effect::Representatives =>
            {
                self.check_orbits(action)
            }
            _ => {
                let is_of_orbits =
                    action.effect == Effect::Representatives && self.together == action.effect;
                self.coverage.without_orbits += u64::from(is_of_orbits);
                self.check_existence(action)
            }
        }
    }

    /// Nothing may come of a state that was not there before: an answer that is too good is as
    /// wrong as one that is not good enough, whatever the hook claims to keep.
    fn check_gain(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let reference = Rc::clone(&self.reference);
        let loss = if reference.question.direction.is_some() {
            let Some(after) = action.after else { return Ok(()) };
            let (before, after) =
                (reference.best_below(action.before)?, reference.best_below(after)?);
            match after {
                Some(after) if reference.question.is_better(&after, before.as_ref()) => {
                    Loss::Gained {
                        before: before.map(|before| format!("{before:?}")),
                        after: format!("{after:?}"),
                    }
                }
                // As many solutions are not the same ones, if they are not as good.
                after if action.effect == Effect::Preserving => match before {
                    Some(before) if reference.question.is_better(&before, after.as_ref()) => {
                        Loss::Optimum {
                            optimum: format!("{before:?}"),
                            found: after.map(|after| format!("{after:?}")),
                        }
                    }
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            }
        } else {
            // Of hooks that keep all solutions, these are counted anyway.
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
        self.violation = Some(self.violation(Lost::new(action, self.clock, None), loss));
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
        Violation::new(lost.hook, loss, exhibits).of_effect(lost.effect).after_others(lost.others)
    }

    /// No solution may be lost.
    fn check_all(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let reference = &self.reference;
        let (before, one) = match (&reference.question.best_below, action.after) {
            // That there is none is known without searching.
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
        let mut violation = self.violation(Lost::new(action, self.clock, None), loss);
        if let Some(one) = one.filter(|one| left == 0 && one.contains('\n')) {
            violation = violation.showing(Exhibit::new("lost", one, ""));
        }
        self.violation = Some(violation);
        Ok(())
    }

    /// Of each orbit, something must be left in the end.
    fn check_orbits(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let before = self.reference.orbits_below(action.before)?;
        let left = action
            .after
            .map_or_else(|| Ok(HashSet::new()), |after| self.reference.orbits_below(after))?;
        for orbit in before.difference(&left).filter(|orbit| !self.visited.contains(*orbit)) {
            let lost = Lost::new(action, self.clock, self.lost.remove(orbit));
            self.lost.insert(orbit.clone(), lost);
        }
        Ok(())
    }

    /// Something must be left in the end.
    fn check_existence(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        // What is credited exists as well, though nobody has seen it.
        self.any_visited |= action.credited > 0;
        if self.any_visited || self.reference.count_below(action.before)?.0 == 0 {
            return Ok(());
        }
        if action.after.map_or(Ok(0), |after| Ok(self.reference.count_below(after)?.0))? == 0 {
            self.any_lost = Some(Lost::new(action, self.clock, self.any_lost.take()));
        }
        Ok(())
    }

    /// One of the best must be left in the end.
    fn check_best(&mut self, action: &HookAction<'_, P>) -> Result<(), Unknown> {
        let reference = Rc::clone(&self.reference);
        let question = &reference.question;
        let Some(before) = reference.best_below(action.before)? else { return Ok(()) };
        // What is no better than that may be lost; but is it only as good because another search
        // has found it?
        if self.known_before.is_some() && !question.is_better(&before, self.known_before.as_ref()) {
            return Err(Unknown::KnownBefore);
        }
        // What is no better than what was visited is no loss.
        if !question.is_better(&before, self.best.as_ref()) {
            return Ok(());
        }
        let left = action.after.map_or(Ok(None), |after| reference.best_below(after))?;
        if !question.is_better(&before, left.as_ref()) {
            return Ok(());
        }
        if self.locally {
            let loss = Loss::Optimum {
                optimum: format!("{before:?}"),
                found: left.map(|left| format!("{left:?}")),
            };
            self.violation = Some(self.violation(Lost::new(action, self.clock, None), loss));
            return Ok(());
        }
        match self.best_lost.take() {
            Some((known, lost)) if question.is_better(&known, Some(&before)) => {
                self.best_lost = Some((known, lost))
            }
            Some((known, lost)) if known == before => {
                self.best_lost = Some((before, Lost::new(action, self.clock, Some(lost))));
            }
            _ => self.best_lost = Some((before, Lost::new(action, self.clock, None))),
        }
        Ok(())
    }

    /// What broke first, now that the search has come to its end, or has been stopped; `known` is
    /// the best value that is known now, of whatever origin.
    pub(super) fn settle(
        mut self,
        is_exhausted: bool,
        known: Option<&V>,
    ) -> Result<Coverage, Violation> {
        if let Some(violation) = self.violation {
            return Err(violation);
        }
        let mut broken: Vec<(Lost<P>, Loss)> = Vec::new();
        for (orbit, lost) in std::mem::take(&mut self.lost) {
            if !self.visited.contains(&orbit) {
                broken.push((lost, Loss::Orbit { orbit }));
            }
        }
        if let Some((optimum, lost)) = self.best_lost.take()
            && self.reference.question.is_better(&optimum, self.best.as_ref())
        {
            // A hook may have found it by other means, and offered it.
            self.is_offered = known == Some(&optimum);
            if !self.is_offered {
                let found = self.best.as_ref().map(|best| format!("{best:?}"));
                broken.push((lost, Loss::Optimum { optimum: format!("{optimum:?}"), found }));
            }
        }
        if let Some(lost) = self.any_lost.take().filter(|_| !self.any_visited) {
            broken.push((lost, Loss::Existence));
        }
        if !is_exhausted {
            self.coverage.unfinished += 1;
            self.coverage.unsettled += broken.len() as u64;
            return Ok(self.coverage);
        }
        match broken.into_iter().min_by_key(|(lost, _)| lost.time) {
            Some((lost, loss)) => Err(self.violation(lost, loss)),
            None => match known.filter(|known| self.is_forged(known)) {
                Some(known) => {
                    let before = self.best.as_ref().map(|best| format!("{best:?}"));
                    let loss = Loss::Gained { before, after: format!("{known:?}") };
                    Err(Violation::new("the hooks together", loss, Vec::new()))
                }
                None => Ok(self.coverage),
            },
        }
    }

    /// Whether a value is known that is better than all solutions that were left, or were lost: all
    /// that there are.
    fn is_forged(&self, known: &V) -> bool {
        let is_better = |than| self.reference.question.is_better(known, than);
        self.coverage.is_exhaustive()
            && self.together < Effect::Lossy
            && is_better(self.best.as_ref())
            && !self.is_offered
    }
}
