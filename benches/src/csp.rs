//! Constraint networks and hand-written programs, levels of propagation, orders,
//! Sudoku, and scheduling.

mod by_hand;
pub mod queens;
pub mod scheduling;
pub mod sudoku;
