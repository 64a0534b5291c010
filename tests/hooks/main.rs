//! Tests of pruning hooks: dominance, memos, symmetry, and boxed hooks; and of observers.

mod boxed_hooks;
mod constraints;
mod dominance;
mod memo;
mod observers;
#[path = "../support"]
#[allow(dead_code, reason = "each test program uses its part")]
mod shared {
    pub mod knapsacks;
    pub mod subset_sums;
    pub mod words;
}
#[path = "../support/mod.rs"]
mod support;
mod symmetry;
