//! Limited discrepancy search against trees that are walked by hand.

use proptest::prelude::*;
use secateurs::brancher::Shuffled;
use secateurs::hook::{Discrepancies, Memo};
use secateurs::search::{IterativeDeepening, LimitedDiscrepancy};
use secateurs::{Effect, Found, Hook, Limits, Objective, Search, Stop, Verdict, hook};
use secateurs_problems::queens::Queens;

use crate::support::trees::{RandomTree, trees_of};

const NAME: &str = "discrepancies";

/// Returns whether [`on_admission`] prunes this child.
fn is_pruned_on_admission(child: u32) -> bool {
    child % 7 == 3
}

/// Returns whether [`on_entering`] prunes this child.
fn is_pruned_on_entering(child: u32) -> bool {
    child % 5 == 2
}

/// Returns every leaf that the two hooks keep, with the discrepancies of its path: one for each
/// child that is not the first kept one.
fn leaves(tree: &RandomTree) -> Vec<(Vec<u32>, usize)> {
    fn walk(
        tree: &RandomTree,
        path: &mut Vec<u32>,
        discrepancies: usize,
        leaves: &mut Vec<(Vec<u32>, usize)>,
    ) {
        let children = tree.children(path);
        if tree.is_solution(path) {
            leaves.push((path.clone(), discrepancies));
        }
        let mut is_first = true;
        for child in (0..children)
            .filter(|&child| !is_pruned_on_admission(child) && !is_pruned_on_entering(child))
        {
            path.push(child);
            walk(tree, path, discrepancies + usize::from(!is_first), leaves);
            path.pop();
            is_first = false;
        }
    }
    let mut leaves = Vec::new();
    walk(tree, &mut Vec::new(), 0, &mut leaves);
    leaves
}

fn on_admission() -> impl Hook<RandomTree> {
    hook::admit("on admission", Effect::Preserving, |_, &child| {
        Verdict::prune_if(is_pruned_on_admission(child))
    })
}

fn on_entering() -> impl Hook<RandomTree> {
    hook::enter("on entering", Effect::Preserving, |node| {
        Verdict::prune_if(node.path().last().is_some_and(|&child| is_pruned_on_entering(child)))
    })
}

proptest! {
    #[test]
    fn exactly_the_paths_of_few_discrepancies_are_left(tree in trees_of(1..9, 0..5)) {
        let all = leaves(&tree);
        for k in 0..=5 {
            let expected: Vec<&Vec<u32>> =
                all.iter().filter(|leaf| leaf.1 <= k).map(|leaf| &leaf.0).collect();
            let search = || {
                let hooks = (on_admission(), on_entering(), Discrepancies::at_most(k));
                Search::new(&tree).hooks(hooks)
            };
            let mut solutions = search().solutions();
            let found: Vec<Vec<u32>> = solutions.by_ref().collect();
            prop_assert!(found.iter().eq(expected.iter().copied()), "k = {}: {:?}", k, found);
            let report = solutions.report();
            prop_assert_eq!(report.effect(), Effect::Lossy);
            // If the hook pruned nothing, no leaf has more discrepancies.
            if report.hook(NAME).map(|hook| hook.cuts()) == Some(0) {
                prop_assert!(all.iter().all(|leaf| leaf.1 <= k));
            }
            // Replays do not call `admit`. All required solutions are found; others may be found
            // too, which the report declares.
            let mut solutions = search().breadth_first().solutions();
            let found: Vec<Vec<u32>> = solutions.by_ref().collect();
            let has_all = expected.iter().all(|leaf| found.contains(leaf));
            prop_assert!(has_all, "k = {}: {:?}", k, found);
            prop_assert_eq!(solutions.report().effect(), Effect::Lossy);
        }
    }

    #[test]
    fn the_first_solution_is_one_of_fewest_discrepancies(tree in trees_of(1..9, 0..5)) {
        let fewest = leaves(&tree).into_iter().min_by_key(|leaf| leaf.1);
        for driver in [LimitedDiscrepancy::new(), LimitedDiscrepancy::new().doubling()] {
            let outcome =
                driver.first(|within| {
                    Search::new(&tree).hooks((on_admission(), on_entering(), within))
                });
            match &fewest {
                None => prop_assert!(outcome.is_proven_none()),
                Some((leaf, _)) => prop_assert_eq!(outcome.exists(), Some(true), "{:?}", leaf),
            }
        }
        let outcome = LimitedDiscrepancy::new()
            .first(|within| Search::new(&tree).hooks((on_admission(), on_entering(), within)));
        prop_assert_eq!(outcome.solution(), fewest.as_ref().map(|leaf| &leaf.0));
    }
}

#[test]
fn a_hook_of_an_earlier_run_resets_itself() {
    let queens = Queens::new(6).expect("a small board").bits();
    let alone = |k| Search::new(&queens).hooks((Discrepancies::at_most(k),)).count().at_least();
    let mut lent = Discrepancies::at_most(3);
    for nodes in 0..100 {
        // A run that is interrupted, and then a complete one.
        let _ = Search::new(&queens).hooks((&mut lent,)).limits(Limits::new().nodes(nodes)).count();
        assert_eq!(Search::new(&queens).hooks((&mut lent,)).count().at_least(), alone(3));
    }
}

#[test]
fn other_lossy_hooks_keep_the_outcome_lossy() {
    let queens = Queens::new(6).expect("a small board").bits();
    let nowhere = || hook::admit("nowhere", Effect::Lossy, |_, _: &u64| Verdict::Prune);
    let outcome =
        LimitedDiscrepancy::new().first(|within| Search::new(&queens).hooks((nowhere(), within)));
    assert_eq!(outcome.value(), &Found::Unknown);
    assert_eq!((outcome.stop(), outcome.effect()), (Stop::Exhausted, Effect::Lossy));
    // A hook of the same name does not make the search repeat forever.
    let namesake = || hook::admit(NAME, Effect::Lossy, |_, _: &u64| Verdict::Prune);
    let outcome =
        LimitedDiscrepancy::new().first(|within| Search::new(&queens).hooks((namesake(), within)));
    assert_eq!(outcome.value(), &Found::Unknown);
    // A hook of the same name that pruned nothing does not end the search: 0, 1, 2 discrepancies
    // are too few for eight queens.
    let queens = Queens::new(8).expect("a small board").bits();
    let wide = || Discrepancies::at_most(100);
    for is_first in [false, true] {
        let outcome = LimitedDiscrepancy::new().first(|within| {
            let [one, other] = if is_first { [within, wide()] } else { [wide(), within] };
            Search::new(&queens).hooks((one, other))
        });
        assert_eq!(outcome.exists(), Some(true));
    }
    // Without the hook, the first run is complete.
    let outcome = LimitedDiscrepancy::new().first(|_| Search::new(&queens));
    assert_eq!(outcome.exists(), Some(true));
}

#[test]
fn limits_cover_all_runs_together() {
    let queens = Queens::new(3).expect("a small board").bits();
    let run = |limits| {
        LimitedDiscrepancy::new()
            .limits(limits)
            .first(|within| Search::new(&queens).hooks((Some(within),)))
    };
    let whole = run(Limits::new());
    assert!(whole.is_proven_none());
    assert_eq!((whole.stop(), whole.effect()), (Stop::Exhausted, Effect::Preserving));
    let all = whole.report().nodes();
    assert!(all > Search::new(&queens).first().report().nodes(), "several runs");
    for nodes in 0..all + 2 {
        let outcome = run(Limits::new().nodes(nodes));
        assert_eq!(outcome.report().nodes(), nodes.min(all));
        assert_eq!(outcome.is_proven_none(), nodes >= all, "{nodes} of {all}");
        assert_eq!(outcome.stop(), if nodes < all { Stop::NodeLimit } else { Stop::Exhausted });
    }
    let outcome = run(Limits::new().depth(1));
    assert_eq!((outcome.value(), outcome.stop()), (&Found::Unknown, Stop::DepthLimit));
    let cancel = secateurs::Cancel::new();
    cancel.cancel();
    assert_eq!(run(Limits::new().cancel(&cancel)).stop(), Stop::Cancelled);
}

#[test]
fn few_discrepancies_from_a_random_order_solve_thirty_queens() {
    // Depth-first order, row by row from the left, takes 56 million nodes.
    let queens = Queens::new(30).expect("a board of one word").bits();
    let nodes = |seed| {
        let search = |within| Search::new(&queens).brancher(Shuffled::new(seed)).hooks((within,));
        let outcome = LimitedDiscrepancy::new().limits(Limits::new().nodes(200_000)).first(search);
        outcome.solution().map(|_| outcome.report().nodes())
    };
    assert!((0..5).filter_map(nodes).count() >= 3);
}

#[test]
fn progress_callbacks_do_not_change_the_search() {
    let queens = Queens::new(9).expect("a size").bits();
    let search = || Search::new(&queens).hooks((Discrepancies::at_most(4),));
    let watched = search().progress(std::time::Duration::ZERO, |_| {}).fraction().count();
    assert_eq!(watched.report().levels(), search().count().report().levels());
    assert_eq!(search().threads(2).count().report().nondeterministic_parts(), ["discrepancies"]);
}

#[test]
fn runs_that_repeat_each_other_are_not_a_search_in_parts() {
    let queens = Queens::new(6).expect("a size").bits();
    let within = LimitedDiscrepancy::new().first(|within| Search::new(&queens).hooks((within,)));
    let memo = || Memo::failed("memo", |_: &_, state: &_| *state);
    let deepening = IterativeDeepening::new().first(|| Search::new(&queens).hook(memo()));
    for report in [within.report(), deepening.report()] {
        assert!(report.nondeterministic_parts().is_empty(), "{report}");
    }
}

#[test]
fn an_undeclared_read_weakens_the_last_run_as_it_does_without_discrepancies() {
    let queens = Queens::new(3).expect("a size").bits();
    let value = Objective::maximise_for(&queens, |_, _| 0_i64);
    value.incumbent().offer(1);
    let reads = || {
        let mut incumbent = value.incumbent().clone();
        hook::enter("reads", Effect::Preserving, move |_| {
            let _ = incumbent.latest();
            Verdict::Keep
        })
    };
    let plain = Search::new(&queens).hook(reads()).first();
    let within =
        LimitedDiscrepancy::new().first(|within| Search::new(&queens).hook(reads()).hook(within));
    assert_eq!([plain.effect(), within.effect()], [Effect::OptimumOnly; 2]);
}
