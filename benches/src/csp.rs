//! Constraint networks and hand-written programs, levels of propagation, orders, global
//! constraints, classical problems, scheduling, nonograms, and Sudoku.

mod by_hand;
pub mod classics;
pub mod constraints;
pub mod nonogram;
pub mod queens;
pub mod scheduling;
pub mod sudoku;
