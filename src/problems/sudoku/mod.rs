//! Sudoku, on boards with boxes of any size, up to 64 cells per side.
//!
//! A [`Sudoku`] is a board with its given numbers, read from text and written as text or as a
//! picture. It can be solved as a constraint network or as an exact cover:
//!
//! - [`Family::Network`] branches on the cell with the fewest candidates. It propagates last
//!   candidates of cells and last places of numbers to a fixed point.
//! - [`Family::Cover`] branches on the number of a cell or the place of a number, whichever has the
//!   fewest options. It does not propagate: a last candidate or place is a node with one child.
//!
//! The network has fewer nodes, but each is more expensive. Both solve hard boards of side 9 in
//! less than a millisecond, including the construction of the model. On larger boards with enough
//! given numbers, the cover is faster by a factor of two to four
//! (`cargo bench --bench csp -- Sudoku`). On large, nearly blank boards the network is better: it
//! solves the blank board of side 64 in half a second, while the cover finds no solution in
//! reasonable time. Sudoku of any size is NP-complete (Yato and Seta 2003).
//!
//! ```
//! use secateurs::Limits;
//! use secateurs::problems::sudoku::{Family, Sudoku};
//!
//! // Boxes need not be square.
//! let sudoku = Sudoku::from_text("1....6\n......\n..5...\n...2..\n......\n6....1\n", 2, 3)?;
//! let count = |family| sudoku.count(family, &Limits::new()).exact();
//! let counts = [Family::Network, Family::Cover].map(count);
//! assert_eq!(counts[0], counts[1]);
//! # Ok::<(), secateurs::ParseError>(())
//! ```
//!
//! To read the source, begin with `board` (boards, their text format and pictures), then `solve`
//! (the two models and their searches).

mod board;
mod solve;

pub use board::Sudoku;
pub use solve::Family;
