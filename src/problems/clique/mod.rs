//! Cliques: sets of vertices of a graph each of which is joined to all others, and the largest of
//! them.
//!
//! [`Cliques`] is the tree of *all* cliques of a graph, each of them once. What makes a search for
//! a largest one possible is a bound: vertices that can be coloured with k colours hold no clique
//! of more than k of them. Tomita and Seki (2003) colour the candidates of each node greedily,
//! which costs little and serves twice: the colour of a candidate bounds the cliques that it makes
//! with those of lower colours, and candidates of high colours are tried first, so that whatever is
//! left when the bound strikes is cut off as well. San Segundo et al. (2011) do that with sets of
//! bits, a word of candidates at a time. This is their program, taken apart: the order is the
//! [problem's](Cliques), the bound a hook, [`ColouringBound`], whose cuts are counted.
//!
//! ```
//! use secateurs::plug::graph::Graph;
//! use secateurs::problems::clique::{Cliques, ColouringBound};
//! use secateurs::{Limits, Search};
//!
//! // Queens that all attack each other: a row of them, for one.
//! let queens = Cliques::new(&Graph::queen(6, 6)?)?;
//! let outcome = queens.maximum(Limits::new());
//! assert_eq!(outcome.proven(), Some(&6));
//! assert!(outcome.solution().is_some_and(|clique| queens.is_clique(clique)));
//!
//! // The same by hand, and all cliques there are, the empty one among them.
//! let size = Cliques::size();
//! let search = Search::new(&queens).hooks((ColouringBound::new(size.incumbent()),));
//! assert_eq!(search.best(&size).proven(), Some(&6));
//! let all = Search::new(&queens).count();
//! assert_eq!(all.exact(), Some(1642));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The independent sets of a graph are the cliques of its complement. Graphs are read by
//! [`dimacs`](super::dimacs).

mod bound;
mod error;
mod order;
mod tree;

pub use bound::ColouringBound;
pub use error::CliqueError;
pub use tree::{Candidate, CliqueState, Untried};

use crate::hook::Node;
use crate::incumbent::Objective;
use crate::limits::Limits;
use crate::outcome::{Optimum, Outcome};
use crate::plug::graph::Graph;
use crate::search::Search;

/// Bits of a word.
const BITS: usize = u64::BITS as usize;

/// The [objective](Cliques::size) of a search for a largest clique.
pub type Size = Objective<Cliques, usize, fn(&Cliques, &CliqueState) -> usize>;

/// The tree of all cliques of a graph, to be searched for a largest one, or counted.
///
/// A node is a clique, and so a solution; it is the empty one at the root. Its *candidates* are the
/// vertices that are joined to all of it and may still join it. They are
/// [coloured](Candidate::colour) greedily, in an order that is made once for the whole graph: the
/// last vertex is one of least degree, the one before it is of least degree among the rest, and so
/// on (Matula and Beck 1983). Each candidate makes a child, the highest colour first, and has in
/// turn the candidates with which it is joined among those that come after it. That is a tree of
/// its own, whatever is cut off and in whatever order children are taken.
///
/// Cost: for n vertices, n²/8 bytes; a step takes time by its candidates times n/64.
#[derive(Clone, PartialEq, Eq)]
pub struct Cliques {
    /// The vertex of each rank, and so the order in which candidates are coloured.
    vertices: Vec<u32>,
    /// How many words a set of vertices takes.
    words: usize,
    /// By rank, the ranks of the neighbours, a set each.
    rows: Vec<u64>,
}

impl Cliques {
    /// No graph may have more vertices: their neighbours take 128 MiB then.
    pub const MAX_VERTICES: usize = 1 << 15;

    /// The cliques of this graph. Takes time by the size of the graph, and n²/8 bytes for n
    /// vertices.
    ///
    /// # Errors
    ///
    /// [`CliqueError::TooManyVertices`] if there are more than
    /// [`MAX_VERTICES`](Self::MAX_VERTICES).
    pub fn new(graph: &Graph) -> Result<Self, CliqueError> {
        let number = graph.vertices();
        if number > Self::MAX_VERTICES {
            return Err(CliqueError::TooManyVertices { found: number, limit: Self::MAX_VERTICES });
        }
        let vertices = order::least_degree_last(graph);
        let mut rank = vec![0; number];
        for (place, &vertex) in vertices.iter().enumerate() {
            rank[vertex as usize] = place;
        }
        let words = number.div_ceil(BITS);
        let mut rows = vec![0; number * words];
        for (one, other) in graph.edges() {
            for (from, to) in [(rank[one], rank[other]), (rank[other], rank[one])] {
                rows[from * words + to / BITS] |= 1 << (to % BITS);
            }
        }
        Ok(Cliques { vertices, words, rows })
    }

    /// How many vertices the graph has.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices.len()
    }

    /// The vertices of the clique at a node, in ascending order; for [`Search::extract`].
    #[must_use]
    pub fn clique(node: &Node<'_, Cliques>) -> Vec<usize> {
        let mut clique: Vec<usize> =
            node.path().iter().map(|&candidate| node.problem().vertex(candidate)).collect();
        clique.sort_unstable();
        clique
    }

    /// The vertex of the graph that a candidate is.
    ///
    /// # Panics
    ///
    /// If it is a candidate of another, larger graph.
    #[must_use]
    pub fn vertex(&self, candidate: Candidate) -> usize {
        self.vertices[candidate.rank()] as usize
    }

    /// Whether these are different vertices of the graph, each joined to all others.
    #[must_use]
    pub fn is_clique(&self, vertices: &[usize]) -> bool {
        let mut rank = vec![None; self.vertices()];
        for (place, &vertex) in self.vertices.iter().enumerate() {
            rank[vertex as usize] = Some(place);
        }
        let ranks: Option<Vec<usize>> =
            vertices.iter().map(|&vertex| rank.get(vertex).copied().flatten()).collect();
        let joined =
            |one: usize, other: usize| self.row(one)[other / BITS] >> (other % BITS) & 1 == 1;
        ranks.is_some_and(|ranks| {
            ranks
                .iter()
                .enumerate()
                .all(|(place, &one)| ranks[..place].iter().all(|&other| joined(one, other)))
        })
    }

    /// How many vertices a clique has, to be maximised. [`ColouringBound`] takes the incumbent of
    /// it.
    #[must_use]
    pub fn size() -> Size {
        Objective::maximise(|_, state| state.size())
    }

    /// A largest clique, as its size ω and its vertices in ascending order, proven or, if a limit
    /// is reached, the best so far.
    ///
    /// Searches with [`ColouringBound`] alone. A graph without vertices has a clique of none.
    // Inlined so that its search is compiled only for those who call it.
    #[inline]
    pub fn maximum(&self, limits: Limits) -> Outcome<Optimum<usize, Vec<usize>>> {
        let size = Self::size();
        let bound = ColouringBound::new(size.incumbent());
        Search::new(self).hooks((bound,)).limits(limits).extract(Self::clique).best(&size)
    }

    /// The neighbours of the vertex of a rank.
    #[inline]
    fn row(&self, rank: usize) -> &[u64] {
        &self.rows[rank * self.words..][..self.words]
    }
}

impl std::fmt::Debug for Cliques {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cliques").field("vertices", &self.vertices()).finish_non_exhaustive()
    }
}
