//! Searches that are saved while they run, interrupted at any moment and resumed.

use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use secateurs::checkpoint::{Fingerprint, LoadError, SaveError};
use secateurs::hook;
use secateurs::hook::Memo;
use secateurs::search::{Checkpoint, Choices, FromFrontier, Frontier};
use secateurs::{Cancel, Hooks, Limits, Node, Objective, ProblemOrder, Search, Stop};
use secateurs_problems::queens::Queens;

use crate::support::problems::queens;
use crate::support::scratch::Directory;
use crate::support::trees::{RandomTree, Trail, tree_stats};

pub fn checkpoint(path: &Path) -> Checkpoint<u32> {
    Checkpoint::new(path, Duration::ZERO, Fingerprint::new("a tree", &()))
}

pub type SavedSearch<'c, H> = Search<'c, RandomTree, ProblemOrder, H, Choices, FromFrontier>;

/// Begins a checkpoint, or resumes from it if the file exists.
pub fn begin<'c, H: Hooks<RandomTree>>(
    tree: &'c RandomTree,
    hooks: H,
    checkpoint: &'c mut Checkpoint<u32>,
) -> SavedSearch<'c, H> {
    let search = Search::new(tree).hooks(hooks);
    if checkpoint.path().exists() {
        search.resume(checkpoint).expect("a file that was written as a whole")
    } else {
        search.checkpoint(checkpoint).expect("a place for a file")
    }
}

/// The payload of the panic that ends a run in these tests.
pub struct IntendedPanic;

/// Returns the result of `run`, or `None` if it panics as intended.
fn unless_it_panics<T>(run: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(value) => Some(value),
        Err(payload) if payload.is::<IntendedPanic>() => None,
        Err(payload) => resume_unwind(payload),
    }
}

/// Counts down with each entered node, including re-entered ones, and panics at 0. The count must
/// suffice to replay the path to the last saved state twice, or the search makes no progress.
fn count_down(remaining: &AtomicU64) {
    // Relaxed suffices: the counter guards no other data.
    if remaining.fetch_sub(1, Ordering::Relaxed) == 0 {
        // `resume_unwind` prints no message, because the panic is intended.
        resume_unwind(Box::new(IntendedPanic));
    }
}

proptest! {
    // Few cases, because each is written to the disk many times.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_count_is_exact_however_often_the_run_panics(
        seed: u64,
        width in 2..6u32,
        depth in 0..8usize,
        nodes in 1..60u64,
        hooked: bool,
    ) {
        let tree = RandomTree::new(seed, width, depth);
        // The hook has the name of the later ones, so that reports and fingerprints agree.
        let expected = Search::new(&tree)
            .hooks((hooked.then(Trail::default), hook::watch("panic after", |_| {})))
            .count();
        let directory = Directory::new();
        let mut attempt = 0;
        let outcome = loop {
            attempt += 1;
            prop_assert!(attempt < 10_000, "it gets nowhere");
            let remaining = AtomicU64::new(nodes + 60);
            let mut checkpoint = checkpoint(&directory.file());
            let panic_after = hook::watch("panic after", |_| count_down(&remaining));
            let search = begin(&tree, (hooked.then(Trail::default), panic_after), &mut checkpoint);
            if let Some(outcome) = unless_it_panics(|| search.count()) {
                break outcome;
            }
        };
        prop_assert_eq!(outcome.at_least(), expected.at_least());
        prop_assert_eq!(outcome.exact(), expected.exact());
        prop_assert_eq!(tree_stats(outcome.report()), tree_stats(expected.report()));
        // Resumes a complete search from its file.
        let mut checkpoint = checkpoint(&directory.file());
        let again = begin(
            &tree,
            (hooked.then(Trail::default), hook::watch("panic after", |_| {})),
            &mut checkpoint,
        )
        .count();
        prop_assert_eq!(again.value(), outcome.value());
        prop_assert_eq!(tree_stats(again.report()), tree_stats(expected.report()));
    }

    #[test]
    fn each_solution_is_visited_at_least_once(
        seed: u64,
        width in 2..6u32,
        depth in 0..8usize,
        nodes in 0..20u64,
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
            let remaining = AtomicU64::new(nodes + 60);
            let mut checkpoint = checkpoint(&directory.file());
            let panic_after = hook::watch("panic after", |_| count_down(&remaining));
            let search = begin(&tree, (panic_after,), &mut checkpoint);
            let outcome = unless_it_panics(|| {
                search.for_each(|node| {
                    seen.push(node.path().to_vec());
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
        nodes in 0..40u64,
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
            let remaining = AtomicU64::new(nodes + 60);
            let objective = Objective::maximise(value).named("sum");
            let optimistic = objective
                .bound("optimistic", |tree: &RandomTree, path: &Vec<u32>| {
                    value(tree, path) + (8 * (9 - path.len().min(9))) as u64
                })
                .parameters(&seed);
            let mut checkpoint = checkpoint(&directory.file());
            let panic_after = hook::watch("panic after", |_| count_down(&remaining));
            let search = begin(&tree, (optimistic, panic_after), &mut checkpoint);
            if let Some(outcome) = unless_it_panics(|| search.best(&objective)) {
                break outcome;
            }
        };
        prop_assert_eq!(outcome.proven(), expected.proven());
        // It is the first of the best ones in tree order.
        prop_assert_eq!(outcome.solution(), expected.solution());
    }

    #[test]
    fn the_first_is_found_however_often_the_run_panics(
        seed: u64,
        width in 2..6u32,
        depth in 0..8usize,
    ) {
        let tree = RandomTree::new(seed, width, depth);
        let expected = Search::new(&tree).first();
        let directory = Directory::new();
        let mut attempt = 0;
        loop {
            attempt += 1;
            prop_assert!(attempt < 10_000, "it gets nowhere");
            let remaining = AtomicU64::new(60);
            let mut checkpoint = checkpoint(&directory.file());
            let panic_after = hook::watch("panic after", |_| count_down(&remaining));
            let search = begin(&tree, (panic_after,), &mut checkpoint);
            if let Some(outcome) = unless_it_panics(|| search.first()) {
                prop_assert_eq!(outcome.value(), expected.value());
                break;
            }
        }
        // The search may have panicked before it reported the solution, and then finds it again.
        let mut checkpoint = checkpoint(&directory.file());
        let again = begin(&tree, (hook::watch("panic after", |_| {}),), &mut checkpoint).first();
        prop_assert_eq!(again.value(), expected.value());
    }
}

/// Returns the checkpoint of a search for queens that is saved as often as possible.
fn queens_checkpoint(path: &Path, name: &str) -> Checkpoint<u64> {
    Checkpoint::new(path, Duration::ZERO, Fingerprint::new(name, &()))
}

#[test]
fn a_search_is_saved_while_it_runs_and_at_the_end() {
    let (directory, queens) = (Directory::new(), queens(8));
    let mut checkpoint = queens_checkpoint(&directory.file(), "8-queens");
    let outcome = Search::new(&queens).checkpoint(&mut checkpoint).expect("a new file").count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(92), 2_057));
    assert_eq!(outcome.report().unsaved(), None);
    assert!(checkpoint.saves() > 2, "{}", checkpoint.saves());
    assert!(checkpoint.frontier().is_exhausted());
    let fingerprint = Search::new(&queens).fingerprint(Fingerprint::new("8-queens", &()));
    assert!(Frontier::<u64>::load(directory.file(), &fingerprint).expect("a file").is_exhausted());
    // No other file is left in the directory.
    assert_eq!(fs::read_dir(&directory.0).expect("a directory").count(), 1);
}

#[test]
fn a_search_is_not_saved_more_often_than_requested() {
    let (directory, queens) = (Directory::new(), queens(8));
    let week = Duration::from_secs(7 * 24 * 3600);
    let mut checkpoint = Checkpoint::new(directory.file(), week, Fingerprint::new("8-queens", &()));
    let outcome = Search::new(&queens).checkpoint(&mut checkpoint).expect("a new file").count();
    assert_eq!((outcome.exact(), checkpoint.saves()), (Some(92), 1)); // at the end
}

#[test]
fn a_search_that_stops_early_leaves_its_frontier_in_the_file() {
    let (directory, queens) = (Directory::new(), queens(8));
    let mut checkpoint = queens_checkpoint(&directory.file(), "8-queens");
    let limits = Limits::new().nodes(700);
    let outcome = Search::new(&queens)
        .limits(limits)
        .checkpoint(&mut checkpoint)
        .expect("a new file")
        .count();
    assert_eq!((outcome.stop(), outcome.report().nodes()), (Stop::NodeLimit, 700));
    let cancel = Cancel::new();
    let limits = Limits::new().cancel(&cancel);
    let search = Search::new(&queens).limits(limits);
    let outcome = search.resume(&mut checkpoint).expect("the file").for_each(|_| {
        cancel.cancel();
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(outcome.stop(), Stop::Cancelled);
    assert!(outcome.report().nodes() < 2_057);
    let outcome = Search::new(&queens).resume(&mut checkpoint).expect("the file").count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(92), 2_057));
}

#[test]
fn a_search_that_begins_overwrites_no_file() {
    let (directory, queens) = (Directory::new(), queens(6));
    fs::write(directory.file(), "a thesis").expect("written");
    let mut checkpoint = queens_checkpoint(&directory.file(), "6-queens");
    let refused = Search::new(&queens).checkpoint(&mut checkpoint).expect_err("there is something");
    assert!(matches!(refused.reason(), SaveError::Exists), "{refused}");
    let refused = Search::new(&queens).resume(&mut checkpoint).expect_err("no search");
    assert!(
        matches!(refused.reason(), LoadError::NotOurs | LoadError::Truncated { .. }),
        "{refused}"
    );
    assert_eq!(fs::read_to_string(directory.file()).expect("still there"), "a thesis");
    let mut nowhere = queens_checkpoint(&directory.0.join("none/search"), "6-queens");
    let error = Search::new(&queens).checkpoint(&mut nowhere).expect_err("no directory");
    assert!(matches!(error.reason(), SaveError::Io(_)), "{error}");
    assert_eq!(error.path(), Some(&*directory.0.join("none/search")));
    let mut nowhere = queens_checkpoint(&directory.0.join(".."), "6-queens");
    assert!(Search::new(&queens).checkpoint(&mut nowhere).is_err());
}

#[test]
fn a_file_of_another_search_is_refused() {
    let (directory, queens) = (Directory::new(), queens(6));
    let limits = || Limits::new().nodes(50);
    let mut checkpoint = queens_checkpoint(&directory.file(), "6-queens");
    let search = Search::new(&queens).hooks((Queens::mirror(),)).limits(limits());
    let _ = search.checkpoint(&mut checkpoint).expect("a new file").count();
    let without = Search::new(&queens).resume(&mut checkpoint).expect_err("other hooks");
    assert!(matches!(without.reason(), LoadError::OtherFingerprint { .. }), "{without}");
    let mut other = queens_checkpoint(&directory.file(), "7-queens");
    let other = Search::new(&queens)
        .hooks((Queens::mirror(),))
        .resume(&mut other)
        .expect_err("another problem");
    assert!(matches!(other.reason(), LoadError::OtherFingerprint { .. }), "{other}");
    let outcome = Search::new(&queens)
        .hooks((Queens::mirror(),))
        .resume(&mut checkpoint)
        .expect("its own")
        .count();
    assert_eq!((outcome.exact(), outcome.representatives()), (Some(4), Some(2)));
}

#[test]
fn a_search_that_cannot_be_saved_continues_and_reports_it() {
    let (directory, queens) = (Directory::new(), queens(8));
    let errors = Arc::new(AtomicU32::new(0));
    let mut checkpoint = {
        let errors = Arc::clone(&errors);
        queens_checkpoint(&directory.file(), "8-queens").on_error(move |error| {
            assert!(matches!(error.reason(), SaveError::Io(_)));
            // Relaxed suffices: the search ends before the counter is read.
            errors.fetch_add(1, Ordering::Relaxed);
        })
    };
    let search = Search::new(&queens).checkpoint(&mut checkpoint).expect("a new file");
    fs::remove_dir_all(&directory.0).expect("removed under its feet");
    let outcome = search.count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(92), 2_057));
    let unsaved = outcome.report().unsaved().expect("it was not").to_owned();
    assert!(unsaved.starts_with(&directory.file().display().to_string()), "{unsaved}");
    assert!(outcome.report().to_string().contains(&format!("not saved: {unsaved}")));
    assert!(errors.load(Ordering::Relaxed) > 2);
    assert_eq!(checkpoint.saves(), 0);
    assert!(checkpoint.error().is_some());
}

#[test]
fn an_objective_without_a_name_is_reported_before_anything_is_searched() {
    let (directory, tree) = (Directory::new(), RandomTree::new(1, 3, 7));
    let visited = Arc::new(AtomicU32::new(0));
    let first_error = Arc::new(AtomicU32::new(u32::MAX));
    let mut file = {
        let (visited, first_error) = (Arc::clone(&visited), Arc::clone(&first_error));
        checkpoint(&directory.file()).on_error(move |error| {
            assert!(matches!(error.reason(), SaveError::Unnamed));
            // Relaxed suffices: search and callback are in one thread.
            first_error.fetch_min(visited.load(Ordering::Relaxed), Ordering::Relaxed);
        })
    };
    let size = Objective::maximise(|_: &RandomTree, path: &Vec<u32>| path.len());
    let count = hook::watch("count", |_: &Node<'_, RandomTree>| {
        visited.fetch_add(1, Ordering::Relaxed);
    });
    let outcome = begin(&tree, (count,), &mut file).best(&size);
    assert!(outcome.proven().is_some(), "{}", outcome.report());
    assert!(outcome.report().unsaved().is_some(), "{}", outcome.report());
    assert_eq!(first_error.load(Ordering::Relaxed), 0);
    assert!(visited.load(Ordering::Relaxed) > 0);
}

#[test]
fn hooks_that_lose_their_memory_at_saves_are_reported() {
    let (directory, tree) = (Directory::new(), RandomTree::new(5, 3, 7));
    let memo = || Memo::counted("sizes", |_: &RandomTree, path: &Vec<u32>| path.clone());
    let expected = Search::new(&tree).hooks((memo(),)).count();
    let mut checkpoint = checkpoint(&directory.file());
    let outcome = begin(&tree, (memo(),), &mut checkpoint).count();
    assert_eq!(outcome.exact(), expected.exact());
    assert_eq!(outcome.report().nondeterministic_parts(), ["sizes"]);
    assert!(expected.report().nondeterministic_parts().is_empty());
}

#[test]
fn several_threads_leave_their_frontier_in_the_file() {
    let (directory, queens) = (Directory::new(), queens(9));
    let mut checkpoint = queens_checkpoint(&directory.file(), "9-queens");
    let limits = || Limits::new().nodes(3_000);
    let search =
        Search::new(&queens).limits(limits()).checkpoint(&mut checkpoint).expect("a new file");
    assert_eq!(search.threads(2).count().stop(), Stop::NodeLimit);
    let search = Search::new(&queens).limits(limits()).resume(&mut checkpoint).expect("the file");
    assert_eq!(search.threads(3).count().stop(), Stop::NodeLimit);
    let outcome = Search::new(&queens).resume(&mut checkpoint).expect("the file").count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(352), 8_394));
    let search = Search::new(&queens).resume(&mut checkpoint).expect("the file");
    fs::remove_dir_all(&directory.0).expect("removed under its feet");
    assert!(search.threads(2).count().report().unsaved().is_some());
}

#[test]
fn a_saved_search_remembers_that_a_depth_limit_truncated_it() {
    let tree = RandomTree::new(3, 4, 6);
    let directory = Directory::new();
    let mut file = checkpoint(&directory.file());
    let outcome = begin(&tree, (), &mut file).limits(Limits::new().depth(3)).count();
    assert_eq!(outcome.stop(), Stop::DepthLimit);
    let mut file = checkpoint(&directory.file());
    let outcome = begin(&tree, (), &mut file).count();
    assert_eq!((outcome.stop(), outcome.exact()), (Stop::DepthLimit, None));
}

#[test]
fn representatives_of_visited_states_are_not_counted_across_saves() {
    let tree = RandomTree::new(11, 4, 9);
    let visited = || {
        Memo::visited("visited", |_: &RandomTree, path: &Vec<u32>| path.iter().sum::<u32>())
            .parameters(&())
    };
    assert!(Search::new(&tree).hooks((visited(),)).count().representatives().is_some());
    let directory = Directory::new();
    let mut file = checkpoint(&directory.file());
    let outcome = begin(&tree, (visited(),), &mut file).count();
    assert_eq!((outcome.stop(), outcome.representatives()), (Stop::Exhausted, None));
    assert_eq!(outcome.report().nondeterministic_parts(), ["visited"]);
}

#[test]
fn a_search_saved_only_at_its_end_keeps_the_memory_of_its_hooks() {
    let tree = RandomTree::new(11, 4, 9);
    let visited =
        Memo::visited("visited", |_: &RandomTree, path: &Vec<u32>| path.iter().sum::<u32>())
            .parameters(&());
    let directory = Directory::new();
    let hour = Duration::from_secs(3600);
    let mut file = Checkpoint::new(directory.file(), hour, Fingerprint::new("a tree", &()));
    let outcome = begin(&tree, (visited,), &mut file).count();
    assert!(outcome.representatives().is_some(), "{outcome:?}");
    assert!(outcome.report().nondeterministic_parts().is_empty());
}
