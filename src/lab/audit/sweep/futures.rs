//! What can still become of each state: counted from the end.

use std::collections::HashSet;

use super::layers::Layers;
use crate::incumbent::Direction;
use crate::plug::ContourProblem;
use crate::plug::algebra::Weight;

/// What solutions are weighed by.
pub(super) enum Weighing<'a, P: ContourProblem> {
    /// By a weight that is given.
    Given(Direction, Box<dyn Weight<P> + 'a>),
    /// By weights of labels that are drawn from a seed; the greatest is the best.
    Drawn(u64),
}

/// A large prime: fingerprints are remainders.
const PRIME: u64 = (1 << 61) - 1;

/// Numbers that look random, the same in each run (Steele, Lea and Flood 2014: SplitMix64).
pub(super) fn scramble(words: [u64; 3]) -> u64 {
    words.into_iter().fold(0, |state: u64, word| {
        let mut mixed = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    })
}

impl<P: ContourProblem> Weighing<'_, P> {
    pub(super) fn label(&self, cell: usize, id: u32, label: P::Label) -> i64 {
        match self {
            Weighing::Given(_, weight) => weight.label(cell, label),
            Weighing::Drawn(seed) => (scramble([*seed, cell as u64, id.into()]) % 17) as i64 - 8,
        }
    }

    pub(super) fn end(&self, state: P::State) -> i64 {
        match self {
            Weighing::Given(_, weight) => weight.end(state),
            Weighing::Drawn(_) => 0,
        }
    }

    pub(super) fn is_better(&self, value: i64, known: Option<i64>) -> bool {
        let direction = match self {
            Weighing::Given(direction, _) => *direction,
            Weighing::Drawn(_) => Direction::Maximise,
        };
        known.is_none_or(|known| direction.is_better(&value, &known))
    }
}

/// What can still become of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Future {
    /// How many ways lead to an end; or this many at least, if it is the greatest number there is.
    pub(super) ways: u128,
    /// A fingerprint of the words of labels that they make, and of what their ends are worth.
    ///
    /// Each label of each cell stands for a random number, a word for the product of its labels,
    /// and a set for the sum of its words, modulo a prime. Different sets have the same sum by a
    /// chance of one in 10¹⁶ (Schwartz 1980, Zippel 1979).
    pub(super) words: u64,
}

/// Of each layer and each of its states what can still become of it.
pub(super) fn futures<P: ContourProblem>(
    profile: &P,
    layers: &Layers<P>,
    end: impl Fn(P::State) -> i64,
) -> Vec<Vec<Future>> {
    from_the_end(
        layers,
        |state| match profile.accept(state) {
            true => Future { ways: 1, words: scramble([1, 2, end(state) as u64]) % PRIME },
            false => Future { ways: 0, words: 0 },
        },
        |cell, steps, next| {
            let mut future = Future { ways: 0, words: 0 };
            for &(label, to) in steps {
                let Future { ways, words } = next[to as usize];
                future.ways = future.ways.saturating_add(ways);
                let factor = scramble([3, cell as u64, label.into()]) % PRIME;
                let product = u128::from(factor) * u128::from(words) % u128::from(PRIME);
                future.words = (future.words + product as u64) % PRIME;
            }
            future
        },
    )
}

/// The best weight from each state to an end, if there is any.
pub(super) fn best_futures<P: ContourProblem>(
    profile: &P,
    layers: &Layers<P>,
    weighing: &Weighing<'_, P>,
) -> Vec<Vec<Option<i64>>> {
    from_the_end(
        layers,
        |state| profile.accept(state).then(|| weighing.end(state)),
        |cell, steps, next: &[Option<i64>]| {
            steps.iter().fold(None, |best, &(label, to)| {
                let step = weighing.label(cell, label, layers.labels[label as usize].1);
                match next[to as usize].map(|rest| rest.saturating_add(step)) {
                    Some(value) if weighing.is_better(value, best) => Some(value),
                    _ => best,
                }
            })
        },
    )
}

fn from_the_end<P: ContourProblem, F>(
    layers: &Layers<P>,
    last: impl Fn(P::State) -> F,
    before: impl Fn(usize, &[(u32, u32)], &[F]) -> F,
) -> Vec<Vec<F>> {
    let Some((end, others)) = layers.layers.split_last() else { return Vec::new() };
    let mut all: Vec<Vec<F>> = vec![end.states.iter().map(|&state| last(state)).collect()];
    for (cell, layer) in others.iter().enumerate().rev() {
        let next = &all[all.len() - 1];
        all.push(layer.steps.iter().map(|steps| before(cell, steps, next)).collect());
    }
    all.reverse();
    all
}

/// So many pairs of a state and a set of states are looked at for one question.
const MOST: usize = 100_000;

/// A state of one side, and all states that the same word leads to on the other; the word ends with
/// `label`, after that of `parent`.
struct Pair {
    layer: usize,
    state: u32,
    others: Vec<u32>,
    parent: Option<(usize, u32)>,
}

/// The word of labels that leads to a pair.
fn word<P: ContourProblem>(layers: &Layers<P>, pairs: &[Pair], mut index: usize) -> String {
    let mut labels = Vec::new();
    while let Some((parent, label)) = pairs[index].parent {
        labels.push(&*layers.labels[label as usize].0);
        index = parent;
    }
    labels.reverse();
    format!("[{}]", labels.join(", "))
}

/// Looks for a word that the state `worse` has and the state `better` has not, or only with an end
/// that is worse: `None` if it would take too long, `Some(None)` if there is none.
///
/// As labels need not decide which state comes next, each state of the one side is compared with
/// all states that the same word leads to on the other (Rabin and Scott 1959, the subset
/// construction).
pub(super) fn missing_word<P: ContourProblem>(
    layers: &Layers<P>,
    futures: &[Vec<Future>],
    layer: usize,
    (better, worse): (u32, u32),
    is_end_as_good: &dyn Fn(P::State, P::State) -> bool,
    accept: &dyn Fn(P::State) -> bool,
) -> Option<Option<String>> {
    let mut pairs = vec![Pair { layer, state: worse, others: vec![better], parent: None }];
    let mut seen: HashSet<(usize, u32, Vec<u32>)> = HashSet::new();
    let mut done = 0;
    while done < pairs.len() {
        if pairs.len() > MOST {
            return None;
        }
        let Pair { layer, state, .. } = pairs[done];
        let here = &layers.layers[layer];
        let others = &pairs[done].others;
        if layer + 1 == layers.layers.len() {
            let end = here.states[state as usize];
            let accepts_ties = others.iter().any(|&other| {
                let other = here.states[other as usize];
                accept(other) && is_end_as_good(other, end)
            });
            if accept(end) && !accepts_ties {
                return Some(Some(word(layers, &pairs, done)));
            }
            done += 1;
            continue;
        }
        let is_alive = |state: u32| futures[layer + 1][state as usize].ways > 0;
        let mut reached_by = |label: u32, next: u32| {
            let steps = others.iter().flat_map(|&other| &here.steps[other as usize]);
            let alike =
                steps.filter(|&&(other, to)| other == label && is_alive(to)).map(|&(_, to)| to);
            let mut reached: Vec<u32> = alike.collect();
            reached.sort_unstable();
            reached.dedup();
            // A state has all words that it has itself, with the same ends.
            (!reached.contains(&next) && seen.insert((layer + 1, next, reached.clone())))
                .then_some(reached)
        };
        let alive = here.steps[state as usize].iter().filter(|&&(_, next)| is_alive(next));
        let new: Vec<Pair> = alive
            .filter_map(|&(label, next)| {
                let others = reached_by(label, next)?;
                Some(Pair { layer: layer + 1, state: next, others, parent: Some((done, label)) })
            })
            .collect();
        pairs.extend(new);
        if pairs[done + 1..].last().is_some_and(|pair| pair.others.is_empty()) {
            // Nothing of what follows is there on the other side.
            return Some(Some(word(layers, &pairs, pairs.len() - 1)));
        }
        done += 1;
    }
    Some(None)
}
