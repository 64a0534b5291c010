//! Reading boards of Black & White.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::{BlackAndWhite, Colour};
use crate::problems::catalogue::lines::{Lines, size};
use crate::problems::catalogue::{Grid, GridError};

/// Why a text is not a board of Black & White, or the original input. Lines and columns are counted
/// from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseBlackAndWhiteError {
    /// A line that should be numbers (of boards, or of rows and columns) is something else.
    Numbers {
        /// The line.
        line: usize,
        /// What it is; `None` if the text ends before.
        found: Option<String>,
        /// What it should be.
        expected: &'static str,
    },
    /// There are no cells, or too many.
    Size {
        /// The line that says so.
        line: usize,
        /// What is wrong.
        error: GridError,
    },
    /// A character that is none of `.`, `#`, `o` and `*`.
    UnknownCharacter {
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
        /// The character.
        found: char,
    },
    /// A row that is shorter or longer than it should be.
    RowLength {
        /// Its line.
        line: usize,
        /// How many cells it has.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The text ends before the last row of a board.
    MissingRow {
        /// The line where it should be.
        line: usize,
        /// How many rows were found.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Something follows the last board.
    MoreText {
        /// Its line.
        line: usize,
    },
}

impl fmt::Display for ParseBlackAndWhiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseBlackAndWhiteError::Numbers { line, found, expected } => {
                let found = found
                    .as_ref()
                    .map_or("the end of the text".to_owned(), |found| format!("{found:?}"));
                write!(f, "line {line}, column 1: found {found}, expected {expected}")
            }
            ParseBlackAndWhiteError::Size { line, error } => {
                write!(f, "line {line}, column 1: {error}")
            }
            ParseBlackAndWhiteError::UnknownCharacter { line, column, found } => write!(
                f,
                "line {line}, column {column}: found {found:?}, expected '.' (free cell), '#' (black), 'o' (white) or '*' \
                 (obstacle)"
            ),
            ParseBlackAndWhiteError::RowLength { line, found, expected } => write!(
                f,
                "line {line}, column {}: found a row of {found} cells, expected {expected}",
                found.min(expected) + 1
            ),
            ParseBlackAndWhiteError::MissingRow { line, found, expected } => {
                write!(
                    f,
                    "line {line}, column 1: found the end of the text after {found} rows, expected {expected}"
                )
            }
            ParseBlackAndWhiteError::MoreText { line } => {
                write!(f, "line {line}, column 1: found more text, expected the end")
            }
        }
    }
}

impl Error for ParseBlackAndWhiteError {}

/// Reads the rows of a board; `said` is the line that says how many there are.
fn board(
    lines: &mut Lines<'_>,
    said: usize,
    (rows, columns): (usize, usize),
) -> Result<BlackAndWhite, ParseBlackAndWhiteError> {
    let size_error = |error| ParseBlackAndWhiteError::Size { line: said, error };
    let mut grid = Grid::new(rows, columns).map_err(size_error)?;
    let mut given = Vec::new();
    for row in 0..rows {
        let missing = ParseBlackAndWhiteError::MissingRow {
            line: lines.next_number(),
            found: row,
            expected: rows,
        };
        let (line, text) = lines.read().ok_or(missing)?;
        let mut cells = 0;
        for (column, found) in text.chars().enumerate() {
            match found {
                '.' => {}
                '*' => grid = grid.with_obstacle(row, column),
                '#' => given.push((row, column, Colour::Black)),
                'o' => given.push((row, column, Colour::White)),
                _ => {
                    return Err(ParseBlackAndWhiteError::UnknownCharacter {
                        line,
                        column: column + 1,
                        found,
                    });
                }
            }
            cells = column + 1;
        }
        if cells != columns {
            return Err(ParseBlackAndWhiteError::RowLength {
                line,
                found: cells,
                expected: columns,
            });
        }
    }
    let coloured =
        |board: BlackAndWhite, (row, column, colour)| board.with_given(row, column, colour);
    Ok(given.into_iter().fold(BlackAndWhite::new(&grid), coloured))
}

impl BlackAndWhite {
    /// Reads the original input: the number of boards, then each board, a line with the numbers of
    /// rows and columns, and the rows, as `parse` reads them. Asked for are the number of
    /// colourings, and one of them if there is any.
    ///
    /// ```
    /// use secateurs::plug::Sweep;
    /// use secateurs::problems::catalogue::BlackAndWhite;
    ///
    /// let boards = BlackAndWhite::cases("2\n2 2\no.\n.#\n3 3\n...\n.#.\n..o\n")?;
    /// let counts: Vec<_> = boards.iter().map(|board| Sweep::new(board).count().exact()).collect();
    /// assert_eq!(counts, [Some(4), Some(13)]);
    /// # Ok::<(), secateurs::problems::catalogue::ParseBlackAndWhiteError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is anything else; the error says where.
    pub fn cases(text: &str) -> Result<Vec<Self>, ParseBlackAndWhiteError> {
        let mut lines = Lines::new(text);
        let numbers = |line, found: Option<&str>, expected| ParseBlackAndWhiteError::Numbers {
            line,
            found: found.map(str::to_owned),
            expected,
        };
        let number = "the number of boards";
        let (line, text) = lines.read().ok_or(numbers(1, None, number))?;
        let cases: usize = text.trim().parse().map_err(|_| numbers(line, Some(text), number))?;
        let mut boards = Vec::new();
        for _ in 0..cases {
            let header = "the numbers of rows and columns";
            let (line, text) = lines.read().ok_or(numbers(lines.next_number(), None, header))?;
            let size = size(text).ok_or(numbers(line, Some(text), header))?;
            boards.push(board(&mut lines, line, size)?);
        }
        lines.read().map_or(Ok(boards), |(line, _)| Err(ParseBlackAndWhiteError::MoreText { line }))
    }
}

impl FromStr for BlackAndWhite {
    type Err = ParseBlackAndWhiteError;

    /// Reads a board of one line a row: `.` a free cell, `#` one that is black, `o` one that is
    /// white, `*` an obstacle. Lines may end in CR LF, the last one need not end, and empty lines
    /// may follow.
    fn from_str(text: &str) -> Result<Self, ParseBlackAndWhiteError> {
        let text = text.trim_end_matches(['\n', '\r']);
        let columns = text.lines().next().map_or(0, |line| line.chars().count());
        board(&mut Lines::new(text), 1, (text.lines().count(), columns))
    }
}
