//! Graph colouring: the fewest colours such that the ends of each edge differ.
//!
//! A [`Coloring`] is a graph to be coloured. Two bounds need no search: the vertices of a
//! [clique](Coloring::clique) need different colours, and the colours of a [greedy
//! colouring](Coloring::greedy) suffice. Between these bounds,
//! [`chromatic_number`](Coloring::chromatic_number) repeats a search with one colour less until
//! that is refuted or a limit is reached.
//!
//! ```
//! use secateurs::Limits;
//! use secateurs::plug::graph::Graph;
//! use secateurs::problems::coloring::Coloring;
//!
//! // Mycielski's graphs have no triangle, but arbitrarily large chromatic numbers.
//! let graph = Graph::cycle(5)?.mycielskian()?;
//! let coloring = Coloring::new(graph);
//! assert_eq!(coloring.clique().len(), 2);
//! let chromatic = coloring.chromatic_number(&Limits::new());
//! assert_eq!(chromatic.proven(), Some(4));
//! assert!(coloring.is_proper(chromatic.colours()));
//! # Ok::<(), secateurs::plug::graph::GraphError>(())
//! ```
//!
//! The search runs on a [network](Coloring::network) with one variable per vertex and the colours
//! as values. Its brancher is [`Dsatur`], after Brélaz (1979), which also breaks the symmetry
//! between the interchangeable colours.
//!
//! This file has the problem and its bounds; `solve` has the search, the network and its brancher.

mod solve;

pub use solve::{Chromatic, Dsatur};

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

use rustc_hash::FxHashSet;

use crate::plug::graph::Graph;
use crate::problems::dimacs;
use crate::text::ParseError;

/// The largest number of pairs of vertices that the search for a clique inspects, approximately.
const CLIQUE_EFFORT: usize = 20_000_000;

/// The colour of a vertex that has none yet.
pub(super) const UNCOLOURED: usize = usize::MAX;

/// Returns the smallest colour that is not in `taken`.
pub(super) fn smallest_free(taken: impl Iterator<Item = usize>, buffer: &mut Vec<usize>) -> usize {
    buffer.clear();
    buffer.extend(taken.filter(|&colour| colour != UNCOLOURED));
    buffer.sort_unstable();
    buffer.dedup();
    // The first colour that differs from its index leaves a gap before it.
    buffer
        .iter()
        .enumerate()
        .find(|&(place, &colour)| place != colour)
        .map_or(buffer.len(), |(place, _)| place)
}

/// A graph whose vertices are to be coloured; [`parse`](str::parse) reads a DIMACS `.col` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coloring {
    graph: Graph,
}

impl Coloring {
    /// Creates the problem of colouring a graph.
    #[must_use]
    pub fn new(graph: Graph) -> Self {
        Coloring { graph }
    }

    /// Returns the graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns whether `colours` has one colour per vertex, and different ones for the ends of each
    /// edge.
    #[must_use]
    pub fn is_proper(&self, colours: &[usize]) -> bool {
        colours.len() == self.graph.vertices()
            && self.graph.edges().all(|(one, other)| colours[one] != colours[other])
    }

    /// Returns the vertices of a large clique in ascending order. Their number is a lower bound for
    /// the number of colours.
    ///
    /// The clique is maximal, but not always a maximum one. It is the largest one of a greedy
    /// search from each vertex, in descending order of degrees, that extends a clique by the
    /// candidate with the most neighbours among the candidates. Takes time linear in the size of
    /// the graph, plus the inspection of at most about twenty million pairs of vertices.
    #[must_use]
    pub fn clique(&self) -> Vec<usize> {
        let graph = self.graph();
        let mut starts: Vec<usize> = (0..graph.vertices()).collect();
        starts.sort_by_key(|&vertex| Reverse(graph.degree(vertex)));
        let mut best = Vec::new();
        let mut effort = CLIQUE_EFFORT;
        // Marks the candidates for the current clique.
        let mut is_candidate = vec![false; graph.vertices()];
        for start in starts {
            // A vertex of degree d is in no clique of more than d + 1 vertices.
            if graph.degree(start) < best.len() || effort == 0 {
                break;
            }
            let mut clique = vec![start];
            let mut candidates: Vec<usize> = graph.neighbours(start).collect();
            while clique.len() + candidates.len() > best.len() && !candidates.is_empty() {
                candidates.iter().for_each(|&vertex| is_candidate[vertex] = true);
                let neighbours_among = |vertex: usize| {
                    graph.neighbours(vertex).filter(|&other| is_candidate[other]).count()
                };
                let inspected: usize = candidates.iter().map(|&vertex| graph.degree(vertex)).sum();
                // Without effort left, any candidate will do, so that the clique becomes maximal.
                let compared = if effort > inspected { candidates.len() } else { 1 };
                effort = effort.saturating_sub(inspected + 1);
                // Unlike `max_by_key`, this takes the first of several equal candidates.
                let next = candidates[..compared]
                    .iter()
                    .copied()
                    .min_by_key(|&vertex| Reverse(neighbours_among(vertex)));
                candidates.iter().for_each(|&vertex| is_candidate[vertex] = false);
                let Some(next) = next else { break };
                clique.push(next);
                graph.neighbours(next).for_each(|vertex| is_candidate[vertex] = true);
                let kept: Vec<usize> =
                    candidates.iter().copied().filter(|&vertex| is_candidate[vertex]).collect();
                graph.neighbours(next).for_each(|vertex| is_candidate[vertex] = false);
                candidates = kept;
            }
            if candidates.is_empty() && clique.len() > best.len() {
                best = clique;
            }
        }
        best.sort_unstable();
        best
    }

    /// Returns a proper colouring, with colours from 0, by saturation (DSATUR, Brélaz 1979).
    ///
    /// The next vertex is the one whose neighbours have the most different colours, with ties
    /// broken by the highest degree. It gets the smallest colour that no neighbour has. The result
    /// is optimal for bipartite graphs. Takes time n log n + m log m for n vertices and m edges.
    #[must_use]
    pub fn greedy(&self) -> Vec<usize> {
        let graph = self.graph();
        let vertices = graph.vertices();
        let mut colours = vec![UNCOLOURED; vertices];
        let mut saturation = vec![0_usize; vertices];
        let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
        // Outdated entries stay in the heap; those of coloured vertices are skipped.
        let entry = |saturation, vertex| (saturation, graph.degree(vertex), Reverse(vertex));
        let mut heap: BinaryHeap<_> = (0..vertices).map(|vertex| entry(0, vertex)).collect();
        let mut buffer = Vec::new();
        while let Some((_, _, Reverse(vertex))) = heap.pop() {
            if colours[vertex] != UNCOLOURED {
                continue;
            }
            let colour =
                smallest_free(graph.neighbours(vertex).map(|other| colours[other]), &mut buffer);
            colours[vertex] = colour;
            for other in graph.neighbours(vertex).filter(|&other| colours[other] == UNCOLOURED) {
                if seen.insert((other, colour)) {
                    saturation[other] += 1;
                    heap.push(entry(saturation[other], other));
                }
            }
        }
        colours
    }
}

/// Reads the graph with [`dimacs::parse`].
///
/// ```
/// use secateurs::problems::coloring::Coloring;
///
/// let triangle: Coloring = "c three countries\np edge 3 3\ne 1 2\ne 2 3\ne 3 1\n".parse()?;
/// assert_eq!((triangle.graph().vertices(), triangle.graph().edge_count()), (3, 3));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
impl FromStr for Coloring {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        dimacs::parse(text).map(Coloring::new)
    }
}

impl fmt::Display for Coloring {
    /// Writes the graph in the same format: one `p` line, and each edge once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        dimacs::write(&self.graph).fmt(f)
    }
}
