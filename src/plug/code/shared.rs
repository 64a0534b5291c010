//! Code that the state codes share: [`Joined`], and codes as text with one character per plug.

use std::fmt;

use crate::text::ParseError;

/// The result of joining two ends or two components, or of closing one, with the next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joined<S> {
    /// The joined path (or component) continues: part of it is still in the state.
    Path(S),
    /// The two were ends of the same path, which is now a loop, or plugs of the same component, in
    /// which a cycle closes.
    Loop(S),
    /// A path (or component) is complete: nothing of it is left in the state.
    Whole(S),
}

impl<S> Joined<S> {
    /// Returns the state if the path continues, `None` if a loop or a path was closed.
    #[inline]
    #[must_use]
    pub fn path(self) -> Option<S> {
        match self {
            Joined::Path(state) => Some(state),
            Joined::Loop(_) | Joined::Whole(_) => None,
        }
    }

    /// Returns the next state, whatever was joined.
    #[inline]
    #[must_use]
    pub fn state(self) -> S {
        match self {
            Joined::Path(state) | Joined::Loop(state) | Joined::Whole(state) => state,
        }
    }
}

/// Draws the plugs of a code: at least one, at least `plugs`, and at least as many as the
/// formatter's width.
pub(super) fn draw(
    f: &mut fmt::Formatter<'_>,
    plugs: usize,
    mut draw_plug: impl FnMut(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
) -> fmt::Result {
    (0..plugs.max(f.width().unwrap_or(1)).max(1)).try_for_each(|plug| draw_plug(f, plug))
}

/// Reads a code of at most `capacity` plugs.
///
/// `place` adds one character to the code at a plug, or returns what it expected there.
///
/// # Errors
///
/// Returns an error with the column of a character that `place` refuses, or of the first plug that
/// does not fit.
pub(super) fn read<S>(
    text: &str,
    capacity: usize,
    empty: S,
    mut place: impl FnMut(S, usize, char) -> Result<S, &'static str>,
) -> Result<S, ParseError> {
    let plugs = text.chars().count();
    if plugs > capacity {
        let message = format!("found {plugs} plugs, expected at most {capacity} in this word");
        return Err(ParseError::at(1, capacity + 1, message));
    }
    text.chars().enumerate().try_fold(empty, |code, (plug, found)| {
        place(code, plug, found).map_err(|expected| {
            let found = found.escape_debug();
            ParseError::at(1, plug + 1, format!("found `{found}`, expected {expected}"))
        })
    })
}
