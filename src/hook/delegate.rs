//! Implementations of [`Hook`] for references, boxes and options.

use super::{Constraint, Effect, Hook, HookMemory, Node, NodeMut, OFF, Substitute, Verdict};
use crate::digest::Digest;
use crate::incumbent::IncumbentId;
use crate::problem::Problem;

macro_rules! forward_to_pointee {
    ($pointer:ty) => {
        impl<P: Problem, H: Hook<P> + ?Sized> Hook<P> for $pointer {
            fn name(&self) -> &str {
                (**self).name()
            }
            fn effect(&self) -> Effect {
                (**self).effect()
            }
            fn constraint(&self) -> Option<Constraint> {
                (**self).constraint()
            }
            fn respects(&self, constraint: Constraint) -> bool {
                (**self).respects(constraint)
            }
            fn parameters(&self) -> Option<Digest> {
                (**self).parameters()
            }
            fn tolerates(&self, other: Effect, substitute: Substitute) -> bool {
                (**self).tolerates(other, substitute)
            }
            fn substitute(&self) -> Substitute {
                (**self).substitute()
            }
            fn incumbent(&self) -> Option<IncumbentId> {
                (**self).incumbent()
            }
            fn memory(&self) -> HookMemory {
                (**self).memory()
            }
            fn limit_memory(&self, bytes: usize) {
                (**self).limit_memory(bytes);
            }
            #[inline]
            fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
                (**self).admit(node, choice)
            }
            #[inline]
            fn admit_levels(&self) -> usize {
                (**self).admit_levels()
            }
            #[inline]
            fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
                (**self).enter(node)
            }
            #[inline]
            fn leave(&mut self, node: &Node<'_, P>) {
                (**self).leave(node);
            }
            fn leave_unfinished(&mut self, node: &Node<'_, P>) {
                (**self).leave_unfinished(node);
            }
            fn orbit(&self, node: &Node<'_, P>) -> Option<u64> {
                (**self).orbit(node)
            }
            fn stats(&self) -> Vec<(String, u64)> {
                (**self).stats()
            }
        }
    };
}

forward_to_pointee!(&mut H);
forward_to_pointee!(Box<H>);

/// `None` keeps every node; its name is `off`, and printed reports leave it out.
impl<P: Problem, H: Hook<P>> Hook<P> for Option<H> {
    fn name(&self) -> &str {
        self.as_ref().map_or(OFF, Hook::name)
    }
    fn effect(&self) -> Effect {
        self.as_ref().map_or(Effect::Preserving, Hook::effect)
    }
    fn constraint(&self) -> Option<Constraint> {
        self.as_ref().and_then(Hook::constraint)
    }
    fn respects(&self, constraint: Constraint) -> bool {
        self.as_ref().is_none_or(|hook| hook.respects(constraint))
    }
    fn parameters(&self) -> Option<Digest> {
        self.as_ref().map_or(Some(Digest::OFF), Hook::parameters)
    }
    fn tolerates(&self, other: Effect, substitute: Substitute) -> bool {
        self.as_ref().is_none_or(|hook| hook.tolerates(other, substitute))
    }
    fn substitute(&self) -> Substitute {
        self.as_ref().map_or(Substitute::Known, Hook::substitute)
    }
    fn incumbent(&self) -> Option<IncumbentId> {
        self.as_ref().and_then(Hook::incumbent)
    }
    fn memory(&self) -> HookMemory {
        self.as_ref().map_or(HookMemory::Nothing, Hook::memory)
    }
    fn limit_memory(&self, bytes: usize) {
        if let Some(hook) = self {
            hook.limit_memory(bytes);
        }
    }
    #[inline]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        self.as_mut().map_or(Verdict::Keep, |hook| hook.admit(node, choice))
    }
    #[inline]
    fn admit_levels(&self) -> usize {
        // Not 0 for `None`: a limit makes the engine ask every hook for its levels at each choice.
        self.as_ref().map_or(usize::MAX, Hook::admit_levels)
    }
    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        self.as_mut().map_or(Verdict::Keep, |hook| hook.enter(node))
    }
    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        if let Some(hook) = self {
            hook.leave(node);
        }
    }
    fn leave_unfinished(&mut self, node: &Node<'_, P>) {
        if let Some(hook) = self {
            hook.leave_unfinished(node);
        }
    }
    fn orbit(&self, node: &Node<'_, P>) -> Option<u64> {
        self.as_ref().map_or(Some(1), |hook| hook.orbit(node))
    }
    fn stats(&self) -> Vec<(String, u64)> {
        self.as_ref().map_or_else(Vec::new, Hook::stats)
    }
}
