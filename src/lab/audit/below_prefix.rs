//! A constraint of paths in a search below a node: [`BelowPrefix`].

use crate::hook::{Constraint, Effect, Hook, HookMemory, Node, NodeMut, Path, Steps, Verdict};
use crate::outcome::Tally;
use crate::problem::Problem;

/// A path that is continued by another one.
struct Continued<'p, C> {
    prefix: &'p [C],
    below: Path<'p, C>,
}

impl<C> Steps<C> for Continued<'_, C> {
    fn step(&self, index: usize) -> &C {
        match index.checked_sub(self.prefix.len()) {
            None => &self.prefix[index],
            Some(below) => &self.below[below],
        }
    }
}

/// A constraint of paths in a search that begins below the root: it sees the whole path.
pub(super) struct BelowPrefix<'a, P: Problem> {
    hook: Box<dyn Hook<P> + 'a>,
    prefix: Vec<P::Choice>,
}

impl<'a, P: Problem> BelowPrefix<'a, P> {
    /// Creates a hook that has entered all nodes above the end of the prefix. These were kept by
    /// the audited search, so that the verdicts about them do not matter.
    pub(super) fn new(
        problem: &P,
        mut hook: Box<dyn Hook<P> + 'a>,
        prefix: Vec<P::Choice>,
    ) -> Self {
        let (mut state, mut tally) = (problem.root(), Tally::NEW);
        for (depth, choice) in prefix.iter().enumerate() {
            let steps = Continued { prefix: &prefix, below: Path::new(&[], 0, None) };
            let path = Path::new(&steps, depth, None);
            let _ = hook.enter(&mut NodeMut::new(problem, &mut state, path, &mut tally));
            problem.apply(&mut state, choice);
        }
        BelowPrefix { hook, prefix }
    }
}

impl<P: Problem> Hook<P> for BelowPrefix<'_, P> {
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
        let steps = Continued { prefix: &self.prefix, below: node.path() };
        let path = Path::new(&steps, self.prefix.len() + node.depth(), None);
        let node = node.with_path(path);
        match node.depth() < self.hook.admit_levels() {
            true => self.hook.admit(&node, choice),
            false => Verdict::Keep,
        }
    }

    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let steps = Continued { prefix: &self.prefix, below: node.path() };
        let path = Path::new(&steps, self.prefix.len() + node.depth(), None);
        self.hook.enter(&mut node.with_path(path))
    }

    fn leave(&mut self, node: &Node<'_, P>) {
        let steps = Continued { prefix: &self.prefix, below: node.path() };
        let path = Path::new(&steps, self.prefix.len() + node.depth(), None);
        self.hook.leave(&node.with_path(path));
    }
}
