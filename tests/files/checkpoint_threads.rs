//! Searches of several threads that are saved while they run, interrupted at any moment and
//! resumed.

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use secateurs::checkpoint::Fingerprint;
use secateurs::hook;
use secateurs::search::{Checkpoint, Choices, FromFrontier, Threads};
use secateurs::{Hooks, Limits, Objective, ProblemOrder, Search};
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::queens::{BitQueens, Queens};

use crate::checkpoint::{IntendedPanic, checkpoint};
use crate::support::scratch::Directory;
use crate::support::trees::{RandomTree, Trail, tree_stats};

/// Begins a checkpoint, or resumes from it if the file exists.
fn begin<'c, H: Hooks<RandomTree>>(
    tree: &'c RandomTree,
    hooks: H,
    checkpoint: &'c mut Checkpoint<u32>,
    threads: usize,
) -> Threads<'c, RandomTree, ProblemOrder, H, Choices, FromFrontier> {
    crate::checkpoint::begin(tree, hooks, checkpoint).threads(threads)
}

/// The payload of the panic that ends a run in these tests. The search passes it on as a `String`
/// that begins with it.
const PANIC: &str = "the test ends the run";

/// Returns the result of `run`, or `None` if it panics as intended.
fn unless_it_panics<T>(run: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(value) => Some(value),
        Err(payload)
            if payload
                .downcast_ref::<String>()
                .is_some_and(|message| message.starts_with(PANIC)) =>
        {
            None
        }
        Err(payload) => resume_unwind(payload),
    }
}

/// Returns a hook whose clones together let `nodes` nodes be entered, including re-entered ones,
/// and panic at the next one.
fn panic_after(nodes: u64) -> impl hook::Hook<RandomTree> + Clone + Send {
    let remaining = Arc::new(AtomicU64::new(nodes));
    hook::watch("panic after", move |_| {
        // Relaxed suffices: the counter guards no other data.
        if remaining.fetch_sub(1, Ordering::Relaxed) == 0 {
            resume_unwind(Box::new(PANIC));
        }
    })
}

proptest! {
    // Few cases, because each is written to the disk many times.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_count_is_exact_however_often_the_run_panics(
        seed: u64,
        width in 2..6u32,
        depth in 0..8usize,
        threads in 1..4usize,
        nodes in 1..60u64,
    ) {
        let tree = RandomTree::new(seed, width, depth);
        let expected = Search::new(&tree).hooks((Trail::default(), panic_after(u64::MAX))).count();
        let directory = Directory::new();
        let mut attempt = 0;
        let outcome = loop {
            attempt += 1;
            prop_assert!(attempt < 10_000, "it gets nowhere");
            let mut checkpoint = checkpoint(&directory.file());
            // The number of nodes grows, so that some attempt makes progress.
            let search = begin(
                &tree,
                (Trail::default(), panic_after(nodes + 100 * attempt)),
                &mut checkpoint,
                threads,
            );
            if let Some(outcome) = unless_it_panics(|| search.count()) {
                break outcome;
            }
        };
        prop_assert_eq!(outcome.exact(), expected.exact());
        prop_assert_eq!(tree_stats(outcome.report()), tree_stats(expected.report()));
    }

    #[test]
    fn each_solution_is_received_at_least_once(
        seed: u64,
        width in 2..6u32,
        depth in 0..8usize,
        threads in 1..4usize,
        in_order: bool,
    ) {
        let tree = RandomTree::new(seed, width, depth);
        let mut whole: Vec<_> = Search::new(&tree).solutions().collect();
        whole.sort();
        let directory = Directory::new();
        let mut seen = Vec::new();
        let mut attempt = 0;
        loop {
            attempt += 1;
            prop_assert!(attempt < 10_000, "it gets nowhere");
            let mut checkpoint = checkpoint(&directory.file());
            let search = begin(&tree, (panic_after(100 * attempt),), &mut checkpoint, threads);
            let search = if in_order { search.in_order() } else { search };
            let outcome = unless_it_panics(|| {
                search.for_each(|solution| {
                    seen.push(solution);
                    ControlFlow::<()>::Continue(())
                })
            });
            if let Some(outcome) = outcome {
                prop_assert_eq!(outcome.report().solutions(), whole.len() as u64);
                break;
            }
        }
        seen.sort();
        seen.dedup();
        prop_assert_eq!(seen, whole);
    }

    #[test]
    fn the_best_is_found_however_often_the_run_panics(
        seed: u64,
        width in 2..6u32,
        depth in 0..8usize,
        threads in 1..4usize,
        in_order: bool,
    ) {
        let tree = RandomTree::new(seed, width, depth);
        let value =
            |_: &RandomTree, path: &Vec<u32>| path.iter().map(|&step| u64::from(step)).sum::<u64>();
        let expected = Search::new(&tree).best(&Objective::maximise(value));
        let directory = Directory::new();
        let mut attempt = 0;
        let outcome = loop {
            attempt += 1;
            prop_assert!(attempt < 10_000, "it gets nowhere");
            let objective = Objective::maximise(value).named("sum");
            let optimistic = objective
                .bound("optimistic", |tree: &RandomTree, path: &Vec<u32>| {
                    value(tree, path) + (8 * (9 - path.len().min(9))) as u64
                })
                .parameters(&seed);
            let mut checkpoint = checkpoint(&directory.file());
            let hooks = (optimistic, panic_after(100 * attempt));
            let search = begin(&tree, hooks, &mut checkpoint, threads);
            let search = if in_order { search.in_order() } else { search };
            if let Some(outcome) = unless_it_panics(|| search.best(&objective)) {
                break outcome;
            }
        };
        prop_assert_eq!(outcome.proven(), expected.proven());
        if in_order {
            prop_assert_eq!(outcome.solution(), expected.solution());
        }
    }
}

/// A hook that waits in each node until the file has been written `writes` times. It gives up after
/// half an hour in total, so that the test fails rather than hangs.
fn lingering(file: &Path, writes: usize) -> impl hook::Hook<BitQueens> + Clone + Send + use<> {
    let (file, seen) = (file.to_path_buf(), Arc::new(Mutex::new(HashSet::new())));
    let began = Instant::now();
    hook::watch("linger", move |_| {
        let mut seen = seen.lock().expect("no thread has died");
        if seen.len() < writes && began.elapsed() < Duration::from_secs(1800) {
            std::thread::sleep(Duration::from_micros(100));
            seen.extend(std::fs::read(&file));
        }
    })
}

#[test]
fn a_search_is_saved_while_it_runs() {
    let (directory, queens) = (Directory::new(), Queens::new(11).expect("a size").bits());
    let mut checkpoint =
        Checkpoint::new(directory.file(), Duration::ZERO, Fingerprint::new("11-queens", &()));
    let linger = lingering(&directory.file(), 3);
    let search =
        Search::new(&queens).hooks((linger,)).checkpoint(&mut checkpoint).expect("a new file");
    let outcome = search.threads(2).count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(2_680), 166_926));
    assert!(checkpoint.saves() > 2, "{}", checkpoint.saves());
}

#[test]
fn a_search_progresses_however_often_it_is_saved() {
    let (directory, queens) = (Directory::new(), Queens::new(11).expect("a size").bits());
    for threads in [1, 2, 3] {
        let file = directory.0.join(format!("search-{threads}"));
        let mut checkpoint =
            Checkpoint::new(file, Duration::ZERO, Fingerprint::new("11-queens", &()));
        let outcome = Search::new(&queens)
            .checkpoint(&mut checkpoint)
            .expect("a new file")
            .threads(threads)
            .count();
        assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(2_680), 166_926));
        // Some node is visited between two saves. Usually thousands are; a busy machine gets
        // smaller portions of fuel.
        assert!(checkpoint.saves() < 166_926, "{}", checkpoint.saves());
    }
}

#[test]
fn the_explored_share_rises_to_one() {
    let (directory, queens) = (Directory::new(), Queens::new(10).expect("a size").bits());
    let mut checkpoint =
        Checkpoint::new(directory.file(), Duration::ZERO, Fingerprint::new("10-queens", &()));
    let mut shares = Vec::new();
    let search = Search::new(&queens)
        .progress(Duration::ZERO, |progress| shares.extend(progress.fraction))
        .fraction();
    let _ = search.checkpoint(&mut checkpoint).expect("a new file").threads(2).count();
    assert!(shares.is_sorted());
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
    assert_eq!(shares.last(), Some(&1.0));
}

/// Code of the user that runs while a frontier is saved ends the run with its own panic.
#[test]
fn a_panic_while_saving_ends_the_run() {
    let directory = Directory::new();
    let knapsack = Knapsack::strongly_correlated(200, 100_000, 3).expect("a knapsack");
    let value = Knapsack::objective();
    let path = directory.0.join("removed").join("search");
    fs::create_dir(directory.0.join("removed")).expect("a directory");
    let fingerprint = Fingerprint::new("a knapsack", &());
    let mut checkpoint = Checkpoint::new(&path, Duration::ZERO, fingerprint)
        .on_error(|_| resume_unwind(Box::new(IntendedPanic)));
    let limits = Limits::new().nodes(1_000_000);
    let search = Search::new(&knapsack).limits(limits).diagrams(&value, 10);
    let search = search.checkpoint(&mut checkpoint).expect("a place for a file");
    fs::remove_dir_all(directory.0.join("removed")).expect("a directory");
    let run = catch_unwind(AssertUnwindSafe(|| search.threads(2).best(&value).stop()));
    assert!(run.is_err_and(|payload| payload.is::<IntendedPanic>()));
}
