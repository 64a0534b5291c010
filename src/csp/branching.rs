//! The branchers of networks: [`Branching`], [`least_constraining`] and [`Halves`]; the orders in
//! which values are tried; and the [`Problem`] of a network, with variables in input order and
//! values in ascending order.

use std::sync::Arc;

use super::propagate::last_decision_fails;
use super::trail::Mark;
use super::variable_orders::{InputOrder, VariableOrder};
use super::{Decision, Domains, Network, Variable};
use crate::brancher::{Brancher, Sorted};
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};
use crate::memory::vec_bytes;
use crate::problem::{Branch, Problem};

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
        if last_decision_fails(network, domains) {
            return Branch::DeadEnd;
        }
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
/// that of [`Network::count_pruned_values`] for each value of the variable.
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
    let key: fn(&Node<'_, Network>, &Decision) -> u64 = count_pruned_values;
    Sorted::over(Branching::new(variables, Ascending), key).parameters(&())
}

/// The brancher of [`least_constraining`].
pub type LeastConstraining<V> =
    Sorted<Branching<V, Ascending>, fn(&Node<'_, Network>, &Decision) -> u64>;

fn count_pruned_values(node: &Node<'_, Network>, decision: &Decision) -> u64 {
    match *decision {
        Decision::Is(variable, value) => {
            node.problem().count_pruned_values(node.state(), variable, value)
        }
        Decision::AtMost(..) | Decision::AtLeast(..) => 0,
    }
}

/// A brancher that splits the range of a variable in two, and tries the lower part first.
///
/// [`Halves::new`] splits it in the middle (*domain splitting*). It suits large domains whose
/// constraints reason about bounds, such as sums: propagation refutes an impossible half at once,
/// instead of each of its values. Of two values, each is one half.
///
/// [`Halves::minimum_first`] splits off the smallest value (*two-way branching*). Unlike
/// [`Branching`], which tries all values at one node, it propagates that a value was refuted before
/// it tries the next one, and may then choose another variable.
///
/// ```
/// use secateurs::Search;
/// use secateurs::csp::{Halves, InputOrder, Model, Propagate};
///
/// let mut model = Model::new();
/// let (x, y) = (model.variable(0..=999)?, model.variable(0..=999)?);
/// model.binary(x, y, |x, y| x + y == 1500)?;
/// let network = model.build();
/// for order in [Halves::new(InputOrder), Halves::minimum_first(InputOrder)] {
///     let outcome = Search::new(&network).hooks((Propagate::full(),)).brancher(order).count();
///     assert_eq!(outcome.exact(), Some(499));
/// }
/// # Ok::<(), secateurs::csp::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Halves<V = InputOrder> {
    variables: V,
    splits_off_minimum: bool,
}

impl<V: VariableOrder> Halves<V> {
    /// Creates a brancher that splits the variables in this order, each in the middle.
    #[must_use]
    pub fn new(variables: V) -> Self {
        Halves { variables, splits_off_minimum: false }
    }

    /// Creates a brancher that splits off the smallest value of the variables in this order.
    #[must_use]
    pub fn minimum_first(variables: V) -> Self {
        Halves { variables, splits_off_minimum: true }
    }
}

/// The cursor of [`Halves`]: a variable and the value at which it is split.
#[derive(Clone, Copy, Debug)]
pub struct DomainSplit {
    variable: Variable,
    /// The largest value of the lower part.
    middle: i32,
    tried: u8,
}

impl<V: VariableOrder> Brancher<Network> for Halves<V> {
    type Cursor = DomainSplit;

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.variables.parameters(), Some(Digest::of(&self.splits_off_minimum))])
    }

    fn memory(&self) -> HookMemory {
        self.variables.memory()
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, Network>) -> Branch<DomainSplit> {
        let domains = node.state();
        if last_decision_fails(node.problem(), domains) {
            return Branch::DeadEnd;
        }
        let Some(variable) = self.variables.choose(node) else {
            return node.problem().leaf(domains);
        };
        match (domains.min(variable), domains.max(variable)) {
            (Some(low), Some(high)) => {
                let middle = if self.splits_off_minimum { low } else { middle(low, high) };
                Branch::Inner(DomainSplit { variable, middle, tried: 0 })
            }
            _ => Branch::DeadEnd,
        }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, Network>, split: &mut DomainSplit) -> Option<Decision> {
        let DomainSplit { variable, middle, tried } = *split;
        split.tried += 1;
        match tried {
            // If one value remains, this is the only child: the upper part is empty.
            0 => Some(Decision::AtMost(variable, middle)),
            1 if !node.state().is_assigned(variable) => {
                Some(Decision::AtLeast(variable, middle + 1))
            }
            _ => None,
        }
    }
}

/// The order in which the values of a variable are tried.
///
/// # Contract
///
/// An implementation must return each remaining value exactly once. A value that is left out is not
/// searched, a value that is returned twice is searched twice, and a value outside the domain makes
/// a dead end.
pub trait ValueOrder {
    /// The position among the values of a variable.
    type Cursor;

    /// Returns a digest of all data that the order depends on, except the domains and the path; see
    /// [`Brancher::parameters`].
    fn parameters(&self) -> Option<Digest> {
        Digest::of_zero_sized(self)
    }

    /// Returns the position before the first value of `variable`.
    fn start(&mut self, network: &Network, domains: &Domains, variable: Variable) -> Self::Cursor;

    /// Returns the next value. `domains` are in the state in which the cursor was made.
    fn next(
        &mut self,
        network: &Network,
        domains: &Domains,
        variable: Variable,
        cursor: &mut Self::Cursor,
    ) -> Option<i32>;
}

/// The cursor of [`Branching`]: a variable and the position among its values.
#[derive(Clone, Copy, Debug)]
pub struct Values<C> {
    variable: Variable,
    cursor: C,
}

impl<C> Values<C> {
    #[inline]
    pub(super) fn branch(variable: Variable, cursor: C, domains: &Domains) -> Branch<Self> {
        if domains.is_wiped_out(variable) {
            Branch::DeadEnd
        } else {
            Branch::Inner(Values { variable, cursor })
        }
    }

    #[inline]
    pub(super) fn draw(
        &mut self,
        network: &Network,
        domains: &Domains,
        order: &mut impl ValueOrder<Cursor = C>,
    ) -> Option<Decision> {
        let value = order.next(network, domains, self.variable, &mut self.cursor)?;
        Some(Decision::Is(self.variable, value))
    }
}

/// The value order from the smallest value to the largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ascending;

impl ValueOrder for Ascending {
    /// The smallest value that has not been tried.
    type Cursor = Option<i32>;

    #[inline]
    fn start(&mut self, _: &Network, _: &Domains, _: Variable) -> Option<i32> {
        Some(i32::MIN)
    }

    #[inline]
    fn next(
        &mut self,
        _: &Network,
        domains: &Domains,
        variable: Variable,
        cursor: &mut Option<i32>,
    ) -> Option<i32> {
        let value = domains.next_value(variable, (*cursor)?)?;
        *cursor = value.checked_add(1);
        Some(value)
    }
}

/// Returns the middle of a range, rounded down: less than `high` unless the range is a single
/// value.
pub(super) fn middle(low: i32, high: i32) -> i32 {
    // This fits: the middle lies between two `i32`.
    ((i64::from(low) + i64::from(high)) >> 1) as i32
}

/// The value order from the middle of the variable's original range (rounded down) outwards: the
/// middle, the value after it, the value before it, the second value after it, and so on.
///
/// Queens in the middle attack the most squares; placing them there first leaves the easy rows to
/// the end.
///
/// The time per node is linear in the size of the original range, whether its values remain or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CentreOut;

impl ValueOrder for CentreOut {
    /// The number of steps outwards.
    type Cursor = u32;

    #[inline]
    fn start(&mut self, _: &Network, _: &Domains, _: Variable) -> u32 {
        0
    }

    #[inline]
    fn next(
        &mut self,
        network: &Network,
        domains: &Domains,
        variable: Variable,
        step: &mut u32,
    ) -> Option<i32> {
        let (low, high) = network.bounds(variable)?;
        let middle = middle(low, high);
        // An odd step 2k - 1 goes up by k, an even step 2k goes down by k.
        let (up, down) = (middle.checked_add_unsigned(*step / 2 + 1), step.div_ceil(2));
        let up = up.and_then(|least| domains.next_value(variable, least));
        let down = middle.checked_sub_unsigned(down);
        let down = down.and_then(|most| domains.previous_value(variable, most));
        let steps = |value: i32| 2 * value.abs_diff(middle);
        let (value, at) = match (up, down) {
            (Some(up), Some(down)) if steps(up) <= steps(down) => (up, steps(up) - 1),
            (Some(up), None) => (up, steps(up) - 1),
            (_, down) => (down?, steps(down?)),
        };
        *step = at + 1;
        Some(value)
    }
}

impl Problem for Network {
    type State = Domains;
    type Cursor = Values<<Ascending as ValueOrder>::Cursor>;
    type Choice = Decision;
    type Undo = Mark;

    fn root(&self) -> Domains {
        Domains::new(Arc::clone(&self.layout), self.words.clone())
    }

    fn branch(&self, domains: &Domains) -> Branch<Self::Cursor> {
        if last_decision_fails(self, domains) {
            return Branch::DeadEnd;
        }
        match domains.open_variables().next() {
            None => self.leaf(domains),
            Some(variable) => {
                Values::branch(variable, Ascending.start(self, domains, variable), domains)
            }
        }
    }

    fn next(&self, domains: &Domains, cursor: &mut Self::Cursor) -> Option<Decision> {
        cursor.draw(self, domains, &mut Ascending)
    }

    fn can_apply(&self, domains: &Domains, decision: &Decision) -> bool {
        decision.variable().index() < self.len() && !decision.fails(domains)
    }

    fn heap_bytes(&self, domains: &Domains) -> usize {
        vec_bytes(&domains.words) + vec_bytes(&domains.trail)
    }

    #[inline]
    fn apply(&self, domains: &mut Domains, decision: &Decision) -> Mark {
        let mark = domains.mark();
        decision.apply(domains);
        mark
    }

    #[inline]
    fn undo(&self, domains: &mut Domains, _: &Decision, mark: Mark) {
        domains.restore(mark);
    }
}
