//! Hooks made of a closure: [`admit`], [`enter`], [`constraint`] and [`watch`].
//!
//! They are not called when a node is left, so they cannot keep a trail of the path; [`Node::path`]
//! provides it. A closure of [`admit`] or [`enter`] that remembers other nodes must [say
//! so](Admit::memory); a constraint must not remember any.

use std::borrow::Cow;

use super::{
    Constraint, Effect, Hook, HookMemory, Node, NodeMut, Substitute, SubstituteOrder, Verdict,
};
use crate::digest::Digest;
use crate::problem::Problem;

/// Creates a hook from a closure that decides before each choice; `effect` is what its cuts
/// preserve.
///
/// See the example of [`Search::admit`](crate::Search::admit).
pub fn admit<P, F>(name: impl Into<Cow<'static, str>>, effect: Effect, decide: F) -> Admit<F>
where
    P: Problem,
    F: FnMut(&Node<'_, P>, &P::Choice) -> Verdict,
{
    Admit::new(name.into(), effect, decide)
}

/// Creates a hook from a closure that decides after each choice and may tighten the state; `effect`
/// is what its cuts preserve.
pub fn enter<P, F>(name: impl Into<Cow<'static, str>>, effect: Effect, decide: F) -> Enter<F>
where
    P: Problem,
    F: FnMut(&mut NodeMut<'_, P>) -> Verdict,
{
    Enter::new(name.into(), effect, decide)
}

/// Creates a constraint: a solution counts only if `allows` holds for each node on the path to it,
/// the root and the solution included. `kind` states what it depends on; see
/// [constraints](crate::hook#constraints).
pub fn constraint<P: Problem, F: FnMut(&Node<'_, P>) -> bool>(
    name: impl Into<Cow<'static, str>>,
    kind: Constraint,
    allows: F,
) -> Constrained<F> {
    Constrained { name: name.into(), kind, parameters: Digest::of_zero_sized(&allows), allows }
}

/// Creates an observer: the closure is called with every node that the hooks before it keep.
pub fn watch<P: Problem, F: FnMut(&Node<'_, P>)>(
    name: impl Into<Cow<'static, str>>,
    observe: F,
) -> Watch<F> {
    Watch { name: name.into(), observe }
}

/// Defines a hook that a closure with these arguments decides in this method.
macro_rules! deciding_closure {
    ($(#[$doc:meta])* $hook:ident, FnMut($($argument:ty),*), $method:item) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $hook<F> {
            name: Cow<'static, str>,
            effect: Effect,
            substitute: Substitute,
            memory: HookMemory,
            parameters: Option<Digest>,
            decide: F,
        }

        impl<F> $hook<F> {
            fn new(name: Cow<'static, str>, effect: Effect, decide: F) -> Self {
                let substitute = Substitute::Elsewhere(SubstituteOrder::Unstated);
                let parameters = Digest::of_zero_sized(&decide);
                $hook { name, effect, substitute, memory: HookMemory::Nothing, parameters, decide }
            }

            /// Sets the place of the solutions that stand for lost ones; see [`Hook::substitute`].
            #[must_use]
            pub fn substitute(self, substitute: Substitute) -> Self {
                $hook { substitute, ..self }
            }

            /// Sets what the closure remembers between calls, in what it captures; see
            /// [`Hook::memory`], and [`Hook::admit`] for choices that are asked about again.
            /// Default: nothing. If it remembers more than is stated here, the claims of the run
            /// may be false.
            #[must_use]
            pub fn memory(self, memory: HookMemory) -> Self {
                $hook { memory, ..self }
            }

            crate::hook::parameters_of_captures!();
        }

        debug_fields!(impl[F] $hook<F>: name);

        impl<P: Problem, F: FnMut($($argument),*) -> Verdict> Hook<P> for $hook<F> {
            fn name(&self) -> &str {
                &self.name
            }
            fn effect(&self) -> Effect {
                self.effect
            }
            fn parameters(&self) -> Option<Digest> {
                self.parameters
            }
            fn substitute(&self) -> Substitute {
                self.substitute
            }
            fn memory(&self) -> HookMemory {
                self.memory
            }
            #[inline]
            $method
        }
    };
}

deciding_closure! {
    /// The hook that [`admit`] creates.
    Admit, FnMut(&Node<'_, P>, &P::Choice),
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        (self.decide)(node, choice)
    }
}

deciding_closure! {
    /// The hook that [`enter`] creates.
    Enter, FnMut(&mut NodeMut<'_, P>),
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        (self.decide)(node)
    }
}

/// The hook that [`constraint`] creates.
#[derive(Clone)]
pub struct Constrained<F> {
    name: Cow<'static, str>,
    kind: Constraint,
    parameters: Option<Digest>,
    allows: F,
}

impl<F> Constrained<F> {
    crate::hook::parameters_of_captures!();
}

/// The hook that [`watch`] creates.
#[derive(Clone)]
pub struct Watch<F> {
    name: Cow<'static, str>,
    observe: F,
}

impl<P: Problem, F: FnMut(&Node<'_, P>) -> bool> Hook<P> for Constrained<F> {
    fn name(&self) -> &str {
        &self.name
    }
    fn constraint(&self) -> Option<Constraint> {
        Some(self.kind)
    }
    fn parameters(&self) -> Option<Digest> {
        self.parameters
    }
    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        Verdict::keep_if((self.allows)(&node.as_node()))
    }
}

impl<P: Problem, F: FnMut(&Node<'_, P>)> Hook<P> for Watch<F> {
    fn name(&self) -> &str {
        &self.name
    }
    /// Returns no parameters: an observer prunes nothing, whatever its closure captures.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }
    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        (self.observe)(&node.as_node());
        Verdict::Keep
    }
}

debug_fields!(impl[F] Constrained<F>: name);
debug_fields!(impl[F] Watch<F>: name);
