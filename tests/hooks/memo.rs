//! The three kinds of memo, on random graphs, compared with other ways to count.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::hook::{FirstChoices, Memo};
use secateurs::{
    Branch, CopyProblem, Effect, Found, Hook, Limits, NodeMut, Objective, Problem, Search, Stop,
    Verdict, hook,
};

use crate::shared::subset_sums::{check_ways, subset_sums};
use crate::support::sizes::sized;

/// A directed graph walked from node 0: the state is a node, its subtree consists of all walks from
/// it.
#[derive(Clone, Debug)]
struct Graph {
    edges: Vec<Vec<usize>>,
    solutions: Vec<bool>,
}

impl CopyProblem for Graph {
    type State = usize;
    type Cursor = usize;
    type Choice = usize;

    fn root(&self) -> usize {
        0
    }
    fn branch(&self, &node: &usize) -> Branch<usize> {
        if self.solutions[node] { Branch::SolutionInner(0) } else { Branch::Inner(0) }
    }
    fn next(&self, &node: &usize, cursor: &mut usize) -> Option<usize> {
        *cursor += 1;
        self.edges[node].get(*cursor - 1).copied()
    }
    fn apply(&self, _: usize, &target: &usize) -> usize {
        target
    }
}

impl Graph {
    /// Counts the paths from each node to solutions, in a graph whose edges lead to larger numbers
    /// only.
    fn counts(&self) -> Vec<u128> {
        let mut counts = vec![0; self.edges.len()];
        for node in (0..self.edges.len()).rev() {
            counts[node] = u128::from(self.solutions[node])
                + self.edges[node].iter().map(|&next| counts[next]).sum::<u128>();
        }
        counts
    }

    /// Returns the nodes that walks from node 0 visit.
    fn reachable(&self) -> BTreeSet<usize> {
        let mut reachable = BTreeSet::from([0]);
        let mut pending = vec![0];
        while let Some(node) = pending.pop() {
            pending.extend(self.edges[node].iter().filter(|&&next| reachable.insert(next)));
        }
        reachable
    }
}

fn graphs(nodes: usize, degree: usize, acyclic: bool) -> impl Strategy<Value = Graph> {
    let node = (
        prop::collection::vec(any::<prop::sample::Index>(), 0..=degree),
        prop::bool::weighted(0.15),
    );
    prop::collection::vec(node, 1..=nodes).prop_map(move |nodes| {
        let count = nodes.len();
        let (edges, solutions) = nodes
            .into_iter()
            .enumerate()
            .map(|(node, (targets, solution))| {
                let from = if acyclic { node + 1 } else { 0 };
                let targets = targets.into_iter().filter(|_| from < count);
                (targets.map(|target| from + target.index(count - from)).collect(), solution)
            })
            .unzip();
        Graph { edges, solutions }
    })
}

fn key(_: &Graph, &node: &usize) -> usize {
    node
}

proptest! {
    #[test]
    fn failed_and_counted_keep_the_count(graph in graphs(14, 3, true), capacity in 0..20usize) {
        let plain = Search::new(&graph).count();
        prop_assert_eq!(plain.exact(), Some(graph.counts()[0]));
        for memo in [Memo::failed("memo", key), Memo::counted("memo", key)] {
            let outcome = Search::new(&graph).hooks((memo.capacity(capacity),)).count();
            prop_assert_eq!(outcome.exact(), plain.exact());
            prop_assert_eq!(outcome.effect(), Effect::Preserving);
            prop_assert!(outcome.report().nodes() <= plain.report().nodes());
            let memo = outcome.report().hook("memo").unwrap();
            prop_assert_eq!(memo.stat("hits"), Some(memo.cuts()));
            prop_assert!(memo.stat("entries").unwrap() <= capacity.max(2) as u64);
        }
    }

    /// These graphs have far too many paths to enumerate.
    #[test]
    fn counted_visits_each_edge_once(graph in graphs(120, 4, true)) {
        let memo = Memo::counted("memo", key);
        let outcome = Search::new(&graph).hooks((memo,)).count();
        prop_assert_eq!(outcome.exact(), Some(graph.counts()[0]));
        let edges: usize = graph.reachable().iter().map(|&node| graph.edges[node].len()).sum();
        prop_assert_eq!(outcome.report().nodes(), edges as u64 + 1);
    }

    #[test]
    fn failed_proves_that_there_is_none(mut graph in graphs(60, 3, true)) {
        let memo = Memo::failed("memo", key);
        let first = Search::new(&graph).hooks((memo,)).first();
        prop_assert_eq!(first.existence(), graph.counts()[0] > 0);
        if let Some(path) = first.solution() {
            prop_assert!(graph.solutions[path.last().copied().unwrap_or(0)]);
        }
        graph.solutions.fill(false);
        let mut memo = Memo::failed("memo", key);
        let none = Search::new(&graph).hooks((&mut memo,)).first();
        prop_assert_eq!(none.value(), &Found::None);
        // In a second run the memo knows the answer at the root.
        let again = Search::new(&graph).hooks((&mut memo,)).first();
        prop_assert_eq!(again.value(), &Found::None);
        prop_assert_eq!(again.report().nodes(), 1);
    }

    /// The memo comes before or after a hook that prunes subtrees without solutions and credits the
    /// solutions of others.
    #[test]
    fn other_preserving_hooks_keep_the_count(
        graph in graphs(14, 3, true),
        seed: u64,
        capacity in 2..20usize,
    ) {
        let counts = graph.counts();
        for kind in [Memo::failed, Memo::counted] {
            for memo_first in [false, true] {
                let memo = || kind("memo", key as fn(&Graph, &usize) -> usize).capacity(capacity);
                let other =
                    hook::enter("other", Effect::Preserving, |node: &mut NodeMut<'_, Graph>| {
                        let state = *node.state();
                        if (seed >> state) & 1 == 1 {
                            return Verdict::Keep;
                        }
                        node.credit(counts[state]);
                        Verdict::Prune
                    });
                let hooks = (memo_first.then(memo), other, (!memo_first).then(memo));
                let outcome = Search::new(&graph).hooks(hooks).count();
                prop_assert_eq!(outcome.exact(), Some(counts[0]));
            }
        }
    }

    /// A run that a limit stops leaves no wrong entries behind.
    #[test]
    fn a_stopped_run_leaves_no_wrong_entries(
        graph in graphs(14, 3, true),
        nodes in 0..50u64,
        capacity in 2..20usize,
    ) {
        for memo in [Memo::failed("memo", key), Memo::counted("memo", key)] {
            let mut memo = memo.capacity(capacity);
            let stopped =
                Search::new(&graph).hooks((&mut memo,)).limits(Limits::new().nodes(nodes)).count();
            prop_assert!(stopped.at_least() <= graph.counts()[0]);
            let outcome = Search::new(&graph).hooks((&mut memo,)).count();
            prop_assert_eq!(outcome.exact(), Some(graph.counts()[0]));
        }
    }

    #[test]
    fn counts_under_a_depth_limit_are_exact_or_unknown(
        graph in graphs(14, 3, true),
        depth in 0..6usize,
    ) {
        for memo in [Memo::failed("memo", key), Memo::counted("memo", key)] {
            let outcome =
                Search::new(&graph).hooks((memo,)).limits(Limits::new().depth(depth)).count();
            // This run may exhaust its tree where a run without memo does not, since the memo may
            // already know nodes beyond the depth limit.
            match outcome.stop() {
                Stop::Exhausted => prop_assert_eq!(outcome.exact(), Some(graph.counts()[0])),
                stop => prop_assert_eq!((stop, outcome.exact()), (Stop::DepthLimit, None)),
            }
        }
    }

    /// Graphs with cycles and loops have infinite trees.
    #[test]
    fn visited_finds_all_reachable_solutions(graph in graphs(40, 3, false)) {
        let reachable = graph.reachable();
        let solutions = reachable.iter().filter(|&&node| graph.solutions[node]).count() as u64;
        let memo = || Memo::visited("memo", key).capacity(80);
        let depth_first = Search::new(&graph).hooks((memo(),)).count();
        let breadth_first = Search::new(&graph).hooks((memo(),)).breadth_first().count();
        // A hook that follows the path makes the search replay every path, including nodes of the
        // memo.
        struct Follow;
        impl secateurs::Hook<Graph> for Follow {
            fn name(&self) -> &str {
                "follow"
            }
        }
        let replayed = Search::new(&graph).hooks((memo(), Follow)).breadth_first().count();
        for outcome in [&depth_first, &breadth_first, &replayed] {
            prop_assert_eq!(outcome.stop(), Stop::Exhausted);
            prop_assert_eq!(outcome.representatives(), Some(u128::from(solutions)));
            prop_assert_eq!(outcome.exact(), if solutions == 0 { Some(0) } else { None });
            let memo = outcome.report().hook("memo").unwrap();
            prop_assert_eq!(memo.stat("entries"), Some(reachable.len() as u64));
            prop_assert_eq!(memo.stat("evictions"), Some(0));
            let kept: u64 = outcome.report().nodes() - memo.cuts();
            prop_assert_eq!(kept, reachable.len() as u64);
        }
        prop_assert_eq!(breadth_first.report().levels(), replayed.report().levels());
    }

    #[test]
    fn visited_is_correct_despite_evictions(graph in graphs(14, 3, true), capacity in 0..10usize) {
        let memo = Memo::visited("memo", key).capacity(capacity);
        let outcome = Search::new(&graph).hooks((memo,)).exists();
        prop_assert_eq!(outcome.exists(), Some(graph.counts()[0] > 0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(32, 256)))]

    #[test]
    fn subset_sums_match_a_product_of_polynomials(
        problem in subset_sums(),
        capacity in 2..2000usize,
    ) {
        check_ways(&problem, capacity)?;
    }
}

trait Existence {
    /// Returns whether there is a solution, which must be proven or refuted.
    fn existence(&self) -> bool;
}

impl<T> Existence for secateurs::Outcome<Found<T>> {
    fn existence(&self) -> bool {
        self.exists().expect("an exhaustive run knows")
    }
}

/// Returns the graph whose walks to the solution are the strings of this length over two letters.
fn strings(length: usize) -> Graph {
    let mut edges = vec![Vec::new(); length + 1];
    let mut solutions = vec![false; length + 1];
    for (node, edges) in edges.iter_mut().enumerate().take(length) {
        edges.extend([node + 1, node + 1]);
    }
    solutions[length] = true;
    Graph { edges, solutions }
}

#[test]
fn counts_beyond_a_machine_word_are_exact() {
    for length in [64, 65, 100, 127] {
        let outcome = Search::new(&strings(length)).hooks((Memo::counted("memo", key),)).count();
        assert_eq!(outcome.exact(), Some(1 << length));
        assert_eq!(outcome.report().nodes(), 2 * length as u64 + 1);
        assert_eq!(outcome.report().solutions(), 1);
    }
}

#[test]
fn counts_beyond_128_bits_overflow_visibly() {
    for length in [128, 129, 200, 1000] {
        let mut memo = Memo::counted("memo", key);
        let graph = strings(length);
        for _ in 0..2 {
            let outcome = Search::new(&graph).hooks((&mut memo,)).count();
            assert_eq!(outcome.stop(), Stop::CountOverflow);
            assert_eq!(outcome.exact(), None);
            assert!(outcome.at_least() >= 1 << 127);
        }
    }
}

#[test]
fn evictions_due_to_small_capacities_are_reported() {
    // Monotone paths through a grid of 12 × 12 squares.
    let side = 12;
    let mut edges = Vec::new();
    for square in 0..side * side {
        let (row, column) = (square / side, square % side);
        let right = (column + 1 < side).then_some(square + 1);
        let down = (row + 1 < side).then_some(square + side);
        edges.push(right.into_iter().chain(down).collect());
    }
    let mut solutions = vec![false; side * side];
    solutions[side * side - 1] = true;
    let graph = Graph { edges, solutions };
    let mut nodes = Vec::new();
    for capacity in [8, 32, 128, 288] {
        let memo = Memo::counted("memo", key).capacity(capacity);
        let outcome = Search::new(&graph).hooks((memo,)).count();
        assert_eq!(outcome.exact(), Some(705_432)); // the binomial coefficient of 22 and 11
        let memo = outcome.report().hook("memo").unwrap();
        assert_eq!(
            memo.stat("evictions") > Some(0),
            capacity < 288,
            "{capacity}: {:?}",
            memo.stats()
        );
        nodes.push(outcome.report().nodes());
    }
    assert!(
        nodes.is_sorted_by(|more, fewer| more >= fewer) && nodes[0] > 2 * nodes[3],
        "{nodes:?}"
    );
}

#[test]
fn combination_with_other_effects_is_lossy() {
    let graph = strings(5);
    let objective = Objective::maximise(|_: &Graph, &node: &usize| node);
    for memo in [Memo::failed("memo", key), Memo::counted("memo", key), Memo::visited("memo", key)]
    {
        let bound = objective.bound("bound", |_: &Graph, _: &usize| 5);
        let outcome = Search::new(&graph).hooks((bound, memo)).best(&objective);
        assert_eq!(outcome.effect(), Effect::Lossy);
        assert_eq!(outcome.proven(), None);
    }
    let outcome =
        Search::new(&graph).hooks((Memo::visited("a", key), Memo::failed("b", key))).count();
    assert_eq!(outcome.effect(), Effect::Lossy);
    // Breadth-first search does not leave nodes in order, so the memo learns nothing.
    let plain = Search::new(&graph).count().exact();
    for memo in [Memo::failed("memo", key), Memo::counted("memo", key)] {
        let outcome = Search::new(&graph).hooks((memo,)).breadth_first().count();
        assert_eq!((outcome.exact(), outcome.effect()), (plain, Effect::Preserving));
        assert_eq!(outcome.report().hook("memo").and_then(|memo| memo.stat("entries")), Some(0));
    }
}

/// Items that are put into bins of equal sizes one after another.
#[derive(Clone, Debug)]
struct Bins {
    items: Vec<u8>,
    bins: usize,
    size: u8,
}

impl Problem for Bins {
    type State = (usize, Vec<u8>); // the number of items that are packed, and the loads
    type Cursor = usize;
    type Choice = usize;
    type Undo = ();

    fn root(&self) -> (usize, Vec<u8>) {
        (0, vec![0; self.bins])
    }
    fn branch(&self, &(packed, _): &(usize, Vec<u8>)) -> Branch<usize> {
        if packed == self.items.len() { Branch::Solution } else { Branch::Inner(0) }
    }
    fn next(&self, (packed, loads): &(usize, Vec<u8>), cursor: &mut usize) -> Option<usize> {
        let fits = |&bin: &usize| loads[bin] + self.items[*packed] <= self.size;
        let bin = (*cursor..self.bins).find(fits)?;
        *cursor = bin + 1;
        Some(bin)
    }
    fn apply(&self, (packed, loads): &mut (usize, Vec<u8>), &bin: &usize) {
        loads[bin] += self.items[*packed];
        *packed += 1;
    }
    fn undo(&self, (packed, loads): &mut (usize, Vec<u8>), &bin: &usize, (): ()) {
        *packed -= 1;
        loads[bin] -= self.items[*packed];
    }
}

/// Keeps one of the empty bins, which stands for all of them.
fn one_empty_bin(last: bool) -> impl Hook<Bins> + Clone + Send {
    FirstChoices::new("one empty bin", usize::MAX, move |bins: &Bins, path, &bin| {
        let mut empty: Vec<_> =
            (0..bins.bins).filter(|&bin| path.iter().all(|&used| used != bin)).collect();
        if last {
            empty.reverse();
        }
        match (empty.contains(&bin), empty.first() == Some(&bin)) {
            (false, _) => 1,
            (true, false) => 0,
            (true, true) => empty.len() as u64,
        }
    })
}

/// Remembers states in which the bins have equal loads in some order.
fn equal_loads() -> impl Hook<Bins> + Clone + Send {
    Memo::failed("equal loads", |_: &Bins, (packed, loads): &(usize, Vec<u8>)| {
        let mut loads = loads.clone();
        loads.sort_unstable();
        (*packed, loads)
    })
}

proptest! {
    #[test]
    fn failures_beside_a_symmetry_of_siblings_lose_no_representative(
        items in proptest::collection::vec(1_u8..6, 0..7),
        (bins, size, last) in (1_usize..5, 1_u8..10, proptest::bool::ANY),
    ) {
        let bins = Bins { items, bins, size };
        // By brute force: the placements, and the partitions, with bins named by their first items.
        let mut placements = 0;
        let mut partitions = BTreeSet::new();
        for number in 0..bins.bins.pow(bins.items.len() as u32) {
            let placement: Vec<usize> = (0..bins.items.len())
                .map(|item| number / bins.bins.pow(item as u32) % bins.bins)
                .collect();
            let loads = |bin| -> u8 {
                let its = placement.iter().zip(&bins.items).filter(|&(&own, _)| own == bin);
                its.map(|(_, size)| size).sum()
            };
            if (0..bins.bins).all(|bin| loads(bin) <= bins.size) {
                placements += 1;
                let first = |bin| placement.iter().position(|&other| other == bin);
                partitions.insert(placement.iter().map(|&bin| first(bin)).collect::<Vec<_>>());
            }
        }
        let (empty, loads) = (one_empty_bin(last), equal_loads());
        let outcomes = [
            Search::new(&bins).hooks((empty.clone(), loads.clone())).count(),
            Search::new(&bins).hooks((loads.clone(), empty.clone())).count(),
            Search::new(&bins).hooks((loads.clone(), empty.clone())).breadth_first().count(),
            Search::new(&bins).hooks((loads.clone(), empty.clone())).threads(2).count(),
        ];
        for outcome in outcomes {
            prop_assert_eq!(outcome.exact(), Some(placements));
            prop_assert_eq!(outcome.representatives(), Some(partitions.len() as u128));
        }
        let outcome = Search::new(&bins).hooks((loads, empty)).exists();
        prop_assert_eq!(outcome.exists(), Some(placements > 0));
    }
}

#[test]
fn failures_beside_a_symmetry_prune_more_than_either() {
    // 60 in four bins of 14 each: there is no way, but the items cannot be seen not to fit.
    let bins = Bins { items: [5; 12].to_vec(), bins: 4, size: 14 };
    let nodes = |empty: bool, loads: bool| {
        let hooks = (empty.then(|| one_empty_bin(false)), loads.then(equal_loads));
        let outcome = Search::new(&bins).hooks(hooks).exists();
        assert_eq!(outcome.exists(), Some(false));
        outcome.report().nodes()
    };
    let [none, empty, loads, both] =
        [(false, false), (true, false), (false, true), (true, true)].map(|(e, l)| nodes(e, l));
    assert!(none > empty && empty > both && loads > both, "{none} {empty} {loads} {both}");
}
