//! A graph cut into two halves that are each other's image: [`Split`].

use std::error::Error;
use std::fmt;

use rustc_hash::FxHashSet;

use super::half::HalfCycle;
use super::loose_ends::POSITIONS;

/// A graph, a symmetry of it that swaps two halves, and the order in which one of them is swept.
///
/// The vertices are numbered from 0. Those of the given `order` are the inner vertices of the *near half*; their images are the
/// inner vertices of the far half; the others are the *boundary*. An edge with an inner vertex belongs to the half of that
/// vertex. An edge between boundary vertices is a *middle edge*; of it and its image, one belongs to each half.
///
/// ```
/// use secateurs::plug::meet::Split;
///
/// // A cube: two squares 0123 and 4567, one above the other. Each half turn about an axis through two opposite edges is a
/// // symmetry; this one swaps the vertices 0 and 6.
/// let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)];
/// let image = [6, 7, 4, 5, 2, 3, 0, 1];
/// let split = Split::new(8, &edges, &image, &[0])?;
/// assert_eq!(split.cycles().count().exact(), Some(6));
/// # Ok::<(), secateurs::plug::meet::SplitError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Split {
    /// Neighbours of each vertex, in the order of the edges.
    neighbours: Vec<Vec<usize>>,
    image: Vec<usize>,
    order: Vec<usize>,
    side: Vec<Side>,
    middle: Vec<Vec<(usize, usize)>>,
    mirror: Option<Vec<usize>>,
}

/// Where a vertex is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Near,
    Far,
    Boundary,
}

/// An edge as the key of a set.
fn edge(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

impl Split {
    /// Splits the graph of these undirected `edges` along a symmetry: `image` maps each vertex to its image, and `order` lists the
    /// inner vertices of the near half, at least one. Of each middle edge and its image, the one that comes first
    /// belongs to the near half, and each is a cell; [`with_middle`](Split::with_middle) decides otherwise.
    ///
    /// An order is good if the frontier stays narrow: row by row, or from one end to the other. Which of the middle
    /// edges belong to the near half makes no difference to the count, and up to a third in time.
    ///
    /// # Errors
    /// If that is no graph, no symmetry that is its own inverse, or no two halves: see [`SplitError`].
    pub fn new(
        vertices: usize,
        edges: &[(usize, usize)],
        image: &[usize],
        order: &[usize],
    ) -> Result<Self, SplitError> {
        let mut neighbours = vec![Vec::new(); vertices];
        let mut known = FxHashSet::default();
        for &(a, b) in edges {
            for vertex in [a, b] {
                if vertex >= vertices {
                    return Err(SplitError::NoSuchVertex { vertex, vertices });
                }
            }
            if a == b {
                return Err(SplitError::Loop { vertex: a });
            }
            if !known.insert(edge(a, b)) {
                return Err(SplitError::Twice { edge: (a, b) });
            }
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
        check_symmetry(image, vertices, edges, &known)?;
        let mut side = vec![Side::Boundary; vertices];
        for &vertex in order {
            if vertex >= vertices {
                return Err(SplitError::NoSuchVertex { vertex, vertices });
            }
            if side[vertex] != Side::Boundary || image[vertex] == vertex {
                return Err(SplitError::InBothHalves { vertex });
            }
            side[vertex] = Side::Near;
            side[image[vertex]] = Side::Far;
        }
        if order.is_empty() {
            return Err(SplitError::NoInnerVertex);
        }
        let mut split = Split {
            neighbours,
            image: image.to_vec(),
            order: order.to_vec(),
            side,
            middle: Vec::new(),
            mirror: None,
        };
        let mut taken = FxHashSet::default();
        for &(a, b) in edges {
            match (split.side[a], split.side[b]) {
                (Side::Near, Side::Far) | (Side::Far, Side::Near) => {
                    return Err(SplitError::HalvesTouch { edge: (a, b) });
                }
                (Side::Boundary, Side::Boundary) => {
                    let there = edge(image[a], image[b]);
                    if there == edge(a, b) {
                        return Err(SplitError::OwnImage { edge: (a, b) });
                    }
                    if !taken.contains(&there) {
                        taken.insert(edge(a, b));
                        split.middle.push(vec![(a, b)]);
                    }
                }
                _ => {}
            }
        }
        Ok(split)
    }

    /// Says which middle edges belong to the near half, in groups: a group is decided in one cell, which saves a layer if it
    /// has two or three edges.
    ///
    /// # Errors
    /// [`SplitError::NotDivided`] unless of each middle edge and its image just one is there, just once.
    pub fn with_middle(mut self, middle: Vec<Vec<(usize, usize)>>) -> Result<Self, SplitError> {
        let mut open: FxHashSet<_> = self.middle.iter().flatten().map(|&(a, b)| edge(a, b)).collect();
        for &(a, b) in middle.iter().flatten() {
            let there = [a, b].map(|vertex| self.image.get(vertex).copied());
            let is_open = open.remove(&edge(a, b))
                || matches!(there, [Some(c), Some(d)] if open.remove(&edge(c, d)));
            if !is_open {
                return Err(SplitError::NotDivided { edge: (a, b) });
            }
        }
        if let Some(&edge) = open.iter().min() {
            return Err(SplitError::NotDivided { edge });
        }
        self.middle = middle;
        Ok(self)
    }

    /// Makes use of a symmetry of the near half: one that is its own inverse, goes together with the image, and keeps the near half and
    /// its middle edges where they are. States that mirror each other are then counted as one.
    ///
    /// Call it after [`with_middle`](Split::with_middle).
    ///
    /// # Errors
    /// If it is no such symmetry.
    pub fn with_mirror(mut self, mirror: &[usize]) -> Result<Self, SplitError> {
        let known: FxHashSet<_> = self.edges().collect();
        let edges: Vec<_> = known.iter().copied().collect();
        check_symmetry(mirror, self.vertices(), &edges, &known)?;
        for (vertex, &there) in mirror.iter().enumerate() {
            if self.side[there] != self.side[vertex] || mirror[self.image[vertex]] != self.image[there] {
                return Err(SplitError::NotOfTheHalf { vertex });
            }
        }
        let middle: FxHashSet<_> = self.middle.iter().flatten().map(|&(a, b)| edge(a, b)).collect();
        for &(a, b) in self.middle.iter().flatten() {
            if !middle.contains(&edge(mirror[a], mirror[b])) {
                return Err(SplitError::NotDivided { edge: (a, b) });
            }
        }
        self.mirror = Some(mirror.to_vec());
        Ok(self)
    }

    /// How many vertices there are.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.side.len()
    }

    /// The near half, as a profile.
    #[must_use]
    pub fn half(&self) -> HalfCycle {
        HalfCycle::new(self)
    }

    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    pub(super) fn middle(&self) -> &[Vec<(usize, usize)>] {
        &self.middle
    }

    pub(super) fn neighbours(&self, vertex: usize) -> &[usize] {
        &self.neighbours[vertex]
    }

    pub(super) fn boundary(&self) -> impl Iterator<Item = usize> {
        (0..self.vertices()).filter(|&vertex| self.side[vertex] == Side::Boundary)
    }

    fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        let edges = |(a, others): (usize, &Vec<usize>)| -> Vec<_> {
            others.iter().filter(|&&b| a < b).map(|&b| (a, b)).collect()
        };
        self.neighbours.iter().enumerate().flat_map(edges)
    }

    pub(super) fn image_of(&self, frontier: &[usize]) -> Option<Vec<u8>> {
        places(frontier, &self.image)
    }

    /// Where the positions of a frontier go if the half is mirrored; `None` unless the vertices pushed and the first `groups` of
    /// middle edges are together their own mirror image.
    pub(super) fn mirror_of(&self, frontier: &[usize], pushed: &[bool], groups: usize) -> Option<Vec<u8>> {
        let mirror = self.mirror.as_ref()?;
        // The frontier first: it is short.
        let places = places(frontier, mirror)?;
        let done: Vec<_> = self.middle[..groups].iter().flatten().map(|&(a, b)| edge(a, b)).collect();
        let is_closed = self.order.iter().all(|&vertex| pushed[vertex] == pushed[mirror[vertex]])
            && done.iter().all(|&(a, b)| done.contains(&edge(mirror[a], mirror[b])));
        is_closed.then_some(places)
    }
}

/// Where the positions of a frontier go under a map of the vertices.
fn places(frontier: &[usize], map: &[usize]) -> Option<Vec<u8>> {
    if frontier.len() > POSITIONS {
        return None;
    }
    let place = |&vertex: &usize| frontier.iter().position(|&other| other == map[vertex]).map(|place| place as u8);
    frontier.iter().map(place).collect()
}

/// Checks that a map of the vertices is its own inverse, and maps edges to edges.
fn check_symmetry(
    map: &[usize],
    vertices: usize,
    edges: &[(usize, usize)],
    known: &FxHashSet<(usize, usize)>,
) -> Result<(), SplitError> {
    if map.len() != vertices {
        return Err(SplitError::WrongLength { found: map.len(), vertices });
    }
    for (vertex, &there) in map.iter().enumerate() {
        if map.get(there) != Some(&vertex) {
            return Err(SplitError::NotItsOwnInverse { vertex });
        }
    }
    match edges.iter().find(|&&(a, b)| !known.contains(&edge(map[a], map[b]))) {
        Some(&edge) => Err(SplitError::NoSymmetry { edge }),
        None => Ok(()),
    }
}

/// Why a graph could not be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SplitError {
    /// A vertex of an edge or of the order is not in the graph.
    NoSuchVertex {
        /// The vertex.
        vertex: usize,
        /// How many there are, numbered from 0.
        vertices: usize,
    },
    /// An edge joins a vertex to itself.
    Loop {
        /// The vertex.
        vertex: usize,
    },
    /// An edge is there twice.
    Twice {
        /// The edge.
        edge: (usize, usize),
    },
    /// A symmetry has not just one image for each vertex.
    WrongLength {
        /// How many images there are.
        found: usize,
        /// How many vertices.
        vertices: usize,
    },
    /// The image of the image of a vertex is not that vertex.
    NotItsOwnInverse {
        /// The vertex.
        vertex: usize,
    },
    /// The image of an edge is no edge.
    NoSymmetry {
        /// The edge.
        edge: (usize, usize),
    },
    /// The order is empty.
    NoInnerVertex,
    /// A vertex of the order is there twice, or its image is in the order too, or is itself.
    InBothHalves {
        /// The vertex.
        vertex: usize,
    },
    /// An edge joins inner vertices of different halves.
    HalvesTouch {
        /// The edge.
        edge: (usize, usize),
    },
    /// A middle edge is its own image, so that it cannot belong to one half. Another symmetry may help.
    OwnImage {
        /// The edge.
        edge: (usize, usize),
    },
    /// An edge is no middle edge, or of it and its image not just one was given to the near half; or the mirror image of a
    /// middle edge of the near half belongs to the other half.
    NotDivided {
        /// The edge.
        edge: (usize, usize),
    },
    /// The mirror takes a vertex out of its half, or does not go together with the image.
    NotOfTheHalf {
        /// The vertex.
        vertex: usize,
    },
}

impl fmt::Display for SplitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SplitError::NoSuchVertex { vertex, vertices } => {
                write!(f, "vertex {vertex} is not among the {vertices} vertices, which are numbered from 0")
            }
            SplitError::Loop { vertex } => write!(f, "an edge joins vertex {vertex} to itself"),
            SplitError::Twice { edge: (a, b) } => write!(f, "the edge {a}–{b} is there twice"),
            SplitError::WrongLength { found, vertices } => {
                write!(f, "a symmetry with {found} images, expected one for each of the {vertices} vertices")
            }
            SplitError::NotItsOwnInverse { vertex } => {
                write!(f, "the image of the image of vertex {vertex} is another vertex, expected a symmetry of order 2")
            }
            SplitError::NoSymmetry { edge: (a, b) } => write!(f, "the image of the edge {a}–{b} is no edge"),
            SplitError::NoInnerVertex => f.write_str("no inner vertex, expected at least one"),
            SplitError::InBothHalves { vertex } => {
                write!(f, "vertex {vertex} is in the near half twice, or in both halves, expected once in one")
            }
            SplitError::HalvesTouch { edge: (a, b) } => {
                write!(f, "the edge {a}–{b} joins the two halves, expected a boundary between them")
            }
            SplitError::OwnImage { edge: (a, b) } => {
                write!(f, "the edge {a}–{b} within the boundary is its own image, expected one edge for each half")
            }
            SplitError::NotDivided { edge: (a, b) } => {
                write!(f, "the edge {a}–{b}: expected just one of each middle edge and its image, and the mirror image too")
            }
            SplitError::NotOfTheHalf { vertex } => {
                write!(f, "the mirror takes vertex {vertex} out of its half, or does not go together with the image")
            }
        }
    }
}

impl Error for SplitError {}
