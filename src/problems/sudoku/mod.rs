//! Sudoku, on boards of any box size up to 64 cells a side.
//!
//! A [`Sudoku`] is a board with its given numbers, read from text and printed as text or as a
//! picture. It is solved as a constraint network or as an exact cover, whichever one likes:
//!
//! | [`Family`] | what is decided | what follows from it |
//! |---|---|---|
//! | [`Network`](Family::Network) | the number of the cell with the fewest candidates | last candidates of cells and last places of numbers, until nothing changes |
//! | [`Cover`](Family::Cover) | a cell's number or a number's place, whichever has the fewest options | a candidate or place that is the last comes next, one a node |
//!
//! A network has fewer nodes, which cost more each. Hard boards of side 9 take both of them less
//! than a millisecond, model included; on larger ones with enough numbers given, the cover is
//! faster by a factor of two to four (`cargo bench --bench csp -- Sudoku`). On large boards that
//! are nearly blank it is the network: the blank one of side 64 takes it half a second, and the
//! cover goes astray. To solve Sudoku of any size is NP-complete (Yato and Seta 2003).
//!
//! ```
//! use secateurs::Limits;
//! use secateurs::problems::sudoku::{Family, Sudoku};
//!
//! // Boxes need not be square.
//! let sudoku = Sudoku::from_text("1....6\n......\n..5...\n...2..\n......\n6....1\n", 2, 3)?;
//! let counts = [Family::Network, Family::Cover].map(|family| sudoku.count(family, &Limits::new()).exact());
//! assert_eq!(counts[0], counts[1]);
//! # Ok::<(), secateurs::problems::sudoku::ParseSudokuError>(())
//! ```

mod board;
mod cover;
mod draw;
mod network;
mod parse;
mod places;
mod solve;

pub use board::{Sudoku, SudokuError};
pub use parse::ParseSudokuError;
pub use solve::Family;
