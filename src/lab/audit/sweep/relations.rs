//! Checks of dominance relations on the layers of a sweep.

use super::super::coverage::{Coverage, GapReason};
use super::super::violation::{Loss, Violation};
use super::evidence::Evidence;
use crate::plug::{ContourProblem, StateDominance};

/// The maximal number of states of a layer that are compared with each other. From larger layers, a
/// random sample of this size is drawn.
pub(super) const COMPARED: usize = 60;

/// A dominance relation to check, with its type erased.
pub(super) trait Relation<P: ContourProblem> {
    fn check(&self, evidence: &Evidence<'_, P>, coverage: &mut Coverage) -> Result<(), Violation>;
}

/// A dominance relation with its name for messages.
pub(super) struct NamedDominance<D> {
    pub(super) name: String,
    pub(super) dominance: D,
}

impl<P: ContourProblem, D: StateDominance<P>> Relation<P> for NamedDominance<D> {
    fn check(&self, evidence: &Evidence<'_, P>, coverage: &mut Coverage) -> Result<(), Violation> {
        let mut random = fastrand::Rng::with_seed(0);
        for layer in 1..evidence.layers.layers.len() {
            let all = evidence.layers.layers[layer].states.len();
            let mut chosen: Vec<u32> = (0..all as u32).collect();
            if all > COMPARED {
                random.shuffle(&mut chosen);
                chosen.truncate(COMPARED);
                coverage.omit(GapReason::LeftOut, &self.name, (all - COMPARED) as u64);
            }
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
    ) -> Result<(), Violation>
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
        let mut order: Vec<usize> = (0..forms.len()).collect();
        order.sort_by(|&one, &other| forms[one].1.cmp(&forms[other].1));
        match order.windows(2).find(|two| forms[two[0]].1 == forms[two[1]].1) {
            Some(two) => Err(violation(Loss::SameKey, two)),
            None => Ok(()),
        }
    }
}
