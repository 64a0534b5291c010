//! A brancher that is watched: solutions as they are met, nodes as they are left, and whether
//! undoing restores the state.

use std::marker::PhantomData;

use crate::brancher::Brancher;
use crate::hook::{Effect, HookMemory, Node};
use crate::problem::{Branch, Problem};

/// A brancher in a box, whatever its cursors are.
pub(super) type AnyBrancher<'a, P> = Box<dyn Brancher<P, Cursor = ()> + 'a>;

/// What is told of a walk, node by node, after the hooks have had their say.
pub(super) trait Observer<P: Problem> {
    /// A node was entered and kept.
    fn enter(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }

    /// It is a solution.
    fn solution(&mut self, node: &Node<'_, P>);

    /// It is left, and all below it has been walked over, unless it is at the limit of depth;
    /// whether it may have children.
    fn leave(&mut self, node: &Node<'_, P>, is_inner: bool) {
        let _ = (node, is_inner);
    }

    /// The state at `node` was `before`, and is not any more now that `choice` has been taken back.
    fn leaked(&mut self, node: &Node<'_, P>, before: &P::State, choice: Option<&P::Choice>);

    /// Whether enough has been seen.
    fn is_done(&self) -> bool {
        false
    }
}

/// A brancher that keeps its cursors to itself, one a depth: a depth-first walk has no more of them
/// at a time.
pub(super) struct ErasedCursors<P, B, K> {
    brancher: B,
    cursors: Vec<K>,
    problem: PhantomData<fn(&P)>,
}

impl<P: Problem, B: Brancher<P>> ErasedCursors<P, B, B::Cursor> {
    pub(super) fn new(brancher: B) -> Self {
        ErasedCursors { brancher, cursors: Vec::new(), problem: PhantomData }
    }
}

impl<P: Problem, B: Brancher<P>> Brancher<P> for ErasedCursors<P, B, B::Cursor> {
    type Cursor = ();

    fn branch(&mut self, node: &Node<'_, P>) -> Branch<()> {
        self.cursors.truncate(node.depth());
        let cursors = &mut self.cursors;
        self.brancher.branch(node).map(|cursor| cursors.push(cursor))
    }
    fn next(&mut self, node: &Node<'_, P>, (): &mut ()) -> Option<P::Choice> {
        self.brancher.next(node, &mut self.cursors[node.depth()])
    }
    fn effect(&self) -> Effect {
        self.brancher.effect()
    }
    fn memory(&self) -> HookMemory {
        self.brancher.memory()
    }
    fn enter(&mut self, node: &Node<'_, P>) {
        self.brancher.enter(node);
    }
    fn leave(&mut self, node: &Node<'_, P>) {
        self.brancher.leave(node);
    }
}

/// Passes on what a brancher says, and tells an observer.
///
/// A node's next child is drawn exactly when the one before it has been undone: that is when the
/// state must be what it was.
pub(super) struct ObservedBrancher<'a, P: Problem, O> {
    brancher: AnyBrancher<'a, P>,
    observer: O,
    /// The state of each inner node on the path, and the child that was drawn last.
    open: Vec<(P::State, Option<P::Choice>)>,
}

impl<'a, P: Problem, O: Observer<P>> ObservedBrancher<'a, P, O> {
    pub(super) fn new(brancher: AnyBrancher<'a, P>, observer: O) -> Self {
        ObservedBrancher { brancher, observer, open: Vec::new() }
    }
}

impl<P, O> Brancher<P> for ObservedBrancher<'_, P, O>
where
    P: Problem<State: Clone + PartialEq, Choice: Clone>,
    O: Observer<P>,
{
    type Cursor = ();

    fn branch(&mut self, node: &Node<'_, P>) -> Branch<()> {
        let branch = self.brancher.branch(node);
        if branch.is_solution() {
            self.observer.solution(node);
        }
        self.open.truncate(node.depth());
        branch.map(|()| self.open.push((node.state().clone(), None)))
    }

    fn next(&mut self, node: &Node<'_, P>, cursor: &mut ()) -> Option<P::Choice> {
        if self.observer.is_done() {
            return None;
        }
        let (state, last) = &mut self.open[node.depth()];
        if *node.state() != *state {
            self.observer.leaked(node, state, last.as_ref());
            return None;
        }
        let choice = self.brancher.next(node, cursor);
        last.clone_from(&choice);
        choice
    }

    fn effect(&self) -> Effect {
        self.brancher.effect()
    }
    fn memory(&self) -> HookMemory {
        self.brancher.memory()
    }
    fn enter(&mut self, node: &Node<'_, P>) {
        self.brancher.enter(node);
        self.observer.enter(node);
    }
    fn leave(&mut self, node: &Node<'_, P>) {
        self.observer.leave(node, self.open.len() > node.depth());
        self.brancher.leave(node);
    }
}
