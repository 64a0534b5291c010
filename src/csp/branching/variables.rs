//! Which variable is decided next.

use crate::csp::{Domains, Network, Variable};
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};

/// Chooses the variable that is decided next.
///
/// A closure from a network and its domains to a variable is one.
///
/// # If an implementation lies
///
/// A variable that is no longer [open](Domains::is_open) is decided again, without end if nothing
/// else is ever chosen. If none is chosen while some are open, the node is a dead end unless all
/// variables are assigned and all constraints hold.
pub trait VariableOrder {
    /// An open variable, or `None` if there is none.
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable>;

    /// Returns a digest of all data that the choice depends on, beside the domains and the path;
    /// see [`Brancher::parameters`](crate::Brancher::parameters).
    fn parameters(&self) -> Option<Digest> {
        Digest::of_unit(self)
    }

    /// Whether the choice depends on what this order remembers of the path; see
    /// [`Brancher::follows_path`](crate::Brancher::follows_path). Default: `true`, which is always
    /// right.
    fn follows_path(&self) -> bool {
        true
    }

    /// Whether the choice depends on what was searched before; see
    /// [`Brancher::memory`](crate::Brancher::memory). Default: [`HookMemory::Path`], it does not.
    fn memory(&self) -> HookMemory {
        HookMemory::Path
    }
}

impl<F: FnMut(&Network, &Domains) -> Option<Variable>> VariableOrder for F {
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        self(node.problem(), node.state())
    }
}

/// The open variable that was added first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputOrder;

impl InputOrder {
    #[inline]
    pub(in crate::csp) fn first_open(self, domains: &Domains) -> Option<Variable> {
        domains.open().next()
    }
}

impl VariableOrder for InputOrder {
    #[inline]
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        self.first_open(node.state())
    }

    fn follows_path(&self) -> bool {
        false
    }
}

/// The open variable with the fewest values left: the *fail-first principle* (Haralick and Elliott
/// 1980; the queens of Bitner and Reingold 1975).
///
/// Cost: a look at every open variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallestDomain {
    last: bool,
}

impl SmallestDomain {
    /// Of several variables with the fewest values, the one that was added first.
    #[must_use]
    pub fn first_tie() -> Self {
        SmallestDomain { last: false }
    }

    /// Of several variables with the fewest values, the one that was added last.
    #[must_use]
    pub fn last_tie() -> Self {
        SmallestDomain { last: true }
    }
}

impl VariableOrder for SmallestDomain {
    #[inline]
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        let domains = node.state();
        let mut smallest = None;
        let mut least = usize::MAX;
        domains.for_each_open(|variable, size| {
            if size < least || self.last && size == least {
                least = size;
                smallest = Some(variable);
            }
        });
        smallest
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.last))
    }

    fn follows_path(&self) -> bool {
        false
    }
}
