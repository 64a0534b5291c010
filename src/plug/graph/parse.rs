//! Reads graphs from edge lists.

use std::collections::HashMap;
use std::str::FromStr;

use super::model::{Graph, GraphError};
use crate::text::{ParseError, tokens};

/// Reads an edge list: one edge per line, given as two vertices with white space between them.
///
/// A vertex is any word, numbers included; vertices are numbered in the order of their first
/// appearance. A line of one word names a vertex, which need not have an edge. `#` begins a
/// comment; empty lines are ignored. Lines may end in CR LF, the last line need not end, and a byte
/// order mark at the beginning is ignored.
///
/// ```
/// use secateurs::plug::graph::Graph;
///
/// let graph: Graph = "# a triangle and an isolated vertex\n1 2\n2 3\n3 1\n4\n".parse()?;
/// assert_eq!((graph.vertices(), graph.edge_count()), (4, 3));
/// assert_eq!((graph.vertex("1"), graph.degree(3)), (Some(0), 0));
///
/// let error = "1 2\n2 1\n".parse::<Graph>().unwrap_err();
/// assert_eq!((error.line(), error.column()), (Some(2), Some(1)));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
impl FromStr for Graph {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut names: Vec<&str> = Vec::new();
        let mut edges: Vec<(usize, usize)> = Vec::new();
        let mut places: Vec<(usize, usize)> = Vec::new();
        // Some editors write a byte order mark, which would become part of the first name.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (line, row) in (1..).zip(text.lines()) {
            let mut vertex = |name| {
                *numbers.entry(name).or_insert_with(|| {
                    names.push(name);
                    names.len() - 1
                })
            };
            let mut words = tokens(row.split_once('#').map_or(row, |(before, _)| before));
            let (one, other) = (words.next(), words.next());
            if let Some((column, found)) = words.next() {
                let message =
                    format!("found {found:?}, expected the end of the line after two vertices");
                return Err(ParseError::at(line, column, message));
            }
            let Some((begin, one)) = one else { continue };
            let from = vertex(one);
            if let Some((column, other)) = other {
                let to = vertex(other);
                if from == to {
                    let message = format!("found {other:?} again, expected a different vertex");
                    return Err(ParseError::at(line, column, message));
                }
                edges.push((from, to));
                places.push((line, begin));
            }
            if names.len() > Graph::MAX_VERTICES {
                let error = GraphError::TooManyVertices { limit: Graph::MAX_VERTICES };
                return Err(ParseError::at(line, 1, error));
            }
            if edges.len() > Graph::MAX_EDGES {
                let error = GraphError::TooManyEdges { limit: Graph::MAX_EDGES };
                return Err(ParseError::at(line, 1, error));
            }
        }
        if names.is_empty() {
            let message =
                "found no edge, expected lines of two vertices each (`#` begins a comment)";
            return Err(ParseError::at(1, 1, message));
        }
        match Graph::from_edges(names.len(), edges) {
            Ok(graph) => Ok(graph.named(names.into_iter().map(str::to_owned).collect())),
            Err(GraphError::Repeated { edge, first }) => {
                let ((line, column), (first, _)) = (places[edge], places[first]);
                let message = format!(
                    "found the edge of line {first} again, expected at most one edge between two \
                     vertices"
                );
                Err(ParseError::at(line, column, message))
            }
            // The loop above has checked everything else.
            Err(error) => Err(ParseError::new(error)),
        }
    }
}
