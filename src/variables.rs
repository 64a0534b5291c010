//! Problems whose states decide variables: the trait [`Variables`], and [`Assignments`], a problem
//! made of three closures.

use std::fmt;
use std::hash::Hash;

use crate::copy_problem::CopyProblem;
use crate::problem::{Branch, Problem};

/// A [`Problem`] whose states decide *variables*: each choice decides one, and any undecided one
/// may be decided next.
///
/// The trait tells hooks and branchers which variables are undecided and how many values each has
/// left. [`ForwardChecking`] then prunes states in which a variable has no value left, and
/// [`Branching`] decides the variables in another order, such as the [smallest domain] first.
///
/// # Example
///
/// The queens problem with one queen per row, where the rows may be taken in any order.
///
/// ```
/// use secateurs::brancher::{Branching, SmallestDomain};
/// use secateurs::hook::ForwardChecking;
/// use secateurs::{Branch, CopyProblem, Search, Variables};
///
/// const N: usize = 8;
///
/// struct Queens;
///
/// /// The free columns of each row, and the rows without a queen.
/// #[derive(Clone, Copy)]
/// struct Board {
///     free: [u8; N],
///     rows: u8,
/// }
///
/// impl CopyProblem for Queens {
///     type State = Board;
///     type Cursor = (usize, u8); // a row, and the columns to try
///     type Choice = (usize, usize); // a row and a column
///
///     fn root(&self) -> Board {
///         Board { free: [u8::MAX; N], rows: u8::MAX }
///     }
///     fn branch(&self, board: &Board) -> Branch<(usize, u8)> {
///         match self.undecided(board).next() {
///             Some(row) => Branch::Inner(self.values(board, row)),
///             None => Branch::Solution,
///         }
///     }
///     fn next(&self, _: &Board, (row, columns): &mut (usize, u8)) -> Option<(usize, usize)> {
///         let column = columns.trailing_zeros() as usize;
///         *columns &= columns.checked_sub(1)?;
///         Some((*row, column))
///     }
///     fn apply(&self, mut board: Board, &(row, column): &(usize, usize)) -> Board {
///         for other in 0..N {
///             let distance = row.abs_diff(other);
///             let queen = 1_u16 << column;
///             let attacked = queen | queen << distance | queen >> distance;
///             board.free[other] &= !attacked as u8;
///         }
///         board.rows &= !(1 << row);
///         board
///     }
/// }
///
/// impl Variables for Queens {
///     type Variable = usize;
///
///     fn undecided(&self, board: &Board) -> impl Iterator<Item = usize> {
///         let rows = board.rows;
///         (0..N).filter(move |row| rows >> row & 1 != 0)
///     }
///     fn values_left(&self, board: &Board, row: usize) -> usize {
///         board.free[row].count_ones() as usize
///     }
///     fn values(&self, board: &Board, row: usize) -> (usize, u8) {
///         (row, board.free[row])
///     }
/// }
///
/// let plain = Search::new(&Queens).count();
/// let checked = Search::new(&Queens).hook(ForwardChecking).count();
/// let smallest = Search::new(&Queens)
///     .hook(ForwardChecking)
///     .brancher(Branching::by(SmallestDomain::first_tie()))
///     .count();
/// let [plain, checked, smallest] = [plain, checked, smallest].map(|outcome| {
///     assert_eq!(outcome.exact(), Some(92));
///     outcome.report().nodes()
/// });
/// assert!(plain > checked && checked > smallest);
/// ```
///
/// # If an implementation lies
///
/// Each solution below a state must be below exactly one choice of each undecided variable, and a
/// state with children must have an undecided variable. Otherwise another order of variables
/// searches another tree: it loses solutions or counts some of them twice. If
/// [`values_left`](Self::values_left) returns 0 in a state that is a solution or has one below it,
/// forward checking loses that solution. An [audit](https://docs.rs/secateurs-lab) of the brancher
/// or of the hook finds it.
///
/// [`ForwardChecking`]: crate::hook::ForwardChecking
/// [`Branching`]: crate::brancher::Branching
/// [smallest domain]: crate::brancher::SmallestDomain
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which variables its states decide",
    label = "does not implement `Variables`",
    note = "implement `secateurs::Variables` for it, beside `Problem` or `CopyProblem`, or use \
            `secateurs::Assignments` instead of `Successors`"
)]
pub trait Variables: Problem {
    /// A variable, such as its number.
    type Variable: Copy + Hash;

    /// Returns the variables that a state has not decided, each once, in the problem's own order.
    fn undecided(&self, state: &Self::State) -> impl Iterator<Item = Self::Variable>;

    /// Returns the number of values that an undecided variable has left: of its choices in this
    /// state. It may overestimate. If it is 0, neither the state nor any below it is a solution.
    /// Called for each undecided variable of a node, so it should be cheap.
    fn values_left(&self, state: &Self::State, variable: Self::Variable) -> usize;

    /// Returns the cursor before the first choice of an undecided variable:
    /// [`next`](Problem::next) then returns the choices of that variable.
    fn values(&self, state: &Self::State, variable: Self::Variable) -> Self::Cursor;

    /// Returns the number of constraints of an undecided variable with at least one other undecided
    /// variable (*dynamic degree*), which [`DomainOverDegree`](crate::brancher::DomainOverDegree)
    /// and [`MostConstrained`](crate::brancher::MostConstrained) compare.
    ///
    /// Default: 1 for every variable, as if all were constrained alike. The order by domain over
    /// degree is then that of the smallest domain.
    fn dynamic_degree(&self, state: &Self::State, variable: Self::Variable) -> u64 {
        let _ = (state, variable);
        1
    }

    /// Returns the number of values that `choice` takes from the variables that it leaves
    /// undecided, which [`least_constraining`](crate::brancher::least_constraining) compares.
    ///
    /// Default: the difference that [`apply`](Problem::apply) makes to a copy of the state. Only
    /// the differences between the choices of one variable matter; the default includes the values
    /// of that variable.
    fn removed_values(&self, state: &Self::State, choice: &Self::Choice) -> u64
    where
        Self::State: Clone,
    {
        let left = |state: &Self::State| -> u64 {
            self.undecided(state).map(|variable| self.values_left(state, variable) as u64).sum()
        };
        let mut child = state.clone();
        self.apply(&mut child, choice);
        left(state).saturating_sub(left(&child))
    }
}

/// A problem made of a root state and three closures: the undecided variables of a state, the
/// values that one of them has left, and the state after a value was assigned. States in which
/// every variable is decided are solutions. Forward checking and the orders of variables apply,
/// because it implements [`Variables`].
///
/// States and values must be `Copy`. An open node stores an iterator over values and two states.
/// The number of values left is counted by the iterator, for each undecided variable of a node:
/// implement [`CopyProblem`] and [`Variables`] if there are many.
///
/// ```
/// use secateurs::brancher::{Branching, SmallestDomain};
/// use secateurs::hook::ForwardChecking;
/// use secateurs::{Assignments, Search};
///
/// /// Sets of bits: the vertices without a colour, and the colours that each vertex may have.
/// #[derive(Clone, Copy)]
/// struct Coloured {
///     open: u8,
///     allowed: [u8; 6],
/// }
///
/// // The triangular prism, with three colours.
/// let neighbours = [[1, 2, 3], [0, 2, 4], [0, 1, 5], [4, 5, 0], [3, 5, 1], [3, 4, 2]];
/// let colourings = Assignments::new(
///     Coloured { open: 0b11_1111, allowed: [0b111; 6] },
///     |coloured| (0..6).filter(move |vertex| coloured.open >> vertex & 1 != 0),
///     |coloured, vertex| (0..3).filter(move |colour| coloured.allowed[vertex] >> colour & 1 != 0),
///     |mut coloured, vertex, colour| {
///         coloured.open &= !(1 << vertex);
///         for other in neighbours[vertex] {
///             coloured.allowed[other] &= !(1 << colour);
///         }
///         coloured
///     },
/// );
/// let search = Search::new(&colourings)
///     .hook(ForwardChecking)
///     .brancher(Branching::by(SmallestDomain::first_tie()));
/// assert_eq!(search.count().exact(), Some(12));
/// ```
#[derive(Clone, Copy)]
pub struct Assignments<S, U, D, A> {
    root: S,
    undecided: U,
    values: D,
    assign: A,
}

impl<S, U, D, A, I, J> Assignments<S, U, D, A>
where
    S: Copy,
    U: Fn(S) -> I,
    D: Fn(S, I::Item) -> J,
    A: Fn(S, I::Item, J::Item) -> S,
    I: Iterator<Item: Copy + Hash>,
    J: Iterator<Item: Copy>,
{
    /// Creates the problem of deciding all variables of `root`.
    ///
    /// `undecided` and `values` have the contracts of [`Variables::undecided`] and
    /// [`Variables::values`]: each solution below a state is below exactly one value of each
    /// undecided variable. `assign` returns the state in which the variable is decided.
    pub fn new(root: S, undecided: U, values: D, assign: A) -> Self {
        Assignments { root, undecided, values, assign }
    }
}

impl<S, U, D, A, I, J> CopyProblem for Assignments<S, U, D, A>
where
    S: Copy,
    U: Fn(S) -> I,
    D: Fn(S, I::Item) -> J,
    A: Fn(S, I::Item, J::Item) -> S,
    I: Iterator<Item: Copy + Hash>,
    J: Iterator<Item: Copy>,
{
    type State = S;
    type Cursor = (I::Item, J);
    type Choice = (I::Item, J::Item);

    #[inline]
    fn root(&self) -> S {
        self.root
    }

    #[inline]
    fn branch(&self, state: &S) -> Branch<Self::Cursor> {
        match (self.undecided)(*state).next() {
            None => Branch::Solution,
            Some(variable) => Branch::Inner(self.values(state, variable)),
        }
    }

    #[inline]
    fn next(&self, _: &S, (variable, values): &mut Self::Cursor) -> Option<Self::Choice> {
        Some((*variable, values.next()?))
    }

    #[inline]
    fn apply(&self, state: S, &(variable, value): &Self::Choice) -> S {
        (self.assign)(state, variable, value)
    }
}

impl<S, U, D, A, I, J> Variables for Assignments<S, U, D, A>
where
    S: Copy,
    U: Fn(S) -> I,
    D: Fn(S, I::Item) -> J,
    A: Fn(S, I::Item, J::Item) -> S,
    I: Iterator<Item: Copy + Hash>,
    J: Iterator<Item: Copy>,
{
    type Variable = I::Item;

    #[inline]
    fn undecided(&self, state: &S) -> impl Iterator<Item = I::Item> {
        (self.undecided)(*state)
    }

    #[inline]
    fn values_left(&self, state: &S, variable: I::Item) -> usize {
        (self.values)(*state, variable).count()
    }

    #[inline]
    fn values(&self, state: &S, variable: I::Item) -> Self::Cursor {
        (variable, (self.values)(*state, variable))
    }
}

debug_fields!(impl[S: fmt::Debug, U, D, A] Assignments<S, U, D, A>: root);
