//! Checks of hooks on single states and on complete layers, and of dominance relations.

use std::collections::BTreeSet;

use secateurs::Effect;
use secateurs::plug::{ContourProblem, StateDominance, SweepHook, Thinning};

use super::evidence::Evidence;
use super::layers::{BoxedHooks, HookAction};
use crate::audit::coverage::{Coverage, GapReason};
use crate::audit::violation::{Checked, Loss, Violation};

/// Describes a number of completions.
fn describe_count(count: u128) -> String {
    if count == 1 {
        "there is 1 completion".to_owned()
    } else {
        format!("there are {count} completions")
    }
}

impl<P: ContourProblem> Evidence<'_, P> {
    /// Checks the actions of hooks on single states.
    pub(super) fn check_actions(&mut self, hooks: &BoxedHooks<'_, P>) -> Checked {
        let claims_optimum = self.claims_optimum(hooks);
        for layer in 1..self.layers.layers.len() {
            for index in 0..self.layers.layers[layer].actions.len() {
                let action = self.layers.layers[layer].actions[index];
                let hook = &hooks[action.hook];
                let is_checked = match hook.effect() {
                    Effect::Representatives | Effect::OptimumOnly if !hook.is_constraint() => {
                        self.defer_to_whole_sweep(hook.name(), claims_optimum)
                    }
                    Effect::Preserving if !hook.is_constraint() => {
                        let is_drawn = self.sampler.draw();
                        if is_drawn {
                            self.check_preserving(layer, action, &**hook)?;
                        }
                        self.coverage.omit(GapReason::LeftOut, hook.name(), u64::from(!is_drawn));
                        is_drawn
                    }
                    _ => {
                        self.coverage.omit(GapReason::Unclaimed, hook.name(), 1);
                        false
                    }
                };
                self.coverage.add_action(action.replacement.is_none(), is_checked);
            }
        }
        Ok(())
    }

    /// Leaves an action to the check of the whole sweep, if the hooks claim to keep the optimum.
    /// Otherwise the action is a gap. Returns whether it is checked.
    fn defer_to_whole_sweep(&mut self, hook: &str, is_claimed: bool) -> bool {
        if !is_claimed {
            self.coverage.omit(GapReason::Unclaimed, hook, 1);
        } else if self.given.is_none() {
            self.coverage.omit(GapReason::RandomWeights, hook, 1);
        }
        is_claimed
    }

    fn check_preserving(
        &self,
        layer: usize,
        action: HookAction,
        hook: &dyn SweepHook<P>,
    ) -> Checked {
        let Some(replacement) = action.replacement else {
            return self.check_dropped(layer, action.state, hook);
        };
        let before = self.completions(layer, action.state);
        let after = self.completions(layer, replacement);
        let loss = if before.count != after.count {
            Loss::Joined { one: describe_count(before.count), other: describe_count(after.count) }
        } else if hook.keeps_labels() && before.words != after.words {
            Loss::Labels
        } else {
            return Ok(());
        };
        let exhibits = vec![
            self.exhibit("before", layer, action.state),
            self.exhibit("after", layer, replacement),
        ];
        Err(Violation::new(hook.name(), loss, exhibits).with_effect(hook.effect()))
    }

    /// Checks that a state that the hook drops has no completions.
    fn check_dropped(&self, layer: usize, state: u32, hook: &dyn SweepHook<P>) -> Checked {
        let count = self.completions(layer, state).count;
        if count == 0 {
            return Ok(());
        }
        let loss = Loss::Solutions { count, one: Some(self.word(layer, state)) };
        let exhibits = vec![self.exhibit("dropped", layer, state)];
        Err(Violation::new(hook.name(), loss, exhibits).with_effect(hook.effect()))
    }

    /// Checks what hooks drop from complete layers, applied to each layer without hooks.
    pub(super) fn check_thinning(&mut self, hooks: &BoxedHooks<'_, P>) -> Checked {
        let claims_optimum = self.claims_optimum(hooks);
        let mut random = fastrand::Rng::with_seed(0);
        for layer in 1..self.layers.layers.len() {
            for hook in hooks {
                let states = self.layers.layers[layer].states.clone();
                let mut dropped = vec![false; states.len()];
                let (mut dominated, mut refused) = (BTreeSet::new(), BTreeSet::new());
                let mut covers = |better: usize, worse: usize| {
                    dominated.insert((better as u32, worse as u32));
                    true
                };
                let mut thinning = Thinning::new(&states, &mut dropped, &mut covers);
                hook.thin(self.problem, layer - 1, &mut thinning);
                // Which pairs the hook compares depends on the weights. Therefore it is called
                // again on a sample of the states, and no pair is allowed to dominate, so that the
                // hook also compares pairs that it would skip after a success.
                if !dominated.is_empty() {
                    let chosen = choose(states.len(), &mut random, hook.name(), &mut self.coverage);
                    let sample: Vec<P::State> =
                        chosen.iter().map(|&state| states[state as usize]).collect();
                    let mut refuse = |better: usize, worse: usize| {
                        refused.insert((chosen[better], chosen[worse]));
                        false
                    };
                    let mut dropped_of_sample = vec![false; sample.len()];
                    hook.thin(
                        self.problem,
                        layer - 1,
                        &mut Thinning::new(&sample, &mut dropped_of_sample, &mut refuse),
                    );
                }
                let effect = hook.effect();
                let is_preserving = effect == Effect::Preserving && !hook.is_constraint();
                let mut is_dominated = vec![false; states.len()];
                for &(_, worse) in &dominated {
                    is_dominated[worse as usize] = true;
                }
                for &(better, worse) in dominated.union(&refused) {
                    let gap = if effect == Effect::Lossy || hook.is_constraint() {
                        Some(GapReason::Unclaimed)
                    } else if !self.sampler.draw() {
                        Some(GapReason::LeftOut)
                    } else {
                        let is_checked = self
                            .check_dominated(hook.name(), layer, better, worse)
                            .map_err(|violation| violation.with_effect(effect))?;
                        (!is_checked).then_some(GapReason::TooLarge)
                    };
                    if let Some(reason) = gap {
                        self.coverage.omit(reason, hook.name(), 1);
                    }
                    self.coverage.pairs.add(gap.is_none());
                }
                for state in (0..states.len() as u32).filter(|&state| dropped[state as usize]) {
                    if is_preserving {
                        self.check_dropped(layer, state, &**hook)?;
                    }
                    // Dominated states were checked above, as pairs.
                    if !is_dominated[state as usize] {
                        let checked =
                            is_preserving || self.defer_to_whole_sweep(hook.name(), claims_optimum);
                        self.coverage.cuts.add(checked);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The maximal number of states of a layer that are compared with each other. From larger layers, a
/// random sample of this size is drawn.
const MAX_COMPARED: usize = 60;

/// Draws the states of a layer that are compared, and records how many are left out.
fn choose(
    states: usize,
    random: &mut fastrand::Rng,
    subject: &str,
    coverage: &mut Coverage,
) -> Vec<u32> {
    let mut chosen: Vec<u32> = (0..states as u32).collect();
    if states > MAX_COMPARED {
        random.shuffle(&mut chosen);
        chosen.truncate(MAX_COMPARED);
        coverage.omit(GapReason::LeftOut, subject, (states - MAX_COMPARED) as u64);
    }
    chosen
}

/// A dominance relation to check, with its type erased.
pub(super) trait Relation<P: ContourProblem> {
    fn check(&self, evidence: &Evidence<'_, P>, coverage: &mut Coverage) -> Checked;
}

/// A dominance relation with its name for messages.
pub(super) struct NamedDominance<D> {
    pub(super) name: String,
    pub(super) dominance: D,
}

impl<P: ContourProblem, D: StateDominance<P>> Relation<P> for NamedDominance<D> {
    fn check(&self, evidence: &Evidence<'_, P>, coverage: &mut Coverage) -> Checked {
        let mut random = fastrand::Rng::with_seed(0);
        for layer in 1..evidence.layers.layers.len() {
            let all = evidence.layers.layers[layer].states.len();
            let chosen = choose(all, &mut random, &self.name, coverage);
            coverage.nodes.checked += chosen.len() as u64;
            coverage.nodes.of += all as u64;
            self.check_layer(evidence, layer, &chosen, coverage)?;
        }
        Ok(())
    }
}

impl<D> NamedDominance<D> {
    fn check_layer<P: ContourProblem>(
        &self,
        evidence: &Evidence<'_, P>,
        layer: usize,
        chosen: &[u32],
        coverage: &mut Coverage,
    ) -> Checked
    where
        D: StateDominance<P>,
    {
        let form = |&state: &u32| {
            let state = evidence.state(layer, state);
            let form = self.dominance.form(evidence.problem, layer - 1, state);
            let key = self.dominance.key(state, &form);
            (form, key)
        };
        let forms: Vec<(D::Form, D::Key)> = chosen.iter().map(form).collect();
        let covers =
            |better: usize, worse: usize| self.dominance.covers(&forms[better].0, &forms[worse].0);
        let violation = |loss, states: &[usize]| {
            let roles = if states.len() == 2 {
                &["one", "other"][..]
            } else {
                &["first", "second", "third"]
            };
            let exhibits = states
                .iter()
                .zip(roles)
                .map(|(&state, role)| evidence.exhibit(role, layer, chosen[state]));
            Violation::new(&self.name, loss, exhibits.collect())
        };
        for better in 0..forms.len() {
            let below: Vec<usize> = (0..forms.len())
                .filter(|&worse| worse != better && covers(better, worse))
                .collect();
            for &worse in &below {
                if forms[better].1 < forms[worse].1 {
                    return Err(violation(Loss::KeyTooSmall, &[better, worse]));
                }
                let third = (0..forms.len()).find(|&third| {
                    third != worse
                        && third != better
                        && covers(worse, third)
                        && !covers(better, third)
                });
                if let Some(third) = third {
                    return Err(violation(Loss::NotTransitive, &[better, worse, third]));
                }
                let is_checked =
                    evidence.check_dominated(&self.name, layer, chosen[better], chosen[worse])?;
                coverage.pairs.add(is_checked);
                coverage.omit(GapReason::TooLarge, &self.name, u64::from(!is_checked));
            }
        }
        let mut by_key: Vec<usize> = (0..forms.len()).collect();
        by_key.sort_by(|&one, &other| forms[one].1.cmp(&forms[other].1));
        match by_key.windows(2).find(|pair| forms[pair[0]].1 == forms[pair[1]].1) {
            Some(pair) => Err(violation(Loss::SameKey, pair)),
            None => Ok(()),
        }
    }
}
