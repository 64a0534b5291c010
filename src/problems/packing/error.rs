//! What is wrong with a packing problem.

use std::error::Error;
use std::fmt;

use crate::cover::CoverError;

/// What is wrong with a board, a shape or a packing problem. Lines and columns of texts count from
/// 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackingError {
    /// A shape has no squares.
    NoCells,
    /// A shape has more squares than it may have.
    TooManyCells {
        /// The most that it may have.
        most: usize,
    },
    /// A board has more squares than it may have, or a shape extends over more than that.
    TooLarge {
        /// The number of its rows.
        rows: usize,
        /// The number of its columns.
        columns: usize,
        /// The most squares that it may have.
        most: usize,
    },
    /// There are more ways to place the pieces on the board than there may be.
    TooManyPlacements {
        /// The most that there may be.
        most: usize,
    },
    /// A character is neither `.` nor `#`.
    Character {
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
        /// The character.
        found: char,
    },
    /// A line of a board is shorter or longer than the first one.
    LineLength {
        /// The line.
        line: usize,
        /// Its length.
        found: usize,
        /// That of the first line.
        expected: usize,
    },
    /// A piece cannot be: two have the same name, or one has a name that is no name of an item; or
    /// all placements of the pieces together have too many squares for a cover.
    Piece(CoverError),
}

impl fmt::Display for PackingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackingError::NoCells => {
                write!(f, "found a shape without squares, expected one at least")
            }
            PackingError::TooManyCells { most } => {
                write!(f, "found a shape of more squares than expected: at most {most}")
            }
            PackingError::TooLarge { rows, columns, most } => {
                write!(
                    f,
                    "found {rows} rows and {columns} columns, expected a board or shape of at most {most} squares"
                )
            }
            PackingError::TooManyPlacements { most } => {
                write!(
                    f,
                    "found more placements of the pieces on the board than expected: at most {most}"
                )
            }
            PackingError::Character { line, column, found } => {
                write!(f, "line {line}, column {column}: found {found:?}, expected '.' or '#'")
            }
            PackingError::LineLength { line, found, expected } => write!(
                f,
                "line {line}, column {}: found a row of {found} squares, expected {expected} as in the first row",
                found.min(expected) + 1
            ),
            PackingError::Piece(error @ CoverError::TooLarge { .. }) => {
                write!(f, "in the pieces and their placements: {error}")
            }
            PackingError::Piece(error) => write!(f, "in the names of the pieces: {error}"),
        }
    }
}

impl Error for PackingError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            PackingError::Piece(error) => Some(error),
            _ => None,
        }
    }
}

impl From<CoverError> for PackingError {
    fn from(error: CoverError) -> Self {
        PackingError::Piece(error)
    }
}
