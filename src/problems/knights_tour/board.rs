//! A board and its squares.

use std::error::Error;
use std::fmt;

/// The eight moves of a knight as (rows down, columns to the right), in the order in which plain
/// search tries them.
pub const MOVES: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The most squares that a board may have: 2²⁴, that is 4096×4096.
pub const MAX_SQUARES: usize = 1 << 24;

/// Squares are numbered row by row on a board with a border that no knight can jump over, so that a
/// move is one addition and never needs to be checked against the edge: two rows above and below,
/// and two columns, which the end of one row and the beginning of the next share.
const BORDER: u32 = 2;

/// A square of a [`Board`].
///
/// It is a number that means something only together with its board; [`Board::square`] makes it,
/// [`Board::row`] and [`Board::column`] take it apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Square(pub(super) u32);

impl Square {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rectangular board of 1 to [`MAX_SQUARES`] squares. Rows and columns count from 0, from the top
/// left corner.
///
/// ```
/// use secateurs::problems::knights_tour::{Board, BoardError};
///
/// let board = Board::new(3, 4)?;
/// assert_eq!(board.squares().count(), 12);
/// let corner = board.square(2, 3)?;
/// assert_eq!((board.row(corner), board.column(corner)), (2, 3));
/// assert_eq!(board.square(3, 0), Err(BoardError::OffBoard { row: 3, column: 0, board }));
/// # Ok::<(), BoardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rows: u32,
    columns: u32,
}

impl Board {
    /// A board of so many rows and columns.
    ///
    /// # Errors
    ///
    /// [`BoardError::Empty`] without squares, [`BoardError::TooLarge`] with more than
    /// [`MAX_SQUARES`].
    pub fn new(rows: usize, columns: usize) -> Result<Self, BoardError> {
        if rows == 0 || columns == 0 {
            return Err(BoardError::Empty { rows, columns });
        }
        match (u32::try_from(rows), u32::try_from(columns), rows.checked_mul(columns)) {
            (Ok(rows), Ok(columns), Some(squares)) if squares <= MAX_SQUARES => {
                Ok(Board { rows, columns })
            }
            _ => Err(BoardError::TooLarge { rows, columns }),
        }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(self) -> usize {
        self.rows as usize
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(self) -> usize {
        self.columns as usize
    }

    /// The number of squares.
    #[must_use]
    pub fn len(self) -> usize {
        self.rows() * self.columns()
    }

    /// Whether there is no square: never.
    #[must_use]
    pub fn is_empty(self) -> bool {
        false
    }

    /// The square in a row and a column.
    ///
    /// # Errors
    ///
    /// [`BoardError::OffBoard`] if there is none.
    pub fn square(self, row: usize, column: usize) -> Result<Square, BoardError> {
        if row >= self.rows() || column >= self.columns() {
            return Err(BoardError::OffBoard { row, column, board: self });
        }
        Ok(self.at(row as u32, column as u32))
    }

    #[inline]
    fn at(self, row: u32, column: u32) -> Square {
        Square((row + BORDER) * self.width() + column + 1)
    }

    /// The row of a square of this board.
    #[must_use]
    #[inline]
    pub fn row(self, square: Square) -> usize {
        // Not a panic, even if the square belongs to another board.
        (square.0 / self.width()).saturating_sub(BORDER) as usize
    }

    /// The column of a square of this board.
    #[must_use]
    #[inline]
    pub fn column(self, square: Square) -> usize {
        (square.0 % self.width()).saturating_sub(1) as usize
    }

    /// Whether the square is one of this board, neither in its border nor beyond.
    pub(super) fn holds(self, square: Square) -> bool {
        self.square(self.row(square), self.column(square)) == Ok(square)
    }

    /// All squares, row by row.
    pub fn squares(self) -> impl DoubleEndedIterator<Item = Square> {
        (0..self.rows)
            .flat_map(move |row| (0..self.columns).map(move |column| self.at(row, column)))
    }

    /// Whether the square is dark, if the corner in row 0 and column 0 is dark: a knight changes
    /// colour at every move.
    #[must_use]
    #[inline]
    pub fn is_dark(self, square: Square) -> bool {
        (self.row(square) + self.column(square)).is_multiple_of(2)
    }

    /// Whether a knight moves from one square to the other.
    #[must_use]
    #[inline]
    pub fn is_move(self, from: Square, to: Square) -> bool {
        let rows = self.row(from).abs_diff(self.row(to));
        let columns = self.column(from).abs_diff(self.column(to));
        (rows, columns) == (1, 2) || (rows, columns) == (2, 1)
    }

    /// Whether both sides are odd, so that there is one dark square more than there are light ones.
    #[must_use]
    pub fn is_odd(self) -> bool {
        !self.len().is_multiple_of(2)
    }

    /// Columns with the border.
    #[inline]
    fn width(self) -> u32 {
        self.columns + BORDER
    }

    /// Squares with the border: one more than the greatest number that a square or the end of a
    /// move can have.
    pub(super) fn bordered(self) -> usize {
        (self.rows() + 2 * BORDER as usize) * self.width() as usize
    }

    /// What each of the [`MOVES`] adds to the number of a square.
    pub(super) fn offsets(self) -> [u32; 8] {
        // Two's complement: adding with wrap-around subtracts.
        MOVES.map(|(down, right)| {
            (down as u32).wrapping_mul(self.width()).wrapping_add(right as u32)
        })
    }
}

impl fmt::Display for Board {
    /// As in `3×4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.rows, self.columns)
    }
}

/// Why there is no such board, or no such square on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardError {
    /// A board without squares.
    Empty {
        /// The number of rows asked for.
        rows: usize,
        /// The number of columns asked for.
        columns: usize,
    },
    /// A board of more than [`MAX_SQUARES`] squares.
    TooLarge {
        /// The number of rows asked for.
        rows: usize,
        /// The number of columns asked for.
        columns: usize,
    },
    /// A square that is not on the board.
    OffBoard {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// The board.
        board: Board,
    },
}

impl fmt::Display for BoardError {
    /// Rows and columns are shown from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BoardError::Empty { rows, columns } => {
                write!(
                    f,
                    "a board of {rows} rows and {columns} columns has no squares; expected at least one of each"
                )
            }
            BoardError::TooLarge { rows, columns } => {
                write!(
                    f,
                    "a board of {rows} rows and {columns} columns is too large; expected at most {MAX_SQUARES} squares"
                )
            }
            BoardError::OffBoard { row, column, board } => write!(
                f,
                "row {}, column {} is not on the board; expected rows 1 to {} and columns 1 to {}",
                row.saturating_add(1),
                column.saturating_add(1),
                board.rows,
                board.columns
            ),
        }
    }
}

impl Error for BoardError {}
