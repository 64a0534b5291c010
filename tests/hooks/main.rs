//! Tests of the hooks that prune: dominance, memos, symmetry, and hooks in boxes.

mod boxed_hooks;
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
