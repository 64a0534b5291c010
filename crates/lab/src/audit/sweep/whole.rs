//! The check of a whole sweep with all hooks: whether it finds the best weight.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use secateurs::Effect;
use secateurs::plug::{ContourProblem, Thinning};

use super::super::coverage::Share;
use super::super::violation::{Loss, Violation};
use super::evidence::{Evidence, WeightSource, best_completions};
use super::layers::BoxedHooks;

/// A cut or replacement by which a hook lost or gained completions.
struct LossOrGain {
    /// The best weight of the solutions that were lost or gained.
    total_weight: i64,
    hook: usize,
    layer: usize,
    state: u32,
    replacement: Option<u32>,
}

/// The losses and gains recorded during a sweep.
struct Losses<'w, 'a, P: ContourProblem> {
    weights: &'w WeightSource<'a, P>,
    best: &'w [Vec<Option<i64>>],
    /// The last loss among those with the best weight.
    last: Option<LossOrGain>,
    /// The first replacement of a state by one with a better completion.
    gained: Option<LossOrGain>,
    /// The dominated pairs: hook, layer, dominating state, dominated state.
    dominated: BTreeSet<(usize, usize, u32, u32)>,
}

impl<P: ContourProblem> Losses<'_, '_, P> {
    /// Records that a hook drops a state that was reached with weight `so_far`, or replaces it by
    /// another state.
    fn record(
        &mut self,
        hook: usize,
        layer: usize,
        so_far: i64,
        state: u32,
        replacement: Option<u32>,
    ) {
        let best_from = |state: u32| self.best[layer][state as usize];
        if self.gained.is_none()
            && let Some(after) = replacement.and_then(best_from)
            && self.weights.is_better(after, best_from(state))
        {
            let total_weight = so_far.saturating_add(after);
            self.gained = Some(LossOrGain { total_weight, hook, layer, state, replacement });
        }
        let Some(before) = best_from(state) else { return };
        let total_weight = so_far.saturating_add(before);
        if !self.weights.is_better(before, replacement.and_then(best_from)) {
            return;
        }
        if self
            .last
            .as_ref()
            .is_none_or(|last| !self.weights.is_better(last.total_weight, Some(total_weight)))
        {
            self.last = Some(LossOrGain { total_weight, hook, layer, state, replacement });
        }
    }
}

impl<P: ContourProblem> Evidence<'_, P> {
    /// Sweeps with all hooks under a weight. Checks that the best weight is found, and that
    /// dominating states are better even after other hooks have changed the layers. Returns the
    /// number of compared pairs; `None` if the hooks claim nothing about the optimum.
    pub(super) fn check_whole(
        &self,
        hooks: &BoxedHooks<'_, P>,
        weights: &WeightSource<'_, P>,
    ) -> Result<Option<Share>, Violation> {
        if !self.claims_optimum(hooks) {
            return Ok(None);
        }
        let best = best_completions(self.problem, &self.layers, weights);
        let mut losses =
            Losses { weights, best: &best, last: None, gained: None, dominated: BTreeSet::new() };
        let found = self.sweep(hooks, &mut losses);
        let optimum = best[0][0];
        let mut pairs = Share::default();
        for &(hook, layer, better, worse) in &losses.dominated {
            let hook = &hooks[hook];
            let checked = self.check_dominated(hook.name(), layer, better, worse);
            pairs.add(checked.map_err(|violation| violation.with_effect(hook.effect()))?);
        }
        let (loss, action) = match (optimum, found) {
            (Some(optimum), found) if weights.is_better(optimum, found) => {
                (Loss::optimum(&optimum, found.as_ref()), losses.last)
            }
            (optimum, Some(found)) if weights.is_better(found, optimum) => {
                (Loss::gained(optimum.as_ref(), &found), losses.gained)
            }
            _ => return Ok(Some(pairs)),
        };
        let Some(action) = action else { return Ok(Some(pairs)) };
        let hook = &hooks[action.hook];
        let role = if action.replacement.is_some() { "before" } else { "dropped" };
        let mut exhibits = vec![self.exhibit(role, action.layer, action.state)];
        exhibits.extend(action.replacement.map(|made| self.exhibit("after", action.layer, made)));
        Err(Violation::new(hook.name(), loss, exhibits).with_effect(hook.effect()))
    }

    /// Returns whether the hooks together claim that a sweep finds the best weight.
    pub(super) fn claims_optimum(&self, hooks: &BoxedHooks<'_, P>) -> bool {
        // Labels that a hook does not keep have no defined weight.
        let has_defined_weights = hooks.iter().all(|hook| {
            hook.effect() < Effect::Lossy && hook.keeps_labels() && !hook.is_constraint()
        });
        // The solutions of an orbit have equal weights only if the weight respects the symmetry,
        // which random weights do not.
        has_defined_weights
            && (self.given.is_some()
                || hooks.iter().all(|hook| hook.effect() != Effect::Representatives))
    }

    /// Sweeps with all hooks under a weight, and records losses. Returns the best weight found.
    fn sweep(&self, hooks: &BoxedHooks<'_, P>, losses: &mut Losses<'_, '_, P>) -> Option<i64> {
        let (problem, weights) = (self.problem, losses.weights);
        let mut values: Vec<(u32, i64)> = vec![(0, 0)];
        for cell in 0..problem.cells() {
            let layer = cell + 1;
            let mut places: FxHashMap<u32, usize> = FxHashMap::default();
            let mut next: Vec<(u32, i64)> = Vec::new();
            for &(from, so_far) in &values {
                for &(label, to) in &self.layers.layers[cell].steps[from as usize] {
                    let step = weights.label(cell, label, self.layers.labels[label as usize].1);
                    let value = so_far.saturating_add(step);
                    let Some(to) = self.enter_all(hooks, layer, to, value, losses) else {
                        continue;
                    };
                    let place = *places.entry(to).or_insert(next.len());
                    match next.get_mut(place) {
                        None => next.push((to, value)),
                        Some((_, known)) if weights.is_better(value, Some(*known)) => {
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
                    let ((better, better_weight), (worse, worse_weight)) =
                        (next[better], next[worse]);
                    let is_as_good = !weights.is_better(worse_weight, Some(better_weight));
                    if is_as_good {
                        losses.dominated.insert((index, layer, better, worse));
                    }
                    is_as_good
                };
                hook.thin(problem, cell, &mut Thinning::new(&states, &mut dropped, &mut covers));
                for place in (0..states.len()).filter(|&place| dropped[place] && !before[place]) {
                    losses.record(index, layer, next[place].1, next[place].0, None);
                }
            }
            let mut is_dropped = dropped.iter();
            next.retain(|_| is_dropped.next() == Some(&false));
            values = next;
        }
        let last = self.layers.layers.len() - 1;
        let ends = values.iter().filter_map(|&(state, value)| {
            let state = self.state(last, state);
            problem.accept(state).then(|| value.saturating_add(weights.end(state)))
        });
        weights.best(ends)
    }

    /// Applies each hook to a new state. Returns the index of the resulting state; `None` if it was
    /// dropped.
    fn enter_all(
        &self,
        hooks: &BoxedHooks<'_, P>,
        layer: usize,
        mut index: u32,
        value: i64,
        losses: &mut Losses<'_, '_, P>,
    ) -> Option<u32> {
        for (hook_index, hook) in hooks.iter().enumerate() {
            let mut state = self.state(layer, index);
            let is_dropped = hook.enter(self.problem, layer - 1, &mut state).prunes();
            let replacement = if is_dropped { None } else { self.layers.layers[layer].find(state) };
            if replacement != Some(index) {
                losses.record(hook_index, layer, value, index, replacement);
            }
            index = replacement?;
        }
        Some(index)
    }
}
