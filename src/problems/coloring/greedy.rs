//! Bounds that take no search: a clique, and a greedy colouring.

use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use super::Coloring;

/// About so many pairs of vertices are looked at for a clique.
const CLIQUE_EFFORT: usize = 20_000_000;

/// No colour yet.
pub(super) const NONE: usize = usize::MAX;

/// The smallest colour that none of `taken` is.
pub(super) fn smallest_free(taken: impl Iterator<Item = usize>, buffer: &mut Vec<usize>) -> usize {
    buffer.clear();
    buffer.extend(taken.filter(|&colour| colour != NONE));
    buffer.sort_unstable();
    buffer.dedup();
    // The first that is not in its place leaves a gap.
    buffer
        .iter()
        .enumerate()
        .find(|&(place, &colour)| place != colour)
        .map_or(buffer.len(), |(place, _)| place)
}

impl Coloring {
    /// The vertices of a large clique, each joined to all others, in ascending order: that many
    /// colours are needed.
    ///
    /// It is a maximal one, and not always the largest. It is made greedily, from one vertex after
    /// the other, the one of highest degree first: what comes next is joined to most of those that
    /// may follow. Cost: some ten million looks at pairs of vertices at most, beside the size of
    /// the graph.
    #[must_use]
    pub fn clique(&self) -> Vec<usize> {
        let graph = self.graph();
        let mut starts: Vec<usize> = (0..graph.vertices()).collect();
        starts.sort_by_key(|&vertex| std::cmp::Reverse(graph.degree(vertex)));
        let mut best = Vec::new();
        let mut effort = CLIQUE_EFFORT;
        // The candidates of the clique that is being made, and their neighbours among each other.
        let mut is_candidate = vec![false; graph.vertices()];
        for start in starts {
            // A vertex of degree d is in no clique of more than d + 1.
            if graph.degree(start) < best.len() || effort == 0 {
                break;
            }
            let mut clique = vec![start];
            let mut candidates: Vec<usize> = graph.neighbours(start).collect();
            while clique.len() + candidates.len() > best.len() && !candidates.is_empty() {
                candidates.iter().for_each(|&vertex| is_candidate[vertex] = true);
                let among = |vertex: usize| {
                    graph.neighbours(vertex).filter(|&other| is_candidate[other]).count()
                };
                let looks: usize = candidates.iter().map(|&vertex| graph.degree(vertex)).sum();
                effort = effort.saturating_sub(looks + 1);
                // `max_by_key` would take the last of several.
                let next = candidates
                    .iter()
                    .copied()
                    .min_by_key(|&vertex| std::cmp::Reverse(among(vertex)));
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

    /// A proper colouring, with colours from 0: by saturation (DSATUR, Brélaz 1979).
    ///
    /// Next comes the vertex whose neighbours have the most different colours, of several the one
    /// of highest degree, and gets the smallest colour that is left to it. Optimal for bipartite
    /// graphs. Cost: n log n + m log m for n vertices and m edges.
    #[must_use]
    pub fn greedy(&self) -> Vec<usize> {
        let graph = self.graph();
        let vertices = graph.vertices();
        let mut colours = vec![NONE; vertices];
        let mut saturation = vec![0_usize; vertices];
        let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
        // What has been overtaken by a later entry is left in the heap, and passed over.
        let entry =
            |saturation, vertex| (saturation, graph.degree(vertex), std::cmp::Reverse(vertex));
        let mut heap: BinaryHeap<_> = (0..vertices).map(|vertex| entry(0, vertex)).collect();
        let mut buffer = Vec::new();
        while let Some((_, _, std::cmp::Reverse(vertex))) = heap.pop() {
            if colours[vertex] != NONE {
                continue;
            }
            let colour =
                smallest_free(graph.neighbours(vertex).map(|other| colours[other]), &mut buffer);
            colours[vertex] = colour;
            for other in graph.neighbours(vertex).filter(|&other| colours[other] == NONE) {
                if seen.insert((other, colour)) {
                    saturation[other] += 1;
                    heap.push(entry(saturation[other], other));
                }
            }
        }
        colours
    }
}
