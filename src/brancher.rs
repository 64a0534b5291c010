//! Who decides on the children of a node and their order: [`Brancher`].

use crate::hook::Node;
use crate::problem::{Branch, Problem};

/// The one decider of a search: which variable is branched on next, and in which order its values are tried.
///
/// The [`ProblemOrder`] asks the problem itself. Another brancher may reorder the children
/// ([`hooks::Sorted`](crate::hooks::Sorted), [`hooks::Shuffled`](crate::hooks::Shuffled)) or branch on something else
/// altogether, such as the smallest free segment of a fire-net board, as long as it says the same solutions in total.
///
/// # If an implementation lies
///
/// The tree is whatever the brancher makes it: a child left out is a part of the tree that is not searched, a child
/// given twice is searched twice, and the engine cannot tell.
pub trait Brancher<P: Problem> {
    /// Where a node stands among its children.
    type Cursor;

    /// Says whether the node is a solution, and where its children start; see [`Problem::branch`].
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor>;

    /// Draws the next child of the node; see [`Problem::next`].
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut Self::Cursor) -> Option<P::Choice>;

    /// Whether this brancher remembers in itself on which path the walk stands; see
    /// [`Hook::follows_path`](crate::Hook::follows_path). Default: `true`, which is always right.
    fn follows_path(&self) -> bool {
        true
    }

    /// Called when a node has been entered and kept by every hook, before [`branch`](Brancher::branch); also called
    /// when a path is replayed.
    #[inline]
    fn enter(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }

    /// Called when an entered node is left, before the hooks leave it and before the undo.
    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }
}

/// The brancher that takes the children as the problem itself gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProblemOrder;

impl<P: Problem> Brancher<P> for ProblemOrder {
    type Cursor = P::Cursor;

    fn follows_path(&self) -> bool {
        false
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<P::Cursor> {
        node.problem().branch(node.state())
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut P::Cursor) -> Option<P::Choice> {
        node.problem().next(node.state(), cursor)
    }
}
