//! Reading and writing graphs in the form of the DIMACS challenge on colouring (1993), `.col`.

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::Coloring;
use crate::plug::graph::{Graph, GraphError};
use crate::words::words;

/// What is wrong with the text of a graph. Lines and columns are counted from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseColoringError {
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
    /// An edge joins a vertex to itself, which then has no colour.
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

impl fmt::Display for ParseColoringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseColoringError::NoProblem { line } => {
                write!(f, "line {line}: found the end of the text, expected a line `p edge VERTICES EDGES`")
            }
            ParseColoringError::Word { line, column, found, expected } => {
                write!(f, "line {line}, column {column}: found ")?;
                if found.is_empty() {
                    f.write_str("the end of the line")?
                } else {
                    write!(f, "{found:?}")?
                }
                write!(f, ", expected {expected}")
            }
            ParseColoringError::Vertex { line, column, found, vertices } => {
                write!(f, "line {line}, column {column}: found {found:?}, expected a vertex from 1 to {vertices}")
            }
            ParseColoringError::Loop { line, column, vertex } => write!(
                f,
                "line {line}, column {column}: found {vertex} again, expected a vertex other than that one (none with an \
                 edge to itself can be coloured)"
            ),
            ParseColoringError::TooLarge { line, error } => write!(f, "line {line}: {error}"),
            ParseColoringError::Edges { line, lines, edges, expected } => write!(
                f,
                "line {line}: found the end of the text, expected {expected} edges, each once or in both directions \
                 (lines of edges: {lines}, different edges: {edges})"
            ),
        }
    }
}

impl Error for ParseColoringError {}

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

    fn wrong(&self, (column, found): (usize, &str), expected: &'static str) -> ParseColoringError {
        ParseColoringError::Word { line: self.line, column, found: found.to_owned(), expected }
    }

    /// The next word, if `read` can make something of it.
    fn read<T>(&mut self, expected: &'static str, read: impl Fn(&str) -> Option<T>) -> Result<T, ParseColoringError> {
        let word = self.next();
        read(word.1).ok_or_else(|| self.wrong(word, expected))
    }

    fn end(&mut self) -> Result<(), ParseColoringError> {
        self.read("the end of the line", |word| word.is_empty().then_some(()))
    }

    /// The next word as a vertex, counted from 0, and its column.
    fn vertex(&mut self, vertices: usize) -> Result<(usize, usize), ParseColoringError> {
        let (column, found) = self.next();
        let vertex = number(found).and_then(|number| usize::try_from(number).ok());
        match vertex.filter(|vertex| (1..=vertices).contains(vertex)) {
            Some(vertex) => Ok((column, vertex - 1)),
            None if found.is_empty() => Err(self.wrong((column, found), "a vertex")),
            None => Err(ParseColoringError::Vertex { line: self.line, column, found: found.to_owned(), vertices }),
        }
    }
}

/// A whole number; one that is too large for 64 bits is as good as the largest.
fn number(word: &str) -> Option<u64> {
    let is_number = !word.is_empty() && word.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| word.parse().unwrap_or(u64::MAX))
}

/// The graph to colour, in the form of the DIMACS challenge.
///
/// - a line that begins with `c` is a comment;
/// - one line `p edge VERTICES EDGES` (or `p col …`) comes before all edges;
/// - `e U V` is an edge between two vertices, called 1, 2, ….
///
/// An edge may come more than once, and in both directions. How many edges the `p` line says is compared with what came,
/// so that a file that was cut short does not pass for a whole one: it must be the number of lines, of different edges,
/// or of those in both directions, as such files have it. A loop is an error: nothing colours it. Lines may end in CR LF,
/// the last one need not end, and empty lines do not matter.
///
/// At most [`Graph::MAX_VERTICES`] vertices and [`Graph::MAX_EDGES`] edges; what the `p` line says takes no memory beyond
/// 4 bytes a vertex.
///
/// ```
/// use secateurs::problems::coloring::Coloring;
///
/// let triangle: Coloring = "c three countries\np edge 3 3\ne 1 2\ne 2 3\ne 3 1\n".parse()?;
/// assert_eq!((triangle.graph().vertices(), triangle.graph().edge_count()), (3, 3));
/// let error = "p edge 3 3\ne 1 2\n".parse::<Coloring>().unwrap_err();
/// let found = "line 3: found the end of the text, expected 3 edges";
/// assert!(error.to_string().starts_with(found));
/// # Ok::<(), secateurs::problems::coloring::ParseColoringError>(())
/// ```
impl FromStr for Coloring {
    type Err = ParseColoringError;

    fn from_str(text: &str) -> Result<Self, ParseColoringError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut problem: Option<(usize, u64)> = None;
        let mut known: HashSet<(usize, usize)> = HashSet::new();
        let mut edges: Vec<(usize, usize)> = Vec::new();
        let mut lines = 0;
        let mut next = 1;
        for (line, text) in text.lines().enumerate().map(|(index, text)| (index + 1, text)) {
            next = line + 1;
            let mut words = Line { line, text, words: words(text) };
            let too_large = |error| ParseColoringError::TooLarge { line, error };
            let kind = words.next();
            match (kind.1, problem) {
                ("", _) => {}
                // Nothing else begins with that letter, and some files have rules such as `c-----`.
                (word, _) if word.starts_with('c') => {}
                ("p", None) => {
                    words.read("`edge` or `col`", |word| matches!(word, "edge" | "edges" | "col").then_some(()))?;
                    let vertices = words.read("the number of vertices", number)?;
                    let expected = words.read("the number of edges", number)?;
                    words.end()?;
                    let vertices = usize::try_from(vertices).ok().filter(|&number| number <= Graph::MAX_VERTICES);
                    let limit = Graph::MAX_VERTICES;
                    let vertices = vertices.ok_or_else(|| too_large(GraphError::TooManyVertices { limit }))?;
                    problem = Some((vertices, expected));
                }
                ("e", Some((vertices, _))) => {
                    let (_, from) = words.vertex(vertices)?;
                    let (column, to) = words.vertex(vertices)?;
                    words.end()?;
                    if from == to {
                        return Err(ParseColoringError::Loop { line, column, vertex: to + 1 });
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
                (_, None) => return Err(words.wrong(kind, "`c` (a comment) or `p edge VERTICES EDGES`")),
                ("p", Some(_)) => {
                    return Err(words.wrong(kind, "`c` (a comment) or `e` (an edge) after the line `p …`"));
                }
                (_, Some(_)) => return Err(words.wrong(kind, "`c` (a comment) or `e` (an edge)")),
            }
        }
        let Some((vertices, expected)) = problem else { return Err(ParseColoringError::NoProblem { line: next }) };
        let counts = [lines, edges.len(), 2 * edges.len()];
        if !counts.iter().any(|&count| count as u64 == expected) {
            return Err(ParseColoringError::Edges { line: next, lines, edges: edges.len(), expected });
        }
        match Graph::from_edges(vertices, edges) {
            Ok(graph) => Ok(Coloring::new(graph)),
            Err(error) => Err(ParseColoringError::TooLarge { line: next, error }),
        }
    }
}

impl fmt::Display for Coloring {
    /// The graph in the same form: one `p` line, and each edge once.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "p edge {} {}", self.graph().vertices(), self.graph().edge_count())?;
        for (one, other) in self.graph().edges() {
            writeln!(f, "e {} {}", one + 1, other + 1)?;
        }
        Ok(())
    }
}
