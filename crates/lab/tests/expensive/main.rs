//! The full versions of tests that take seconds without optimisation. They are ignored by default:
//! `cargo test --release -p secateurs-lab --test expensive -- --ignored`.

// Compiling these tests takes far longer than running them: without optimisation there are none.
#![cfg(any(not(debug_assertions), clippy))]

mod audits;
mod bundled;
mod portfolio;
mod recording_page;
#[path = "../support"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod shared {
    pub mod bundled;
    pub mod example;
    pub mod recorded_page;
}
#[path = "../../../../tests/support"]
#[allow(dead_code, reason = "shared with the tests of the engines")]
mod support {
    pub mod random_networks;
    pub mod trees;
}
