//! Best-first search against depth-first search, on random trees and on problems with bounds.

use std::cell::RefCell;

use proptest::prelude::*;
use secateurs::hook::HookMemory;
use secateurs::{
    Assignments, Branch, Cancel, CopyProblem, Effect, Hook, Incumbent, Limits, Node, NodeMut,
    Objective, Problem, Search, Stop, Successors, Verdict, hook,
};

use crate::shared::claiming::Claiming;
use crate::shared::combs::{Comb, check_combs};
use crate::support::sizes::sized;
use crate::support::trees::RandomTree;

/// Returns the value of a node of a random tree: a hash, so that practically all values differ.
fn value(path: &[u32]) -> u64 {
    let mixed = path.iter().fold(0x9e37_79b9_7f4a_7c15_u64, |hash, &choice| {
        (hash ^ u64::from(choice + 1)).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29)
    });
    mixed >> 1
}

/// Returns the largest value of a solution at or below the node, plus a part of the value of the
/// node itself: an optimistic bound without ties.
fn bound(tree: &RandomTree, path: &[u32]) -> u64 {
    fn largest(tree: &RandomTree, path: &mut Vec<u32>) -> u64 {
        let mut best = if tree.is_solution(path) { value(path) } else { 0 };
        for child in 0..tree.children(path) {
            path.push(child);
            best = best.max(largest(tree, path));
            path.pop();
        }
        best
    }
    let slack = value(path) >> 3;
    largest(tree, &mut path.to_vec()) + slack
}

fn largest_value() -> Objective<RandomTree, u64, impl Fn(&RandomTree, &Vec<u32>) -> u64> {
    Objective::maximise(|_: &RandomTree, path: &Vec<u32>| value(path))
}

/// Trees that are large enough to be meaningful and small enough to compute exact bounds.
fn trees() -> impl Strategy<Value = RandomTree> {
    (any::<u64>(), 2_u32..5, 3_usize..7)
        .prop_map(|(seed, width, depth)| RandomTree::new(seed, width, depth))
}

proptest! {
    #[test]
    fn solutions_equal_those_of_depth_first(tree in trees(), open in 0_usize..20) {
        let mut deep: Vec<_> = Search::new(&tree).solutions().collect();
        let objective = largest_value();
        let search =
            || Search::new(&tree).best_first(&objective, |_, path| value(path)).open_nodes(open);
        let mut solutions = search().solutions();
        let mut found = Vec::new();
        while let Some(path) = solutions.next() {
            prop_assert_eq!(solutions.stop(), Stop::Paused);
            found.push(path);
            prop_assert_eq!(solutions.report().solutions(), found.len() as u64);
        }
        prop_assert_eq!(solutions.stop(), Stop::Exhausted);
        let first = search().first();
        prop_assert_eq!(first.solution(), found.first());
        found.sort();
        deep.sort();
        prop_assert_eq!(found, deep);
    }

    #[test]
    fn only_nodes_whose_bound_beats_the_optimum_are_expanded(tree in trees()) {
        let best = Search::new(&tree).solutions().map(|path| value(&path)).max().unwrap_or(0);
        let objective = largest_value();
        // `admit` receives the parent: these are the bounds of the expanded nodes, once per child.
        let bounds = RefCell::new(Vec::new());
        let record =
            hook::admit("record", Effect::Preserving, |node: &Node<'_, RandomTree>, _: &u32| {
                bounds.borrow_mut().push(bound(node.problem(), node.state()));
                Verdict::Keep
            });
        let outcome = Search::new(&tree)
            .hooks((record,))
            .best_first(&objective, |tree, path| bound(tree, path))
            .best(&objective);
        prop_assert!(outcome.proven().is_some() || best == 0);
        prop_assert!(bounds.borrow().iter().all(|&bound| bound >= best));
        // A depth-first search that prunes by the known optimum expands the same nodes, except
        // those whose bound equals the optimum.
        let expected = {
            let mut count = 0;
            let cut =
                hook::enter("exact", Effect::OptimumOnly, |node: &mut NodeMut<'_, RandomTree>| {
                    Verdict::keep_if(bound(node.problem(), node.state()) > best)
                });
            let watch =
                hook::admit("count", Effect::Preserving, |_: &Node<'_, RandomTree>, _: &u32| {
                    count += 1;
                    Verdict::Keep
                });
            let _ = Search::new(&tree).hooks((cut, watch)).count();
            count
        };
        prop_assert!(bounds.borrow().len() >= expected);
        let ties = bounds.borrow().iter().filter(|&&bound| bound == best).count();
        prop_assert_eq!(bounds.borrow().len() - ties, expected);
    }
}

#[test]
fn deep_trees_with_many_open_nodes_are_searched() {
    let quick = [(20_000, 1), (2, 20_000), (100, 100)];
    check_combs(&sized(quick, [(1_000_000, 1), (2, 1_000_000), (1_000, 1_000)]));
}

#[test]
fn best_first_search_stops_at_its_limits() {
    let comb = Comb { length: 20_000, width: 10 };
    let depth = Objective::minimise(|_: &Comb, &(depth, _): &(u64, bool)| depth);
    let search = |limits: Limits| {
        Search::new(&comb).limits(limits).best_first(&depth, |_, &(depth, _)| depth)
    };
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(search(Limits::new().cancel(&cancel)).count().stop(), Stop::Cancelled);
    assert_eq!(search(Limits::new().solutions(0)).count().stop(), Stop::SolutionLimit);
    assert_eq!(search(Limits::new().solutions(1)).count().stop(), Stop::SolutionLimit);
    let outcome = search(Limits::new().depth(10)).count();
    assert_eq!((outcome.stop(), outcome.report().nodes()), (Stop::DepthLimit, 101));
    // A stopped run proves no optimum.
    let limited = Search::new(&comb)
        .limits(Limits::new().nodes(500))
        .best_first(&depth, |_, &(depth, _)| depth);
    let outcome = limited.best(&depth);
    assert_eq!((outcome.proven(), outcome.stop()), (None, Stop::NodeLimit));
}

/// The domains of three variables, as bits.
type Domains = [u32; 3];

/// Returns the problem of three variables over numbers up to 4. The [value] of a solution is their
/// sum, less 2 if the first variable is 2. The bound is the [largest] sum, so it is 2 too large in
/// that case.
fn numbers() -> impl Problem<State = Domains, Choice = (usize, u32)> {
    let open = |domains: Domains| (0..3).filter(move |&at: &usize| !domains[at].is_power_of_two());
    let numbers =
        |domains: Domains, at: usize| (0..5).filter(move |&number| domains[at] >> number & 1 == 1);
    Assignments::new([0b110, 0b11111, 0b11111], open, numbers, |mut domains, at, number: u32| {
        domains[at] = 1 << number;
        domains
    })
}

fn largest(domains: &Domains) -> u32 {
    domains.iter().map(|bits| bits.checked_ilog2().unwrap_or(0)).sum()
}

fn value_of(domains: &Domains) -> u32 {
    largest(domains).saturating_sub(if domains[0] == 1 << 2 { 2 } else { 0 })
}

/// Returns the hook that removes the values with which nothing beats the incumbent.
fn remove_worse_numbers<P: Problem<State = Domains>>(incumbent: &Incumbent<u32>) -> impl Hook<P> {
    let (id, incumbent) = (incumbent.id(), incumbent.clone());
    let remove = move |node: &mut NodeMut<'_, P>| {
        let Some(known) = incumbent.get() else { return Verdict::Keep };
        for (variable, number) in (0..3).flat_map(|at| (0..5).map(move |number| (at, number))) {
            let mut with = *node.state();
            with[variable] &= 1 << number;
            if with[variable] != 0 && largest(&with) <= known {
                node.state_mut()[variable] &= !(1 << number);
            }
        }
        Verdict::prune_if(node.state().contains(&0))
    };
    let remove = hook::enter("remove worse numbers", Effect::OptimumOnly, remove);
    Claiming::new(remove.memory(HookMemory::Path)).incumbent(id)
}

#[test]
fn a_node_that_becomes_a_solution_while_it_waits_is_visited() {
    let numbers = numbers();
    for open in [0, 1, 5, 100] {
        let objective = Objective::maximise_for(&numbers, |_, domains| value_of(domains));
        let search = || Search::new(&numbers).hook(remove_worse_numbers(objective.incumbent()));
        let outcome = search()
            .best_first(&objective, |_, domains| largest(domains))
            .open_nodes(open)
            .best(&objective);
        // The leaf (2, 4, 4) has the bound 10 and the value 8. When the node with 1 in the first
        // variable is taken from the queue, the incumbent is 8, so only (1, 4, 4) remains.
        assert_eq!(outcome.proven(), Some(&9));
        assert_eq!(
            outcome.report().solutions(),
            outcome.report().levels().iter().map(|level| level.solutions).sum::<u64>()
        );
    }
}

/// A hook makes the walk go step by step to nodes that it could reach at once.
#[test]
fn problems_whose_choices_are_states_are_searched_in_the_same_order_with_hooks() {
    for seed in 0..50_u32 {
        let hash = |number: u32| (number ^ seed).wrapping_mul(0x9e37_79b1) >> 7;
        let children = |number: u32| {
            let count = if number < 2000 { hash(number) % 5 } else { 0 };
            (1..=count).map(move |child| 5 * number + child)
        };
        let tree = Successors::new(1, |number| hash(*number) % 3 > 0, children).through_solutions();
        let objective = Objective::maximise_for(&tree, |_, number| hash(*number) % 16);
        let bound = |_: &_, number: &u32| hash(number / 5) % 8 + 8;
        for open in [0, 3, usize::MAX] {
            let search = || Search::new(&tree);
            let all: Vec<_> =
                search().best_first(&objective, bound).open_nodes(open).solutions().collect();
            let keep =
                hook::enter("keep", Effect::Preserving, |_: &mut NodeMut<'_, _>| Verdict::Keep);
            let by_steps = search().hook(keep).best_first(&objective, bound).open_nodes(open);
            assert!(all.iter().eq(&by_steps.solutions().collect::<Vec<_>>()), "seed {seed}");
            assert_eq!(all.len() as u128, search().count().exact().unwrap_or_default());
        }
    }
}

/// Numbers of four digits below 5, with the next number as the choice; the state after a choice is
/// stated for even ones only.
struct Partly;

impl CopyProblem for Partly {
    type State = u32;
    type Cursor = u32;
    type Choice = u32;

    fn root(&self) -> u32 {
        1
    }
    fn branch(&self, number: &u32) -> Branch<u32> {
        if *number < 5_u32.pow(4) { Branch::Inner(0) } else { Branch::Solution }
    }
    fn next(&self, number: &u32, digit: &mut u32) -> Option<u32> {
        *digit += 1;
        (*digit <= 5).then_some(5 * number + *digit - 1)
    }
    fn apply(&self, _: u32, next: &u32) -> u32 {
        *next
    }
    fn state_after(&self, next: &u32) -> Option<u32> {
        next.is_multiple_of(2).then_some(*next)
    }
}

#[test]
fn states_that_are_stated_for_some_choices_only_are_reached_all_the_same() {
    let shuffled = |number: &u32| number.wrapping_mul(0x9e37_79b1) >> 20;
    let objective = Objective::maximise_for(&Partly, move |_, number| shuffled(number));
    let search = Search::new(&Partly).best_first(&objective, move |_, number| shuffled(number));
    let mut found: Vec<u32> = search.solutions().map(|path| path[path.len() - 1]).collect();
    found.sort_unstable();
    assert_eq!(found, (5_u32.pow(4)..2 * 5_u32.pow(4)).collect::<Vec<_>>());
}
