//! Hooks and branchers with claims that closures do not state.

use secateurs::hook::HookMemory;
use secateurs::{
    Branch, Brancher, Digest, Effect, Hook, IncumbentId, Node, NodeMut, Problem, Substitute,
    Verdict,
};

/// A hook made of another one, with further claims.
#[derive(Clone)]
pub struct Claiming<H> {
    hook: H,
    incumbent: Option<IncumbentId>,
    levels: usize,
    orbit: Option<u64>,
}

impl<H> Claiming<H> {
    /// Creates a hook that prunes and claims as `hook` does, which must be made of a closure by
    /// [`hook::admit`](secateurs::hook::admit) or [`hook::enter`](secateurs::hook::enter).
    pub fn new(hook: H) -> Self {
        Claiming { hook, incumbent: None, levels: usize::MAX, orbit: None }
    }

    /// States the incumbent that the hook compares with.
    pub fn incumbent(self, id: impl Into<Option<IncumbentId>>) -> Self {
        Claiming { incumbent: id.into(), ..self }
    }

    /// States the number of levels in which the hook is asked about choices.
    pub fn levels(self, levels: usize) -> Self {
        Claiming { levels, ..self }
    }

    /// States the number of solutions that each one represents.
    pub fn orbit(self, size: u64) -> Self {
        Claiming { orbit: Some(size), ..self }
    }
}

impl<P: Problem, H: Hook<P>> Hook<P> for Claiming<H> {
    fn name(&self) -> &str {
        self.hook.name()
    }
    fn effect(&self) -> Effect {
        self.hook.effect()
    }
    fn parameters(&self) -> Option<Digest> {
        self.hook.parameters()
    }
    fn substitute(&self) -> Substitute {
        self.incumbent.map_or(self.hook.substitute(), |_| Substitute::Known)
    }
    fn incumbent(&self) -> Option<IncumbentId> {
        self.incumbent
    }
    fn memory(&self) -> HookMemory {
        self.hook.memory()
    }
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        self.hook.admit(node, choice)
    }
    fn admit_levels(&self) -> usize {
        self.levels
    }
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        self.hook.enter(node)
    }
    fn orbit(&self, _: &Node<'_, P>) -> Option<u64> {
        self.orbit
    }
}

/// Returns a hook whose type does not depend on its closure, so that the engine is compiled once
/// for all such hooks.
pub fn boxed<'a, P: Problem>(hook: impl Hook<P> + 'a) -> Box<dyn Hook<P> + 'a> {
    Box::new(hook)
}

/// A brancher of the children that `keeps` accepts, in the order of the problem.
#[derive(Clone)]
pub struct Only<F> {
    pub effect: Effect,
    pub memory: HookMemory,
    pub keeps: F,
}

impl<P: Problem, F: FnMut(&Node<'_, P>, &P::Choice) -> bool> Brancher<P> for Only<F> {
    type Cursor = P::Cursor;

    fn branch(&mut self, node: &Node<'_, P>) -> Branch<P::Cursor> {
        node.problem().branch(node.state())
    }
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut P::Cursor) -> Option<P::Choice> {
        let mut children = std::iter::from_fn(|| node.problem().next(node.state(), cursor));
        children.find(|child| (self.keeps)(node, child))
    }
    fn effect(&self) -> Effect {
        self.effect
    }
    fn memory(&self) -> HookMemory {
        self.memory
    }
}
