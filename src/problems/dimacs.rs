//! Graphs in the form of the second DIMACS challenge (1993) on cliques, `.clq`, and colouring,
//! `.col`: [`parse`] and [`write()`].
//!
//! [`Coloring`](super::coloring::Coloring) and [`Cliques`](super::clique::Cliques) are made of such
//! files.
//!
//! ```
//! use secateurs::problems::dimacs;
//!
//! let triangle = dimacs::parse("c three countries\np edge 3 3\ne 1 2\ne 2 3\ne 3 1\n")?;
//! assert_eq!((triangle.vertices(), triangle.edge_count()), (3, 3));
//! assert_eq!(dimacs::write(&triangle).to_string(), "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n");
//! # Ok::<(), dimacs::ParseDimacsError>(())
//! ```

use std::collections::HashSet;
use std::error::Error;
use std::fmt;

use crate::plug::graph::{Graph, GraphError};
use crate::text::tokens;

/// What is wrong with the text of a graph. Lines and columns are counted from 1, columns in
/// characters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseDimacsError {
    /// The text ends without a line that begins with `p`.
    NoProblem {
        /// The line after the last one.
        line: usize,
    },
    /// A word is not what is expected in its place.
    Word {
        /// Its line.
        line: usize,
        /// The column in which it begins.
        column: usize,
        /// The word; empty at the end of the line.
        found: String,
        /// What is expected there.
        expected: &'static str,
    },
    /// An edge has an end that is no vertex.
    Vertex {
        /// Its line.
        line: usize,
        /// The column of the end.
        column: usize,
        /// What is there.
        found: String,
        /// How many vertices there are; they are called 1, 2, ….
        vertices: usize,
    },
    /// An edge joins a vertex to itself.
    Loop {
        /// Its line.
        line: usize,
        /// The column in which the vertex comes for the second time.
        column: usize,
        /// The vertex, from 1.
        vertex: usize,
    },
    /// The graph is too large.
    TooLarge {
        /// The line that goes too far.
        line: usize,
        /// The limit that was passed.
        error: GraphError,
    },
    /// There are not as many edges as the line that begins with `p` says.
    Edges {
        /// The line after the last one.
        line: usize,
        /// How many lines of edges there are.
        lines: usize,
        /// How many different edges.
        edges: usize,
        /// How many there should be.
        expected: u64,
    },
}

impl fmt::Display for ParseDimacsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseDimacsError::NoProblem { line } => {
                write!(
                    f,
                    "line {line}: found the end of the text, expected a line `p edge VERTICES EDGES`"
                )
            }
            ParseDimacsError::Word { line, column, found, expected } => {
                write!(f, "line {line}, column {column}: found ")?;
                if found.is_empty() {
                    f.write_str("the end of the line")?
                } else {
                    write!(f, "{found:?}")?
                }
                write!(f, ", expected {expected}")
            }
            ParseDimacsError::Vertex { line, column, found, vertices } => {
                write!(
                    f,
                    "line {line}, column {column}: found {found:?}, expected a vertex from 1 to {vertices}"
                )
            }
            ParseDimacsError::Loop { line, column, vertex } => write!(
                f,
                "line {line}, column {column}: found {vertex} again, expected a vertex other than that one (no edge joins a \
                 vertex to itself)"
            ),
            ParseDimacsError::TooLarge { line, error } => write!(f, "line {line}: {error}"),
            ParseDimacsError::Edges { line, lines, edges, expected } => write!(
                f,
                "line {line}: found the end of the text, expected {expected} edges, each once or in both directions \
                 (lines of edges: {lines}, different edges: {edges})"
            ),
        }
    }
}

impl Error for ParseDimacsError {}

/// The words of a line that are still to be read.
struct Line<'a, I> {
    line: usize,
    text: &'a str,
    words: I,
}

impl<'a, I: Iterator<Item = (usize, &'a str)>> Line<'a, I> {
    /// The next word and its column; at the end of the line, it is empty.
    fn next(&mut self) -> (usize, &'a str) {
        self.words.next().unwrap_or_else(|| (self.text.trim_end().chars().count() + 1, ""))
    }

    fn wrong(&self, (column, found): (usize, &str), expected: &'static str) -> ParseDimacsError {
        ParseDimacsError::Word { line: self.line, column, found: found.to_owned(), expected }
    }

    /// The next word, if `read` can make something of it.
    fn read<T>(
        &mut self,
        expected: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, ParseDimacsError> {
        let word = self.next();
        read(word.1).ok_or_else(|| self.wrong(word, expected))
    }

    fn end(&mut self) -> Result<(), ParseDimacsError> {
        self.read("the end of the line", |word| word.is_empty().then_some(()))
    }

    /// The next word as a vertex, counted from 0, and its column.
    fn vertex(&mut self, vertices: usize) -> Result<(usize, usize), ParseDimacsError> {
        let (column, found) = self.next();
        let vertex = number(found).and_then(|number| usize::try_from(number).ok());
        match vertex.filter(|vertex| (1..=vertices).contains(vertex)) {
            Some(vertex) => Ok((column, vertex - 1)),
            None if found.is_empty() => Err(self.wrong((column, found), "a vertex")),
            None => Err(ParseDimacsError::Vertex {
                line: self.line,
                column,
                found: found.to_owned(),
                vertices,
            }),
        }
    }
}

/// A whole number; one that is too large for 64 bits is as good as the largest.
fn number(word: &str) -> Option<u64> {
    let is_number = !word.is_empty() && word.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| word.parse().unwrap_or(u64::MAX))
}

/// Reads a graph.
///
/// - a line that begins with `c` is a comment;
/// - one line `p edge VERTICES EDGES` (or `p col …`) comes before all edges;
/// - `e U V` is an edge between two vertices, called 1, 2, ….
///
/// An edge may come more than once, and in both directions. How many edges the `p` line says is
/// compared with what came, so that a file that was cut short does not pass for a whole one: it
/// must be the number of lines, of different edges, or of those in both directions, as such files
/// have it. A loop is an error: nothing colours it, and no clique has it. Lines may end in CR LF,
/// the last one need not end, and empty lines do not matter.
///
/// At most [`Graph::MAX_VERTICES`] vertices and [`Graph::MAX_EDGES`] edges; what the `p` line says
/// takes no memory beyond 4 bytes a vertex.
///
/// # Errors
///
/// [`ParseDimacsError`] at the first place that is not as it should be.
///
/// ```
/// use secateurs::problems::dimacs;
///
/// let error = dimacs::parse("p edge 3 3\ne 1 2\n").unwrap_err();
/// let found = "line 3: found the end of the text, expected 3 edges";
/// assert!(error.to_string().starts_with(found));
/// ```
pub fn parse(text: &str) -> Result<Graph, ParseDimacsError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut problem: Option<(usize, u64)> = None;
    let mut known: HashSet<(usize, usize)> = HashSet::new();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    let mut lines = 0;
    let mut next = 1;
    for (line, text) in text.lines().enumerate().map(|(index, text)| (index + 1, text)) {
        next = line + 1;
        let mut words = Line { line, text, words: tokens(text) };
        let too_large = |error| ParseDimacsError::TooLarge { line, error };
        let kind = words.next();
        match (kind.1, problem) {
            ("", _) => {}
            // Nothing else begins with that letter, and some files have rules such as `c-----`.
            (word, _) if word.starts_with('c') => {}
            ("p", None) => {
                words.read("`edge` or `col`", |word| {
                    matches!(word, "edge" | "edges" | "col").then_some(())
                })?;
                let vertices = words.read("the number of vertices", number)?;
                let expected = words.read("the number of edges", number)?;
                words.end()?;
                let vertices =
                    usize::try_from(vertices).ok().filter(|&number| number <= Graph::MAX_VERTICES);
                let limit = Graph::MAX_VERTICES;
                let vertices =
                    vertices.ok_or_else(|| too_large(GraphError::TooManyVertices { limit }))?;
                problem = Some((vertices, expected));
            }
            ("e", Some((vertices, _))) => {
                let (_, from) = words.vertex(vertices)?;
                let (column, to) = words.vertex(vertices)?;
                words.end()?;
                if from == to {
                    return Err(ParseDimacsError::Loop { line, column, vertex: to + 1 });
                }
                lines += 1;
                let edge = (from.min(to), from.max(to));
                if known.insert(edge) {
                    edges.push(edge);
                }
                if edges.len() > Graph::MAX_EDGES {
                    return Err(too_large(GraphError::TooManyEdges { limit: Graph::MAX_EDGES }));
                }
            }
            (_, None) => {
                return Err(words.wrong(kind, "`c` (a comment) or `p edge VERTICES EDGES`"));
            }
            ("p", Some(_)) => {
                return Err(
                    words.wrong(kind, "`c` (a comment) or `e` (an edge) after the line `p …`")
                );
            }
            (_, Some(_)) => return Err(words.wrong(kind, "`c` (a comment) or `e` (an edge)")),
        }
    }
    let Some((vertices, expected)) = problem else {
        return Err(ParseDimacsError::NoProblem { line: next });
    };
    let counts = [lines, edges.len(), 2 * edges.len()];
    if !counts.iter().any(|&count| count as u64 == expected) {
        return Err(ParseDimacsError::Edges { line: next, lines, edges: edges.len(), expected });
    }
    Graph::from_edges(vertices, edges)
        .map_err(|error| ParseDimacsError::TooLarge { line: next, error })
}

/// The graph in that form: one `p` line, and each edge once.
#[must_use]
pub fn write(graph: &Graph) -> impl fmt::Display + '_ {
    Written(graph)
}

struct Written<'g>(&'g Graph);

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "p edge {} {}", self.0.vertices(), self.0.edge_count())?;
        for (one, other) in self.0.edges() {
            writeln!(f, "e {} {}", one + 1, other + 1)?;
        }
        Ok(())
    }
}
