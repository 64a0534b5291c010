//! Tests of constraint networks: constraints, propagation, orders, restarts and symmetry.

mod constraints;
mod extremes;
mod magic_square;
mod mixed;
mod networks;
mod optimise;
mod oracle;
mod orders;
mod propagation;
mod restarts;
mod solver;
#[path = "../../../../tests/support"]
mod shared {
    pub mod networks;
}
#[path = "../../../../tests/support/mod.rs"]
mod support;
mod symmetry;
mod wake;
