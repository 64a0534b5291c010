//! Graph colouring: as few colours as possible, such that the ends of each edge have different ones.

mod dimacs;

pub use dimacs::ParseColoringError;

use crate::plug::graph::Graph;

/// A graph whose vertices are to be coloured; read from a DIMACS `.col` file with [`parse`](str::parse).
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
}
