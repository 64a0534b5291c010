//! What the checks of a sweep have in common: the states, what can become of them, and how they are
//! shown.

use super::super::coverage::Coverage;
use super::super::ledger::Sampler;
use super::super::violation::{Exhibit, Loss, Violation};
use super::futures::{Future, Weighing, best_futures, futures, missing_word};
use super::layers::Layers;
use crate::plug::ContourProblem;

pub(super) type Show<'a, P> = Box<dyn Fn(&P, usize, <P as ContourProblem>::State) -> String + 'a>;

/// A weight, and the best that each state of each layer can still come to by it.
type Weighed<'a, P> = (Weighing<'a, P>, Vec<Vec<Option<i64>>>);

/// All that is known of a sweep without hooks.
pub(super) struct Evidence<'a, P: ContourProblem> {
    pub(super) profile: &'a P,
    pub(super) layers: Layers<P>,
    pub(super) futures: Vec<Vec<Future>>,
    /// The weight that is given, and the best that each state can still come to by it.
    pub(super) given: Option<Weighed<'a, P>>,
    /// Whether a state that dominates another one only has to come to as good a weight.
    pub(super) by_weight_alone: bool,
    pub(super) show: Show<'a, P>,
    pub(super) sampler: Sampler,
    pub(super) coverage: Coverage,
}

impl<'a, P: ContourProblem> Evidence<'a, P> {
    pub(super) fn new(
        profile: &'a P,
        layers: Layers<P>,
        given: Option<Weighing<'a, P>>,
        by_weight_alone: bool,
        show: Show<'a, P>,
        sampler: Sampler,
    ) -> Self {
        let futures =
            futures(profile, &layers, |state| given.as_ref().map_or(0, |given| given.end(state)));
        let given = given.map(|given| {
            let best = best_futures(profile, &layers, &given);
            (given, best)
        });
        Evidence {
            profile,
            layers,
            futures,
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

    pub(super) fn future(&self, layer: usize, state: u32) -> Future {
        self.futures[layer][state as usize]
    }

    /// A state of a layer after the first, as it is shown.
    pub(super) fn exhibit(&self, role: &'static str, layer: usize, state: u32) -> Exhibit {
        let shown = (self.show)(self.profile, layer.saturating_sub(1), self.state(layer, state));
        Exhibit::new(role, shown, self.layers.path(layer, state))
    }

    /// One solution through a state.
    pub(super) fn word(&self, layer: usize, state: u32) -> String {
        self.layers.word(layer, state, |layer, state| self.future(layer, state).ways > 0)
    }

    /// `better` is said to be able to do all that `worse` can. False if it cannot be said whether
    /// it is.
    pub(super) fn check_dominated(
        &self,
        who: &str,
        layer: usize,
        better: u32,
        worse: u32,
    ) -> Result<bool, Violation> {
        let loss = if let (true, Some((weighing, best))) = (self.by_weight_alone, &self.given) {
            let best = &best[layer];
            match (best[worse as usize], best[better as usize]) {
                (Some(lost), left) if weighing.is_better(lost, left) => {
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
                Some((weighing, _)) => {
                    !weighing.is_better(weighing.end(worse), Some(weighing.end(better)))
                }
            };
            let accept = |state| self.profile.accept(state);
            let missing = missing_word(
                &self.layers,
                &self.futures,
                layer,
                (better, worse),
                &is_end_as_good,
                &accept,
            );
            match missing {
                None => return Ok(false),
                Some(None) => return Ok(true),
                Some(Some(word)) => Loss::Dominated {
                    better: format!("no end as good is reached by {word}"),
                    worse: "it is".to_owned(),
                },
            }
        };
        let exhibits =
            vec![self.exhibit("better", layer, better), self.exhibit("worse", layer, worse)];
        Err(Violation::new(who, loss, exhibits))
    }
}
