//! Paths and loops on planar boards: states are Motzkin words.

mod contour;
mod dense;
mod execute;
mod layout;
mod numbers;
mod plan;
mod rule;

pub use dense::DenseSweep;
pub use rule::{CellRule, Closing, FINISHED, Piece, Side, step};

use super::code::Parentheses;
use super::profile::Profile;

/// A profile whose states are Motzkin words, and whose steps are those of [`step`].
pub trait MotzkinProfile: Profile<State = Parentheses> {
    /// How many plugs the contour has: the length of the words.
    fn plugs(&self) -> usize;

    /// The lower one of the two plugs, neighbours on the contour, that the cell reads and replaces.
    fn low(&self, cell: usize) -> usize;

    /// What may happen in the cell.
    fn rule(&self, cell: usize) -> CellRule;
}
