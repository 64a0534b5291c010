//! The order in which vertices are coloured.

use crate::plug::graph::Graph;

/// Returns all vertices in smallest-last order (Matula and Beck 1983): each vertex has least degree
/// in the subgraph of itself and those before it. The dense core of the graph comes first and is
/// coloured first.
///
/// Takes time linear in the size of the graph: there is a bucket of vertices for each degree, and
/// outdated entries of vertices whose degree has since decreased are skipped.
pub(super) fn least_degree_last(graph: &Graph) -> Vec<u32> {
    let number = graph.vertices();
    let mut degrees: Vec<usize> = (0..number).map(|vertex| graph.degree(vertex)).collect();
    let most = degrees.iter().max().map_or(0, |&degree| degree + 1);
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); most];
    // Buckets are stacks, so among vertices of equal degree the smallest ends at the front.
    for (vertex, &degree) in (0..).zip(&degrees) {
        buckets[degree].push(vertex);
    }
    let mut is_placed = vec![false; number];
    let mut order = Vec::with_capacity(number);
    let mut least = 0;
    while least < most {
        let Some(vertex) = buckets[least].pop() else {
            least += 1;
            continue;
        };
        let index = vertex as usize;
        if is_placed[index] || degrees[index] != least {
            continue;
        }
        is_placed[index] = true;
        order.push(vertex);
        for other in graph.neighbours(index).filter(|&other| !is_placed[other]) {
            degrees[other] -= 1;
            #[allow(clippy::cast_possible_truncation, reason = "vertices fit in 32 bits")]
            buckets[degrees[other]].push(other as u32);
        }
        least = least.saturating_sub(1);
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_of_least_degree_come_last() {
        // A triangle (1, 2, 4) with a pendant path (3, 0), and an isolated vertex (5).
        let graph =
            Graph::from_edges(6, [(1, 2), (2, 4), (4, 1), (4, 3), (3, 0)]).expect("a small graph");
        let order = least_degree_last(&graph);
        assert_eq!(order[3..], [3, 0, 5]);
        let mut all = order;
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn every_vertex_has_least_degree_among_those_before_it() {
        let graph = Graph::queen(5, 7).expect("a small graph");
        let mut order = least_degree_last(&graph);
        while let Some(&last) = order.last() {
            let degree = |vertex: u32| {
                graph.neighbours(vertex as usize).filter(|&n| order.contains(&(n as u32))).count()
            };
            assert!(order.iter().all(|&other| degree(last) <= degree(other)));
            order.pop();
        }
        assert!(least_degree_last(&Graph::path(0).expect("no graph")).is_empty());
    }
}
