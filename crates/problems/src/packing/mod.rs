//! Polyomino packings: pieces made of squares that must fill a board without gaps or overlaps.
//!
//! A box of 6×10 filled with the twelve pentominoes is the best known of these puzzles (Golomb
//! 1953; counted by Haselgrove and Haselgrove 1960), and was the example of "Dancing Links" (Knuth
//! 2000). As an [exact cover](secateurs_cover), the pieces and the squares of the board are items,
//! and an option is a placement of a piece.
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::packing::{Packing, PackingBoard};
//!
//! let packing = Packing::pentominoes(PackingBoard::rectangle(3, 20)?)?;
//! let outcome = Search::new(packing.cover()).hooks((packing.symmetry(),)).count();
//! assert_eq!((outcome.representatives(), outcome.exact()), (Some(2), Some(8)));
//!
//! // A board with a hole, and user-defined pieces.
//! use secateurs_problems::packing::{PackingPiece, Polyomino};
//! let board: PackingBoard = "...\n.#.\n...\n".parse()?;
//! let domino: Polyomino = "##".parse()?;
//! let packing = Packing::new(board, vec![PackingPiece::any_number("1", domino)])?;
//! let outcome = Search::new(packing.cover()).hooks((packing.symmetry(),)).count();
//! assert_eq!((outcome.representatives(), outcome.exact()), (Some(1), Some(2)));
//! # Ok::<(), secateurs::ParseError>(())
//! ```
//!
//! To read the source, begin with `board` (boards and shapes), then `cover` (the problem, its
//! drawings and its hook).

mod board;
mod cover;

pub use board::{PackingBoard, Polyomino};
pub use cover::{BoardSymmetry, Packing, PackingPiece};
