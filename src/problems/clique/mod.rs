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
//! To read the source, begin with `tree`, which also computes the order of the vertices, then
//! `bound`.

mod bound;
mod tree;

pub use bound::ColouringBound;
pub use tree::{Candidate, CliqueState, Cliques, Size, Untried};
