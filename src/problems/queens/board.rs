//! A square board with queens on it: what is to be completed, and what comes out.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::given::Given;
use super::{BitCompletion, LookBackQueens, MarkQueens, Queens, QueensError};
use crate::problems::picture::Picture;

/// An n×n board with some queens on it, given to be completed or found.
///
/// As text it has a line a row, of `.` for an empty square and `Q` for a queen; it is parsed from
/// that with [`parse`](str::parse) and printed so by `Display`. Each state model makes a
/// [`Problem`](crate::Problem) of a board: to place a queen in every row where none is given, such
/// that no two attack each other. Two given queens that attack each other are no error: the problem
/// then has no solution.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::{Board, LookBackQueens, RowByRow};
///
/// let board: Board = "......\n...Q..\n......\n......\n......\n......\n".parse()?;
/// let queens = board.lookback();
/// let outcome = Search::new(&queens).first();
/// let solution = outcome.solution().map(LookBackQueens::columns).ok_or("no solution")?;
/// assert_eq!(
///     Board::from_columns(&solution)?.to_string(),
///     ".Q....\n...Q..\n.....Q\nQ.....\n..Q...\n....Q.\n",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: usize,
    /// Row and column of each queen, in order.
    queens: Vec<(usize, usize)>,
}

impl Board {
    /// The largest board. (The marking model takes two bytes a square.)
    pub const MAX_SIZE: usize = 4096;

    /// An empty board of `size` rows and columns.
    ///
    /// # Errors
    ///
    /// [`QueensError::TooLarge`] if `size` is above [`MAX_SIZE`](Self::MAX_SIZE).
    pub fn new(size: usize) -> Result<Self, QueensError> {
        if size > Self::MAX_SIZE {
            return Err(QueensError::TooLarge { size, max: Self::MAX_SIZE });
        }
        Ok(Board::empty(size))
    }

    /// `size` must be at most [`MAX_SIZE`](Self::MAX_SIZE).
    pub(super) fn empty(size: usize) -> Self {
        Board { size, queens: Vec::new() }
    }

    /// A board with a queen in every row: `columns[row]` is its column, from 0.
    ///
    /// # Errors
    ///
    /// [`QueensError::TooLarge`], and [`QueensError::OffTheBoard`] for a column that is not there.
    pub fn from_columns(columns: &[usize]) -> Result<Self, QueensError> {
        columns.iter().enumerate().try_fold(Board::new(columns.len())?, |board, (row, &column)| {
            board.with_queen(row, column)
        })
    }

    /// The board with one queen more, unless it is there already. Rows and columns count from 0,
    /// from the top left.
    ///
    /// # Errors
    ///
    /// [`QueensError::OffTheBoard`] if there is no such square.
    pub fn with_queen(mut self, row: usize, column: usize) -> Result<Self, QueensError> {
        if row >= self.size || column >= self.size {
            return Err(QueensError::OffTheBoard { row, column, size: self.size });
        }
        if let Err(place) = self.queens.binary_search(&(row, column)) {
            self.queens.insert(place, (row, column));
        }
        Ok(self)
    }

    /// The number of rows and of columns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Row and column of each queen, row by row.
    #[must_use]
    pub fn queens(&self) -> &[(usize, usize)] {
        &self.queens
    }

    /// Two queens that attack each other, if there are any. Cost: linear in size and queens.
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

    /// The problem of completing this board, marking attacked squares on it.
    #[must_use]
    pub fn marks(&self) -> MarkQueens {
        MarkQueens::new(Given::new(self))
    }

    /// The problem of completing this board, looking back at the queens placed.
    #[must_use]
    pub fn lookback(&self) -> LookBackQueens {
        LookBackQueens::new(Given::new(self))
    }

    /// The problem of completing this board, on bit masks.
    ///
    /// # Errors
    ///
    /// [`QueensError::TooLarge`] if the board has more than [`Queens::MAX_SIZE`] columns.
    pub fn bits(&self) -> Result<BitCompletion, QueensError> {
        Queens::new(self.size)?;
        Ok(BitCompletion::new(Given::new(self)))
    }

    /// The board as an SVG picture, with the queens of `given` on a ground of their own colour.
    #[must_use]
    pub fn svg(&self, given: &Board) -> String {
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

impl fmt::Display for Board {
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

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Reads a line a row, each as long as there are rows, of `.` and `Q`. Line ends may be `\r\n`,
    /// the last one may be missing, and blank lines may follow.
    fn from_str(text: &str) -> Result<Self, ParseBoardError> {
        let text = text.trim_end_matches(['\n', '\r']);
        if text.is_empty() {
            return Err(ParseBoardError::Empty);
        }
        let mut board = Board::empty(0);
        for (row, line) in text.split('\n').enumerate() {
            let line = line.strip_suffix('\r').unwrap_or(line);
            let mut length = 0;
            for (column, square) in line.chars().enumerate() {
                match square {
                    '.' => {}
                    'Q' => board.queens.push((row, column)),
                    found => {
                        return Err(ParseBoardError::Square {
                            line: row + 1,
                            column: column + 1,
                            found,
                        });
                    }
                }
                length += 1;
            }
            if row == 0 {
                if length == 0 {
                    return Err(ParseBoardError::Empty);
                }
                if length > Board::MAX_SIZE {
                    return Err(ParseBoardError::TooLarge { columns: length });
                }
                board.size = length;
            }
            if length != board.size {
                return Err(ParseBoardError::Columns {
                    line: row + 1,
                    found: length,
                    expected: board.size,
                });
            }
        }
        let rows = text.split('\n').count();
        if rows != board.size {
            return Err(ParseBoardError::Rows { found: rows, expected: board.size });
        }
        Ok(board)
    }
}

/// What is wrong with the text of a board. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseBoardError {
    /// There are no squares in the text, or none in its first line.
    Empty,
    /// The first line is longer than a board may be.
    TooLarge {
        /// Its length.
        columns: usize,
    },
    /// A line is longer or shorter than the first one.
    Columns {
        /// The line.
        line: usize,
        /// Its length.
        found: usize,
        /// The length of the first line.
        expected: usize,
    },
    /// There are more or fewer lines than columns.
    Rows {
        /// The number of lines.
        found: usize,
        /// The number of columns.
        expected: usize,
    },
    /// A character is neither `.` nor `Q`.
    Square {
        /// The line of the character.
        line: usize,
        /// Its column.
        column: usize,
        /// The character.
        found: char,
    },
}

impl fmt::Display for ParseBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseBoardError::Empty => {
                write!(
                    f,
                    "line 1, column 1: no squares: expected the first row of a board, of `.` and `Q`"
                )
            }
            ParseBoardError::TooLarge { columns } => {
                write!(
                    f,
                    "line 1: a row of {columns} squares: expected at most {}",
                    Board::MAX_SIZE
                )
            }
            ParseBoardError::Columns { line, found, expected } => write!(
                f,
                "line {line}, column {}: a row of {found} squares: expected {expected}, as in line 1",
                found.min(expected) + 1
            ),
            ParseBoardError::Rows { found, expected } => write!(
                f,
                "line {}: {found} rows: expected {expected}, as many as there are columns",
                found.min(expected) + 1
            ),
            ParseBoardError::Square { line, column, found } => {
                write!(f, "line {line}, column {column}: found {found:?}: expected `.` or `Q`")
            }
        }
    }
}

impl Error for ParseBoardError {}
