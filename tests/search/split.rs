//! `Search::split`: the parts sum to the whole and have similar sizes.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use proptest::prelude::*;
use secateurs::brancher::Shuffled;
use secateurs::hook::HookMemory;
use secateurs::search::Frontier;
use secateurs::{Branch, CopyProblem, Effect, Hook, Limits, Node, Search, Stop, Verdict, hook};
use secateurs_problems::queens::Queens;

use crate::shared::frontiers::{self, begun, in_parts, written_and_read};
use crate::shared::words::Full;
use crate::support::trees::{RandomTree, Trail, tree_stats};

/// Merges parts that have been searched, the last first.
fn merged<C>(parts: Vec<Frontier<C>>) -> Frontier<C> {
    frontiers::merged(parts.into_iter().rev())
}

proptest! {
    #[test]
    fn parts_sum_to_the_whole(
        seed in any::<u64>(),
        nodes in 0_u64..30,
        parts in 0_usize..9,
        again in 1_usize..4,
        by_search: bool,
        hooked: bool,
    ) {
        let tree = RandomTree::new(seed, 4, 7);
        let search = || {
            let hooks = (hooked.then(Trail::default),);
            Search::new(&tree).hooks(hooks).brancher(Shuffled::new(seed))
        };
        let expected = search().count();
        let mut found = Vec::new();
        let mut advance = |frontier: &mut Frontier<u32>, nodes| {
            let search = search().limits(Limits::new().nodes(nodes)).frontier(frontier);
            let _ = search.for_each(|node| {
                found.push(node.path().to_vec());
                ControlFlow::<()>::Continue(())
            });
        };
        let mut frontier = Frontier::new();
        advance(&mut frontier, nodes);
        // Some of the parts are divided once more.
        let mut open: Vec<Frontier<u32>> = Vec::new();
        let begun = written_and_read(&frontier);
        let first = if by_search { search().split(begun, parts) } else { begun.split(parts) };
        for (index, part) in first.into_iter().enumerate() {
            let again = if index % 2 == 0 { again } else { 1 };
            open.extend(search().split(written_and_read(&part), again));
        }
        // After each run, what is left of a part is divided again.
        let mut done = Vec::new();
        while let Some(mut part) = open.pop() {
            advance(&mut part, nodes + 1);
            let part = written_and_read(&part);
            if part.is_exhausted() {
                done.push(part);
            } else {
                open.extend(part.split(again).iter().map(written_and_read));
            }
        }
        found.sort();
        let mut solutions: Vec<Vec<u32>> = search().solutions().collect();
        solutions.sort();
        prop_assert_eq!(found, solutions);
        let mut whole = merged(done);
        let outcome = search().frontier(&mut whole).count();
        prop_assert_eq!(outcome.at_least(), expected.at_least());
        prop_assert_eq!(tree_stats(outcome.report()), tree_stats(expected.report()));
        prop_assert_eq!(outcome.stop(), Stop::Exhausted);
    }

    #[test]
    fn each_solution_is_in_one_part(seed in any::<u64>(), parts in 1_usize..9, limit in 1_u64..4) {
        let tree = RandomTree::new(seed, 4, 6);
        let expected: Vec<Vec<u32>> = Search::new(&tree).solutions().collect();
        let mut found = Vec::new();
        for mut part in Search::new(&tree).split(Frontier::new(), parts) {
            let mut in_part = Vec::new();
            while !part.is_exhausted() {
                // A run ends after a few solutions, so that it may end at a deferred one.
                let limits = Limits::new().solutions(limit);
                in_part.extend(Search::new(&tree).limits(limits).frontier(&mut part).solutions());
                part = written_and_read(&part);
            }
            // A part keeps the order of the tree.
            prop_assert!(in_part.is_sorted());
            found.extend(in_part);
        }
        found.sort();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn parts_of_queens_have_similar_sizes() {
    let queens = Queens::new(11).expect("a size").bits();
    for parts in [2, 3, 8, 20] {
        let mut all: Vec<_> = Search::new(&queens).split(Frontier::new(), parts);
        assert_eq!(all.len(), parts);
        let nodes: Vec<u64> = all
            .iter_mut()
            .map(|part| {
                let before = part.report().map_or(0, |report| report.nodes());
                Search::new(&queens).frontier(part).count().report().nodes() - before
            })
            .collect();
        let mean = nodes.iter().sum::<u64>() / parts as u64;
        assert!(
            nodes.iter().all(|nodes| (mean * 2 / 3..=mean * 3 / 2).contains(nodes)),
            "{nodes:?}"
        );
        let mut whole = merged(all);
        let outcome = Search::new(&queens).frontier(&mut whole).count();
        assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(2_680), 166_926));
    }
}

/// A tree in which each node has one child, down to a depth.
fn chain(depth: u64) -> Full {
    Full { width: 1, depth }
}

#[test]
fn indivisible_trees_split_into_few_parts() {
    // Any number of parts may be requested, but the number of empty parts that are made is limited.
    let check = |length, parts| {
        let parts_made = Search::new(&chain(length)).split(Frontier::new(), parts);
        assert!(!parts_made.is_empty() && parts_made.len() <= 1 << 16);
        let sum: u128 = parts_made
            .into_iter()
            .map(|mut part| Search::new(&chain(length)).frontier(&mut part).count().at_least())
            .sum();
        assert_eq!(sum, 1, "{parts} parts of {length}");
    };
    for length in [0, 1, 3] {
        [0, 1, 2, 7].into_iter().for_each(|parts| check(length, parts));
    }
    check(3, usize::MAX);
    // A long chain is not opened to its end, because each step would be a replay.
    let parts_made = Search::new(&chain(100_000)).split(Frontier::new(), 2);
    assert!(
        parts_made.iter().filter_map(Frontier::report).map(|report| report.nodes()).sum::<u64>()
            < 100
    );
    assert!(Frontier::<()>::new().split(usize::MAX).len() <= 1 << 16);
    // The parts of an exhausted frontier are exhausted.
    let parts_made = Search::new(&chain(3)).split(begun(Search::new(&chain(3)), u64::MAX), 3);
    assert!(parts_made.iter().all(Frontier::is_exhausted));
    let mut whole = merged(parts_made);
    assert_eq!(Search::new(&chain(3)).frontier(&mut whole).count().exact(), Some(1));
}

#[test]
fn limits_include_the_nodes_that_a_split_opens() {
    let queens = Queens::new(8).expect("a size").bits();
    let parts_made = Search::new(&queens).limits(Limits::new().nodes(5)).split(Frontier::new(), 50);
    assert_eq!(
        parts_made.iter().filter_map(Frontier::report).map(|report| report.nodes()).sum::<u64>(),
        5
    );
    let mut whole = in_parts(parts_made, |part| Search::new(&queens).frontier(part).count().stop());
    assert_eq!(Search::new(&queens).frontier(&mut whole).count().exact(), Some(92));
    // A depth limit truncates the same nodes as in one search.
    let limits = || Limits::new().depth(2);
    let whole = Search::new(&queens).limits(limits()).count();
    let parts = Search::new(&queens).limits(limits()).split(Frontier::new(), 4);
    let merged =
        in_parts(parts, |part| Search::new(&queens).limits(limits()).frontier(part).count().stop());
    let report = merged.report().expect("the parts were searched");
    assert_eq!(report.levels(), whole.report().levels());
    assert!(!merged.is_exhausted() && merged.subtrees().len() == 0);
}

#[test]
fn a_split_does_not_call_hooks_that_remember_visited_nodes() {
    // Admits each choice of a node once.
    fn once(met: &RefCell<BTreeSet<Vec<u32>>>) -> impl Hook<RandomTree> {
        let is_new = |node: &Node<'_, RandomTree>, &choice: &u32| {
            let path = [node.path().to_vec(), vec![choice]].concat();
            Verdict::keep_if(met.borrow_mut().insert(path))
        };
        hook::admit("once", Effect::Preserving, is_new).memory(HookMemory::Visited)
    }
    let tree = RandomTree::new(6, 4, 6);
    let all = Search::new(&tree).count().at_least();
    let met = RefCell::default();
    let parts = Search::new(&tree).hooks((once(&met),)).split(Frontier::new(), 3);
    let _ = Search::new(&tree).hooks(vec![once(&met)]).split(Frontier::new(), 3);
    assert!(met.borrow().is_empty());
    let mut whole = in_parts(parts, |part| {
        Search::new(&tree).hooks((once(&RefCell::default()),)).frontier(part).count().stop()
    });
    assert_eq!(Search::new(&tree).frontier(&mut whole).count().at_least(), all);
}

/// A tree with two children at each node, whose states index an array.
struct Halves;

impl CopyProblem for Halves {
    type State = [u64; 2];
    type Cursor = u64;
    type Choice = u64;

    fn root(&self) -> [u64; 2] {
        [0; 2]
    }
    fn branch(&self, _: &[u64; 2]) -> Branch<u64> {
        Branch::SolutionInner(0)
    }
    fn next(&self, _: &[u64; 2], cursor: &mut u64) -> Option<u64> {
        *cursor += 1;
        (*cursor <= 2).then_some(*cursor - 1)
    }
    fn apply(&self, mut state: [u64; 2], &half: &u64) -> [u64; 2] {
        state[half as usize] += 1;
        state
    }
    fn accepts_saved(&self, _: &[u64; 2], &half: &u64) -> bool {
        half < 2
    }
}

#[test]
fn parts_of_a_file_with_impossible_choices_are_lost() {
    let frontier = begun(Search::new(&Full { width: 9, depth: 3 }), 10);
    for parts in [1, 4, 40] {
        for mut part in Search::new(&Halves).split(written_and_read(&frontier), parts) {
            let outcome = Search::new(&Halves).frontier(&mut part).count();
            assert_eq!(outcome.stop(), Stop::Interrupted, "{parts}");
        }
    }
}
