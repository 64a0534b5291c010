//! The order in which vertices are coloured.

use crate::plug::graph::Graph;

/// All vertices, each of least degree among itself and those before it (Matula and Beck 1983): the
/// hard core of the graph comes first, and is coloured first.
///
/// Linear in the size of the graph: vertices wait in a bucket for each degree, and may be left
/// behind in buckets that they have since passed.
pub(super) fn least_degree_last(graph: &Graph) -> Vec<u32> {
    let number = graph.vertices();
    let mut degrees: Vec<usize> = (0..number).map(|vertex| graph.degree(vertex)).collect();
    let most = degrees.iter().max().map_or(0, |&degree| degree + 1);
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); most];
    // What goes in first comes out last: of equals, the smallest number ends at the front.
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
        let place = vertex as usize;
        if is_placed[place] || degrees[place] != least {
            continue;
        }
        is_placed[place] = true;
        order.push(vertex);
        for other in graph.neighbours(place).filter(|&other| !is_placed[other]) {
            degrees[other] -= 1;
            #[allow(clippy::cast_possible_truncation, reason = "no graph has as many vertices")]
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
    fn the_last_vertex_is_of_least_degree_and_so_is_the_one_before_it() {
        // A triangle (1, 2, 4) with a path (3, 0) that hangs on it, and a vertex alone (5).
        let graph =
            Graph::from_edges(6, [(1, 2), (2, 4), (4, 1), (4, 3), (3, 0)]).expect("a small graph");
        let order = least_degree_last(&graph);
        assert_eq!(order[3..], [3, 0, 5]);
        let mut all = order;
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn every_vertex_is_of_least_degree_among_those_before_it() {
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
