//! Searches below a node: [`Prefixed`].

use std::borrow::Cow;

use secateurs::hook::HookMemory;
use secateurs::{Branch, Brancher, Effect, Node, Problem};

/// A brancher that first follows a path, given by the index of each node among its siblings.
pub struct Prefixed<B> {
    /// The brancher that draws the siblings, and searches the subtree below the path.
    pub inner: B,
    /// The path.
    pub path: Vec<usize>,
    /// Whether the node at the end of the path has no children.
    pub ends: bool,
}

impl<P: Problem, B: Brancher<P>> Brancher<P> for Prefixed<B> {
    type Cursor = (B::Cursor, usize);

    fn name(&self) -> Cow<'static, str> {
        self.inner.name()
    }
    fn effect(&self) -> Effect {
        Effect::Lossy
    }
    fn memory(&self) -> HookMemory {
        self.inner.memory()
    }

    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor> {
        if self.ends && node.depth() >= self.path.len() {
            return Branch::DeadEnd;
        }
        match self.inner.branch(node).map(|cursor| (cursor, 0)) {
            // Solutions above the subtree are not its own.
            Branch::SolutionInner(cursor) if node.depth() < self.path.len() => {
                Branch::Inner(cursor)
            }
            branch => branch,
        }
    }

    fn next(&mut self, node: &Node<'_, P>, cursor: &mut Self::Cursor) -> Option<P::Choice> {
        let (cursor, drawn) = cursor;
        let Some(&place) = self.path.get(node.depth()) else {
            return self.inner.next(node, cursor);
        };
        while *drawn <= place {
            let choice = self.inner.next(node, cursor);
            *drawn += 1;
            if *drawn > place {
                return choice;
            }
            choice?;
        }
        None
    }

    fn enter(&mut self, node: &Node<'_, P>) {
        self.inner.enter(node);
    }
    fn leave(&mut self, node: &Node<'_, P>) {
        self.inner.leave(node);
    }
}
