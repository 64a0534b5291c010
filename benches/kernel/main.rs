//! What does the engine cost beside code written by hand, and an estimate beside the search that it saves?
//!
//! `cargo bench --bench kernel` prints the ratios of runs that took turns in one process, which hold on a noisy machine; with one
//! or more of the words `queens`, `clique`, `estimate` behind `--`, that part only.

mod clique;
mod estimate;
mod queens;
#[path = "../support/mod.rs"]
mod support;

fn main() {
    support::parts(&[("queens", queens::run), ("clique", clique::run), ("estimate", estimate::run)]);
}
