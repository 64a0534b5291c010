//! Constraint networks and hand-written programs, levels of propagation, quasigroups, and Sudoku.

mod by_hand;
pub mod quasigroups;
pub mod queens;
pub mod sudoku;
