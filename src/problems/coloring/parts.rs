//! What of a graph has to be searched: the parts of its core.

use crate::plug::graph::Graph;

/// A connected part of a graph's core, as a graph of its own.
pub(super) struct Part {
    pub(super) graph: Graph,
    /// What each vertex of it is in the whole graph.
    pub(super) vertices: Vec<usize>,
}

/// What is left of a graph when vertices of few neighbours have been peeled off.
pub(super) struct Core {
    /// Those that were peeled off, the first one first.
    pub(super) peeled: Vec<usize>,
    is_peeled: Vec<bool>,
}

impl Core {
    /// Peels off vertices with less than `colours` neighbours, again and again (Matula and Beck
    /// 1983).
    ///
    /// Whatever colours their neighbours have, one of so many is left to such a vertex: if the rest
    /// can be coloured, so can they be, the last one first. Cost: linear in the graph.
    pub(super) fn new(graph: &Graph, colours: usize) -> Self {
        let mut degrees: Vec<usize> =
            (0..graph.vertices()).map(|vertex| graph.degree(vertex)).collect();
        let mut peeled: Vec<usize> =
            (0..graph.vertices()).filter(|&vertex| degrees[vertex] < colours).collect();
        let mut is_peeled: Vec<bool> = degrees.iter().map(|&degree| degree < colours).collect();
        let mut next = 0;
        while let Some(&vertex) = peeled.get(next) {
            next += 1;
            for other in
                graph.neighbours(vertex).filter(|&other| !is_peeled[other]).collect::<Vec<_>>()
            {
                degrees[other] -= 1;
                if degrees[other] < colours {
                    is_peeled[other] = true;
                    peeled.push(other);
                }
            }
        }
        Core { peeled, is_peeled }
    }

    /// The connected parts of what is left, the largest first: each can be searched by itself,
    /// where a search of all at once would find every colouring of one before it gives up on
    /// another.
    pub(super) fn parts(&self, graph: &Graph) -> Vec<Part> {
        let mut place = vec![usize::MAX; graph.vertices()];
        let mut parts = Vec::new();
        for start in (0..graph.vertices()).filter(|&vertex| !self.is_peeled[vertex]) {
            if place[start] != usize::MAX {
                continue;
            }
            let mut vertices = vec![start];
            place[start] = 0;
            let mut next = 0;
            while let Some(&vertex) = vertices.get(next) {
                next += 1;
                for other in graph.neighbours(vertex).filter(|&other| !self.is_peeled[other]) {
                    if place[other] == usize::MAX {
                        place[other] = vertices.len();
                        vertices.push(other);
                    }
                }
            }
            let onward = |(number, &vertex): (usize, &usize)| {
                let others = graph
                    .neighbours(vertex)
                    .filter(|&other| !self.is_peeled[other])
                    .map(|other| place[other]);
                others
                    .filter(|&other| other > number)
                    .map(|other| (number, other))
                    .collect::<Vec<_>>()
            };
            let edges: Vec<(usize, usize)> = vertices.iter().enumerate().flat_map(onward).collect();
            let graph = Graph::from_edges(vertices.len(), edges).expect("a part of a graph is one");
            parts.push(Part { graph, vertices });
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.vertices.len()));
        parts
    }
}
