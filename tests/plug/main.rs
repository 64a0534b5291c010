//! Tests of sweeps: state codes, algebras, retained layers, graphs and grids.

mod adaptors;
mod algebras;
mod automata;
mod codes;
mod combinations;
mod contour_tree;
mod dominance;
mod erased;
mod families;
mod graphs;
mod motzkin;
mod numbers;
mod polynomials;
mod products;
mod refusals;
mod repetition;
mod residues;
mod retained;
mod spill;
#[path = "../support"]
#[allow(dead_code, reason = "each test program uses its part")]
mod shared {
    pub mod dense_sweeps;
    pub mod edge_sets;
    pub mod known;
    pub mod parentheses;
    pub mod sweep_hooks;
    pub mod sweeps;
    pub mod vertex_sets;
}
#[path = "../support/mod.rs"]
mod support;
mod sweep;
