//! Which variable is decided next, and in which order its values are tried.
//!
//! [`Branching`] is a brancher made of two parts, a [`VariableOrder`] and a [`ValueOrder`];
//! [`Halves`] splits domains instead of trying values one by one. For orders of values that need to
//! see all of them first, wrap either in [`Sorted`](crate::brancher::Sorted) or
//! [`Shuffled`](crate::brancher::Shuffled).

mod degree;
mod halves;
mod promising;
mod swapped;
mod values;
mod variables;

pub use degree::DomainOverDegree;
pub use halves::Halves;
pub use promising::{LeastConstraining, least_constraining};
pub use swapped::SwappedOrder;
pub use values::{Ascending, CentreOut, ValueOrder, Values};
pub use variables::{InputOrder, SmallestDomain, VariableOrder};

use super::{Decision, Network};
use crate::brancher::Brancher;
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};
use crate::problem::Branch;

/// A brancher that decides for one variable after the other, and tries each of its values.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Branching, CentreOut, Propagate, SmallestDomain};
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(50)?.board().network();
/// let order = Branching::new(SmallestDomain::first_tie(), CentreOut);
/// let outcome = Search::new(&queens).hooks((Propagate::forward(),)).brancher(order).first();
/// assert!(outcome.solution().is_some());
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Branching<V = InputOrder, W = Ascending> {
    variables: V,
    values: W,
}

impl<V: VariableOrder, W: ValueOrder> Branching<V, W> {
    /// Decides for the variables in one order, and tries their values in the other.
    #[must_use]
    pub fn new(variables: V, values: W) -> Self {
        Branching { variables, values }
    }
}

impl<V: VariableOrder, W: ValueOrder> Brancher<Network> for Branching<V, W> {
    type Cursor = Values<W::Cursor>;

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.variables.parameters(), self.values.parameters()])
    }

    fn follows_path(&self) -> bool {
        self.variables.follows_path()
    }

    fn memory(&self) -> HookMemory {
        self.variables.memory()
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, Network>) -> Branch<Self::Cursor> {
        let (network, domains) = (node.problem(), node.state());
        match self.variables.choose(node) {
            None => network.leaf(domains),
            Some(variable) => {
                Values::branch(variable, self.values.start(network, domains, variable), domains)
            }
        }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, Network>, cursor: &mut Self::Cursor) -> Option<Decision> {
        cursor.draw(node.problem(), node.state(), &mut self.values)
    }
}
