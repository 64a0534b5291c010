//! The engine and hand-written code for the same tree, and estimates and the search they replace.

pub mod cliques;
pub mod estimates;
pub mod queens;
