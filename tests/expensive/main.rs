//! The full versions of tests that take seconds without optimisation. They are ignored by default,
//! and share one binary so that nothing else is compiled with optimisation: `cargo test --release
//! --test expensive -- --ignored`.
//!
//! Most of them repeat tests of other areas with more cases and larger sizes. Code that two tests
//! share is in `tests/support`.

// Compiling these tests takes far longer than running them: without optimisation there are none.
#![cfg(any(not(debug_assertions), clippy))]

#[path = "../../benches/src"]
#[allow(dead_code, reason = "other tests use the rest")]
mod benchmarks {
    pub mod semigroups;
}
mod dense_sweeps;
mod estimates;
mod fire_net;
mod hooks;
mod knights_tour;
mod large_trees;
mod networks;
mod pentominoes;
mod queens_network;
mod rocket_mania;
#[path = "../support"]
#[allow(dead_code, reason = "the tests of the areas use the rest")]
mod shared {
    pub mod combs;
    pub mod dense_sweeps;
    pub mod edge_sets;
    pub mod estimates;
    pub mod fire_net;
    pub mod knapsacks;
    pub mod knights_tour;
    pub mod known;
    pub mod maze;
    pub mod networks;
    pub mod parentheses;
    pub mod pentominoes;
    pub mod power_law;
    pub mod queens_network;
    pub mod rocket_mania;
    pub mod semigroups;
    pub mod subset_sums;
    pub mod widest;
}
#[path = "../support/mod.rs"]
mod support;
mod widest;
