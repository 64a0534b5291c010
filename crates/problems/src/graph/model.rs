//! Graphs, built from edges or read from edge lists: [`Graph`].

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::str::FromStr;

use secateurs::text::{ParseError, parse_number, tokens};

/// A graph: *simple*, or a *multigraph* with loops and parallel edges.
///
/// [`from_edges`](Self::from_edges) and [parsing](str::parse) accept simple graphs only, so that an
/// edge that is given twice by mistake is an error. [`multigraph`](Self::multigraph) accepts all.
/// Parallel edges are different edges: sets of edges that differ in them are different sets. A loop
/// counts twice in the degree of its vertex, which is also its own neighbour, twice.
///
/// Problems of undirected edges ignore the direction of edges. Problems of directed edges take each
/// edge from the first of its two vertices to the second one: a multigraph keeps the order in which
/// they were given, and [`both_directions`](Self::both_directions) makes two edges of each.
///
/// Vertices are numbered from 0, and so are edges, in the order in which they were given. A graph
/// that was [parsed](str::parse) also has a name for each vertex; see
/// [`FromStr`](#impl-FromStr-for-Graph) for the format.
///
/// ```
/// use secateurs_problems::graph::Graph;
///
/// let house = Graph::from_edges(5, [(0, 1), (1, 2), (2, 3), (3, 0), (2, 4), (3, 4)])?;
/// assert_eq!((house.vertices(), house.edge_count(), house.degree(3)), (5, 6, 3));
/// assert_eq!(house.neighbours(4).collect::<Vec<_>>(), [2, 3]);
///
/// let cities: Graph = "Rome Pisa\nPisa Siena\n".parse()?;
/// assert_eq!(cities.vertex("Siena"), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A graph takes about 24 bytes per edge and 4 bytes per vertex, apart from names. The limits
/// [`MAX_VERTICES`](Self::MAX_VERTICES) and [`MAX_EDGES`](Self::MAX_EDGES) are far beyond what a
/// sweep can handle, and prevent mistyped sizes from using all memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// The two vertices of each edge; in a simple graph, the smaller number first.
    edges: Vec<(u32, u32)>,
    /// The index in `incidences` of the first incidence of each vertex, and finally the length of
    /// `incidences`.
    starts: Vec<u32>,
    /// For each vertex, its neighbours and the edges to them.
    incidences: Vec<(u32, u32)>,
    /// The names of the vertices; empty if their numbers serve as names.
    names: Vec<String>,
    is_simple: bool,
}

impl Graph {
    /// The maximal number of vertices.
    pub const MAX_VERTICES: usize = 1 << 20;
    /// The maximal number of edges.
    pub const MAX_EDGES: usize = 1 << 22;

    /// Creates a simple graph from its number of vertices and its edges, each a pair of vertex
    /// numbers in any order.
    ///
    /// Takes expected time O(n + m) for n vertices and m edges.
    ///
    /// # Errors
    /// Returns a [`GraphError`] if there are too many vertices or edges, or if an edge has an end
    /// that is no vertex, joins a vertex to itself, or repeats an earlier edge.
    pub fn from_edges(
        vertices: usize,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, GraphError> {
        let edges = checked(vertices, edges, |edge, ends| match ends {
            (one, other) if one == other => Err(GraphError::Loop { edge, vertex: one }),
            (one, other) => Ok((one.min(other), one.max(other))),
        })?;
        match repetition(&edges) {
            Some((edge, first)) => Err(GraphError::Repeated { edge, first }),
            None => Ok(Self::from_checked(vertices, edges, true)),
        }
    }

    /// Creates a graph that may have loops and parallel edges. Each edge keeps its direction, from
    /// the first vertex to the second one.
    ///
    /// ```
    /// use secateurs_problems::graph::Graph;
    ///
    /// let bridges = [(0, 1), (0, 1), (0, 2), (0, 2), (0, 3), (1, 3), (2, 3)];
    /// let koenigsberg = Graph::multigraph(4, bridges)?;
    /// assert_eq!((koenigsberg.degree(0), koenigsberg.is_simple()), (5, false));
    /// assert_eq!(koenigsberg.simple().edge_count(), 5);
    /// # Ok::<(), secateurs_problems::graph::GraphError>(())
    /// ```
    ///
    /// Takes expected time O(n + m) for n vertices and m edges.
    ///
    /// # Errors
    /// Returns a [`GraphError`] if there are too many vertices or edges, or if an edge has an end
    /// that is no vertex.
    pub fn multigraph(
        vertices: usize,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, GraphError> {
        let edges = checked(vertices, edges, |_, ends| Ok(ends))?;
        let has_loop = edges.iter().any(|&(one, other)| one == other);
        let is_simple = !has_loop && repetition(&edges).is_none();
        Ok(Self::from_checked(vertices, edges, is_simple))
    }

    /// Returns the graph without its loops, and with the first one of each group of parallel edges,
    /// whatever their directions are.
    #[must_use]
    pub fn simple(&self) -> Cow<'_, Self> {
        if self.is_simple {
            return Cow::Borrowed(self);
        }
        let mut seen = HashSet::new();
        let edges = self.edges.iter().map(|&(one, other)| (one.min(other), one.max(other)));
        let edges = edges.filter(|&edge| edge.0 != edge.1 && seen.insert(edge)).collect();
        Cow::Owned(Self::from_checked(self.vertices(), edges, true).named(self.names.clone()))
    }

    /// Returns the graph with two edges for each edge, one in each direction, and one for each
    /// loop. The edges from edge `i` come next to each other.
    ///
    /// # Errors
    /// Returns a [`GraphError`] if there are too many edges.
    pub fn both_directions(&self) -> Result<Self, GraphError> {
        let there_and_back = self.edges().flat_map(|(from, to)| {
            [Some((from, to)), Some((to, from)).filter(|_| from != to)].into_iter().flatten()
        });
        Ok(Self::multigraph(self.vertices(), there_and_back)?.named(self.names.clone()))
    }

    /// Returns the graph with one more vertex, the last one, which is joined to each of the others
    /// by an edge. These edges come last, in the order of the vertices.
    ///
    /// The spanning trees of this graph are the *rooted forests* of the graph without this vertex:
    /// its edges are the roots.
    ///
    /// # Errors
    /// Returns a [`GraphError`] if there are too many vertices or edges.
    pub fn with_apex(&self) -> Result<Self, GraphError> {
        let apex = self.vertices();
        let spokes = (0..apex).map(|vertex| (vertex, apex));
        let graph = Self::multigraph(apex + 1, self.edges().chain(spokes))?;
        // The name has a blank, unlike any that was parsed.
        let name = (!self.names.is_empty()).then(|| "the apex".to_owned());
        Ok(graph.named(self.names.iter().cloned().chain(name).collect()))
    }

    /// Creates a graph from checked edges.
    fn from_checked(vertices: usize, edges: Vec<(u32, u32)>, is_simple: bool) -> Self {
        let mut starts = vec![0; vertices + 1];
        for &(one, other) in &edges {
            starts[one as usize + 1] += 1;
            starts[other as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut incidences = vec![(0, 0); 2 * edges.len()];
        let mut next = starts.clone();
        for (edge, &(one, other)) in edges.iter().enumerate() {
            for (from, to) in [(one, other), (other, one)] {
                let place = &mut next[from as usize];
                incidences[*place as usize] = (to, narrow(edge));
                *place += 1;
            }
        }
        Graph { edges, starts, incidences, names: Vec::new(), is_simple }
    }

    /// Returns the graph with a name for each vertex, or with numbers for names if there are none.
    pub(super) fn named(mut self, names: Vec<String>) -> Self {
        debug_assert!(names.is_empty() || names.len() == self.vertices(), "a name for each vertex");
        self.names = names;
        self
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns whether there are neither loops nor parallel edges. Two edges are parallel if
    /// they join the same vertices, in the same direction or not.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        self.is_simple
    }

    /// Returns the number of edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Returns all edges in the order of their numbers, each as its two vertices: those of a
    /// [multigraph](Self::multigraph) as they were given, and others with the smaller number first.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = (usize, usize)> + '_ {
        self.edges.iter().map(|&(one, other)| (one as usize, other as usize))
    }

    /// Returns the two vertices of an edge, as [`edges`](Self::edges) does.
    ///
    /// # Panics
    /// Panics if there is no such edge.
    #[must_use]
    pub fn edge(&self, edge: usize) -> (usize, usize) {
        let (one, other) = self.edges[edge];
        (one as usize, other as usize)
    }

    /// Returns the neighbours of `vertex`, in the order of the edges, one for each edge at it and
    /// two for a loop.
    ///
    /// # Panics
    /// Panics if there is no such vertex.
    pub fn neighbours(&self, vertex: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.incidences(vertex).iter().map(|&(neighbour, _)| neighbour as usize)
    }

    /// Returns the edges at `vertex`, in ascending order, and loops twice.
    ///
    /// # Panics
    /// Panics if there is no such vertex.
    pub fn edges_at(&self, vertex: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.incidences(vertex).iter().map(|&(_, edge)| edge as usize)
    }

    /// Returns the number of edges at `vertex`, where loops count twice.
    ///
    /// # Panics
    /// Panics if there is no such vertex.
    #[must_use]
    pub fn degree(&self, vertex: usize) -> usize {
        self.incidences(vertex).len()
    }

    fn incidences(&self, vertex: usize) -> &[(u32, u32)] {
        &self.incidences[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Returns the name of `vertex` in the parsed text, or its number if the graph was not parsed.
    ///
    /// # Panics
    /// Panics if there is no such vertex.
    #[must_use]
    pub fn name(&self, vertex: usize) -> Cow<'_, str> {
        assert!(vertex < self.vertices(), "no vertex {vertex} among {}", self.vertices());
        self.names
            .get(vertex)
            .map_or_else(|| Cow::from(vertex.to_string()), |name| Cow::from(name.as_str()))
    }

    /// Returns the vertex with this [name](Self::name).
    ///
    /// Takes time linear in the number of vertices if the graph was parsed.
    #[must_use]
    pub fn vertex(&self, name: &str) -> Option<usize> {
        if self.names.is_empty() {
            return parse_number(name).filter(|&vertex| vertex < self.vertices());
        }
        self.names.iter().position(|known| known == name)
    }
}

/// Returns the edges, checked and converted one by one.
fn checked(
    vertices: usize,
    edges: impl IntoIterator<Item = (usize, usize)>,
    convert: impl Fn(usize, (usize, usize)) -> Result<(usize, usize), GraphError>,
) -> Result<Vec<(u32, u32)>, GraphError> {
    if vertices > Graph::MAX_VERTICES {
        return Err(GraphError::TooManyVertices { limit: Graph::MAX_VERTICES });
    }
    let mut checked = Vec::new();
    for (edge, ends) in edges.into_iter().enumerate() {
        if edge == Graph::MAX_EDGES {
            return Err(GraphError::TooManyEdges { limit: Graph::MAX_EDGES });
        }
        if let Some(vertex) = [ends.0, ends.1].into_iter().find(|&vertex| vertex >= vertices) {
            return Err(GraphError::NoSuchVertex { edge, vertex, vertices });
        }
        let (one, other) = convert(edge, ends)?;
        checked.push((narrow(one), narrow(other)));
    }
    Ok(checked)
}

/// Returns the first edge that joins the same vertices as an earlier one, and that one.
fn repetition(edges: &[(u32, u32)]) -> Option<(usize, usize)> {
    let mut sorted: Vec<(u32, u32, usize)> = edges
        .iter()
        .enumerate()
        .map(|(edge, &(one, other))| (one.min(other), one.max(other), edge))
        .collect();
    sorted.sort_unstable();
    let repeated =
        sorted.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
    repeated.map(|pair| (pair[1].2, pair[0].2)).min()
}

/// Converts the number of a vertex or an edge. It fits, because it is below [`Graph::MAX_EDGES`].
#[allow(clippy::cast_possible_truncation)]
pub(super) fn narrow(number: usize) -> u32 {
    number as u32
}

/// The error for arguments that do not describe a graph or an [`Order`](super::Order) of one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphError {
    /// More vertices than [`Graph::MAX_VERTICES`].
    TooManyVertices {
        /// The maximum.
        limit: usize,
    },
    /// More edges than [`Graph::MAX_EDGES`].
    TooManyEdges {
        /// The maximum.
        limit: usize,
    },
    /// An end of an edge is not a vertex of the graph.
    NoSuchVertex {
        /// The edge, counted from 0.
        edge: usize,
        /// The end.
        vertex: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// An edge joins a vertex to itself.
    Loop {
        /// The edge, counted from 0.
        edge: usize,
        /// The vertex.
        vertex: usize,
    },
    /// An edge joins the same vertices as an earlier edge.
    Repeated {
        /// The edge, counted from 0.
        edge: usize,
        /// The earlier edge.
        first: usize,
    },
    /// A cycle of fewer than three vertices.
    NoCycle {
        /// The number of vertices asked for.
        vertices: usize,
    },
    /// An order contains a number that is no edge or vertex of the graph.
    UnknownInOrder {
        /// `edge` or `vertex`.
        what: &'static str,
        /// The position in the order, from 0.
        place: usize,
        /// The number at this position.
        number: usize,
        /// The number of edges or vertices of the graph.
        expected: usize,
    },
    /// An order contains an edge or vertex twice.
    RepeatedInOrder {
        /// `edge` or `vertex`.
        what: &'static str,
        /// The second position in the order, from 0.
        place: usize,
        /// The repeated edge or vertex.
        number: usize,
        /// The first position.
        first: usize,
    },
    /// An order does not contain all edges or vertices.
    MissingInOrder {
        /// `edge` or `vertex`.
        what: &'static str,
        /// The length of the order.
        found: usize,
        /// The number of edges or vertices of the graph.
        expected: usize,
    },
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            GraphError::TooManyVertices { limit } => {
                write!(f, "found a graph of more than {limit} vertices, expected at most {limit}")
            }
            GraphError::TooManyEdges { limit } => {
                write!(f, "found a graph of more than {limit} edges, expected at most {limit}")
            }
            GraphError::NoSuchVertex { edge, vertex, vertices } => write!(
                f,
                "edge {edge} (counted from 0): found vertex {vertex}, expected one of {vertices} \
                 vertices counted from 0"
            ),
            GraphError::Loop { edge, vertex } => write!(
                f,
                "edge {edge} (counted from 0): found vertex {vertex} twice, expected two \
                 different vertices"
            ),
            GraphError::Repeated { edge, first } => write!(
                f,
                "edge {edge} (counted from 0): found the vertices of edge {first} again, expected \
                 at most one edge between two vertices"
            ),
            GraphError::NoCycle { vertices } => {
                write!(f, "found a cycle of {vertices} vertices, expected at least 3")
            }
            GraphError::UnknownInOrder { what, place, number, expected } => write!(
                f,
                "position {}: found {what} {number}, expected a number from 0 to below {expected}",
                place + 1
            ),
            GraphError::RepeatedInOrder { what, place, number, first } => write!(
                f,
                "position {}: found {what} {number} of position {} again, expected a missing one",
                place + 1,
                first + 1
            ),
            GraphError::MissingInOrder { what, found, expected } => write!(
                f,
                "position {}: found the end of the order, expected one {what} for each of \
                 {expected}",
                found + 1
            ),
        }
    }
}

impl Error for GraphError {}

/// Reads a simple graph from an edge list: one edge per line, given as two vertices with white
/// space between them. [`Graph::parse_multigraph`] accepts loops and parallel edges as well.
///
/// A vertex is any word, numbers included; vertices are numbered in the order of their first
/// appearance. A line of one word names a vertex, which need not have an edge. `#` begins a
/// comment; empty lines are ignored. Lines may end in CR LF, the last line need not end, and a byte
/// order mark at the beginning is ignored.
///
/// ```
/// use secateurs_problems::graph::Graph;
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
        Self::parse_edges(text, true)
    }
}

impl Graph {
    /// Reads an edge list like [`FromStr`](#impl-FromStr-for-Graph), with loops and parallel edges.
    /// An edge leads from the first vertex in its line to the second one.
    ///
    /// ```
    /// use secateurs_problems::graph::Graph;
    ///
    /// let graph = Graph::parse_multigraph("a b\nb a\na a\n")?;
    /// assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (1, 0), (0, 0)]);
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not in this format, or if the graph is too large.
    pub fn parse_multigraph(text: &str) -> Result<Self, ParseError> {
        Self::parse_edges(text, false)
    }

    fn parse_edges(text: &str, is_simple: bool) -> Result<Self, ParseError> {
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
                if is_simple && from == to {
                    let message = format!(
                        "found {other:?} again, expected a different vertex, or a multigraph"
                    );
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
        let graph = match is_simple {
            true => Graph::from_edges(names.len(), edges),
            false => Graph::multigraph(names.len(), edges),
        };
        match graph {
            Ok(graph) => Ok(graph.named(names.into_iter().map(str::to_owned).collect())),
            Err(GraphError::Repeated { edge, first }) => {
                let ((line, column), (first, _)) = (places[edge], places[first]);
                let message = format!(
                    "found the edge of line {first} again, expected at most one edge between two \
                     vertices, or a multigraph"
                );
                Err(ParseError::at(line, column, message))
            }
            // The loop above has checked everything else.
            Err(error) => Err(ParseError::new(error)),
        }
    }
}
