//! Searches below a node: [`Prefixed`].

use std::borrow::Cow;
use std::mem;

use secateurs::hook::HookMemory;
use secateurs::{Branch, Brancher, Effect, Incumbent, Node, Problem};

/// A brancher that first follows a path, given by the index of each node among its siblings.
pub struct Prefixed<B> {
    /// The brancher that draws the siblings, and searches the subtree below the path.
    pub inner: B,
    /// The path.
    pub path: Vec<usize>,
    /// The incumbent gets this value at the end of the path. Earlier, hooks would cut off nodes
    /// that the run kept when it knew less.
    pub known: Option<(&'static Incumbent<usize>, usize)>,
    /// Whether the node at the end of the path has no children.
    pub ends: bool,
}

impl<P: Problem, B: Brancher<P>> Brancher<P> for Prefixed<B> {
    type Cursor = (B::Cursor, bool);

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
        match self.inner.branch(node).map(|cursor| (cursor, false)) {
            // Solutions above the subtree are not its own.
            Branch::SolutionInner(cursor) if node.depth() < self.path.len() => {
                Branch::Inner(cursor)
            }
            branch => branch,
        }
    }

    fn next(&mut self, node: &Node<'_, P>, cursor: &mut Self::Cursor) -> Option<P::Choice> {
        let (cursor, is_drawn) = cursor;
        if let Some(&place) = self.path.get(node.depth()) {
            if mem::replace(is_drawn, true) {
                return None;
            }
            for _ in 0..place {
                self.inner.next(node, cursor)?;
            }
            if let Some((incumbent, known)) = self.known
                && node.depth() + 1 == self.path.len()
            {
                incumbent.offer(known);
            }
        }
        self.inner.next(node, cursor)
    }

    fn enter(&mut self, node: &Node<'_, P>) {
        self.inner.enter(node);
    }
    fn leave(&mut self, node: &Node<'_, P>) {
        self.inner.leave(node);
    }
}
