//! Sweeps over graphs of any shape, in any order, against known values and exhaustive search.

mod graph_types;
mod multigraphs;

use std::collections::HashSet;

use proptest::prelude::*;
use secateurs::plug::Sweep;
use secateurs::{Count, Limits, Outcome, Stop};
use secateurs_problems::catalogue::graphs::{
    Colourings, Connecting, DominatingSets, HamiltonianCycles, HamiltonianPaths, IndependentSets,
    Matchings, SimpleCycles, SimplePaths, Spanning, SpanningSubgraphs, Terminals,
};
use secateurs_problems::graph::{Graph, Order};

use crate::erased::{Erased, ErasedProblem};
use crate::shared::edge_sets::{
    self, EdgeSetCounts, colourings, connecting, dominating_sets, graphs, independent_sets,
};
use crate::shared::known;
use crate::support::sizes::sized;

fn count(problem: &dyn ErasedProblem) -> u128 {
    Erased(problem).count()
}

/// Counts the solutions by two threads.
fn counted(problem: &dyn ErasedProblem) -> u128 {
    Erased(problem).count_by_two()
}

/// Counts the solutions within limits.
fn sweep(problem: &dyn ErasedProblem, limits: Limits) -> Outcome<Count> {
    Erased(problem).sweep(limits)
}

fn tours(graph: &Graph) -> u128 {
    count(&HamiltonianCycles::<u128>::with_word(&Order::narrowest(graph)))
}

fn grid(sizes: &[usize]) -> Graph {
    Graph::grid(sizes).expect("a small grid")
}

fn petersen() -> Graph {
    let outer = (0..5).map(|vertex| (vertex, (vertex + 1) % 5));
    let spokes = (0..5).map(|vertex| (vertex, vertex + 5));
    let star = (0..5).map(|vertex| (vertex + 5, (vertex + 2) % 5 + 5));
    Graph::from_edges(10, outer.chain(spokes).chain(star)).expect("a graph of 15 edges")
}

#[test]
fn closed_tours_of_knights_and_kings_have_known_counts() {
    for (rows, columns, known) in
        [(3, 3, 0), (3, 10, 16), (5, 5, 0), (5, 6, 8), (6, 6, 9862), (6, 7, 1_067_638)]
    {
        assert_eq!(
            tours(&Graph::knight(rows, columns).unwrap()),
            known,
            "knight {rows} × {columns}"
        );
    }
    for (side, known) in [(1, 0), (2, 3), (4, 2830), (5, 2_462_064)] {
        assert_eq!(tours(&Graph::king(side, side).unwrap()), known, "king {side} × {side}");
    }
}

#[test]
#[ignore = "ten seconds: cargo test --release --test plug -- --ignored knights_tours_of_48"]
fn knights_tours_of_48_squares_have_the_known_count() {
    assert_eq!(tours(&Graph::knight(6, 8).unwrap()), 55_488_142);
}

#[test]
fn hamiltonian_cycles_of_grids_have_known_counts() {
    let known = [(&[2, 2, 2][..], 6), (&[3, 3, 2], 324), (&[3, 3, 4], 3_918_744), (&[2; 4], 1344)];
    for (sizes, known) in known {
        assert_eq!(tours(&grid(sizes)), known, "{sizes:?}");
    }
    let cycles = |rows, columns| tours(&grid(&[rows, columns]));
    known::check("Hamiltonian cycles", known::HAMILTONIAN_CYCLES, 64, cycles);
}

#[test]
fn paths_trees_and_matchings_of_grids_have_known_counts() {
    let check = |what, known, most, count: &dyn Fn(&Order<'_>, usize) -> u128| {
        known::check(what, known, most, |rows, columns| {
            count(&Order::narrowest(&grid(&[rows, columns])), rows * columns - 1)
        });
    };
    check("simple paths", &known::SIMPLE_PATHS[1..], 49, &|order, last| {
        count(&SimplePaths::new(order, 0, last).unwrap())
    });
    check("Hamiltonian paths", &known::HAMILTONIAN_PATHS[1..], 49, &|order, last| {
        count(&HamiltonianPaths::between(order, 0, last).unwrap())
    });
    check("cycles", known::SIMPLE_CYCLES, 16, &|order, _| count(&SimpleCycles::new(order)));
    check("trees", known::SPANNING_TREES, 30, &|order, _| count(&SpanningSubgraphs::trees(order)));
    check("forests", known::SPANNING_FORESTS, 30, &|order, _| {
        count(&SpanningSubgraphs::forests(order))
    });
    check("matchings", known::MATCHINGS, 16, &|order, _| count(&Matchings::new(order)));
    check("independent sets", known::INDEPENDENT_SETS, 25, &|order, _| {
        count(&IndependentSets::new(order))
    });
    check("perfect matchings", known::DOMINO_TILINGS, 64, &|order, _| {
        count(&Matchings::new(order).perfect())
    });
}

#[test]
fn sets_of_complete_graphs_agree_with_formulas() {
    let mut cycles = 1; // (n − 1)! / 2, which is 1 for n = 3
    for vertices in 3..=10u32 {
        cycles *= if vertices == 3 { 1 } else { u128::from(vertices - 1) };
        let graph = Graph::complete(vertices as usize).unwrap();
        let order = Order::as_given(&graph);
        assert_eq!(count(&HamiltonianCycles::new(&order)), cycles);
        assert_eq!(count(&HamiltonianPaths::anywhere(&order)), cycles * u128::from(vertices));
        assert_eq!(
            count(&SpanningSubgraphs::trees(&order)),
            u128::from(vertices).pow(vertices - 2)
        );
        assert_eq!(count(&IndependentSets::new(&order)), u128::from(vertices) + 1);
    }
}

#[test]
fn sets_of_the_petersen_graph_have_known_counts() {
    let graph = petersen();
    for order in
        [Order::as_given(&graph), Order::breadth_first(&graph), Order::minimum_frontier(&graph)]
    {
        assert_eq!(count(&HamiltonianCycles::new(&order)), 0);
        assert_eq!(count(&HamiltonianPaths::anywhere(&order)), 120);
        assert_eq!(count(&SimpleCycles::new(&order)), 12 + 10 + 15 + 20);
        assert_eq!(count(&SpanningSubgraphs::trees(&order)), 2000);
        assert_eq!(count(&Matchings::new(&order).perfect()), 6);
        assert_eq!(count(&IndependentSets::new(&order)), 76);
    }
    let outcome = Sweep::new(&HamiltonianCycles::new(&Order::as_given(&graph))).first();
    assert!(outcome.is_proven_none());
}

/// Checks every problem, swept in this order, against the numbers found by exhaustive search.
fn check(order: &Order<'_>, counts: &EdgeSetCounts) -> Result<(), TestCaseError> {
    let vertices = order.graph().vertices();
    prop_assert_eq!(count(&HamiltonianCycles::new(order)), counts.hamiltonian_cycles);
    prop_assert_eq!(count(&HamiltonianCycles::<u32>::with_word(order)), counts.hamiltonian_cycles);
    prop_assert_eq!(count(&SimpleCycles::new(order)), counts.simple_cycles);
    prop_assert_eq!(count(&SimpleCycles::<u128>::with_word(order)), counts.simple_cycles);
    prop_assert_eq!(count(&HamiltonianPaths::anywhere(order)), counts.hamiltonian_paths_anywhere());
    for (from, to) in (0..vertices).flat_map(|from| (0..vertices).map(move |to| (from, to))) {
        if from == to {
            let error = SimplePaths::new(order, from, to).expect_err("one vertex").to_string();
            let found = format!("found vertex {from} as both ends, ");
            prop_assert!(error.starts_with(&found), "{}", error);
            continue;
        }
        let simple = SimplePaths::new(order, from, to).unwrap();
        let hamiltonian = HamiltonianPaths::between(order, from, to).unwrap();
        let found = [count(&simple), count(&hamiltonian)];
        let expected = [&counts.simple_paths, &counts.hamiltonian_paths].map(|of| of[from][to]);
        prop_assert_eq!(found, expected, "paths from {} to {}", from, to);
    }
    prop_assert_eq!(count(&SpanningSubgraphs::trees(order)), counts.trees);
    prop_assert_eq!(count(&SpanningSubgraphs::forests(order)), counts.forests);
    prop_assert_eq!(count(&SpanningSubgraphs::connected(order)), counts.connected);
    prop_assert_eq!(
        count(&SpanningSubgraphs::<u128, 5>::with_word(order, Spanning::Connected)),
        counts.connected
    );
    prop_assert_eq!(count(&Matchings::new(order)), counts.matchings);
    prop_assert_eq!(count(&Matchings::new(order).perfect()), counts.perfect_matchings);
    let graph = order.graph();
    prop_assert_eq!(count(&IndependentSets::new(order)), independent_sets(graph));
    prop_assert_eq!(counted(&DominatingSets::new(order)), dominating_sets(graph));
    let edges: Vec<(usize, usize)> = graph.edges().collect();
    for colours in 0..4 {
        let expected = colourings(vertices, &edges, colours) as u128;
        prop_assert_eq!(counted(&Colourings::new(order, colours)), expected);
    }
    for number in 0..=vertices.min(3) {
        let terminals: Vec<usize> = (vertices - number..vertices).collect();
        let [all, trees] = connecting(graph, &terminals);
        prop_assert_eq!(counted(&Connecting::new(order, &terminals).unwrap()), all);
        prop_assert_eq!(counted(&Connecting::trees(order, &terminals).unwrap()), trees);
        let wide = Connecting::<u128, 5>::with_word(order, &terminals, Terminals::Trees).unwrap();
        prop_assert_eq!(counted(&wide), trees);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(60, 120)))]

    #[test]
    fn every_problem_agrees_with_exhaustive_search(graph in graphs(8, 12)) {
        let counts = EdgeSetCounts::of(&graph);
        // The edges of `graphs` are shuffled, so this is a random order.
        check(&Order::as_given(&graph), &counts)?;
        check(&Order::breadth_first(&graph), &counts)?;
        check(&Order::minimum_frontier(&graph), &counts)?;
        check(&Order::narrowest(&graph).reversed(), &counts)?;
    }

    #[test]
    fn the_answer_does_not_depend_on_the_order(
        (graph, vertices) in graphs(8, 28).prop_flat_map(|graph| {
            let vertices: Vec<usize> = (0..graph.vertices()).collect();
            (Just(graph), Just(vertices).prop_shuffle())
        })
    ) {
        let order = Order::of_vertices(&graph, &vertices).unwrap();
        let [simple_cycles, hamiltonian_cycles] = edge_sets::cycles(&graph);
        let [simple_paths, hamiltonian_paths] = edge_sets::walks(&graph);
        let narrow = Order::narrowest(&graph);
        for order in [order, Order::as_given(&graph)] {
            prop_assert_eq!(count(&HamiltonianCycles::new(&order)), hamiltonian_cycles);
            prop_assert_eq!(count(&SimpleCycles::new(&order)), simple_cycles);
            for kind in [Spanning::Trees, Spanning::Forests, Spanning::Connected] {
                let expected = count(&SpanningSubgraphs::<u64>::with_word(&narrow, kind));
                let counted = count(&SpanningSubgraphs::<u64>::with_word(&order, kind));
                prop_assert_eq!(counted, expected);
            }
            prop_assert_eq!(count(&Matchings::new(&order)), count(&Matchings::new(&narrow)));
            prop_assert_eq!(count(&IndependentSets::new(&order)), independent_sets(&graph));
            if let [first, .., last] = vertices[..] {
                let paths = SimplePaths::new(&order, first, last).unwrap();
                prop_assert_eq!(count(&paths), simple_paths[first][last]);
                let paths = HamiltonianPaths::between(&order, first, last).unwrap();
                prop_assert_eq!(count(&paths), hamiltonian_paths[first][last]);
            }
        }
    }
}

#[test]
fn solutions_are_distinct_hamiltonian_cycles() {
    let graph = Graph::king(3, 4).unwrap();
    let cycles = HamiltonianCycles::new(&Order::minimum_frontier(&graph));
    let mut seen = HashSet::new();
    for labels in Sweep::new(&cycles).solutions().unwrap() {
        let mut edges: Vec<(usize, usize)> = cycles.frontier().taken(&labels).collect();
        assert_eq!(edges.len(), graph.vertices());
        assert!(edges.iter().all(|edge| graph.edges().any(|other| other == *edge)));
        edges.sort_unstable();
        assert!(seen.insert(edges.clone()), "twice: {edges:?}");
        // Walk along the cycle.
        let (mut at, mut steps) = (0, 0);
        while let Some(index) = edges.iter().position(|&(one, other)| one == at || other == at) {
            let (one, other) = edges.swap_remove(index);
            at = one + other - at;
            steps += 1;
        }
        assert_eq!((at, steps), (0, graph.vertices()));
    }
    assert_eq!(seen.len() as u128, edge_sets::cycles(&graph)[1]);
}

#[test]
fn a_repeated_terminal_is_one() {
    let triangle = Graph::complete(3).unwrap();
    let order = Order::as_given(&triangle);
    assert_eq!(counted(&Connecting::trees(&order, &[1, 1]).unwrap()), 6);
}

#[test]
fn colours_that_do_not_fit_stop_the_sweep() {
    let edge = Graph::path(2).unwrap();
    let order = Order::as_given(&edge);
    assert_eq!(counted(&Colourings::new(&order, 14)), 14 * 13);
    for colours in [15, u8::MAX] {
        let colourings = Colourings::new(&order, colours);
        assert_eq!(Sweep::new(&colourings).count().stop(), Stop::StateTooWide);
    }
    assert_eq!(counted(&Colourings::<u128, 5>::with_word(&order, 30)), 30 * 29);
}

#[test]
fn a_frontier_wider_than_the_word_stops_the_sweep_and_fits_a_wider_word() {
    // The order takes every second edge of a cycle first. Then all vertices are in the frontier.
    // There are few states, because every edge must be taken.
    let widest = |vertices: usize| {
        let graph = Graph::cycle(vertices).unwrap();
        let edges: Vec<usize> = (0..vertices).step_by(2).chain((1..vertices).step_by(2)).collect();
        let order = Order::of_edges(&graph, &edges).unwrap();
        assert_eq!(order.width(), vertices);
        let limits = || Limits::new().states(10);
        [
            sweep(&HamiltonianCycles::<u32>::with_word(&order), limits()),
            sweep(&HamiltonianCycles::new(&order), limits()),
            sweep(&HamiltonianCycles::<u128>::with_word(&order), limits()),
        ]
        .map(|outcome| outcome.exact().ok_or(outcome.stop()))
    };
    let wide = Err(Stop::StateTooWide);
    assert_eq!(widest(8), [Ok(1), Ok(1), Ok(1)]);
    assert_eq!(widest(16), [wide, Ok(1), Ok(1)]);
    assert_eq!(widest(18), [wide, wide, Ok(1)]);
    assert_eq!(widest(24), [wide, wide, Ok(1)]);
    assert_eq!(widest(26), [wide, wide, wide]);

    let graph = Graph::complete(20).unwrap();
    let outcome =
        sweep(&HamiltonianCycles::new(&Order::as_given(&graph)), Limits::new().states(1 << 14));
    let error = outcome.complete().expect_err("20 slots");
    assert!(matches!(error.stop(), Stop::StateTooWide | Stop::StateLimit));

    // Labels and bits have other capacities and stop in the same way.
    let graph = Graph::complete(70).unwrap();
    let order = Order::as_given(&graph);
    let few = || Limits::new().states(1000);
    let stops = [
        sweep(&SpanningSubgraphs::trees(&order), few()).stop(),
        sweep(&IndependentSets::new(&order), few()).stop(),
        sweep(&IndependentSets::<u128>::with_word(&order), few()).stop(),
    ];
    assert_eq!(stops, [Stop::StateLimit, Stop::StateTooWide, Stop::Exhausted]);
}
