//! The bit-mask model of n-queens: three words say which squares of the next row are attacked.

use super::{Queens, RowByRow};
use crate::problem::{Branch, Problem};

/// The n-queens problem, row by row, on bit masks.
///
/// A choice is the mask of the one column that the next row's queen takes (column 0 is bit 0),
/// tried from the lowest. Columns and both kinds of diagonals of the queens placed are three masks
/// over the next row; going down a row shifts the diagonals by one (Richards 1997; an older
/// folklore of bit-board programs). A step costs a dozen instructions whatever the size, up to 64
/// columns. [`columns`](RowByRow::columns) turns a path into columns.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::{BitQueens, Queens, RowByRow};
///
/// let queens = Queens::new(6)?.bits();
/// let outcome = Search::new(&queens).first();
/// assert_eq!(outcome.solution().map(BitQueens::columns), Some(vec![1, 3, 5, 0, 2, 4]));
/// # Ok::<(), secateurs::problems::queens::QueensError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitQueens {
    /// The columns of the board.
    full: u64,
}

/// What the queens placed attack on the next row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BitState {
    columns: u64,
    left: u64,
    right: u64,
}

impl BitState {
    /// The columns taken.
    #[must_use]
    #[inline]
    pub fn columns(&self) -> u64 {
        self.columns
    }

    /// The squares of the next row that some queen attacks along a column or a diagonal. (Bits past
    /// the edge of the board may be set as well.)
    #[must_use]
    #[inline]
    pub fn attacked(&self) -> u64 {
        self.columns | self.left | self.right
    }

    /// Places a queen on the next row and goes down to the one after it; the state as it was.
    #[inline]
    pub(super) fn place(&mut self, bit: u64) -> BitState {
        let undo = *self;
        self.columns |= bit;
        self.left = (self.left | bit) << 1;
        self.right = (self.right | bit) >> 1;
        undo
    }
}

impl BitQueens {
    pub(super) fn new(queens: Queens) -> Self {
        BitQueens { full: full(queens.size()) }
    }
}

/// The mask of the columns of a board of `size` columns, at most 64.
pub(super) fn full(size: usize) -> u64 {
    match size {
        0 => 0,
        _ => u64::MAX >> (64 - size.min(64)),
    }
}

/// Takes the lowest bit out of a mask.
#[inline]
pub(super) fn take_lowest(mask: &mut u64) -> Option<u64> {
    let bit = *mask & mask.wrapping_neg();
    *mask ^= bit;
    (bit != 0).then_some(bit)
}

impl RowByRow for BitQueens {
    fn size(&self) -> usize {
        self.full.count_ones() as usize
    }
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
    /// The free squares of the next row that are still to be tried.
    type Cursor = u64;
    type Choice = u64;
    /// The state as it was.
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

    fn can_apply(&self, state: &BitState, &bit: &u64) -> bool {
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
