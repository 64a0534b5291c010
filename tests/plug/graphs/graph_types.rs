//! Graphs, orders and frontier plans: shapes, edge lists and invalid arguments.

use proptest::prelude::*;
use secateurs_problems::graph::{FrontierPlan, Graph, GraphError, Order};

use crate::shared::edge_sets::graphs;

#[test]
fn edge_lists_are_parsed_with_comments_blank_lines_and_any_line_ends() {
    let expected = Graph::from_edges(4, [(0, 1), (1, 2), (2, 0)]).unwrap();
    for text in [
        "1 2\n2 3\n3 1\nx\n",
        "1 2\r\n2 3\r\n3 1\r\nx",
        "# three\n\n 1\t2 # here\n2 3\n3 1\n\nx\n\n\n",
    ] {
        let graph: Graph = text.parse().expect(text);
        assert_eq!((graph.vertices(), graph.edge_count()), (4, 3), "{text:?}");
        assert!(graph.edges().eq(expected.edges()));
        assert_eq!((graph.name(0), graph.name(3)), ("1".into(), "x".into()));
        assert_eq!(
            (graph.vertex("3"), graph.vertex("x"), graph.vertex("0")),
            (Some(2), Some(3), None)
        );
    }
    let with_byte_order_mark: Graph = "\u{feff}a b\nb c\nc a\n".parse().unwrap();
    assert_eq!((with_byte_order_mark.vertices(), with_byte_order_mark.name(0)), (3, "a".into()));
    assert_eq!(expected.vertex("3"), Some(3));
    assert_eq!((expected.vertex("+3"), expected.vertex("")), (None, None));
    assert_eq!((expected.vertex("4"), expected.name(2)), (None, "2".into()));
}

#[test]
fn excessive_sizes_are_refused_and_large_graphs_are_ordered() {
    let many = GraphError::TooManyVertices { limit: Graph::MAX_VERTICES };
    assert_eq!(Graph::grid(&[usize::MAX, usize::MAX]).unwrap_err(), many);
    assert_eq!(Graph::grid(&[1 << 11, 1 << 10]).unwrap_err(), many);
    assert_eq!(Graph::knight(usize::MAX, 2).unwrap_err(), many);
    assert_eq!(Graph::king(1, usize::MAX).unwrap_err(), many);
    assert_eq!(Graph::path(usize::MAX).unwrap_err(), many);
    assert_eq!(Graph::cycle(usize::MAX).unwrap_err(), many);
    assert_eq!(Graph::complete(usize::MAX).unwrap_err(), many);
    assert_eq!(
        Graph::complete(1 << 13).unwrap_err(),
        GraphError::TooManyEdges { limit: Graph::MAX_EDGES }
    );
    assert_eq!(Graph::from_edges(usize::MAX, []).unwrap_err(), many);
    // A size of 0 makes the graph empty, whatever the other sizes are.
    assert_eq!(Graph::grid(&[usize::MAX, 0, usize::MAX]).unwrap().vertices(), 0);
    assert_eq!(Graph::knight(0, usize::MAX).unwrap().vertices(), 0);
    assert_eq!(Graph::knight(usize::MAX, 0).unwrap().vertices(), 0);
    // Long grids and stars are ordered in little time.
    let long = Graph::grid(&[2, 1 << 13]).unwrap();
    assert!(Order::breadth_first(&long).width() <= 3);
    assert!(Order::minimum_frontier(&long).width() <= 3);
    let star = Graph::from_edges(1 << 13, (1..1 << 13).map(|leaf| (0, leaf))).unwrap();
    assert_eq!(Order::narrowest(&star).width(), 1);
}

#[test]
fn shapes_have_the_expected_vertices_and_edges() {
    let sizes = |graph: Graph| (graph.vertices(), graph.edge_count());
    assert_eq!(sizes(Graph::grid(&[]).unwrap()), (1, 0));
    assert_eq!(sizes(Graph::grid(&[1, 1, 5, 1]).unwrap()), (5, 4));
    assert_eq!(sizes(Graph::grid(&[3, 4]).unwrap()), (12, 3 * 3 + 2 * 4));
    assert_eq!(sizes(Graph::grid(&[2, 2, 2, 2]).unwrap()), (16, 32));
    assert_eq!(sizes(Graph::king(8, 8).unwrap()), (64, 210));
    assert_eq!(sizes(Graph::knight(8, 8).unwrap()), (64, 168));
    assert_eq!(sizes(Graph::king(1, 4).unwrap()), (4, 3));
    assert_eq!(sizes(Graph::knight(1, 9).unwrap()), (9, 0));
    assert_eq!(sizes(Graph::complete(0).unwrap()), (0, 0));
    assert_eq!(sizes(Graph::complete(7).unwrap()), (7, 21));
    assert_eq!(sizes(Graph::path(0).unwrap()), (0, 0));
    assert_eq!(sizes(Graph::path(5).unwrap()), (5, 4));
    assert_eq!(sizes(Graph::cycle(5).unwrap()), (5, 5));
    let board = Graph::grid(&[3, 4]).unwrap();
    assert_eq!(board.neighbours(5).collect::<Vec<_>>(), [1, 4, 6, 9]);
    assert_eq!(
        board.edges_at(0).map(|edge| board.edge(edge)).collect::<Vec<_>>(),
        [(0, 1), (0, 4)]
    );
}

#[test]
fn annealing_reduces_the_cost_of_an_order() {
    let graph = Graph::knight(6, 7).unwrap();
    let order = Order::narrowest(&graph);
    let better = order.annealed(20_000, 1);
    assert!(better.cost() < 0.7 * order.cost(), "{} of {}", better.cost(), order.cost());
}

#[test]
fn widths_cost_and_slots_of_a_cycle_are_as_computed_by_hand() {
    let graph = Graph::cycle(4).unwrap();
    let order = Order::as_given(&graph);
    assert_eq!(order.widths(), [2, 2, 2, 0]);
    assert_eq!(Order::of_edges(&graph, &[0, 2, 1, 3]).unwrap().widths(), [2, 4, 2, 0]);
    assert_eq!(order.vertices(), [1, 2, 0, 3]);
    assert!((order.cost() - 13.0).abs() < 1e-9);
    let frontier = FrontierPlan::new(&order);
    assert_eq!((frontier.vertices(), frontier.isolated(), frontier.slots()), (4, 0, 3));
    assert_eq!(
        frontier.cells().iter().map(|cell| cell.to_come()).collect::<Vec<_>>(),
        [2, 1, 0, 0]
    );
}

proptest! {
    /// Compares a plan with the order that it was made from.
    #[test]
    fn frontier_plans_agree_with_their_order(graph in graphs(9, 36)) {
        for order in [
            Order::as_given(&graph),
            Order::breadth_first(&graph),
            Order::minimum_frontier(&graph),
            Order::narrowest(&graph),
        ] {
            let mut edges: Vec<usize> = order.edges().collect();
            let frontier = FrontierPlan::new(&order);
            // The vertex in each slot.
            let mut occupants: Vec<Option<usize>> = Vec::new();
            for ((place, cell), (&edge, width)) in
                frontier.cells().iter().enumerate().zip(edges.iter().zip(order.widths()))
            {
                prop_assert_eq!(cell.vertices(), graph.edge(edge));
                let rest = &edges[place + 1..];
                for end in cell.ends() {
                    let touches = |edge: &&usize| {
                        let (one, other) = graph.edge(**edge);
                        one == end.vertex() || other == end.vertex()
                    };
                    let is_first = !edges[..place].iter().any(|edge| touches(&edge));
                    prop_assert_eq!(end.enters(), is_first);
                    prop_assert_eq!(end.later(), rest.iter().filter(touches).count());
                    prop_assert!(end.slot() < cell.slots() && cell.slots() <= frontier.slots());
                    occupants.resize(occupants.len().max(end.slot() + 1), None);
                    prop_assert_eq!(occupants[end.slot()], (!end.enters()).then_some(end.vertex()));
                    occupants[end.slot()] = Some(end.vertex());
                }
                for end in cell.ends().into_iter().filter(|end| end.leaves()) {
                    occupants[end.slot()] = None;
                }
                prop_assert_eq!(occupants.iter().flatten().count(), width);
            }
            prop_assert!(frontier.slots() <= order.width() + 2);
            edges.sort_unstable();
            prop_assert!(edges.into_iter().eq(0..graph.edge_count()));
            let mut vertices = order.vertices();
            vertices.sort_unstable();
            prop_assert!(vertices.into_iter().eq(0..graph.vertices()));
            prop_assert!(Order::narrowest(&graph).cost() <= order.cost());
            prop_assert!(order.annealed(20, 7).cost() <= order.cost());
            prop_assert!(order.annealed(20, 7).edges().eq(order.annealed(20, 7).edges()));
        }
    }
}
