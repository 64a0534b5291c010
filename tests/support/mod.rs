//! Problems, reference solutions and temporary files that several test programs share.
//!
//! Each of the other files of this directory is shared by one test program and the expensive tests,
//! which list it in their `main.rs`.

#![allow(dead_code, reason = "each test program uses its part")]

pub mod problems;
pub mod propagation;
pub mod refusals;
pub mod scratch;
pub mod seeds;
pub mod sketch;
pub mod trees;
