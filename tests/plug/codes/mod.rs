//! The state codes, each against a naive model that keeps lists of all plugs and connections.

mod bits;
mod labels;
mod mates;
mod parentheses;

use proptest::prelude::*;
use proptest::sample::Index;

/// An action on a code: its kind, and two plugs or slots.
type Action = (usize, (Index, Index));

/// Generates fewer than `end_len` actions of `kinds` kinds.
fn actions(kinds: usize, end_len: usize) -> impl Strategy<Value = Vec<Action>> {
    prop::collection::vec((0..kinds, any::<(Index, Index)>()), 0..end_len)
}
