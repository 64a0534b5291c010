//! Tests of the catalogue of grid problems, and of counts of knight's tours.

mod black_and_white;
mod determinants;
mod grids;
mod knights_count;
mod manhattan_wiring;
mod paths;
mod polyominoes;
mod refusals;
mod sets;
#[path = "../../../../tests/support"]
#[allow(dead_code, reason = "shared with the tests of the engines")]
mod shared {
    pub mod edge_sets;
    pub mod known;
    pub mod sweeps;
    pub mod vertex_sets;
    pub mod widest;
}
#[path = "../../../../tests/support/mod.rs"]
mod support;
mod widest;
