//! n-queens completion on bit masks: [`BitQueens`](super::BitQueens) with given queens.

use super::bits::{BitState, full, take_lowest};
use super::board::{Queens, QueensBoard, check_size};
use super::given::Given;
use super::row_by_row::RowByRow;
use crate::problem::{Branch, Problem};
use crate::problems::error::InstanceError;

/// The completion of a board of up to 64 columns, on bit masks.
///
/// It extends [`BitQueens`](super::BitQueens) by one mask per row, of the squares that the given
/// queens leave open. [`QueensBoard::bits`] creates it. The other state models have one type for
/// empty boards and completions.
///
/// Deciding whether a board can be completed is NP-complete (Gent, Jefferson and Nightingale 2017),
/// while an explicit solution of the empty board is known for every size but 2 and 3 (Pauls 1874).
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::QueensBoard;
///
/// let board: QueensBoard = "....\n...Q\n....\n....\n".parse()?;
/// let completion = board.bits()?;
/// assert_eq!(Search::new(&completion).count().exact(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitCompletion {
    given: Given,
    full: u64,
    /// The open squares of each row. The extra row below the last one has none.
    open: Vec<u64>,
}

/// The number of queens placed, and the squares of the next row that they attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitCompletionState {
    queens: BitState,
    row: usize,
}

impl BitCompletionState {
    /// Returns the number of queens placed, which is the row of the next one.
    #[must_use]
    pub fn row(&self) -> usize {
        self.row
    }

    /// Returns the squares of the next row that the queens placed attack.
    #[must_use]
    pub fn queens(&self) -> &BitState {
        &self.queens
    }
}

impl QueensBoard {
    /// Returns the problem of completing this board, on bit masks.
    ///
    /// # Errors
    ///
    /// Returns an error if the board has more than [`Queens::MAX_SIZE`] columns.
    pub fn bits(&self) -> Result<BitCompletion, InstanceError> {
        let size = self.size();
        check_size(size, Queens::MAX_SIZE)?;
        let given = Given::new(self);
        let open = |row| {
            let columns = (0..size).filter(|&column| given.leaves_open(row, column));
            columns.fold(0, |open, column| open | 1 << column)
        };
        let open = (0..size).map(open).chain([0]).collect();
        Ok(BitCompletion { full: full(size), open, given })
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
    /// The mask of the free squares of the next row that have not been tried.
    type Cursor = u64;
    type Choice = u64;
    /// The attacked squares before the step.
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
        take_lowest(free)
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
