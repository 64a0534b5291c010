//! Constraint networks and hand-written programs, levels of propagation, orders, and Sudoku.

mod by_hand;
pub mod queens;
pub mod sudoku;
