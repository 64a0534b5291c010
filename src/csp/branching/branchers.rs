//! The branchers of networks: [`Branching`], [`least_constraining`] and [`Halves`].

use super::values::{Ascending, ValueOrder, Values, middle};
use super::variables::{InputOrder, VariableOrder};
use crate::brancher::{Brancher, Sorted};
use crate::csp::{Decision, Network, Variable};
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};
use crate::problem::Branch;

/// A brancher that chooses a variable by one order and tries all of its values in another.
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
    /// Creates a brancher from an order of variables and an order of values.
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

/// Creates a brancher that chooses variables in the given order, and tries the value first that
/// prunes the fewest values of the open neighbours (*least constraining value*; Haralick and
/// Elliott 1980; Geelen 1992). Ties go to the smaller value.
///
/// This order finds a first solution sooner; it does not help to count all. The time per node is
/// that of [`Network::values_taken`] for each value of the variable.
///
/// The brancher is [`Sorted`] with that number as its key. Any other key works in the same way,
/// over any brancher:
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{
///     Branching, CentreOut, Decision, Network, Propagate, SmallestDomain, least_constraining,
/// };
/// use secateurs::brancher::{Shuffled, Sorted};
/// use secateurs::problems::queens::Queens;
/// use secateurs::Node;
///
/// let queens = Queens::new(12)?.board().network();
/// let smallest = SmallestDomain::first_tie();
/// let search = || Search::new(&queens).hooks((Propagate::forward(),));
/// assert!(search().brancher(least_constraining(smallest)).first().solution().is_some());
///
/// // A custom key: even columns before odd ones, and each from the centre outwards.
/// let parity = |_: &Node<'_, Network>, decision: &Decision| match *decision {
///     Decision::Is(_, value) => value % 2,
///     _ => 0,
/// };
/// let order = Sorted::over(Branching::new(smallest, CentreOut), parity);
/// assert!(search().brancher(order).first().solution().is_some());
///
/// // Values in random order, reproducible by the seed.
/// let order = Shuffled::over(Branching::new(smallest, CentreOut), 7);
/// assert!(search().brancher(order).first().solution().is_some());
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[must_use]
pub fn least_constraining<V: VariableOrder>(variables: V) -> LeastConstraining<V> {
    let key: fn(&Node<'_, Network>, &Decision) -> u64 = values_taken;
    Sorted::over(Branching::new(variables, Ascending), key).parameters(&())
}

/// The brancher of [`least_constraining`].
pub type LeastConstraining<V> =
    Sorted<Branching<V, Ascending>, fn(&Node<'_, Network>, &Decision) -> u64>;

fn values_taken(node: &Node<'_, Network>, decision: &Decision) -> u64 {
    match *decision {
        Decision::Is(variable, value) => node.problem().values_taken(node.state(), variable, value),
        Decision::AtMost(..) | Decision::AtLeast(..) => 0,
    }
}

/// A brancher that splits the range of a variable in the middle: the lower half first, then the
/// upper half (*domain splitting*).
///
/// It suits large domains whose constraints reason about bounds, such as sums: propagation refutes
/// an impossible half at once, instead of each of its values. A variable with two values is split
/// into one and the other.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Halves, InputOrder, Model, Propagate};
///
/// let mut model = Model::new();
/// let (x, y) = (model.variable(0..=999)?, model.variable(0..=999)?);
/// model.binary(x, y, |x, y| x + y == 1500)?;
/// let network = model.build();
/// let halves = Halves::new(InputOrder);
/// let outcome = Search::new(&network).hooks((Propagate::full(),)).brancher(halves).count();
/// assert_eq!(outcome.exact(), Some(499));
/// # Ok::<(), secateurs::csp::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Halves<V = InputOrder> {
    variables: V,
}

impl<V: VariableOrder> Halves<V> {
    /// Creates a brancher that splits the variables in this order.
    #[must_use]
    pub fn new(variables: V) -> Self {
        Halves { variables }
    }
}

/// The cursor of [`Halves`]: a variable and the value at which it is split.
#[derive(Clone, Copy, Debug)]
pub struct DomainSplit {
    variable: Variable,
    /// The largest value of the lower half.
    middle: i32,
    tried: u8,
}

impl<V: VariableOrder> Brancher<Network> for Halves<V> {
    type Cursor = DomainSplit;

    fn parameters(&self) -> Option<Digest> {
        self.variables.parameters()
    }

    fn memory(&self) -> HookMemory {
        self.variables.memory()
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, Network>) -> Branch<DomainSplit> {
        let domains = node.state();
        let Some(variable) = self.variables.choose(node) else {
            return node.problem().leaf(domains);
        };
        match (domains.min(variable), domains.max(variable)) {
            (Some(low), Some(high)) => {
                Branch::Inner(DomainSplit { variable, middle: middle(low, high), tried: 0 })
            }
            _ => Branch::DeadEnd,
        }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, Network>, split: &mut DomainSplit) -> Option<Decision> {
        let DomainSplit { variable, middle, tried } = *split;
        split.tried += 1;
        match tried {
            // If one value remains, this is the only child: the upper half is empty.
            0 => Some(Decision::AtMost(variable, middle)),
            1 if !node.state().is_assigned(variable) => {
                Some(Decision::AtLeast(variable, middle + 1))
            }
            _ => None,
        }
    }
}
