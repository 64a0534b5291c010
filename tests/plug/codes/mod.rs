//! The state codes, each against a naive model that keeps lists of who is connected with whom.

mod bits;
mod labels;
mod mates;
mod parentheses;

use proptest::prelude::*;
use proptest::sample::Index;

/// A step that changes a code: its kind, and two plugs or slots.
type Action = (usize, (Index, Index));

/// Up to `longest` actions of so many kinds.
fn actions(kinds: usize, longest: usize) -> impl Strategy<Value = Vec<Action>> {
    prop::collection::vec((0..kinds, any::<(Index, Index)>()), 0..longest)
}
