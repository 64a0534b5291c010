//! Graph colouring: DIMACS files, and chromatic numbers.

use proptest::prelude::*;
use secateurs::plug::graph::{Graph, GraphError};
use secateurs::problems::coloring::{Coloring, ParseColoringError};

fn parse(text: &str) -> Result<Coloring, ParseColoringError> {
    text.parse()
}

#[test]
fn graphs_are_read_as_such_files_have_them() {
    let expected = Coloring::new(Graph::cycle(4).expect("a small graph"));
    for text in [
        "p edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n",
        "c\r\np col 4 4\r\ne 1 2\r\n\r\ne 2 3\r\ne 3 4\r\nc p edge 9 9\r\ne 4 1",
        // Each edge in both directions, counted twice or once.
        "p edge 4 8\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 3 4\ne 4 3\ne 4 1\ne 1 4\n\n\n",
        "p edge 4 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\ne 3 4\ne 4 3\ne 4 1\ne 1 4\n",
        "p edge 4 8\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n",
        "  p  edges\t4 4 \n e 1 2\ne 2 3 \ne 3 4\ne 4 1",
    ] {
        assert_eq!(parse(text).as_ref(), Ok(&expected), "{text:?}");
    }
    assert_eq!(parse("p edge 0 0"), Ok(Coloring::new(Graph::path(0).expect("no graph"))));
    // Vertices without edges are vertices.
    assert_eq!(parse("p edge 1000000 0\n").map(|coloring| coloring.graph().vertices()), Ok(1_000_000));
}

#[test]
fn what_is_no_graph_is_said_where_it_is_not() {
    for (text, message) in [
        ("", "line 1: found the end of the text, expected a line `p edge VERTICES EDGES`"),
        ("c only\nc comments\n", "line 3: found the end of the text, expected a line `p edge VERTICES EDGES`"),
        ("e 1 2\n", "line 1, column 1: found \"e\", expected `c` (a comment) or `p edge VERTICES EDGES`"),
        ("c\np graph 1 2\n", "line 2, column 3: found \"graph\", expected `edge` or `col`"),
        ("p edge\n", "line 1, column 7: found the end of the line, expected the number of vertices"),
        ("p edge -3 2\n", "line 1, column 8: found \"-3\", expected the number of vertices"),
        ("p edge 3 x\n", "line 1, column 10: found \"x\", expected the number of edges"),
        ("p edge 3 2 1\n", "line 1, column 12: found \"1\", expected the end of the line"),
        (
            "p edge 3 2\np edge 3 2\n",
            "line 2, column 1: found \"p\", expected `c` (a comment) or `e` (an edge) after the line `p …`",
        ),
        ("p edge 3 2\nx 1 2\n", "line 2, column 1: found \"x\", expected `c` (a comment) or `e` (an edge)"),
        ("p edge 3 1\ne 1\n", "line 2, column 4: found the end of the line, expected a vertex"),
        ("p edge 3 1\ne 1 4\n", "line 2, column 5: found \"4\", expected a vertex from 1 to 3"),
        ("p edge 3 1\ne 0 1\n", "line 2, column 3: found \"0\", expected a vertex from 1 to 3"),
        (
            "p edge 3 1\ne 1 99999999999999999999\n",
            "line 2, column 5: found \"99999999999999999999\", expected a vertex from 1 to 3",
        ),
        ("p edge 3 1\ne 1 2 3\n", "line 2, column 7: found \"3\", expected the end of the line"),
        (
            "p edge 3 1\ne 2  2\n",
            "line 2, column 6: found 2 again, expected a vertex other than that one (none with an edge to itself can be coloured)",
        ),
    ] {
        assert_eq!(parse(text).expect_err(text).to_string(), message);
    }
    for said in ["2", "5", "18446744073709551615"] {
        let text = format!("p edge 3 {said}\ne 1 2\ne 2 3\ne 3 1\n");
        assert_eq!(
            parse(&text),
            Err(ParseColoringError::Edges { line: 5, lines: 3, edges: 3, expected: said.parse().expect("a number") })
        );
    }
    let limit = Graph::MAX_VERTICES;
    for vertices in ["1048577", "18446744073709551616"] {
        let error = GraphError::TooManyVertices { limit };
        assert_eq!(parse(&format!("p edge {vertices} 1\n")), Err(ParseColoringError::TooLarge { line: 1, error }));
    }
}

#[test]
fn graphs_of_queens_and_of_mycielski_are_what_they_are_called() {
    // Edges of the DIMACS graphs queen5_5 to queen8_8, and myciel3 to myciel6.
    for (n, edges) in [(1, 0), (2, 6), (5, 160), (6, 290), (7, 476), (8, 728)] {
        assert_eq!(Graph::queen(n, n).map(|graph| graph.edge_count()), Ok(edges));
    }
    assert_eq!(Graph::queen(8, 12).map(|graph| graph.edge_count()), Ok(1368));
    assert_eq!(Graph::queen(1, 5).map(|graph| graph.edge_count()), Ok(10));
    assert!(Graph::queen(1 << 11, 1 << 11).is_err() && Graph::queen(1, 1 << 20).is_err());
    let mut graph = Graph::complete(2).expect("an edge");
    let mut sizes = Vec::new();
    for _ in 0..5 {
        graph = graph.mycielskian().expect("a small graph");
        sizes.push((graph.vertices(), graph.edge_count()));
    }
    assert_eq!(sizes, [(5, 5), (11, 20), (23, 71), (47, 236), (95, 755)]);
}

proptest! {
    #[test]
    fn a_graph_that_is_written_is_read_again(vertices in 2..40_usize, edges in prop::collection::vec((0..40_usize, 0..40_usize), 0..60)) {
        let mut edges: Vec<(usize, usize)> = edges.into_iter()
            .map(|(one, other)| (one % vertices, other % vertices))
            .filter(|(one, other)| one < other)
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let coloring = Coloring::new(Graph::from_edges(vertices, edges).expect("a graph"));
        prop_assert_eq!(parse(&coloring.to_string()), Ok(coloring));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[pce0-9 edgcol\n\r]{0,80}") {
        let _ = parse(&text);
    }
}
