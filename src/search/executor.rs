//! The interface between searches and executors that divide a tree among workers without common
//! memory, such as a cluster.
//!
//! The work of such an executor is data: [subtrees](Subtree). A worker searches them by a search of
//! its [`Origin`] from a [`Frontier`], with a node limit as its fuel. The run leaves the unexplored
//! subtrees in the frontier, to be [divided](divide) again, and the results, which add up by
//! [`Frontier::absorb`]. The methods of [`Origin`], [`existence`] and [`optimum`] make the answer
//! of a question from the results.
//!
//! Modules outside of this engine import its internals from here only.

use std::collections::VecDeque;

use super::best::earlier_best;
pub(crate) use super::best::optimum;
use super::builder::{Extract, Search};
use super::frontier::Frontier;
use super::frontier::division::deal;
pub(crate) use super::frontier::files::check_subtree;
use super::frontier::subtree::Subtree;
pub(crate) use super::frontier::subtree::{BestSolution, KnownValue, OfferedValues};
pub(crate) use super::meter::Watcher;
pub(crate) use super::operations::existence;
use super::walk::Walk;
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::incumbent::{Objective, ObjectiveValue};
use crate::limits::Limits;
use crate::problem::Problem;

/// The parts from which a worker builds its searches.
pub(crate) struct Origin<'p, P, B, H> {
    pub(crate) problem: &'p P,
    pub(crate) brancher: B,
    pub(crate) hooks: H,
}

impl<'p, P: Problem, B: Brancher<P> + Clone, H: Hooks<P> + Clone> Origin<'p, P, B, H> {
    /// Creates a search with clones of the brancher and the hooks.
    pub(crate) fn search(&self, limits: Limits) -> Search<'p, P, B, H> {
        let Origin { problem, brancher, hooks } = self;
        Search::new(*problem).brancher(brancher.clone()).hooks(hooks.clone()).limits(limits)
    }

    /// Calls `visit` with the nodes of the solutions among `results`, which no objective has
    /// evaluated.
    pub(crate) fn revisit_solutions(
        &self,
        results: &mut Frontier<P::Choice>,
        mut visit: impl FnMut(&Node<'_, P>),
    ) where
        P::Choice: Clone,
    {
        if !results.best.is_empty() {
            let (mut walk, _) = self.search(Limits::new()).frontier(results).walk(None);
            walk.revisit_best(|node| {
                visit(node);
                String::new()
            });
        }
    }

    /// Returns the best solution among `results` with its value, and offers the value to the
    /// incumbent.
    pub(crate) fn earlier_best<V: ObjectiveValue, F: Fn(&P, &P::State) -> V, X: Extract<P>>(
        &self,
        results: &mut Frontier<P::Choice>,
        objective: &Objective<P, V, F>,
        extract: &mut X,
    ) -> Option<(V, X::Output)>
    where
        P::Choice: Clone,
    {
        if results.best.is_empty() {
            return None;
        }
        let search = self.search(Limits::new()).frontier(results);
        let (mut walk, _) = search.walk(Some(objective.id()));
        earlier_best(objective, extract, |visit| walk.revisit_best(visit))
    }
}

/// Divides subtrees into `parts` parts of about the same size, or fewer if there are not enough
/// subtrees.
pub(crate) fn divide<C: Clone>(
    subtrees: VecDeque<Subtree<C>>,
    parts: usize,
) -> Vec<VecDeque<Subtree<C>>> {
    if parts == 1 && !subtrees.is_empty() {
        return vec![subtrees];
    }
    let mut dealt = deal(subtrees, parts);
    dealt.retain(|part| !part.is_empty());
    dealt
}
