//! Cliques: sets of pairwise adjacent vertices of a graph, and the maximum clique problem.
//!
//! [`Cliques`] is the tree of *all* cliques of a graph, each of them once. Finding a maximum one
//! needs a bound: vertices that can be coloured with k colours contain no clique of more than k of
//! them. Tomita and Seki (2003) colour the candidates of each node greedily, which is cheap and
//! serves twice. The colour of a candidate bounds the cliques that it forms with candidates of
//! lower colours; and candidates of high colours are tried first, so that the first cut prunes all
//! remaining candidates as well. San Segundo et al. (2011) do this on sets of bits, a word of
//! candidates at a time. This module implements their algorithm in two parts: the order belongs to
//! the [problem](Cliques), and the bound is a hook, [`ColouringBound`], whose cuts are counted.
//!
//! ```
//! use secateurs::plug::graph::Graph;
//! use secateurs::problems::clique::{Cliques, ColouringBound};
//! use secateurs::{Limits, Search};
//!
//! // A clique is a set of queens that all attack each other, such as a row.
//! let queens = Cliques::new(&Graph::queen(6, 6)?)?;
//! let outcome = queens.maximum(Limits::new());
//! assert_eq!(outcome.proven(), Some(&6));
//! assert!(outcome.solution().is_some_and(|clique| queens.is_clique(clique)));
//!
//! // The same search spelled out, and the number of all cliques including the empty one.
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

use std::fmt;

use crate::digest::Digest;
use crate::hook::{Effect, Hook, HookMemory, Node, NodeMut, Verdict};
use crate::incumbent::{Incumbent, IncumbentId, Objective};
use crate::limits::Limits;
use crate::memory::vec_bytes;
use crate::outcome::{Optimum, Outcome};
use crate::plug::graph::Graph;
use crate::problem::{Branch, Problem};
use crate::problems::InstanceError;
use crate::search::Search;

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
}

impl Cliques {
    /// The largest number of vertices, for which the adjacency matrix takes 128 MiB.
    pub const MAX_VERTICES: usize = 1 << 15;

    /// Creates the tree of the cliques of a graph, in time linear in its size plus n²/64 for n
    /// vertices.
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
        Ok(Cliques { vertices, words, rows })
    }

    /// Returns the number of vertices of the graph.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices.len()
    }

    /// Returns the vertices of the clique at a node, in ascending order; for
    /// [`Search::extract`](crate::Search::extract).
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
}

impl fmt::Debug for Cliques {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cliques").field("vertices", &self.vertices()).finish_non_exhaustive()
    }
}

/// A choice: a vertex that may extend a clique, with its colour among the candidates.
///
/// It is meaningful only at the node that it was created at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Candidate {
    rank: u32,
    colour: u32,
}

impl Candidate {
    /// Returns its position in the order in which vertices are coloured, from 0;
    /// [`Cliques::vertex`] returns its vertex.
    #[must_use]
    #[inline]
    pub fn rank(self) -> usize {
        self.rank as usize
    }

    /// Returns its colour, from 1: an upper bound for the number of vertices that a clique takes
    /// from this candidate and those tried after it.
    #[must_use]
    #[inline]
    pub fn colour(self) -> usize {
        self.colour as usize
    }
}

/// A state: a clique and its coloured candidates.
///
/// Sets and candidates of the ancestors are kept below those of the node, as on a stack, so that an
/// undo truncates the vectors and restores nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CliqueState {
    /// For each depth, the index of its first candidate in `coloured`.
    starts: Vec<usize>,
    /// For each depth, its candidates in ascending order of (colour, rank).
    coloured: Vec<Candidate>,
    /// For each depth, the set of its candidates, by rank.
    sets: Vec<u64>,
    /// Buffers for colouring, all zero between two calls.
    uncoloured: Vec<u64>,
    class: Vec<u64>,
}

impl CliqueState {
    /// Returns the number of vertices of the clique.
    #[must_use]
    #[inline]
    pub fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the candidates in ascending order of their colours. The last one is tried first.
    #[must_use]
    #[inline]
    pub fn candidates(&self) -> &[Candidate] {
        &self.coloured[self.start()..]
    }

    /// Returns the number of colours of the candidates, an upper bound for the number of vertices
    /// that a clique takes from them.
    #[must_use]
    #[inline]
    pub fn colours(&self) -> usize {
        self.candidates().last().map_or(0, |candidate| candidate.colour())
    }

    #[inline]
    fn start(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Colours the topmost set, one colour class after the other (San Segundo et al. 2011). A class
    /// takes the first uncoloured vertex, then each next one that is not adjacent to the class.
    #[inline]
    fn colour(&mut self, cliques: &Cliques) {
        let CliqueState { starts, coloured, sets, uncoloured, class } = self;
        starts.push(coloured.len());
        let set = &sets[sets.len() - cliques.words..];
        // Words behind the last non-empty one are skipped.
        let end = set.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        let (uncoloured, class) = (&mut uncoloured[..end], &mut class[..end]);
        uncoloured.copy_from_slice(&set[..end]);
        let mut first = 0;
        let mut colour = 0;
        loop {
            while first < end && uncoloured[first] == 0 {
                first += 1;
            }
            if first == end {
                break;
            }
            colour += 1;
            class[first..].copy_from_slice(&uncoloured[first..]);
            for word in first..end {
                while class[word] != 0 {
                    let bit = class[word] & class[word].wrapping_neg();
                    uncoloured[word] ^= bit;
                    class[word] ^= bit;
                    let rank = word * BITS + bit.trailing_zeros() as usize;
                    let row = &cliques.row(rank)[word..end];
                    for (class, neighbours) in class[word..].iter_mut().zip(row) {
                        *class &= !neighbours;
                    }
                    #[allow(
                        clippy::cast_possible_truncation,
                        reason = "MAX_VERTICES fits in 32 bits"
                    )]
                    coloured.push(Candidate { rank: rank as u32, colour });
                }
            }
        }
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
        let empty = vec![0; self.words];
        let mut state = CliqueState {
            starts: Vec::new(),
            coloured: Vec::new(),
            sets,
            uncoloured: empty.clone(),
            class: empty,
        };
        state.colour(self);
        state
    }

    #[inline]
    fn branch(&self, state: &CliqueState) -> Branch<Untried> {
        let (start, end) = (state.start(), state.coloured.len());
        if start == end { Branch::Solution } else { Branch::SolutionInner(Untried { start, end }) }
    }

    #[inline]
    fn next(&self, state: &CliqueState, untried: &mut Untried) -> Option<Candidate> {
        if untried.start == untried.end {
            return None;
        }
        untried.end -= 1;
        Some(state.coloured[untried.end])
    }

    fn can_apply(&self, state: &CliqueState, choice: &Candidate) -> bool {
        state.candidates().contains(choice)
    }

    fn heap_bytes(&self, state: &CliqueState) -> usize {
        let sets = vec_bytes(&state.sets) + vec_bytes(&state.uncoloured) + vec_bytes(&state.class);
        vec_bytes(&state.starts) + vec_bytes(&state.coloured) + sets
    }

    #[inline]
    fn apply(&self, state: &mut CliqueState, choice: &Candidate) {
        let parent = state.sets.len() - self.words;
        state.sets.extend_from_within(parent..);
        let set = &mut state.sets[parent + self.words..];
        for (word, neighbours) in set.iter_mut().zip(self.row(choice.rank())) {
            *word &= neighbours;
        }
        // All cliques with this candidate and one tried before it are in the subtrees of those.
        // Such candidates are few, since those that the bound prunes come last.
        let tried = state.coloured[state.starts[state.starts.len() - 1]..].iter().rev();
        for &tried in tried.take_while(|tried| tried.rank != choice.rank) {
            set[tried.rank() / BITS] &= !(1 << (tried.rank() % BITS));
        }
        state.colour(self);
    }

    #[inline]
    fn undo(&self, state: &mut CliqueState, _: &Candidate, (): ()) {
        let start = state.start();
        state.coloured.truncate(start);
        state.starts.pop();
        state.sets.truncate(state.sets.len() - self.words);
    }
}

/// The bound of Tomita and Seki (2003) for a maximum clique, as a hook: it prunes a candidate of
/// colour k unless the current clique with k more vertices would beat the incumbent.
///
/// A clique takes at most k vertices from candidates of k colours: one of each colour. The hook
/// tests the bound twice: before a step, by the colour of the candidate, and after it, when the
/// remaining candidates have new and often fewer colours. Each test is one comparison, since the
/// colours are part of the state.
///
/// ```
/// use secateurs::problems::clique::{Cliques, ColouringBound};
/// use secateurs::problems::dimacs;
/// use secateurs::{Effect, Search};
///
/// let cliques = Cliques::new(&dimacs::parse("p edge 4 4\ne 1 2\ne 2 3\ne 3 1\ne 3 4\n")?)?;
/// let size = Cliques::size();
/// size.incumbent().offer(2); // an edge is known; is there a triangle?
/// let search = Search::new(&cliques).hooks((ColouringBound::new(size.incumbent()),));
/// let outcome = search.extract(Cliques::clique).best(&size);
/// assert_eq!(outcome.proven(), Some(&3));
/// assert_eq!(outcome.solution(), Some(&vec![0, 1, 2]));
/// assert_eq!(outcome.effect(), Effect::OptimumOnly);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ColouringBound {
    incumbent: Incumbent<usize>,
}

impl ColouringBound {
    /// Creates a bound that compares with `incumbent`, which must be the one of the
    /// [objective](Cliques::size) of the run.
    #[must_use]
    pub fn new(incumbent: &Incumbent<usize>) -> Self {
        ColouringBound { incumbent: incumbent.clone().declared() }
    }

    #[inline]
    fn test(&mut self, state: &CliqueState, more: usize) -> Verdict {
        Verdict::keep_if(self.incumbent.is_beaten_by(&(state.size() + more)))
    }
}

impl Hook<Cliques> for ColouringBound {
    fn name(&self) -> &str {
        "colouring"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.incumbent.id())
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn admit(&mut self, node: &Node<'_, Cliques>, candidate: &Candidate) -> Verdict {
        self.test(node.state(), candidate.colour())
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, Cliques>) -> Verdict {
        let colours = node.state().colours();
        self.test(node.state(), colours)
    }
}

impl Cliques {
    /// Searches for a maximum clique with [`ColouringBound`], and returns its size ω and its
    /// vertices in ascending order.
    ///
    /// The result is the best clique so far if a limit stops the search. In a graph without
    /// vertices it is the empty clique.
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn maximum(&self, limits: Limits) -> Outcome<Optimum<usize, Vec<usize>>> {
        let size = Self::size();
        let bound = ColouringBound::new(size.incumbent());
        Search::new(self).hooks((bound,)).limits(limits).extract(Self::clique).best(&size)
    }
}

/// Returns all vertices in smallest-last order (Matula and Beck 1983): each vertex has least degree
/// in the subgraph of itself and those before it. The dense core of the graph comes first and is
/// coloured first.
///
/// Takes time linear in the size of the graph: there is a bucket of vertices for each degree, and
/// outdated entries of vertices whose degree has since decreased are skipped.
fn least_degree_last(graph: &Graph) -> Vec<u32> {
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
