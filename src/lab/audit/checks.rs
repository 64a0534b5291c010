//! Checks of bounds, keys and dominance relations against the whole tree.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Debug;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::coverage::Coverage;
use super::reference::{Question, Reference, describe};
use super::violation::{Exhibit, Loss, Violation};
use super::walk::{Check, Future};
use crate::hook::Node;
use crate::problem::Problem;

/// A bound that is held against what lies below each node.
pub(super) struct BoundCheck<F, V> {
    pub(super) name: String,
    pub(super) bound: F,
    pub(super) is_monotone: bool,
    /// By depth: what it says of the nodes on the path.
    said: Vec<V>,
}

impl<F, V> BoundCheck<F, V> {
    pub(super) fn new(name: String, bound: F, is_monotone: bool) -> Self {
        BoundCheck { name, bound, is_monotone, said: Vec::new() }
    }

    fn check<P>(
        &self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        best: Option<&V>,
    ) -> Result<(), Violation>
    where
        P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
        V: Ord + Clone + Debug,
    {
        match (best, self.said.get(node.depth())) {
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
        V: Ord + Clone,
    {
        let exhibit = Exhibit::new("at", reference.show(node.state()), describe(node.path(), None));
        Violation::new(&self.name, loss, vec![exhibit])
    }
}

impl<P, V, F> Check<P, V> for BoundCheck<F, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone + Debug,
    F: Fn(&P, &P::State) -> V,
{
    fn enter(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
    ) -> Result<(), Violation> {
        let bound = (self.bound)(node.problem(), node.state());
        self.said.truncate(node.depth());
        if self.is_monotone
            && let Some(above) = self.said.last()
            && reference.question.is_better(&bound, Some(above))
        {
            let loss =
                Loss::BetterBelow { above: format!("{above:?}"), below: format!("{bound:?}") };
            return Err(self.violation(reference, node, loss));
        }
        self.said.push(bound);
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
        future: &Future<V>,
    ) -> Result<(), Violation> {
        self.check(reference, node, future.best.as_ref())
    }
}

/// What equal keys are to have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Common {
    /// The number of solutions below, or the best value below if there is an objective.
    Future,
    /// Whether there is any solution below.
    Failure,
}

/// A state, the path to it, and what lies below.
type FirstState<P, V> = (<P as Problem>::State, Vec<<P as Problem>::Choice>, Future<V>);

/// A key that is held against what lies below the states that it joins.
pub(super) struct KeyCheck<P: Problem, K, F, V> {
    name: String,
    key: F,
    common: Common,
    /// The first state of each key.
    first_states: HashMap<K, FirstState<P, V>>,
}

impl<P: Problem, K, F, V> KeyCheck<P, K, F, V> {
    pub(super) fn new(name: String, key: F, common: Common) -> Self {
        KeyCheck { name, key, common, first_states: HashMap::new() }
    }
}

impl Common {
    /// What lies below, in words, as far as it has to be the same.
    fn in_words<V: Debug>(self, is_optimised: bool, future: &Future<V>) -> String {
        match (self, &future.best) {
            (Common::Failure, _) if future.solutions == 0 => "is no solution".to_owned(),
            (Common::Failure, _) => "is a solution".to_owned(),
            (Common::Future, Some(best)) if is_optimised => format!("the best value is {best:?}"),
            (Common::Future, _) if future.solutions == 1 => "is 1 solution".to_owned(),
            (Common::Future, _) => format!("are {} solutions", future.solutions),
        }
    }

    fn agrees<V: PartialEq>(self, is_optimised: bool, one: &Future<V>, other: &Future<V>) -> bool {
        match self {
            Common::Failure => (one.solutions == 0) == (other.solutions == 0),
            Common::Future if is_optimised => one.best == other.best,
            Common::Future => one.solutions == other.solutions,
        }
    }
}

impl<P, V, K, F> Check<P, V> for KeyCheck<P, K, F, V>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone + Debug,
    K: Hash + Eq,
    F: Fn(&P, &P::State) -> K,
{
    fn leave(
        &mut self,
        reference: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        future: &Future<V>,
    ) -> Result<(), Violation> {
        let is_optimised = reference.question.direction.is_some();
        let key = (self.key)(node.problem(), node.state());
        let (one, path, known) = match self.first_states.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => {
                vacant.insert((node.state().clone(), node.path().to_vec(), future.clone()));
                return Ok(());
            }
        };
        let common = self.common;
        if common.agrees(is_optimised, known, future) {
            return Ok(());
        }
        let loss = Loss::Joined {
            one: common.in_words(is_optimised, known),
            other: common.in_words(is_optimised, future),
        };
        let exhibits = vec![
            Exhibit::new("one", reference.show(one), format!("{path:?}")),
            Exhibit::new("other", reference.show(node.state()), format!("{:?}", node.path())),
        ];
        Err(Violation::new(&self.name, loss, exhibits))
    }
}

/// Of a group so many states are compared, each with each; of larger ones, so many that are drawn
/// at random.
const COMPARED: usize = 40;

/// A state that was met.
struct VisitedState<P: Problem, D, V> {
    summary: D,
    state: P::State,
    path: Vec<P::Choice>,
    future: Future<V>,
}

/// The states of a group, or some of them.
struct Group<P: Problem, D, V> {
    met: Vec<VisitedState<P, D, V>>,
    of: u64,
}

/// A relation that is held against what lies below the states that it compares.
pub(super) struct DominanceCheck<P: Problem, K, D, V, G, S, C> {
    name: String,
    group: G,
    summary: S,
    dominates: C,
    random: fastrand::Rng,
    groups: FxHashMap<K, Group<P, D, V>>,
    /// By depth: the groups and summaries of the nodes on the path.
    open: Vec<(K, D)>,
    by_ancestor: bool,
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
            open: Vec::new(),
            by_ancestor: false,
        }
    }
}

/// Which of the conditions that keep matches from leading in a circle no pair has broken.
struct Conditions {
    no_longer: bool,
    better: bool,
}

impl<P, K, D, V, G, S, C> DominanceCheck<P, K, D, V, G, S, C>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone + Debug,
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
        let exhibit = |(met, role): (&&VisitedState<P, D, V>, &&'static str)| {
            Exhibit::new(role, reference.show(&met.state), format!("{:?}", met.path))
        };
        Violation::new(&self.name, loss, states.iter().zip(roles).map(exhibit).collect())
    }

    /// `better` is said to dominate `worse`. Does it?
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
        let Some(best) = &worse.future.best else { return Ok(()) };
        if !at_least(better.future.best.as_ref(), best) {
            let loss = Loss::Dominated {
                better: in_words(question, &better.future),
                worse: in_words(question, &worse.future),
            };
            return Err(self.violation(reference, loss, &[better, worse]));
        }
        conditions.better &=
            better.future.best.as_ref().is_some_and(|value| question.is_better(value, Some(best)));
        let mut reached: Option<&V> = None;
        for (depth, value) in worse.future.by_depth.iter().enumerate() {
            if let Some(Some(other)) = better.future.by_depth.get(depth)
                && question.is_better(other, reached)
            {
                reached = Some(other);
            }
            conditions.no_longer &= value.as_ref().is_none_or(|value| at_least(reached, value));
        }
        Ok(())
    }
}

fn in_words<P: Problem, V: Debug>(question: &Question<'_, P, V>, future: &Future<V>) -> String {
    match &future.best {
        None => "there is no solution".to_owned(),
        Some(best) if question.direction.is_some() => format!("the best value is {best:?}"),
        Some(_) => "there is a solution".to_owned(),
    }
}

impl<P, K, D, V, G, S, C> Check<P, V> for DominanceCheck<P, K, D, V, G, S, C>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone + Debug,
    K: Hash + Eq,
    G: Fn(&P, &P::State) -> K,
    S: Fn(&P, &P::State) -> D,
    C: Fn(&D, &D) -> bool,
{
    fn enter(&mut self, _: &Reference<'_, P, V>, node: &Node<'_, P>) -> Result<(), Violation> {
        self.open.truncate(node.depth());
        let own = (
            (self.group)(node.problem(), node.state()),
            (self.summary)(node.problem(), node.state()),
        );
        self.by_ancestor |= self
            .open
            .iter()
            .any(|(group, summary)| *group == own.0 && (self.dominates)(summary, &own.1));
        self.open.push(own);
        Ok(())
    }

    fn leave(
        &mut self,
        _: &Reference<'_, P, V>,
        node: &Node<'_, P>,
        future: &Future<V>,
    ) -> Result<(), Violation> {
        self.open.truncate(node.depth() + 1);
        let Some((group, summary)) = self.open.pop() else { return Ok(()) };
        let group = self.groups.entry(group).or_insert(Group { met: Vec::new(), of: 0 });
        group.of += 1;
        let met = || VisitedState {
            summary,
            state: node.state().clone(),
            path: node.path().to_vec(),
            future: future.clone(),
        };
        if group.met.len() < COMPARED {
            group.met.push(met());
        } else if let Ok(place) = usize::try_from(self.random.u64(..group.of))
            && place < COMPARED
        {
            // Each is as likely to be among those that are kept as any other (Vitter 1985).
            group.met[place] = met();
        }
        Ok(())
    }

    fn settle(
        &mut self,
        reference: &Reference<'_, P, V>,
        coverage: &mut Coverage,
    ) -> Result<(), Violation> {
        let mut conditions =
            Conditions { no_longer: true, better: reference.question.direction.is_some() };
        let mut circle = None;
        for group in self.groups.values() {
            let met = &group.met;
            let mut dominated = 0;
            for (index, better) in met.iter().enumerate() {
                let below: Vec<usize> = (0..met.len())
                    .filter(|&other| {
                        other != index && (self.dominates)(&better.summary, &met[other].summary)
                    })
                    .collect();
                dominated += below.len() as u64;
                for &worse in &below {
                    let before = conditions.no_longer;
                    self.check_pair(reference, better, &met[worse], &mut conditions)?;
                    if before && !conditions.no_longer {
                        circle = Some((better, &met[worse]));
                    }
                    let third = met.iter().enumerate().find(|(third, other)| {
                        *third != worse
                            && (self.dominates)(&met[worse].summary, &other.summary)
                            && !(self.dominates)(&better.summary, &other.summary)
                    });
                    if let Some((_, third)) = third {
                        return Err(self.violation(
                            reference,
                            Loss::NotTransitive,
                            &[better, &met[worse], third],
                        ));
                    }
                }
            }
            coverage.pairs.checked += dominated;
            coverage.left_out += group.of - met.len() as u64;
            // Of a group of which some were drawn, about so many.
            let share = met.len() as f64 / group.of as f64;
            coverage.pairs.of += (dominated as f64 / (share * share)).round() as u64;
        }
        match circle {
            Some((better, worse)) if !conditions.better && self.by_ancestor => {
                Err(self.violation(reference, Loss::Circle, &[better, worse]))
            }
            _ => Ok(()),
        }
    }
}
