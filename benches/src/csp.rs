//! Constraint networks and programs for one problem, levels of propagation, orders, and Sudoku.

mod by_hand;
pub mod queens;
pub mod sudoku;
