//! Smallest domain first, in an order that remembers.

use super::VariableOrder;
use crate::csp::{Network, Variable};
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};

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
/// # Ok::<(), secateurs::problems::InstanceError>(())
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
