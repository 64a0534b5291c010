//! Problems, reference solutions and temporary files that several test programs share.
//!
//! The test programs that need one of the other files of this directory list it in their `main.rs`.

#![allow(dead_code, reason = "each test program uses its part")]

pub mod problems;
pub mod propagation;
pub mod refusals;
pub mod scratch;
pub mod seeds;
pub mod sizes;
pub mod sketch;
pub mod trees;
