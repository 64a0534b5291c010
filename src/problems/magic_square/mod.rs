//! Magic squares: the numbers 1 to n² in a square, such that all rows, all columns and both
//! diagonals have the same sum.
//!
//! The one of order 3 is in the Chinese legend of the Luo river, one of order 4 in Dürer's
//! *Melencolia I* (1514). There are magic squares of every order but 2, and simple rules to write
//! one down. How many there are is known to order 5: 1, 0, 8, 7040, 2202441792 (Schroeppel 1973;
//! sequence A006052 of the OEIS has an eighth of these, taking a square and its turned and mirrored
//! images for one).
//!
//! | order | all | up to symmetry |
//! |---|---|---|
//! | 1 | 1 | 1 |
//! | 2 | 0 | 0 |
//! | 3 | 8 | 1 |
//! | 4 | 7040 | 880 (Frénicle de Bessy 1693) |
//!
//! [`MagicSquares`] states them as a [constraint network](crate::csp), of one all-different
//! constraint and 2n + 2 sums.
//!
//! ```
//! use secateurs::Search;
//! use secateurs::csp::{Ascending, Assignment, Branching, Propagate, SmallestDomain};
//! use secateurs::problems::magic_square::MagicSquares;
//!
//! let squares = MagicSquares::new(3)?;
//! let network = squares.network();
//! let search = || {
//!     let order = Branching::new(SmallestDomain::first_tie(), Ascending);
//!     Search::new(&network).hooks((Propagate::full(),)).brancher(order)
//! };
//! assert_eq!(search().count().exact(), Some(8));
//!
//! let outcome = search().extract(Assignment::of).first();
//! let square = squares.square(outcome.solution().ok_or("there is one")?)?;
//! assert_eq!(square.to_string(), "2 7 6\n9 5 1\n4 3 8\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod network;
mod square;

pub use network::MagicSquares;
pub use square::{MagicSquare, MagicSquareError};
