//! Knight's tours.

mod board;
pub mod existence;
mod problem;
mod prunings;
mod rule;
mod solve;
mod tour;

pub use board::{Board, BoardError, MAX_SQUARES, MOVES, Square};
pub use existence::NoTour;
pub use problem::{KnightsTour, Position};
pub use prunings::{DeadEnds, DisconnectedRest, OneExit, Parity};
pub use rule::{Rule, UnknownRule};
pub use solve::{Answer, Solved, TourSearch};
pub use tour::{Tour, TourError};
