//! In which order the nodes are visited.

use std::fmt;

use super::tree::{SearchTree, Walk};
use super::{best_first, breadth_first, kernel};
use crate::brancher::Brancher;
use crate::hook::Hooks;
use crate::incumbent::Incumbent;
use crate::problem::Problem;

/// The order in which the nodes of a tree are visited. Implemented by this crate only.
pub trait Strategy<P: Problem, B: Brancher<P>, H: Hooks<P>>: sealed::Sealed + Sized {
    /// Whether nodes are visited in the order of a depth-first search.
    #[doc(hidden)]
    const IS_DEPTH_FIRST: bool = false;

    /// The walk in this order.
    #[doc(hidden)]
    type Walk<'p>: Walk<P>
    where
        P: 'p;

    /// Starts the walk.
    #[doc(hidden)]
    fn walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::DepthFirst {}
    impl Sealed for super::BreadthFirst {}
    impl Sealed for super::Parts {}
    impl<F> Sealed for super::Beam<F> {}
    impl<V, G> Sealed for super::BestFirst<V, G> {}
}

/// Each node's subtree before its next sibling: the default.
#[derive(Clone, Copy, Debug)]
pub struct DepthFirst;

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Strategy<P, B, H> for DepthFirst {
    const IS_DEPTH_FIRST: bool = true;

    type Walk<'p>
        = kernel::DepthFirstWalk<'p, P, B, H>
    where
        P: 'p;

    fn walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        kernel::DepthFirstWalk::new(tree)
    }
}

/// Depth first in the parts of a tree that are left in a [`Frontier`](super::Frontier):
/// [`Search::frontier`](super::Search::frontier).
#[derive(Clone, Copy, Debug)]
pub struct Parts;

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> Strategy<P, B, H> for Parts {
    const IS_DEPTH_FIRST: bool = true;

    type Walk<'p>
        = kernel::DepthFirstWalk<'p, P, B, H>
    where
        P: 'p;

    fn walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        kernel::DepthFirstWalk::new(tree)
    }
}

/// All nodes of one depth before those of the next:
/// [`Search::breadth_first`](super::Search::breadth_first). States must be `Clone`: each node that
/// waits has its own.
#[derive(Clone, Copy, Debug)]
pub struct BreadthFirst;

impl<P: Problem<State: Clone>, B: Brancher<P>, H: Hooks<P>> Strategy<P, B, H> for BreadthFirst {
    type Walk<'p>
        = breadth_first::BreadthFirstWalk<'p, P, B, H, breadth_first::All>
    where
        P: 'p;

    fn walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        breadth_first::BreadthFirstWalk::new(tree, breadth_first::All)
    }
}

/// The best nodes of each depth before those of the next: [`Search::beam`](super::Search::beam).
#[derive(Clone, Copy)]
pub struct Beam<F> {
    pub(crate) width: usize,
    pub(crate) key: F,
}

impl<F> fmt::Debug for Beam<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Beam").field("width", &self.width).finish_non_exhaustive()
    }
}

impl<P, B, H, K, F> Strategy<P, B, H> for Beam<F>
where
    P: Problem<State: Clone>,
    B: Brancher<P>,
    H: Hooks<P>,
    K: Ord,
    F: FnMut(&P, &P::State) -> K,
{
    type Walk<'p>
        = breadth_first::BreadthFirstWalk<'p, P, B, H, Self>
    where
        P: 'p;

    fn walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        breadth_first::BreadthFirstWalk::new(tree, self)
    }
}

/// The node with the best bound before all others:
/// [`Search::best_first`](super::Search::best_first).
pub struct BestFirst<V, G> {
    pub(crate) incumbent: Incumbent<V>,
    pub(crate) bound: G,
    pub(crate) open_nodes: usize,
}

impl<V, G> fmt::Debug for BestFirst<V, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BestFirst").field("open_nodes", &self.open_nodes).finish_non_exhaustive()
    }
}

impl<P, B, H, V, G> Strategy<P, B, H> for BestFirst<V, G>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    V: Ord + Clone,
    G: FnMut(&P, &P::State) -> V,
{
    type Walk<'p>
        = best_first::BestFirstWalk<'p, P, B, H, V, G>
    where
        P: 'p;

    fn walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        best_first::BestFirstWalk::new(tree, self)
    }
}
