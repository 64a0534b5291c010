//! Tests of memory limits. An allocator that records its peak measures the growth of the process.
//!
//! The allocator is global, so these tests are a program of their own and run one at a time.

mod families;
#[path = "../support/scratch.rs"]
mod scratch;
mod searches;
#[path = "../support"]
#[allow(dead_code, reason = "other tests use the rest")]
mod shared {
    pub mod endless;
    pub mod saved;
    pub mod sweeps;
}
mod sweeps;

use std::sync::{Mutex, MutexGuard, PoisonError};

use peak_alloc::PeakAlloc;
use secateurs::Stop;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The allowance beyond a limit, whatever the limit is, for reports and for stacks and buffers of
/// constant size.
const ALLOWANCE: usize = 256 << 10;

/// Makes tests run one at a time: it protects the global peak of the allocator.
static ALONE: Mutex<()> = Mutex::new(());

thread_local! {
    /// Each test has a thread, which keeps the lock until it ends.
    static GUARD: MutexGuard<'static, ()> = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
}

/// Waits until no other test runs, at the beginning of each test: another one would notice what
/// this one allocates and frees outside of measurements.
fn alone() {
    GUARD.with(|_| ());
}

/// Returns the result of `run`, and by how many bytes the process grew at most meanwhile.
fn growth<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let value = run();
    (value, ALLOCATOR.peak_usage().saturating_sub(before))
}

/// Asserts that a run observed a memory limit.
fn assert_at_most(what: &str, limit: usize, grown: usize) {
    println!("{what}: grew by {grown} bytes under a limit of {limit}");
    let most = limit + limit / 10 + ALLOWANCE;
    assert!(grown <= most, "{what}: grew by {grown} bytes under a limit of {limit}");
}

/// Asserts that a run stopped by a memory limit observed the limit and used at least a quarter of
/// it.
fn assert_within(what: &str, limit: usize, grown: usize) {
    assert_at_most(what, limit, grown);
    assert!(grown >= limit / 4, "{what}: stopped after {grown} bytes under a limit of {limit}");
}

/// Asserts that a run is stopped by a memory limit, observes the limit and uses at least a quarter
/// of it.
fn assert_out_of_memory(what: &str, limit: usize, run: impl FnOnce() -> Stop) {
    let (stop, grown) = growth(run);
    assert_eq!(stop, Stop::MemoryLimit, "{what}");
    assert_within(what, limit, grown);
}
