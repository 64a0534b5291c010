//! Tests of the lab: audits, comparisons and recordings.

mod audit;
mod audit_assurance;
mod audit_assurance_sweeps;
mod audit_branchers;
mod audit_cliques;
mod audit_constraints;
mod audit_example;
mod audit_excuses;
mod audit_fire_net;
mod audit_networks;
mod audit_sweeps;
mod audit_together;
mod audit_types;
mod columns;
mod compare;
mod compare_bundled;
mod compare_cancelled;
mod compare_outputs;
mod comparisons;
mod knapsack;
mod portfolio;
// Its only test is run in release mode only.
#[cfg(any(not(debug_assertions), clippy))]
mod portfolio_cost;
mod recording;
mod recording_page;
#[path = "../support"]
mod shared {
    pub mod example;
    pub mod recorded_page;
}
#[path = "../../../../tests/support"]
#[allow(dead_code, reason = "shared with the tests of the engines")]
mod support {
    pub mod knapsacks;
    pub mod known;
    pub mod problems;
    #[cfg(any(not(debug_assertions), clippy))]
    pub mod random_networks;
    pub mod sizes;
    pub mod sweeps;
    pub mod trees;
    pub mod words;
}
