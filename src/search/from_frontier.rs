//! The strategy of a search that continues a frontier: [`FromFrontier`].

use super::depth_first::DepthFirst;
use super::tree::SearchTree;
use super::walk::{Divisible, InTreeOrder, IntoWalk};
use crate::brancher::Brancher;
use crate::hook::{Hooks, StrategyLoss};
use crate::problem::Problem;

/// Search of the subtrees in a [`Frontier`](super::Frontier) by the strategy `S`, as set up by
/// [`Search::frontier`](crate::Search::frontier).
#[derive(Clone, Copy, Debug)]
pub struct FromFrontier<S = DepthFirst>(pub(super) S);

impl<P: Problem, B: Brancher<P>, H: Hooks<P>, S: IntoWalk<P, B, H>> IntoWalk<P, B, H>
    for FromFrontier<S>
{
    const IS_DEPTH_FIRST: bool = S::IS_DEPTH_FIRST;

    type Walk<'p>
        = S::Walk<'p>
    where
        P: 'p;

    fn loss(&self) -> Option<StrategyLoss> {
        self.0.loss()
    }

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        self.0.into_walk(tree)
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>, S: Divisible<P, B, H>> Divisible<P, B, H>
    for FromFrontier<S>
{
    type DivisibleWalk<'p>
        = S::DivisibleWalk<'p>
    where
        P: 'p;

    type Shared = S::Shared;

    fn into_idle_walk<'p>(
        self,
        tree: SearchTree<'p, P, B, H>,
        shared: Self::Shared,
    ) -> Self::DivisibleWalk<'p>
    where
        P::Choice: Clone,
    {
        self.0.into_idle_walk(tree, shared)
    }
}

impl InTreeOrder for FromFrontier {}
