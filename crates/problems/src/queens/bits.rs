//! The bit-mask models of n-queens, whose state is three machine words: [`BitQueens`] for empty
//! boards and [`BitCompletion`] for boards with given queens.

use secateurs::{Branch, Problem};

use super::board::{Given, Queens, QueensBoard, check_size};
use super::row_by_row::RowByRow;
use crate::InstanceError;

/// The n-queens problem, row by row, on bit masks.
///
/// A choice is the mask of the column that the queen of the next row takes (column 0 is bit 0); the
/// lowest bit is tried first. Three masks over the next row represent the columns and the two kinds
/// of diagonals of the queens placed; a step to the next row shifts the diagonals by one (Richards
/// 1997, and earlier bit-board programs). A step costs a dozen instructions for all sizes up to 64.
/// [`columns`](RowByRow::columns) converts a path to columns.
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::queens::{BitQueens, Queens, RowByRow};
///
/// let queens = Queens::new(6)?.bits();
/// let outcome = Search::new(&queens).first();
/// assert_eq!(outcome.solution().map(BitQueens::columns), Some(vec![1, 3, 5, 0, 2, 4]));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitQueens {
    /// The mask of all columns of the board.
    full: u64,
}

/// The squares of the next row that the queens placed attack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitState {
    /// The columns taken.
    columns: u64,
    /// The squares attacked along diagonals from the upper left, and from the upper right.
    left: u64,
    right: u64,
}

impl BitState {
    /// Returns the mask of the columns taken.
    #[must_use]
    #[inline]
    pub fn columns(&self) -> u64 {
        self.columns
    }

    /// Returns the mask of the squares of the next row that some queen attacks along a column or a
    /// diagonal. Bits beyond the edge of the board may be set as well.
    #[must_use]
    #[inline]
    pub fn attacked(&self) -> u64 {
        self.columns | self.left | self.right
    }

    /// Places a queen on the next row, moves on to the row after it, and returns the previous
    /// state.
    #[inline]
    pub(super) fn place(&mut self, bit: u64) -> BitState {
        let undo = *self;
        self.columns |= bit;
        self.left = (self.left | bit) << 1;
        self.right = (self.right | bit) >> 1;
        undo
    }
}

impl Queens {
    /// Returns the problem on bit masks, which is the fastest model.
    #[must_use]
    pub fn bits(self) -> BitQueens {
        BitQueens { full: full(self.size()) }
    }
}

/// Returns the mask of all columns of a board of `size` columns, at most 64.
pub(super) fn full(size: usize) -> u64 {
    match size {
        0 => 0,
        _ => u64::MAX >> (64 - size.min(64)),
    }
}

/// Removes the lowest bit from a mask, and returns it.
#[inline]
pub(super) fn take_lowest(mask: &mut u64) -> Option<u64> {
    let bit = *mask & mask.wrapping_neg();
    *mask ^= bit;
    (bit != 0).then_some(bit)
}

impl RowByRow for BitQueens {
    #[inline]
    fn size(&self) -> usize {
        self.full.count_ones() as usize
    }
    #[inline]
    fn given(&self) -> &[(usize, usize)] {
        &[]
    }
    #[inline]
    fn column(choice: &u64) -> usize {
        choice.trailing_zeros() as usize
    }
}

impl Problem for BitQueens {
    type State = BitState;
    /// The mask of the free squares of the next row that have not been tried.
    type Cursor = u64;
    type Choice = u64;
    /// The previous state.
    type Undo = BitState;

    #[inline]
    fn root(&self) -> BitState {
        BitState::default()
    }

    #[inline]
    fn branch(&self, state: &BitState) -> Branch<u64> {
        if state.columns == self.full {
            return Branch::Solution;
        }
        match self.full & !state.attacked() {
            0 => Branch::DeadEnd,
            free => Branch::Inner(free),
        }
    }

    #[inline]
    fn next(&self, _: &BitState, free: &mut u64) -> Option<u64> {
        take_lowest(free)
    }

    fn accepts_saved(&self, state: &BitState, &bit: &u64) -> bool {
        bit.is_power_of_two() && self.full & !state.attacked() & bit != 0
    }

    #[inline]
    fn apply(&self, state: &mut BitState, bit: &u64) -> BitState {
        state.place(*bit)
    }

    #[inline]
    fn undo(&self, state: &mut BitState, _: &u64, undo: BitState) {
        *state = undo;
    }
}

/// The completion of a board of up to 64 columns, on bit masks.
///
/// It extends [`BitQueens`] by one mask per row, of the squares that the given
/// queens leave open. [`QueensBoard::bits`] creates it. The other state models have one type for
/// empty boards and completions.
///
/// Deciding whether a board can be completed is NP-complete (Gent, Jefferson and Nightingale 2017),
/// while an explicit solution of the empty board is known for every size but 2 and 3 (Pauls 1874).
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::queens::QueensBoard;
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
    #[inline]
    fn size(&self) -> usize {
        self.given.size()
    }
    #[inline]
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

    fn accepts_saved(&self, state: &BitCompletionState, &bit: &u64) -> bool {
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
