//! A check of the layers, keys and merged states of a problem for decision diagrams.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;

use secateurs::Problem;
use secateurs::diagram::{AdditiveValue, DiagramProblem};

use super::coverage::{Coverage, GapReason};
use super::reference::{Auditable, Reference, known};
use super::violation::{Checked, Exhibit, Loss, Violation};
use super::walk::{Check, Sample, SubtreeSummary, Visit, Visited};

/// The maximal number of states of a layer of which each two are merged. From larger layers, a
/// random sample of this size is drawn.
const MAX_MERGED: usize = 20;

/// The subject of the violations.
const SUBJECT: &str = "the diagram problem";

/// A visited state, its value, and the best value at or below it.
struct ValuedState<P: Problem, V> {
    visited: Visited<P>,
    value: V,
    best: Option<V>,
}

/// A check that choices lead to later layers, that states with equal keys have equivalent
/// continuations or the one with more resources has better ones, and that merged states allow
/// everything that their parts allow.
pub(super) struct MergeCheck<P: Problem, V> {
    /// The visited states of each layer.
    layers: BTreeMap<usize, Sample<ValuedState<P, V>>>,
    /// The layers of the nodes on the path, by depth.
    path: Vec<usize>,
    random: fastrand::Rng,
    problem: PhantomData<fn(&P)>,
}

impl<P: DiagramProblem + Auditable, V: AdditiveValue> MergeCheck<P, V> {
    pub(super) fn new() -> Self {
        let random = fastrand::Rng::with_seed(0);
        MergeCheck { layers: BTreeMap::new(), path: Vec::new(), random, problem: PhantomData }
    }

    /// Checks the merged state of two states. Returns whether it could be searched.
    fn check_merged(
        reference: &Reference<'_, P, V>,
        parts: [&ValuedState<P, V>; 2],
    ) -> Result<bool, Violation> {
        let problem = reference.problem;
        let mut merged = parts[0].visited.state.clone();
        problem.merge(&mut merged, &parts[1].visited.state);
        let value = (reference.question.value)(problem, &merged);
        reference.merges.set(true);
        let best = reference.best_below(&merged);
        reference.merges.set(false);
        let Some(best) = known(best)? else { return Ok(false) };
        let violation = |loss| {
            let exhibits = vec![
                parts[0].visited.exhibit("one", reference),
                parts[1].visited.exhibit("other", reference),
                Exhibit::new("merged", reference.show(&merged), ""),
            ];
            Violation::new(SUBJECT, loss, exhibits)
        };
        let [layer, expected] =
            [&merged, &parts[0].visited.state].map(|state| problem.layer(state).to_string());
        if layer != expected {
            return Err(violation(Loss::Misplaced { layer, expected }));
        }
        for part in parts {
            let Some(expected) = &part.best else { continue };
            // The value that the merged state would reach if it had the value of its part.
            let reached = best.as_ref().map(|best| best.moved(&value, &part.value));
            let is_better = |one: &V, other: &V| reference.question.is_better(one, Some(other));
            let allows_less = match &reached {
                None => true,
                // The difference is not representable.
                Some(None) => false,
                Some(Some(reached)) => is_better(expected, reached),
            };
            if allows_less || is_better(&part.value, &value) {
                return Err(violation(Loss::Merged {
                    part: describe(&part.value, Some(expected)),
                    merged: describe(&value, best.as_ref()),
                }));
            }
        }
        Ok(true)
    }
}

/// Describes what a state reaches.
fn describe<V: Debug>(value: &V, best: Option<&V>) -> String {
    match best {
        Some(best) => format!("the value {value:?} becomes {best:?}"),
        None => "there is no solution".to_owned(),
    }
}

impl<P: DiagramProblem + Auditable, V: AdditiveValue> Check<P, V> for MergeCheck<P, V> {
    fn enter(&mut self, at: &Visit<'_, '_, P, V>) -> Checked {
        let layer = at.node.problem().layer(at.node.state());
        self.path.truncate(at.node.depth());
        if let Some(&above) = self.path.last()
            && above >= layer
        {
            let (layer, expected) = (layer.to_string(), format!("more than {above}"));
            let loss = Loss::Misplaced { layer, expected };
            return Err(Violation::new(SUBJECT, loss, vec![at.exhibit("child")]));
        }
        self.path.push(layer);
        Ok(())
    }

    fn leave(&mut self, at: &Visit<'_, '_, P, V>, subtree: &SubtreeSummary<V>) -> Checked {
        let (problem, state) = (at.node.problem(), at.node.state());
        let sample = self.layers.entry(problem.layer(state)).or_default();
        sample.add(MAX_MERGED, &mut self.random, || ValuedState {
            visited: at.remember(),
            value: (at.reference.question.value)(problem, state),
            best: subtree.best.clone(),
        });
        Ok(())
    }

    fn finish(&mut self, reference: &Reference<'_, P, V>, coverage: &mut Coverage) -> Checked {
        for layer in self.layers.values() {
            coverage.omit(GapReason::LeftOut, SUBJECT, layer.left_out());
            for (index, one) in layer.items.iter().enumerate() {
                for other in &layer.items[..index] {
                    check_keys(reference, one, other)?;
                    for parts in [[one, other], [other, one]] {
                        let is_checked = Self::check_merged(reference, parts)?;
                        coverage.omit(GapReason::TooLarge, SUBJECT, u64::from(!is_checked));
                        coverage.pairs.add(is_checked);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Checks that of two states with equal keys, one that has at least as much of every resource
/// improves its value by at least as much as the other one.
fn check_keys<P: DiagramProblem + Auditable, V: AdditiveValue>(
    reference: &Reference<'_, P, V>,
    one: &ValuedState<P, V>,
    other: &ValuedState<P, V>,
) -> Checked {
    let problem = reference.problem;
    if problem.key(&one.visited.state) != problem.key(&other.visited.state) {
        return Ok(());
    }
    let has_as_much = |one: &ValuedState<P, V>, other: &ValuedState<P, V>| {
        let [own, others] = [one, other].map(|valued| problem.resources(&valued.visited.state));
        own.as_ref().iter().zip(others.as_ref()).all(|(own, other)| own >= other)
    };
    let matches =
        |one: &ValuedState<P, V>, other: &ValuedState<P, V>| match (&one.best, &other.best) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(best), Some(expected)) => {
                let reached = best.moved(&one.value, &other.value);
                reached
                    .is_none_or(|reached| !reference.question.is_better(expected, Some(&reached)))
            }
        };
    let is_equal = has_as_much(one, other) && has_as_much(other, one);
    for (better, worse) in [(one, other), (other, one)] {
        if !has_as_much(better, worse) || matches(better, worse) {
            continue;
        }
        let [better_text, worse_text] =
            [better, worse].map(|valued| describe(&valued.value, valued.best.as_ref()));
        let loss = match is_equal {
            true => Loss::Joined { one: better_text, other: worse_text },
            false => Loss::Dominated { better: better_text, worse: worse_text },
        };
        let roles = if is_equal { ["one", "other"] } else { ["better", "worse"] };
        let exhibits = roles.into_iter().zip([better, worse]);
        let exhibits = exhibits.map(|(role, valued)| valued.visited.exhibit(role, reference));
        return Err(Violation::new(SUBJECT, loss, exhibits.collect()));
    }
    Ok(())
}
