//! Dominance, compared with dynamic programming: knapsacks, and shortest paths with a second cost.

use proptest::prelude::*;
use secateurs::hook::{self, Dominance, HookMemory};
use secateurs::{
    Effect, Hook, NodeMut, Objective, Problem, Search, Stop, SubstituteOrder, Successors, Verdict,
};

use crate::shared::knapsacks::{Knapsack, Load, check_antichains, knapsack_dominance, knapsacks};
use crate::support::sizes::sized;

/// Returns a hook that does nothing, but follows the path (see `Hook::memory`), so that
/// breadth-first search replays paths for all hooks.
fn follow_path<P: Problem>() -> impl Hook<P> {
    let keep = |_: &mut NodeMut<'_, P>| Verdict::Keep;
    hook::enter("follow", Effect::Preserving, keep).memory(HookMemory::Path)
}

proptest! {
    #[test]
    fn knapsacks_keep_their_optimum(
        problem in knapsacks(10),
        capacity in prop::option::of(0..40usize),
        bounded: bool,
        follow: bool,
    ) {
        let value = || Objective::maximise(|_: &Knapsack, load: &Load| load.value);
        let plain = Search::new(&problem).best(&value());
        prop_assert_eq!(plain.proven(), Some(&problem.optimum()));
        for breadth_first in [false, true] {
            let value = value();
            let bound = value.bound("rest", |problem: &Knapsack, load: &Load| {
                load.value + problem.items[load.decided..].iter().map(|item| item.1).sum::<u64>()
            });
            let hooks = (
                knapsack_dominance(capacity),
                bounded.then_some(bound),
                follow.then(follow_path),
            );
            let search = Search::new(&problem).hooks(hooks);
            let outcome = if breadth_first {
                search.breadth_first().best(&value)
            } else {
                search.best(&value)
            };
            prop_assert_eq!(outcome.proven(), Some(&problem.optimum()));
            prop_assert_eq!(outcome.effect(), Effect::OptimumOnly);
            prop_assert!(outcome.report().nodes() <= plain.report().nodes());
            let entries =
                outcome.report().hook("more").and_then(|hook| hook.stat("entries")).unwrap();
            // The smallest capacity of the hook is 2.
            prop_assert!(capacity.is_none_or(|capacity| entries <= capacity.max(2) as u64));
            // Checks the value of the solution.
            let chosen: Vec<_> = outcome.solution().unwrap().iter().zip(&problem.items).collect();
            let sum = |of: fn(&(usize, u64)) -> u64| -> u64 {
                chosen.iter().filter(|(take, _)| **take).map(|(_, item)| of(item)).sum()
            };
            prop_assert_eq!(sum(|item| item.1), problem.optimum());
            prop_assert!(sum(|item| item.0 as u64) <= problem.capacity as u64);
        }
    }

    #[test]
    fn criteria_prune_the_same_nodes_as_a_closure(
        problem in knapsacks(12),
        capacity in prop::option::of(0..40usize),
        breadth_first: bool,
    ) {
        // The third criterion is equal within a group, but makes the hook use another data
        // structure.
        let two = |_: &Knapsack, load: &Load| [load.room as u64, load.value];
        let three = |_: &Knapsack, load: &Load| [load.room as u64, load.decided as u64, load.value];
        let group = |_: &Knapsack, load: &Load| load.decided;
        let order = SubstituteOrder::FewerChoices;
        let two = Dominance::by_criteria("two", group, two).order(order);
        let three = Dominance::by_criteria("three", group, three).order(order);
        let (two, three) = match capacity {
            Some(capacity) => (two.capacity(capacity), three.capacity(capacity)),
            None => (two, three),
        };
        let value = || Objective::maximise(|_: &Knapsack, load: &Load| load.value);
        let run = |hook: &mut dyn Hook<Knapsack>| {
            let search = Search::new(&problem).hooks((hook,));
            if breadth_first {
                search.breadth_first().best(&value())
            } else {
                search.best(&value())
            }
        };
        let (mut pairwise, mut two, mut three) = (knapsack_dominance(capacity), two, three);
        let expected = run(&mut pairwise);
        prop_assert_eq!(expected.proven(), Some(&problem.optimum()));
        for found in [run(&mut two), run(&mut three)] {
            prop_assert_eq!(found.proven(), Some(&problem.optimum()));
            if capacity.is_none() {
                // With a capacity, the hooks drop different summaries for lack of room.
                prop_assert_eq!(found.report().nodes(), expected.report().nodes());
            }
        }
        if capacity.is_none() {
            prop_assert_eq!(two.stats(), pairwise.stats());
            prop_assert_eq!(three.stats(), pairwise.stats());
        }
    }

    #[test]
    fn shortest_paths_with_tolls_keep_their_optimum(
        network in networks(),
        capacity in prop::option::of(2..30usize),
    ) {
        // Without dominance the tree of a cyclic graph is infinite, so the memory must not be too
        // small.
        let capacity = capacity.map(|capacity| if network.acyclic { capacity } else { 1 << 16 });
        for breadth_first in [false, true] {
            let paths = network.paths();
            let length = Objective::minimise_for(&paths, |_, at: &PathEnd| at.length);
            let shorter = length.bound("length", |_: &_, at: &PathEnd| at.length);
            let detour = Dominance::new(
                "detour",
                |_: &_, at: &PathEnd| at.node,
                |_: &_, at: &PathEnd| (at.length, at.toll),
                |a: &(u64, u64), b: &(u64, u64)| a.0 <= b.0 && a.1 <= b.1,
            )
            .order(SubstituteOrder::FewerChoices);
            let detour = match capacity {
                Some(capacity) => detour.capacity(capacity),
                None => detour,
            };
            let search = Search::new(&paths).hooks((detour, shorter));
            let outcome = if breadth_first {
                search.breadth_first().best(&length)
            } else {
                search.best(&length)
            };
            prop_assert_eq!(outcome.stop(), Stop::Exhausted);
            prop_assert_eq!(outcome.proven().copied(), network.shortest());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(16, 256)))]

    #[test]
    fn large_knapsacks_take_polynomial_time(problem in knapsacks(60)) {
        check_antichains(&problem)?;
        // Each thread has its own hook, and the tree is large enough for donations.
        let value = Objective::maximise(|_: &Knapsack, load: &Load| load.value);
        let search = Search::new(&problem).hook(knapsack_dominance(None)).threads(3);
        let outcome = search.best(&value);
        prop_assert_eq!(outcome.proven(), Some(&problem.optimum()));
    }
}

/// Roads (target, length, toll) of each node, and a budget for tolls. The problem is to reach the
/// last node from node 0.
#[derive(Clone, Debug)]
struct Network {
    roads: Vec<Vec<(usize, u64, u64)>>,
    budget: u64,
    acyclic: bool,
}

/// The end of a path from node 0, with the sums of its lengths and tolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PathEnd {
    node: usize,
    length: u64,
    toll: u64,
}

impl Network {
    /// Returns the problem of paths whose tolls are within the budget.
    fn paths(&self) -> impl Problem<State = PathEnd, Choice = PathEnd> {
        let successors = |at: PathEnd| {
            let ends = self.roads[at.node].iter().map(move |&(node, length, toll)| PathEnd {
                node,
                length: at.length + length,
                toll: at.toll + toll,
            });
            ends.filter(|end| end.toll <= self.budget)
        };
        let start = PathEnd { node: 0, length: 0, toll: 0 };
        Successors::new(start, |at: &PathEnd| at.node + 1 == self.roads.len(), successors)
    }

    /// Returns the length of the shortest path whose tolls are within the budget, by relaxing pairs
    /// (node, remaining budget) until nothing changes.
    fn shortest(&self) -> Option<u64> {
        let budget = self.budget as usize;
        let mut best = vec![vec![u64::MAX; budget + 1]; self.roads.len()];
        best[0][budget] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for node in 0..self.roads.len() {
                for remaining in 0..=budget {
                    for &(to, length, toll) in &self.roads[node] {
                        let Some(rest) = remaining.checked_sub(toll as usize) else { continue };
                        let new = best[node][remaining].saturating_add(length);
                        if new < best[to][rest] {
                            best[to][rest] = new;
                            changed = true;
                        }
                    }
                }
            }
        }
        best.last()?.iter().copied().min().filter(|&length| length < u64::MAX)
    }
}

fn networks() -> impl Strategy<Value = Network> {
    let road = (any::<prop::sample::Index>(), 0..5u64, 0..4u64);
    (prop::collection::vec(prop::collection::vec(road, 0..4), 1..9), 0..12u64, any::<bool>())
        .prop_map(|(nodes, budget, acyclic)| {
            let count = nodes.len();
            let roads = nodes.into_iter().enumerate().map(|(node, roads)| {
                let from = if acyclic { node + 1 } else { 0 };
                let roads = roads.into_iter().filter(|_| from < count);
                roads
                    .map(|(to, length, toll)| (from + to.index(count - from), length, toll))
                    .collect()
            });
            Network { roads: roads.collect(), budget, acyclic }
        })
}

#[test]
fn later_states_may_dominate_earlier_ones() {
    // `false` is tried first: the load without the first item and the two loads below it come
    // first. All three are dominated by loads that take this item, which has no weight.
    let problem = Knapsack { items: vec![(0, 5), (3, 1)], capacity: 3 };
    let value = Objective::maximise(|_: &Knapsack, load: &Load| load.value);
    let outcome = Search::new(&problem).hooks((knapsack_dominance(None),)).best(&value);
    assert_eq!(outcome.proven(), Some(&6));
    assert_eq!(outcome.report().hook("more").and_then(|hook| hook.stat("dominated")), Some(3));
    // Two paths lead to the same load, and the second one is pruned.
    let problem = Knapsack { items: vec![(1, 1), (1, 1)], capacity: 2 };
    let outcome = Search::new(&problem).hooks((knapsack_dominance(None),)).count();
    assert_eq!(outcome.report().hook("more").map(|hook| hook.cuts()), Some(1));
    assert_eq!((outcome.exact(), outcome.at_least()), (None, 3));
}

#[test]
fn a_group_of_half_the_capacity_drops_a_summary_for_each_new_one() {
    // The children of the root are numbered; none of their summaries dominates another one.
    let number = |root: Option<u64>| (0..if root.is_none() { 10 } else { 0 }).map(Some);
    let problem = Successors::new(None, Option::is_some, number);
    fn group<P>(_: &P, state: &Option<u64>) -> bool {
        state.is_some()
    }
    fn two<P>(_: &P, state: &Option<u64>) -> [u64; 2] {
        state.map_or([0; 2], |number| [number, 9 - number])
    }
    fn three<P>(_: &P, state: &Option<u64>) -> [u64; 3] {
        state.map_or([0; 3], |number| [number, 9 - number, 5])
    }
    fn stats<P: Problem>(problem: &P, hook: &mut dyn Hook<P>) -> Vec<u64> {
        let outcome = Search::new(problem).hook(&mut *hook).count();
        assert_eq!(outcome.at_least(), 10);
        hook.stats().into_iter().map(|(_, value)| value).collect()
    }
    let is_at_least = |a: &[u64; 2], b: &[u64; 2]| a[0] >= b[0] && a[1] >= b[1];
    // The root, and half the capacity; none was dropped for a better one.
    let expected = [1 + 3, 0, 7];
    let mut pairwise = Dominance::new("", group, two, is_at_least).capacity(6);
    assert_eq!(stats(&problem, &mut pairwise), expected);
    assert_eq!(stats(&problem, &mut Dominance::by_criteria("", group, two).capacity(6)), expected);
    assert_eq!(
        stats(&problem, &mut Dominance::by_criteria("", group, three).capacity(6)),
        expected
    );
}
