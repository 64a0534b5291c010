//! The contenders of the benches, and the two ways to measure them.
//!
//! A [`Group`] holds several ways to answer the same question about the same instance: a
//! hand-written rival and the engine, or the strategies under comparison. Criterion
//! [measures](Group::measure) a group in `cargo bench`; [`Ratios`] runs its contenders in turns and
//! compares processor times in `cargo bench --bench ratios`. Each module holds the groups of one
//! question, except for [`uts`], a problem of `threads`. A test of the engine includes its file, so
//! it imports only `secateurs`.

pub mod branch_and_bound;
pub mod cover;
pub mod csp;
pub mod first_programs;
mod group;
pub mod kernel;
pub mod plug;
pub mod queens;
mod ratios;
pub mod threads;
pub mod uts;

pub use group::{Group, RunResult, criterion};
pub use ratios::{Clock, Ratios};
