//! A sweep with all hooks together, for the best weight: is it still found?

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::super::coverage::Share;
use super::super::violation::{Loss, Violation};
use super::evidence::Evidence;
use super::futures::{Weighing, best_futures};
use super::layers::Hooks;
use crate::hook::{Effect, Verdict};
use crate::limits::Limits;
use crate::plug::{Clock, ContourProblem, Thinning};

/// Where ways of the best weight were lost last.
struct Lost {
    total: i64,
    hook: usize,
    layer: usize,
    state: u32,
    made: Option<u32>,
}

/// What is lost while a sweep goes on.
struct Losses<'w, 'a, P: ContourProblem> {
    weighing: &'w Weighing<'a, P>,
    best: &'w [Vec<Option<i64>>],
    last: Option<Lost>,
    /// Where a state was first replaced by one that can do more.
    gained: Option<Lost>,
    /// For the sake of which states others were dropped: the hook, the layer, the better state, the
    /// worse one.
    dominated: BTreeSet<(usize, usize, u32, u32)>,
}

impl<P: ContourProblem> Losses<'_, '_, P> {
    /// Ways of weight `so_far` to a state are dropped by a hook, or go on from another state.
    fn note(&mut self, hook: usize, layer: usize, so_far: i64, state: u32, made: Option<u32>) {
        let rest = |state: u32| self.best[layer][state as usize];
        if self.gained.is_none()
            && let Some(after) = made.and_then(rest)
            && self.weighing.is_better(after, rest(state))
        {
            self.gained =
                Some(Lost { total: so_far.saturating_add(after), hook, layer, state, made });
        }
        let Some(before) = rest(state) else { return };
        let total = so_far.saturating_add(before);
        if !self.weighing.is_better(before, made.and_then(rest)) {
            return;
        }
        if self.last.as_ref().is_none_or(|last| !self.weighing.is_better(last.total, Some(total))) {
            self.last = Some(Lost { total, hook, layer, state, made });
        }
    }
}

impl<P: ContourProblem> Evidence<'_, P> {
    /// Sweeps with all hooks under a weight: is the best found, and is what dominates better, also
    /// where other hooks have left their traces? The pairs that were looked at; `None` if nobody
    /// claims anything.
    pub(super) fn check_whole(
        &self,
        hooks: &Hooks<'_, P>,
        weighing: &Weighing<'_, P>,
    ) -> Result<Option<Share>, Violation> {
        if !self.is_whole_claimed(hooks) {
            return Ok(None);
        }
        let best = best_futures(self.profile, &self.layers, weighing);
        let mut losses =
            Losses { weighing, best: &best, last: None, gained: None, dominated: BTreeSet::new() };
        let found = self.sweep(hooks, &mut losses);
        let optimum = best[0][0];
        let mut pairs = Share::default();
        for &(hook, layer, better, worse) in &losses.dominated {
            let hook = &hooks[hook];
            let checked = self.check_dominated(hook.name(), layer, better, worse);
            pairs.add(checked.map_err(|violation| violation.of_effect(hook.effect()))?);
        }
        let (loss, action) = match (optimum, found) {
            (Some(optimum), found) if weighing.is_better(optimum, found) => {
                let loss = Loss::Optimum {
                    optimum: optimum.to_string(),
                    found: found.map(|found| found.to_string()),
                };
                (loss, losses.last)
            }
            (optimum, Some(found)) if weighing.is_better(found, optimum) => {
                let before = optimum.map(|optimum| optimum.to_string());
                (Loss::Gained { before, after: found.to_string() }, losses.gained)
            }
            _ => return Ok(Some(pairs)),
        };
        let Some(action) = action else { return Ok(Some(pairs)) };
        let hook = &hooks[action.hook];
        let role = if action.made.is_some() { "before" } else { "dropped" };
        let mut exhibits = vec![self.exhibit(role, action.layer, action.state)];
        exhibits.extend(action.made.map(|made| self.exhibit("after", action.layer, made)));
        Err(Violation::new(hook.name(), loss, exhibits).of_effect(hook.effect()))
    }

    /// Whether anybody claims that a sweep with all hooks finds the best weight.
    pub(super) fn is_whole_claimed(&self, hooks: &Hooks<'_, P>) -> bool {
        // Of labels that are no solution's, nobody claims what they weigh.
        let is_weighed =
            hooks.iter().all(|hook| hook.effect() < Effect::Lossy && hook.keeps_labels());
        // Solutions of an orbit are as good as each other by a weight that respects the symmetry,
        // and not by just any.
        is_weighed
            && (self.given.is_some()
                || hooks.iter().all(|hook| hook.effect() != Effect::Representatives))
    }

    fn sweep(&self, hooks: &Hooks<'_, P>, losses: &mut Losses<'_, '_, P>) -> Option<i64> {
        let (profile, weighing) = (self.profile, losses.weighing);
        let clock = Clock::new(&Limits::new());
        let mut values: Vec<(u32, i64)> = vec![(0, 0)];
        for cell in 0..profile.cells() {
            let layer = cell + 1;
            let mut places: FxHashMap<u32, usize> = FxHashMap::default();
            let mut next: Vec<(u32, i64)> = Vec::new();
            for &(from, so_far) in &values {
                for &(label, to) in &self.layers.layers[cell].steps[from as usize] {
                    let step = weighing.label(cell, label, self.layers.labels[label as usize].1);
                    let value = so_far.saturating_add(step);
                    let Some(to) = self.enter_all(hooks, layer, to, value, losses) else {
                        continue;
                    };
                    let place = *places.entry(to).or_insert(next.len());
                    match next.get_mut(place) {
                        None => next.push((to, value)),
                        Some((_, known)) if weighing.is_better(value, Some(*known)) => {
                            *known = value
                        }
                        Some(_) => {}
                    }
                }
            }
            let states: Vec<P::State> =
                next.iter().map(|&(state, _)| self.state(layer, state)).collect();
            let mut dropped = vec![false; states.len()];
            for (index, hook) in hooks.iter().enumerate() {
                let before = dropped.clone();
                let mut covers = |better: usize, worse: usize| {
                    let ((better, so_far), (worse, other)) = (next[better], next[worse]);
                    let is_better = !weighing.is_better(other, Some(so_far));
                    if is_better {
                        losses.dominated.insert((index, layer, better, worse));
                    }
                    is_better
                };
                hook.thin(
                    profile,
                    cell,
                    &mut Thinning::new(&states, &mut dropped, &mut covers, &clock),
                );
                for place in (0..states.len()).filter(|&place| dropped[place] && !before[place]) {
                    losses.note(index, layer, next[place].1, next[place].0, None);
                }
            }
            let mut gone = dropped.iter();
            next.retain(|_| gone.next() == Some(&false));
            values = next;
        }
        let last = self.layers.layers.len() - 1;
        let ends = values.iter().filter_map(|&(state, value)| {
            let state = self.state(last, state);
            profile.accept(state).then(|| value.saturating_add(weighing.end(state)))
        });
        ends.fold(
            None,
            |best, value| if weighing.is_better(value, best) { Some(value) } else { best },
        )
    }

    /// Lets each hook see a state that has arisen; what is left of it.
    fn enter_all(
        &self,
        hooks: &Hooks<'_, P>,
        layer: usize,
        mut index: u32,
        value: i64,
        losses: &mut Losses<'_, '_, P>,
    ) -> Option<u32> {
        for (hook, asked) in hooks.iter().enumerate() {
            let mut state = self.state(layer, index);
            let verdict = asked.enter(self.profile, layer - 1, &mut state);
            let made = match verdict {
                Verdict::Prune => None,
                Verdict::Keep => self.layers.layers[layer].find(state),
            };
            if made != Some(index) {
                losses.note(hook, layer, value, index, made);
            }
            index = made?;
        }
        Some(index)
    }
}
