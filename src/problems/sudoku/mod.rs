//! Sudoku, on boards of any box size up to 64 cells a side.
//!
//! A [`Sudoku`] is a board with its given numbers, read from text and printed as text or as a picture.

mod board;
mod network;
mod parse;
mod places;

pub use board::{Sudoku, SudokuError};
pub use parse::ParseSudokuError;
