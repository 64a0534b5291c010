//! The brancher [`Halves`], the orders [`Ascending`] and [`CentreOut`] of values, and the
//! [`Problem`] of a network, with variables in input order and values in ascending order.

use std::sync::Arc;

use secateurs::brancher::{Brancher, InputOrder, ValueOrder, VariableOrder};
use secateurs::hook::{HookMemory, Node};
use secateurs::{Branch, Digest, Problem, Variables, vec_bytes};

use super::propagate::last_decision_fails;
use super::trail::Mark;
use super::{Decision, Domains, Network, Variable};

/// A brancher that splits the range of a variable in two, and tries the lower part first.
///
/// [`Halves::new`] splits it in the middle (*domain splitting*). It suits large domains whose
/// constraints reason about bounds, such as sums: propagation refutes an impossible half at once,
/// instead of each of its values. Of two values, each is one half.
///
/// [`Halves::minimum_first`] splits off the smallest value (*two-way branching*). Unlike
/// [`Branching`](secateurs::brancher::Branching), which tries all values at one node, it propagates
/// that a value was refuted before it tries the next one, and may then choose another variable.
///
/// ```
/// use secateurs::Search;
/// use secateurs_csp::{Halves, InputOrder, Model, Propagate};
///
/// let mut model = Model::new();
/// let (x, y) = (model.variable(0..=999)?, model.variable(0..=999)?);
/// model.binary(x, y, |x, y| x + y == 1500)?;
/// let network = model.build();
/// for order in [Halves::new(InputOrder), Halves::minimum_first(InputOrder)] {
///     let outcome = Search::new(&network).hooks((Propagate::full(),)).brancher(order).count();
///     assert_eq!(outcome.exact(), Some(499));
/// }
/// # Ok::<(), secateurs_csp::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Halves<V = InputOrder> {
    variables: V,
    splits_off_minimum: bool,
}

impl<V: VariableOrder<Network>> Halves<V> {
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

impl<V: VariableOrder<Network>> Brancher<Network> for Halves<V> {
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

/// A variable and the position among its values: the cursor of a network.
#[derive(Clone, Copy, Debug)]
pub struct Values<C> {
    variable: Variable,
    position: C,
}

/// The value order from the smallest value to the largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ascending;

/// The smallest value that has not been tried.
type Untried = Option<i32>;

impl Values<Untried> {
    #[inline]
    fn ascending(variable: Variable) -> Self {
        Values { variable, position: Some(i32::MIN) }
    }

    #[inline]
    fn draw(&mut self, domains: &Domains) -> Option<Decision> {
        let value = domains.next_value(self.variable, self.position?)?;
        self.position = value.checked_add(1);
        Some(Decision::Is(self.variable, value))
    }
}

impl ValueOrder<Network> for Ascending {
    type Cursor = Values<Untried>;

    #[inline]
    fn start(&mut self, _: &Node<'_, Network>, variable: Variable) -> Self::Cursor {
        Values::ascending(variable)
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, Network>, values: &mut Self::Cursor) -> Option<Decision> {
        values.draw(node.state())
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

impl ValueOrder<Network> for CentreOut {
    /// The position is the number of steps outwards.
    type Cursor = Values<u32>;

    #[inline]
    fn start(&mut self, _: &Node<'_, Network>, variable: Variable) -> Values<u32> {
        Values { variable, position: 0 }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, Network>, values: &mut Values<u32>) -> Option<Decision> {
        let Values { variable, position: step } = values;
        let domains = node.state();
        let (low, high) = node.problem().bounds(*variable)?;
        let middle = middle(low, high);
        // An odd step 2k - 1 goes up by k, an even step 2k goes down by k.
        let (up, down) = (middle.checked_add_unsigned(*step / 2 + 1), step.div_ceil(2));
        let up = up.and_then(|least| domains.next_value(*variable, least));
        let down = middle.checked_sub_unsigned(down);
        let down = down.and_then(|most| domains.previous_value(*variable, most));
        let steps = |value: i32| 2 * value.abs_diff(middle);
        let (value, at) = match (up, down) {
            (Some(up), Some(down)) if steps(up) <= steps(down) => (up, steps(up) - 1),
            (Some(up), None) => (up, steps(up) - 1),
            (_, down) => (down?, steps(down?)),
        };
        *step = at + 1;
        Some(Decision::Is(*variable, value))
    }
}

impl Problem for Network {
    type State = Domains;
    type Cursor = Values<Untried>;
    type Choice = Decision;
    type Undo = Mark;

    fn root(&self) -> Domains {
        Domains::new(Arc::clone(&self.layout), self.words.clone())
    }

    #[inline(always)]
    fn branch(&self, domains: &Domains) -> Branch<Self::Cursor> {
        if last_decision_fails(self, domains) {
            return Branch::DeadEnd;
        }
        match domains.open_variables().next() {
            None => self.leaf(domains),
            Some(variable) => Branch::Inner(Values::ascending(variable)),
        }
    }

    #[inline]
    fn next(&self, domains: &Domains, cursor: &mut Self::Cursor) -> Option<Decision> {
        cursor.draw(domains)
    }

    fn accepts_saved(&self, domains: &Domains, decision: &Decision) -> bool {
        decision.variable().index() < self.len() && !decision.fails(domains)
    }

    fn heap_bytes(&self, domains: &Domains) -> usize {
        vec_bytes(&domains.words) + vec_bytes(&domains.trail)
    }

    #[inline(always)]
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

/// The undecided variables are the [open](Domains::is_open) ones. Their values are up to date where
/// [`Propagate`](super::Propagate) has acted on the last decision.
impl Variables for Network {
    type Variable = Variable;

    #[inline]
    fn undecided(&self, domains: &Domains) -> impl Iterator<Item = Variable> {
        domains.open_variables()
    }

    #[inline]
    fn values_left(&self, domains: &Domains, variable: Variable) -> usize {
        domains.size(variable)
    }

    #[inline]
    fn values(&self, _: &Domains, variable: Variable) -> Self::Cursor {
        Values::ascending(variable)
    }

    /// Counts the constraints of the variable with another open variable. An all-different
    /// constraint counts once for each other open variable. In a network that is small enough for a
    /// table of pairs, all constraints between the same two variables count as one.
    ///
    /// The time is linear in the number of these constraints and of their variables.
    fn dynamic_degree(&self, domains: &Domains, variable: Variable) -> u64 {
        let is_open = |variable: Variable| domains.is_open(variable);
        self.open_degree(
            domains,
            variable,
            |clique| self.cliques[clique].members.iter().filter(|member| is_open(member.0)).count(),
            |propagator| self.has_two_open(domains, propagator),
            None,
        )
    }

    /// See [`Network::count_pruned_values`].
    fn removed_values(&self, domains: &Domains, decision: &Decision) -> u64 {
        match *decision {
            Decision::Is(variable, value) => self.count_pruned_values(domains, variable, value),
            Decision::AtMost(..) | Decision::AtLeast(..) => 0,
        }
    }
}
