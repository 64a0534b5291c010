//! State codes: what a contour remembers, packed into one machine word.

mod bits;
mod coloured;
mod labels;
mod matching;
mod mates;
mod parentheses;
mod parse;
mod word;

pub use bits::Bits;
pub use coloured::Coloured;
pub use labels::Labels;
pub use mates::{Mates, Slot};
pub use parentheses::{Parentheses, Symbol};
pub use parse::ParseCodeError;
pub use word::Word;

use parse::{draw, read};

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
