//! Model problems, each with its hooks, its parser, its printer and a picture.

pub mod catalogue;
pub mod clique;
pub mod coloring;
pub mod dimacs;
mod error;
pub mod fire_net;
pub mod knights_tour;
pub mod langford;
pub mod magic_square;
pub mod maze;
pub mod packing;
mod picture;
pub mod queens;
pub mod rocket_mania;
mod selection;
pub mod semigroups;
pub mod sudoku;
pub mod uts;

pub use error::InstanceError;
pub use selection::{ParseSelectionError, Selection};
