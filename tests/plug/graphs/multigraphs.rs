//! Graphs with loops, parallel edges and directions, and the problems on them, against the
//! enumeration of all sets of edges and of vertices.

use std::ops::RangeInclusive;

use proptest::prelude::*;
use secateurs::plug::algebra::Optima;
use secateurs::plug::{ContourProblem, Sweep};
use secateurs_problems::catalogue::graphs::{
    ConnectedSets, Connecting, Directed, Factors, HamiltonianCycles, HamiltonianPaths,
    SimpleCycles, SimplePaths, SpanningSubgraphs, Terminals,
};
use secateurs_problems::graph::{FrontierPlan, Graph, GraphError, Order, VertexPlan};

use super::{check, count};
use crate::erased::{Erased, ErasedProblem};
use crate::shared::edge_sets::{EdgeSetCounts, connecting, graphs};
use crate::shared::vertex_sets::{count_sets, is_connected, with_neighbours};
use crate::support::sizes::sized;

/// Generates multigraphs of at most `vertices` vertices and `edges` edges.
fn multigraphs(vertices: usize, edges: usize) -> impl Strategy<Value = Graph> {
    (1..=vertices).prop_flat_map(move |vertices| {
        let edge = (0..vertices, 0..vertices);
        prop::collection::vec(edge, 0..=edges)
            .prop_map(move |edges| Graph::multigraph(vertices, edges).expect("a small graph"))
    })
}

/// A set of edges: the degrees of the vertices, and the components.
struct EdgeSet {
    /// The number of edges out of each vertex.
    out: Vec<usize>,
    /// The number of edges into each vertex.
    into: Vec<usize>,
    component: Vec<usize>,
    has_cycle: bool,
}

impl EdgeSet {
    fn all(graph: &Graph) -> Vec<EdgeSet> {
        let edges: Vec<(usize, usize)> = graph.edges().collect();
        (0_u32..1 << edges.len())
            .map(|set| {
                let mut found = EdgeSet {
                    out: vec![0; graph.vertices()],
                    into: vec![0; graph.vertices()],
                    component: (0..graph.vertices()).collect(),
                    has_cycle: false,
                };
                for (_, &(tail, head)) in
                    edges.iter().enumerate().filter(|(edge, _)| set >> edge & 1 == 1)
                {
                    found.out[tail] += 1;
                    found.into[head] += 1;
                    let (from, to) = (found.component[tail], found.component[head]);
                    found.has_cycle |= from == to;
                    found.component.iter_mut().filter(|c| **c == from).for_each(|c| *c = to);
                }
                found
            })
            .collect()
    }

    fn degree(&self, vertex: usize) -> usize {
        self.out[vertex] + self.into[vertex]
    }

    fn vertices(&self) -> usize {
        self.out.len()
    }

    fn touched(&self) -> Vec<usize> {
        (0..self.vertices()).filter(|&vertex| self.degree(vertex) > 0).collect()
    }

    /// Returns whether all touched vertices are in one component, and there are some.
    fn is_one_piece(&self) -> bool {
        let touched = self.touched();
        !touched.is_empty()
            && touched.iter().all(|&vertex| self.component[vertex] == self.component[touched[0]])
    }

    fn is_directed_cycle(&self) -> bool {
        self.is_one_piece()
            && self.touched().iter().all(|&vertex| self.out[vertex] == 1 && self.into[vertex] == 1)
    }

    /// Returns the start and the end of a directed path of at least one edge.
    fn directed_path(&self) -> Option<(usize, usize)> {
        let with = |out, into| -> Vec<usize> {
            let is_so = |&vertex: &usize| (self.out[vertex], self.into[vertex]) == (out, into);
            (0..self.vertices()).filter(is_so).collect()
        };
        let is_whole = self.is_one_piece() && with(1, 1).len() + 2 == self.touched().len();
        match (&with(1, 0)[..], &with(0, 1)[..]) {
            (&[start], &[end]) if is_whole => Some((start, end)),
            _ => None,
        }
    }

    /// Returns the number of vertices in the component of each vertex.
    fn component_sizes(&self) -> Vec<usize> {
        (0..self.vertices())
            .filter(|&vertex| self.component[vertex] == vertex)
            .map(|root| self.component.iter().filter(|&&component| component == root).count())
            .collect()
    }

    /// Returns whether the components are trees with exactly one of the terminals each.
    fn is_rooted_at(&self, terminals: &[usize]) -> bool {
        !self.has_cycle
            && self.component.iter().all(|component| {
                terminals.iter().filter(|&&root| self.component[root] == *component).count() == 1
            })
    }
}

/// Counts the connected sets of vertices, and the dominating ones among them.
fn connected_sets(graph: &Graph) -> [u128; 2] {
    let all = (1_u32 << graph.vertices()) - 1;
    let is_one = |set: u32| set != 0 && is_connected(graph, set);
    let dominates = |set: u32| is_one(set) && with_neighbours(graph, set) == all;
    [count_sets(graph, is_one), count_sets(graph, dominates)]
}

/// Checks the problems that are not in [`check`], swept in this order. `ranges` are the degrees of
/// factors, and `ways` to count return a number each.
fn check_others(
    order: &Order<'_>,
    ranges: &[RangeInclusive<usize>],
    ways: impl Fn(&Erased<'_>) -> Vec<u128>,
) -> Result<(), TestCaseError> {
    let check = |problem: &dyn ErasedProblem, expected: usize| {
        let problem = Erased(problem);
        for count in ways(&problem) {
            prop_assert_eq!(count, expected as u128, "{}", problem.name());
        }
        Ok(())
    };
    let graph = order.graph();
    let vertices = graph.vertices();
    let sets = EdgeSet::all(graph);
    let number =
        |is_solution: &dyn Fn(&EdgeSet) -> bool| sets.iter().filter(|set| is_solution(set)).count();
    let visits_all = |set: &EdgeSet| set.touched().len() == vertices;

    let cycles = SimpleCycles::new(order).directed();
    check(&cycles, number(&|set| set.is_directed_cycle()))?;
    let cycles = HamiltonianCycles::new(order).directed();
    check(&cycles, number(&|set| set.is_directed_cycle() && visits_all(set)))?;
    let paths = HamiltonianPaths::anywhere(order).directed();
    let alone = usize::from(vertices == 1);
    let is_path = |set: &EdgeSet| set.directed_path().is_some() && visits_all(set);
    check(&paths, alone + number(&is_path))?;

    let counts = EdgeSetCounts::of(graph);
    for from in [0, vertices - 1] {
        let paths = SimplePaths::starting_at(order, from).expect("a vertex");
        let to_any = |table: &[Vec<u128>]| table[from].iter().sum::<u128>() as usize;
        check(&paths, 1 + to_any(&counts.simple_paths))?;
        let is_path = |set: &EdgeSet| set.directed_path().is_some_and(|ends| ends.0 == from);
        check(&paths.directed(), 1 + number(&is_path))?;
        let paths = HamiltonianPaths::starting_at(order, from).expect("a vertex");
        check(&paths, alone + to_any(&counts.hamiltonian_paths))?;
        let is_path = |set: &EdgeSet| is_path(set) && visits_all(set);
        check(&paths.directed(), alone + number(&is_path))?;
    }
    if vertices > 1 {
        let (from, to) = (0, vertices - 1);
        let is_path = |set: &EdgeSet| set.directed_path() == Some((from, to));
        let paths = SimplePaths::new(order, from, to).expect("vertices").directed();
        check(&paths, number(&is_path))?;
        let is_path = |set: &EdgeSet| is_path(set) && visits_all(set);
        let paths = HamiltonianPaths::between(order, from, to).expect("vertices").directed();
        check(&paths, number(&is_path))?;
    }

    let two_factors = number(&|set| (0..vertices).all(|vertex| set.degree(vertex) == 2));
    check(&Factors::regular(order, 2), two_factors)?;
    let is_factor = |set: &EdgeSet| (0..vertices).all(|v| ranges[v].contains(&set.degree(v)));
    let factors = Factors::<u64, 4>::with_word(order, |vertex| ranges[vertex].clone());
    check(&factors, number(&is_factor))?;
    let covers = Factors::new(order, |_| 1..=usize::MAX);
    check(&covers, number(&visits_all))?;

    let [connected, dominating] = connected_sets(graph).map(|number| number as usize);
    check(&ConnectedSets::new(order), connected)?;
    check(&ConnectedSets::new(order).dominating(), dominating)?;

    for terminals in [vec![], vec![0], (0..vertices).step_by(2).collect()] {
        let forests = Connecting::forests(order, &terminals).expect("vertices");
        check(&forests, number(&|set| set.is_rooted_at(&terminals)))?;
        let [all, trees] = connecting(graph, &terminals).map(|number| number as usize);
        check(&Connecting::new(order, &terminals).expect("vertices"), all)?;
        check(&Connecting::trees(order, &terminals).expect("vertices"), trees)?;
    }
    let rooted = sets.iter().filter(|set| !set.has_cycle);
    let rooted = rooted.map(|set| set.component_sizes().iter().product::<usize>()).sum();
    let with_apex = graph.with_apex().expect("a small graph");
    check(&SpanningSubgraphs::trees(&Order::narrowest(&with_apex)), rooted)
}

/// Counts the solutions of a problem whose states do not fit into the words of an erased one.
fn count_wide(problem: &impl ContourProblem) -> u128 {
    Sweep::new(problem).threads(2).count().exact().expect("a small count")
}

fn with_ranges(
    vertices: usize,
    edges: usize,
) -> impl Strategy<Value = (Graph, Vec<RangeInclusive<usize>>)> {
    let range = (0..4_usize, 0..3_usize).prop_map(|(least, more)| least..=(least + more));
    (multigraphs(vertices, edges), prop::collection::vec(range, vertices))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(128, 10_000)))]

    #[test]
    fn problems_on_random_multigraphs_agree_with_enumeration(
        (graph, ranges) in with_ranges(6, 8),
    ) {
        for order in [Order::as_given(&graph), Order::narrowest(&graph).reversed()] {
            check_others(&order, &ranges, |problem| vec![problem.count()])?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn undirected_problems_on_multigraphs_agree_with_exhaustive_search(
        graph in multigraphs(6, 9),
    ) {
        let counts = EdgeSetCounts::of(&graph);
        check(&Order::as_given(&graph), &counts)?;
        check(&Order::minimum_frontier(&graph), &counts)?;
        check(&Order::breadth_first(&graph).reversed(), &counts)?;
    }

    #[test]
    fn sweeps_by_two_threads_and_in_two_runs_agree_with_enumeration(
        (graph, ranges) in with_ranges(4, 6),
    ) {
        check_others(&Order::narrowest(&graph), &ranges, |problem| {
            problem.count_otherwise().to_vec()
        })?;
    }

    #[test]
    fn wide_words_have_the_same_solutions((graph, ranges) in with_ranges(5, 8)) {
        let order = Order::narrowest(&graph);
        let range = |vertex: usize| ranges[vertex].clone();
        let wide = Factors::<u128, 4>::with_word(&order, range);
        prop_assert_eq!(count(&wide), count(&Factors::<u64, 4>::with_word(&order, range)));
        let wide = ConnectedSets::<u128, 5>::with_word(&order);
        prop_assert_eq!(count_wide(&wide), count(&ConnectedSets::new(&order)));
        let wide = HamiltonianCycles::<u128>::with_word(&order).directed();
        prop_assert_eq!(count_wide(&wide), count(&HamiltonianCycles::new(&order).directed()));
        let wide =
            Connecting::<u128, 5>::with_word(&order, &[0], Terminals::Forests).expect("a vertex");
        prop_assert_eq!(count_wide(&wide), count(&Connecting::forests(&order, &[0]).expect("one")));
    }

    #[test]
    fn both_directions_of_each_edge_are_the_undirected_graph(graph in graphs(6, 9)) {
        let both = graph.both_directions().expect("a small graph");
        let directed = |problem: Directed| count(&problem);
        let (order, of_both) = (Order::narrowest(&graph), Order::narrowest(&both));
        // Each edge is a cycle there and back.
        let expected = 2 * count(&SimpleCycles::new(&order)) + graph.edge_count() as u128;
        prop_assert_eq!(directed(SimpleCycles::new(&of_both).directed()), expected);
        if graph.vertices() > 1 {
            let paths = |order: &Order<'_>| SimplePaths::new(order, 0, 1).expect("vertices");
            prop_assert_eq!(directed(paths(&of_both).directed()), count(&paths(&order)));
        }
        prop_assert!(both.simple().edges().collect::<std::collections::BTreeSet<_>>()
            == graph.edges().collect());
    }
}

#[test]
fn directed_cycles_and_walks_have_known_counts() {
    // OEIS A006231: cycles of complete directed graphs.
    for (vertices, known) in (2..).zip([1, 5, 20, 84, 409, 2365]) {
        let graph = Graph::complete(vertices).and_then(|graph| graph.both_directions()).unwrap();
        let cycles = SimpleCycles::new(&Order::narrowest(&graph)).directed();
        assert_eq!(count(&cycles), known, "{vertices}");
    }
    let board = Graph::knight(5, 6).and_then(|board| board.both_directions()).unwrap();
    let tours = HamiltonianCycles::<u64>::with_word(&Order::narrowest(&board)).directed();
    assert_eq!(count(&tours), 16);
    // OEIS A001411: self-avoiding walks in the plane of up to 4 steps.
    let plane = Graph::grid(&[9, 9]).unwrap();
    let walks = SimplePaths::starting_at(&Order::narrowest(&plane), 40).unwrap();
    let length = secateurs::plug::algebra::CountByWeight::new(|_: usize, taken| i64::from(taken));
    let outcome = Sweep::new(&walks).run(&length.up_to(4));
    let by_length = outcome.total().unwrap().terms().map(|(_, walks)| walks.to_string());
    assert_eq!(by_length.collect::<Vec<_>>(), ["1", "4", "12", "36", "100"]);
}

#[test]
fn least_steiner_trees_are_counted() {
    // The terminals are two opposite corners of a grid: the trees are the shortest paths.
    let grid = Graph::grid(&[4, 5]).unwrap();
    let order = Order::narrowest(&grid);
    let size = |_: usize, taken: bool| i64::from(taken);
    let least = |terminals: &[usize]| {
        let trees = Connecting::trees(&order, terminals).unwrap();
        let outcome = Sweep::new(&trees).run(&Optima::minimise(size));
        outcome.total().map(|tied| (tied.weight, tied.ways)).unwrap()
    };
    assert_eq!(least(&[0, 19]), (7, 35)); // 7 over 3
    assert_eq!(least(&[6]), (0, 1));
    let all: Vec<usize> = (0..20).collect();
    assert_eq!(least(&all), (19, count(&SpanningSubgraphs::trees(&order))));
}

#[test]
fn rooted_forests_of_complete_graphs_have_known_counts() {
    // Cayley, 1889: k nᵐ⁻¹ forests of n vertices rooted at k of them, where m = n − k.
    let graph = Graph::complete(7).unwrap();
    let order = Order::narrowest(&graph);
    for roots in 1..7 {
        let terminals: Vec<usize> = (0..roots).collect();
        let forests = Connecting::forests(&order, &terminals).unwrap();
        assert_eq!(count(&forests), roots as u128 * 7_u128.pow(6 - roots as u32));
    }
    assert_eq!(count(&Connecting::forests(&order, &[]).unwrap()), 0);
}

#[test]
fn multigraphs_keep_the_order_of_vertices_and_plans_know_loops() {
    let graph = Graph::multigraph(3, [(2, 0), (0, 2), (1, 1)]).unwrap();
    assert_eq!(graph.edges().collect::<Vec<_>>(), [(2, 0), (0, 2), (1, 1)]);
    assert_eq!((graph.degree(1), graph.degree(0)), (2, 2));
    assert_eq!(graph.neighbours(1).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(graph.simple().edges().collect::<Vec<_>>(), [(0, 2)]);
    assert!(!graph.is_simple() && graph.simple().is_simple());
    let plan = VertexPlan::new(&Order::as_given(&graph));
    // The order is 0, 2, 1: the first two are neighbours, and the last one leaves at once.
    assert_eq!([0, 1, 2, 3].map(|cell| plan.occupied(cell)), [0, 1, 0, 0]);
    let frontier = FrontierPlan::new(&Order::as_given(&graph));
    assert_eq!([0, 1, 2, 3, 9].map(|cell| frontier.occupied(cell)), [0, 0b11, 0, 0, 0]);
    let with_loop: Vec<bool> = (0..3)
        .map(|vertex| plan.cells().iter().any(|cell| cell.vertex() == vertex && cell.has_loop()))
        .collect();
    assert_eq!(with_loop, [false, true, false]);
    assert!(plan.cells().iter().all(|cell| cell.behind().len() <= 1));
    assert_eq!(
        Graph::multigraph(1, [(0, 1)]).unwrap_err(),
        GraphError::NoSuchVertex { edge: 0, vertex: 1, vertices: 1 }
    );
    let named = Graph::parse_multigraph("a b\nb a\n").unwrap();
    let apex = named.with_apex().unwrap();
    assert_eq!((apex.name(1), apex.name(2)), ("b".into(), "the apex".into()));
    assert_eq!(named.both_directions().unwrap().vertex("b"), Some(1));
}

#[test]
fn degrees_that_do_not_fit_stop_the_sweep() {
    let star = Graph::from_edges(5, (1..5).map(|leaf| (0, leaf))).unwrap();
    let order = Order::as_given(&star);
    let at_the_centre = |vertex: usize| if vertex == 0 { 3..=3 } else { 0..=1 };
    let narrow = Factors::new(&order, at_the_centre);
    assert_eq!(Sweep::new(&narrow).count().stop(), secateurs::Stop::StateTooWide);
    assert_eq!(count(&Factors::<u64, 3>::with_word(&order, at_the_centre)), 4);
    // No vertex has this degree, whatever the word is.
    assert_eq!(count(&Factors::<u64, 3>::with_word(&order, |_| 5..=9)), 0);
    let none = Graph::from_edges(2, []).unwrap();
    assert_eq!(count(&Factors::regular(&Order::as_given(&none), 0)), 1);
    assert_eq!(count(&Factors::regular(&Order::as_given(&none), 2)), 0);
}
