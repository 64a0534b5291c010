//! Reading boards of Black & White.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::{BlackAndWhite, Colour};
use crate::problems::catalogue::{Grid, ParseGridError};

/// Why a text is not a board of Black & White. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseBlackAndWhiteError {
    /// A character that is none of `.`, `#`, `o` and `*`.
    UnknownCharacter {
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
        /// The character.
        found: char,
    },
    /// The lines are not those of a board.
    Grid(ParseGridError),
}

impl fmt::Display for ParseBlackAndWhiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseBlackAndWhiteError::UnknownCharacter { line, column, found } => write!(
                f,
                "line {line}, column {column}: found {found:?}, expected '.' (free cell), '#' (black), 'o' (white) or '*' \
                 (obstacle)"
            ),
            ParseBlackAndWhiteError::Grid(error) => error.fmt(f),
        }
    }
}

impl Error for ParseBlackAndWhiteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ParseBlackAndWhiteError::Grid(error) => Some(error),
            ParseBlackAndWhiteError::UnknownCharacter { .. } => None,
        }
    }
}

impl FromStr for BlackAndWhite {
    type Err = ParseBlackAndWhiteError;

    /// Reads a board of one line a row: `.` a free cell, `#` one that is black, `o` one that is white, `*` an obstacle. Lines
    /// may end in CR LF, the last one need not end, and empty lines may follow.
    fn from_str(text: &str) -> Result<Self, ParseBlackAndWhiteError> {
        for (line, row) in text.lines().enumerate() {
            if let Some((column, found)) = row.chars().enumerate().find(|(_, found)| !".#o*".contains(*found)) {
                return Err(ParseBlackAndWhiteError::UnknownCharacter { line: line + 1, column: column + 1, found });
            }
        }
        let grid: Grid = text.replace(['#', 'o'], ".").parse().map_err(ParseBlackAndWhiteError::Grid)?;
        let mut board = BlackAndWhite::new(&grid);
        for (row, line) in text.lines().enumerate() {
            for (column, found) in line.chars().enumerate() {
                if let Some(colour) = Colour::BOTH.into_iter().find(|colour| colour.character() == found) {
                    board = board.with_given(row, column, colour);
                }
            }
        }
        Ok(board)
    }
}
