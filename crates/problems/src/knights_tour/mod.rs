//! Knight's tours: a knight visits every square of an m×n board exactly once.
//!
//! A tour is *closed* if its last square is a knight's move from its first, else *open*. The
//! problem is more than a thousand years old, and the textbook case of a search in which the order
//! of the moves is decisive:
//!
//! - **The plain search** ([`Rule::Plain`]) tries the moves in a fixed order. On 5×5 it takes up to
//!   781,420 nodes, from row 2, column 2, to find a tour, and more than a million to prove that a
//!   start has none. On larger boards it depends on the start: from the corner, 8×8 takes 8,250,733
//!   nodes, which is a second, but from the square to the right of it, 300 million nodes are not
//!   enough.
//! - **Warnsdorff's rule** (1823) moves to the square with the fewest exits, because that square
//!   will be the hardest to reach later. Its success depends on how ties are broken: [`Rule`] has
//!   five ways.
//! - **Bounded backtracking and restarts.** A rule finds a tour almost without backtracking, or
//!   practically never. [`TourSearch`] therefore gives an attempt a few nodes per square, and
//!   1000, 1000, 2000, … more so that the trees of small boards are exhausted, and then starts over
//!   with random tie-breaking.
//! - **Prunings** ([`prunings`]) detect positions that no tour continues: [`Parity`], [`DeadEnds`],
//!   [`OneExit`] and [`DisconnectedRest`]. They prune no tour, so counts remain exact and an
//!   exhausted tree is a proof. With all four, even the plain order solves 30×30 from the corner,
//!   within a thousand nodes.
//! - **Existence** needs no search: Schwenk (1991) and Chia and Ong (2005) have settled it for all
//!   boards, and [`existence`] gives the reason.
//!
//! # Finding a tour
//!
//! ```
//! use secateurs_problems::knights_tour::{TourAnswer, TourBoard, TourSearch};
//!
//! let solved = TourSearch::new(TourBoard::new(8, 8)?).starting_at(0, 0)?.solve();
//! match solved.answer() {
//!     TourAnswer::Tour(tour) => assert_eq!(tour.numbers()[0], 1),
//!     TourAnswer::None(reason) => panic!("no tour: {reason}"),
//!     other => panic!("not decided: {other:?}"),
//! }
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```
//!
//! # Counting tours, with hooks
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::knights_tour::{
//!     DeadEnds, DisconnectedRest, KnightsTour, OneExit, Parity, TourBoard,
//! };
//!
//! let tour = KnightsTour::closed(TourBoard::new(5, 6)?);
//! let hooks = (Parity, DeadEnds, OneExit, DisconnectedRest::default());
//! let outcome = Search::new(&tour).hooks(hooks).count();
//! assert_eq!(outcome.exact(), Some(2 * 8)); // each in both directions
//! println!("{}", outcome.report()); // the cuts of each hook, by depth
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```
//!
//! # Files
//!
//! In reading order: `board` and `tour` are the data; `problem` is the walk model, with the orders
//! of `rule`, the hooks of [`prunings`] and the theorems of [`existence`]; `solve` combines them
//! into a search for one tour; `translations` has two other models, a constraint network and an
//! exact cover.
//!
//! # A comparison with two other models
//!
//! [`KnightsTour::circuit`] states the same tours as a network in which every square has a
//! successor, [`KnightsTour::cover`] as an exact cover of leaving and entering squares. An exact
//! cover alone does not express a tour, although this is a common error: its solutions are sets of
//! cycles, 16 × 16 of them on 4×4, which has no tour. The hook [`NoSubtours`] restricts it to
//! tours.
//!
//! Both models extend the tour in many places, wherever there is the least choice, instead of at
//! its end only. All models find all tours. The tables have nodes and times, including the
//! construction of the model: of first tours by [`TourSearch`] and by the two models (full
//! propagation, smallest domain first), and of all tours by [`KnightsTour`] with the four prunings
//! and by the models. The test `model_comparison` prints them anew.
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
//! *For one tour*, Warnsdorff's rule is the fastest, as expected: five to twenty times as fast as
//! the cover, and ten to hundreds of times as fast as the circuit. The difference is the cost of
//! the model and of a node, not the number of nodes: smallest domain first is Warnsdorff's idea for
//! all squares at once, and up to about 30×30 the cover hardly ever backtracks (it solves 396 of
//! the 400 starts of 20×20 within 100 nodes per square). The cover has no restarts, so on larger
//! boards it may never recover from an early mistake. *For all closed tours*, the cover takes a
//! quarter to a seventh of the nodes and of the time of the walk; the circuit takes the fewest
//! nodes, and about the time of the walk. *To prove that there is no tour*, neither model matches
//! an argument: if the colours or the lines of a board exclude tours, [`Parity`] prunes the root.
//!
//! # The state of the walk
//!
//! A [`Position`] stores, for each square, the number of its step and the number of its free
//! neighbours. A step changes the eight counts around one square, and its undo restores them. Time
//! and memory are linear in the length of a tour, and a tour of 1000×1000 squares, at a depth of a
//! million steps, takes a fraction of a second.

mod board;
pub mod existence;
mod problem;
pub mod prunings;
mod rule;
mod solve;
mod tour;
#[cfg(feature = "networks")]
mod translations;

pub use board::{MAX_SQUARES, MOVES, Square, TourBoard};
pub use existence::NoTour;
pub use problem::{KnightsTour, Position};
pub use prunings::{DeadEnds, DisconnectedRest, OneExit, Parity};
pub use rule::{Rule, RuleKey};
pub use solve::{SolvedTour, TourAnswer, TourSearch};
pub use tour::Tour;
#[cfg(feature = "networks")]
pub use translations::{NoSubtours, TourCircuit, TourCover};
