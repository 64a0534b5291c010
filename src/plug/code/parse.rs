//! What may be wrong with the text of a code: [`ParseCodeError`].

use std::fmt;

/// Why a text is not the picture of a state code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseCodeError {
    /// A character that stands for nothing here.
    Unexpected {
        /// Where, counted in characters from 1.
        column: usize,
        /// The character.
        found: char,
        /// What may stand there.
        expected: &'static str,
    },
    /// More plugs than the word holds.
    TooLong {
        /// Plugs in the text.
        plugs: usize,
        /// Plugs that the word holds.
        capacity: usize,
    },
}

impl fmt::Display for ParseCodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseCodeError::Unexpected { column, found, expected } => {
                write!(f, "column {column}: expected {expected}, found {found:?}")
            }
            ParseCodeError::TooLong { plugs, capacity } => {
                write!(f, "{plugs} plugs, and the word holds {capacity}")
            }
        }
    }
}

impl std::error::Error for ParseCodeError {}
