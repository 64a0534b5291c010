//! Frontiers: searches in several runs and in parts, whose sum equals the whole.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use proptest::prelude::*;
use secateurs::brancher::ProblemOrder;
use secateurs::hook::{HookMemory, Memo};
use secateurs::search::Frontier;
use secateurs::{
    Branch, Brancher, Effect, Hook, Limits, Node, NodeMut, Objective, Problem, Search, Stop,
    Successors, Verdict, hook,
};
use secateurs_problems::queens::Queens;

use crate::shared::claiming::Only;
use crate::shared::frontiers::{begun, in_instalments, in_parts};
use crate::shared::words::Words;
use crate::support::trees::{RandomTree, Trail, tree_stats, trees_of};

proptest! {
    #[test]
    fn an_iterator_leaves_the_rest(tree in trees_of(1..5, 0..7), take in 0..6usize) {
        let whole: Vec<Vec<u32>> = Search::new(&tree).solutions().collect();
        let mut frontier = Frontier::new();
        let mut found = Vec::new();
        loop {
            let before = found.len();
            let mut solutions = Search::new(&tree).frontier(&mut frontier).solutions();
            found.extend(solutions.by_ref().take(take + 1));
            drop(solutions);
            if found.len() == before {
                break;
            }
        }
        prop_assert_eq!(found, whole);
        prop_assert!(frontier.is_exhausted());
    }
}

/// The order of the problem, with cursors that are too large for the registers of a walk. The cell
/// is the number of cursors that are alive.
struct LargeCursors<'a>(&'a Cell<usize>);

struct LargeCursor<'a> {
    child: [u32; 9],
    alive: &'a Cell<usize>,
}

impl Drop for LargeCursor<'_> {
    fn drop(&mut self) {
        self.alive.set(self.alive.get() - 1);
    }
}

impl<'a> Brancher<RandomTree> for LargeCursors<'a> {
    type Cursor = LargeCursor<'a>;

    fn branch(&mut self, node: &Node<'_, RandomTree>) -> Branch<LargeCursor<'a>> {
        assert!(self.0.get() <= node.depth(), "only cursors of ancestors are alive");
        node.problem().branch(node.state()).map(|child| {
            self.0.set(self.0.get() + 1);
            LargeCursor { child: [child; 9], alive: self.0 }
        })
    }

    fn next(&mut self, node: &Node<'_, RandomTree>, cursor: &mut LargeCursor<'a>) -> Option<u32> {
        node.problem().next(node.state(), &mut cursor.child[4])
    }
}

proptest! {
    #[test]
    fn large_cursors_stop_and_continue_like_small_ones(
        tree in trees_of(1..5, 0..8),
        nodes in 1..60_u64,
        depth in 0..9_usize,
    ) {
        fn instalments<B: Brancher<RandomTree>>(
            tree: &RandomTree,
            brancher: impl Fn() -> B,
            limits: &Limits,
        ) -> Vec<String> {
            let mut frontier = Frontier::new();
            let mut runs = Vec::new();
            loop {
                let search = Search::new(tree).brancher(brancher()).limits(limits.clone());
                let outcome = search.frontier(&mut frontier).count();
                let (count, stop) = (outcome.at_least(), outcome.stop());
                runs.push(format!("{count:?} {stop:?} {:?}", tree_stats(outcome.report())));
                if stop != Stop::NodeLimit {
                    return runs;
                }
            }
        }
        let limits = Limits::new().nodes(nodes).depth(depth);
        let alive = Cell::new(0);
        let large = || LargeCursors(&alive);
        prop_assert_eq!(
            instalments(&tree, large, &limits),
            instalments(&tree, || ProblemOrder, &limits)
        );
        prop_assert_eq!(alive.get(), 0);
        let all: Vec<Vec<u32>> = Search::new(&tree).solutions().collect();
        let paused: Vec<Vec<u32>> = Search::new(&tree).brancher(large()).solutions().collect();
        prop_assert_eq!((paused, alive.get()), (all, 0));
    }
}

#[test]
fn a_memo_does_not_store_the_count_of_a_part_of_a_subtree() {
    // Paths through a grid, counted with a memo that is new in every run or kept over all runs.
    let grid = Successors::new(
        [0, 0],
        |at| *at == [6, 6],
        |at: [u32; 2]| {
            [[at[0] + 1, at[1]], [at[0], at[1] + 1]]
                .into_iter()
                .filter(|to| to.iter().all(|&at| at <= 6))
        },
    );
    let memo = || Memo::counted("ways", |_: &_, at: &[u32; 2]| *at);
    for nodes in [1, 2, 7, 20, 50] {
        let mut lent = memo();
        for kept in [false, true] {
            let mut frontier = in_instalments(nodes, |frontier, limits| {
                let hook = if kept { &mut lent } else { &mut memo() };
                Search::new(&grid).hooks((hook,)).limits(limits).frontier(frontier).count().stop()
            });
            let outcome = Search::new(&grid).hooks((memo(),)).frontier(&mut frontier).count();
            assert_eq!(outcome.exact(), Some(924), "{nodes} {kept}");
            assert_eq!(outcome.report().nondeterministic_parts(), ["ways"]);
            assert!(frontier.is_exhausted());
        }
    }
}

#[test]
fn a_frontier_of_a_hundred_thousand_levels_resumes() {
    // A path with one leaf at each of its nodes.
    let comb = Successors::new(
        (0, true),
        |&(depth, is_on_path)| !is_on_path || depth == 100_000,
        |(depth, _)| [true, false].map(|is_on_path| (depth + 1, is_on_path)),
    );
    let parts = begun(Search::new(&comb), 80_000).split(3);
    let mut whole = in_parts(parts, |part| Search::new(&comb).frontier(part).count().stop());
    let outcome = Search::new(&comb).frontier(&mut whole).count();
    assert_eq!(outcome.exact(), Some(100_001));
    assert_eq!(outcome.report().nodes(), 200_001);
}

#[test]
fn a_panic_loses_the_frontier() {
    let tree = RandomTree::new(3, 3, 6);
    let mut frontier = Frontier::new();
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _ = Search::new(&tree)
            .frontier(&mut frontier)
            .for_each(|_| -> ControlFlow<()> { panic!("this panic is part of the test") });
    }));
    assert!(caught.is_err());
    assert!(!frontier.is_exhausted());
    let outcome = Search::new(&tree).frontier(&mut frontier).count();
    assert_eq!((outcome.stop(), outcome.exact()), (Stop::Interrupted, None));
}

#[test]
fn the_fraction_done_rises_to_one() {
    let queens = Queens::new(9).expect("a size").bits();
    let mut frontier = Frontier::new();
    let mut last = 0.0;
    while !frontier.is_exhausted() {
        let mut seen = Vec::new();
        let outcome = Search::new(&queens)
            .limits(Limits::new().nodes(2_000))
            .progress(Duration::ZERO, |progress| seen.extend(progress.fraction))
            .fraction()
            .frontier(&mut frontier)
            .count();
        assert!(seen.len() > 3 && seen.is_sorted(), "{seen:?}");
        assert!(seen[0] >= last - 1e-9, "{last} {seen:?}");
        last = frontier.fraction();
        assert!(last >= seen[seen.len() - 1] - 1e-9);
        assert_eq!(last == 1.0, outcome.stop().is_exhausted());
    }
    // Half of the nodes are about half of the tree's share.
    let frontier = begun(Search::new(&queens), 4_197);
    assert!((0.35..0.65).contains(&frontier.fraction()), "{}", frontier.fraction());
    let parts = frontier.split(2);
    assert!(parts.iter().all(|part| part.fraction() == 0.0));
}

#[test]
fn progress_does_not_disturb_remembering_hooks() {
    let tree = RandomTree::new(11, 4, 9);
    let memo = || {
        Memo::failed("failed", |_: &RandomTree, path: &Vec<u32>| {
            path.len() as u32 + path.iter().sum::<u32>()
        })
    };
    let plain = Search::new(&tree).hooks((memo(),)).count();
    let mut seen = Vec::new();
    let watched = Search::new(&tree)
        .hooks((memo(),))
        .progress(Duration::ZERO, |progress| seen.push(progress.fraction))
        .fraction()
        .count();
    assert_eq!(watched.report().levels(), plain.report().levels());
    assert!(!seen.is_empty() && seen.iter().all(Option::is_none));
}

#[test]
fn a_depth_limit_holds_with_threads_and_in_every_instalment() {
    for seed in 0..40 {
        let tree = RandomTree::new(seed, 4, 12);
        for (depth, nodes) in [(0, 1), (1, 1), (2, 3), (5, 10), (7, 4), (8, 100)] {
            let limits = || Limits::new().depth(depth);
            let whole = Search::new(&tree).limits(limits()).count();
            let mut frontier = Frontier::new();
            let resumed = loop {
                let search = Search::new(&tree).limits(limits().nodes(nodes));
                let outcome = search.frontier(&mut frontier).count();
                if outcome.stop() != Stop::NodeLimit {
                    break outcome;
                }
            };
            let shared = Search::new(&tree).limits(limits()).threads(3).count();
            for outcome in [resumed, shared] {
                assert_eq!((outcome.at_least(), outcome.stop()), (whole.at_least(), whole.stop()));
                let [levels, expected] = [&outcome, &whole].map(|of| of.report().levels());
                assert_eq!(levels, expected, "{seed} {depth} {nodes}");
            }
        }
    }
}

#[test]
fn a_depth_limit_above_the_open_subtrees_prunes_them() {
    let tree = RandomTree::new(6, 4, 9);
    let mut frontier = Frontier::new();
    while frontier.subtrees().all(|subtree| !format!("{subtree:?}").contains("depth: 6")) {
        let _ = Search::new(&tree).limits(Limits::new().nodes(1)).frontier(&mut frontier).count();
    }
    let before = Search::new(&tree).limits(Limits::new().nodes(0)).frontier(&mut frontier).count();
    let after = Search::new(&tree).limits(Limits::new().depth(3)).frontier(&mut frontier).count();
    assert_eq!(after.stop(), Stop::DepthLimit);
    let new = after
        .report()
        .levels()
        .iter()
        .zip(before.report().levels())
        .map(|(after, before)| after.nodes - before.nodes);
    let new: Vec<_> = new.collect();
    assert!(
        new[..4].iter().sum::<u64>() > 0 && new[4..].iter().all(|&nodes| nodes == 0),
        "{new:?}"
    );
}

#[test]
fn parts_of_divisions_at_different_moments_are_never_the_whole() {
    let tree = RandomTree::new(6, 4, 9);
    let divided = |nodes| begun(Search::new(&tree), nodes).split(2);
    for (one, other) in [(1, 1), (40, 40), (40, 41), (40, 45), (10, 60)] {
        let mut whole = divided(one).remove(0);
        whole.merge(divided(other).remove(1));
        assert_eq!(whole.is_whole(), one == other, "after {one} and {other} nodes");
        let outcome = Search::new(&tree).frontier(&mut whole).count();
        assert_eq!(outcome.exact().is_some(), one == other);
    }
}

#[test]
fn a_merged_frontier_is_truncated_or_lost_if_one_of_its_parts_is() {
    let tree = RandomTree::new(6, 4, 9);
    for (damaged, is_lost) in [(0, false), (0, true), (1, false), (1, true)] {
        let (parts, mut index) = (Search::new(&tree).split(Frontier::new(), 2), 0..);
        let mut whole = in_parts(parts, |part| {
            let is_damaged = index.next() == Some(damaged);
            let panics = |_: &Node<'_, RandomTree>| {
                assert!(!is_damaged || !is_lost, "this panic is part of the test");
            };
            let limits = Limits::new().depth(if is_damaged { 4 } else { usize::MAX });
            let search = Search::new(&tree).watch("panics", panics).limits(limits);
            let run = AssertUnwindSafe(|| search.frontier(&mut *part).count().stop());
            assert_eq!(catch_unwind(run).is_err(), is_damaged && is_lost);
            assert_eq!(part.is_exhausted(), !is_damaged);
        });
        assert!(whole.is_whole() && !whole.is_exhausted());
        let outcome = Search::new(&tree).frontier(&mut whole).count();
        let stop = if is_lost { Stop::Interrupted } else { Stop::DepthLimit };
        assert_eq!((outcome.stop(), outcome.exact()), (stop, None));
        assert!(whole.split(3).iter().all(|part| !part.is_exhausted()));
    }
}

/// Returns the numbers of nodes and solutions by depth, down to `depth`.
fn down_to(report: &secateurs::Report, depth: usize) -> Vec<(u64, u64)> {
    let levels = report.levels().iter().map(|level| (level.nodes, level.solutions));
    let mut levels: Vec<_> = levels.take(depth + 1).collect();
    levels.resize(depth + 1, (0, 0));
    levels
}

#[test]
fn a_depth_limit_after_runs_without_one_loses_nothing_above_it() {
    for seed in 0..200 {
        let tree = RandomTree::new(seed, 3, 7);
        let all = Search::new(&tree).count().exact();
        for (depth, nodes) in [(0, 3), (1, 5), (2, 10), (3, 12), (4, 6), (6, 30)] {
            let limits = Limits::new().depth(depth);
            let expected = Search::new(&tree).limits(limits.clone()).count();
            let expected = down_to(expected.report(), depth);

            let search = || Search::new(&tree).limits(limits.clone());
            let mut frontier = begun(Search::new(&tree), nodes);
            let outcome = search().frontier(&mut frontier).count();
            assert_eq!(down_to(outcome.report(), depth), expected, "{seed} {depth}");
            assert!(outcome.exact().is_none_or(|count| Some(count) == all), "{seed} {depth}");

            // Parts may contain solutions that are still to be visited, some beyond the limit.
            let parts = Search::new(&tree).split(Frontier::new(), 4);
            let mut whole = in_parts(parts, |part| search().frontier(part).count().stop());
            let outcome = Search::new(&tree).frontier(&mut whole).count();
            assert_eq!(down_to(outcome.report(), depth), expected, "{seed} {depth}, in parts");
            assert!(outcome.exact().is_none_or(|count| Some(count) == all), "{seed} {depth}");
            let deeper = outcome.report().levels().iter().skip(depth + 1);
            assert_eq!(deeper.map(|level| level.solutions).sum::<u64>(), 0, "{seed} {depth}");
        }
    }
}

/// A hook that remembers nothing, and states two statistics.
#[derive(Clone)]
struct Stating;

impl<P: Problem> Hook<P> for Stating {
    fn name(&self) -> &str {
        "stating"
    }
    fn stats(&self) -> Vec<(String, u64)> {
        vec![("ones".to_owned(), 1), ("twos".to_owned(), 2)]
    }
}

#[test]
fn each_statistic_of_a_hook_is_added_over_the_runs() {
    let tree = RandomTree::new(6, 4, 9);
    let mut frontier = Frontier::new();
    for _ in 0..3 {
        let search = Search::new(&tree).hook(Stating).limits(Limits::new().nodes(5));
        let _ = search.frontier(&mut frontier).count();
    }
    let report = frontier.report().expect("three runs");
    let hook = report.hook("stating").expect("a hook");
    assert_eq!((hook.stat("ones"), hook.stat("twos")), (Some(3), Some(6)));
    // The hook remembers the path at most, so its calls do not depend on the division.
    assert!(report.nondeterministic_parts().is_empty());
}

#[test]
fn the_best_solution_of_earlier_runs_is_counted_once() {
    for seed in 0..50 {
        let tree = RandomTree::new(seed, 3, 6);
        let length = Objective::maximise(|_: &RandomTree, path: &Vec<u32>| path.len());
        let all = Search::new(&tree).count();
        let frontier = in_instalments(7, |frontier, limits| {
            Search::new(&tree).limits(limits).frontier(frontier).best(&length).stop()
        });
        let report = frontier.report().expect("at least one run");
        assert_eq!(report.levels(), all.report().levels(), "{seed}");
    }
}

#[test]
fn hooks_in_a_vector_are_left_like_those_in_a_tuple() {
    let odd = || {
        hook::enter("odd", Effect::Lossy, |node: &mut NodeMut<'_, RandomTree>| {
            Verdict::prune_if(node.path().iter().sum::<u32>() % 5 == 4)
        })
    };
    for seed in 0..50 {
        let tree = RandomTree::new(seed, 4, 6);
        let (mut tuple, mut vector) = (Frontier::new(), Frontier::new());
        while !tuple.is_exhausted() {
            let limits = || Limits::new().nodes(9);
            let search = Search::new(&tree).hooks((Trail::default(), odd())).limits(limits());
            let _ = search.frontier(&mut tuple).count();
            let hooks: Vec<hook::BoxedHook<'_, RandomTree>> =
                vec![Box::new(Trail::default()), Box::new(odd())];
            let search = Search::new(&tree).hooks(hooks).limits(limits());
            let _ = search.frontier(&mut vector).count();
            let [one, other] = [&tuple, &vector].map(|frontier| frontier.report().map(tree_stats));
            assert_eq!(one, other, "{seed}");
        }
    }
}

#[test]
fn a_limit_of_time_does_not_disturb_hooks_of_few_levels() {
    let queens = Queens::new(8).expect("a size").bits();
    let limits = Limits::new().time(Duration::from_secs(3600));
    let timed = Search::new(&queens).hooks((Queens::mirror(),)).limits(limits).count();
    assert_eq!(timed.exact(), Some(92));
}

#[test]
fn a_resumed_run_does_not_exceed_its_depth_limit() {
    let subsets = Words::subsets(40);
    for depth in 0..4 {
        let limits = || Limits::new().depth(depth);
        let whole = Search::new(&subsets).limits(limits()).count();
        for solutions in 1..6 {
            let mut frontier = Frontier::new();
            let search = Search::new(&subsets).limits(limits().solutions(solutions));
            let _ = search.frontier(&mut frontier).count();
            let outcome = Search::new(&subsets).limits(limits()).frontier(&mut frontier).count();
            assert_eq!(outcome.report().levels(), whole.report().levels(), "{depth} {solutions}");
            assert_eq!((outcome.at_least(), outcome.stop()), (whole.at_least(), whole.stop()));
        }
    }
}

#[test]
fn the_fraction_is_known_unless_a_hook_or_the_brancher_remembers_nodes() {
    use HookMemory::{Nothing, Path, Searched, Visited};
    let tree = RandomTree::new(11, 4, 9);
    let keeps = |_: &Node<'_, RandomTree>, _: &u32| true;
    for hook in [Nothing, Path, Searched, Visited] {
        for brancher in [Nothing, Path, Searched, Visited] {
            let mut seen = Vec::new();
            let keep =
                hook::enter("keep", Effect::Preserving, |_: &mut NodeMut<'_, RandomTree>| {
                    Verdict::Keep
                });
            let _ = Search::new(&tree)
                .hook(keep.memory(hook))
                .brancher(Only { effect: Effect::Preserving, memory: brancher, keeps })
                .progress(Duration::ZERO, |progress| seen.push(progress.fraction.is_some()))
                .fraction()
                .count();
            let expected = hook <= Path && brancher <= Path;
            assert!(seen.iter().all(|&known| known == expected), "{hook:?} {brancher:?} {seen:?}");
            assert!(!seen.is_empty());
        }
    }
}
