//! Tests of pruning hooks: dominance, memos, symmetry, and boxed hooks.

mod boxed_hooks;
mod constraints;
mod dominance;
mod memo;
#[path = "../support"]
mod shared {
    pub mod knapsacks;
    pub mod subset_sums;
}
#[path = "../support/mod.rs"]
mod support;
mod symmetry;
