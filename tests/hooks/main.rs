//! Tests of pruning hooks: dominance, memos, symmetry, and boxed hooks; and of observers.

mod boxed_hooks;
mod constraints;
mod dominance;
mod memo;
mod observers;
#[path = "../support"]
mod shared {
    pub mod knapsacks;
    pub mod subset_sums;
}
#[path = "../support/mod.rs"]
mod support;
mod symmetry;
