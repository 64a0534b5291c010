//! The n-queens problem: n queens on an n×n board, no two of them on one row, column or diagonal.
//!
//! All [models](RowByRow) fill the board row by row, columns from left to right, and so make the same tree. They differ
//! in what a state remembers of the queens placed, and so in what it costs to find the free squares of the next row:
//!
//! | model | state | testing a square | a step | boards to |
//! |---|---|---|---|---|
//! | [`marks`](Queens::marks) | a board of marks, n² | one look | marks about 2n squares | 4096 |
//! | [`lookback`](Queens::lookback) | the list of queens, n | compares it with each queen placed | nothing | 4096 |
//! | [`bits`](Queens::bits) | three machine words | a whole row at once, in four instructions | two shifts | 64 |
//!
//! Another tree is made by [`cover`](Queens::cover), an [exact cover](crate::cover) that branches on the row or column
//! with the fewest free squares.
//!
//! [`Queens`] is the problem on an empty board that every model takes; [`Board`] is a board of any size with some queens
//! given, to be completed. The symmetries of the square come as two hooks: [`Queens::mirror`], which halves the tree for
//! next to nothing, and [`Queens::lex_leader`], which finds each fundamental solution just once.
//!
//! ```
//! use secateurs::Search;
//! use secateurs::problems::queens::{Board, Queens};
//!
//! // All solutions, and those that are fundamentally different.
//! let queens = Queens::new(10)?.bits();
//! assert_eq!(Search::new(&queens).count().exact(), Some(724));
//! let outcome = Search::new(&queens).hooks((Queens::lex_leader(&queens)?,)).count();
//! assert_eq!(outcome.representatives(), Some(92));
//! assert_eq!(outcome.exact(), Some(724));
//!
//! // A corner of the board of six is no place for a queen.
//! let corner = Board::new(6)?.with_queen(0, 0)?;
//! assert!(Search::new(&corner.marks()).first().is_proven_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There are solutions for every size but 2 and 3 (Pauls 1874), and for large boards they are better written down than
//! searched: row by row in this order, the first solution for n = 30 comes after 56 million placements. How many there
//! are is known to n = 27 (sequence A000170 of the OEIS; fundamental ones A002562), by searching. Completing a board on
//! which some queens stand is NP-complete (Gent, Jefferson and Nightingale 2017).

mod bits;
mod board;
mod completion;
mod cover;
mod effort;
mod excludes;
mod given;
mod lookback;
mod marks;
mod network;
mod random;
mod row_by_row;
mod symmetry;

pub use bits::{BitQueens, BitState};
pub use board::{Board, ParseBoardError};
pub use completion::{BitCompletion, BitCompletionState};
pub use cover::CoverQueens;
pub use effort::Effort;
pub use excludes::ExcludesHook;
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
