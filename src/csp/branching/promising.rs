//! Orders of values that look at what a value does to others.

use super::{Ascending, Branching, VariableOrder};
use crate::brancher::Sorted;
use crate::csp::{Decision, Network};
use crate::hook::Node;

/// A brancher that decides for the variables in the given order, and first tries the value that
/// takes the fewest values away from the open variables beside it (*least constraining value*;
/// Haralick and Elliott 1980; Geelen 1992). Of two that take the same number, the smaller comes
/// first.
///
/// It looks for a solution where most is left, and so pays where one is looked for, not where all
/// are counted. Cost: what [`Network::values_taken`] costs, for each value of the variable, once a
/// node.
///
/// This is [`Sorted`] with that number as its key, and any other key may be put there, over any
/// brancher:
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Branching, CentreOut, Decision, Network, Propagate, SmallestDomain, least_constraining};
/// use secateurs::brancher::{Shuffled, Sorted};
/// use secateurs::problems::queens::Queens;
/// use secateurs::Node;
///
/// let queens = Queens::new(12)?.board().network();
/// let smallest = SmallestDomain::first_tie();
/// let search = || Search::new(&queens).hooks((Propagate::forward(),));
/// assert!(search().brancher(least_constraining(smallest)).first().solution().is_some());
///
/// // A key of one's own: even columns before odd ones, and each from the centre outwards.
/// let parity = |_: &Node<'_, Network>, decision: &Decision| match *decision {
///     Decision::Is(_, value) => value % 2,
///     _ => 0,
/// };
/// let order = Sorted::over(Branching::new(smallest, CentreOut), parity);
/// assert!(search().brancher(order).first().solution().is_some());
///
/// // Random values, always the same ones for the same seed.
/// let order = Shuffled::over(Branching::new(smallest, CentreOut), 7);
/// assert!(search().brancher(order).first().solution().is_some());
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[must_use]
pub fn least_constraining<V: VariableOrder>(variables: V) -> LeastConstraining<V> {
    let key: fn(&Node<'_, Network>, &Decision) -> u64 = taken;
    Sorted::over(Branching::new(variables, Ascending), key).parameters(&())
}

/// The brancher that [`least_constraining`] makes.
pub type LeastConstraining<V> =
    Sorted<Branching<V, Ascending>, fn(&Node<'_, Network>, &Decision) -> u64>;

fn taken(node: &Node<'_, Network>, decision: &Decision) -> u64 {
    match *decision {
        Decision::Is(variable, value) => node.problem().values_taken(node.state(), variable, value),
        Decision::AtMost(..) | Decision::AtLeast(..) => 0,
    }
}
