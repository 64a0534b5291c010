//! Does every word of labels that leads one state to an end lead another one to an end that is as
//! good?

use std::collections::HashSet;

use super::futures::Future;
use super::layers::Layers;
use crate::plug::ContourProblem;

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
