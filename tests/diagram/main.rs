//! Tests of decision diagrams: bounds from relaxed diagrams, and searches by diagrams.

mod automaton;
mod bound;
mod instalments;
mod layers;
mod models;
mod search;
#[path = "../support"]
#[allow(dead_code, reason = "each test program uses its part")]
mod shared {
    pub mod claiming;
    pub mod frontiers;
    pub mod saved;
}
mod thresholds;
