//! Checks of bounds, keys and dominance relations against the whole tree.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Debug;
use std::hash::Hash;

use rustc_hash::FxHashMap;
use secateurs::{Node, ObjectiveValue, Problem};

use super::coverage::{Coverage, GapReason};
use super::reference::{Question, Reference, describe};
use super::violation::{Exhibit, Loss, Violation};
use super::walk::{Check, Sample, SubtreeSummary};

/// A check that a bound is optimistic at every node.
pub(super) struct BoundCheck<F, V> {
    pub(super) name: String,
    pub(super) bound: F,
    pub(super) is_monotone: bool,
    /// The bounds of the nodes on the path, by depth.
    path_bounds: Vec<V>,
}

impl<F, V> BoundCheck<F, V> {
    pub(super) fn new(name: String, bound: F, is_monotone: bool) -> Self {
        BoundCheck { name, bound, is_monotone, path_bounds: Vec::new() }
    }

    fn check<P>(
        &self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        best: Option<&V>,
    ) -> Result<(), Violation>
    where
        P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
        V: ObjectiveValue,
    {
        match (best, self.path_bounds.get(node.depth())) {
            (Some(best), Some(bound)) if reference.question.is_better(best, Some(bound)) => {
                let loss = Loss::Beaten { bound: format!("{bound:?}"), best: format!("{best:?}") };
                Err(self.violation(reference, node, loss))
            }
            _ => Ok(()),
        }
    }

    fn violation<P>(
        &self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        loss: Loss,
    ) -> Violation
    where
        P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
        V: ObjectiveValue,
    {
        let exhibit = Exhibit::new("at", reference.show(node.state()), describe(node.path(), None));
        Violation::new(&self.name, loss, vec![exhibit])
    }
}

impl<P, V, F> Check<P, V> for BoundCheck<F, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue,
    F: Fn(&P, &P::State) -> V,
{
    fn enter(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
    ) -> Result<(), Violation> {
        let bound = (self.bound)(node.problem(), node.state());
        self.path_bounds.truncate(node.depth());
        if self.is_monotone
            && let Some(above) = self.path_bounds.last()
            && reference.question.is_better(&bound, Some(above))
        {
            let loss =
                Loss::BetterBelow { above: format!("{above:?}"), below: format!("{bound:?}") };
            return Err(self.violation(reference, node, loss));
        }
        self.path_bounds.push(bound);
        match &reference.question.best_below {
            Some(best_below) => {
                let best = best_below(reference.problem, node.state());
                self.check(reference, node, best.as_ref())
            }
            None => Ok(()),
        }
    }

    fn leave(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        subtree: &SubtreeSummary<V>,
    ) -> Result<(), Violation> {
        self.check(reference, node, subtree.best.as_ref())
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

/// A state, the path to it, and a summary of its subtree.
type FirstState<P, V> = (<P as Problem>::State, Vec<<P as Problem>::Choice>, SubtreeSummary<V>);

/// A check that states with equal keys have equivalent subtrees.
pub(super) struct KeyCheck<P: Problem, K, F, V> {
    name: String,
    key: F,
    property: KeyProperty,
    /// The first visited state of each key.
    first_states: HashMap<K, FirstState<P, V>>,
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

impl<P, V, K, F> Check<P, V> for KeyCheck<P, K, F, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue,
    K: Hash + Eq,
    F: Fn(&P, &P::State) -> K,
{
    fn leave(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        subtree: &SubtreeSummary<V>,
    ) -> Result<(), Violation> {
        let is_optimised = reference.question.direction.is_some();
        let key = (self.key)(node.problem(), node.state());
        let (first_state, first_path, first_subtree) = match self.first_states.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => {
                vacant.insert((node.state().clone(), node.path().to_vec(), subtree.clone()));
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
        let exhibits = vec![
            Exhibit::new("one", reference.show(first_state), format!("{first_path:?}")),
            Exhibit::new("other", reference.show(node.state()), format!("{:?}", node.path())),
        ];
        Err(Violation::new(&self.name, loss, exhibits))
    }
}

/// The maximal number of states of a group that are compared with each other. From larger groups, a
/// random sample of this size is drawn.
const MAX_COMPARED: usize = 40;

/// A visited state.
struct VisitedState<P: Problem, D, V> {
    summary: D,
    state: P::State,
    path: Vec<P::Choice>,
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
    groups: FxHashMap<K, Sample<VisitedState<P, D, V>>>,
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

impl<P, K, D, V, G, S, C> DominanceCheck<P, K, D, V, G, S, C>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue,
    C: Fn(&D, &D) -> bool,
{
    fn violation(
        &self,
        reference: &Reference<'_, P, V>,
        loss: Loss,
        states: &[&VisitedState<P, D, V>],
    ) -> Violation {
        let roles = if states.len() == 2 {
            &["dominates", "dominated"][..]
        } else {
            &["first", "second", "third"]
        };
        let exhibit = |(visited, role): (&&VisitedState<P, D, V>, &&'static str)| {
            Exhibit::new(role, reference.show(&visited.state), format!("{:?}", visited.path))
        };
        Violation::new(&self.name, loss, states.iter().zip(roles).map(exhibit).collect())
    }

    /// Checks that `better`, which is claimed to dominate `worse`, has at least as good a solution,
    /// and updates the conditions.
    fn check_pair(
        &self,
        reference: &Reference<'_, P, V>,
        better: &VisitedState<P, D, V>,
        worse: &VisitedState<P, D, V>,
        conditions: &mut Conditions,
    ) -> Result<(), Violation> {
        let question = &reference.question;
        let at_least = |value: Option<&V>, than: &V| {
            value.is_some_and(|value| !question.is_better(than, Some(value)))
        };
        let Some(best) = &worse.subtree.best else { return Ok(()) };
        if !at_least(better.subtree.best.as_ref(), best) {
            let loss = Loss::Dominated {
                better: describe_best(question, &better.subtree),
                worse: describe_best(question, &worse.subtree),
            };
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

fn describe_best<P: Problem, V: Debug>(
    question: &Question<'_, P, V>,
    subtree: &SubtreeSummary<V>,
) -> String {
    match &subtree.best {
        None => "there is no solution".to_owned(),
        Some(best) if question.direction.is_some() => format!("the best value is {best:?}"),
        Some(_) => "there is a solution".to_owned(),
    }
}

impl<P, K, D, V, G, S, C> Check<P, V> for DominanceCheck<P, K, D, V, G, S, C>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue,
    K: Hash + Eq,
    G: Fn(&P, &P::State) -> K,
    S: Fn(&P, &P::State) -> D,
    C: Fn(&D, &D) -> bool,
{
    fn enter(&mut self, _: &Reference<'_, P, V>, node: &Node<'_, P>) -> Result<(), Violation> {
        self.path.truncate(node.depth());
        let (group, summary) = (
            (self.group)(node.problem(), node.state()),
            (self.summary)(node.problem(), node.state()),
        );
        self.dominated_by_ancestor |= self
            .path
            .iter()
            .any(|(above, dominating)| *above == group && (self.dominates)(dominating, &summary));
        self.path.push((group, summary));
        Ok(())
    }

    fn leave(
        &mut self,
        _: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        subtree: &SubtreeSummary<V>,
    ) -> Result<(), Violation> {
        self.path.truncate(node.depth() + 1);
        let Some((group, summary)) = self.path.pop() else { return Ok(()) };
        let sample = self.groups.entry(group).or_default();
        sample.add(MAX_COMPARED, &mut self.random, || VisitedState {
            summary,
            state: node.state().clone(),
            path: node.path().to_vec(),
            subtree: subtree.clone(),
        });
        Ok(())
    }

    fn finish(
        &mut self,
        reference: &Reference<'_, P, V>,
        coverage: &mut Coverage,
    ) -> Result<(), Violation> {
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
