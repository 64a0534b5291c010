//! Problems, oracles and temporary files shared by the tests of several areas.
//!
//! The other files of this directory are shared by one area and the expensive tests, whose
//! `main.rs` list them.

#![allow(dead_code, reason = "each area uses its part")]

pub mod problems;
pub mod propagation;
pub mod scratch;
pub mod seeds;
pub mod sketch;
pub mod trees;
