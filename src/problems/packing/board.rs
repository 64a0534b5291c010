//! What is to be filled: [`Board`].

use std::fmt;
use std::str::FromStr;

use super::PackingError;

/// A rectangular board, with holes or without, that is to be filled with pieces.
///
/// As text it has a line a row, all of the same length, of `.` for a square to be filled and `#`
/// for a hole; it is parsed from that with [`parse`](str::parse) and printed so by `Display`.
///
/// ```
/// use secateurs::problems::packing::{Board, PackingError};
///
/// let board: Board = "....\n.##.\n....\n".parse()?;
/// assert_eq!((board.rows(), board.columns(), board.squares()), (3, 4, 10));
/// assert_eq!(Board::rectangle(2, 3)?.to_string(), "...\n...\n");
/// # Ok::<(), PackingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rows: usize,
    columns: usize,
    /// Row by row: whether each square is to be filled.
    open: Vec<bool>,
}

impl Board {
    /// The largest board has so many squares, holes included.
    pub const MAX_SQUARES: usize = 10_000;

    /// A board without holes.
    ///
    /// # Errors
    ///
    /// [`PackingError::TooLarge`] if it has more than [`MAX_SQUARES`](Self::MAX_SQUARES) squares,
    /// or more rows or columns than that of none.
    pub fn rectangle(rows: usize, columns: usize) -> Result<Self, PackingError> {
        let squares = Self::check_extent(rows, columns)?;
        Ok(Board { rows, columns, open: vec![true; squares] })
    }

    /// The number of squares of a rectangle, if that is no larger than a board may be.
    pub(super) fn check_extent(rows: usize, columns: usize) -> Result<usize, PackingError> {
        // Without columns, rows still take time to be printed.
        let squares =
            rows.max(1).checked_mul(columns.max(1)).filter(|&squares| squares <= Self::MAX_SQUARES);
        squares.map(|_| rows * columns).ok_or(PackingError::TooLarge {
            rows,
            columns,
            most: Self::MAX_SQUARES,
        })
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many squares are to be filled.
    #[must_use]
    pub fn squares(&self) -> usize {
        self.open.iter().filter(|&&open| open).count()
    }

    /// Whether a square is to be filled, given by row and column from 0; those outside are not.
    #[must_use]
    pub fn is_open(&self, row: usize, column: usize) -> bool {
        row < self.rows && column < self.columns && self.open[row * self.columns + column]
    }

    /// The squares that are to be filled, row by row.
    pub fn open_squares(&self) -> impl Iterator<Item = (usize, usize)> {
        let columns = self.columns;
        let open = self.open.iter().enumerate().filter(|(_, open)| **open);
        open.map(move |(square, _)| (square / columns, square % columns))
    }
}

impl fmt::Display for Board {
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

impl FromStr for Board {
    type Err = PackingError;

    /// Reads the form described above. Line ends may be `\r\n`, the last one may be missing, and
    /// empty lines may follow. A text without squares is a board without rows.
    fn from_str(text: &str) -> Result<Self, PackingError> {
        let text = text.trim_end_matches(['\n', '\r']);
        let rows = text.lines().count();
        let columns = text.lines().next().map_or(0, |line| line.chars().count());
        let mut board = Board::rectangle(rows, columns)?;
        for (row, line) in text.lines().enumerate() {
            let mut length = 0;
            for (column, found) in line.chars().enumerate() {
                let is_open = match found {
                    '.' => true,
                    '#' => false,
                    found => {
                        return Err(PackingError::Character {
                            line: row + 1,
                            column: column + 1,
                            found,
                        });
                    }
                };
                if let Some(open) =
                    board.open.get_mut(row * columns + column).filter(|_| column < columns)
                {
                    *open = is_open;
                }
                length += 1;
            }
            if length != columns {
                return Err(PackingError::LineLength {
                    line: row + 1,
                    found: length,
                    expected: columns,
                });
            }
        }
        Ok(board)
    }
}
