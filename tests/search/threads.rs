//! Searches with several threads give the same answers as with one.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use secateurs::hook::Memo;
use secateurs::search::Frontier;
use secateurs::{
    Branch, Cancel, CopyProblem, Effect, Hook, Limits, Node, NodeMut, Objective, Search, Stop,
    Verdict, hook,
};
use secateurs_csp::{Ascending, Branching, Propagate, SmallestDomain};
use secateurs_problems::queens::{BitQueens, Queens};

use crate::shared::frontiers::{begun_best, in_instalments, merged};
use crate::shared::words::{Full, Words};
use crate::support::propagation::LEVELS;
use crate::support::sketch::Sketch;
use crate::support::trees::{RandomTree, Trail, tree_stats, trees_of};

/// A value of a path, or a bound of the values at or below it.
type OfPath = fn(&RandomTree, &Vec<u32>) -> u64;

/// Half of the sum of a path, so that there are many ties.
#[allow(clippy::ptr_arg, reason = "an objective gets a reference to the state")]
fn half(tree: &RandomTree, path: &Vec<u32>) -> u64 {
    tree.sum(path) / 2
}

proptest! {
    #[test]
    fn threads_do_not_change_the_solutions(tree in trees_of(1..6, 0..9), threads in 1..5usize) {
        let one: Vec<_> = Search::new(&tree).solutions().collect();
        let many = Search::new(&tree)
            .threads(threads)
            .in_order()
            .solutions(|solutions| solutions.collect::<Vec<_>>());
        prop_assert_eq!(many.value(), &one);
        let many = Search::new(&tree)
            .threads(threads)
            .solutions(|solutions| solutions.collect::<BTreeSet<_>>());
        prop_assert_eq!(many.value(), &one.iter().cloned().collect());
        prop_assert_eq!(many.stop(), Stop::Exhausted);
        let first = Search::new(&tree).threads(threads).in_order().first();
        prop_assert_eq!(first.solution(), one.first());
        prop_assert_eq!(first.is_proven_none(), one.is_empty());
        prop_assert_eq!(
            Search::new(&tree).threads(threads).exists().exists(),
            Some(!one.is_empty())
        );
    }

    #[test]
    fn threads_do_not_change_the_optimum(
        seed: u64,
        width in 1..6u32,
        depth in 0..9usize,
        threads in 1..5usize,
    ) {
        let tree = RandomTree::new(seed, width, depth);
        // Halved values have more ties.
        let cases: [[OfPath; 2]; 2] = [
            [RandomTree::sum, RandomTree::largest_sum],
            [half, |tree, path| tree.largest_sum(path) / 2],
        ];
        for [value, bound] in cases {
            let expected = Search::new(&tree).best(&Objective::maximise(value));
            for in_order in [false, true] {
                let many = Objective::maximise(value);
                // Trees have a depth of at most 8, and steps are less than 8.
                let deepest = many.bound("deepest", bound);
                let search = Search::new(&tree).hooks((deepest,)).threads(threads);
                let outcome = if in_order { search.in_order() } else { search }.best(&many);
                prop_assert_eq!(outcome.proven(), expected.proven());
                let found = outcome.solution().map(|path| value(&tree, path));
                prop_assert_eq!(found.as_ref(), expected.proven());
                prop_assert_eq!(outcome.is_proven_infeasible(), expected.proven().is_none());
                prop_assert_eq!(outcome.stop(), Stop::Exhausted);
                prop_assert!(!in_order || outcome.solution() == expected.solution());
            }
        }
    }

    #[test]
    fn the_limit_of_nodes_includes_the_second_search_for_the_first_optimum(
        seed: u64,
        threads in 1..4usize,
        nodes in 1..600u64,
    ) {
        let tree = RandomTree::new(seed, 4, 5);
        let value = Objective::maximise(half);
        let search = Search::new(&tree).limits(Limits::new().nodes(nodes));
        let outcome = search.threads(threads).in_order().best(&value);
        prop_assert!(outcome.report().nodes() <= nodes);
    }

    #[test]
    fn the_limit_of_nodes_is_exact_and_leaves_the_rest(
        tree in trees_of(1..6, 0..7),
        threads in 1..5usize,
        nodes in 1..200u64,
    ) {
        let one = Search::new(&tree).count();
        let mut frontier = Frontier::new();
        let mut visited = 0;
        loop {
            let limits = Limits::new().nodes(nodes);
            let outcome =
                Search::new(&tree).limits(limits).frontier(&mut frontier).threads(threads).count();
            let before = visited;
            visited = outcome.report().nodes();
            if frontier.is_exhausted() {
                prop_assert_eq!(outcome.exact(), one.exact());
                prop_assert_eq!(outcome.report().levels(), one.report().levels());
                break;
            }
            prop_assert_eq!(outcome.stop(), Stop::NodeLimit);
            prop_assert_eq!(visited - before, nodes);
        }
    }
}

#[test]
fn idle_workers_receive_work() {
    // With so many nodes, every thread is asked for work many times, on any machine.
    let queens = Queens::new(11).expect("a size").bits();
    let outcome = Search::new(&queens).threads(3).count();
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(2680), 166_926));
}

#[test]
fn a_panic_is_raised_once_with_its_path() {
    let queens = Queens::new(8).expect("a size").bits();
    let fatal = hook::enter("fatal", Effect::Preserving, |node: &mut NodeMut<'_, BitQueens>| {
        assert!(node.depth() < 4, "no deeper than this");
        Verdict::Keep
    });
    let caught = catch_unwind(|| Search::new(&queens).hooks((fatal,)).threads(3).count().stop());
    let payload = caught.expect_err("a panic");
    let message = payload.downcast_ref::<String>().expect("a message");
    // The first worker that panics wins, wherever its part of the tree is.
    assert!(
        message.starts_with("no deeper than this (at or just below the node that is reached by ["),
        "{message}"
    );
    // The path has three or four queens.
    assert!((2..=3).contains(&message.matches(',').count()), "{message}");
}

#[test]
fn a_visitor_may_stop_or_panic() {
    // More solutions than the channel holds.
    let queens = Queens::new(12).expect("a size").bits();
    let outcome = Search::new(&queens).threads(2).for_each(|solution| match solution.len() {
        12 => ControlFlow::Break("enough"),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!((outcome.value(), outcome.stop()), (&ControlFlow::Break("enough"), Stop::Satisfied));
    let caught = catch_unwind(|| {
        let queens = Queens::new(12).expect("a size").bits();
        Search::new(&queens)
            .threads(2)
            .for_each(|_| -> ControlFlow<()> { panic!("this panic is part of the test") })
            .stop()
    });
    assert!(caught.is_err());
}

/// A limit stops the threads while solutions wait for those before them in tree order.
#[test]
fn a_run_is_satisfied_if_its_receiver_does_not_take_all_solutions() {
    let queens = Queens::new(8).expect("a size").bits();
    for taken in [19, 200] {
        let found = AtomicU64::new(0);
        let extract = |_: &Node<'_, BitQueens>| found.fetch_add(1, Ordering::Relaxed);
        // The first subtree is not finished.
        let linger = hook::watch("linger", |node: &Node<'_, BitQueens>| {
            while node.path().get(0) == Some(&1) && found.load(Ordering::Relaxed) < 20 {
                std::thread::yield_now();
            }
        });
        let mut whole = merged(Search::new(&queens).split(Frontier::new(), 8));
        let search = Search::new(&queens).extract(extract).limits(Limits::new().solutions(20));
        let search = search.hook(linger).frontier(&mut whole).threads(2).in_order();
        let outcome = search.solutions(|solutions| solutions.take(taken).count());
        let stop = if taken < 20 { Stop::Satisfied } else { Stop::SolutionLimit };
        assert_eq!(outcome.stop(), stop);
    }
}

/// An infinite tree.
const ENDLESS: Full = Full { width: 3, depth: u64::MAX };

#[test]
fn cancellation_and_limits_stop_all_threads() {
    let cancel = Cancel::new();
    let limits = Limits::new().cancel(&cancel).depth(200);
    let nodes = AtomicU64::new(0);
    let outcome = Search::new(&ENDLESS)
        .limits(limits)
        .watch("cancel", |_| {
            if nodes.fetch_add(1, Ordering::Relaxed) == 10_000 {
                cancel.cancel();
            }
        })
        .threads(2)
        .count();
    assert_eq!(outcome.stop(), Stop::Cancelled);
    let limits = Limits::new().time(Duration::from_millis(20)).depth(200);
    assert_eq!(Search::new(&ENDLESS).limits(limits).threads(2).count().stop(), Stop::TimeLimit);
    let limits = Limits::new().solutions(0);
    assert_eq!(Search::new(&ENDLESS).limits(limits).threads(2).count().stop(), Stop::SolutionLimit);
}

#[test]
fn progress_is_reported_by_the_waiting_thread() {
    // Only the reports end the run.
    let cancel = Cancel::new();
    let limits = Limits::new().cancel(&cancel).depth(200);
    let outcome = Search::new(&ENDLESS)
        .limits(limits)
        .progress(Duration::from_millis(1), |progress| {
            if progress.nodes > 0 {
                cancel.cancel();
            }
        })
        .threads(2)
        .count();
    assert_eq!(outcome.stop(), Stop::Cancelled);
}

#[test]
fn the_last_progress_report_includes_all_solutions() {
    let queens = Queens::new(10).expect("a size").bits();
    let mut found = Vec::new();
    let search = Search::new(&queens)
        .progress(Duration::ZERO, |progress| found.push(progress.solutions))
        .fraction();
    assert_eq!(search.threads(2).count().exact(), Some(724));
    assert!(found.is_sorted());
    assert_eq!(found.last(), Some(&724));
}

#[test]
fn a_hook_follows_its_path_through_all_donations() {
    for seed in 0..20 {
        let tree = RandomTree::new(seed, 6, 11);
        let search = || Search::new(&tree).hooks((Trail::default(),));
        let (one, many) = (search().count(), search().threads(4).count());
        assert_eq!(many.value(), one.value());
        assert_eq!(tree_stats(many.report()), tree_stats(one.report()));
    }
}

#[test]
fn networks_and_covers_are_searched_by_threads() {
    let queens = Queens::new(8).expect("a size");
    let network = queens.board().network();
    for level in LEVELS {
        let search = || {
            let order = Branching::new(SmallestDomain::first_tie(), Ascending);
            Search::new(&network).hooks((Propagate::new(level),)).brancher(order)
        };
        let (one, many) = (search().count(), search().threads(3).count());
        assert_eq!(
            (many.exact(), many.report().levels()),
            (Some(92), one.report().levels()),
            "{level:?}"
        );
        let mut frontier = in_instalments(50, |frontier, limits| {
            search().limits(limits).frontier(frontier).threads(2).count().stop()
        });
        let parts = search().frontier(&mut frontier).count();
        assert_eq!(
            (parts.exact(), parts.report().levels()),
            (Some(92), one.report().levels()),
            "{level:?}"
        );
    }
    let cover = queens.cover();
    let (one, many) =
        (Search::new(cover.cover()).count(), Search::new(cover.cover()).threads(3).count());
    assert_eq!((many.exact(), many.report().levels()), (Some(92), one.report().levels()));
}

#[test]
fn a_panic_before_the_search_loses_the_frontier() {
    let queens = Queens::new(6).expect("a size").bits();
    for threads in [None, Some(2)] {
        let objective = Objective::maximise(|_: &BitQueens, _: &_| 1);
        let mut frontier = begun_best(Search::new(&queens), 100, &objective);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let objective =
                Objective::maximise(|_: &BitQueens, _: &_| -> u8 { panic!("no value") });
            let search = Search::new(&queens).frontier(&mut frontier);
            let _ = match threads {
                None => search.best(&objective),
                Some(threads) => search.threads(threads).best(&objective),
            };
        }));
        assert!(caught.is_err());
        assert!(!frontier.is_exhausted());
        assert_eq!(Search::new(&queens).frontier(&mut frontier).count().stop(), Stop::Interrupted);
    }
}

#[test]
fn a_panic_outside_the_search_stops_all_workers() {
    /// A hook that panics in one of the workers when its statistics are read.
    #[derive(Clone)]
    struct Fatal<'a>(&'a AtomicU64);
    impl Hook<RandomTree> for Fatal<'_> {
        fn name(&self) -> &str {
            "fatal"
        }
        fn stats(&self) -> Vec<(String, u64)> {
            assert!(self.0.fetch_add(1, Ordering::Relaxed) != 1, "no statistics");
            Vec::new()
        }
    }
    let tree = RandomTree::new(11, 4, 9);
    let asked = AtomicU64::new(0);
    let caught =
        catch_unwind(|| Search::new(&tree).hooks((Fatal(&asked),)).threads(3).count().stop());
    let payload = caught.expect_err("a panic");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"no statistics"));
}

#[test]
fn every_number_of_threads_is_accepted() {
    for (size, count) in [(1, 1), (4, 2)] {
        let queens = Queens::new(size).expect("a size").bits();
        assert_eq!(Search::new(&queens).threads(usize::MAX).count().exact(), Some(count));
    }
}

#[test]
fn a_deep_tree_is_replayed_a_few_times_at_most() {
    /// A tree in which each node has one child, so that there is no work to donate.
    struct Chain {
        length: u32,
        steps: AtomicU64,
    }
    impl CopyProblem for Chain {
        type State = u32;
        type Cursor = bool;
        type Choice = ();
        fn root(&self) -> u32 {
            0
        }
        fn branch(&self, &depth: &u32) -> Branch<bool> {
            if depth < self.length { Branch::Inner(true) } else { Branch::Solution }
        }
        fn next(&self, _: &u32, cursor: &mut bool) -> Option<()> {
            std::mem::take(cursor).then_some(())
        }
        fn apply(&self, depth: u32, (): &()) -> u32 {
            self.steps.fetch_add(1, Ordering::Relaxed);
            depth + 1
        }
    }
    let chain = Chain { length: 200_000, steps: AtomicU64::new(0) };
    assert_eq!(Search::new(&chain).threads(2).count().exact(), Some(1));
    assert!(chain.steps.into_inner() < 5 * 200_000);
}

#[test]
fn a_memo_learns_nothing_from_a_node_whose_children_another_thread_searches() {
    // Near the root, words with equally many of the second letter are equivalent. Deeper down, no
    // two nodes are, so there is enough work to share.
    let key = |_: &Words, word: &Vec<u32>| match word.len() {
        0..=4 => (word.len(), vec![word.iter().sum::<u32>()]),
        length => (length, word.clone()),
    };
    let words = Words::bits(15);
    for round in 0..3 {
        for threads in 2..5 {
            let memo = Memo::counted("words", key);
            let outcome = Search::new(&words).hook(memo).threads(threads).count();
            assert_eq!(outcome.exact(), Some(1 << 15), "round {round}, {threads} threads");
        }
    }
}

#[test]
fn credits_at_the_best_solution_of_an_earlier_run_prove_nothing() {
    let tree = Sketch::leaves(&[(10, 0), (5, 0)]);
    let value = || Objective::maximise(Sketch::value);
    let credits_first = |node: &mut NodeMut<'_, Sketch>| {
        let is_first = *node.state() == 1;
        if is_first {
            node.credit(1);
        }
        Verdict::prune_if(is_first)
    };
    for threads in 1..3 {
        let mut frontier = Frontier::new();
        let search = Search::new(&tree).limits(Limits::new().nodes(2));
        let begun = search.frontier(&mut frontier).best(&value());
        assert_eq!(begun.best_so_far(), Some(&10));
        let search = Search::new(&tree).enter("credits first", Effect::Preserving, credits_first);
        let outcome = search.frontier(&mut frontier).threads(threads).best(&value());
        assert_eq!((outcome.best_so_far(), outcome.proven()), (Some(&5), None), "{threads}");
    }
}
