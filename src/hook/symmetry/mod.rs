//! Symmetry: searching one solution of each orbit, and counting it as often as its orbit is large.
//!
//! Two solutions that a symmetry of the problem turns into each other are found by two searches
//! that differ in nothing but names. [`FirstChoices`] cuts off mirror images where they begin, at
//! the first few choices, and costs nothing below; [`LexLeader`] takes any group of symmetries and
//! leaves exactly one solution an orbit.

mod first_choices;
mod group;
mod lex_leader;

pub use first_choices::FirstChoices;
pub use group::{Permutation, SymmetryError, SymmetryGroup};
pub use lex_leader::LexLeader;
