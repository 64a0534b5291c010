//! Runs in a system that has too little memory for them. They end with a `Stop`, and not with an
//! abort.
//!
//! An allocator with a limit stands in for the system, so that no test depends on the machine. It
//! is global, so these tests are a program of their own and run one at a time. Runs with several
//! threads are not among them, because a thread may take the memory that another one has probed
//! for; nor are hooks with memos of keys that own heap memory. Both are safe under a memory limit
//! only (`tests/memory`).

#[path = "../support/endless.rs"]
mod endless;

use std::alloc::System;
use std::sync::{Mutex, PoisonError};

use cap::Cap;
use endless::{Words, value};
use secateurs::plug::Sweep;
use secateurs::plug::algebra::{BestK, Counting, Natural};
use secateurs::{Objective, Search, Stop};
use secateurs_problems::catalogue::{Grid, Strands, hamiltonian_cycles, simple_paths};
use secateurs_problems::tardiness::Tardiness;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Makes tests run one at a time: it protects the limit of the allocator.
static ALONE: Mutex<()> = Mutex::new(());

const WORDS: Words = Words { tail: 0 };

/// Removes the limit of the allocator when dropped, so that a failed assertion can be printed.
struct Unlimited;

impl Drop for Unlimited {
    fn drop(&mut self) {
        ALLOCATOR.set_limit(usize::MAX).expect("more than before");
    }
}

/// Asserts that a run ends at the limit of memory in systems that have little memory left.
fn assert_stops(run: impl Fn() -> Stop) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for left in [3 << 19, 3 << 20, 9 << 20] {
        let unlimited = Unlimited;
        ALLOCATOR.set_limit(ALLOCATOR.allocated() + left).expect("more than is in use");
        let stop = run();
        drop(unlimited);
        assert_eq!(stop, Stop::MemoryLimit, "{left} bytes left");
    }
}

fn cycles(side: usize) -> Strands {
    hamiltonian_cycles(&Grid::new(side, side).expect("a board"))
}

#[test]
fn a_sweep_in_a_hash_table_stops() {
    assert_stops(|| Sweep::new(&cycles(20)).count().stop());
}

#[test]
fn a_sweep_of_values_with_heap_memory_stops() {
    let weight = |cell: usize, _| cell as i64 % 7;
    assert_stops(|| Sweep::new(&cycles(20)).run(&Counting::<Natural>::new()).stop());
    assert_stops(|| Sweep::new(&cycles(16)).run(&BestK::minimise(20, weight)).stop());
}

#[test]
fn a_sweep_in_dense_tables_stops() {
    assert_stops(|| Sweep::new(&cycles(22)).dense().count().stop());
    assert_stops(|| Sweep::new(&cycles(22)).dense().count_by_residues().stop());
}

#[test]
fn a_sweep_that_retains_its_layers_stops() {
    assert_stops(|| {
        let paths = simple_paths(&Grid::new(15, 15).expect("a board"));
        Sweep::new(&paths).retain_layers().map_or_else(|error| error.stop(), |_| Stop::Exhausted)
    });
}

#[test]
fn searches_that_keep_open_nodes_stop() {
    assert_stops(|| Search::new(&WORDS).breadth_first().count().stop());
    assert_stops(|| {
        let objective = Objective::maximise(value);
        Search::new(&WORDS).best_first(&objective, value).count().stop()
    });
}

#[test]
fn a_deep_search_stops() {
    assert_stops(|| Search::new(&WORDS).count().stop());
}

#[test]
fn a_search_by_diagrams_stops() {
    let jobs = Tardiness::generate(50, 1).expect("jobs");
    assert_stops(|| {
        let objective = Tardiness::objective();
        Search::new(&jobs).diagrams(&objective, 2).best(&objective).stop()
    });
}
