//! The data shared by all checks of a sweep: its states, their completions, and how they are
//! printed.

use super::super::coverage::Coverage;
use super::super::ledger::Sampler;
use super::super::violation::{Exhibit, Loss, Violation};
use super::completions::{Completions, WeightSource, best_completions, completions, missing_word};
use super::layers::Layers;
use crate::plug::ContourProblem;

pub(super) type Show<'a, P> = Box<dyn Fn(&P, usize, <P as ContourProblem>::State) -> String + 'a>;

/// A weight, and the best weight of the completions of each state of each layer.
type Weighed<'a, P> = (WeightSource<'a, P>, Vec<Vec<Option<i64>>>);

/// The layers of the sweep without hooks, the completions of their states, and the settings of the
/// checks.
pub(super) struct Evidence<'a, P: ContourProblem> {
    pub(super) problem: &'a P,
    pub(super) layers: Layers<P>,
    pub(super) completions: Vec<Vec<Completions>>,
    /// The given weight, with the best completions of each state.
    pub(super) given: Option<Weighed<'a, P>>,
    /// Whether a dominating state only needs a completion whose weight is as good as the best of
    /// the dominated state, whatever its labels.
    pub(super) by_weight_alone: bool,
    pub(super) show: Show<'a, P>,
    pub(super) sampler: Sampler,
    pub(super) coverage: Coverage,
}

impl<'a, P: ContourProblem> Evidence<'a, P> {
    pub(super) fn new(
        problem: &'a P,
        layers: Layers<P>,
        given: Option<WeightSource<'a, P>>,
        by_weight_alone: bool,
        show: Show<'a, P>,
        sampler: Sampler,
    ) -> Self {
        let completions = completions(problem, &layers, |state| {
            given.as_ref().map_or(0, |given| given.end(state))
        });
        let given = given.map(|given| {
            let best = best_completions(problem, &layers, &given);
            (given, best)
        });
        Evidence {
            problem,
            layers,
            completions,
            given,
            by_weight_alone,
            show,
            sampler,
            coverage: Coverage::of_one(),
        }
    }

    pub(super) fn state(&self, layer: usize, state: u32) -> P::State {
        self.layers.layers[layer].states[state as usize]
    }

    pub(super) fn completions(&self, layer: usize, state: u32) -> Completions {
        self.completions[layer][state as usize]
    }

    /// Returns an exhibit of a state of a layer after the first.
    pub(super) fn exhibit(&self, role: &'static str, layer: usize, state: u32) -> Exhibit {
        let shown = (self.show)(self.problem, layer.saturating_sub(1), self.state(layer, state));
        Exhibit::new(role, shown, self.layers.path(layer, state))
    }

    /// Returns the labels of one solution through a state.
    pub(super) fn word(&self, layer: usize, state: u32) -> String {
        self.layers.word(layer, state, |layer, state| self.completions(layer, state).count > 0)
    }

    /// Checks that for each completion of `worse`, `better` has one that is as good. Returns false
    /// if this could not be decided within the limits.
    pub(super) fn check_dominated(
        &self,
        subject: &str,
        layer: usize,
        better: u32,
        worse: u32,
    ) -> Result<bool, Violation> {
        let loss = if let (true, Some((weights, best))) = (self.by_weight_alone, &self.given) {
            let best = &best[layer];
            match (best[worse as usize], best[better as usize]) {
                (Some(lost), left) if weights.is_better(lost, left) => {
                    let left = left.map_or_else(
                        || "there is no solution".to_owned(),
                        |left| format!("the best weight is {left}"),
                    );
                    Loss::Dominated { better: left, worse: format!("the best weight is {lost}") }
                }
                _ => return Ok(true),
            }
        } else {
            let is_end_as_good = |better, worse| match &self.given {
                None => true,
                Some((weights, _)) => {
                    !weights.is_better(weights.end(worse), Some(weights.end(better)))
                }
            };
            let accept = |state| self.problem.accept(state);
            let missing = missing_word(
                &self.layers,
                &self.completions,
                layer,
                (better, worse),
                &is_end_as_good,
                &accept,
            );
            match missing {
                None => return Ok(false),
                Some(None) => return Ok(true),
                Some(Some(word)) => Loss::Dominated {
                    better: format!("{word} leads to no end that is as good"),
                    worse: "it does".to_owned(),
                },
            }
        };
        let exhibits =
            vec![self.exhibit("better", layer, better), self.exhibit("worse", layer, worse)];
        Err(Violation::new(subject, loss, exhibits))
    }
}
