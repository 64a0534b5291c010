//! Searches by diagrams in several runs, by several threads, and from files, against the exhaustive
//! enumeration of random automata.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use fastrand::Rng;
use proptest::prelude::*;
use secateurs::checkpoint::Fingerprint;
use secateurs::hook::{self, HookMemory};
use secateurs::search::Frontier;
use secateurs::{
    Digest, Effect, Hook, Limits, Node, NodeMut, Objective, Optimum, Outcome, Problem, Search,
    Stop, Verdict,
};
use secateurs_problems::knapsack::Knapsack;

use crate::automaton::{Automaton, Position};
use crate::bound::automata;
use crate::shared::saved::search_file;

type Sum = Objective<Automaton, i64, fn(&Automaton, &Position) -> i64>;

/// The strategy of a run, its number of threads, its width, and its limit of nodes.
type Instalment = (u32, usize, usize, u64);

/// Runs a part of a search.
fn run(
    automaton: &Automaton,
    frontier: &mut Frontier<usize>,
    sum: &Sum,
    follows_path: bool,
    (strategy, threads, width, limit): Instalment,
) -> Outcome<Optimum<i64, Vec<usize>>> {
    let trail = follows_path.then(Trail::default);
    let search = Search::new(automaton).hook(trail).limits(Limits::new().nodes(limit));
    match strategy {
        0 => search.frontier(frontier).best(sum),
        1 => search.diagrams(sum, width).cut_width(width / 2).frontier(frontier).best(sum),
        2 => search.diagrams(sum, width).frontier(frontier).threads(threads).best(sum),
        _ => search.diagrams(sum, width).rough(Automaton::rough).frontier(frontier).best(sum),
    }
}

/// A hook that follows the path, and checks that it is moved along.
#[derive(Clone, Default)]
struct Trail(Vec<Position>);

impl Hook<Automaton> for Trail {
    fn name(&self) -> &str {
        "trail"
    }

    fn effect(&self) -> Effect {
        Effect::Preserving
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Path
    }

    fn admit(&mut self, node: &Node<'_, Automaton>, _: &usize) -> Verdict {
        assert_eq!(self.0.last(), Some(node.state()));
        Verdict::Keep
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Automaton>) -> Verdict {
        assert_eq!(self.0.len(), node.depth());
        self.0.push(*node.state());
        Verdict::Keep
    }

    fn leave(&mut self, node: &Node<'_, Automaton>) {
        assert_eq!(self.0.pop().as_ref(), Some(node.state()));
    }

    fn leave_unfinished(&mut self, node: &Node<'_, Automaton>) {
        self.leave(node);
    }
}

fn written_and_read(
    automaton: &Automaton,
    frontier: &Frontier<usize>,
    follows_path: bool,
) -> Frontier<usize> {
    let sum = automaton.objective();
    let trail = follows_path.then(Trail::default);
    let search = Search::new(automaton).hook(trail).diagrams(&sum, 3);
    let print = search.fingerprint(Fingerprint::new("an automaton", &()));
    let mut bytes = Vec::new();
    frontier.write(&mut bytes, &print).expect("written to memory");
    Frontier::read(&*bytes, &print).expect("just written")
}

proptest! {
    #[test]
    fn runs_of_any_strategy_find_the_optimum_together(
        automaton in automata(),
        runs in prop::collection::vec((0..4u32, 1..4usize, 1..5usize, 0..30u64), 0..6),
        last in (1..4u32, 1..4usize, 1..5usize),
        is_written: bool,
        follows_path: bool,
    ) {
        let best = automaton.best_below(automaton.root());
        let mut frontier = Frontier::new();
        let mut sum = automaton.objective();
        for instalment in runs {
            let outcome = run(&automaton, &mut frontier, &sum, follows_path, instalment);
            if let Some(&proven) = outcome.proven() {
                prop_assert_eq!(Some(proven), best);
            }
            prop_assert!(!outcome.is_proven_infeasible() || best.is_none());
            if is_written {
                frontier = written_and_read(&automaton, &frontier, follows_path);
                // Another process has an incumbent of its own.
                sum = automaton.objective();
            }
        }
        let (strategy, threads, width) = last;
        let last = (strategy, threads, width, u64::MAX);
        let outcome = run(&automaton, &mut frontier, &sum, follows_path, last);
        prop_assert!(frontier.is_exhausted());
        prop_assert_eq!(outcome.best_so_far().copied(), best);
    }

    /// Runs by the same strategy prove what one run proves.
    #[test]
    fn instalments_of_diagrams_prove_the_optimum(
        automaton in automata(),
        limits in prop::collection::vec(0..20u64, 0..8),
        widths in (1..5usize, 1..5usize),
        threads in 1..4usize,
        follows_path: bool,
    ) {
        let best = automaton.best_below(automaton.root());
        let sum = automaton.objective();
        let mut frontier = Frontier::new();
        for limit in limits {
            let _ = run(&automaton, &mut frontier, &sum, follows_path, (1, 1, widths.0, limit));
        }
        let last = (2, threads, widths.1, u64::MAX);
        let outcome = run(&automaton, &mut frontier, &sum, follows_path, last);
        prop_assert_eq!(outcome.proven().copied(), best);
        prop_assert_eq!(outcome.is_proven_infeasible(), best.is_none());
    }

    /// Nothing is visited twice or lost, other than in favour of an equal state.
    #[test]
    fn instalments_of_other_questions_visit_no_solution_twice(
        automaton in automata(),
        limits in prop::collection::vec(0..20u64, 0..8),
        width in 1..5usize,
    ) {
        let all = Search::new(&automaton).count().exact().expect("counted");
        let sum = automaton.objective();
        let mut frontier = Frontier::new();
        for limit in limits.into_iter().chain([u64::MAX]) {
            let search = Search::new(&automaton).limits(Limits::new().nodes(limit));
            let count = search.diagrams(&sum, width).frontier(&mut frontier).count();
            prop_assert!(count.at_least() <= all);
            prop_assert!(count.stop() != Stop::Exhausted || (count.at_least() > 0) == (all > 0));
        }
    }

    /// A search that is saved between any two nodes continues from its file.
    #[test]
    fn checkpoints_continue(
        automaton in automata(),
        limit in 0..60u64,
        width in 1..5usize,
        threads in (0..3usize, 0..3usize),
    ) {
        let best = automaton.best_below(automaton.root());
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("saved");
        let mut checkpoint = search_file(&path);
        let sum = automaton.objective();
        let search = Search::new(&automaton).limits(Limits::new().nodes(limit));
        let search = search.diagrams(&sum, width).checkpoint(&mut checkpoint).expect("new");
        let _ = match threads.0 {
            0 => search.best(&sum),
            threads => search.threads(threads).best(&sum),
        };
        let mut checkpoint = search_file(&path);
        let sum = automaton.objective();
        let search = Search::new(&automaton).diagrams(&sum, width);
        let search = search.resume(&mut checkpoint).expect("saved");
        let outcome = match threads.1 {
            0 => search.best(&sum),
            threads => search.threads(threads).best(&sum),
        };
        prop_assert_eq!(outcome.proven().copied(), best);
        prop_assert_eq!(outcome.is_proven_infeasible(), best.is_none());
    }
}

#[test]
fn a_saved_search_is_not_resumed_by_another_strategy() {
    let automaton = Automaton::random(5, secateurs::Direction::Maximise, 3);
    let directory = tempfile::tempdir().expect("a directory");
    let mut checkpoint = search_file(directory.path().join("saved"));
    let sum = automaton.objective();
    let search = Search::new(&automaton).diagrams(&sum, 2).checkpoint(&mut checkpoint);
    let _ = search.expect("new").best(&sum);
    let error = Search::new(&automaton).resume(&mut checkpoint).map(drop).unwrap_err();
    assert!(error.to_string().contains("uniting equal states"), "{error}");
}

/// A run that is out of memory leaves everything to later runs, whatever it was doing.
#[test]
fn runs_that_are_out_of_memory_lose_nothing() {
    let knapsack = Knapsack::strongly_correlated(60, 100, 1).unwrap();
    let mut stopped = 0;
    for kilobytes in (1..60).step_by(4) {
        let value = Knapsack::objective();
        let mut frontier = Frontier::new();
        for width in [100, 10, 5] {
            let limits = Limits::new().memory(kilobytes << 10);
            let search = Search::new(&knapsack).limits(limits).diagrams(&value, width);
            let outcome = search.rough(Knapsack::relaxation).frontier(&mut frontier).best(&value);
            stopped += u32::from(outcome.stop() == Stop::MemoryLimit);
        }
        let search = Search::new(&knapsack).diagrams(&value, 10).rough(Knapsack::relaxation);
        let outcome = search.frontier(&mut frontier).best(&value);
        assert_eq!(outcome.proven(), Some(&1702), "{kilobytes} KiB");
    }
    assert!(stopped > 10, "stopped {stopped} times");
}

/// Returns the largest value of items that fit, by dynamic programming over capacities.
fn best_of(knapsack: &Knapsack) -> u64 {
    let mut best = vec![0; knapsack.capacity() as usize + 1];
    for item in knapsack.items() {
        for room in (item.weight as usize..best.len()).rev() {
            best[room] = best[room].max(best[room - item.weight as usize] + item.value);
        }
    }
    best.pop().expect("at least the capacity 0")
}

/// The bound holds even for solutions that this run or an earlier one leaves out: in another part
/// of the tree, below a depth limit, credited, visited for another question, or cut off with the
/// incumbent of another objective.
#[test]
fn no_solution_beats_a_reported_bound() {
    let mut reported = 0;
    for seed in 0..500 {
        let rng = &mut Rng::with_seed(seed);
        let knapsack = Knapsack::strongly_correlated(rng.usize(10..36), 60, seed).expect("a size");
        let best = best_of(&knapsack);
        let mut frontier = Frontier::new();
        for (most_nodes, kinds) in [(400, 8), (2000, 16)] {
            let mut limits = Limits::new().nodes(rng.u64(0..most_nodes));
            let (left_out, place) = (rng.u8(0..kinds), rng.usize(0..9));
            match left_out {
                0 => limits = limits.depth(3 * place),
                1 => {
                    let parts = Search::new(&knapsack).split(frontier, 3);
                    frontier = parts.into_iter().nth(place % 3).expect("three parts");
                }
                3 => {
                    let limits = Limits::new().solutions(1 + place as u64);
                    let search = Search::new(&knapsack).limits(limits).frontier(&mut frontier);
                    let _ = search.count();
                }
                _ => {}
            }
            // Whatever was taken so far, there is at least one set: that without further items.
            let credits_one = |node: &mut NodeMut<'_, Knapsack>| {
                let is_credited = node.path().get(place % 3) == Some(&(place < 6));
                node.credit(u128::from(is_credited));
                Verdict::prune_if(is_credited)
            };
            let credits_one = hook::enter("credits one", Effect::Preserving, credits_one);
            let other = Knapsack::objective().incumbent().clone();
            other.offer(0);
            let reads_other = |node: &mut NodeMut<'_, Knapsack>| {
                let is_cut = node.path().get(place % 3) == Some(&(place < 6));
                Verdict::prune_if(is_cut && other.get() == Some(0))
            };
            let reads_other = hook::enter("reads other", Effect::Preserving, reads_other);
            // Without the incumbent of earlier runs, a wrong bound would be too small.
            let value = Knapsack::objective();
            let search = Search::new(&knapsack).hook((left_out == 2).then_some(credits_one));
            let search = search.hook((left_out == 4).then_some(reads_other));
            let search = search.limits(limits).diagrams(&value, rng.usize(1..8));
            let mut bounds = Vec::new();
            let search =
                search.rough(Knapsack::relaxation).watch_bound(|&bound| bounds.push(bound));
            let outcome = search.frontier(&mut frontier).best(&value);
            let is_beaten = outcome.none_better().is_some_and(|&claimed| claimed < best);
            assert!(!is_beaten, "seed {seed}: {outcome:?}, but {best}");
            let is_beaten = bounds.iter().any(|&bound| bound < best);
            assert!(!is_beaten, "seed {seed}: {bounds:?}, but {best}");
            assert!(bounds.is_sorted_by(|wider, bound| bound < wider), "seed {seed}: {bounds:?}");
            reported += bounds.len();
        }
    }
    assert!(reported > 150, "{reported} bounds");
}

/// Hooks that together may lose every best solution leave no bound.
#[test]
fn a_lossy_combination_of_hooks_reports_no_bound() {
    let knapsack = Knapsack::strongly_correlated(60, 100, 1).unwrap();
    let reported = |hooks: usize| {
        let value = Knapsack::objective();
        let keep =
            || hook::enter("keep", Effect::OptimumOnly, |_: &mut NodeMut<'_, _>| Verdict::Keep);
        let hooks: Vec<_> = (0..hooks).map(|_| keep()).collect();
        let search = Search::new(&knapsack).hooks(hooks).diagrams(&value, 5);
        let mut reported = 0;
        let search = search.rough(Knapsack::relaxation).watch_bound(|_| reported += 1);
        let outcome = search.best(&value);
        assert_eq!(outcome.proven().is_some(), reported > 0, "{outcome:?}");
        reported
    };
    assert!(reported(0) > 0);
    assert_eq!(reported(2), 0);
}

/// A node that is continued with a part of its children says nothing about the others, which
/// another run may have searched from a worse value.
#[test]
fn a_part_of_a_node_sets_no_threshold_for_better_values() {
    for seed in 0..100 {
        let automaton = Automaton::random(8, secateurs::Direction::Maximise, seed);
        let best = automaton.best_below(automaton.root());
        for limit in [3, 6, 12, 24, 48] {
            let sum = automaton.objective();
            let mut frontier = Frontier::new();
            for run_of in [(0, 1, 1, limit), (1, 1, 1, u64::MAX)] {
                let _ = run(&automaton, &mut frontier, &sum, false, run_of);
            }
            assert_eq!(sum.incumbent().get(), best, "{seed}, {limit}");
        }
    }
}

/// A whole tree may follow other subtrees in one run.
#[test]
fn hooks_leave_the_last_subtree_before_a_whole_tree() {
    let automaton = Automaton::random(7, secateurs::Direction::Maximise, 5);
    let sum = automaton.objective();
    let mut frontier = Frontier::new();
    let _ = run(&automaton, &mut frontier, &sum, true, (1, 1, 2, u64::MAX));
    frontier.merge(Frontier::new());
    let outcome = run(&automaton, &mut frontier, &sum, true, (1, 1, 2, u64::MAX));
    assert_eq!(outcome.best_so_far().copied(), automaton.best_below(automaton.root()));
}

/// Solutions of restricted diagrams, which are found again, do not use up a limit of solutions.
#[test]
fn a_limit_of_solutions_means_the_same_with_threads() {
    for seed in 0..40 {
        let automaton = Automaton::random(7, secateurs::Direction::Maximise, seed);
        let [alone, divided] = [false, true].map(|is_divided| {
            let sum = automaton.objective();
            let search = Search::new(&automaton).limits(Limits::new().solutions(3));
            let search = search.diagrams(&sum, 1);
            let outcome = if is_divided { search.threads(1).best(&sum) } else { search.best(&sum) };
            (outcome.stop(), outcome.report().solutions(), outcome.best_so_far().copied())
        });
        assert_eq!(alone, divided, "seed {seed}");
    }
}

/// A panic of a hook while a subtree is opened again is reported with the path of that node or its
/// parent, not with that of the node before.
#[test]
fn a_panic_in_a_replay_is_reported_with_the_path() {
    let knapsack = Knapsack::strongly_correlated(60, 100, 1).unwrap();
    for depth in 2..6 {
        let value = Knapsack::objective();
        let mut frontier = Frontier::new();
        let limits = Limits::new().nodes(3_000);
        let search = Search::new(&knapsack).limits(limits).diagrams(&value, 5);
        let stop = search.frontier(&mut frontier).best(&value).stop();
        assert_eq!(stop, Stop::NodeLimit);
        // Before any subtree is opened, the best solution is visited again.
        let is_first = AtomicBool::new(true);
        let panic_at_depth = hook::watch("panic", |node: &Node<'_, Knapsack>| {
            let path = node.path();
            if path.len() == depth && !is_first.swap(false, Ordering::Relaxed) {
                // Prints no message, because the panic is intended.
                resume_unwind(Box::new(format!("{:?}", path.to_vec())));
            }
        });
        let search = Search::new(&knapsack).hook(panic_at_depth).diagrams(&value, 5);
        let search = search.frontier(&mut frontier).threads(2);
        let payload = catch_unwind(AssertUnwindSafe(|| search.best(&value).stop())).unwrap_err();
        let message = *payload.downcast::<String>().unwrap();
        let (path, reported) = message.split_once(" (at or just below").unwrap();
        let reported = reported.rsplit_once("by ").unwrap().1;
        let choices = |text: &str| -> Vec<String> {
            text.trim_matches(['[', ']', ')']).split(", ").map(str::to_owned).collect()
        };
        let (path, reported) = (choices(path), choices(reported));
        // A child that is entered for the first time is just below.
        assert!(path.len() <= reported.len() + 1 && path.starts_with(&reported), "{message}");
    }
}

#[test]
fn solutions_credited_at_nodes_that_are_entered_again_are_no_lower_bound() {
    let knapsack = Knapsack::strongly_correlated(12, 20, 3).expect("a size");
    // Whatever was taken so far, there is at least one set: that without further items.
    let credits_one = || {
        hook::enter("credits one", Effect::Preserving, |node: &mut NodeMut<'_, Knapsack>| {
            let is_credited = node.depth() == 3;
            if is_credited {
                node.credit(1);
            }
            Verdict::prune_if(is_credited)
        })
    };
    let once = Search::new(&knapsack).hook(credits_one()).count().at_least();
    let mut is_interrupted = false;
    for nodes in 0..40 {
        for width in 1..5 {
            let (value, mut frontier) = (Knapsack::objective(), Frontier::new());
            let search = || Search::new(&knapsack).hook(credits_one());
            let limited = search().limits(Limits::new().nodes(nodes)).diagrams(&value, width);
            is_interrupted |=
                limited.frontier(&mut frontier).best(&value).stop() == Stop::NodeLimit;
            let counted = search().frontier(&mut frontier).count().at_least();
            assert!(counted <= once, "{counted} of {once}: {nodes} nodes, width {width}");
        }
    }
    assert!(is_interrupted);
}
