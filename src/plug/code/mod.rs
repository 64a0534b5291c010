//! State codes: what a contour remembers, packed into one machine word.

mod mates;
mod parentheses;
mod parse;
mod word;

pub use mates::{Mates, Role};
pub use parentheses::{Parentheses, Symbol};
pub use parse::ParseCodeError;
pub use word::Word;

use std::fmt;

/// What came of joining two ends of paths, with the state that it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joined<S> {
    /// Two paths have become one, which still has an end in the state.
    Path(S),
    /// They were the two ends of one path, which has become a loop.
    Loop(S),
    /// A path is complete: both its ends lie behind, and none of it is left in the state.
    Whole(S),
}

impl<S> Joined<S> {
    /// The state if the path goes on; `None` if something was closed.
    #[inline]
    #[must_use]
    pub fn path(self) -> Option<S> {
        match self {
            Joined::Path(state) => Some(state),
            Joined::Loop(_) | Joined::Whole(_) => None,
        }
    }

    /// The state that is left, whatever happened.
    #[inline]
    #[must_use]
    pub fn state(self) -> S {
        match self {
            Joined::Path(state) | Joined::Loop(state) | Joined::Whole(state) => state,
        }
    }
}

/// Draws the plugs of a code: at least one, at least `plugs`, and at least as many as the formatter's width.
fn draw(
    f: &mut fmt::Formatter<'_>,
    plugs: usize,
    mut one: impl FnMut(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
) -> fmt::Result {
    (0..plugs.max(f.width().unwrap_or(1)).max(1)).try_for_each(|plug| one(f, plug))
}
