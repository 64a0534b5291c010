//! Is a bound optimistic, and does it never become better along a path?

use std::fmt::Debug;

use super::loss::Loss;
use super::reference::{Reference, describe};
use super::violation::{Exhibit, Violation};
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
