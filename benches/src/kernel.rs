//! The engine and hand-written code for the same tree; estimates, and the search that they replace.

pub mod estimates;
pub mod queens;
