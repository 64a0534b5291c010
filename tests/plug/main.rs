//! Tests of sweeps with profiles: state codes, algebras, kept layers, graphs and grids.

mod algebras;
mod automata;
mod codes;
mod combinations;
mod dominance;
mod graphs;
mod kept;
mod kept_on_grids;
mod motzkin;
#[path = "../support"]
mod shared {
    pub mod dense_sweeps;
    pub mod parentheses;
}
#[path = "../support/mod.rs"]
mod support;
mod sweep;
