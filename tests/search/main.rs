//! Tests of searches: the engine, its walks and orders, threads, limits and estimates.

mod anytime;
mod beam;
mod best_first;
mod breadth_first;
mod cancel;
mod claims;
mod combinations;
mod discrepancy;
mod engine;
mod estimate;
mod frontier;
mod iterative_deepening;
mod ordering;
mod proofs;
mod restarts;
mod siblings;
mod split;
mod stepwise;
#[path = "../support"]
#[allow(dead_code, reason = "each test program uses its part")]
mod shared {
    pub mod claiming;
    pub mod combs;
    pub mod estimates;
    pub mod frontiers;
    pub mod power_law;
    pub mod sweeps;
    pub mod words;
}
#[path = "../support/mod.rs"]
mod support;
mod threads;
mod variable_orders;
mod watched;
