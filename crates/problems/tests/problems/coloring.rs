//! Graph colouring: the DIMACS format, and chromatic numbers.

use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;
use secateurs::{Effect, Limits, ParseError, Search, Stop};
use secateurs_csp::Propagate;
use secateurs_problems::coloring::{Coloring, Dsatur};
use secateurs_problems::graph::Graph;

use crate::support::sizes::sized;

fn parse(text: &str) -> Result<Coloring, ParseError> {
    text.parse()
}

#[test]
fn all_conventions_of_dimacs_files_parse() {
    let expected = Coloring::new(Graph::cycle(4).expect("a small graph"));
    for text in [
        "p edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n",
        "c\r\np col 4 4\r\ne 1 2\r\n\r\ne 2 3\r\ne 3 4\r\nc p edge 9 9\r\ne 4 1",
        // Each edge in both directions; the header counts it twice or once.
        "p edge 4 8\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 3 4\ne 4 3\ne 4 1\ne 1 4\n\n\n",
        "p edge 4 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 3 4\ne 4 3\ne 4 1\ne 1 4\n",
        "p edge 4 8\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n",
        // A comment needs no space after the `c`.
        "c----\ncomment\np edge 4 4\nc1 2\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n",
        "  p  edges\t4 4 \n e 1 2\ne 2 3 \ne 3 4\ne 4 1",
    ] {
        assert_eq!(parse(text).as_ref(), Ok(&expected), "{text:?}");
    }
    assert_eq!(parse("p edge 0 0"), Ok(Coloring::new(Graph::path(0).expect("no graph"))));
    // Vertices without edges belong to the graph.
    assert_eq!(
        parse("p edge 1000000 0\n").map(|coloring| coloring.graph().vertices()),
        Ok(1_000_000)
    );
}

#[test]
fn queen_and_mycielski_graphs_have_the_published_sizes() {
    // Edges of the DIMACS graphs queen5_5 to queen8_8, and myciel3 to myciel6.
    for (n, edges) in [(1, 0), (2, 6), (5, 160), (6, 290), (7, 476), (8, 728)] {
        assert_eq!(Graph::queen(n, n).map(|graph| graph.edge_count()), Ok(edges));
    }
    assert_eq!(Graph::queen(8, 12).map(|graph| graph.edge_count()), Ok(1368));
    assert_eq!(Graph::queen(1, 5).map(|graph| graph.edge_count()), Ok(10));
    let mut graph = Graph::complete(2).expect("an edge");
    let mut sizes = Vec::new();
    for _ in 0..5 {
        graph = graph.mycielskian().expect("a small graph");
        sizes.push((graph.vertices(), graph.edge_count()));
    }
    assert_eq!(sizes, [(5, 5), (11, 20), (23, 71), (47, 236), (95, 755)]);
}

/// Returns the chromatic number, and checks all claims of the result.
fn chromatic(graph: Graph) -> usize {
    let coloring = Coloring::new(graph);
    let chromatic = coloring.chromatic_number(&Limits::new());
    assert!(coloring.is_proper(chromatic.colours()) && coloring.is_proper(&coloring.greedy()));
    let used: BTreeSet<usize> = chromatic.colours().iter().copied().collect();
    assert!(used.into_iter().eq(0..chromatic.at_most()));
    assert_eq!((chromatic.at_least(), chromatic.stop()), (chromatic.at_most(), None));
    let is_joined = |one, other| coloring.graph().neighbours(one).any(|joined| joined == other);
    for (index, &one) in chromatic.clique().iter().enumerate() {
        assert!(chromatic.clique()[..index].iter().all(|&other| is_joined(one, other)));
    }
    chromatic.proven().expect("no limit")
}

#[test]
fn chromatic_numbers_agree_with_known_ones() {
    for (vertices, colours) in [(0, 0), (1, 1), (2, 2), (7, 7), (70, 70)] {
        assert_eq!(chromatic(Graph::complete(vertices).expect("a graph")), colours);
    }
    for vertices in 3..12 {
        assert_eq!(chromatic(Graph::cycle(vertices).expect("a graph")), 2 + vertices % 2);
    }
    assert_eq!(chromatic(Graph::from_edges(50, []).expect("a graph")), 1);
    assert_eq!(chromatic(Graph::grid(&[40, 50]).expect("a graph")), 2);
    assert_eq!(chromatic(Graph::knight(8, 8).expect("a graph")), 2);
    assert_eq!(chromatic(Graph::king(6, 7).expect("a graph")), 4);
    // The DIMACS graphs myciel3 to myciel5 and queen5_5 to queen7_7, and other boards.
    let mut graph = Graph::cycle(5).expect("a graph");
    for colours in [4, 5, 6] {
        graph = graph.mycielskian().expect("a graph");
        assert_eq!(chromatic(graph.clone()), colours);
    }
    let queens = [(4, 4, 5), (5, 5, 5), (6, 6, 7), (7, 7, 7), (8, 12, 12), (8, 8, 9)];
    for (rows, columns, colours) in queens.into_iter().take(sized(5, 6)) {
        let queen = Graph::queen(rows, columns).expect("a graph");
        assert_eq!(chromatic(queen), colours, "{rows} × {columns}");
    }
}

/// Returns the disjoint union of two graphs.
fn disjoint_union(one: &Graph, other: &Graph) -> Graph {
    let shift = one.vertices();
    let moved = other.edges().map(|(from, to)| (from + shift, to + shift));
    Graph::from_edges(shift + other.vertices(), one.edges().chain(moved)).expect("a small graph")
}

#[test]
fn connected_components_are_searched_separately() {
    // Separately, each component takes one search. Jointly, each would be searched again for every
    // colouring of the others.
    let hard =
        Graph::cycle(5).and_then(|graph| graph.mycielskian()?.mycielskian()).expect("a graph");
    let all =
        (0..5).fold(Graph::queen(6, 6).expect("a graph"), |all, _| disjoint_union(&all, &hard));
    let coloring = Coloring::new(all);
    let chromatic = coloring.chromatic_number(&Limits::new().nodes(20_000));
    assert_eq!(chromatic.proven(), Some(7));
}

#[test]
fn stopped_searches_give_bounds() {
    let coloring = Coloring::new(Graph::queen(8, 8).expect("a graph"));
    let mut at_most = 64;
    for nodes in [0, 1, 100, 1000, 10_000] {
        let chromatic = coloring.chromatic_number(&Limits::new().nodes(nodes));
        assert_eq!((chromatic.proven(), chromatic.stop()), (None, Some(Stop::NodeLimit)));
        assert_eq!(
            chromatic.report().map(|report| report.nodes()),
            Some(nodes),
            "limits apply to all searches together"
        );
        assert_eq!(chromatic.at_least(), 8);
        assert!((9..=at_most).contains(&chromatic.at_most()));
        assert!(coloring.is_proper(chromatic.colours()));
        at_most = chromatic.at_most();
        assert_eq!(chromatic.to_string(), format!("at least 8, at most {at_most}"));
    }
    let chromatic = coloring.chromatic_number(&Limits::new().time(Duration::ZERO));
    assert_eq!(chromatic.stop(), Some(Stop::TimeLimit));
    assert!(!coloring.is_proper(&[0]) && !coloring.is_proper(&[0; 64]));
}

#[test]
fn no_colours_and_coloured_cliques_are_counted() {
    let coloring = Coloring::new(Graph::path(3).expect("a graph"));
    for (colours, clique, count) in [(0, &[][..], 0), (3, &[0, 1], 2)] {
        let network = coloring.network(colours, clique).expect("a network");
        assert_eq!(Search::new(&network).count().exact(), Some(count));
    }
}

/// Counts the partitions of the vertices into at most `colours` independent sets, one vertex after
/// the other.
fn partitions(graph: &Graph, colours: usize, assigned: &mut Vec<usize>) -> u128 {
    let vertex = assigned.len();
    if vertex == graph.vertices() {
        return 1;
    }
    let used = assigned.iter().max().map_or(0, |&colour| colour + 1);
    let mut ways = 0;
    for colour in 0..colours.min(used + 1) {
        if graph.neighbours(vertex).all(|other| assigned.get(other) != Some(&colour)) {
            assigned.push(colour);
            ways += partitions(graph, colours, assigned);
            assigned.pop();
        }
    }
    ways
}

fn graphs(most: usize) -> impl Strategy<Value = Graph> {
    (1..=most, 0..=100_u32, any::<u64>()).prop_map(|(vertices, percent, seed)| {
        let mut random = fastrand::Rng::with_seed(seed);
        let pairs = (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to)));
        let edges: Vec<(usize, usize)> = pairs.filter(|_| random.u32(..100) < percent).collect();
        Graph::from_edges(vertices, edges).expect("a small graph")
    })
}

#[test]
fn the_clique_is_maximal_even_if_its_effort_limit_is_reached() {
    let coloring = Coloring::new(Graph::complete(500).expect("a graph"));
    assert_eq!(coloring.clique().len(), 500);
}

proptest! {
    #[test]
    fn chromatic_number_agrees_with_brute_force(graph in graphs(9)) {
        let fewest = (0..).find(|&colours| partitions(&graph, colours, &mut Vec::new()) > 0);
        prop_assert_eq!(Some(chromatic(graph)), fewest);
    }

    /// The search finds one representative of each orbit under permutations of colours, with a
    /// fixed clique or without.
    #[test]
    fn dsatur_finds_one_colouring_per_orbit(graph in graphs(7), colours in 1..6_usize) {
        let expected = partitions(&graph, colours, &mut Vec::new());
        let coloring = Coloring::new(graph);
        for clique in [vec![], coloring.clique()] {
            let network = coloring.network(colours, &clique).expect("a network");
            for level in [Propagate::forward(), Propagate::full()] {
                let dsatur = Dsatur::new(coloring.graph());
                let search = Search::new(&network).hooks((level,)).brancher(dsatur);
                let outcome = search.check_undo().count();
                prop_assert_eq!(outcome.representatives(), Some(expected));
                prop_assert_eq!(outcome.effect(), Effect::Representatives);
                prop_assert_eq!(outcome.exact(), (expected == 0).then_some(0));
            }
        }
    }

    #[test]
    fn display_and_parse_round_trip(
        vertices in 2..40_usize,
        edges in prop::collection::vec((0..40_usize, 0..40_usize), 0..60),
    ) {
        let mut edges: Vec<(usize, usize)> = edges
            .into_iter()
            .map(|(one, other)| (one % vertices, other % vertices))
            .filter(|(one, other)| one < other)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let coloring = Coloring::new(Graph::from_edges(vertices, edges).expect("a graph"));
        prop_assert_eq!(parse(&coloring.to_string()), Ok(coloring));
    }
}
