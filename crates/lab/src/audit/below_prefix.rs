//! A constraint of paths in a search below a node: [`BelowPrefix`].

use secateurs::hook::HookMemory;
use secateurs::{Constraint, Effect, Hook, Node, NodeMut, Path, Problem, Verdict};

/// A constraint of paths in a search that begins below the root: it sees the whole path.
pub(super) struct BelowPrefix<'a, P: Problem> {
    hook: Box<dyn Hook<P> + 'a>,
    /// The length of the path to the node below which the search begins.
    prefix: usize,
    /// The whole path to the current node.
    path: Vec<P::Choice>,
}

impl<'a, P: Problem<Choice: Clone>> BelowPrefix<'a, P> {
    pub(super) fn new(hook: Box<dyn Hook<P> + 'a>, prefix: Vec<P::Choice>) -> Self {
        BelowPrefix { hook, prefix: prefix.len(), path: prefix }
    }

    /// Enters all nodes above the one where the search begins. They were kept by the audited
    /// search, so that the verdicts about them do not matter.
    fn enter_prefix(&mut self, node: &mut NodeMut<'_, P>) {
        let (problem, mut path) = (node.problem(), Vec::new());
        let below = std::mem::replace(node.state_mut(), problem.root());
        for choice in &self.path[..self.prefix] {
            let _ = self.hook.enter(&mut node.with_path(Path::from(&path)));
            problem.apply(node.state_mut(), choice);
            path.push(choice.clone());
        }
        *node.state_mut() = below;
    }

    /// Extends the prefix by the path of a node of the search.
    fn extend(&mut self, below: Path<'_, P::Choice>) {
        self.path.truncate(self.prefix);
        self.path.extend(below.iter().cloned());
    }
}

impl<P: Problem<Choice: Clone>> Hook<P> for BelowPrefix<'_, P> {
    fn name(&self) -> &str {
        self.hook.name()
    }
    fn effect(&self) -> Effect {
        self.hook.effect()
    }
    fn constraint(&self) -> Option<Constraint> {
        self.hook.constraint()
    }
    fn memory(&self) -> HookMemory {
        self.hook.memory()
    }

    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        self.extend(node.path());
        match self.path.len() < self.hook.admit_levels() {
            true => self.hook.admit(&node.with_path(Path::from(&self.path)), choice),
            false => Verdict::Keep,
        }
    }

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        if node.depth() == 0 {
            self.enter_prefix(node);
        }
        self.extend(node.path());
        self.hook.enter(&mut node.with_path(Path::from(&self.path)))
    }

    fn leave(&mut self, node: &Node<'_, P>) {
        self.extend(node.path());
        self.hook.leave(&node.with_path(Path::from(&self.path)));
    }
}
