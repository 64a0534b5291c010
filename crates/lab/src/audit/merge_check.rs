//! A check of the layers, keys and merged states of a problem for decision diagrams.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::marker::PhantomData;

use secateurs::diagram::{AdditiveValue, DiagramProblem};
use secateurs::{Node, Problem};

use super::coverage::{Coverage, GapReason};
use super::reference::{Reference, Unknown};
use super::violation::{Exhibit, Loss, Violation};
use super::walk::{Check, Sample, SubtreeSummary};

/// The maximal number of states of a layer of which each two are merged. From larger layers, a
/// random sample of this size is drawn.
const MAX_MERGED: usize = 20;

/// The subject of the violations.
const SUBJECT: &str = "the diagram problem";

/// A visited state, its value, and the best value at or below it.
struct VisitedState<P: Problem, V> {
    state: P::State,
    path: Vec<P::Choice>,
    value: V,
    best: Option<V>,
}

/// A check that choices lead to later layers, that states with equal keys have equivalent
/// continuations or the one with more resources has better ones, and that merged states allow
/// everything that their parts allow.
pub(super) struct MergeCheck<P: Problem, V> {
    /// The visited states of each layer.
    layers: BTreeMap<usize, Sample<VisitedState<P, V>>>,
    /// The layers of the nodes on the path, by depth.
    path: Vec<usize>,
    random: fastrand::Rng,
    problem: PhantomData<fn(&P)>,
}

impl<P, V> MergeCheck<P, V>
where
    P: DiagramProblem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: AdditiveValue,
{
    pub(super) fn new() -> Self {
        let random = fastrand::Rng::with_seed(0);
        MergeCheck { layers: BTreeMap::new(), path: Vec::new(), random, problem: PhantomData }
    }

    /// Checks the merged state of two states. Returns whether it could be searched.
    fn check_merged(
        reference: &Reference<'_, P, V>,
        parts: [&VisitedState<P, V>; 2],
    ) -> Result<bool, Violation> {
        let problem = reference.problem;
        let mut merged = parts[0].state.clone();
        problem.merge(&mut merged, &parts[1].state);
        let value = (reference.question.value)(problem, &merged);
        reference.merges.set(true);
        let best = reference.best_below(&merged);
        reference.merges.set(false);
        let best = match best {
            Ok(best) => best,
            Err(Unknown::Refuted(violation)) => return Err(violation),
            Err(Unknown::TooLarge | Unknown::KnownBefore) => return Ok(false),
        };
        let violation = |loss| {
            let path = |part: &VisitedState<P, V>| format!("{:?}", part.path);
            let exhibits = vec![
                Exhibit::new("one", reference.show(&parts[0].state), path(parts[0])),
                Exhibit::new("other", reference.show(&parts[1].state), path(parts[1])),
                Exhibit::new("merged", reference.show(&merged), ""),
            ];
            Violation::new(SUBJECT, loss, exhibits)
        };
        let [layer, expected] =
            [&merged, &parts[0].state].map(|state| problem.layer(state).to_string());
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

impl<P, V> Check<P, V> for MergeCheck<P, V>
where
    P: DiagramProblem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: AdditiveValue,
{
    fn enter(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
    ) -> Result<(), Violation> {
        let layer = node.problem().layer(node.state());
        self.path.truncate(node.depth());
        if let Some(&above) = self.path.last()
            && above >= layer
        {
            let path = format!("{:?}", node.path());
            let exhibit = Exhibit::new("child", reference.show(node.state()), path);
            let (layer, expected) = (layer.to_string(), format!("more than {above}"));
            return Err(Violation::new(
                SUBJECT,
                Loss::Misplaced { layer, expected },
                vec![exhibit],
            ));
        }
        self.path.push(layer);
        Ok(())
    }

    fn leave(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        subtree: &SubtreeSummary<V>,
    ) -> Result<(), Violation> {
        let layer = node.problem().layer(node.state());
        let sample = self.layers.entry(layer).or_default();
        sample.add(MAX_MERGED, &mut self.random, || VisitedState {
            state: node.state().clone(),
            path: node.path().to_vec(),
            value: (reference.question.value)(node.problem(), node.state()),
            best: subtree.best.clone(),
        });
        Ok(())
    }

    fn finish(
        &mut self,
        reference: &Reference<'_, P, V>,
        coverage: &mut Coverage,
    ) -> Result<(), Violation> {
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
fn check_keys<P, V>(
    reference: &Reference<'_, P, V>,
    one: &VisitedState<P, V>,
    other: &VisitedState<P, V>,
) -> Result<(), Violation>
where
    P: DiagramProblem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: AdditiveValue,
{
    let problem = reference.problem;
    if problem.key(&one.state) != problem.key(&other.state) {
        return Ok(());
    }
    let has_as_much = |one: &VisitedState<P, V>, other: &VisitedState<P, V>| {
        let (own, others) = (problem.resources(&one.state), problem.resources(&other.state));
        own.as_ref().iter().zip(others.as_ref()).all(|(own, other)| own >= other)
    };
    let matches =
        |one: &VisitedState<P, V>, other: &VisitedState<P, V>| match (&one.best, &other.best) {
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
            [better, worse].map(|visited| describe(&visited.value, visited.best.as_ref()));
        let loss = match is_equal {
            true => Loss::Joined { one: better_text, other: worse_text },
            false => Loss::Dominated { better: better_text, worse: worse_text },
        };
        let roles = if is_equal { ["one", "other"] } else { ["better", "worse"] };
        let exhibits = roles.into_iter().zip([better, worse]).map(|(role, visited)| {
            Exhibit::new(role, reference.show(&visited.state), format!("{:?}", visited.path))
        });
        return Err(Violation::new(SUBJECT, loss, exhibits.collect()));
    }
    Ok(())
}
