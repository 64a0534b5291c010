//! Cliques: sets of pairwise adjacent vertices of a graph, and the maximum clique problem.
//!
//! [`Cliques`] is the tree of *all* cliques of a graph, each of them once. Finding a maximum one
//! needs a bound: vertices that can be coloured with k colours contain no clique of more than k of
//! them. Tomita and Seki (2003) colour the candidates of each node greedily, which is cheap and
//! serves twice. The colour of a candidate bounds the cliques that it forms with candidates of
//! lower colours; and candidates of high colours are tried first, so that the first cut prunes all
//! remaining candidates as well. San Segundo et al. (2011) do this on sets of bits, a word of
//! candidates at a time. This module implements their algorithm in two parts: the order belongs to
//! the [problem](Cliques), and the bound is a hook, [`ColouringBound`], whose cuts are counted. The
//! hook can also [refine](Refinement) the colouring, to prune candidates of higher colours as well.
//!
//! ```
//! use secateurs_problems::graph::Graph;
//! use secateurs::{Limits, Search};
//! use secateurs_problems::clique::{Cliques, ColouringBound};
//!
//! // A clique is a set of queens that all attack each other, such as a row.
//! let queens = Cliques::new(&Graph::queen(6, 6)?)?.guided(1);
//! let outcome = queens.maximum(Limits::new());
//! assert_eq!(outcome.proven(), Some(&6));
//! assert!(outcome.solution().is_some_and(|clique| queens.is_clique(clique)));
//!
//! // With the plain bound, and the number of all cliques including the empty one.
//! let size = Cliques::size();
//! let search = Search::new(&queens).hooks((ColouringBound::new(size.incumbent()),));
//! assert_eq!(search.best(&size).proven(), Some(&6));
//! let all = Search::new(&queens).count();
//! assert_eq!(all.exact(), Some(1642));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The independent sets of a graph are the cliques of its complement. [`dimacs`](super::dimacs)
//! reads graphs.
//!
//! Read `mod.rs` for the tree, `state` for the colouring, `refinement` for its refinements, `bound`
//! for the hook, and `local_search` for the clique that is tried first.

mod bound;
mod local_search;
mod refinement;
mod state;

use std::fmt;

pub use bound::ColouringBound;
pub use refinement::Refinement;
pub use state::{Candidate, CliqueState};

use crate::graph::Graph;
use secateurs::hook::Node;
use secateurs::search::Search;
use secateurs::{Branch, Limits, Objective, Optimum, Outcome, Problem};

use crate::InstanceError;

/// The number of bits of a word.
const BITS: usize = u64::BITS as usize;

/// The [objective](Cliques::size) of a search for a maximum clique.
pub type Size = Objective<Cliques, usize, fn(&Cliques, &CliqueState) -> usize>;

/// The tree of all cliques of a graph, each clique once, as a [`Problem`].
///
/// A node is a clique, hence a solution; the root is the empty clique. The *candidates* of a node
/// are vertices adjacent to all vertices of the clique. They are [coloured](Candidate::colour)
/// greedily, in an order that is computed once for the whole graph: the last vertex has least
/// degree, the one before it has least degree in the rest of the graph, and so on (Matula and Beck
/// 1983). Each candidate is a choice, the highest colour first. The candidates of the child are the
/// neighbours of the chosen candidate among those before it in the order of (colour, rank). So the
/// tree depends neither on prunings nor on the order in which children are visited.
///
/// For n vertices, the problem takes n²/8 bytes, and a step takes time proportional to the number
/// of candidates times n/64.
#[derive(Clone, PartialEq, Eq)]
pub struct Cliques {
    /// The vertex of each rank. Candidates are coloured in the order of their ranks.
    vertices: Vec<u32>,
    /// The number of words of a set of vertices.
    words: usize,
    /// The adjacency matrix: for each rank, the set of the ranks of the neighbours.
    rows: Vec<u64>,
    /// The clique that is tried first, as a set of ranks; empty without one.
    guide: Vec<u64>,
}

impl Cliques {
    /// The largest number of vertices, for which the adjacency matrix takes 128 MiB.
    pub const MAX_VERTICES: usize = 1 << 15;

    /// Creates the tree of the cliques of a graph, in time linear in its size plus n²/64 for n
    /// vertices. Loops and parallel edges make no difference.
    ///
    /// # Errors
    ///
    /// Returns an error if the graph has more than [`MAX_VERTICES`](Self::MAX_VERTICES).
    pub fn new(graph: &Graph) -> Result<Self, InstanceError> {
        let number = graph.vertices();
        if number > Self::MAX_VERTICES {
            return Err(InstanceError::new(format_args!(
                "found a graph of {number} vertices, expected at most {} to search for cliques",
                Self::MAX_VERTICES
            )));
        }
        let graph = &graph.simple();
        let vertices = least_degree_last(graph);
        let mut rank_of = vec![0; number];
        for (rank, &vertex) in vertices.iter().enumerate() {
            rank_of[vertex as usize] = rank;
        }
        let words = number.div_ceil(BITS);
        let mut rows = vec![0; number * words];
        for (one, other) in graph.edges() {
            let (one, other) = (rank_of[one], rank_of[other]);
            for (from, to) in [(one, other), (other, one)] {
                rows[from * words + to / BITS] |= 1 << (to % BITS);
            }
        }
        Ok(Cliques { vertices, words, rows, guide: Vec::new() })
    }

    /// Tries a large clique first, one that a dynamic local search finds (Pullan and Hoos 2006), so
    /// that bounds prune from the beginning. The search takes less than 0.1 s, however large the
    /// graph is.
    ///
    /// The tree has the same cliques in another order: as long as all vertices of a node's clique
    /// are in this one, the next one is tried first. The same seed gives the same tree.
    #[must_use]
    pub fn guided(mut self, seed: u64) -> Self {
        let mut guide = vec![0; self.words];
        for rank in local_search::large_clique(&self.rows, self.vertices(), seed) {
            guide[rank / BITS] |= 1 << (rank % BITS);
        }
        self.guide = guide;
        self
    }

    /// Returns the number of vertices of the graph.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices.len()
    }

    /// Returns the vertices of the clique at a node, in ascending order; for
    /// [`Search::extract`](secateurs::Search::extract).
    #[must_use]
    pub fn clique(node: &Node<'_, Cliques>) -> Vec<usize> {
        let mut clique: Vec<usize> =
            node.path().iter().map(|&candidate| node.problem().vertex(candidate)).collect();
        clique.sort_unstable();
        clique
    }

    /// Returns the vertex of a candidate.
    ///
    /// # Panics
    ///
    /// Panics if the candidate belongs to another, larger graph.
    #[must_use]
    pub fn vertex(&self, candidate: Candidate) -> usize {
        self.vertices[candidate.rank()] as usize
    }

    /// Returns whether these are different vertices of the graph, each adjacent to all others.
    #[must_use]
    pub fn is_clique(&self, vertices: &[usize]) -> bool {
        let mut rank_of = vec![None; self.vertices()];
        for (rank, &vertex) in self.vertices.iter().enumerate() {
            rank_of[vertex as usize] = Some(rank);
        }
        let ranks: Option<Vec<usize>> =
            vertices.iter().map(|&vertex| rank_of.get(vertex).copied().flatten()).collect();
        let joined =
            |one: usize, other: usize| self.row(one)[other / BITS] >> (other % BITS) & 1 == 1;
        ranks.is_some_and(|ranks| {
            ranks
                .iter()
                .enumerate()
                .all(|(index, &one)| ranks[..index].iter().all(|&other| joined(one, other)))
        })
    }

    /// Creates the objective to maximise the number of vertices of a clique.
    /// [`ColouringBound`] takes its incumbent.
    #[must_use]
    pub fn size() -> Size {
        let size: Size = Objective::maximise(|_, state| state.size());
        size.named("size")
    }

    /// Returns the neighbours of the vertex of a rank, as a set of ranks.
    #[inline]
    fn row(&self, rank: usize) -> &[u64] {
        &self.rows[rank * self.words..][..self.words]
    }

    /// Returns whether the vertex of a rank is in the clique that is tried first.
    #[inline]
    fn guides(&self, rank: usize) -> bool {
        self.guide.get(rank / BITS).is_some_and(|word| word >> (rank % BITS) & 1 == 1)
    }
}

impl fmt::Debug for Cliques {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cliques").field("vertices", &self.vertices()).finish_non_exhaustive()
    }
}

/// The cursor: the untried candidates of a node are those from `start` to before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Untried {
    start: usize,
    end: usize,
}

impl Problem for Cliques {
    type State = CliqueState;
    type Cursor = Untried;
    type Choice = Candidate;
    /// Nothing: a step only pushes onto the vectors of the state.
    type Undo = ();

    fn root(&self) -> CliqueState {
        let mut sets = vec![u64::MAX; self.words];
        if let Some(last) = sets.last_mut()
            && !self.vertices().is_multiple_of(BITS)
        {
            *last = (1 << (self.vertices() % BITS)) - 1;
        }
        CliqueState::root(self, sets)
    }

    #[inline]
    fn branch(&self, state: &CliqueState) -> Branch<Untried> {
        let (start, end) = state.listed();
        if start == end { Branch::Solution } else { Branch::SolutionInner(Untried { start, end }) }
    }

    #[inline]
    fn next(&self, state: &CliqueState, untried: &mut Untried) -> Option<Candidate> {
        if untried.start == untried.end {
            return None;
        }
        untried.end -= 1;
        Some(state.candidate(untried.end))
    }

    fn accepts_saved(&self, state: &CliqueState, choice: &Candidate) -> bool {
        state.can_extend(self, *choice)
    }

    fn heap_bytes(&self, state: &CliqueState) -> usize {
        state.heap_bytes()
    }

    #[inline]
    fn apply(&self, state: &mut CliqueState, choice: &Candidate) {
        state.extend(self, *choice);
    }

    #[inline]
    fn undo(&self, state: &mut CliqueState, _: &Candidate, (): ()) {
        state.shrink(self);
    }
}

impl Cliques {
    /// Searches for a maximum clique with an [infra-chromatic](Refinement::InfraChromatic)
    /// [`ColouringBound`], and returns its size ω and its vertices in ascending order.
    ///
    /// The result is the best clique so far if a limit stops the search. In a graph without
    /// vertices it is the empty clique.
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn maximum(&self, limits: Limits) -> Outcome<Optimum<usize, Vec<usize>>> {
        let size = Self::size();
        let bound = ColouringBound::new(size.incumbent()).refined(Refinement::InfraChromatic);
        Search::new(self).hooks((bound,)).limits(limits).extract(Self::clique).best(&size)
    }
}

/// Returns all vertices in smallest-last order (Matula and Beck 1983): each vertex has least degree
/// in the subgraph of itself and those before it. The dense core of the graph comes first and is
/// coloured first.
///
/// Takes time linear in the size of the graph: there is a bucket of vertices for each degree, and
/// outdated entries of vertices whose degree has since decreased are skipped.
pub(super) fn least_degree_last(graph: &Graph) -> Vec<u32> {
    let number = graph.vertices();
    let mut degrees: Vec<usize> = (0..number).map(|vertex| graph.degree(vertex)).collect();
    let bucket_count = degrees.iter().max().map_or(0, |&degree| degree + 1);
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); bucket_count];
    // Buckets are stacks, so among vertices of equal degree the smallest ends at the front.
    for (vertex, &degree) in (0..).zip(&degrees) {
        buckets[degree].push(vertex);
    }
    let mut is_placed = vec![false; number];
    let mut order = Vec::with_capacity(number);
    let mut least = 0;
    while least < bucket_count {
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
        assert!(least_degree_last(&Graph::path(0).expect("an empty graph")).is_empty());
    }
}
