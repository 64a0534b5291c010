//! Cuts of all later siblings, in every strategy, against a recursion that breaks out of its loop.

use proptest::prelude::*;
use secateurs::hook::{BoxedHook, HookMemory};
use secateurs::search::{Frontier, IterativeDeepening, LimitedDiscrepancy};
use secateurs::{
    Effect, Hook, Limits, Node, NodeMut, Objective, Problem, Report, Search, Successors, Verdict,
    hook,
};
use secateurs_lab::{Audit, Loss};

use crate::shared::claiming::Claiming;
use crate::shared::frontiers::{in_parts, written_and_read};
use crate::support::trees::{RandomTree, tree_stats, trees_of};

/// Returns the first child of a node that is cut off; all later ones are cut off with it.
fn end(path: &[u32]) -> u32 {
    (7 * path.len() as u32 + 3 * path.iter().sum::<u32>()) % 5
}

/// Returns the hook that cuts off the children from [`end`] on, down to some level.
fn cut_from_end(levels: usize) -> impl Hook<RandomTree> + Clone + Send {
    let admit = move |node: &Node<'_, RandomTree>, &choice: &u32| {
        assert!(node.depth() < levels);
        Verdict::prune_siblings_if(choice >= end(node.state()))
    };
    let admit = hook::admit("end", Effect::Lossy, admit).memory(HookMemory::Path);
    Claiming::new(admit.parameters(&levels)).levels(levels)
}

/// The counts of a recursion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Of each level, the nodes, the solutions and the dead ends.
    levels: Vec<[u64; 3]>,
    cuts: u64,
}

impl Counts {
    fn of(tree: &RandomTree, levels: usize) -> Self {
        let mut counts = Counts::default();
        counts.walk(tree, levels, &mut Vec::new());
        counts
    }

    fn walk(&mut self, tree: &RandomTree, levels: usize, path: &mut Vec<u32>) {
        let depth = path.len();
        self.levels.resize(self.levels.len().max(depth + 1), [0; 3]);
        let mut kept = false;
        for child in 0..tree.children(path) {
            if path.len() < levels && child >= end(path) {
                self.cuts += 1;
                break;
            }
            kept = true;
            path.push(child);
            self.walk(tree, levels, path);
            path.pop();
        }
        let is_solution = tree.is_solution(path);
        let [nodes, solutions, dead_ends] = &mut self.levels[depth];
        *nodes += 1;
        *solutions += u64::from(is_solution);
        *dead_ends += u64::from(!kept && !is_solution);
    }

    fn reported(report: &Report) -> Self {
        let hook = report.hook("end").expect("it is there");
        assert_eq!(hook.cuts(), hook.sibling_cuts());
        Counts { cuts: hook.cuts(), ..Counts::in_parts(report) }
    }

    /// Returns the counts of a divided search, where siblings may be cut off one list at a time.
    fn in_parts(report: &Report) -> Self {
        let levels = report.levels().iter();
        let levels = levels.map(|level| [level.nodes, level.solutions, level.dead_ends]);
        Counts { levels: levels.collect(), cuts: 0 }
    }
}

proptest! {
    #[test]
    fn a_cut_of_siblings_ends_the_loop_in_every_strategy(
        tree in trees_of(1..6, 0..6),
        levels in prop::sample::select(vec![0, 1, 2, usize::MAX]),
        pause in 1..30u64,
    ) {
        let expected = Counts::of(&tree, levels);
        let end = || cut_from_end(levels);
        let search = || Search::new(&tree).hooks((end(),));
        let whole = search().count();
        prop_assert_eq!(&Counts::reported(whole.report()), &expected);

        // Other forms of the hook, with and without others beside it.
        let all = || hook::watch("all", |_: &Node<'_, RandomTree>| {});
        let boxed: Vec<BoxedHook<'_, RandomTree>> = vec![Box::new(all())];
        let boxed_end: BoxedHook<'_, RandomTree> = Box::new(end());
        let mut lent = end();
        for report in [
            Search::new(&tree).hooks(boxed).hook(boxed_end).count().into_parts().1,
            Search::new(&tree).hooks((Some(end()), all())).count().into_parts().1,
            Search::new(&tree).hooks((all(), &mut lent)).count().into_parts().1,
            Search::new(&tree).hooks(vec![Some(end()), None]).count().into_parts().1,
        ] {
            prop_assert_eq!(Counts::reported(&report), Counts::of(&tree, levels));
        }

        // Other orders.
        let objective = Objective::maximise(|_: &RandomTree, path: &Vec<u32>| path.len());
        // A count prunes nothing, even with an incumbent.
        objective.incumbent().offer(usize::MAX);
        for open in [usize::MAX, 3, 0] {
            let best = search().best_first(&objective, |_, path: &Vec<u32>| path.len());
            let best = best.open_nodes(open).count();
            prop_assert_eq!(&Counts::reported(best.report()), &expected);
        }
        prop_assert_eq!(&Counts::reported(search().breadth_first().count().report()), &expected);
        // A beam as wide as the widest level drops nothing.
        let widest = whole.report().levels().iter().map(|level| level.nodes).max().unwrap_or(0);
        for width in [widest as usize, usize::MAX] {
            let beam = search().beam(width, |_, _: &Vec<u32>| 0).count();
            prop_assert_eq!(&Counts::reported(beam.report()), &expected);
        }
        let shallowest = search().breadth_first().first();
        let deepening = IterativeDeepening::new().first(search);
        prop_assert_eq!(deepening.solution(), shallowest.solution());
        let limited = LimitedDiscrepancy::new().first(|within| search().hook(within));
        prop_assert_eq!(limited.solution().is_some(), expected.levels.iter().any(|of| of[1] > 0));

        // In instalments, with the frontier written to memory and read back between them.
        let mut frontier = Frontier::new();
        let resumed = loop {
            let limits = Limits::new().nodes(pause);
            let outcome = search().limits(limits).frontier(&mut frontier).count();
            if outcome.stop().is_exhausted() {
                break outcome;
            }
            frontier = written_and_read(&frontier);
        };
        prop_assert_eq!(&Counts::reported(resumed.report()), &expected);
        prop_assert_eq!(tree_stats(resumed.report()), tree_stats(whole.report()));

        // Each part admits its own siblings of a divided node, so more cuts are possible.
        let mut merged = in_parts(search().split(Frontier::new(), 3), |part| {
            search().frontier(part).count().stop()
        });
        let divided = search().frontier(&mut merged).count();
        let together = search().threads(2).count();
        for report in [divided.report(), together.report()] {
            prop_assert_eq!(Counts::in_parts(report), Counts { cuts: 0, ..expected.clone() });
            let cuts = report.hook("end").map_or(0, |hook| hook.sibling_cuts());
            prop_assert!(cuts >= expected.cuts);
        }
    }
}

#[test]
fn pruning_siblings_on_entering_prunes_the_node_only() {
    let tree = RandomTree::new(4, 4, 5);
    let decide = |verdict: Verdict| {
        move |node: &mut NodeMut<'_, RandomTree>| match node.state().last() {
            Some(1) => verdict,
            _ => Verdict::Keep,
        }
    };
    let [alone, siblings] = [Verdict::Prune, Verdict::PruneSiblings].map(|verdict| {
        let ones = hook::enter("ones", Effect::Lossy, decide(verdict));
        Search::new(&tree).hooks((ones,)).count().into_parts().1
    });
    assert!(alone.hooks()[0].cuts() > 0);
    assert_eq!(tree_stats(&alone), tree_stats(&siblings));
    assert_eq!(siblings.hooks()[0].sibling_cuts(), 0);
}

/// Returns the problem of one number from each row: the number of rows passed, and the sum, which
/// is to be as small as possible.
fn sums(rows: &[Vec<u32>]) -> impl Problem<State = (usize, u32), Choice = (usize, u32)> {
    let successors =
        |(row, sum): (usize, u32)| rows[row].iter().map(move |number| (row + 1, sum + number));
    Successors::new((0, 0), |&(row, _)| row == rows.len(), successors)
}

#[test]
fn a_report_says_that_a_division_may_search_siblings_that_were_cut_off() {
    let rows = vec![vec![1, 2, 3, 4]; 3];
    let sums = sums(&rows);
    // Knows nothing of 3 and 4 if it is asked about them.
    let search = || {
        Search::new(&sums).admit("from 2 on", Effect::Lossy, |node, (_, sum)| {
            Verdict::prune_siblings_if(*sum == node.state().1 + 2)
        })
    };
    let whole = search().count();
    assert_eq!(whole.report().nodes(), 4);
    let mut merged =
        in_parts(search().split(Frontier::new(), 3), |part| search().frontier(part).count().stop());
    let divided = search().frontier(&mut merged).count();
    assert!(divided.report().nodes() > 4);
    assert_eq!(divided.report().nondeterministic_parts(), ["from 2 on"]);
    assert!(whole.report().nondeterministic_parts().is_empty());
}

#[test]
fn an_ordered_bound_in_another_order_is_found_by_an_audit() {
    let audited = |rows: &[Vec<u32>]| {
        let sums = sums(rows);
        let sum = Objective::minimise_for(&sums, |_, &(_, sum)| sum);
        let bound = sum.ordered_bound("sum", |_, _, &(_, sum)| sum);
        Audit::of_best(&sums, &sum).hook(bound).run()
    };
    let coverage = audited(&[vec![1, 2, 4], vec![0, 3], vec![2, 2, 5]]).expect("a right order");
    assert!(coverage.is_exhaustive() && coverage.cuts.checked >= 5, "{coverage}");
    // The second child is cut off, and with it the third one, which is better.
    let violation = audited(&[vec![2], vec![1, 5, 0]]).expect_err("a wrong order");
    assert_eq!((violation.hook(), violation.path()), ("sum", "[(1, 2), (2, 2)]"));
    assert!(matches!(violation.loss(), Loss::Optimum { .. }));
}
