//! Symmetry: searching one solution of each orbit, and counting it with the size of the orbit.
//!
//! [`FirstChoices`] prunes symmetric choices at the first few levels and costs nothing below them.
//! [`LexLeader`] takes any [`SymmetryGroup`] and keeps exactly one solution per orbit.

mod first_choices;
mod group;
mod lex_leader;

pub use first_choices::FirstChoices;
pub use group::{Permutation, SymmetryError, SymmetryGroup};
pub use lex_leader::LexLeader;
