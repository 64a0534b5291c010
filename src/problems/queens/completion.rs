//! n-queens completion on bit masks: some queens are given.

use super::bits::{BitState, full};
use super::given::Given;
use super::row_by_row::RowByRow;
use crate::problem::{Branch, Problem};

/// Completing a board of up to 64 columns on bit masks: [`BitQueens`](super::BitQueens) with a mask
/// a row of the squares that the given queens leave open.
///
/// Whether a board can be completed is NP-complete (Gent, Jefferson and Nightingale 2017), while
/// for the empty board a solution can be written down for every size but 2 and 3 (Pauls 1874). Made
/// by [`Board::bits`](super::Board::bits); the other models take any board at once.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::Board;
///
/// let board: Board = "....\n...Q\n....\n....\n".parse()?;
/// let completion = board.bits()?;
/// assert_eq!(Search::new(&completion).count().exact(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitCompletion {
    given: Given,
    full: u64,
    /// The open squares of each row, and of the row below the last one none.
    open: Vec<u64>,
}

/// What the queens placed attack on the next row, and which row that is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitCompletionState {
    queens: BitState,
    row: usize,
}

impl BitCompletionState {
    /// The number of queens placed, which is the row of the next one.
    #[must_use]
    pub fn row(&self) -> usize {
        self.row
    }

    /// What the queens placed attack on that row.
    #[must_use]
    pub fn queens(&self) -> &BitState {
        &self.queens
    }
}

impl BitCompletion {
    /// `given` must be of at most 64 columns.
    pub(super) fn new(given: Given) -> Self {
        let size = given.size();
        let open = |row| {
            (0..size)
                .filter(|&column| given.leaves_open(row, column))
                .fold(0, |open, c| open | 1 << c)
        };
        let open = (0..size).map(open).chain([0]).collect();
        BitCompletion { full: full(size), open, given }
    }
}

impl RowByRow for BitCompletion {
    fn size(&self) -> usize {
        self.given.size()
    }
    fn given(&self) -> &[(usize, usize)] {
        self.given.queens()
    }
    #[inline]
    fn column(choice: &u64) -> usize {
        choice.trailing_zeros() as usize
    }
}

impl Problem for BitCompletion {
    type State = BitCompletionState;
    /// The free squares of the next row that are still to be tried.
    type Cursor = u64;
    type Choice = u64;
    /// The queens as they were.
    type Undo = BitState;

    fn root(&self) -> BitCompletionState {
        BitCompletionState::default()
    }

    #[inline]
    fn branch(&self, state: &BitCompletionState) -> Branch<u64> {
        let free = self.open[state.row] & !state.queens.attacked();
        if self.given.is_contradictory() {
            Branch::DeadEnd
        } else if free != 0 {
            Branch::Inner(free)
        } else if state.queens.columns() == self.full {
            Branch::Solution
        } else {
            Branch::DeadEnd
        }
    }

    #[inline]
    fn next(&self, _: &BitCompletionState, free: &mut u64) -> Option<u64> {
        super::bits::take_lowest(free)
    }

    fn can_apply(&self, state: &BitCompletionState, &bit: &u64) -> bool {
        let open = self.open.get(state.row).copied().unwrap_or(0);
        bit.is_power_of_two() && open & !state.queens.attacked() & bit != 0
    }

    #[inline]
    fn apply(&self, state: &mut BitCompletionState, &bit: &u64) -> BitState {
        state.row += 1;
        state.queens.place(bit)
    }

    #[inline]
    fn undo(&self, state: &mut BitCompletionState, _: &u64, undo: BitState) {
        state.row -= 1;
        state.queens = undo;
    }
}
