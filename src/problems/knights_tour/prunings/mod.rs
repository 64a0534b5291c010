//! The four prunings, each a hook that can be switched on by itself. All of them lose no tour.
//!
//! | hook | cuts off | cost a node |
//! |---|---|---|
//! | [`Parity`] | starts on the colour with fewer squares; wrong turns with a side of 4 | constant |
//! | [`DeadEnds`] | a free square without exits that is not last | constant |
//! | [`OneExit`] | two squares that would both have to be last, or both next | constant |
//! | [`DisconnectedRest`] | free squares that cannot be reached from one another | up to the board |
//!
//! ```
//! use secateurs::Search;
//! use secateurs::problems::knights_tour::{Board, DeadEnds, DisconnectedRest, KnightsTour, OneExit, Parity};
//!
//! let tour = KnightsTour::open(Board::new(4, 5)?);
//! let plain = Search::new(&tour).count();
//! let pruned = Search::new(&tour).hooks((Parity, DeadEnds, OneExit, DisconnectedRest::default())).count();
//! assert_eq!(plain.exact(), Some(164));
//! assert_eq!(pruned.exact(), Some(164));
//! assert!(10 * pruned.report().nodes() < plain.report().nodes());
//! # Ok::<(), secateurs::problems::knights_tour::BoardError>(())
//! ```

mod dead_ends;
mod disconnected;
mod one_exit;
mod parity;

pub use dead_ends::DeadEnds;
pub use disconnected::DisconnectedRest;
pub use one_exit::OneExit;
pub use parity::Parity;
