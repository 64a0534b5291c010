//! Checks of bounds, keys and dominance relations against the whole tree.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Debug;
use std::hash::Hash;

use rustc_hash::FxHashMap;
use secateurs::{ObjectiveValue, Problem};

use super::coverage::{Coverage, GapReason};
use super::reference::{Auditable, Reference};
use super::violation::{Checked, Loss, Violation};
use super::walk::{Check, Sample, SubtreeSummary, Visit, Visited};

/// A check that a bound is optimistic at every node.
pub(super) struct BoundCheck<F, V> {
    name: String,
    bound: F,
    is_monotone: bool,
    /// The bounds of the nodes on the path, by depth.
    path_bounds: Vec<V>,
}

impl<F, V: ObjectiveValue> BoundCheck<F, V> {
    pub(super) fn new(name: String, bound: F, is_monotone: bool) -> Self {
        BoundCheck { name, bound, is_monotone, path_bounds: Vec::new() }
    }

    /// Compares the bound at a node with the best value at or below it.
    fn check<P: Auditable>(&self, at: &Visit<'_, '_, P, V>, best: Option<&V>) -> Checked {
        match (best, self.path_bounds.get(at.node.depth())) {
            (Some(best), Some(bound)) if at.reference.question.is_better(best, Some(bound)) => {
                let loss = Loss::Beaten { bound: format!("{bound:?}"), best: format!("{best:?}") };
                Err(Violation::new(&self.name, loss, vec![at.exhibit("at")]))
            }
            _ => Ok(()),
        }
    }
}

impl<P: Auditable, V: ObjectiveValue, F> Check<P, V> for BoundCheck<F, V>
where
    F: Fn(&P, &P::State) -> V,
{
    fn enter(&mut self, at: &Visit<'_, '_, P, V>) -> Checked {
        let Visit { reference, node } = at;
        let bound = (self.bound)(node.problem(), node.state());
        self.path_bounds.truncate(node.depth());
        if self.is_monotone
            && let Some(above) = self.path_bounds.last()
            && reference.question.is_better(&bound, Some(above))
        {
            let loss =
                Loss::BetterBelow { above: format!("{above:?}"), below: format!("{bound:?}") };
            return Err(Violation::new(&self.name, loss, vec![at.exhibit("at")]));
        }
        self.path_bounds.push(bound);
        match &reference.question.best_below {
            Some(best_below) => {
                let best = best_below(reference.problem, node.state());
                self.check(at, best.as_ref())
            }
            None => Ok(()),
        }
    }

    fn leave(&mut self, at: &Visit<'_, '_, P, V>, subtree: &SubtreeSummary<V>) -> Checked {
        self.check(at, subtree.best.as_ref())
    }
}

/// The property that states with equal keys must share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyProperty {
    /// The number of solutions at or below the state, or the best value if there is an objective.
    CountOrBest,
    /// Whether there is a solution at or below the state.
    Existence,
}

/// A check that states with equal keys have equivalent subtrees.
pub(super) struct KeyCheck<P: Problem, K, F, V> {
    name: String,
    key: F,
    property: KeyProperty,
    /// The first visited state of each key, and a summary of its subtree.
    first_states: HashMap<K, (Visited<P>, SubtreeSummary<V>)>,
}

impl<P: Problem, K, F, V> KeyCheck<P, K, F, V> {
    pub(super) fn new(name: String, key: F, property: KeyProperty) -> Self {
        KeyCheck { name, key, property, first_states: HashMap::new() }
    }
}

impl KeyProperty {
    /// Describes this property of a subtree.
    fn describe<V: Debug>(self, is_optimised: bool, subtree: &SubtreeSummary<V>) -> String {
        match (self, &subtree.best) {
            (KeyProperty::Existence, _) if subtree.solutions == 0 => {
                "there is no solution".to_owned()
            }
            (KeyProperty::Existence, _) => "there is a solution".to_owned(),
            (KeyProperty::CountOrBest, Some(best)) if is_optimised => {
                format!("the best value is {best:?}")
            }
            (KeyProperty::CountOrBest, _) if subtree.solutions == 1 => {
                "there is 1 solution".to_owned()
            }
            (KeyProperty::CountOrBest, _) => format!("there are {} solutions", subtree.solutions),
        }
    }

    fn agrees<V: PartialEq>(
        self,
        is_optimised: bool,
        one: &SubtreeSummary<V>,
        other: &SubtreeSummary<V>,
    ) -> bool {
        match self {
            KeyProperty::Existence => (one.solutions == 0) == (other.solutions == 0),
            KeyProperty::CountOrBest if is_optimised => one.best == other.best,
            KeyProperty::CountOrBest => one.solutions == other.solutions,
        }
    }
}

impl<P: Auditable, V: ObjectiveValue, K: Hash + Eq, F> Check<P, V> for KeyCheck<P, K, F, V>
where
    F: Fn(&P, &P::State) -> K,
{
    fn leave(&mut self, at: &Visit<'_, '_, P, V>, subtree: &SubtreeSummary<V>) -> Checked {
        let is_optimised = at.reference.question.direction.is_some();
        let key = (self.key)(at.node.problem(), at.node.state());
        let (first, first_subtree) = match self.first_states.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => {
                vacant.insert((at.remember(), subtree.clone()));
                return Ok(());
            }
        };
        let property = self.property;
        if property.agrees(is_optimised, first_subtree, subtree) {
            return Ok(());
        }
        let loss = Loss::Joined {
            one: property.describe(is_optimised, first_subtree),
            other: property.describe(is_optimised, subtree),
        };
        let exhibits = vec![first.exhibit("one", at.reference), at.exhibit("other")];
        Err(Violation::new(&self.name, loss, exhibits))
    }
}

/// The maximal number of states of a group that are compared with each other. From larger groups, a
/// random sample of this size is drawn.
const MAX_COMPARED: usize = 40;

/// A visited state, the summary that the relation compares, and that of the subtree.
struct ComparedState<P: Problem, D, V> {
    visited: Visited<P>,
    summary: D,
    subtree: SubtreeSummary<V>,
}

/// A check that a relation satisfies the conditions of dominance.
pub(super) struct DominanceCheck<P: Problem, K, D, V, G, S, C> {
    name: String,
    group: G,
    summary: S,
    dominates: C,
    random: fastrand::Rng,
    /// The visited states of each group.
    groups: FxHashMap<K, Sample<ComparedState<P, D, V>>>,
    /// The groups and summaries of the nodes on the path, by depth.
    path: Vec<(K, D)>,
    /// Whether a state was dominated by one of its ancestors.
    dominated_by_ancestor: bool,
}

impl<P: Problem, K, D, V, G, S, C> DominanceCheck<P, K, D, V, G, S, C> {
    pub(super) fn new(name: String, group: G, summary: S, dominates: C) -> Self {
        DominanceCheck {
            name,
            group,
            summary,
            dominates,
            random: fastrand::Rng::with_seed(0),
            groups: FxHashMap::default(),
            path: Vec::new(),
            dominated_by_ancestor: false,
        }
    }
}

/// The conditions that exclude cycles of dominance; false once a pair has violated them.
struct Conditions {
    /// A dominating state needs no more choices to a solution at least as good.
    needs_no_more_choices: bool,
    /// A dominating state has a strictly better value.
    is_strictly_better: bool,
}

impl<P: Auditable, K, D, V: ObjectiveValue, G, S, C> DominanceCheck<P, K, D, V, G, S, C> {
    fn violation(
        &self,
        reference: &Reference<'_, P, V>,
        loss: Loss,
        states: &[&ComparedState<P, D, V>],
    ) -> Violation {
        let roles = if states.len() == 2 {
            &["dominates", "dominated"][..]
        } else {
            &["first", "second", "third"]
        };
        let exhibits = states.iter().zip(roles);
        let exhibits = exhibits.map(|(state, role)| state.visited.exhibit(role, reference));
        Violation::new(&self.name, loss, exhibits.collect())
    }

    /// Checks that `better`, which is claimed to dominate `worse`, has at least as good a solution,
    /// and updates the conditions.
    fn check_pair(
        &self,
        reference: &Reference<'_, P, V>,
        better: &ComparedState<P, D, V>,
        worse: &ComparedState<P, D, V>,
        conditions: &mut Conditions,
    ) -> Checked {
        let question = &reference.question;
        let at_least = |value: Option<&V>, than: &V| {
            value.is_some_and(|value| !question.is_better(than, Some(value)))
        };
        let Some(best) = &worse.subtree.best else { return Ok(()) };
        if !at_least(better.subtree.best.as_ref(), best) {
            let [better_text, worse_text] = [better, worse].map(|compared| {
                let has_value = question.direction.is_some() && compared.subtree.best.is_some();
                let property =
                    if has_value { KeyProperty::CountOrBest } else { KeyProperty::Existence };
                property.describe(has_value, &compared.subtree)
            });
            let loss = Loss::Dominated { better: better_text, worse: worse_text };
            return Err(self.violation(reference, loss, &[better, worse]));
        }
        conditions.is_strictly_better &=
            better.subtree.best.as_ref().is_some_and(|value| question.is_better(value, Some(best)));
        // The best value at most `distance` choices below `better`.
        let mut best_so_far: Option<&V> = None;
        for (distance, value) in worse.subtree.by_distance.iter().enumerate() {
            if let Some(Some(other)) = better.subtree.by_distance.get(distance)
                && question.is_better(other, best_so_far)
            {
                best_so_far = Some(other);
            }
            conditions.needs_no_more_choices &=
                value.as_ref().is_none_or(|value| at_least(best_so_far, value));
        }
        Ok(())
    }
}

impl<P, K, D, V, G, S, C> Check<P, V> for DominanceCheck<P, K, D, V, G, S, C>
where
    P: Auditable,
    V: ObjectiveValue,
    K: Hash + Eq,
    G: Fn(&P, &P::State) -> K,
    S: Fn(&P, &P::State) -> D,
    C: Fn(&D, &D) -> bool,
{
    fn enter(&mut self, at: &Visit<'_, '_, P, V>) -> Checked {
        let (problem, state) = (at.node.problem(), at.node.state());
        self.path.truncate(at.node.depth());
        let (group, summary) = ((self.group)(problem, state), (self.summary)(problem, state));
        self.dominated_by_ancestor |= self
            .path
            .iter()
            .any(|(above, dominating)| *above == group && (self.dominates)(dominating, &summary));
        self.path.push((group, summary));
        Ok(())
    }

    fn leave(&mut self, at: &Visit<'_, '_, P, V>, subtree: &SubtreeSummary<V>) -> Checked {
        self.path.truncate(at.node.depth() + 1);
        let Some((group, summary)) = self.path.pop() else { return Ok(()) };
        let sample = self.groups.entry(group).or_default();
        sample.add(MAX_COMPARED, &mut self.random, || ComparedState {
            visited: at.remember(),
            summary,
            subtree: subtree.clone(),
        });
        Ok(())
    }

    fn finish(&mut self, reference: &Reference<'_, P, V>, coverage: &mut Coverage) -> Checked {
        let mut conditions = Conditions {
            needs_no_more_choices: true,
            is_strictly_better: reference.question.direction.is_some(),
        };
        let mut possible_cycle = None;
        for group in self.groups.values() {
            let states = &group.items;
            let mut dominated = 0;
            for (index, better) in states.iter().enumerate() {
                let below: Vec<usize> = (0..states.len())
                    .filter(|&other| {
                        other != index && (self.dominates)(&better.summary, &states[other].summary)
                    })
                    .collect();
                dominated += below.len() as u64;
                for &worse in &below {
                    let held_before = conditions.needs_no_more_choices;
                    self.check_pair(reference, better, &states[worse], &mut conditions)?;
                    if held_before && !conditions.needs_no_more_choices {
                        possible_cycle = Some((better, &states[worse]));
                    }
                    let third = states.iter().enumerate().find(|(third, other)| {
                        // Whether a summary dominates itself is unrestricted.
                        ![index, worse].contains(third)
                            && (self.dominates)(&states[worse].summary, &other.summary)
                            && !(self.dominates)(&better.summary, &other.summary)
                    });
                    if let Some((_, third)) = third {
                        return Err(self.violation(
                            reference,
                            Loss::NotTransitive,
                            &[better, &states[worse], third],
                        ));
                    }
                }
            }
            coverage.pairs.checked += dominated;
            coverage.omit(GapReason::LeftOut, &self.name, group.left_out());
            // The number of dominated pairs is extrapolated from the sample.
            let share = states.len() as f64 / group.added as f64;
            coverage.pairs.of += (dominated as f64 / (share * share)).round() as u64;
        }
        match possible_cycle {
            Some((better, worse))
                if !conditions.is_strictly_better && self.dominated_by_ancestor =>
            {
                Err(self.violation(reference, Loss::Cycle, &[better, worse]))
            }
            _ => Ok(()),
        }
    }
}
