//! Codes as text, a character a plug, and what may be wrong with one: [`ParseCodeError`].

use std::fmt;

/// Draws the plugs of a code: at least one, at least `plugs`, and at least as many as the
/// formatter's width.
pub(super) fn draw(
    f: &mut fmt::Formatter<'_>,
    plugs: usize,
    mut one: impl FnMut(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
) -> fmt::Result {
    (0..plugs.max(f.width().unwrap_or(1)).max(1)).try_for_each(|plug| one(f, plug))
}

/// Reads a code of at most `capacity` plugs. `place` puts what a character stands for at a plug, or
/// says what it expected.
pub(super) fn read<S>(
    text: &str,
    capacity: usize,
    empty: S,
    mut place: impl FnMut(S, usize, char) -> Result<S, &'static str>,
) -> Result<S, ParseCodeError> {
    let plugs = text.chars().count();
    if plugs > capacity {
        return Err(ParseCodeError::TooLong { plugs, capacity });
    }
    text.chars().enumerate().try_fold(empty, |code, (plug, found)| {
        place(code, plug, found).map_err(|expected| ParseCodeError::Unexpected {
            column: plug + 1,
            found,
            expected,
        })
    })
}

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
