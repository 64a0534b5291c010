//! The choice of the next variable and of the order of its values, for problems whose states decide
//! [`Variables`]: [`Branching`], and the traits [`VariableOrder`] and [`ValueOrder`].

use super::{Brancher, Sorted};
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};
use crate::problem::Branch;
use crate::variables::Variables;

/// The choice of the next variable to decide.
///
/// A closure from a node to a variable implements this trait.
///
/// # If an implementation lies
///
/// An order must return an [undecided](Variables::undecided) variable if there is one, even if it
/// has only a single value left. If it returns `None`, the node has no children: its solutions are
/// lost. A variable that is decided already is decided again, endlessly if nothing else is ever
/// chosen.
pub trait VariableOrder<P: Variables> {
    /// Returns an undecided variable, or `None` if there is none.
    fn choose(&mut self, node: &Node<'_, P>) -> Option<P::Variable>;

    /// Returns a digest of all data that the choice depends on, except the state and the path; see
    /// [`Brancher::parameters`].
    fn parameters(&self) -> Option<Digest> {
        Digest::of_zero_sized(self)
    }

    /// Returns what this order stores about the search in itself; see [`Brancher::memory`].
    /// Default: [`HookMemory::Path`], the path only.
    fn memory(&self) -> HookMemory {
        HookMemory::Path
    }
}

impl<P: Variables, F: FnMut(&Node<'_, P>) -> Option<P::Variable>> VariableOrder<P> for F {
    fn choose(&mut self, node: &Node<'_, P>) -> Option<P::Variable> {
        self(node)
    }
}

/// The order in which the values of a variable are tried.
///
/// # If an implementation lies
///
/// An order must return the choice of each remaining value exactly once. A value that is left out
/// is not searched, and a value that is returned twice is searched twice.
pub trait ValueOrder<P: Variables> {
    /// The position among the values of a variable.
    type Cursor;

    /// Returns a digest of all data that the order depends on, except the state and the path; see
    /// [`Brancher::parameters`].
    fn parameters(&self) -> Option<Digest> {
        Digest::of_zero_sized(self)
    }

    /// Returns the position before the first value of `variable`.
    fn start(&mut self, node: &Node<'_, P>, variable: P::Variable) -> Self::Cursor;

    /// Returns the choice of the next value. The state of `node` is the one in which the cursor
    /// was made.
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut Self::Cursor) -> Option<P::Choice>;
}

/// Tries the values in the order of the problem.
impl<P: Variables> ValueOrder<P> for InputOrder {
    type Cursor = P::Cursor;

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    #[inline]
    fn start(&mut self, node: &Node<'_, P>, variable: P::Variable) -> P::Cursor {
        node.problem().values(node.state(), variable)
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut P::Cursor) -> Option<P::Choice> {
        node.problem().next(node.state(), cursor)
    }
}

/// A brancher that chooses a variable by one order and tries all of its values in another.
///
/// The problem still decides whether a node is a solution and whether it has children. Only the
/// children are replaced.
///
/// ```
/// use secateurs::brancher::{Branching, SmallestDomain, Sorted};
/// use secateurs::{Node, Search};
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(8)?.cover();
/// let smallest = Branching::by(SmallestDomain::first_tie());
/// assert_eq!(Search::new(queens.cover()).brancher(smallest).count().exact(), Some(92));
///
/// // The same variables, with the last option of an item first.
/// let last_first = |_: &Node<'_, _>, &option: &usize| std::cmp::Reverse(option);
/// let order = Sorted::over(smallest, last_first);
/// assert_eq!(Search::new(queens.cover()).brancher(order).count().exact(), Some(92));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Branching<V = InputOrder, W = InputOrder> {
    variables: V,
    values: W,
}

impl<V> Branching<V> {
    /// Creates a brancher from an order of variables, with the values in the problem's order.
    #[must_use]
    pub fn by(variables: V) -> Self {
        Branching { variables, values: InputOrder }
    }
}

impl<V, W> Branching<V, W> {
    /// Creates a brancher from an order of variables and an order of values.
    #[must_use]
    pub fn new(variables: V, values: W) -> Self {
        Branching { variables, values }
    }
}

impl<P: Variables, V: VariableOrder<P>, W: ValueOrder<P>> Brancher<P> for Branching<V, W> {
    type Cursor = W::Cursor;

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.variables.parameters(), self.values.parameters()])
    }

    fn memory(&self) -> HookMemory {
        self.variables.memory()
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<W::Cursor> {
        let (problem, state) = (node.problem(), node.state());
        let (leaf, is_solution) = match problem.branch(state) {
            Branch::DeadEnd => return Branch::DeadEnd,
            Branch::Solution => return Branch::Solution,
            Branch::Inner(_) => (Branch::DeadEnd, false),
            Branch::SolutionInner(_) => (Branch::Solution, true),
        };
        match self.variables.choose(node) {
            Some(variable) => {
                let cursor = self.values.start(node, variable);
                if is_solution { Branch::SolutionInner(cursor) } else { Branch::Inner(cursor) }
            }
            _ => leaf,
        }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut W::Cursor) -> Option<P::Choice> {
        self.values.next(node, cursor)
    }
}

/// The order of the problem: as a variable order, it chooses the first undecided variable; as a
/// value order, it tries the values as the problem does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputOrder;

impl<P: Variables> VariableOrder<P> for InputOrder {
    #[inline]
    fn choose(&mut self, node: &Node<'_, P>) -> Option<P::Variable> {
        node.problem().undecided(node.state()).next()
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
}

/// A variable order that chooses a variable with at most one value left, the first in the order of
/// the problem, and follows another order if there is none.
///
/// With [`ForwardChecking`](crate::hook::ForwardChecking), each decision is so followed by those
/// that it forces (*unit propagation*). They stay choices with nodes of their own, which hooks,
/// paths and files see like any others.
///
/// ```
/// use secateurs::Search;
/// use secateurs::brancher::{Branching, ForcedFirst, InputOrder};
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(8)?.cover();
/// let nodes = |order| Search::new(queens.cover()).brancher(order).count().report().nodes();
/// let forced = Branching::by(ForcedFirst::over(InputOrder));
/// let in_order = Search::new(queens.cover()).brancher(Branching::by(InputOrder)).count();
/// assert!(nodes(forced) < in_order.report().nodes());
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForcedFirst<V = InputOrder> {
    inner: V,
}

impl<V> ForcedFirst<V> {
    /// Creates an order that follows `inner` where no variable is forced.
    #[must_use]
    pub fn over(inner: V) -> Self {
        ForcedFirst { inner }
    }
}

impl<P: Variables, V: VariableOrder<P>> VariableOrder<P> for ForcedFirst<V> {
    #[inline]
    fn choose(&mut self, node: &Node<'_, P>) -> Option<P::Variable> {
        let (problem, state) = (node.problem(), node.state());
        let is_forced = |&variable: &P::Variable| problem.values_left(state, variable) <= 1;
        problem.undecided(state).find(is_forced).or_else(|| self.inner.choose(node))
    }

    as_inner!(parameters -> Option<Digest>, memory -> HookMemory);
}

/// Creates a brancher that chooses variables in the given order, and tries the value first that
/// takes the fewest values from the other undecided variables (*least constraining value*; Haralick
/// and Elliott 1980; Geelen 1992). Ties go to the value that comes first in the order of the
/// problem.
///
/// This order finds a first solution sooner; it does not help to count all. The time per node is
/// that of [`Variables::removed_values`] for each value of the variable.
///
/// The brancher is [`Sorted`] with that number as its key. Any other key works in the same way,
/// over any brancher:
///
/// ```
/// use secateurs::brancher::{Branching, Shuffled, SmallestDomain, Sorted, least_constraining};
/// use secateurs::{Node, Search};
/// use secateurs_csp::{CentreOut, Decision, Network, Propagate};
/// use secateurs_problems::queens::Queens;
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
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[must_use]
pub fn least_constraining<P: Variables<State: Clone>, V: VariableOrder<P>>(
    variables: V,
) -> LeastConstraining<P, V> {
    let key: RemovedValues<P> = |node, choice| node.problem().removed_values(node.state(), choice);
    Sorted::over(Branching::by(variables), key).parameters(&())
}

/// The number of values that a choice removes.
type RemovedValues<P> = fn(&Node<'_, P>, &<P as crate::Problem>::Choice) -> u64;

/// The brancher of [`least_constraining`].
pub type LeastConstraining<P, V> = Sorted<Branching<V>, RemovedValues<P>>;
