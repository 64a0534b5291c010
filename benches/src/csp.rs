//! Constraint networks and hand-written programs, levels of propagation, orders, global
//! constraints, scheduling, nonograms, and Sudoku.

mod by_hand;
pub mod constraints;
pub mod nonogram;
pub mod queens;
pub mod scheduling;
pub mod sudoku;
