//! Branching by splitting domains.

use super::values::middle;
use super::{InputOrder, VariableOrder};
use crate::brancher::Brancher;
use crate::csp::{Decision, Network, Variable};
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};
use crate::problem::Branch;

/// A brancher that splits the range of a variable in the middle: first the lower half, then the
/// upper one.
///
/// For large domains whose constraints reason about bounds, such as sums: a half that cannot be is
/// cut off at once, where trying its values would fail for each of them. A variable of two values
/// is split into one and the other.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Halves, InputOrder, Model, Propagate};
///
/// let mut model = Model::new();
/// let (x, y) = (model.variable(0..=999)?, model.variable(0..=999)?);
/// model.binary(x, y, |x, y| x + y == 1500)?;
/// let network = model.build();
/// let outcome = Search::new(&network).hooks((Propagate::full(),)).brancher(Halves::new(InputOrder)).count();
/// assert_eq!(outcome.exact(), Some(499));
/// # Ok::<(), secateurs::csp::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Halves<V = InputOrder> {
    variables: V,
}

impl<V: VariableOrder> Halves<V> {
    /// Splits the variables in this order.
    #[must_use]
    pub fn new(variables: V) -> Self {
        Halves { variables }
    }
}

/// A variable and where it is split: the cursor of [`Halves`].
#[derive(Clone, Copy, Debug)]
pub struct Split {
    variable: Variable,
    /// The largest value of the lower half.
    middle: i32,
    tried: u8,
}

impl<V: VariableOrder> Brancher<Network> for Halves<V> {
    type Cursor = Split;

    fn parameters(&self) -> Option<Digest> {
        self.variables.parameters()
    }

    fn follows_path(&self) -> bool {
        self.variables.follows_path()
    }

    fn memory(&self) -> HookMemory {
        self.variables.memory()
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, Network>) -> Branch<Split> {
        let domains = node.state();
        let Some(variable) = self.variables.choose(node) else {
            return node.problem().leaf(domains);
        };
        match (domains.min(variable), domains.max(variable)) {
            (Some(low), Some(high)) => {
                Branch::Inner(Split { variable, middle: middle(low, high), tried: 0 })
            }
            _ => Branch::DeadEnd,
        }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, Network>, split: &mut Split) -> Option<Decision> {
        let Split { variable, middle, tried } = *split;
        split.tried += 1;
        match tried {
            // If one value is left, this is the only child: the upper half would be empty.
            0 => Some(Decision::AtMost(variable, middle)),
            1 if !node.state().is_assigned(variable) => {
                Some(Decision::AtLeast(variable, middle + 1))
            }
            _ => None,
        }
    }
}
