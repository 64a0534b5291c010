//! The rule for the children of a node and their order: the trait [`Brancher`] and the ready-made
//! branchers [`ProblemOrder`], [`Sorted`] and [`Shuffled`].

mod ordering;

pub use ordering::{Children, Shuffled, Sorted};

use std::any::type_name;
use std::borrow::Cow;

use crate::digest::Digest;
use crate::hook::{Effect, HookMemory, Node};
use crate::problem::{Branch, Problem};

/// The one decider of a search: which variable is branched on next, and in which order its values
/// are tried.
///
/// The [`ProblemOrder`] asks the problem itself. Another brancher may reorder the children
/// ([`Sorted`], [`Shuffled`]) or branch on something else altogether, such as the smallest free
/// segment of a fire-net board, as long as it gives the same solutions in total, or
/// [says](Brancher::effect) that it does not.
///
/// # If an implementation lies
///
/// The tree is whatever the brancher makes it: a child left out is a part of the tree that is not
/// searched, a child given twice is searched twice, and the engine cannot tell. The outcome says
/// what the brancher [claims](Brancher::effect).
pub trait Brancher<P: Problem> {
    /// Where a node stands among its children.
    type Cursor;

    /// Says whether the node is a solution, and where its children start; see [`Problem::branch`].
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor>;

    /// Draws the next child of the node; see [`Problem::next`].
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut Self::Cursor) -> Option<P::Choice>;

    /// Returns its name, by which files know it. Default: the name of its type, which may change
    /// with the compiler, and when code is moved: a file is then refused.
    fn name(&self) -> Cow<'static, str> {
        type_name::<Self>().into()
    }

    /// Returns a digest of all data that its tree depends on, beside the problem and the path, such
    /// as a seed; see [`Hook::parameters`](crate::Hook::parameters).
    fn parameters(&self) -> Option<Digest> {
        Digest::of_unit(self)
    }

    /// What the tree that this brancher makes preserves of all the solutions: a claim, carried by
    /// the outcome as that of a [hook](crate::Hook::effect) is. Must not change during a run.
    /// Default: [`Effect::Preserving`]. One that leaves children out, such as a greedy one, is
    /// [`Effect::Lossy`]; one that keeps [`Effect::Representatives`] has no way to tell the sizes
    /// of their orbits, and makes counts partial.
    fn effect(&self) -> Effect {
        Effect::Preserving
    }

    /// Whether this brancher remembers in itself on which path the walk stands; see
    /// [`Hook::follows_path`](crate::Hook::follows_path). Default: `true`, which is always right.
    fn follows_path(&self) -> bool {
        true
    }

    /// What this brancher remembers beside the path, such as weights that rise with each conflict;
    /// see [`Hook::memory`](crate::Hook::memory). Must not change during a run. Default:
    /// [`HookMemory::Path`].
    ///
    /// Parts of a tree that are searched by different walks do not share what is remembered, and
    /// may then have other nodes than they have in the whole: the report [says
    /// so](crate::Report::nondeterministic_parts). What is found is the same.
    fn memory(&self) -> HookMemory {
        HookMemory::Path
    }

    /// Called when a node has been entered and kept by every hook, before
    /// [`branch`](Brancher::branch); also called when a path is replayed.
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

/// The name of [`ProblemOrder`].
const NAME: &str = "problem order";

/// The brancher that takes the children as the problem itself gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProblemOrder;

impl<P: Problem> Brancher<P> for ProblemOrder {
    type Cursor = P::Cursor;

    fn name(&self) -> Cow<'static, str> {
        NAME.into()
    }

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
