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

/// The open variable with the fewest values left, where ties are a matter of history: an array
/// holds the variables in some order, the chosen one is swapped to the front of those that are
/// open, *and the swap is never undone*.
///
/// This is how early programs kept the variables that are not yet decided, and what makes their
/// trees of just the size that they printed. What was searched before decides about ties; nothing
/// else does, so that each run of a search starts from the same order (that of the root, in which
/// the variables were added) and makes the same tree. But a part of a tree that is searched by
/// itself may have another shape than it has in the whole, and the report [says
/// so](crate::Report::nondeterministic_parts). For a search that does not need to look like another
/// one, take [`SmallestDomain`](super::SmallestDomain).
///
/// Cost: a look at every variable.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Ascending, Branching, Propagate, SwappedOrder};
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(8)?.board().network();
/// let placed = |order| {
///     let forward = Propagate::forward().without_wipe_out_test();
///     let outcome = Search::new(&queens).hooks((forward,)).brancher(Branching::new(order, Ascending)).count();
///     assert_eq!(outcome.exact(), Some(92));
///     outcome.report().nodes() - 1
/// };
/// assert_eq!(placed(SwappedOrder::first_tie()), 1338);
/// assert_eq!(placed(SwappedOrder::last_tie()), 1309);
/// # Ok::<(), secateurs::problems::queens::QueensError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SwappedOrder {
    last: bool,
    order: Vec<Variable>,
}

impl SwappedOrder {
    /// Of several variables with the fewest values, the one that stands first in the array (a
    /// program that compares with `<`).
    #[must_use]
    pub fn first_tie() -> Self {
        SwappedOrder { last: false, order: Vec::new() }
    }

    /// Of several variables with the fewest values, the one that stands last in the array (a
    /// program that compares with `<=`).
    #[must_use]
    pub fn last_tie() -> Self {
        SwappedOrder { last: true, order: Vec::new() }
    }
}

impl VariableOrder for SwappedOrder {
    /// Ties go by all nodes that were met.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.last))
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Visited
    }

    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        let (network, domains) = (node.problem(), node.state());
        if node.depth() == 0 || self.order.len() != network.len() {
            self.order.clear();
            self.order.extend(network.variables());
        }
        let mut front = None;
        let mut chosen = 0;
        let mut least = usize::MAX;
        for (place, &variable) in self.order.iter().enumerate() {
            if !domains.is_open(variable) {
                continue;
            }
            front.get_or_insert(place);
            let size = domains.size(variable);
            if size < least || self.last && size == least {
                (least, chosen) = (size, place);
            }
        }
        let front = front?;
        self.order.swap(front, chosen);
        Some(self.order[front])
    }
}
