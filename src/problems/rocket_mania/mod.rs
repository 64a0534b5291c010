//! Rocket Mania.

mod block;
mod board;
mod contour;
mod draw;
mod fire;
mod parse;
mod profile;
mod prunings;
mod rotator;
mod solve;

pub use block::{Block, Sides};
pub use board::{Board, Case, CaseError, Matches, Rotation};
pub use contour::Contour;
pub use fire::Fire;
pub use parse::{Mode, ParseCasesError, Problem};
pub use profile::Fuses;
pub use prunings::{
    Containment, Extinguished, LonePlugs, Outshone, ParsePruningsError, Prunings, UnlitRockets, outshone,
};
pub use rotator::{TooManyRotations, rotate_all};
pub use solve::{Comparison, Rockets, Settings, UnknownComparison};
