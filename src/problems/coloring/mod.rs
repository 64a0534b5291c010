//! Graph colouring: as few colours as possible, such that the ends of each edge have different
//! ones.
//!
//! A [`Coloring`] is a graph that is to be coloured. What is known of it without a search are
//! bounds: it takes as many colours as a [clique](Coloring::clique) has vertices, and no more than
//! a [greedy colouring](Coloring::greedy) has. In between,
//! [`chromatic_number`](Coloring::chromatic_number) searches, with one colour less again and again
//! until that is refuted, or a limit is reached.
//!
//! ```
//! use secateurs::Limits;
//! use secateurs::plug::graph::Graph;
//! use secateurs::problems::coloring::Coloring;
//!
//! // Mycielski's graphs have no triangle, and take as many colours as one likes.
//! let graph = Graph::cycle(5)?.mycielskian()?;
//! let coloring = Coloring::new(graph);
//! assert_eq!(coloring.clique().len(), 2);
//! let chromatic = coloring.chromatic_number(&Limits::new());
//! assert_eq!(chromatic.proven(), Some(4));
//! assert!(coloring.is_proper(chromatic.colours()));
//! # Ok::<(), secateurs::plug::graph::GraphError>(())
//! ```
//!
//! The search is that of a [network](Coloring::network): a variable for each vertex, its colours
//! the values. The brancher is [`Dsatur`], after Brélaz (1979), which also sees to it that colours,
//! being interchangeable, are not searched in all their permutations.

mod dsatur;
mod greedy;
mod parts;
mod solve;

pub use dsatur::Dsatur;
pub use solve::Chromatic;

use std::fmt;
use std::str::FromStr;

use super::dimacs::{self, ParseDimacsError};
use crate::plug::graph::Graph;

/// A graph whose vertices are to be coloured; read from a DIMACS `.col` file with
/// [`parse`](str::parse).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coloring {
    graph: Graph,
}

impl Coloring {
    /// The problem of colouring this graph.
    #[must_use]
    pub fn new(graph: Graph) -> Self {
        Coloring { graph }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether `colours` has a colour for each vertex, and different ones for the ends of each
    /// edge.
    #[must_use]
    pub fn is_proper(&self, colours: &[usize]) -> bool {
        colours.len() == self.graph.vertices()
            && self.graph.edges().all(|(one, other)| colours[one] != colours[other])
    }
}

/// The graph to colour, as [`dimacs::parse`] reads it.
///
/// ```
/// use secateurs::problems::coloring::Coloring;
///
/// let triangle: Coloring = "c three countries\np edge 3 3\ne 1 2\ne 2 3\ne 3 1\n".parse()?;
/// assert_eq!((triangle.graph().vertices(), triangle.graph().edge_count()), (3, 3));
/// # Ok::<(), secateurs::problems::dimacs::ParseDimacsError>(())
/// ```
impl FromStr for Coloring {
    type Err = ParseDimacsError;

    fn from_str(text: &str) -> Result<Self, ParseDimacsError> {
        dimacs::parse(text).map(Coloring::new)
    }
}

impl fmt::Display for Coloring {
    /// The graph in the same form: one `p` line, and each edge once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        dimacs::write(&self.graph).fmt(f)
    }
}
