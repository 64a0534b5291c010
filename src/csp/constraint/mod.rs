//! Constraints, as a network knows them.
//!
//! *Binary* constraints (different values, predicates, lists of pairs) and all-different
//! constraints that are looked at pair by pair are known to the network itself, which turns them
//! into rows of bit masks where that is small enough. All others are [propagators](Propagator):
//! those of [`global`](super::global), and a user's own.

mod binary;
mod propagator;
mod rows;

pub(super) use binary::{Clique, Pair, Relation};
pub use propagator::{Propagator, PropagatorScratch, Wake};
pub(super) use propagator::{WakeRule, holds};
pub(super) use rows::Rows;
