//! Model problems with their hooks, parsers, text output and pictures.
//!
//! Begin with a small one: [`maze`] (a plain problem), [`langford`] or [`magic_square`] (an exact
//! cover or a constraint network). [`clique`] and [`coloring`] have bounds and branchers of their
//! own. [`queens`], [`knights_tour`] and [`fire_net`] have sets of prunings; [`rocket_mania`] and
//! the [`catalogue`] are contour problems. [`semigroups`] and [`uts`] are benchmarks of tree
//! search. `error`, `picture` and `selection` are shared helpers.

pub mod catalogue;
pub mod clique;
pub mod coloring;
pub mod dimacs;
mod error;
pub mod fire_net;
pub mod knapsack;
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
pub use selection::Selection;
