//! An optimum of a problem of your own: a heaviest set of vertices of a graph, no two of which are
//! joined. With a bound and an order of variables that are audited, and an estimate.

use std::{error::Error, ops::Range};

use secateurs::{Branch, Brancher, CopyProblem, Limits, Node, Objective, Search};
use secateurs_lab::Audit;

struct Graph {
    weights: Vec<u32>,
    neighbours: Vec<u64>, // of each vertex, as bits
}

impl CopyProblem for Graph {
    type State = (u64, u32); // the undecided vertices, and the weight of the chosen ones
    type Cursor = Range<u8>;
    type Choice = (u8, bool); // a vertex, and whether it is chosen

    fn root(&self) -> (u64, u32) {
        ((1 << self.weights.len()) - 1, 0)
    }
    fn branch(&self, &(open, _): &(u64, u32)) -> Branch<Range<u8>> {
        if open == 0 { Branch::Solution } else { Branch::Inner(0..2) }
    }
    fn next(&self, &(open, _): &(u64, u32), choices: &mut Range<u8>) -> Option<(u8, bool)> {
        choices.next().map(|choice| (open.trailing_zeros() as u8, choice == 0))
    }
    fn apply(&self, (open, weight): (u64, u32), &(vertex, chosen): &(u8, bool)) -> (u64, u32) {
        let (near, own) = (self.neighbours[vertex as usize], self.weights[vertex as usize]);
        let rest = open & !(1 << vertex);
        if chosen { (rest & !near, weight + own) } else { (rest, weight) }
    }
}

/// The value to maximise.
fn weight(_: &Graph, state: &(u64, u32)) -> u32 {
    state.1
}

/// Returns the heaviest of these vertices.
fn heaviest(graph: &Graph, vertices: u64) -> Option<usize> {
    (0..64).filter(|vertex| vertices >> vertex & 1 == 1).max_by_key(|&vertex| graph.weights[vertex])
}

/// An optimistic value: at most one vertex of a clique is chosen. Each clique is built around the
/// heaviest vertex that is left.
fn clique_cover(graph: &Graph, &(mut open, mut bound): &(u64, u32)) -> u32 {
    while let Some(first) = heaviest(graph, open) {
        bound += graph.weights[first];
        let mut joined = open;
        while let Some(vertex) = heaviest(graph, joined) {
            open &= !(1 << vertex);
            joined &= graph.neighbours[vertex];
        }
    }
    bound
}

/// Decides next about the vertex with the most undecided neighbours.
#[derive(Clone)]
struct MostNeighbours;

impl Brancher<Graph> for MostNeighbours {
    type Cursor = (u8, Range<u8>); // the vertex, and its choices that are left

    fn branch(&mut self, node: &Node<'_, Graph>) -> Branch<Self::Cursor> {
        let (graph, (open, _)) = (node.problem(), *node.state());
        let near = |&vertex: &u8| (graph.neighbours[vertex as usize] & open).count_ones();
        match (0..64).filter(|vertex| open >> vertex & 1 == 1).max_by_key(near) {
            None => Branch::Solution,
            Some(vertex) => Branch::Inner((vertex, 0..2)),
        }
    }
    fn next(&mut self, _: &Node<'_, Graph>, cursor: &mut Self::Cursor) -> Option<(u8, bool)> {
        cursor.1.next().map(|choice| (cursor.0, choice == 0))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // Each audit needs an objective of its own: a value that is known before hides wrong cuts.
    let small = graph(10, 1);
    let value = || Objective::maximise(weight);
    Audit::of_best(&small, &value()).bound("cover", clique_cover).run()?.exhaustive()?;
    Audit::of_best(&small, &value()).brancher(|| MostNeighbours).run()?.exhaustive()?;

    let graph = graph(60, 1);
    // A bound compares with the incumbent, so an estimate needs a good value: of a short search.
    let known = value();
    let search =
        || Search::new(&graph).hook(known.bound("cover", clique_cover)).brancher(MostNeighbours);
    let _ = search().limits(Limits::new().nodes(1_000)).best(&known);
    let nodes = search().estimate(1_000, 1).nodes().ok_or("no probe was made")?.mean;
    println!("about {nodes:.0} nodes with the bound as a hook");

    let value = value();
    let sorted =
        value.sorted(|graph, &state, choice| clique_cover(graph, &graph.apply(state, choice)));
    let outcome = Search::new(&graph).brancher(sorted.over(MostNeighbours)).best(&value);
    println!("{} with the children sorted by it", outcome.report().nodes());
    println!("the heaviest set weighs {}", outcome.proven().ok_or("no proof")?);
    Ok(())
}

/// Returns a random graph, a fifth of whose pairs of vertices are joined.
fn graph(vertices: usize, seed: u32) -> Graph {
    let mut random = seed;
    let mut below = |limit: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 16) % limit
    };
    let weights = (0..vertices).map(|_| 1 + below(100)).collect();
    let mut neighbours = vec![0; vertices];
    for (one, other) in (0..vertices).flat_map(|one| (0..one).map(move |other| (one, other))) {
        if below(5) == 0 {
            neighbours[one] |= 1 << other;
            neighbours[other] |= 1 << one;
        }
    }
    Graph { weights, neighbours }
}
