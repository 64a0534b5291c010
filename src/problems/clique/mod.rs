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
//!
//! To read the source, begin with `tree`, which also computes the order of the vertices.

mod tree;

pub use tree::{Candidate, CliqueState, Cliques, Size, Untried};

use crate::digest::Digest;
use crate::hook::{Effect, Hook, HookMemory, Node, NodeMut, Verdict};
use crate::incumbent::{Incumbent, IncumbentId};
use crate::limits::Limits;
use crate::outcome::{Optimum, Outcome};
use crate::search::Search;

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
