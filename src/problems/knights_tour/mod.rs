//! Knight's tours: a knight visits every square of an m×n board once.
//!
//! A tour is *closed* if its last square is a knight's move from its first, else *open*. The
//! problem is more than a thousand years old, and the textbook case of a search in which order is
//! everything:
//!
//! - **Plain search** ([`Rule::Plain`]) tries the moves in a fixed order. On 5×5 it takes up to
//!   781,420 nodes, from row 2, column 2, to find a tour and more than a million to see that a
//!   start has none; 6×6 can take 20 million, and beyond there is hardly any hope.
//! - **Warnsdorff's rule** (1823) moves to the square with the fewest exits, for it will be the
//!   hardest to come back to. It leaves ties, and how they are broken decides how far it gets:
//!   [`Rule`] has five ways.
//! - **Bounded stepping back and restarts.** A rule finds a tour almost without a step back, or
//!   almost never. So [`TourSearch`] gives an attempt a few nodes a square, and then starts over
//!   with ties taken at random.
//! - **Prunings** ([`prunings`]) see that a position is lost before the knight has run into it:
//!   [`Parity`], [`DeadEnds`], [`OneExit`] and [`DisconnectedRest`]. They lose no tour, so that
//!   counts stay exact and an exhausted tree is a proof. With all four, even the plain order solves
//!   30×30 from the corner, within a thousand nodes.
//! - **Existence** needs no search at all: Schwenk (1991) and Chia and Ong (2005) have answered it
//!   for all boards, and [`existence`] gives the reason.
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
//! # Two other models, and what they are worth
//!
//! The same tours can be stated as a network in which every square has a successor,
//! [`KnightsTour::circuit`], and as an exact cover of leaving and entering squares,
//! [`KnightsTour::cover`]. It is often said that a tour *is* an exact cover; it is not: by itself,
//! the cover gives sets of cycles, 16 × 16 of them on 4×4, which has no tour. With the hook
//! [`NoSubtours`] it gives tours.
//!
//! Both grow the tour in many places at once, wherever there is least choice, instead of from its
//! end; all three lose nothing. Nodes and times of first tours, set-up of the model included, by
//! [`TourSearch`] and by the two models (full propagation, smallest domain first); and of all
//! tours, by [`KnightsTour`] with the four prunings and by the models. The test
//! `the_models_compared` prints them anew.
//!
//! | first tour | Warnsdorff | | cover | | circuit | |
//! |---|---|---|---|---|---|---|
//! | 6×6, closed | 37 | 10 µs | 37 | 54 µs | 15 | 0.1 ms |
//! | 8×8, closed | 65 | 20 µs | 79 | 0.1 ms | 43 | 0.35 ms |
//! | 10×10, closed | 102 | 28 µs | 101 | 0.16 ms | 79 | 0.6 ms |
//! | 20×20, closed | 411 | 0.14 ms | 401 | 0.85 ms | 336 | 4.8 ms |
//! | 50×50, closed | 2533 | 1.4 ms | 2501 | 9 ms | 2389 | 0.28 s |
//! | 100×100, closed | 10,097 | 9 ms | 10,021 | 69 ms | 9776 | 5.5 s |
//! | 50×50, open, from a corner | 2500 | 1 ms | 2502 | 20 ms | | not in 10 s |
//! | 100×100, open, from a corner | 10,000 | 3.7 ms | not in 2,000,000 | | | not in 10 s |
//!
//! | all tours | walk and prunings | | cover | | circuit | |
//! |---|---|---|---|---|---|---|
//! | 3×6, open: none | 703 | 41 µs | 306 | 29 µs | 101 | 76 µs |
//! | 4×10, closed: none | 1 | 2 µs | 39,031 | 4.7 ms | 13,757 | 31 ms |
//! | 5×7, closed: none | 1 | 2 µs | 6627 | 0.8 ms | 1445 | 2.4 ms |
//! | 5×5, open: 1728 | 47,358 | 3.8 ms | 20,584 | 2.1 ms | 5028 | 6.0 ms |
//! | 5×6, closed: 2 · 8 | 11,872 | 1.0 ms | 2211 | 0.2 ms | 729 | 0.7 ms |
//! | 6×6, closed: 2 · 9862 | 1,226,415 | 172 ms | 268,963 | 44 ms | 65,837 | 144 ms |
//! | 5×8, closed: 2 · 44,202 | 6,041,211 | 877 ms | 902,981 | 119 ms | 241,297 | 505 ms |
//!
//! So *for one tour*, Warnsdorff's rule wins, as it should: five to twenty times before the cover,
//! and ten to hundreds of times before the circuit. But what makes the difference is the price of
//! the model and of a node, not the number of nodes: smallest domain first is Warnsdorff's idea for
//! all squares at once, and to about 30×30 the cover hardly ever takes a step back (396 of the 400
//! starts of 20×20 are solved within 100 nodes a square). What it lacks are restarts: beyond, it
//! may get stuck for good. *For all tours* that are closed, the cover takes a quarter to a seventh
//! of the nodes and of the time of the walk; the circuit takes the fewest nodes, and about as long
//! as the walk. *To prove that there is none*, neither comes up to an argument: where colours or
//! the lines of a board decide, [`Parity`] sees it at the root.
//!
//! # The state
//!
//! Of the walk: a [`Position`] keeps the number of the step of each square and the number of its
//! free neighbours. A step changes the eight counts around one square, and its undo changes them
//! back: time and memory are linear in the length of a tour, and a tour of 1000×1000 squares, a
//! million steps deep, takes a fraction of a second.

mod arcs;
mod board;
mod circuit;
mod cover;
mod draw;
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
