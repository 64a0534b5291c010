//! What was visited, and what was lost where.

use std::collections::{HashMap, HashSet};

use super::violation::{Coverage, Loss, Violation};
use crate::hook::Effect;
use crate::incumbent::Direction;
use crate::limits::Limits;
use crate::problem::Problem;

use super::below::solutions_below;

pub(super) type Key<'a, P> = Box<dyn Fn(&P, &<P as Problem>::State) -> String + 'a>;
pub(super) type Value<'a, P, V> = Box<dyn Fn(&P, &<P as Problem>::State) -> V + 'a>;
pub(super) type BestBelow<'a, P, V> = Box<dyn Fn(&P, &<P as Problem>::State) -> Option<V> + 'a>;

/// What a search is asked.
pub(super) enum Question<'a, P: Problem, V> {
    /// How many solutions there are; the key is common to the solutions of an orbit and to no others.
    Count { orbit: Option<Key<'a, P>> },
    /// Which value is the best.
    Optimum { direction: Direction, value: Value<'a, P, V>, below: Option<BestBelow<'a, P, V>> },
}

/// What a hook did to a node.
pub(super) struct Deed<'d, P: Problem> {
    pub(super) hook: &'d str,
    pub(super) effect: Effect,
    pub(super) problem: &'d P,
    pub(super) before: &'d P::State,
    /// What it left of the state; nothing if it cut it off.
    pub(super) after: Option<&'d P::State>,
    pub(super) credited: u128,
    /// Describes the path.
    pub(super) path: &'d dyn Fn() -> String,
}

pub(super) struct Ledger<'a, P: Problem, V> {
    question: Question<'a, P, V>,
    limits: Limits,
    /// Orbits of which a solution was visited.
    visited: HashSet<String>,
    /// Where an orbit was met last in what was lost, and when that was.
    lost: HashMap<String, (u64, Violation)>,
    best: Option<V>,
    /// Where the best value was met last in what was lost.
    best_lost: Option<(V, Violation)>,
    any_visited: bool,
    any_lost: Option<Violation>,
    clock: u64,
    pub(super) coverage: Coverage,
    pub(super) violation: Option<Violation>,
}

impl<'a, P, V> Ledger<'a, P, V>
where
    P: Problem<State: Clone + std::fmt::Debug>,
    V: Ord + Clone + std::fmt::Debug,
{
    pub(super) fn new(question: Question<'a, P, V>, limits: Limits) -> Self {
        Ledger {
            question,
            limits,
            visited: HashSet::new(),
            lost: HashMap::new(),
            best: None,
            best_lost: None,
            any_visited: false,
            any_lost: None,
            clock: 0,
            coverage: Coverage { instances: 1, ..Coverage::default() },
            violation: None,
        }
    }

    /// A solution was visited.
    pub(super) fn visit(&mut self, problem: &P, state: &P::State) {
        self.any_visited = true;
        match &self.question {
            Question::Count { orbit: Some(orbit) } => {
                self.visited.insert(orbit(problem, state));
            }
            Question::Count { orbit: None } => {}
            Question::Optimum { direction, value, .. } => {
                let value = value(problem, state);
                if self.best.as_ref().is_none_or(|best| direction.is_better(&value, best)) {
                    self.best = Some(value);
                }
            }
        }
    }

    /// A hook cut a state off, or tightened it.
    pub(super) fn judge(&mut self, deed: &Deed<'_, P>) {
        if self.violation.is_some() {
            return;
        }
        self.clock += 1;
        let checked = match deed.effect {
            Effect::Preserving => self.check_all(deed),
            Effect::Representatives => self.check_orbits(deed),
            Effect::OptimumOnly => self.check_best(deed),
            Effect::Lossy => None,
        };
        match (checked, deed.after) {
            (None, _) => self.coverage.unchecked += 1,
            (Some(()), None) => self.coverage.cuts += 1,
            (Some(()), Some(_)) => self.coverage.tightenings += 1,
        }
    }

    fn violation(deed: &Deed<'_, P>, loss: Loss) -> Violation {
        Violation {
            hook: deed.hook.to_owned(),
            effect: deed.effect,
            path: (deed.path)(),
            before: format!("{:?}", deed.before),
            after: deed.after.map(|after| format!("{after:?}")),
            loss,
        }
    }

    /// No solution may be lost.
    fn check_all(&mut self, deed: &Deed<'_, P>) -> Option<()> {
        let mut one = None;
        let before =
            solutions_below(deed.problem, deed.before, &self.limits, |state| one = Some(format!("{state:?}")))?;
        let left = match deed.after {
            None => 0,
            Some(after) => solutions_below(deed.problem, after, &self.limits, |_| {})?,
        };
        let left = left.saturating_add(deed.credited);
        let loss = match (before.checked_sub(left), left.checked_sub(before)) {
            (Some(0), _) => return Some(()),
            (Some(count), _) => Loss::Solutions { count, one: one.unwrap_or_default() },
            (None, surplus) => Loss::Surplus { count: surplus.unwrap_or_default() },
        };
        self.violation = Some(Self::violation(deed, loss));
        Some(())
    }

    /// Of each orbit, something must be left in the end.
    fn check_orbits(&mut self, deed: &Deed<'_, P>) -> Option<()> {
        let Question::Count { orbit: Some(orbit) } = &self.question else { return self.check_existence(deed) };
        let orbits = |state: &P::State| {
            let mut orbits = HashSet::new();
            solutions_below(deed.problem, state, &self.limits, |state| {
                orbits.insert(orbit(deed.problem, state));
            })?;
            Some(orbits)
        };
        let before = orbits(deed.before)?;
        let left = deed.after.map_or_else(|| Some(HashSet::new()), orbits)?;
        for orbit in before.difference(&left) {
            let loss = Loss::Orbit { orbit: orbit.clone() };
            self.lost.insert(orbit.clone(), (self.clock, Self::violation(deed, loss)));
        }
        Some(())
    }

    /// Something must be left in the end.
    fn check_existence(&mut self, deed: &Deed<'_, P>) -> Option<()> {
        let before = solutions_below(deed.problem, deed.before, &self.limits, |_| {})?;
        let left = match deed.after {
            None => 0,
            Some(after) => solutions_below(deed.problem, after, &self.limits, |_| {})?,
        };
        if before > 0 && left == 0 && !self.any_visited {
            self.any_lost = Some(Self::violation(deed, Loss::Existence));
        }
        Some(())
    }

    /// One of the best must be left in the end.
    fn check_best(&mut self, deed: &Deed<'_, P>) -> Option<()> {
        let Question::Optimum { direction, value, below } = &self.question else { return self.check_existence(deed) };
        let better = |one: &V, other: &Option<V>| other.as_ref().is_none_or(|other| direction.is_better(one, other));
        let best = |state: &P::State| {
            if let Some(below) = below {
                return Some(below(deed.problem, state));
            }
            let mut best = None;
            solutions_below(deed.problem, state, &self.limits, |state| {
                let value = value(deed.problem, state);
                if better(&value, &best) {
                    best = Some(value);
                }
            })?;
            Some(best)
        };
        let Some(before) = best(deed.before)? else { return Some(()) };
        // What is no better than what was visited is no loss.
        if !better(&before, &self.best) {
            return Some(());
        }
        let left = deed.after.map_or(Some(None), best)?;
        let as_good_as_lost = self.best_lost.as_ref().is_none_or(|(lost, _)| !direction.is_better(lost, &before));
        if better(&before, &left) && as_good_as_lost {
            let loss = Loss::Optimum { optimum: format!("{before:?}"), found: None };
            self.best_lost = Some((before, Self::violation(deed, loss)));
        }
        Some(())
    }

    /// What broke first, now that the search has come to its end.
    pub(super) fn settle(mut self) -> Result<Coverage, Violation> {
        if let Some(violation) = self.violation {
            return Err(violation);
        }
        self.lost.retain(|orbit, _| !self.visited.contains(orbit));
        if let Some((_, violation)) = self.lost.into_values().min_by_key(|(time, _)| *time) {
            return Err(violation);
        }
        if let (Question::Optimum { direction, .. }, Some((lost, mut violation))) = (&self.question, self.best_lost)
            && self.best.as_ref().is_none_or(|best| direction.is_better(&lost, best))
        {
            let found = self.best.map(|best| format!("{best:?}"));
            violation.loss = Loss::Optimum { optimum: format!("{lost:?}"), found };
            return Err(violation);
        }
        match self.any_lost {
            Some(violation) if !self.any_visited => Err(violation),
            _ => Ok(self.coverage),
        }
    }
}
