//! Implementations of [`Hook`] that call another one: for references, boxes, options and probes.

use super::{Constraint, Effect, Hook, HookMemory, Node, NodeMut, OFF, Substitute, Verdict};
use crate::digest::Digest;
use crate::incumbent::IncumbentId;
use crate::problem::Problem;

/// Defines the methods of [`Hook`] that state its claims, as those of an optional hook.
macro_rules! claims_of {
    ($self:ident => $hook:expr) => {
        fn name(&$self) -> &str {
            $hook.map_or(OFF, |hook| hook.name())
        }
        fn effect(&$self) -> Effect {
            $hook.map_or(Effect::Preserving, |hook| hook.effect())
        }
        fn constraint(&$self) -> Option<Constraint> {
            $hook.and_then(|hook| hook.constraint())
        }
        fn respects(&$self, constraint: Constraint) -> bool {
            $hook.is_none_or(|hook| hook.respects(constraint))
        }
        fn parameters(&$self) -> Option<Digest> {
            $hook.map_or(Some(Digest::OFF), |hook| hook.parameters())
        }
        fn tolerates(&$self, other: Effect, substitute: Substitute) -> bool {
            $hook.is_none_or(|hook| hook.tolerates(other, substitute))
        }
        fn substitute(&$self) -> Substitute {
            $hook.map_or(Substitute::Known, |hook| hook.substitute())
        }
        fn incumbent(&$self) -> Option<IncumbentId> {
            $hook.and_then(|hook| hook.incumbent())
        }
        fn memory(&$self) -> HookMemory {
            $hook.map_or(HookMemory::Nothing, |hook| hook.memory())
        }
        fn limit_memory(&$self, bytes: usize) {
            if let Some(hook) = $hook {
                hook.limit_memory(bytes);
            }
        }
        #[inline]
        fn admit_levels(&$self) -> usize {
            // Not 0 for `None`: a limit makes the engine ask every hook for its levels at each
            // choice.
            $hook.map_or(usize::MAX, |hook| hook.admit_levels())
        }
        fn orbit(&$self, node: &Node<'_, P>) -> Option<u64> {
            $hook.map_or(Some(1), |hook| hook.orbit(node))
        }
        fn stats(&$self) -> Vec<(String, u64)> {
            $hook.map_or_else(Vec::new, |hook| hook.stats())
        }
    };
}

/// Defines the methods of [`Hook`] that are called during a walk, as those of an optional hook. A
/// node that was searched is left by `$leave`.
macro_rules! calls_of {
    ($self:ident => $hook:expr, $leave:ident) => {
        #[inline]
        fn admit(&mut $self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
            $hook.map_or(Verdict::Keep, |hook| hook.admit(node, choice))
        }
        #[inline]
        fn enter(&mut $self, node: &mut NodeMut<'_, P>) -> Verdict {
            $hook.map_or(Verdict::Keep, |hook| hook.enter(node))
        }
        #[inline]
        fn leave(&mut $self, node: &Node<'_, P>) {
            if let Some(hook) = $hook {
                hook.$leave(node);
            }
        }
        fn leave_unfinished(&mut $self, node: &Node<'_, P>) {
            if let Some(hook) = $hook {
                hook.leave_unfinished(node);
            }
        }
    };
}

impl<P: Problem, H: Hook<P> + ?Sized> Hook<P> for &mut H {
    claims_of!(self => Some(&**self));
    calls_of!(self => Some(&mut **self), leave);
}

impl<P: Problem, H: Hook<P> + ?Sized> Hook<P> for Box<H> {
    claims_of!(self => Some(&**self));
    calls_of!(self => Some(&mut **self), leave);
}

/// `None` keeps every node; its name is `off`, and printed reports leave it out.
impl<P: Problem, H: Hook<P>> Hook<P> for Option<H> {
    claims_of!(self => self.as_ref());
    calls_of!(self => self.as_mut(), leave);
}

/// A hook during walks that exhaust no subtree, such as random probes.
///
/// Every node is left [unfinished](Hook::leave_unfinished), even if a later hook prunes it. So the
/// hook learns nothing and all walks are alike. A hook that remembers [visited
/// nodes](HookMemory::Visited) is not called: it would prune every node that an earlier walk went
/// through.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct Probe<H>(pub(super) H);

impl<H> Probe<H> {
    #[inline]
    fn participant<P: Problem>(&mut self) -> Option<&mut H>
    where
        H: Hook<P>,
    {
        (!self.0.memory().includes_visited()).then_some(&mut self.0)
    }
}

impl<P: Problem, H: Hook<P>> Hook<P> for Probe<H> {
    claims_of!(self => Some(&self.0));
    calls_of!(self => self.participant::<P>(), leave_unfinished);
}
