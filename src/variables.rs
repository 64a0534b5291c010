//! Problems whose states decide variables: the trait [`Variables`].

use std::hash::Hash;

use crate::problem::Problem;

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
/// forward checking loses that solution. An audit of the
/// [brancher](crate::lab::Audit::brancher) or of the [hook](crate::lab::Audit::hook) finds it.
///
/// [`ForwardChecking`]: crate::hook::ForwardChecking
/// [`Branching`]: crate::brancher::Branching
/// [smallest domain]: crate::brancher::SmallestDomain
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which variables its states decide",
    label = "does not implement `Variables`",
    note = "implement `secateurs::Variables` for it, beside `Problem` or `CopyProblem`"
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
