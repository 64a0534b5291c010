//! Golden tests of costs: node counts and instruction counts, compared with the files beside this
//! one. They detect larger trees and slower kernels even on noisy machines. The tests in `imports`
//! check the dependencies between the files of the library, and the test in `lines` the lengths of
//! the lines that rustfmt does not wrap.
//!
//! `UPDATE_EXPECT=1 cargo test --test golden` updates the files. Check the differences, and state
//! their reason in the commit message.

#[path = "../../benches/src"]
mod benchmarks {
    pub mod uts;
}
#[path = "../support/golomb.rs"]
mod golomb;
mod imports;
mod instructions;
mod lines;
mod trees;
mod workloads;
