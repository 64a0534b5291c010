//! Tests of constraint networks: constraints, propagation, orders, restarts and symmetry.

mod constraints;
mod extremes;
mod magic_square;
mod mixed;
mod networks;
mod optimise;
mod orders;
mod propagation;
mod restarts;
mod solver;
#[path = "../support"]
mod shared {
    pub mod networks;
}
#[path = "../support/mod.rs"]
mod support;
mod symmetry;
mod wake;
