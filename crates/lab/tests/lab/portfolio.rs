//! Portfolios: the answers are those of each strategy alone, and the fastest strategy is chosen.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::brancher::Shuffled;
use secateurs::hook::Hooks;
use secateurs::{
    Branch, Brancher, Cancel, CopyProblem, Count, Effect, Limits, Objective, Optimum, Problem,
    Search, Stop, Verdict, hook,
};
use secateurs_lab::{Portfolio, PortfolioCost, PortfolioOutcome};
use secateurs_problems::queens::Queens;

use crate::support::trees::{RandomTree, trees_of};

/// Returns whether a node has a solution at or below it.
fn is_fertile(tree: &RandomTree, path: &mut Vec<u32>) -> bool {
    tree.is_solution(path)
        || (0..tree.children(path)).any(|child| {
            path.push(child);
            let fertile = is_fertile(tree, path);
            path.pop();
            fertile
        })
}

/// A hook that prunes what has no solution.
fn barren(tree: &RandomTree) -> impl secateurs::Hook<RandomTree> {
    hook::enter("barren", Effect::Preserving, |node| {
        Verdict::prune_if(!is_fertile(tree, &mut node.path().to_vec()))
    })
}

fn value(path: &[u32]) -> u64 {
    path.iter().fold(7_u64, |sum, &step| (sum.wrapping_mul(31) ^ u64::from(step)) % 1_009)
}

/// A set of strategies: a bit for each.
fn strategies(set: u32) -> BTreeSet<u32> {
    (0..4).filter(|strategy| set >> strategy & 1 == 1).collect()
}

/// Adds a strategy that counts.
fn with<'a, P, B, H>(
    portfolio: Portfolio<'a, Count>,
    name: &str,
    search: impl Fn() -> Search<'a, P, B, H> + 'a,
) -> Portfolio<'a, Count>
where
    P: Problem<Choice: Clone> + 'a,
    B: Brancher<P> + 'a,
    H: Hooks<P> + 'a,
{
    portfolio.strategy(name, search, |search| search.count())
}

fn counting(tree: &RandomTree, set: u32) -> Portfolio<'_, Count> {
    strategies(set).into_iter().fold(Portfolio::new(), |portfolio, strategy| match strategy {
        0 => with(portfolio, "plain", || Search::new(tree)),
        1 => with(portfolio, "pruned", || Search::new(tree).hook(barren(tree))),
        2 => with(portfolio, "shuffled", || Search::new(tree).brancher(Shuffled::new(3))),
        _ => with(portfolio, "lossy", || {
            let cut = hook::admit("cut", Effect::Lossy, |_, &child| Verdict::prune_if(child > 0));
            Search::new(tree).hook(cut)
        }),
    })
}

proptest! {
    #[test]
    fn counts_are_exact_or_lower_bounds(
        seed in any::<u64>(),
        set in 1_u32..16,
        nodes in prop_oneof![Just(u64::MAX), 0_u64..5_000],
    ) {
        let tree = RandomTree::new(seed, 5, 7);
        let plain = Search::new(&tree).count();
        let raced = counting(&tree, set)
            .cost(PortfolioCost::Nodes)
            .seed(seed)
            .limits(Limits::new().nodes(nodes))
            .run();
        let outcome = raced.outcome();
        prop_assert!(outcome.at_least() <= plain.at_least());
        let parts = raced.entries().iter();
        let visited: u64 = parts.map(|entry| entry.nodes() + entry.sampled()).sum();
        prop_assert!(visited <= nodes, "{visited} > {nodes}");
        match raced.winner() {
            None => prop_assert_eq!((outcome.exact(), outcome.stop()), (None, Stop::NodeLimit)),
            Some("lossy") => prop_assert_eq!(outcome.effect(), Effect::Lossy),
            Some(name) => {
                prop_assert_eq!(outcome.exact(), plain.exact());
                if name == "plain" {
                    prop_assert_eq!(outcome.report().nodes(), plain.report().nodes());
                }
            }
        }
        prop_assert!(nodes < u64::MAX || raced.winner().is_some());
        prop_assert_eq!(raced.regret().is_some(), raced.winner().is_some());
    }

    #[test]
    fn optima_are_proven_with_a_solution_of_any_strategy(
        seed in any::<u64>(),
        nodes in prop_oneof![Just(u64::MAX), 0_u64..2_000],
    ) {
        let tree = RandomTree::new(seed, 4, 5);
        let best = Search::new(&tree).solutions().map(|path| value(&path)).max();
        let objective = Objective::maximise(|_: &RandomTree, path: &Vec<u32>| value(path));
        let below = |tree: &RandomTree, path: &Vec<u32>| {
            Search::new(tree)
                .solutions()
                .filter(|solution| solution.starts_with(path))
                .map(|path| value(&path))
                .max()
                .unwrap_or(0)
        };
        let levels = |tree: &RandomTree, path: &Vec<u32>| {
            if path.len() < 2 { below(tree, path) } else { 1_009 }
        };
        let raced: PortfolioOutcome<Optimum<u64, Vec<u32>>> = Portfolio::new()
            .cost(PortfolioCost::Nodes)
            .limits(Limits::new().nodes(nodes))
            .strategy("plain", || Search::new(&tree), |search| search.best(&objective))
            .strategy(
                "bound",
                || Search::new(&tree).hook(objective.bound("levels", levels)),
                |search| search.best(&objective),
            )
            .strategy(
                "shuffled",
                || Search::new(&tree).brancher(Shuffled::new(seed)),
                |search| search.best(&objective),
            )
            .run();
        let outcome = raced.outcome();
        if raced.winner().is_some() {
            prop_assert_eq!(outcome.proven().copied(), best);
            prop_assert_eq!(outcome.is_proven_infeasible(), best.is_none());
        } else {
            prop_assert!(outcome.none_better().is_none() && !outcome.is_proven_infeasible());
        }
        prop_assert!(outcome.best_so_far().copied() <= best);
        prop_assert_eq!(outcome.solution().map(|path| value(path)), outcome.best_so_far().copied());
    }

    #[test]
    fn first_solutions_are_found_or_proven_not_to_exist(tree in trees_of(1..4, 0..5)) {
        let raced = Portfolio::new()
            .cost(PortfolioCost::Nodes)
            .strategy("plain", || Search::new(&tree), |search| search.first())
            .strategy("pruned", || Search::new(&tree).hook(barren(&tree)), |search| search.first())
            .run();
        let outcome = raced.outcome();
        let exists = Search::new(&tree).exists().exists();
        let expected = (exists, exists == Some(false));
        prop_assert_eq!((outcome.exists(), outcome.is_proven_none()), expected);
        prop_assert!(outcome.solution().is_none_or(|path| tree.is_solution(path)));
    }
}

/// A tree whose root has a small and then a large complete binary subtree. Its only solution is the
/// last leaf.
struct Skewed {
    small: u32,
    large: u32,
}

/// The height of the subtree of a node, and whether it contains the last leaf.
type Height = (u32, bool);

impl CopyProblem for Skewed {
    type State = Height;
    type Cursor = u8;
    type Choice = bool;

    fn root(&self) -> Height {
        (self.large + 1, true)
    }
    fn branch(&self, &(height, last): &Height) -> Branch<u8> {
        match (height, last) {
            (0, true) => Branch::Solution,
            (0, false) => Branch::DeadEnd,
            _ => Branch::Inner(0),
        }
    }
    fn next(&self, _: &Height, cursor: &mut u8) -> Option<bool> {
        *cursor += 1;
        [false, true].get(usize::from(*cursor) - 1).copied()
    }
    fn apply(&self, (height, last): Height, &choice: &bool) -> Height {
        let is_small = height == self.large + 1 && !choice;
        (if is_small { self.small } else { height - 1 }, last && choice)
    }
}

impl Skewed {
    fn nodes(&self) -> u64 {
        (2 << self.small) - 1 + (2 << self.large) - 1 + 1
    }
}

#[test]
fn the_smallest_of_skewed_trees_is_chosen_at_a_small_cost() {
    // The small subtrees come first, and are in reverse order of size.
    for (best, seed) in (0..10).flat_map(|best| [(best, 0), (best, 1_000), (best, 2_000)]) {
        let trees: Vec<Skewed> = (0..10)
            .map(|index| Skewed {
                small: 11 - index,
                large: if index == best { 15 } else { 17 + index % 3 },
            })
            .collect();
        let raced = trees
            .iter()
            .enumerate()
            .fold(Portfolio::new(), |portfolio, (index, tree)| {
                with(portfolio, &index.to_string(), || Search::new(tree))
            })
            .cost(PortfolioCost::Nodes)
            .seed(seed)
            .run();
        assert_eq!(raced.outcome().exact(), Some(1));
        assert_eq!(raced.winner(), Some(best.to_string().as_str()));
        let alone = trees[best as usize].nodes();
        assert_eq!(raced.outcome().report().nodes(), alone);
        let total = raced.total_cost() / alone as f64;
        assert!(total < 1.5, "{total}");
        let regret = raced.regret().expect("a winner");
        assert!((regret / total - 1.0).abs() < 0.2, "{regret}, {total}");
    }
}

#[test]
fn a_tree_that_is_too_large_for_an_estimate_is_not_chosen() {
    let trees = [Skewed { small: 3, large: 600 }, Skewed { small: 3, large: 12 }];
    let huge = with(Portfolio::new(), "huge", || Search::new(&trees[0]));
    let raced = with(huge, "small", || Search::new(&trees[1])).cost(PortfolioCost::Nodes).run();
    assert_eq!((raced.winner(), raced.outcome().exact()), (Some("small"), Some(1)));
    let total = raced.total_cost() / trees[1].nodes() as f64;
    assert!(total < 1.3, "{total}");
}

#[test]
fn a_strategy_that_runs_out_of_memory_leaves_the_race() {
    let tree = Skewed { small: 3, large: 12 };
    let search = || Search::new(&tree);
    let cramped = with(Portfolio::new(), "cramped", || search().limits(Limits::new().memory(0)));
    let raced = with(cramped, "roomy", search).cost(PortfolioCost::Nodes).run();
    assert_eq!((raced.winner(), raced.outcome().exact()), (Some("roomy"), Some(1)));
}

#[test]
fn a_limit_of_solutions_holds_for_all_rounds_together() {
    let queens = Queens::new(8).expect("small").bits();
    let search = || Search::new(&queens);
    let own = || search().limits(Limits::new().solutions(90));
    for (raced, limit) in [
        (with(with(Portfolio::new(), "a", search), "b", search), Limits::new().solutions(90)),
        (with(with(Portfolio::new(), "a", own), "b", own), Limits::new()),
    ] {
        let raced = raced.cost(PortfolioCost::Nodes).limits(limit).run();
        let outcome = raced.outcome();
        assert_eq!((outcome.exact(), outcome.stop()), (None, Stop::SolutionLimit));
        assert_eq!(outcome.report().solutions(), 90);
    }
}

#[test]
fn a_strategy_that_reaches_a_limit_of_its_own_is_no_winner() {
    let queens = Queens::new(6).expect("small").bits();
    for (limits, stop) in [
        (Limits::new().depth(3), Stop::DepthLimit),
        (Limits::new().solutions(2), Stop::SolutionLimit),
    ] {
        let search = || Search::new(&queens);
        let limited = || with(Portfolio::new(), "limited", || search().limits(limits.clone()));
        let raced = with(limited(), "whole", search).cost(PortfolioCost::Nodes).run();
        assert_eq!((raced.winner(), raced.outcome().exact()), (Some("whole"), Some(4)));
        let raced = limited().cost(PortfolioCost::Nodes).run();
        assert_eq!((raced.winner(), raced.outcome().exact(), raced.regret()), (None, None, None));
        assert_eq!(raced.outcome().stop(), stop);
    }
}

#[test]
fn a_node_limit_of_a_strategy_is_ignored() {
    let tree = Skewed { small: 3, large: 12 };
    let raced = |limits: Limits| {
        let search = || Search::new(&tree);
        let limited = with(Portfolio::new(), "limited", || search().limits(Limits::new().nodes(1)));
        with(limited, "plain", search).cost(PortfolioCost::Nodes).limits(limits).run()
    };
    assert_eq!(raced(Limits::new()).outcome().exact(), Some(1));
    let stopped = raced(Limits::new().nodes(3_000));
    assert_eq!((stopped.outcome().exact(), stopped.outcome().stop()), (None, Stop::NodeLimit));
    for entry in raced(Limits::new()).entries().iter().chain(stopped.entries()) {
        assert!(entry.nodes() > 1 && entry.sampled() > 1, "{entry:?}");
    }
}

#[test]
fn an_empty_or_cancelled_portfolio_claims_nothing() {
    let empty: PortfolioOutcome<Count> = Portfolio::new().run();
    assert_eq!((empty.outcome().exact(), empty.outcome().stop()), (None, Stop::Paused));
    let tree = Skewed { small: 3, large: 12 };
    let cancel = Cancel::new();
    cancel.cancel();
    let only = with(Portfolio::new(), "only", || Search::new(&tree));
    let raced = only.limits(Limits::new().cancel(&cancel)).run();
    assert_eq!((raced.winner(), raced.outcome().exact()), (None, None));
    assert_eq!(raced.outcome().stop(), Stop::Cancelled);
}
