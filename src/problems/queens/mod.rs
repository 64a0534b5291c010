//! The n-queens problem: n queens on an n×n board, no two of them on one row, column or diagonal.
//!
//! (being written)

mod bits;
mod board;
mod completion;
mod effort;
mod given;
mod lookback;
mod marks;
mod row_by_row;
mod symmetry;

pub use bits::{BitQueens, BitState};
pub use board::{Board, ParseBoardError};
pub use completion::{BitCompletion, BitCompletionState};
pub use effort::Effort;
pub use lookback::LookBackQueens;
pub use marks::{MarkQueens, MarkState};
pub use row_by_row::RowByRow;

use std::error::Error;
use std::fmt;

/// The n-queens problem on an empty board of up to 64 columns, of which each state model makes a
/// [`Problem`](crate::Problem).
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(8)?;
/// assert_eq!(Search::new(&queens.bits()).count().exact(), Some(92));
/// # Ok::<(), secateurs::problems::queens::QueensError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Queens {
    size: usize,
}

impl Queens {
    /// The largest board: one row is a machine word of the [bit-mask model](BitQueens).
    pub const MAX_SIZE: usize = 64;

    /// The problem on a board of `size` rows and columns.
    ///
    /// The board of size 0 has one solution, the one without queens.
    ///
    /// # Errors
    ///
    /// [`QueensError::TooLarge`] if `size` is above [`MAX_SIZE`](Self::MAX_SIZE).
    pub fn new(size: usize) -> Result<Self, QueensError> {
        if size > Self::MAX_SIZE {
            return Err(QueensError::TooLarge { size, max: Self::MAX_SIZE });
        }
        Ok(Queens { size })
    }

    /// The number of rows, of columns and of queens.
    #[must_use]
    pub fn size(self) -> usize {
        self.size
    }

    /// The problem on bit masks: the fast model.
    #[must_use]
    pub fn bits(self) -> BitQueens {
        BitQueens::new(self)
    }

    /// The problem marking attacked squares on a board.
    #[must_use]
    pub fn marks(self) -> MarkQueens {
        self.board().marks()
    }

    /// The problem looking back at the queens placed.
    #[must_use]
    pub fn lookback(self) -> LookBackQueens {
        self.board().lookback()
    }

    /// The empty board.
    #[must_use]
    pub fn board(self) -> Board {
        Board::empty(self.size)
    }
}

/// What is wrong with a board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueensError {
    /// The board has more rows and columns than the model takes.
    TooLarge {
        /// The size asked for.
        size: usize,
        /// The largest size that the model takes.
        max: usize,
    },
    /// There is no such square. Rows and columns count from 0.
    OffTheBoard {
        /// The row asked for.
        row: usize,
        /// The column asked for.
        column: usize,
        /// The number of rows and of columns.
        size: usize,
    },
}

impl fmt::Display for QueensError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueensError::TooLarge { size, max } => {
                write!(f, "a board of {size} rows and columns is too large: expected at most {max}")
            }
            QueensError::OffTheBoard { row, column, size } => {
                write!(f, "row {row}, column {column} (from 0): expected a square of a board of size {size}")
            }
        }
    }
}

impl Error for QueensError {}
