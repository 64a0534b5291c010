//! The n-queens problem: n queens on an n×n board, no two of them on one row, column or diagonal.
//!
//! All [models](RowByRow) fill the board row by row, columns from left to right, and so make the
//! same tree. They differ in what a state remembers of the queens placed, and so in what it costs
//! to find the free squares of the next row:
//!
//! | model | state | testing a square | a step | boards to |
//! |---|---|---|---|---|
//! | [`marks`](Queens::marks) | a board of marks, n² | one look | marks about 2n squares | 4096 |
//! | [`lookback`](Queens::lookback) | the list of queens, n | compares it with each queen placed | nothing | 4096 |
//! | [`bits`](Queens::bits) | three machine words | a whole row at once, in four instructions | two shifts | 64 |
//!
//! Other trees are made by [`cover`](Queens::cover), an [exact cover](crate::cover) that branches
//! on the row or column with the fewest free squares, on boards to 512, and by
//! [`network`](Board::network), a [constraint network](crate::csp) in which it is a matter of
//! choice how far the consequences of a queen are followed up and which row gets the next one, on
//! boards to 4096.
//!
//! [`Queens`] is the problem on an empty board that every model takes; [`Board`] is a board of any
//! size with some queens given, to be completed. The symmetries of the square come as two hooks:
//! [`Queens::mirror`], which halves the tree for next to nothing, and [`Queens::lex_leader`], which
//! finds each fundamental solution just once.
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
//! There are solutions for every size but 2 and 3 (Pauls 1874), and for large boards they are
//! better written down than searched: row by row in this order, the first solution for n = 30 comes
//! after 56 million placements. How many there are is known to n = 27 (sequence A000170 of the
//! OEIS; fundamental ones A002562), by searching. Completing a board on which some queens stand is
//! NP-complete (Gent, Jefferson and Nightingale 2017); [`Board::random`] makes such boards.
//!
//! # Then and now: what propagation saves
//!
//! An article on search with constraint propagation for programming contests compares two programs
//! that find all solutions: plain backtracking, and one that strikes out the squares a queen
//! attacks and takes the row with the fewest squares left next. Its times, in milliseconds, beside
//! those of one core of an AMD EPYC machine today:
//!
//! | n | backtracking: then | looking back | bit masks | propagation: then | the same program | network |
//! |---|---|---|---|---|---|---|
//! | 8 | 60 | 0.05 | 0.01 | 30 | 0.07 | 0.06 |
//! | 9 | 330 | 0.62 | 0.02 | 160 | 0.30 | 0.23 |
//! | 10 | 1 540 | 2.9 | 0.11 | 600 | 1.2 | 1.0 |
//! | 11 | 8 510 | 15 | 1.0 | 2 800 | 5.5 | 4.5 |
//! | 12 | 51 740 | 77 | 5.3 | 13 680 | 27 | 21 |
//! | 13 | 330 100 | 450 | 28 | 72 720 | 143 | 116 |
//! | 14 | 4 203 970 | 2 740 | 170 | 415 070 | 824 | 669 |
//!
//! *Looking back* is [`lookback`](Queens::lookback), the program that textbooks print, and *bit
//! masks* is [`bits`](Queens::bits). *The same program* is the network with
//! [`SwappedOrder::last_tie`] and forward checking [without wipe-out
//! test](crate::csp::Propagate::without_wipe_out_test), which makes the article's tree to the node;
//! *network* has that test, and [`SmallestDomain::first_tie`]. Propagation runs some 500 times as
//! fast as then, looking back 500 to 1500 times. But where all solutions are to be counted,
//! propagation is no longer the fastest: bit masks, which find the free squares of a row in four
//! instructions, are so on a tree that is more than twice as large. It is still for boards on which
//! not everything is to be found (below), and for problems for which nobody knows such masks.
//! `cargo run --release --example compare -- queens --sizes 8..=14` measures the times on your
//! machine and prints those of the article next to them.
//!
//! The article counts placements, and squares at which propagation looks to exclude them
//! ([`Effort::excludes_hook`]). In fixed order the tree is that of backtracking; with the fewest
//! squares first it depends on which of several rows is taken: the array of rows is searched by `<`
//! (first tie) or by `<=` (last tie), and the swaps in it are never undone:
//!
//! | n | placements | excludes | placements, `<` | placements, `<=` | excludes, `<=` |
//! |---|---|---|---|---|---|
//! | 8 | 2 056 | 13 510 | 1 338 | 1 309 | 8 916 |
//! | 10 | 35 538 | 277 654 | 20 025 | 19 652 | 158 971 |
//! | 12 | 856 188 | 7 530 546 | 416 988 | 400 505 | 3 516 394 |
//!
//! # First solutions of large boards
//!
//! With the columns of each row [from the centre outwards](crate::csp::CentreOut) and the row with
//! the fewest squares next, the first solution comes after hardly more placements than there are
//! queens: for n = 100, 200, 300, 500, 1000 after 102, 207, 301, 503, 1015 by
//! [`SwappedOrder::first_tie`], and after 103, 200, 328, 500, 1047 by [`SmallestDomain::first_tie`]
//! (by its last tie as well, which is the same turned upside down); placements that forward
//! checking cuts off at once are counted. It is luck nevertheless: 40 and 60 queens take 5073 and
//! 9668 placements in the one order, 5216 and 517 in the other. The order of values matters more
//! than that of rows. On that machine a thousand queens stand after 0.04 s, 4096 after 0.7 s, the
//! making of the network included.
//!
//! ```
//! use secateurs::Search;
//! use secateurs::csp::{Branching, CentreOut, Propagate, SwappedOrder};
//! use secateurs::problems::queens::Board;
//!
//! let network = Board::new(100)?.network();
//! let order = Branching::new(SwappedOrder::first_tie(), CentreOut);
//! let outcome = Search::new(&network).hooks((Propagate::forward(),)).brancher(order).first();
//! assert_eq!(outcome.report().nodes() - 1, 102);
//! # Ok::<(), secateurs::problems::queens::QueensError>(())
//! ```
//!
//! [`SwappedOrder::first_tie`]: crate::csp::SwappedOrder::first_tie
//! [`SwappedOrder::last_tie`]: crate::csp::SwappedOrder::last_tie
//! [`SmallestDomain::first_tie`]: crate::csp::SmallestDomain::first_tie

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
                write!(
                    f,
                    "row {row}, column {column} (from 0): expected a square of a board of size {size}"
                )
            }
        }
    }
}

impl Error for QueensError {}
