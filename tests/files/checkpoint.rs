//! Searches that are saved while they run, interrupted at any moment and resumed.

use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use secateurs::checkpoint::{Fingerprint, LoadError, SaveError};
use secateurs::hook::{self, Memo};
use secateurs::search::{Checkpoint, Choices, FromFrontier, Frontier};
use secateurs::{Cancel, Hooks, Limits, Node, Objective, ProblemOrder, Search, Stop};
use secateurs_problems::queens::Queens;

use crate::shared::saved::{begun_or_resumed, search_file};
use crate::support::problems::queens;
use crate::support::scratch::Directory;
use crate::support::trees::{RandomTree, Trail, tree_stats, trees_of};

type SavedSearch<'c, H> = Search<'c, RandomTree, ProblemOrder, H, Choices, FromFrontier>;

/// Begins a checkpoint, or resumes from it if the file exists.
fn begin<'c, H: Hooks<RandomTree>>(
    tree: &'c RandomTree,
    hooks: H,
    checkpoint: &'c mut Checkpoint<u32>,
) -> SavedSearch<'c, H> {
    let search = Search::new(tree).hooks(hooks);
    begun_or_resumed!(search, checkpoint).expect("a file that was written as a whole")
}

/// The payload of the panic that ends a run in these tests. Searches of several threads pass it on
/// as a `String` that begins with it.
const PANIC: &str = "the test ends the run";

/// Returns a hook whose clones together let `nodes` nodes be entered, including re-entered ones,
/// and panic at the next one.
fn panic_after(nodes: u64) -> impl hook::Hook<RandomTree> + Clone + Send {
    let remaining = Arc::new(AtomicU64::new(nodes));
    hook::watch("panic after", move |_| {
        // Relaxed suffices: the counter guards no other data.
        if remaining.fetch_sub(1, Ordering::Relaxed) == 0 {
            // `resume_unwind` prints no message, because the panic is intended.
            resume_unwind(Box::new(PANIC));
        }
    })
}

/// Calls `run` with the checkpoint of this directory, and with the number of nodes after which it
/// is to panic, until it does not. With 0 threads, the search is not one of several threads.
fn until_it_ends<T>(
    directory: &Directory,
    threads: usize,
    nodes: u64,
    mut run: impl FnMut(&mut Checkpoint<u32>, u64) -> T,
) -> T {
    for attempt in 1..10_000 {
        // One thread makes progress if it can replay the path to the last saved state twice.
        // Several do in some attempt, because the number grows.
        let nodes = nodes + if threads == 0 { 60 } else { 100 * attempt };
        let mut checkpoint = search_file(directory.file());
        match catch_unwind(AssertUnwindSafe(|| run(&mut checkpoint, nodes))) {
            Ok(value) => return value,
            Err(payload) => {
                let message = payload.downcast_ref::<String>().map(String::as_str);
                let message = message.or(payload.downcast_ref::<&str>().copied());
                if !message.is_some_and(|message| message.starts_with(PANIC)) {
                    resume_unwind(payload);
                }
            }
        }
    }
    panic!("it gets nowhere")
}

proptest! {
    // Few cases, because each is written to the disk many times.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_count_is_exact_however_often_the_run_panics(
        tree in trees_of(2..6, 0..8),
        threads in 0..4usize,
        nodes in 1..60u64,
        hooked: bool,
    ) {
        let hooks = |nodes| (hooked.then(Trail::default), panic_after(nodes));
        let expected = Search::new(&tree).hooks(hooks(u64::MAX)).count();
        let directory = Directory::new();
        let outcome = until_it_ends(&directory, threads, nodes, |checkpoint, nodes| {
            let search = begin(&tree, hooks(nodes), checkpoint);
            if threads == 0 { search.count() } else { search.threads(threads).count() }
        });
        prop_assert_eq!(outcome.at_least(), expected.at_least());
        prop_assert_eq!(outcome.exact(), expected.exact());
        prop_assert_eq!(tree_stats(outcome.report()), tree_stats(expected.report()));
        // Resumes a complete search from its file.
        let mut checkpoint = search_file(directory.file());
        let again = begin(&tree, hooks(u64::MAX), &mut checkpoint).count();
        prop_assert_eq!(again.value(), outcome.value());
        prop_assert_eq!(tree_stats(again.report()), tree_stats(expected.report()));
    }

    #[test]
    fn each_solution_is_visited_or_received_at_least_once(
        tree in trees_of(2..6, 0..8),
        threads in 0..4usize,
        nodes in 0..20u64,
        in_order: bool,
    ) {
        let mut whole: Vec<_> = Search::new(&tree).solutions().collect();
        whole.sort();
        let mut seen = Vec::new();
        let solutions = until_it_ends(&Directory::new(), threads, nodes, |checkpoint, nodes| {
            let mut see = |solution| {
                seen.push(solution);
                ControlFlow::<()>::Continue(())
            };
            let search = begin(&tree, (panic_after(nodes),), checkpoint);
            let outcome = if threads == 0 {
                search.for_each(|node| see(node.path().to_vec()))
            } else {
                let search = search.threads(threads);
                if in_order { search.in_order() } else { search }.for_each(see)
            };
            outcome.report().solutions()
        });
        prop_assert_eq!(solutions, whole.len() as u64);
        seen.sort();
        seen.dedup();
        prop_assert_eq!(seen, whole);
    }

    #[test]
    fn the_best_is_found_however_often_the_run_panics(
        tree in trees_of(2..6, 0..8),
        threads in 0..4usize,
        nodes in 0..40u64,
        in_order: bool,
    ) {
        let expected = Search::new(&tree).best(&Objective::maximise(RandomTree::sum));
        let outcome = until_it_ends(&Directory::new(), threads, nodes, |checkpoint, nodes| {
            let objective = Objective::maximise(RandomTree::sum).named("sum");
            let optimistic = objective.bound("optimistic", RandomTree::largest_sum);
            let hooks = (optimistic.parameters(&()), panic_after(nodes));
            let search = begin(&tree, hooks, checkpoint);
            if threads == 0 {
                return search.best(&objective);
            }
            let search = search.threads(threads);
            if in_order { search.in_order() } else { search }.best(&objective)
        });
        prop_assert_eq!(outcome.proven(), expected.proven());
        let sum = outcome.solution().map(|path| tree.sum(path));
        prop_assert_eq!(sum, expected.proven().copied());
        if threads == 0 || in_order {
            // It is the first of the best ones in tree order.
            prop_assert_eq!(outcome.solution(), expected.solution());
        }
    }

    #[test]
    fn the_first_is_found_however_often_the_run_panics(tree in trees_of(2..6, 0..8)) {
        let expected = Search::new(&tree).first();
        let directory = Directory::new();
        let outcome = until_it_ends(&directory, 0, 0, |checkpoint, nodes| {
            begin(&tree, (panic_after(nodes),), checkpoint).first()
        });
        prop_assert_eq!(outcome.value(), expected.value());
        // The search may have panicked before it reported the solution, and then finds it again.
        let mut checkpoint = search_file(directory.file());
        let again = begin(&tree, (panic_after(u64::MAX),), &mut checkpoint).first();
        prop_assert_eq!(again.value(), expected.value());
    }
}

#[test]
fn a_search_is_saved_while_it_runs_and_at_the_end() {
    let (directory, queens) = (Directory::new(), queens(8));
    let mut checkpoint = search_file(directory.file());
    let outcome = Search::new(&queens).checkpoint(&mut checkpoint).expect("a new file").count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(92), 2_057));
    assert_eq!(outcome.report().unsaved(), None);
    assert!(checkpoint.saves() > 2, "{}", checkpoint.saves());
    assert!(checkpoint.frontier().is_exhausted());
    let fingerprint = Search::new(&queens).fingerprint(Fingerprint::new("a search", &()));
    assert!(Frontier::<u64>::load(directory.file(), &fingerprint).expect("a file").is_exhausted());
    // No other file is left in the directory.
    assert_eq!(fs::read_dir(&directory.0).expect("a directory").count(), 1);
}

#[test]
fn a_search_is_not_saved_more_often_than_requested() {
    let (directory, queens) = (Directory::new(), queens(8));
    let week = Duration::from_secs(7 * 24 * 3600);
    let mut checkpoint = Checkpoint::new(directory.file(), week, Fingerprint::new("a search", &()));
    let outcome = Search::new(&queens).checkpoint(&mut checkpoint).expect("a new file").count();
    assert_eq!((outcome.exact(), checkpoint.saves()), (Some(92), 1)); // at the end
}

#[test]
fn a_search_that_stops_early_leaves_its_frontier_in_the_file() {
    let (directory, queens) = (Directory::new(), queens(8));
    let mut checkpoint = search_file(directory.file());
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
    let mut checkpoint = search_file(directory.file());
    let refused = Search::new(&queens).checkpoint(&mut checkpoint).expect_err("there is something");
    assert!(matches!(refused.reason(), SaveError::Exists), "{refused}");
    let refused = Search::new(&queens).resume(&mut checkpoint).expect_err("no search");
    assert!(
        matches!(refused.reason(), LoadError::NotOurs | LoadError::Truncated { .. }),
        "{refused}"
    );
    assert_eq!(fs::read_to_string(directory.file()).expect("still there"), "a thesis");
    let mut nowhere = search_file(directory.0.join("none/search"));
    let error = Search::new(&queens).checkpoint(&mut nowhere).expect_err("no directory");
    assert!(matches!(error.reason(), SaveError::Io(_)), "{error}");
    assert_eq!(error.path(), Some(&*directory.0.join("none/search")));
    let mut nowhere = search_file(directory.0.join(".."));
    assert!(Search::new(&queens).checkpoint(&mut nowhere).is_err());
}

#[test]
fn a_file_of_another_search_is_refused() {
    let (directory, queens) = (Directory::new(), queens(6));
    let limits = || Limits::new().nodes(50);
    let mut checkpoint = search_file(directory.file());
    let search = Search::new(&queens).hooks((Queens::mirror(),)).limits(limits());
    let _ = search.checkpoint(&mut checkpoint).expect("a new file").count();
    let without = Search::new(&queens).resume(&mut checkpoint).expect_err("other hooks");
    assert!(matches!(without.reason(), LoadError::OtherFingerprint { .. }), "{without}");
    let mut other =
        Checkpoint::new(directory.file(), Duration::ZERO, Fingerprint::new("another", &()));
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
        search_file(directory.file()).on_error(move |error| {
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
        search_file(directory.file()).on_error(move |error| {
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
    let mut checkpoint = search_file(directory.file());
    let outcome = begin(&tree, (memo(),), &mut checkpoint).count();
    assert_eq!(outcome.exact(), expected.exact());
    assert_eq!(outcome.report().nondeterministic_parts(), ["sizes"]);
    assert!(expected.report().nondeterministic_parts().is_empty());
}

#[test]
fn several_threads_leave_their_frontier_in_the_file() {
    let (directory, queens) = (Directory::new(), queens(9));
    let mut checkpoint = search_file(directory.file());
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
    let mut file = search_file(directory.file());
    let outcome = begin(&tree, (), &mut file).limits(Limits::new().depth(3)).count();
    assert_eq!(outcome.stop(), Stop::DepthLimit);
    let mut file = search_file(directory.file());
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
    let mut file = search_file(directory.file());
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
    let mut file = Checkpoint::new(directory.file(), hour, Fingerprint::new("a search", &()));
    let outcome = begin(&tree, (visited,), &mut file).count();
    assert!(outcome.representatives().is_some(), "{outcome:?}");
    assert!(outcome.report().nondeterministic_parts().is_empty());
}
