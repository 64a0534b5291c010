//! Is a relation of dominance transitive, respected, and free of circles?

use std::fmt::Debug;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::coverage::Coverage;
use super::loss::Loss;
use super::reference::{Question, Reference};
use super::violation::{Exhibit, Violation};
use super::walk::{Check, Future};
use crate::hook::Node;
use crate::problem::Problem;

/// Of a group so many states are compared, each with each; of larger ones, so many that are drawn
/// at random.
const COMPARED: usize = 40;

/// A state that was met.
struct Met<P: Problem, D, V> {
    summary: D,
    state: P::State,
    path: Vec<P::Choice>,
    future: Future<V>,
}

/// The states of a group, or some of them.
struct Group<P: Problem, D, V> {
    met: Vec<Met<P, D, V>>,
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
        states: &[&Met<P, D, V>],
    ) -> Violation {
        let roles = if states.len() == 2 {
            &["dominates", "dominated"][..]
        } else {
            &["first", "second", "third"]
        };
        let exhibit = |(met, role): (&&Met<P, D, V>, &&'static str)| {
            Exhibit::new(role, reference.show(&met.state), format!("{:?}", met.path))
        };
        Violation::new(&self.name, loss, states.iter().zip(roles).map(exhibit).collect())
    }

    /// `better` is said to dominate `worse`. Does it?
    fn check_pair(
        &self,
        reference: &Reference<'_, P, V>,
        better: &Met<P, D, V>,
        worse: &Met<P, D, V>,
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
        let met = || Met {
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
