//! Reading the original input of Manhattan Wiring.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::{ManhattanWiring, Wire};
use crate::problems::catalogue::lines::{Lines, size};
use crate::problems::catalogue::{Grid, GridError};
use crate::text::tokens;

/// Why a text is not the input of Manhattan Wiring. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseWiringError {
    /// A line that should be the numbers of rows and columns is not two whole numbers.
    Header {
        /// The line.
        line: usize,
        /// What it is; `None` if the text ends before.
        found: Option<String>,
    },
    /// There are no cells, or too many.
    Size {
        /// The line that says so.
        line: usize,
        /// What is wrong.
        error: GridError,
    },
    /// Something that is none of `0`, `1`, `2` and `3`.
    UnknownCell {
        /// Its line.
        line: usize,
        /// Its column, in characters.
        column: usize,
        /// What it is.
        found: String,
    },
    /// A row that is shorter or longer than was said.
    RowLength {
        /// Its line.
        line: usize,
        /// How many cells it has.
        found: usize,
        /// How many were said.
        expected: usize,
    },
    /// The text ends before the last row of a board.
    MissingRow {
        /// The line where it should be.
        line: usize,
        /// How many rows were found.
        found: usize,
        /// How many were said.
        expected: usize,
    },
    /// There are not two terminals of a wire.
    Terminals {
        /// The line of the third one, or else that of the board's first line.
        line: usize,
        /// The wire.
        wire: Wire,
        /// How many there are, or 3 if there are more than two.
        found: usize,
    },
    /// Something follows after the end.
    MoreText {
        /// Its line.
        line: usize,
    },
}

impl fmt::Display for ParseWiringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseWiringError::Header { line, found } => {
                let found = found
                    .as_ref()
                    .map_or("the end of the text".to_owned(), |found| format!("{found:?}"));
                write!(
                    f,
                    "line {line}, column 1: found {found}, expected the numbers of rows and columns"
                )
            }
            ParseWiringError::Size { line, error } => write!(f, "line {line}, column 1: {error}"),
            ParseWiringError::UnknownCell { line, column, found } => write!(
                f,
                "line {line}, column {column}: found {found:?}, expected 0 (free cell), 1 (obstacle), 2 or 3 (terminals)"
            ),
            ParseWiringError::RowLength { line, found, expected } => {
                write!(
                    f,
                    "line {line}, column 1: found a row of {found} cells, expected {expected}"
                )
            }
            ParseWiringError::MissingRow { line, found, expected } => {
                write!(
                    f,
                    "line {line}, column 1: found the end of the text after {found} rows, expected {expected}"
                )
            }
            ParseWiringError::Terminals { line, wire, found: 3 } => {
                write!(
                    f,
                    "line {line}, column 1: found a third cell {}, expected two on a board",
                    wire.digit()
                )
            }
            ParseWiringError::Terminals { line, wire, found } => {
                let digit = wire.digit();
                write!(
                    f,
                    "line {line}, column 1: found a board with {found} cells {digit}, expected two"
                )
            }
            ParseWiringError::MoreText { line } => {
                write!(f, "line {line}, column 1: found more text, expected the end")
            }
        }
    }
}

impl Error for ParseWiringError {}

/// The next board, if there is one; `0 0` stands for the end.
fn board(lines: &mut Lines<'_>) -> Result<Option<ManhattanWiring>, ParseWiringError> {
    let Some((first, header)) = lines.read() else { return Ok(None) };
    let header_error = ParseWiringError::Header { line: first, found: Some(header.to_owned()) };
    let (rows, columns) = size(header).ok_or(header_error)?;
    if (rows, columns) == (0, 0) {
        return lines.read().map_or(Ok(None), |(line, _)| Err(ParseWiringError::MoreText { line }));
    }
    let mut grid =
        Grid::new(rows, columns).map_err(|error| ParseWiringError::Size { line: first, error })?;
    let mut terminals: [Vec<(usize, usize)>; 2] = [Vec::new(), Vec::new()];
    for row in 0..rows {
        let missing =
            ParseWiringError::MissingRow { line: lines.next_number(), found: row, expected: rows };
        let (line, text) = lines.read().ok_or(missing)?;
        let found = tokens(text).count();
        for (place, (column, word)) in tokens(text).enumerate().take(columns) {
            match word {
                "0" => {}
                "1" => grid = grid.with_obstacle(row, place),
                "2" | "3" => {
                    let wire = if word == "2" { Wire::Two } else { Wire::Three };
                    let ends = &mut terminals[wire as usize];
                    ends.push((row, place));
                    if ends.len() > 2 {
                        return Err(ParseWiringError::Terminals { line, wire, found: 3 });
                    }
                }
                _ => {
                    return Err(ParseWiringError::UnknownCell {
                        line,
                        column,
                        found: word.to_owned(),
                    });
                }
            }
        }
        if found != columns {
            return Err(ParseWiringError::RowLength { line, found, expected: columns });
        }
    }
    let ends = |wire: Wire| match terminals[wire as usize][..] {
        [one, other] => Ok([one, other]),
        _ => Err(ParseWiringError::Terminals {
            line: first,
            wire,
            found: terminals[wire as usize].len(),
        }),
    };
    let board = ManhattanWiring::new(&grid, [ends(Wire::Two)?, ends(Wire::Three)?]);
    Ok(Some(board.expect("terminals were read from cells of their own, which are no obstacles")))
}

impl ManhattanWiring {
    /// Reads the original input: boards, each a line with the numbers of rows and columns, then the
    /// rows, of digits with spaces between them: `0` a free cell, `1` an obstacle, `2` and `3` the
    /// terminals, two of each. `0 0` or the end of the text ends them.
    ///
    /// Lines may end in CR LF, the last one need not end, and empty lines may follow.
    ///
    /// # Errors
    /// If the text is anything else; the error says where.
    pub fn cases(text: &str) -> Result<Vec<Self>, ParseWiringError> {
        let mut lines = Lines::new(text);
        std::iter::from_fn(|| board(&mut lines).transpose()).collect()
    }
}

impl FromStr for ManhattanWiring {
    type Err = ParseWiringError;

    /// Reads one board: see [`cases`](ManhattanWiring::cases).
    fn from_str(text: &str) -> Result<Self, ParseWiringError> {
        let mut lines = Lines::new(text);
        let found = board(&mut lines)?
            .ok_or(ParseWiringError::Header { line: lines.next_number(), found: None })?;
        let line = lines.next_number();
        board(&mut lines)?.map_or(Ok(found), |_| Err(ParseWiringError::MoreText { line }))
    }
}
