//! Graphs in the text format of the second DIMACS challenge (1993) on cliques (`.clq`) and
//! colouring (`.col`): [`read`], [`parse`] and [`write()`].
//!
//! [`Coloring`](super::coloring::Coloring) and [`Cliques`](super::clique::Cliques) are created from
//! such graphs.
//!
//! ```
//! use secateurs_problems::dimacs;
//!
//! let triangle = dimacs::parse("c three countries\np edge 3 3\ne 1 2\ne 2 3\ne 3 1\n")?;
//! assert_eq!((triangle.vertices(), triangle.edge_count()), (3, 3));
//! assert_eq!(dimacs::write(&triangle).to_string(), "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n");
//! # Ok::<(), secateurs::ParseError>(())
//! ```

use std::collections::HashSet;
use std::fmt;

use crate::graph::{Graph, GraphError};
use secateurs::ParseError;
use secateurs::text::LineTokens;

use super::formats;

/// A graph that was read, and a note on the rest of its file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GraphFile {
    /// The graph.
    pub graph: Graph,
    /// Says what was ignored and where, if the file has more than a graph, as in `line 3: found
    /// the weight of a vertex; this and 5 more lines are ignored in whole or in part`.
    pub ignored: Option<String>,
}

/// Parses a graph, and ignores all else, as [`read`] does, without a note.
///
/// # Errors
///
/// Returns an error if the text is not in this format, or if the graph is too large.
///
/// ```
/// use secateurs_problems::dimacs;
///
/// let error = dimacs::parse("p edge 3 3\ne 1 2\n").unwrap_err();
/// let found = "line 3: found the end of the text, expected 3 edges";
/// assert!(error.to_string().starts_with(found));
/// ```
pub fn parse(text: &str) -> Result<Graph, ParseError> {
    read(text).map(|file| file.graph)
}

/// Reads a graph, and a note on what was ignored.
///
/// - A line that begins with `c` is a comment.
/// - One line `p edge VERTICES EDGES` (or `p col …`) precedes all edges.
/// - `e U V` is an edge between two vertices, which are numbered from 1.
/// - Ignored are the weight of an edge, behind it; lines `n VERTEX WEIGHT`, the weights of
///   vertices; lines that begin with `d`, `v` or `x`, which describe how the graph was generated;
///   and more numbers behind those of the line `p`.
/// - A line that begins with `%` ends the text.
///
/// Keywords may have capital letters. The graph is simple: an edge may be repeated, in the same or
/// the opposite direction, and counts once. The number of edges in the `p` line guards against
/// truncated files. It must equal the number of lines of edges, of different edges, or twice the
/// latter, since existing files use all three conventions. The note is about the last one if there
/// are fewer lines, because a file of another convention may have been truncated. A loop is an
/// error: a graph with a loop has no proper colouring, and no clique contains a loop. Lines may end
/// in CR LF, the end of the last line is optional, and empty lines are ignored.
///
/// There may be at most [`Graph::MAX_VERTICES`] vertices and [`Graph::MAX_EDGES`] edges. The
/// numbers in the `p` line alone take no more memory than 4 bytes per vertex.
///
/// # Errors
///
/// Returns an error if the text is not in this format, or if the graph is too large.
///
/// ```
/// use secateurs_problems::dimacs;
///
/// let file = dimacs::read("p edge 2 1\nn 1 30\nn 2 40\ne 1 2\n")?;
/// let note = "line 2: found the weight of a vertex; this and 1 more line are ignored in whole or \
///             in part";
/// assert_eq!((file.graph.edge_count(), file.ignored.as_deref()), (1, Some(note)));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
pub fn read(text: &str) -> Result<GraphFile, ParseError> {
    formats::read(text, "a DIMACS graph", read_lines)
}

fn read_lines(text: &str) -> Result<GraphFile, ParseError> {
    let mut problem: Option<(usize, u64)> = None;
    let mut problem_line = 0;
    let mut distinct: HashSet<(usize, usize)> = HashSet::new();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    let mut edge_lines = 0;
    let mut end_line = 1;
    let mut ignored = Ignored::default();
    let mut has_further_numbers = false;
    for (line, text) in (1..).zip(text.lines()) {
        end_line = line + 1;
        let mut tokens = LineTokens::new(line, text);
        let too_large = |error: GraphError| ParseError::in_line(line, error);
        let first = tokens.next();
        let keyword = first.1.to_ascii_lowercase();
        match (&*keyword, problem) {
            ("", _) => {}
            // Some files have comments without a space, such as `c-----`.
            (token, _) if token.starts_with('c') => {}
            (token, Some(_)) if token.starts_with('%') => break,
            ("p", None) => {
                tokens.read("`edge` or `col`", |token| {
                    let is_graph = ["edge", "edges", "col"]
                        .iter()
                        .any(|name| name.eq_ignore_ascii_case(token));
                    is_graph.then_some(())
                })?;
                let vertices = tokens.read("the number of vertices", number)?;
                let expected = tokens.read("the number of edges", number)?;
                has_further_numbers = !tokens.next().1.is_empty();
                if has_further_numbers {
                    ignored.add(line, "more than two numbers in the line `p`");
                }
                let vertices =
                    usize::try_from(vertices).ok().filter(|&number| number <= Graph::MAX_VERTICES);
                let limit = Graph::MAX_VERTICES;
                let vertices =
                    vertices.ok_or_else(|| too_large(GraphError::TooManyVertices { limit }))?;
                problem = Some((vertices, expected));
                problem_line = line;
            }
            ("e", Some((vertices, _))) => {
                let (_, from) = vertex(&mut tokens, vertices)?;
                let (column, to) = vertex(&mut tokens, vertices)?;
                let weight = tokens.next();
                if !weight.1.is_empty() {
                    let is_number = weight.1.parse::<f64>().is_ok();
                    if !is_number {
                        return Err(tokens.error(weight, "the end of the line, or a weight"));
                    }
                    tokens.end()?;
                    ignored.add(line, "the weight of an edge");
                }
                if from == to {
                    let vertex = to + 1;
                    let message = format!(
                        "found {vertex} again, expected a vertex other than that one \
                         (no edge joins a vertex to itself)"
                    );
                    return Err(ParseError::at(line, column, message));
                }
                edge_lines += 1;
                let edge = (from.min(to), from.max(to));
                if distinct.insert(edge) {
                    edges.push(edge);
                }
                if edges.len() > Graph::MAX_EDGES {
                    return Err(too_large(GraphError::TooManyEdges { limit: Graph::MAX_EDGES }));
                }
            }
            ("n", Some(_)) => ignored.add(line, "the weight of a vertex"),
            ("d" | "v" | "x", _) => ignored.add(line, "a parameter of a generator"),
            (_, None) => {
                return Err(tokens.error(first, "`c` (a comment) or `p edge VERTICES EDGES`"));
            }
            ("p", Some(_)) => {
                return Err(
                    tokens.error(first, "`c` (a comment) or `e` (an edge) after the line `p …`")
                );
            }
            (_, Some(_)) => return Err(tokens.error(first, "`c` (a comment) or `e` (an edge)")),
        }
    }
    let Some((vertices, expected)) = problem else {
        let message = "found the end of the text, expected a line `p edge VERTICES EDGES`";
        return Err(ParseError::in_line(end_line, message));
    };
    let counts = [edge_lines, edges.len(), 2 * edges.len()];
    if !counts.iter().any(|&count| count as u64 == expected) {
        let message = format!(
            "found the end of the text, expected {expected} edges, each once or in both directions \
             (lines of edges: {edge_lines}, different edges: {})",
            edges.len()
        );
        return Err(ParseError::in_line(end_line, message));
    }
    if ![edge_lines, edges.len()].iter().any(|&count| count as u64 == expected) {
        // The line is counted once.
        let found = if has_further_numbers {
            "more than two numbers in the line `p`, and twice the number of edges that follow (of \
             which half may be missing)"
        } else {
            ignored.lines += 1;
            "twice the number of edges that follow (of which half may be missing)"
        };
        ignored.first = Some((problem_line, found));
    }
    let graph =
        Graph::from_edges(vertices, edges).map_err(|error| ParseError::in_line(end_line, error))?;
    Ok(GraphFile { graph, ignored: ignored.note() })
}

/// The lines that are ignored: the first one, and the number of all.
#[derive(Default)]
struct Ignored {
    first: Option<(usize, &'static str)>,
    lines: usize,
}

impl Ignored {
    fn add(&mut self, line: usize, found: &'static str) {
        self.first.get_or_insert((line, found));
        self.lines += 1;
    }

    fn note(self) -> Option<String> {
        let (line, found) = self.first?;
        let more = match self.lines - 1 {
            0 => "this is ignored".to_owned(),
            1 => "this and 1 more line are ignored in whole or in part".to_owned(),
            more => format!("this and {more} more lines are ignored in whole or in part"),
        };
        Some(format!("line {line}: found {found}; {more}"))
    }
}

/// Returns the column of the next token, and the token as a vertex counted from 0.
fn vertex(tokens: &mut LineTokens<'_>, vertices: usize) -> Result<(usize, usize), ParseError> {
    let (column, found) = tokens.next();
    let vertex = number(found).and_then(|number| usize::try_from(number).ok());
    match vertex.filter(|vertex| (1..=vertices).contains(vertex)) {
        Some(vertex) => Ok((column, vertex - 1)),
        None if found.is_empty() => Err(tokens.error((column, found), "a vertex")),
        None => {
            let expected = format!("a vertex from 1 to {vertices}");
            Err(tokens.error((column, found), expected))
        }
    }
}

/// Returns the value of a decimal number, or `u64::MAX` if it does not fit in 64 bits.
fn number(token: &str) -> Option<u64> {
    let is_number = !token.is_empty() && token.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| token.parse().unwrap_or(u64::MAX))
}

/// Returns the graph in this format, to be displayed: one `p` line, and each edge once. (In this
/// format, parallel edges are one edge, and loops are errors.)
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
