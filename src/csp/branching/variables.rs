//! Variable orders: the choice of the next variable to decide.

use crate::csp::{Domains, Network, Variable};
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};

/// The choice of the next variable to decide.
///
/// A closure from a network and its domains to a variable implements this trait.
///
/// # Contract
///
/// An implementation must return an [open](Domains::is_open) variable if there is one. A variable
/// that is not open is decided again, endlessly if nothing else is ever chosen. If `None` is
/// returned while variables are open, the node is a dead end unless all variables are assigned and
/// all constraints hold.
pub trait VariableOrder {
    /// Returns an open variable, or `None` if there is none.
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable>;

    /// Returns a digest of all data that the choice depends on, beside the domains and the path;
    /// see [`Brancher::parameters`](crate::Brancher::parameters).
    fn parameters(&self) -> Option<Digest> {
        Digest::of_unit(self)
    }

    /// Returns what this order stores about the search in itself; see
    /// [`Brancher::memory`](crate::Brancher::memory). Default: [`HookMemory::Path`], the path only.
    fn memory(&self) -> HookMemory {
        HookMemory::Path
    }
}

impl<F: FnMut(&Network, &Domains) -> Option<Variable>> VariableOrder for F {
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        self(node.problem(), node.state())
    }
}

/// A variable order that chooses the open variable that was added first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputOrder;

impl VariableOrder for InputOrder {
    #[inline]
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        node.state().open().next()
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
}

/// A variable order that chooses the open variable with the fewest remaining values: the
/// *fail-first principle* (Haralick and Elliott 1980; the queens of Bitner and Reingold 1975).
///
/// The time per node is linear in the number of open variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallestDomain {
    last_tie: bool,
}

impl SmallestDomain {
    /// Breaks ties by the variable that was added first.
    #[must_use]
    pub fn first_tie() -> Self {
        SmallestDomain { last_tie: false }
    }

    /// Breaks ties by the variable that was added last.
    #[must_use]
    pub fn last_tie() -> Self {
        SmallestDomain { last_tie: true }
    }
}

impl VariableOrder for SmallestDomain {
    #[inline]
    fn choose(&mut self, node: &Node<'_, Network>) -> Option<Variable> {
        let domains = node.state();
        let mut smallest = None;
        let mut least = usize::MAX;
        domains.for_each_open(|variable, size| {
            if size < least || self.last_tie && size == least {
                least = size;
                smallest = Some(variable);
            }
        });
        smallest
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.last_tie))
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
}

/// A smallest-domain order whose ties depend on the history of the search. An array holds all
/// variables; the chosen one is swapped to the front of the open ones, *and the swap is never
/// undone*.
///
/// Early programs kept their undecided variables in this way, and this order reproduces their
/// published tree sizes. Only the earlier choices of a run decide ties, and every run begins with
/// the same order (the one in which the variables were added), so that every run has the same tree.
/// A subtree that is searched on its own, however, may have another shape than in the whole run,
/// and the report [says so](crate::Report::nondeterministic_parts). Unless you reproduce such a
/// program, use [`SmallestDomain`].
///
/// The time per node is linear in the number of variables.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Ascending, Branching, Propagate, SwappedOrder};
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(8)?.board().network();
/// let placed = |order| {
///     let forward = Propagate::forward().without_wipe_out_test();
///     let order = Branching::new(order, Ascending);
///     let outcome = Search::new(&queens).hooks((forward,)).brancher(order).count();
///     assert_eq!(outcome.exact(), Some(92));
///     outcome.report().nodes() - 1
/// };
/// assert_eq!(placed(SwappedOrder::first_tie()), 1338);
/// assert_eq!(placed(SwappedOrder::last_tie()), 1309);
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SwappedOrder {
    last_tie: bool,
    order: Vec<Variable>,
}

impl SwappedOrder {
    /// Breaks ties by the first variable in the array, as a program does that compares with `<`.
    #[must_use]
    pub fn first_tie() -> Self {
        SwappedOrder { last_tie: false, order: Vec::new() }
    }

    /// Breaks ties by the last variable in the array, as a program does that compares with `<=`.
    #[must_use]
    pub fn last_tie() -> Self {
        SwappedOrder { last_tie: true, order: Vec::new() }
    }
}

impl VariableOrder for SwappedOrder {
    /// The order of the array, which decides ties, is no parameter: it follows from the nodes
    /// visited.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.last_tie))
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
            if size < least || self.last_tie && size == least {
                (least, chosen) = (size, place);
            }
        }
        let front = front?;
        self.order.swap(front, chosen);
        Some(self.order[front])
    }
}
