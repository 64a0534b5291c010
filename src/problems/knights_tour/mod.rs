//! Knight's tours: a knight visits every square of an m×n board once.
//!
//! A tour is *closed* if its last square is a knight's move from its first, else *open*. The problem is more than a
//! thousand years old, and the textbook case of a search in which order is everything:
//!
//! - **Plain search** ([`Rule::Plain`]) tries the moves in a fixed order. On 5×5 it takes up to 365,421 nodes to find a
//!   tour and more than a million to see that a start has none; 6×6 can take 20 million, and beyond there is hardly any hope.
//! - **Warnsdorff's rule** (1823) moves to the square with the fewest exits, for it will be the hardest to come back to.
//!   It leaves ties, and how they are broken decides how far it gets: [`Rule`] has five ways.
//! - **Bounded stepping back and restarts.** A rule finds a tour almost without a step back, or almost never. So
//!   [`TourSearch`] gives an attempt a few nodes a square, and then starts over with ties taken at random.
//! - **Prunings** ([`prunings`]) see that a position is lost before the knight has run into it: [`Parity`], [`DeadEnds`],
//!   [`OneExit`] and [`DisconnectedRest`]. They lose no tour, so that counts stay exact and an exhausted tree is a proof.
//!   With all four, even the plain order solves 30×30 from the corner, within a thousand nodes.
//! - **Existence** needs no search at all: Schwenk (1991) and Chia and Ong (2005) have answered it for all boards, and
//!   [`existence`] gives the reason.
//!
//! # Finding a tour
//!
//! ```
//! use secateurs::problems::knights_tour::{Answer, Board, TourSearch};
//!
//! let solved = TourSearch::new(Board::new(8, 8)?).starting_at(0, 0)?.solve();
//! match solved.answer() {
//!     Answer::Tour(tour) => assert_eq!(tour.numbers()[0], 1),
//!     Answer::None(reason) => panic!("none: {reason}"),
//!     other => panic!("not known: {other:?}"),
//! }
//! # Ok::<(), secateurs::problems::knights_tour::BoardError>(())
//! ```
//!
//! # Counting tours, with hooks
//!
//! ```
//! use secateurs::Search;
//! use secateurs::problems::knights_tour::{Board, DeadEnds, DisconnectedRest, KnightsTour, OneExit, Parity};
//!
//! let tour = KnightsTour::closed(Board::new(5, 6)?);
//! let hooks = (Parity, DeadEnds, OneExit, DisconnectedRest::default());
//! let outcome = Search::new(&tour).hooks(hooks).count();
//! assert_eq!(outcome.exact(), Some(2 * 8)); // each in both directions
//! println!("{}", outcome.report()); // what each hook cut, by depth
//! # Ok::<(), secateurs::problems::knights_tour::BoardError>(())
//! ```
//!
//! # The state
//!
//! A [`Position`] keeps the number of the step of each square and the number of its free neighbours. A step changes the
//! eight counts around one square, and its undo changes them back: time and memory are linear in the length of a tour,
//! and a tour of 1000×1000 squares, a million steps deep, takes a fraction of a second.

mod arcs;
mod board;
mod circuit;
mod cover;
pub mod existence;
mod problem;
pub mod prunings;
mod rule;
mod solve;
mod tour;

pub use board::{Board, BoardError, MAX_SQUARES, MOVES, Square};
pub use circuit::TourCircuit;
pub use cover::{NoSubtours, TourCover};
pub use existence::NoTour;
pub use problem::{KnightsTour, Position};
pub use prunings::{DeadEnds, DisconnectedRest, OneExit, Parity};
pub use rule::{Key, Rule, UnknownRule};
pub use solve::{Answer, Solved, TourSearch};
pub use tour::{Tour, TourError};
