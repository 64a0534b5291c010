//! Closures as hooks, in one line each.
//!
//! They are not told of leaving a node, and so cannot follow the path in themselves: [`Node::path`] gives it.

use std::borrow::Cow;
use std::fmt;

use super::{Effect, Hook, Node, NodeMut, Substitute, SubstituteOrder, Verdict};
use crate::problem::Problem;

/// A hook from a closure that is asked before each step; `effect` is what its cuts preserve.
///
/// See the [module's example](crate::hook).
pub fn admit<P, F>(name: impl Into<Cow<'static, str>>, effect: Effect, decide: F) -> Admit<F>
where
    P: Problem,
    F: FnMut(&Node<'_, P>, &P::Choice) -> Verdict,
{
    Admit { name: name.into(), effect, substitute: None, decide }
}

/// A hook from a closure that is asked after each step and may tighten the state; `effect` is what its cuts preserve.
pub fn enter<P, F>(name: impl Into<Cow<'static, str>>, effect: Effect, decide: F) -> Enter<F>
where
    P: Problem,
    F: FnMut(&mut NodeMut<'_, P>) -> Verdict,
{
    Enter { name: name.into(), effect, substitute: None, decide }
}

/// A hook from a closure that sees every node that the hooks before it have kept, and keeps it.
pub fn watch<P, F>(name: impl Into<Cow<'static, str>>, see: F) -> Watch<F>
where
    P: Problem,
    F: FnMut(&Node<'_, P>),
{
    Watch { name: name.into(), see }
}

/// What [`admit`] returns.
#[derive(Clone)]
pub struct Admit<F> {
    name: Cow<'static, str>,
    effect: Effect,
    substitute: Option<Substitute>,
    decide: F,
}

impl<F> Admit<F> {
    /// Sets the place of the solutions that stand for those that it loses: see [`Hook::substitute`].
    #[must_use]
    pub fn substitute(mut self, substitute: Substitute) -> Self {
        self.substitute = Some(substitute);
        self
    }
}

/// What [`enter`] returns.
#[derive(Clone)]
pub struct Enter<F> {
    name: Cow<'static, str>,
    effect: Effect,
    substitute: Option<Substitute>,
    decide: F,
}

impl<F> Enter<F> {
    /// Sets the place of the solutions that stand for those that it loses: see [`Hook::substitute`].
    #[must_use]
    pub fn substitute(mut self, substitute: Substitute) -> Self {
        self.substitute = Some(substitute);
        self
    }
}

/// What [`watch`] returns.
#[derive(Clone)]
pub struct Watch<F> {
    name: Cow<'static, str>,
    see: F,
}

impl<P: Problem, F: FnMut(&Node<'_, P>, &P::Choice) -> Verdict> Hook<P> for Admit<F> {
    fn name(&self) -> &str {
        &self.name
    }
    fn effect(&self) -> Effect {
        self.effect
    }
    fn substitute(&self) -> Substitute {
        self.substitute.unwrap_or(Substitute::Elsewhere(SubstituteOrder::Unstated))
    }
    fn follows_path(&self) -> bool {
        false
    }
    #[inline]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        (self.decide)(node, choice)
    }
}

impl<P: Problem, F: FnMut(&mut NodeMut<'_, P>) -> Verdict> Hook<P> for Enter<F> {
    fn name(&self) -> &str {
        &self.name
    }
    fn effect(&self) -> Effect {
        self.effect
    }
    fn substitute(&self) -> Substitute {
        self.substitute.unwrap_or(Substitute::Elsewhere(SubstituteOrder::Unstated))
    }
    fn follows_path(&self) -> bool {
        false
    }
    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        (self.decide)(node)
    }
}

impl<P: Problem, F: FnMut(&Node<'_, P>)> Hook<P> for Watch<F> {
    fn name(&self) -> &str {
        &self.name
    }
    fn follows_path(&self) -> bool {
        false
    }
    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        (self.see)(&node.as_node());
        Verdict::Keep
    }
}

macro_rules! debug_by_name {
    ($($hook:ident),*) => {$(
        impl<F> fmt::Debug for $hook<F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($hook)).field(&self.name).finish()
            }
        }
    )*};
}

debug_by_name!(Admit, Enter, Watch);
