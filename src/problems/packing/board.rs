//! The board to be filled: [`PackingBoard`].

use std::fmt;
use std::str::FromStr;

use crate::problems::InstanceError;
use crate::text::{ParseError, read_grid};

/// A rectangular board, possibly with holes, to be filled with pieces.
///
/// Its text has one line per row, all of the same length, with `.` for a square to be filled and
/// `#` for a hole. [`parse`](str::parse) reads this format and `Display` writes it.
///
/// ```
/// use secateurs::problems::packing::PackingBoard;
///
/// let board: PackingBoard = "....\n.##.\n....\n".parse()?;
/// assert_eq!((board.rows(), board.columns(), board.squares()), (3, 4, 10));
/// assert_eq!(PackingBoard::rectangle(2, 3)?.to_string(), "...\n...\n");
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PackingBoard {
    rows: usize,
    columns: usize,
    /// Whether each square is to be filled, row by row.
    open: Vec<bool>,
}

impl PackingBoard {
    /// The largest number of squares, holes included.
    pub const MAX_SQUARES: usize = 10_000;

    /// Creates a board without holes.
    ///
    /// # Errors
    ///
    /// If it has more than [`MAX_SQUARES`](Self::MAX_SQUARES) squares, rows or columns.
    pub fn rectangle(rows: usize, columns: usize) -> Result<Self, InstanceError> {
        let squares = Self::check_extent(rows, columns)?;
        Ok(PackingBoard { rows, columns, open: vec![true; squares] })
    }

    /// Returns the number of squares of a rectangle, unless it is larger than a board may be.
    pub(super) fn check_extent(rows: usize, columns: usize) -> Result<usize, InstanceError> {
        // Rows without columns are limited as well, since printing them takes time.
        let squares =
            rows.max(1).checked_mul(columns.max(1)).filter(|&squares| squares <= Self::MAX_SQUARES);
        squares.map(|_| rows * columns).ok_or_else(|| {
            InstanceError::new(format_args!(
                "found {rows} rows and {columns} columns, \
                 expected a board or shape of at most {} squares",
                Self::MAX_SQUARES
            ))
        })
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of squares to be filled.
    #[must_use]
    pub fn squares(&self) -> usize {
        self.open.iter().filter(|&&open| open).count()
    }

    /// Returns whether a square, given by row and column from 0, is to be filled; squares outside
    /// the board are not.
    #[must_use]
    pub fn is_open(&self, row: usize, column: usize) -> bool {
        row < self.rows && column < self.columns && self.open[row * self.columns + column]
    }

    /// Returns the squares to be filled as (row, column), row by row.
    pub fn open_squares(&self) -> impl Iterator<Item = (usize, usize)> {
        let columns = self.columns;
        let open = self.open.iter().enumerate().filter(|(_, open)| **open);
        open.map(move |(square, _)| (square / columns, square % columns))
    }
}

impl fmt::Display for PackingBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows {
            for column in 0..self.columns {
                f.write_str(if self.is_open(row, column) { "." } else { "#" })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl FromStr for PackingBoard {
    type Err = ParseError;

    /// Reads the format described at [`PackingBoard`]. Lines may end in CR LF, the last line need
    /// not end, and empty lines may follow. A text without squares is a board without rows.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim_end_matches(['\n', '\r']);
        let lines = (1..).zip(text.lines());
        let (columns, open) = read_grid(lines, None, "`.` or `#`", |found| match found {
            '.' => Some(true),
            '#' => Some(false),
            _ => None,
        })?;
        let board = PackingBoard::rectangle(text.lines().count(), columns)?;
        Ok(PackingBoard { open, ..board })
    }
}
