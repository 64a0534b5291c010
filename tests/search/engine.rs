//! The engine: reasons to stop and the knowledge they leave, calls of hooks, and the effects of
//! hooks on counts.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use secateurs::hook::HookMemory;
use secateurs::{
    Branch, Cancel, CopyProblem, Count, Cuts, Digest, Direction, Effect, Hook, Incumbent,
    IncumbentId, Limits, Node, NodeMut, Objective, Outcome, Path, Problem, Report, Search, Stop,
    Substitute, Successors, Uniqueness, Verdict, hook,
};
use secateurs_problems::queens::Queens;

use crate::shared::claiming::{Claiming, boxed};
use crate::shared::frontiers::{begun, begun_best};
use crate::shared::words::{Full, Words};
use crate::support::sketch::Sketch;
use crate::support::trees::{RandomTree, trees_of};

const BINARY: Full = Full { width: 2, depth: 5 };

/// Runs a block for a search in every strategy, whose name is `$name`. One of them is best-first
/// with `$open` open nodes.
macro_rules! in_every_strategy {
    ($search:expr, $open:expr, |$run:ident, $name:ident| $block:block) => {{
        let longest = Objective::maximise(|_: &RandomTree, path: &Vec<u32>| path.len());
        let last = |_: &RandomTree, path: &Vec<u32>| path.last().map_or(0, |&step| step as usize);
        let best_first = || $search.best_first(&longest, last);
        in_every_strategy!(@ $block, $run, $name, [
            ("depth-first", $search),
            ("breadth-first", $search.breadth_first()),
            ("best-first", best_first()),
            ("best-first with few open nodes", best_first().open_nodes($open)),
            ("two threads", $search.threads(2)),
        ]);
    }};
    (@ $block:block, $run:ident, $name:ident, [$(($strategy:expr, $search:expr),)*]) => {
        $({
            let ($name, $run) = ($strategy, $search);
            $block
        })*
    };
}

/// Checks that limits of nodes, solutions and depth, each alone, are exact in every strategy.
fn check_limits(
    tree: &RandomTree,
    whole: &Outcome<Count>,
    [nodes, solutions]: [u64; 2],
    depth: usize,
    open: usize,
) -> Result<(), TestCaseError> {
    let (all, found) = (whole.report().nodes(), whole.report().solutions());
    let shallow = Search::new(tree).limits(Limits::new().depth(depth)).count();
    let is_deeper = whole.report().depth() > depth;
    prop_assert_eq!(shallow.stop() == Stop::DepthLimit, is_deeper);
    let search = |limits: Limits| Search::new(tree).limits(limits);
    in_every_strategy!(search(Limits::new().nodes(nodes)), open, |run, name| {
        let (outcome, is_limited) = (run.count(), nodes < all);
        prop_assert_eq!(outcome.report().nodes(), nodes.min(all), "{}", name);
        prop_assert_eq!(outcome.stop() == Stop::NodeLimit, is_limited, "{}", name);
        prop_assert_eq!(outcome.exact(), whole.exact().filter(|_| !is_limited), "{}", name);
        prop_assert_eq!(outcome.representatives().is_none(), is_limited, "{}", name);
    });
    in_every_strategy!(search(Limits::new().solutions(solutions)), open, |run, name| {
        let (outcome, is_limited) = (run.count(), solutions <= found);
        prop_assert_eq!(outcome.report().solutions(), solutions.min(found), "{}", name);
        prop_assert_eq!(outcome.at_least(), u128::from(solutions.min(found)), "{}", name);
        prop_assert_eq!(outcome.stop() == Stop::SolutionLimit, is_limited, "{}", name);
        prop_assert_eq!(outcome.exact().is_none(), is_limited, "{}", name);
    });
    in_every_strategy!(search(Limits::new().depth(depth)), open, |run, name| {
        let outcome = run.count();
        prop_assert_eq!(outcome.stop(), shallow.stop(), "{}", name);
        prop_assert_eq!(outcome.at_least(), shallow.at_least(), "{}", name);
        prop_assert_eq!(outcome.report().levels(), shallow.report().levels(), "{}", name);
    });
    Ok(())
}

/// Generates numbers, half of them below 3.
fn often_small() -> impl Strategy<Value = u64> {
    prop_oneof![0..3_u64, any::<u64>()]
}

proptest! {
    #[test]
    fn limits_are_exact_in_every_strategy(
        tree in trees_of(1..5, 0..7),
        below in [often_small(), often_small()],
        depth in 0..8_usize,
        open in 0..10_usize,
    ) {
        let whole = Search::new(&tree).count();
        // Half of the limits are one more, one less, or exactly the number in the whole tree.
        let limit = |all: u64, below| all + 1 - below % (all + 2);
        let nodes = limit(whole.report().nodes(), below[0]);
        let solutions = limit(whole.report().solutions(), below[1]);
        check_limits(&tree, &whole, [nodes, solutions], depth, open)?;
    }
}

#[test]
fn limits_are_exact_if_the_root_and_its_only_child_are_solutions() {
    let is_wanted = |tree: &RandomTree| {
        tree.children(&[]) == 1 && tree.is_solution(&[]) && tree.is_solution(&[0])
    };
    let mut trees = (0..).map(|seed| RandomTree::new(seed, 1, 1));
    let tree = trees.find(is_wanted).expect("one of the seeds");
    let whole = Search::new(&tree).count();
    assert_eq!((whole.report().nodes(), whole.exact()), (2, Some(2)));
    for (limit, open) in (0..4).flat_map(|limit| [(limit, 0), (limit, 3)]) {
        check_limits(&tree, &whole, [limit; 2], limit as usize, open).expect("exact limits");
    }
}

#[test]
fn a_node_limit_does_not_count_choices_that_are_not_admitted() {
    // The last child of every node is not admitted: a tree of 6 nodes.
    let left = || {
        hook::admit("left only", Effect::Preserving, |_: &Node<'_, Full>, &choice| {
            Verdict::prune_if(choice == 1)
        })
    };
    let whole = Search::new(&BINARY).hook(boxed(left())).count();
    assert_eq!(whole.report().nodes(), 6);
    let limited = Search::new(&BINARY).hook(boxed(left())).limits(Limits::new().nodes(6)).count();
    assert_eq!(limited.stop(), Stop::Exhausted);
    assert_eq!(limited.report().hooks(), whole.report().hooks());
}

#[test]
fn first_choices_are_admitted_once_and_only_near_the_root() {
    let first = || {
        hook::FirstChoices::new("left", 2, |_: &Full, _: Path<'_, u64>, &choice: &u64| {
            2 * (1 - choice)
        })
    };
    let whole = Search::new(&BINARY).hooks((first(),)).count();
    assert_eq!((whole.exact(), whole.representatives()), (Some(32), Some(8)));
    assert_eq!(whole.report().nodes(), 1 + 1 + 1 + 2 + 4 + 8);
    for limit in 0..=17 {
        let outcome =
            Search::new(&BINARY).hooks((first(),)).limits(Limits::new().nodes(limit)).count();
        assert_eq!(outcome.stop(), if limit < 17 { Stop::NodeLimit } else { Stop::Exhausted });
        assert_eq!(outcome.report().nodes(), limit);
        assert!(outcome.report().hooks()[0].cuts() <= 2);
    }
    // Under a depth limit as well: only admitted children count as truncated.
    let shallow = Search::new(&BINARY).hooks((first(),)).limits(Limits::new().depth(1)).count();
    assert_eq!((shallow.stop(), shallow.report().nodes()), (Stop::DepthLimit, 2));
    let broad = Search::new(&BINARY).breadth_first().hooks((first(),)).count();
    assert_eq!(broad.report().levels(), whole.report().levels());
    assert_eq!(broad.exact(), Some(32));
}

#[test]
fn a_solution_limit_stops_an_iterator() {
    fn check<P: Problem<State: Clone, Choice: Clone>>(problem: &P, solutions: u64) {
        for limit in 0..solutions + 8 {
            let search = || Search::new(problem).limits(Limits::new().solutions(limit));
            let (mut deep, mut broad) =
                (search().solutions(), search().breadth_first().solutions());
            let found = [deep.by_ref().count(), broad.by_ref().count()];
            assert_eq!(found.map(|found| found as u64), [limit.min(solutions); 2]);
            let stop = if limit <= solutions { Stop::SolutionLimit } else { Stop::Exhausted };
            assert_eq!([deep.stop(), broad.stop()], [stop; 2]);
        }
    }
    check(&BINARY, 32);
    // All nodes are solutions.
    check(&Words::subsets(4), 16);
}

#[test]
fn a_zero_time_limit_and_a_cancelled_switch_stop_before_the_root() {
    let outcome = Search::new(&BINARY).limits(Limits::new().time(Duration::ZERO)).count();
    assert_eq!((outcome.stop(), outcome.report().nodes()), (Stop::TimeLimit, 0));
    let cancel = Cancel::new();
    cancel.cancel();
    let outcome = Search::new(&BINARY).limits(Limits::new().cancel(&cancel)).first();
    assert_eq!((outcome.stop(), outcome.report().nodes()), (Stop::Cancelled, 0));
    assert_eq!(outcome.exists(), None);
}

#[test]
fn time_limits_and_switches_end_an_infinite_run_even_if_it_admits_nothing() {
    let endless = Full { width: u64::MAX, depth: 1 };
    let time = || Limits::new().time(Duration::from_millis(20));
    for (verdict, effect) in [(Verdict::Keep, Effect::Preserving), (Verdict::Prune, Effect::Lossy)]
    {
        let answers = hook::admit("all", effect, move |_: &Node<'_, Full>, _: &u64| verdict);
        let outcome = Search::new(&endless).hook(boxed(answers)).limits(time()).count();
        assert_eq!((outcome.stop(), outcome.exact()), (Stop::TimeLimit, None));
        assert!(outcome.report().elapsed() >= Duration::from_millis(20));
    }
    let outcome = Search::new(&endless).limits(time()).count();
    assert_eq!((outcome.stop(), outcome.exact()), (Stop::TimeLimit, None));
    let cancel = Cancel::new();
    let outcome = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(20));
            cancel.cancel();
        });
        Search::new(&endless).limits(Limits::new().cancel(&cancel)).count()
    });
    assert_eq!((outcome.stop(), outcome.exact()), (Stop::Cancelled, None));
}

#[test]
fn progress_is_reported() {
    let endless = Full { width: u64::MAX, depth: 1 };
    let mut seen = Vec::new();
    let cancel = Cancel::new();
    let outcome = Search::new(&endless)
        .limits(Limits::new().cancel(&cancel))
        .progress(Duration::ZERO, |progress| {
            seen.push((progress.nodes, progress.solutions));
            if seen.len() == 10 {
                cancel.cancel();
            }
        })
        .count();
    assert_eq!(outcome.stop(), Stop::Cancelled);
    assert!(seen.len() >= 10);
    assert!(seen.is_sorted());
    assert!(outcome.report().nodes() >= seen[9].0);
}

#[test]
fn trees_of_one_node_are_searched() {
    fn check<P: Problem<Choice: Clone>>(problem: &P, solutions: u128, dead_ends: u64) {
        let outcome = Search::new(problem).count();
        assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(solutions), 1));
        assert_eq!(outcome.report().dead_ends(), dead_ends);
        assert_eq!(Search::new(problem).solutions().count() as u128, solutions);
        assert_eq!(Search::new(problem).exists().exists(), Some(solutions == 1));
        let limited = Search::new(problem).limits(Limits::new().nodes(1)).count();
        assert_eq!(limited.stop(), Stop::Exhausted);
    }
    // A dead end, a solution, and both kinds of inner nodes without children.
    check(&Sketch::of(&[(&[], None, 0)]), 0, 1);
    check(&Full { width: 0, depth: 0 }, 1, 0);
    check(&Full { width: 0, depth: 1 }, 0, 1);
    check(&Words::subsets(0), 1, 0);
}

#[test]
fn dead_ends_are_counted_whether_branch_or_next_finds_them() {
    // 3-queens has no solution; the free squares decide about the kind of dead end.
    let queens = Queens::new(3).unwrap().bits();
    let report = Search::new(&queens).count().into_parts().1;
    assert_eq!(report.dead_ends(), 3, "{report}");
    let none = hook::enter("nothing at depth 1", Effect::Lossy, |node: &mut NodeMut<'_, Full>| {
        Verdict::prune_if(node.depth() == 1)
    });
    let report = Search::new(&BINARY).hook(boxed(none)).count().into_parts().1;
    assert_eq!((report.nodes(), report.dead_ends()), (3, 1), "the root has no child that was kept");
}

#[test]
fn a_tree_a_million_levels_deep_is_searched() {
    let deep = Full { width: 1, depth: 1_000_000 };
    let outcome = Search::new(&deep).count();
    assert_eq!(outcome.exact(), Some(1));
    assert_eq!(outcome.report().depth(), 1_000_000);
    assert_eq!(outcome.report().to_string().lines().count(), 32, "the table stays readable");
    assert_eq!(Search::new(&deep).first().solution().map(Vec::len), Some(1_000_000));
}

#[test]
fn solutions_come_in_the_order_of_the_tree_and_are_fused() {
    let subsets = Words::subsets(3);
    let mut solutions = Search::new(&subsets).solutions();
    let all: Vec<Vec<u32>> = solutions.by_ref().collect();
    assert_eq!(
        all,
        [vec![], vec![0], vec![0, 1], vec![0, 1, 2], vec![0, 2], vec![1], vec![1, 2], vec![2]]
    );
    assert_eq!((solutions.next(), solutions.next()), (None, None));
    assert_eq!(solutions.stop(), Stop::Exhausted);
    assert_eq!(solutions.report().levels(), Search::new(&subsets).count().report().levels());

    let mut paused = Search::new(&subsets).solutions();
    assert_eq!(paused.report().nodes(), 0);
    paused.next();
    assert_eq!(paused.stop(), Stop::Paused);
    assert_eq!(paused.report().nodes(), 1, "lazy");
}

/// Returns the solutions that are left of an iterator after some, by `next` and by `fold`.
fn by_next_and_by_fold<T>(make: impl Fn() -> T, first: usize) -> (Vec<Vec<u32>>, Vec<Vec<u32>>)
where
    T: Iterator<Item = Vec<u32>>,
{
    let (mut next, mut fold) = (make(), make());
    for _ in 0..first {
        assert_eq!(next.next(), fold.next());
    }
    let folded = fold.fold(Vec::new(), |mut all, solution| {
        all.push(solution);
        all
    });
    (std::iter::from_fn(|| next.next()).collect(), folded)
}

#[test]
fn folding_an_iterator_passes_the_solutions_that_next_yields() {
    let tree = Words::subsets(5);
    for first in [0, 1, 2, 31, 32, 40] {
        for limit in [0, 1, 7, 32, u64::MAX] {
            let search = || Search::new(&tree).limits(Limits::new().solutions(limit));
            let (next, folded) = by_next_and_by_fold(|| search().solutions(), first);
            assert_eq!(next, folded, "{limit} solutions, {first} of them before");
            assert_eq!(next.len() as u64, limit.min(32).saturating_sub(first as u64));
            let (next, folded) =
                by_next_and_by_fold(|| search().breadth_first().solutions(), first);
            assert_eq!(next, folded, "{limit} solutions, {first} of them before, breadth-first");
        }
    }
}

#[test]
fn a_visitor_may_break_with_a_value() {
    let outcome = Search::new(&Words::subsets(5)).for_each(|node| match node.depth() {
        3 => ControlFlow::Break(node.state().clone()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(*outcome.value(), ControlFlow::Break(vec![0, 1, 2]));
    assert_eq!(outcome.stop(), Stop::Satisfied);
    let outcome = Search::new(&Words::subsets(5)).for_each(|_| ControlFlow::<()>::Continue(()));
    assert_eq!(outcome.stop(), Stop::Exhausted);
}

/// A hook that records every call, and prunes in `enter` at a given path.
struct Scribe<'a> {
    name: &'static str,
    log: &'a RefCell<Vec<String>>,
    prune: &'a [u64],
}

impl Hook<Full> for Scribe<'_> {
    fn name(&self) -> &str {
        self.name
    }
    fn effect(&self) -> Effect {
        Effect::Lossy
    }
    fn admit(&mut self, node: &Node<'_, Full>, choice: &u64) -> Verdict {
        self.log.borrow_mut().push(format!("{} admits {choice} at {:?}", self.name, node.path()));
        Verdict::Keep
    }
    fn enter(&mut self, node: &mut NodeMut<'_, Full>) -> Verdict {
        self.log.borrow_mut().push(format!("{} enters {:?}", self.name, node.path()));
        Verdict::prune_if(node.depth() > 0 && node.path().to_vec() == self.prune)
    }
    fn leave(&mut self, node: &Node<'_, Full>) {
        self.log.borrow_mut().push(format!("{} leaves {:?}", self.name, node.path()));
    }
}

#[test]
fn hooks_are_called_in_order_and_left_in_reverse() {
    let log = RefCell::new(Vec::new());
    let a = Scribe { name: "a", log: &log, prune: &[] };
    let b = Scribe { name: "b", log: &log, prune: &[1] };
    let outcome = Search::new(&Full { width: 2, depth: 1 }).hooks((boxed(a), boxed(b))).count();
    assert_eq!(
        log.into_inner(),
        [
            "a enters []",
            "b enters []",
            "a admits 0 at []",
            "b admits 0 at []",
            "a enters [0]",
            "b enters [0]",
            "b leaves [0]",
            "a leaves [0]",
            "a admits 1 at []",
            "b admits 1 at []",
            "a enters [1]",
            "b enters [1]",
            "a leaves [1]",
            "b leaves []",
            "a leaves []",
        ]
    );
    assert_eq!(outcome.at_least(), 1);
    let [a, b] = outcome.report().hooks() else { panic!("two hooks") };
    assert_eq!((a.calls(), a.cuts(), b.calls(), b.cuts()), (5, 0, 5, 1));
    assert_eq!((b.cuts_by_depth()[1].enter, b.cuts_by_depth()[1].admit), (1, 0));
}

#[test]
fn hooks_leave_nodes_whose_children_are_too_deep() {
    let log = RefCell::new(Vec::new());
    let scribe = Scribe { name: "a", log: &log, prune: &[] };
    let limits = Limits::new().depth(1);
    let outcome =
        Search::new(&Full { width: 2, depth: 2 }).hook(boxed(scribe)).limits(limits).count();
    assert_eq!(outcome.stop(), Stop::DepthLimit);
    let log = log.into_inner();
    let moves: Vec<_> = log.iter().filter(|line| !line.contains("admits")).collect();
    let expected = [
        "a enters []",
        "a enters [0]",
        "a leaves [0]",
        "a enters [1]",
        "a leaves [1]",
        "a leaves []",
    ];
    assert_eq!(moves, expected);
}

#[test]
fn calls_are_derived_from_nodes_and_earlier_cuts() {
    let log = RefCell::new(Vec::new());
    let odd = hook::admit("odd", Effect::Lossy, |node: &Node<'_, Full>, &choice| {
        Verdict::prune_if(node.depth() == 1 && choice == 1)
    });
    let deep = hook::enter("deep", Effect::Lossy, |node: &mut NodeMut<'_, Full>| {
        Verdict::prune_if(node.depth() == 3 && *node.path().last().unwrap() == 0)
    });
    let last = Scribe { name: "last", log: &log, prune: &[] };
    let outcome = Search::new(&BINARY).hooks((odd, deep, last)).count();
    let calls =
        |what: &str| log.borrow().iter().filter(|line| line.starts_with(what)).count() as u64;
    let report = outcome.report().hook("last").unwrap();
    let sum = |of: fn(&Cuts) -> u64| report.calls_by_depth().iter().map(of).sum::<u64>();
    assert_eq!(sum(|calls| calls.admit), calls("last admits"));
    assert_eq!(sum(|calls| calls.enter), calls("last enters"));
    assert_eq!(outcome.report().hook("odd").unwrap().cuts(), 2);
    assert_eq!(outcome.report().hook("deep").unwrap().cuts(), 2);
}

#[test]
fn calls_are_counted_only_in_the_levels_of_a_hook() {
    for levels in [0, 1, 2, 3, usize::MAX] {
        let calls = Cell::new(0);
        let near = hook::admit("near", Effect::Lossy, |_: &Node<'_, Full>, choice: &u64| {
            calls.set(calls.get() + 1);
            Verdict::prune_if(*choice == 1)
        });
        let outcome = Search::new(&BINARY).hook(boxed(Claiming::new(near).levels(levels))).count();
        let report = outcome.report().hook("near").unwrap();
        let admits: u64 = report.calls_by_depth().iter().map(|calls| calls.admit).sum();
        assert_eq!(admits, calls.get(), "{levels} levels");
    }
}

#[test]
fn counts_above_2_64_are_exact_and_above_2_128_overflow() {
    // It keeps one child of the root, and claims that its solutions represent large orbits.
    let large =
        hook::admit("large orbits", Effect::Representatives, |node: &Node<'_, Full>, choice| {
            Verdict::prune_if(node.depth() == 0 && *choice > 0)
        });
    let outcome = Search::new(&BINARY).hook(boxed(Claiming::new(large).orbit(u64::MAX))).count();
    assert_eq!(outcome.exact(), Some(16 * u128::from(u64::MAX)));
    let credit = hook::enter("credit", Effect::Preserving, |node: &mut NodeMut<'_, Full>| {
        node.credit(u128::MAX / 2);
        Verdict::Prune
    });
    assert_eq!(Search::new(&BINARY).hook(boxed(credit)).count().exact(), Some(u128::MAX / 2));
    let credit = hook::enter("credit", Effect::Preserving, |node: &mut NodeMut<'_, Full>| {
        node.credit(u128::MAX / 2);
        Verdict::Keep
    });
    let outcome = Search::new(&BINARY).hook(boxed(credit)).count();
    assert_eq!((outcome.stop(), outcome.exact()), (Stop::CountOverflow, None));
}

#[test]
fn a_frontier_is_continued_with_and_without_checking_undo() {
    let queens = Queens::new(7).unwrap().bits();
    let (plain, checked) = (|| Search::new(&queens), || Search::new(&queens).check_undo());
    let continued = plain().frontier(&mut begun(checked(), 20)).count();
    assert_eq!(continued.exact(), Some(40));
    let continued = checked().frontier(&mut begun(plain(), 20)).count();
    assert_eq!(continued.exact(), Some(40));
}

#[test]
fn improvements_on_a_frontier_begin_with_the_best_of_earlier_runs() {
    let subsets = Words::subsets(6);
    let size =
        || Objective::minimise(|_: &Words, subset: &Vec<u32>| subset.len() as i64).named("size");
    let stopped = || begun_best(Search::new(&subsets), 9, &size());
    let (mut frontier, minimum) = (stopped(), size());
    let mut improvements = Search::new(&subsets).frontier(&mut frontier).improvements(&minimum);
    assert_eq!(improvements.by_ref().collect::<Vec<_>>(), [(0, Vec::new())]);
    assert!(improvements.is_proven());

    // Other code knows a better value, so the solution of the earlier run is no improvement.
    let (mut frontier, minimum) = (stopped(), size());
    minimum.incumbent().offer(-1);
    assert_eq!(Search::new(&subsets).frontier(&mut frontier).improvements(&minimum).count(), 0);
}

#[test]
fn reports_of_parts_add_up() {
    let whole = Search::new(&BINARY).count().into_parts().1;
    let part = |kept: u64| {
        let half =
            hook::admit("half", Effect::Preserving, move |node: &Node<'_, Full>, &choice| {
                Verdict::prune_if(node.depth() == 0 && choice != kept)
            });
        Search::new(&BINARY).hook(boxed(half)).count().into_parts().1
    };
    let sum: Report = part(0) + part(1);
    assert_eq!(sum.nodes(), whole.nodes() + 1, "the root is in both");
    assert_eq!(sum.solutions(), whole.solutions());
    assert_eq!(sum.hook("half").unwrap().cuts(), 2);
    assert_eq!(sum.stop(), Stop::Exhausted);
    let cut_short = Search::new(&BINARY).limits(Limits::new().nodes(3)).count().into_parts().1;
    assert_eq!((part(0) + cut_short.clone()).stop(), Stop::NodeLimit);
    assert_eq!((cut_short + part(0)).stop(), Stop::NodeLimit);
}

#[test]
fn a_report_is_an_aligned_table() {
    let left = hook::admit("left only", Effect::Lossy, |_: &Node<'_, Full>, &choice| {
        Verdict::prune_if(choice == 1)
    });
    let report = Search::new(&Full { width: 2, depth: 2 }).hook(boxed(left)).count().into_parts().1;
    let text = report.to_string();
    let table = text.split_once("\n\n").unwrap().1;
    assert_eq!(
        table,
        "hook       effect  calls  cuts  cut: admit  cut: enter\n\
         left only   lossy      7     2      50.0 %       0.0 %\n\
         \n\
         depth  nodes  solutions  dead ends  cut by left only\n\
         0          1          0          0                 0\n\
         1          1          0          0                 1\n\
         2          1          1          0                 1\n"
    );
}

/// A problem whose `undo` does not restore `sum` after choice 2.
struct Leaky;

impl Problem for Leaky {
    type State = (usize, u32);
    type Cursor = u32;
    type Choice = u32;
    type Undo = ();

    fn root(&self) -> (usize, u32) {
        (0, 0)
    }
    fn branch(&self, state: &(usize, u32)) -> Branch<u32> {
        if state.0 == 3 { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, _: &(usize, u32), cursor: &mut u32) -> Option<u32> {
        *cursor += 1;
        (*cursor <= 2).then_some(*cursor)
    }
    fn apply(&self, state: &mut (usize, u32), choice: &u32) {
        *state = (state.0 + 1, state.1 + choice);
    }
    fn undo(&self, state: &mut (usize, u32), choice: &u32, (): ()) {
        state.0 -= 1;
        if *choice != 2 {
            state.1 -= choice;
        }
    }
}

#[test]
#[should_panic(
    expected = "undoing choice 2 at depth 2 did not restore the state: it was (2, 2) and is now"
)]
fn an_undo_that_leaks_is_found_and_its_choice_named() {
    let _ = Search::new(&Leaky).check_undo().count();
}

#[test]
#[should_panic(expected = "undoing choice 0 at depth 0 did not restore the state")]
fn a_hook_that_tightens_what_undo_does_not_revert_is_found() {
    let tighten = hook::enter("tighten", Effect::Preserving, |node: &mut NodeMut<'_, Words>| {
        if node.depth() == 1 {
            node.state_mut().push(1);
        }
        Verdict::Keep
    });
    let _ = Search::new(&Words::bits(5)).hooks((tighten,)).check_undo().count();
}

/// Subsets of two elements, whose check of choices from files was taken for a test of legality.
struct NotBoth;

impl CopyProblem for NotBoth {
    type State = [bool; 2];
    type Cursor = usize;
    type Choice = usize;

    fn root(&self) -> [bool; 2] {
        [false; 2]
    }
    fn branch(&self, _: &[bool; 2]) -> Branch<usize> {
        Branch::SolutionInner(0)
    }
    fn next(&self, _: &[bool; 2], cursor: &mut usize) -> Option<usize> {
        *cursor += 1;
        (*cursor <= 2).then_some(*cursor - 1)
    }
    fn apply(&self, mut state: [bool; 2], &element: &usize) -> [bool; 2] {
        state[element] = true;
        state
    }
    fn accepts_saved(&self, state: &[bool; 2], _: &usize) -> bool {
        *state == [false; 2]
    }
}

#[test]
#[should_panic(expected = "choice 0 at depth 1 is tried, but `accepts_saved` rejects it")]
fn a_choice_that_the_problem_would_reject_in_a_file_is_found() {
    let _ = Search::new(&NotBoth).check_undo().count();
}

/// Sums of ones and twos, whose state after a choice is stated without what came before.
struct Misstated;

impl CopyProblem for Misstated {
    type State = u32;
    type Cursor = u32;
    type Choice = u32;

    fn root(&self) -> u32 {
        0
    }
    fn branch(&self, sum: &u32) -> Branch<u32> {
        if *sum < 3 { Branch::Inner(0) } else { Branch::Solution }
    }
    fn next(&self, _: &u32, cursor: &mut u32) -> Option<u32> {
        *cursor += 1;
        (*cursor <= 2).then_some(*cursor)
    }
    fn apply(&self, sum: u32, next: &u32) -> u32 {
        sum + next
    }
    fn state_after(&self, next: &u32) -> Option<u32> {
        Some(*next)
    }
}

#[test]
#[should_panic(expected = "choice 1 at depth 1 leads to 2, but `state_after` says 1")]
fn a_stated_state_that_a_choice_does_not_lead_to_is_found() {
    let _ = Search::new(&Misstated).check_undo().count();
}

#[test]
fn searches_and_outcomes_are_send_and_sync() {
    fn is_send<T: Send>() {}
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Cancel>();
    is_send_and_sync::<Limits>();
    is_send_and_sync::<Report>();
    is_send_and_sync::<secateurs::Outcome<secateurs::Count>>();
    is_send_and_sync::<secateurs::Incumbent<u64>>();
    is_send_and_sync::<Stop>();
    is_send_and_sync::<secateurs::hook::Bound<Full, u64, fn(&Full, &u64) -> u64>>();
    is_send::<Search<'static, Full>>();
    is_send::<secateurs::search::Solutions<'static, Full>>();
    is_send_and_sync::<secateurs::search::Frontier<u64>>();
    is_send_and_sync::<secateurs::search::Subtree<u64>>();
}

#[test]
fn the_path_is_empty_at_the_root_only() {
    let tree = RandomTree::new(1, 3, 4);
    let mut seen = [0; 2];
    let watch = hook::watch("path", |node: &Node<'_, RandomTree>| {
        assert_eq!(node.path().is_empty(), node.depth() == 0);
        seen[usize::from(node.path().is_empty())] += 1;
    });
    let nodes = Search::new(&tree).hooks((watch,)).count().report().nodes();
    assert!(nodes > 1);
    assert_eq!(seen, [nodes - 1, 1]);
}

#[test]
fn a_run_is_complete_unless_a_limit_stopped_it() {
    let queens = Queens::new(6).expect("a size").bits();
    assert_eq!(Search::new(&queens).count().complete().map(|outcome| outcome.exact()), Ok(Some(4)));
    assert!(Search::new(&queens).first().complete().is_ok());
    let stopped = Search::new(&queens).limits(Limits::new().nodes(3)).count().complete();
    assert_eq!(stopped.map_err(|incomplete| incomplete.stop()).err(), Some(Stop::NodeLimit));
}

#[test]
fn an_optional_hook_claims_what_the_hook_within_claims() {
    /// A hook whose answers are not those of a default.
    struct Stated {
        incumbent: Incumbent<u64>,
        bytes: Cell<usize>,
    }
    impl Hook<RandomTree> for Stated {
        fn name(&self) -> &str {
            "stated"
        }
        fn effect(&self) -> Effect {
            Effect::Representatives
        }
        fn parameters(&self) -> Option<Digest> {
            Some(Digest::of(&5))
        }
        fn substitute(&self) -> Substitute {
            Substitute::Below
        }
        fn tolerates(&self, other: Effect, substitute: Substitute) -> bool {
            other != Effect::OptimumOnly || substitute == Substitute::Sibling
        }
        fn incumbent(&self) -> Option<IncumbentId> {
            Some(self.incumbent.id())
        }
        fn memory(&self) -> HookMemory {
            HookMemory::Visited
        }
        fn limit_memory(&self, bytes: usize) {
            self.bytes.set(bytes);
        }
        fn admit_levels(&self) -> usize {
            3
        }
        fn orbit(&self, _: &Node<'_, RandomTree>) -> Option<u64> {
            Some(7)
        }
        fn stats(&self) -> Vec<(String, u64)> {
            vec![("calls".to_owned(), 9)]
        }
    }
    fn claims(hook: &dyn Hook<RandomTree>) -> impl PartialEq + std::fmt::Debug + use<> {
        let effects = [Effect::Preserving, Effect::Representatives, Effect::OptimumOnly];
        let tolerated = [Substitute::Sibling, Substitute::Below]
            .map(|substitute| effects.map(|effect| hook.tolerates(effect, substitute)));
        (
            (hook.name().to_owned(), hook.effect(), hook.parameters(), hook.substitute()),
            (tolerated, hook.incumbent(), hook.memory()),
            (hook.admit_levels(), hook.stats()),
        )
    }
    let incumbent = Incumbent::new(Direction::Maximise);
    let stated = || Stated { incumbent: incumbent.clone(), bytes: Cell::new(0) };
    let optional = Some(stated());
    assert_eq!(claims(&optional), claims(&stated()));
    assert_eq!(claims(&&mut stated()), claims(&stated()));
    Hook::<RandomTree>::limit_memory(&optional, 1234);
    assert_eq!(optional.as_ref().map(|stated| stated.bytes.get()), Some(1234));
    // Each solution stands for an orbit of seven.
    let tree = RandomTree::new(1, 3, 4);
    let solutions = Search::new(&tree).count().at_least();
    assert_eq!(Search::new(&tree).hooks((optional,)).count().exact(), Some(7 * solutions));
    // The place of an absent hook claims nothing.
    let absent: Option<Stated> = None;
    assert_eq!(Search::new(&tree).hooks((absent, stated())).count().exact(), Some(7 * solutions));
}

#[test]
fn a_search_for_a_unique_solution_ends_at_the_second_one() {
    let below = |n: u32| {
        Successors::new(
            0_u32,
            |&state| state > 0,
            move |state| {
                let children = if state == 0 { n } else { 0 };
                1..children + 1
            },
        )
    };
    use Uniqueness::{None, One, Several, Unknown};
    let of = |n| *Search::new(&below(n)).is_unique().value();
    assert_eq!([0, 1, 2, 1000].map(of), [None, One, Several, Several]);
    let nodes = Cell::new(0);
    let tree = below(1000);
    let search = || Search::new(&tree).watch("nodes", |_| nodes.set(nodes.get() + 1));
    let outcome = search().is_unique();
    assert_eq!(
        (outcome.is_unique(), outcome.stop(), nodes.get()),
        (Some(false), Stop::Satisfied, 3)
    );
    assert_eq!(*Search::new(&tree).threads(2).is_unique().value(), Several);
    // One solution may be seen, and no more, before the limits end the run.
    for (limits, stop) in [
        (Limits::new().solutions(1), Stop::SolutionLimit),
        (Limits::new().nodes(2), Stop::NodeLimit),
    ] {
        let outcome = search().limits(limits).is_unique();
        assert_eq!(
            (outcome.value(), outcome.is_unique(), outcome.stop()),
            (&Unknown, Option::None, stop)
        );
    }
    let some = |effect, most| {
        let search =
            search().admit("some", effect, move |_, &child| Verdict::prune_if(child > most));
        *search.is_unique().value()
    };
    assert_eq!([some(Effect::Lossy, 1), some(Effect::Lossy, 2)], [Unknown, Several]);
    // A representative may stand for several, but without one there is none.
    assert_eq!(some(Effect::Representatives, 1), Unknown);
    assert_eq!(some(Effect::Representatives, 0), None);
    assert_eq!(some(Effect::Lossy, 0), Unknown);
}

#[test]
fn a_report_names_the_incumbent_that_a_run_began_with() {
    let tree = RandomTree::new(3, 4, 5);
    let value = || Objective::maximise_for(&tree, |_, state| state.len());
    let fresh = value();
    let outcome = Search::new(&tree).best(&fresh);
    assert_eq!(outcome.report().first_incumbent(), None);
    let first = outcome.report().clone();
    let known = format!("{:?}", fresh.incumbent().get().expect("a solution"));
    let line = format!("\nbegan with the incumbent {known}\n");
    let threads = Search::new(&tree).threads(2).best(&fresh);
    for outcome in [Search::new(&tree).best(&fresh), threads] {
        assert_eq!(outcome.report().first_incumbent(), Some(&*known));
        assert!(outcome.report().summary().to_string().contains(&line), "{}", outcome.report());
        let sum = first.clone() + outcome.report().clone();
        assert_eq!(sum.first_incumbent(), None);
    }
    assert!(!first.to_string().contains("began with"));
}
