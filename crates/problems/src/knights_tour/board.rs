//! [`TourBoard`] and its squares.

use std::fmt;

use crate::InstanceError;

/// The eight moves of a knight as (rows down, columns to the right), in the order in which the
/// plain search tries them.
pub const MOVES: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The largest number of squares of a board: 2²⁴, that is 4096×4096.
pub const MAX_SQUARES: usize = 1 << 24;

/// The width of the border around the board.
///
/// Squares are numbered row by row on a board with a border that no knight can jump over: two rows
/// above and below, and two columns, shared by the end of a row and the beginning of the next. A
/// move is therefore one addition, without a check against the edge.
const BORDER: u32 = 2;

/// A square of a [`TourBoard`].
///
/// It is a number that has a meaning only together with its board. [`TourBoard::square`] creates
/// it, [`TourBoard::row`] and [`TourBoard::column`] return its coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Square(pub(super) u32);

impl Square {
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rectangular board of 1 to [`MAX_SQUARES`] squares. Rows and columns count from 0 at the top
/// left corner.
///
/// ```
/// use secateurs_problems::knights_tour::TourBoard;
///
/// let board = TourBoard::new(3, 4)?;
/// assert_eq!(board.squares().count(), 12);
/// let corner = board.square(2, 3)?;
/// assert_eq!((board.row(corner), board.column(corner)), (2, 3));
/// assert!(board.square(3, 0).is_err());
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TourBoard {
    rows: u32,
    columns: u32,
}

impl TourBoard {
    /// Creates a board of the given numbers of rows and columns.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no squares, or more than [`MAX_SQUARES`].
    pub fn new(rows: usize, columns: usize) -> Result<Self, InstanceError> {
        if rows == 0 || columns == 0 {
            return Err(InstanceError::new(format_args!(
                "a board of {rows} rows and {columns} columns has no squares; \
                 expected at least one of each"
            )));
        }
        match (u32::try_from(rows), u32::try_from(columns), rows.checked_mul(columns)) {
            (Ok(rows), Ok(columns), Some(squares)) if squares <= MAX_SQUARES => {
                Ok(TourBoard { rows, columns })
            }
            _ => Err(InstanceError::new(format_args!(
                "a board of {rows} rows and {columns} columns is too large; \
                 expected at most {MAX_SQUARES} squares"
            ))),
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(self) -> usize {
        self.rows as usize
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(self) -> usize {
        self.columns as usize
    }

    /// Returns the number of squares.
    #[must_use]
    pub fn len(self) -> usize {
        self.rows() * self.columns()
    }

    /// Returns `false`, because every board has squares.
    #[must_use]
    pub fn is_empty(self) -> bool {
        false
    }

    /// Returns the square in a row and a column.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such square. The message counts rows and columns from 1.
    pub fn square(self, row: usize, column: usize) -> Result<Square, InstanceError> {
        if row >= self.rows() || column >= self.columns() {
            return Err(InstanceError::new(format_args!(
                "row {}, column {} is not on the board; expected rows 1 to {} and columns 1 to {}",
                row.saturating_add(1),
                column.saturating_add(1),
                self.rows,
                self.columns
            )));
        }
        Ok(self.at(row as u32, column as u32))
    }

    /// Returns the square in a row and a column that are known to be on the board.
    #[inline]
    fn at(self, row: u32, column: u32) -> Square {
        Square((row + BORDER) * self.width() + column + 1)
    }

    /// Returns the row of a square of this board.
    #[must_use]
    #[inline]
    pub fn row(self, square: Square) -> usize {
        // Saturating, so that a square of another board does not cause a panic.
        (square.0 / self.width()).saturating_sub(BORDER) as usize
    }

    /// Returns the column of a square of this board.
    #[must_use]
    #[inline]
    pub fn column(self, square: Square) -> usize {
        (square.0 % self.width()).saturating_sub(1) as usize
    }

    /// Returns whether the square belongs to this board, and is neither in its border nor beyond.
    pub(super) fn holds(self, square: Square) -> bool {
        let (row, column) = (self.row(square), self.column(square));
        row < self.rows() && column < self.columns() && self.at(row as u32, column as u32) == square
    }

    /// Returns all squares, row by row.
    pub fn squares(self) -> impl DoubleEndedIterator<Item = Square> {
        (0..self.rows)
            .flat_map(move |row| (0..self.columns).map(move |column| self.at(row, column)))
    }

    /// Returns whether the square is dark. The corner in row 0 and column 0 is dark, and a knight
    /// changes colour at every move.
    #[must_use]
    #[inline]
    pub fn is_dark(self, square: Square) -> bool {
        (self.row(square) + self.column(square)).is_multiple_of(2)
    }

    /// Returns whether a knight moves from one square to the other.
    #[must_use]
    #[inline]
    pub fn is_move(self, from: Square, to: Square) -> bool {
        let rows = self.row(from).abs_diff(self.row(to));
        let columns = self.column(from).abs_diff(self.column(to));
        (rows, columns) == (1, 2) || (rows, columns) == (2, 1)
    }

    /// Returns whether both sides are odd, so that there is one more dark square than light ones.
    #[must_use]
    pub fn is_odd(self) -> bool {
        !self.len().is_multiple_of(2)
    }

    /// Returns the number of columns, border included.
    #[inline]
    fn width(self) -> u32 {
        self.columns + BORDER
    }

    /// Returns the number of squares, border included. Every square, and every end of a move from a
    /// square, has a smaller index.
    pub(super) fn len_with_border(self) -> usize {
        (self.rows() + 2 * BORDER as usize) * self.width() as usize
    }

    /// Returns the numbers that the [`MOVES`] add to the number of a square.
    pub(super) fn offsets(self) -> [u32; 8] {
        // Two's complement: adding with wrap-around subtracts.
        MOVES.map(|(down, right)| {
            (down as u32).wrapping_mul(self.width()).wrapping_add(right as u32)
        })
    }
}

impl fmt::Display for TourBoard {
    /// Prints rows and columns, as in `3×4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.rows, self.columns)
    }
}
