//! Searches that advance step by step, against runs without steps.

use std::ops::ControlFlow;

use proptest::prelude::*;
use secateurs::hook::Memo;
use secateurs::search::{Choices, Strategy};
use secateurs::{Hooks, Limits, Objective, ProblemOrder, Search, Stop, Verdict};

use crate::support::trees::{RandomTree, tree_stats};

/// Returns the length of a path as the value of a solution.
#[allow(clippy::ptr_arg, reason = "the state type is a vector")]
fn length(_: &RandomTree, path: &Vec<u32>) -> usize {
    path.len()
}

/// Compares a count in steps of so many nodes with one without steps.
fn check_count<H, S>(
    search: impl Fn() -> Search<'static, RandomTree, ProblemOrder, H, Choices, S>,
    step: u64,
) -> Result<(), TestCaseError>
where
    H: Hooks<RandomTree>,
    S: Strategy<RandomTree, ProblemOrder, H>,
{
    let whole = search().count();
    let mut visited = Vec::new();
    let mut solutions = search().solutions();
    let (mut steps, mut nodes) = (0, 0);
    loop {
        let stop = solutions.advance(step, |path| {
            visited.push(path);
            ControlFlow::Continue(())
        });
        let report = solutions.report();
        if stop != Stop::NodeLimit {
            prop_assert_eq!(stop, whole.stop());
            break;
        }
        steps += 1;
        nodes += step;
        prop_assert_eq!(report.nodes(), nodes);
        prop_assert_eq!(solutions.counted().exact(), None);
    }
    prop_assert!(whole.report().nodes() <= (steps + 1) * step);
    prop_assert_eq!(tree_stats(&solutions.report()), tree_stats(whole.report()));
    prop_assert_eq!(visited.len() as u64, whole.report().solutions());
    let counted = solutions.counted();
    prop_assert_eq!(counted.exact(), whole.exact());
    prop_assert_eq!(counted.effect(), whole.effect());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn steps_change_neither_the_answer_nor_the_report(seed: u64, step in 1..40_u64) {
        let tree: &'static RandomTree = Box::leak(Box::new(RandomTree::new(seed, 4, 5)));
        // The key joins subtrees that differ, in both runs alike: only what is remembered matters.
        let memo = move || Memo::counted("memo", move |_: &RandomTree, path: &Vec<u32>| {
            (path.len(), path.iter().sum::<u32>())
        });
        check_count(|| Search::new(tree), step)?;
        check_count(|| Search::new(tree).breadth_first(), step)?;
        check_count(|| Search::new(tree).hook(memo()), step)?;

        let best = Objective::maximise(length);
        let whole = Search::new(tree).best(&best);
        for by_bound in [false, true] {
            let objective = Objective::maximise(length);
            let mut last = None;
            let improve = |(value, _)| {
                last = Some(value);
                ControlFlow::Continue(())
            };
            let (stop, is_proven) = if by_bound {
                let search = Search::new(tree).best_first(&objective, |_, _| usize::MAX);
                advance_to_the_end(search.improvements(&objective), step, improve)
            } else {
                advance_to_the_end(Search::new(tree).improvements(&objective), step, improve)
            };
            prop_assert_eq!((stop, is_proven), (Stop::Exhausted, true));
            prop_assert_eq!(last.as_ref(), whole.proven());
        }
    }

    #[test]
    fn a_visitor_that_breaks_off_pauses_a_step(seed: u64) {
        let tree = RandomTree::new(seed, 4, 5);
        let all: Vec<_> = Search::new(&tree).solutions().collect();
        let mut solutions = Search::new(&tree).limits(Limits::new().nodes(3)).solutions();
        let mut one_by_one = Vec::new();
        while solutions.advance(u64::MAX, |path| {
            one_by_one.push(path);
            ControlFlow::Break(())
        }) == Stop::Paused {}
        prop_assert_eq!(solutions.stop(), Stop::Exhausted);
        prop_assert_eq!(one_by_one, all);
    }
}

/// Advances until the run ends. Returns its stop, and whether it proves the optimum.
fn advance_to_the_end<B, H, S, F>(
    mut search: secateurs::search::Improvements<'_, '_, RandomTree, B, H, Choices, S, usize, F>,
    step: u64,
    mut improve: impl FnMut((usize, Vec<u32>)) -> ControlFlow<()>,
) -> (Stop, bool)
where
    B: secateurs::Brancher<RandomTree>,
    H: Hooks<RandomTree>,
    S: Strategy<RandomTree, B, H>,
    F: Fn(&RandomTree, &Vec<u32>) -> usize,
{
    while search.advance(step, &mut improve) == Stop::NodeLimit {}
    (search.stop(), search.is_proven())
}

#[test]
fn a_step_of_no_nodes_visits_none() {
    let tree = RandomTree::new(1, 4, 5);
    let mut solutions = Search::new(&tree)
        .admit("all", secateurs::Effect::Preserving, |_, _| Verdict::Keep)
        .solutions();
    let stop = solutions.advance(0, |_| ControlFlow::Continue(()));
    assert_eq!((stop, solutions.report().nodes()), (Stop::NodeLimit, 0));
}

#[test]
fn other_limits_end_a_search_for_good() {
    let tree = RandomTree::new(1, 4, 5);
    let mut solutions = Search::new(&tree).limits(Limits::new().solutions(2)).solutions();
    for _ in 0..2 {
        let stop = solutions.advance(1_000, |_| ControlFlow::Continue(()));
        assert_eq!((stop, solutions.report().solutions()), (Stop::SolutionLimit, 2));
    }
}
