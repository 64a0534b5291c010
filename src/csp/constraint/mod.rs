//! Constraints in the form in which a network stores them.
//!
//! - `binary`: relations of two variables and all-different constraints that are propagated pair by
//!   pair. The network itself propagates these.
//! - `rows`: all of them combined in one table of bit masks, for small networks.
//! - `propagator`: the trait of all other constraints. The ready-made ones are in
//!   [`global`](super::global).

mod binary;
mod propagator;
mod rows;

pub(super) use binary::{Clique, Pair, Relation};
pub use propagator::{Propagator, PropagatorScratch, Wake};
pub(super) use propagator::{WakeRule, holds};
pub(super) use rows::Rows;
