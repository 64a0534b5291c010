//! The contenders of the benches, and the two ways to measure them.
//!
//! A [`Group`] holds several ways to answer the same question about the same instance: a
//! hand-written rival and the engine, or the strategies under comparison. Criterion
//! [measures](Group::measure) a group in `cargo bench`; [`Ratios`] runs its contenders in turns and
//! compares processor times in `cargo bench --bench ratios`. Each module holds the groups of one
//! question, except for [`semigroups`] and [`uts`]: they are problems of `threads`. Tests of the
//! engine include their files, so these import only `secateurs`.

pub mod branch_and_bound;
pub mod cover;
pub mod csp;
pub mod first_programs;
mod group;
pub mod hooks;
pub mod kernel;
pub mod plug;
pub mod queens;
mod ratios;
pub mod semigroups;
pub mod threads;
pub mod uts;

pub use group::{Group, RunResult, criterion};
pub use ratios::{Clock, Ratios};
