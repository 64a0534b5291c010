//! The data shared by all checks of a sweep: its states, their completions, and how they are
//! printed.
//!
//! The completions of a state are the ways from it to an accepted state. They are counted from the
//! last layer to the first, and compared as multisets of words of labels.

use std::collections::HashSet;

use secateurs::Direction;
use secateurs::plug::ContourProblem;
use secateurs::plug::algebra::Weight;

use super::layers::Layers;
use crate::audit::coverage::{Coverage, Sampler};
use crate::audit::violation::{Exhibit, Loss, Violation};

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
            match self.missing_word(layer, better, worse) {
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

/// The weights by which solutions are compared.
pub(super) enum WeightSource<'a, P: ContourProblem> {
    /// A given weight.
    Given(Direction, Box<dyn Weight<P> + 'a>),
    /// Random weights of labels, drawn from a seed and maximised.
    Random(u64),
}

/// The modulus of fingerprints, a prime.
const PRIME: u64 = (1 << 61) - 1;

/// A reproducible hash (SplitMix64; Steele, Lea and Flood 2014).
fn hash(words: [u64; 3]) -> u64 {
    words.into_iter().fold(0, |state: u64, word| {
        let mut mixed = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    })
}

impl<P: ContourProblem> WeightSource<'_, P> {
    /// Returns the weight of a label, which has the index `id` among the labels of the sweep.
    pub(super) fn label(&self, cell: usize, id: u32, label: P::Label) -> i64 {
        match self {
            WeightSource::Given(_, weight) => weight.label(cell, label),
            WeightSource::Random(seed) => (hash([*seed, cell as u64, id.into()]) % 17) as i64 - 8,
        }
    }

    /// Returns the weight of an accepted state.
    pub(super) fn end(&self, state: P::State) -> i64 {
        match self {
            WeightSource::Given(_, weight) => weight.end(state),
            WeightSource::Random(_) => 0,
        }
    }

    pub(super) fn is_better(&self, value: i64, known: Option<i64>) -> bool {
        let direction = match self {
            WeightSource::Given(direction, _) => *direction,
            WeightSource::Random(_) => Direction::Maximise,
        };
        known.is_none_or(|known| direction.is_better(&value, &known))
    }

    /// Returns the best of some values.
    pub(super) fn best(&self, values: impl Iterator<Item = i64>) -> Option<i64> {
        values
            .fold(None, |best, value| if self.is_better(value, best) { Some(value) } else { best })
    }
}

/// The completions of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Completions {
    /// The number of ways to an accepted state, saturated at `u128::MAX`.
    pub(super) count: u128,
    /// A fingerprint of the multiset of words of labels along these ways, and of the weights of
    /// their ends.
    ///
    /// Each label of each cell is mapped to a random number, a word to the product of its labels,
    /// and a multiset to the sum of its words, modulo a prime. Different multisets have the same
    /// fingerprint with a probability of about 10⁻¹⁶ (Schwartz 1980, Zippel 1979).
    pub(super) words: u64,
}

/// Returns the completions of each state of each layer.
fn completions<P: ContourProblem>(
    problem: &P,
    layers: &Layers<P>,
    end_weight: impl Fn(P::State) -> i64,
) -> Vec<Vec<Completions>> {
    from_last_layer(
        layers,
        |state| match problem.accept(state) {
            true => Completions { count: 1, words: hash([1, 2, end_weight(state) as u64]) % PRIME },
            false => Completions { count: 0, words: 0 },
        },
        |cell, steps, next| {
            let mut sum = Completions { count: 0, words: 0 };
            for &(label, to) in steps {
                let Completions { count, words } = next[to as usize];
                sum.count = sum.count.saturating_add(count);
                let factor = hash([3, cell as u64, label.into()]) % PRIME;
                let product = u128::from(factor) * u128::from(words) % u128::from(PRIME);
                sum.words = (sum.words + product as u64) % PRIME;
            }
            sum
        },
    )
}

/// Returns the best weight from each state of each layer to an accepted state, if there is one.
pub(super) fn best_completions<P: ContourProblem>(
    problem: &P,
    layers: &Layers<P>,
    weights: &WeightSource<'_, P>,
) -> Vec<Vec<Option<i64>>> {
    from_last_layer(
        layers,
        |state| problem.accept(state).then(|| weights.end(state)),
        |cell, steps, next: &[Option<i64>]| {
            weights.best(steps.iter().filter_map(|&(label, to)| {
                let step = weights.label(cell, label, layers.labels[label as usize].1);
                Some(next[to as usize]?.saturating_add(step))
            }))
        },
    )
}

/// Computes a value for each state of each layer, from the last layer to the first: by `end_value`
/// in the last layer, and otherwise by `value_before` from the cell, the transitions of the state,
/// and the values of the next layer.
fn from_last_layer<P: ContourProblem, F>(
    layers: &Layers<P>,
    end_value: impl Fn(P::State) -> F,
    value_before: impl Fn(usize, &[(u32, u32)], &[F]) -> F,
) -> Vec<Vec<F>> {
    let Some((end, others)) = layers.layers.split_last() else { return Vec::new() };
    let mut all: Vec<Vec<F>> = vec![end.states.iter().map(|&state| end_value(state)).collect()];
    for (cell, layer) in others.iter().enumerate().rev() {
        let next = &all[all.len() - 1];
        all.push(layer.steps.iter().map(|steps| value_before(cell, steps, next)).collect());
    }
    all.reverse();
    all
}

/// The maximal number of pairs that one search examines.
const MAX_PAIRS: usize = 100_000;

/// A state that some word reaches from `worse`, and all states that the same word reaches from
/// `better`; see [`Evidence::missing_word`]. The word is that of `parent`, followed by a label.
struct Pair {
    layer: usize,
    state: u32,
    others: Vec<u32>,
    parent: Option<(usize, u32)>,
}

/// Returns the word that leads to a pair.
fn word<P: ContourProblem>(layers: &Layers<P>, pairs: &[Pair], mut index: usize) -> String {
    let mut labels = Vec::new();
    while let Some((parent, label)) = pairs[index].parent {
        labels.push(label);
        index = parent;
    }
    labels.reverse();
    layers.list(&labels)
}

impl<P: ContourProblem> Evidence<'_, P> {
    /// Searches for a word that leads `worse` to an end, and `better` to none that is as good.
    /// Returns `None` if the search would take too long, and `Some(None)` if there is no such word.
    ///
    /// Labels need not determine the next state, so each state reached from `worse` is paired with
    /// the set of all states that the same word reaches from `better` (the subset construction of
    /// Rabin and Scott 1959).
    fn missing_word(&self, layer: usize, better: u32, worse: u32) -> Option<Option<String>> {
        let Evidence { problem, layers, given, .. } = self;
        let mut pairs = vec![Pair { layer, state: worse, others: vec![better], parent: None }];
        let mut seen: HashSet<(usize, u32, Vec<u32>)> = HashSet::new();
        let mut current = 0;
        while current < pairs.len() {
            if pairs.len() > MAX_PAIRS {
                return None;
            }
            let Pair { layer, state, .. } = pairs[current];
            let here = &layers.layers[layer];
            let others = &pairs[current].others;
            if layer + 1 == layers.layers.len() {
                let end = here.states[state as usize];
                let is_as_good = |other| match given {
                    None => true,
                    Some((weights, _)) => {
                        !weights.is_better(weights.end(end), Some(weights.end(other)))
                    }
                };
                let mut ends = others.iter().map(|&other| here.states[other as usize]);
                let is_matched = ends.any(|other| problem.accept(other) && is_as_good(other));
                if problem.accept(end) && !is_matched {
                    return Some(Some(word(layers, &pairs, current)));
                }
                current += 1;
                continue;
            }
            let has_completions = |state: u32| self.completions(layer + 1, state).count > 0;
            let mut reached_by = |label: u32, next: u32| {
                let steps = others.iter().flat_map(|&other| &here.steps[other as usize]);
                let mut reached: Vec<u32> = steps
                    .filter(|&&(other, to)| other == label && has_completions(to))
                    .map(|&(_, to)| to)
                    .collect();
                reached.sort_unstable();
                reached.dedup();
                // If `better` reaches the same state, it has the same words and ends from there on.
                (!reached.contains(&next) && seen.insert((layer + 1, next, reached.clone())))
                    .then_some(reached)
            };
            let steps =
                here.steps[state as usize].iter().filter(|&&(_, next)| has_completions(next));
            let new: Vec<Pair> = steps
                .filter_map(|&(label, next)| {
                    let others = reached_by(label, next)?;
                    Some(Pair {
                        layer: layer + 1,
                        state: next,
                        others,
                        parent: Some((current, label)),
                    })
                })
                .collect();
            pairs.extend(new);
            if pairs[current + 1..].last().is_some_and(|pair| pair.others.is_empty()) {
                // `better` has no state left, so every completion of this word is missing.
                return Some(Some(word(layers, &pairs, pairs.len() - 1)));
            }
            current += 1;
        }
        Some(None)
    }
}
