//! [`QueensBoard`]: a board with given queens, its text format and its picture; and [`Queens`], the
//! empty board.

use std::fmt;
use std::str::FromStr;

use crate::problems::error::InstanceError;
use crate::problems::picture::Picture;
use crate::text::{ParseError, read_grid};

/// Returns an error if a board of this size is larger than `max`.
pub(super) fn check_size(size: usize, max: usize) -> Result<(), InstanceError> {
    if size > max {
        return Err(InstanceError::new(format_args!(
            "a board of {size} rows and columns is too large: expected at most {max}"
        )));
    }
    Ok(())
}

/// The n-queens problem on an empty board of up to 64 columns. Each state model turns it into a
/// [`Problem`](crate::Problem).
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(8)?;
/// assert_eq!(Search::new(&queens.bits()).count().exact(), Some(92));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Queens {
    size: usize,
}

impl Queens {
    /// The largest size: a row is one machine word of the [bit-mask model](super::BitQueens).
    pub const MAX_SIZE: usize = 64;

    /// Creates the problem on a board of `size` rows and columns.
    ///
    /// The board of size 0 has one solution, the one without queens.
    ///
    /// # Errors
    ///
    /// Returns an error if `size` is above [`MAX_SIZE`](Self::MAX_SIZE).
    pub fn new(size: usize) -> Result<Self, InstanceError> {
        check_size(size, Self::MAX_SIZE)?;
        Ok(Queens { size })
    }

    /// Returns the number of rows, which is also that of columns and of queens.
    #[must_use]
    pub fn size(self) -> usize {
        self.size
    }

    /// Returns the empty board.
    #[must_use]
    pub fn board(self) -> QueensBoard {
        QueensBoard::empty(self.size)
    }
}

/// An n×n board with some queens on it, either given or found.
///
/// Its text format has a line per row, of `.` for an empty square and `Q` for a queen.
/// [`parse`](str::parse) reads it and `Display` prints it. Each state model turns a board into a
/// [`Problem`](crate::Problem): place a queen in every row that has no given one, such that no two
/// queens attack each other. Given queens may attack each other: the problem then has no solution.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::{LookBackQueens, QueensBoard, RowByRow};
///
/// let board: QueensBoard = "......\n...Q..\n......\n......\n......\n......\n".parse()?;
/// let queens = board.lookback();
/// let outcome = Search::new(&queens).first();
/// let solution = outcome.solution().map(LookBackQueens::columns).ok_or("no solution")?;
/// assert_eq!(
///     QueensBoard::from_columns(&solution)?.to_string(),
///     ".Q....\n...Q..\n.....Q\nQ.....\n..Q...\n....Q.\n",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QueensBoard {
    size: usize,
    /// The row and the column of each queen, sorted.
    queens: Vec<(usize, usize)>,
}

impl QueensBoard {
    /// The largest size. The state of the marking model takes two bytes per square.
    pub const MAX_SIZE: usize = 4096;

    /// Creates an empty board of `size` rows and columns.
    ///
    /// # Errors
    ///
    /// Returns an error if `size` is above [`MAX_SIZE`](Self::MAX_SIZE).
    pub fn new(size: usize) -> Result<Self, InstanceError> {
        check_size(size, Self::MAX_SIZE)?;
        Ok(QueensBoard::empty(size))
    }

    /// Creates an empty board. `size` must be at most [`MAX_SIZE`](Self::MAX_SIZE).
    pub(super) fn empty(size: usize) -> Self {
        QueensBoard { size, queens: Vec::new() }
    }

    /// Creates a board with a queen in every row: `columns[row]` is its column, from 0.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is too large, or if a column is not on the board.
    pub fn from_columns(columns: &[usize]) -> Result<Self, InstanceError> {
        let empty = QueensBoard::new(columns.len())?;
        let mut queens = columns.iter().enumerate();
        queens.try_fold(empty, |board, (row, &column)| board.with_queen(row, column))
    }

    /// Returns the board with one more queen, or unchanged if the queen is on it already. Rows and
    /// columns count from 0, from the top left corner.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such square.
    pub fn with_queen(mut self, row: usize, column: usize) -> Result<Self, InstanceError> {
        if row >= self.size || column >= self.size {
            return Err(InstanceError::new(format_args!(
                "row {row}, column {column} (from 0): expected a square of a board of size {}",
                self.size
            )));
        }
        if let Err(index) = self.queens.binary_search(&(row, column)) {
            self.queens.insert(index, (row, column));
        }
        Ok(self)
    }

    /// Returns the number of rows, which is also that of columns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the row and the column of each queen, row by row.
    #[must_use]
    pub fn queens(&self) -> &[(usize, usize)] {
        &self.queens
    }

    /// Returns two queens that attack each other, if there are any. Cost: linear in the size and in
    /// the number of queens.
    #[must_use]
    pub fn attack(&self) -> Option<[(usize, usize); 2]> {
        let mut holders = [
            vec![None; self.size],
            vec![None; self.size],
            vec![None; 2 * self.size],
            vec![None; 2 * self.size],
        ];
        for &(row, column) in &self.queens {
            let lines = [row, column, row + column, self.size + row - column];
            for (holders, line) in holders.iter_mut().zip(lines) {
                if let Some(other) = holders[line].replace((row, column)) {
                    return Some([other, (row, column)]);
                }
            }
        }
        None
    }

    /// Draws the board as the text of an SVG file. The queens of `given` have a tinted square.
    #[must_use]
    pub fn svg(&self, given: &QueensBoard) -> String {
        let mut picture =
            Picture::new(self.size, self.size, format_args!("{} queens", self.queens.len()));
        for row in 0..self.size {
            for column in 0..self.size {
                let class = if given.queens.binary_search(&(row, column)).is_ok() {
                    "soft"
                } else if (row + column) % 2 == 1 {
                    "dark"
                } else {
                    ""
                };
                picture.square(row, column, class);
            }
        }
        for &(row, column) in &self.queens {
            picture.disc(row, column);
        }
        picture.finish()
    }
}

impl fmt::Display for QueensBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut queens = self.queens.iter().peekable();
        for row in 0..self.size {
            let mut line = ".".repeat(self.size);
            while let Some(&(_, column)) = queens.next_if(|queen| queen.0 == row) {
                line.replace_range(column..=column, "Q");
            }
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

impl FromStr for QueensBoard {
    type Err = ParseError;

    /// Reads a line per row, of `.` and `Q`, as many rows as columns. Lines may end in CR LF, the
    /// end of the last line is optional, and blank lines may follow it.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim_end_matches(['\n', '\r']);
        let rows = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let found = rows.clone().count();
        // A line that is too long for a board is rejected before it is read.
        let size = rows.clone().next().map_or(0, |row| row.chars().count());
        if size == 0 {
            return Err(ParseError::at(1, 1, "found no squares, expected a row of `.` and `Q`"));
        }
        if size > Self::MAX_SIZE {
            let max = Self::MAX_SIZE;
            let message = format!("found a row of {size} squares, expected at most {max}");
            return Err(ParseError::in_line(1, message));
        }
        let (_, squares) = read_grid((1..).zip(rows), Some(size), "`.` or `Q`", |square| {
            matches!(square, '.' | 'Q').then_some(square == 'Q')
        })?;
        if found != size {
            let message = format!("found {found} rows, expected {size}, one per column");
            return Err(ParseError::in_line(found.min(size) + 1, message));
        }
        let queens = (0..squares.len()).filter(|&square| squares[square]);
        let queens = queens.map(|square| (square / size, square % size)).collect();
        Ok(QueensBoard { size, queens })
    }
}
