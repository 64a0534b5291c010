//! Reading an edge list.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::model::{Graph, GraphError};
use crate::text::tokens;

/// What is wrong with an edge list. Lines and columns are counted from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseGraphError {
    /// There is no vertex in the text.
    Empty,
    /// A line has a third word.
    TooManyWords {
        /// The line.
        line: usize,
        /// Where the third word begins.
        column: usize,
        /// The word.
        found: String,
    },
    /// An edge joins a vertex to itself.
    Loop {
        /// The line.
        line: usize,
        /// Where the vertex comes for the second time.
        column: usize,
        /// The vertex.
        found: String,
    },
    /// An edge joins the same vertices as one before it.
    Repeated {
        /// The line.
        line: usize,
        /// Where the edge begins.
        column: usize,
        /// The line of the edge that it repeats.
        first: usize,
    },
    /// The graph is too large.
    TooLarge {
        /// The line that goes too far.
        line: usize,
        /// The limit that was passed.
        error: GraphError,
    },
}

impl fmt::Display for ParseGraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseGraphError::Empty => {
                write!(
                    f,
                    "line 1, column 1: found no edge, expected lines of two vertices each (`#` begins a comment)"
                )
            }
            ParseGraphError::TooManyWords { line, column, found } => {
                write!(
                    f,
                    "line {line}, column {column}: found {found:?}, expected the end of the line after two vertices"
                )
            }
            ParseGraphError::Loop { line, column, found } => {
                write!(
                    f,
                    "line {line}, column {column}: found {found:?} again, expected a vertex other than that one"
                )
            }
            ParseGraphError::Repeated { line, column, first } => write!(
                f,
                "line {line}, column {column}: found the edge of line {first} again, expected at most one between two vertices"
            ),
            ParseGraphError::TooLarge { line, error } => {
                write!(f, "line {line}, column 1: {error}")
            }
        }
    }
}

impl Error for ParseGraphError {}

/// Reads an edge list: on each line the two vertices of an edge, with blanks between them. A vertex
/// may be called by any word, numbers included, and they are numbered as they first come. A line of
/// one word names a vertex, which need not have an edge. `#` begins a comment; empty lines do not
/// matter. Lines may end in CR LF, the last one need not end, and a byte order mark at the
/// beginning is passed over.
///
/// ```
/// use secateurs::plug::graph::{Graph, ParseGraphError};
///
/// let graph: Graph = "# a triangle, and a vertex apart\n1 2\n2 3\n3 1\n4\n".parse()?;
/// assert_eq!((graph.vertices(), graph.edge_count()), (4, 3));
/// assert_eq!((graph.vertex("1"), graph.degree(3)), (Some(0), 0));
///
/// let error = "1 2\n2 1\n".parse::<Graph>().unwrap_err();
/// assert_eq!(error, ParseGraphError::Repeated { line: 2, column: 1, first: 1 });
/// # Ok::<(), ParseGraphError>(())
/// ```
impl FromStr for Graph {
    type Err = ParseGraphError;

    fn from_str(text: &str) -> Result<Self, ParseGraphError> {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut names: Vec<&str> = Vec::new();
        let mut edges: Vec<(usize, usize)> = Vec::new();
        let mut places: Vec<(usize, usize)> = Vec::new();
        // Some editors put a byte order mark first, which would make another vertex of the first
        // one.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (line, row) in text.lines().enumerate() {
            let line = line + 1;
            let mut vertex = |(_, name)| {
                *numbers.entry(name).or_insert_with(|| {
                    names.push(name);
                    names.len() - 1
                })
            };
            let mut words = tokens(row.split_once('#').map_or(row, |(before, _)| before));
            let (one, other) = (words.next(), words.next());
            if let Some((column, found)) = words.next() {
                return Err(ParseGraphError::TooManyWords {
                    line,
                    column,
                    found: found.to_owned(),
                });
            }
            let Some(one) = one else { continue };
            let from = vertex(one);
            if let Some(other) = other {
                let to = vertex(other);
                if from == to {
                    return Err(ParseGraphError::Loop {
                        line,
                        column: other.0,
                        found: other.1.to_owned(),
                    });
                }
                edges.push((from, to));
                places.push((line, one.0));
            }
            let too_large = |error| Err(ParseGraphError::TooLarge { line, error });
            if names.len() > Graph::MAX_VERTICES {
                return too_large(GraphError::TooManyVertices { limit: Graph::MAX_VERTICES });
            }
            if edges.len() > Graph::MAX_EDGES {
                return too_large(GraphError::TooManyEdges { limit: Graph::MAX_EDGES });
            }
        }
        if names.is_empty() {
            return Err(ParseGraphError::Empty);
        }
        match Graph::from_edges(names.len(), edges) {
            Ok(graph) => Ok(graph.named(names.into_iter().map(str::to_owned).collect())),
            Err(GraphError::Repeated { edge, first }) => {
                let (line, column) = places[edge];
                Err(ParseGraphError::Repeated { line, column, first: places[first].0 })
            }
            // Everything else was looked at above.
            Err(error) => Err(ParseGraphError::TooLarge { line: text.lines().count(), error }),
        }
    }
}
