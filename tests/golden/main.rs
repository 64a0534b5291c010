//! What runs cost, figure by figure, compared with files beside this one: a tree that has become
//! larger, or a kernel that has become heavier, is noticed on the noisiest machine.
//!
//! `UPDATE_EXPECT=1 cargo test --test golden` writes what is found into the files. Look at the
//! difference, and say why in the message of the commit.

mod imports;
mod instructions;
mod trees;
mod workloads;
