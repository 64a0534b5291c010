//! Sets of the vertices of small graphs, as bits.

use secateurs_problems::graph::Graph;

/// Returns the vertices of a set and their neighbours.
pub fn with_neighbours(graph: &Graph, set: u32) -> u32 {
    let members = (0..graph.vertices()).filter(|&vertex| set >> vertex & 1 == 1);
    members.flat_map(|vertex| graph.neighbours(vertex)).fold(set, |all, next| all | 1 << next)
}

/// Returns whether a set is connected. The empty set is.
pub fn is_connected(graph: &Graph, set: u32) -> bool {
    let (mut reached, mut before) = (set & set.wrapping_neg(), 0);
    while reached != before {
        before = reached;
        reached = with_neighbours(graph, reached) & set;
    }
    reached == set
}

/// Counts the sets for which `is_good` holds.
pub fn count_sets(graph: &Graph, is_good: impl Fn(u32) -> bool) -> u128 {
    (0..1_u32 << graph.vertices()).filter(|&set| is_good(set)).count() as u128
}
