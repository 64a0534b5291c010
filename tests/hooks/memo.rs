//! The three kinds of memo, on random graphs, compared with other ways to count.

use std::collections::BTreeSet;

use proptest::prelude::*;
use secateurs::hook::{FirstChoices, HookMemory, Memo};
use secateurs::{
    Branch, Effect, Found, Hook, Limits, Objective, Problem, Search, Stop, Successors, Verdict,
};

use crate::shared::subset_sums::{check_ways, subset_sums};
use crate::support::sizes::sized;

/// A directed graph, walked from node 0.
#[derive(Clone, Debug)]
struct Graph {
    edges: Vec<Vec<usize>>,
    solutions: Vec<bool>,
}

impl Graph {
    /// Returns the problem whose state is a node, and whose subtree below it has all walks from it.
    fn walks(&self) -> impl Problem<State = usize, Choice = usize> + Clone {
        let edges = |node: usize| self.edges[node].iter().copied();
        Successors::new(0, |&node: &usize| self.solutions[node], edges).through_solutions()
    }

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

fn key<P>(_: &P, &node: &usize) -> usize {
    node
}

proptest! {
    #[test]
    fn failed_and_counted_keep_the_count(
        graph in graphs(14, 3, true),
        capacity in 0..20usize,
        nodes in 0..50u64,
        depth in 0..6usize,
    ) {
        let walks = graph.walks();
        let plain = Search::new(&walks).count();
        let count = Some(graph.counts()[0]);
        prop_assert_eq!(plain.exact(), count);
        for kind in [Memo::failed, Memo::counted] {
            let memo = || kind("memo", key as fn(&_, &usize) -> usize).capacity(capacity);
            let outcome = Search::new(&walks).hooks((memo(),)).count();
            prop_assert_eq!((outcome.exact(), outcome.effect()), (count, Effect::Preserving));
            prop_assert!(outcome.report().nodes() <= plain.report().nodes());
            let report = outcome.report().hook("memo").unwrap();
            prop_assert_eq!(report.stat("hits"), Some(report.cuts()));
            prop_assert!(report.stat("entries").unwrap() <= capacity.max(2) as u64);

            // A run that a limit stops leaves no wrong entries behind.
            let mut lent = memo();
            let limits = Limits::new().nodes(nodes);
            let stopped = Search::new(&walks).hooks((&mut lent,)).limits(limits).count();
            prop_assert!(Some(stopped.at_least()) <= count);
            prop_assert_eq!(Search::new(&walks).hooks((&mut lent,)).count().exact(), count);

            // A run under a depth limit may exhaust its tree where one without a memo does not,
            // since the memo may already know nodes beyond the limit.
            let limits = Limits::new().depth(depth);
            let shallow = Search::new(&walks).hooks((memo(),)).limits(limits).count();
            match shallow.stop() {
                Stop::Exhausted => prop_assert_eq!(shallow.exact(), count),
                stop => prop_assert_eq!((stop, shallow.exact()), (Stop::DepthLimit, None)),
            }
        }
    }

    /// These graphs have far too many paths to enumerate.
    #[test]
    fn counted_visits_each_edge_once(graph in graphs(120, 4, true)) {
        let memo = Memo::counted("memo", key);
        let outcome = Search::new(&graph.walks()).hooks((memo,)).count();
        prop_assert_eq!(outcome.exact(), Some(graph.counts()[0]));
        let edges: usize = graph.reachable().iter().map(|&node| graph.edges[node].len()).sum();
        prop_assert_eq!(outcome.report().nodes(), edges as u64 + 1);
    }

    #[test]
    fn failed_proves_that_there_is_none(mut graph in graphs(60, 3, true)) {
        let memo = Memo::failed("memo", key);
        let first = Search::new(&graph.walks()).hooks((memo,)).first();
        prop_assert_eq!(first.exists(), Some(graph.counts()[0] > 0));
        if let Some(path) = first.solution() {
            prop_assert!(graph.solutions[path.last().copied().unwrap_or(0)]);
        }
        graph.solutions.fill(false);
        let mut memo = Memo::failed("memo", key);
        let none = Search::new(&graph.walks()).hooks((&mut memo,)).first();
        prop_assert_eq!(none.value(), &Found::None);
        // In a second run the memo knows the answer at the root.
        let again = Search::new(&graph.walks()).hooks((&mut memo,)).first();
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
                let memo = || kind("memo", key as fn(&_, &usize) -> usize).capacity(capacity);
                let walks = graph.walks();
                let search = Search::new(&walks).hook(memo_first.then(memo));
                let search = search.enter("other", Effect::Preserving, |node| {
                    let state = *node.state();
                    if (seed >> state) & 1 == 1 {
                        return Verdict::Keep;
                    }
                    node.credit(counts[state]);
                    Verdict::Prune
                });
                let outcome = search.hook((!memo_first).then(memo)).count();
                prop_assert_eq!(outcome.exact(), Some(counts[0]));
            }
        }
    }

    /// Graphs with cycles and loops have infinite trees.
    #[test]
    fn visited_finds_all_reachable_solutions(graph in graphs(40, 3, false)) {
        let reachable = graph.reachable();
        let solutions = reachable.iter().filter(|&&node| graph.solutions[node]).count() as u64;
        let memo = || Memo::visited("memo", key).capacity(80);
        let depth_first = Search::new(&graph.walks()).hooks((memo(),)).count();
        let breadth_first = Search::new(&graph.walks()).hooks((memo(),)).breadth_first().count();
        // A hook that follows the path makes the search replay every path, including nodes of the
        // memo.
        let walks = graph.walks();
        let replayed = Search::new(&walks)
            .hook(memo())
            .enter("follow", Effect::Preserving, |_| Verdict::Keep)
            .configure(|hook| hook.memory(HookMemory::Path));
        let replayed = replayed.breadth_first().count();
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
        let outcome = Search::new(&graph.walks()).hooks((memo,)).exists();
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
        let outcome =
            Search::new(&strings(length).walks()).hooks((Memo::counted("memo", key),)).count();
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
            let outcome = Search::new(&graph.walks()).hooks((&mut memo,)).count();
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
        let outcome = Search::new(&graph.walks()).hooks((memo,)).count();
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
    let walks = graph.walks();
    let objective = Objective::maximise_for(&walks, |_, &node: &usize| node);
    for memo in [Memo::failed("memo", key), Memo::counted("memo", key), Memo::visited("memo", key)]
    {
        let bound = objective.bound("bound", |_: &_, _: &usize| 5);
        let outcome = Search::new(&graph.walks()).hooks((bound, memo)).best(&objective);
        assert_eq!(outcome.effect(), Effect::Lossy);
        assert_eq!(outcome.proven(), None);
    }
    let outcome = Search::new(&graph.walks())
        .hooks((Memo::visited("a", key), Memo::failed("b", key)))
        .count();
    assert_eq!(outcome.effect(), Effect::Lossy);
    // Breadth-first search does not leave nodes in order, so the memo learns nothing.
    let plain = Search::new(&graph.walks()).count().exact();
    for memo in [Memo::failed("memo", key), Memo::counted("memo", key)] {
        let outcome = Search::new(&graph.walks()).hooks((memo,)).breadth_first().count();
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
