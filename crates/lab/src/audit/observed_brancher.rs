//! A wrapper that observes a walk through its brancher: visited solutions, nodes that are left, and
//! whether undo restores the state.

use std::marker::PhantomData;

use secateurs::hook::HookMemory;
use secateurs::{Branch, Brancher, Cuts, Effect, IncumbentId, Node, Problem};

/// A boxed brancher with its cursor type erased.
pub(super) type AnyBrancher<'a, P> = Box<dyn Brancher<P, Cursor = ()> + 'a>;

/// An observer of a walk, called for each node after the hooks.
pub(super) trait Observer<P: Problem> {
    /// Called when a node was entered and kept.
    fn enter(&mut self, node: &Node<'_, P>) {
        let _ = node;
    }

    /// Called when the node is a solution.
    fn solution(&mut self, node: &Node<'_, P>);

    /// Called when a node is left. `has_more` states whether it was left before its children had
    /// ended: at the depth limit, or because a hook has cut off the last ones.
    fn leave(&mut self, node: &Node<'_, P>, has_more: bool) {
        let _ = (node, has_more);
    }

    /// Called when undoing `choice` has not restored the state at `node`, which was `before`.
    fn undo_failed(&mut self, node: &Node<'_, P>, before: &P::State, choice: Option<&P::Choice>);

    /// Returns whether the walk may stop.
    fn is_done(&self) -> bool {
        false
    }
}

/// A brancher that stores its own cursors, one per depth, so that its cursor type can be erased. A
/// depth-first walk has at most one open cursor per depth.
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
        self.brancher.memory().with_path()
    }
    fn incumbent(&self) -> Option<IncumbentId> {
        self.brancher.incumbent()
    }
    fn cuts(&self) -> &[Cuts] {
        self.brancher.cuts()
    }
    fn enter(&mut self, node: &Node<'_, P>) {
        self.brancher.enter(node);
    }
    fn leave(&mut self, node: &Node<'_, P>) {
        self.brancher.leave(node);
    }
}

/// A brancher that forwards the calls of a walk to another one and notifies an observer.
///
/// The walk draws the next child of a node right after it has undone the previous one. The state is
/// compared at that moment.
pub(super) struct ObservedBrancher<'a, P: Problem, O> {
    brancher: AnyBrancher<'a, P>,
    observer: O,
    /// The state of each inner node on the path, and its last drawn choice.
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
            self.observer.undo_failed(node, state, last.as_ref());
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
        self.brancher.memory().with_path()
    }
    fn incumbent(&self) -> Option<IncumbentId> {
        self.brancher.incumbent()
    }
    fn cuts(&self) -> &[Cuts] {
        self.brancher.cuts()
    }
    fn enter(&mut self, node: &Node<'_, P>) {
        self.brancher.enter(node);
        self.observer.enter(node);
    }
    fn leave(&mut self, node: &Node<'_, P>) {
        let has_more = self.open.get(node.depth()).is_some_and(|(_, last)| last.is_some());
        self.observer.leave(node, has_more);
        self.brancher.leave(node);
    }
}
