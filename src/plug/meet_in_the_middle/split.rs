//! A graph divided into two halves that are each other's image: [`MeetSplit`].

use std::error::Error;
use std::fmt;

use rustc_hash::FxHashSet;

use super::dense_mates::POSITIONS;

/// A graph, a symmetry of it that swaps two halves, and the order in which one of them is swept.
///
/// The vertices of the `order` are the inner vertices of the *near half*. Their images are those of
/// the far half; all other vertices form the *boundary*. An edge with an inner vertex belongs to
/// the half of that vertex. An edge between boundary vertices is a *middle edge*; one half has this
/// edge and the other half its image.
///
/// ```
/// use secateurs::plug::meet_in_the_middle::MeetSplit;
///
/// // A cube: two squares 0123 and 4567, one above the other. The point reflection through
/// // the centre is a symmetry that swaps opposite corners.
/// let squares = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4)];
/// let between = [(0, 4), (1, 5), (2, 6), (3, 7)];
/// let cube = squares.into_iter().chain(between);
/// let image = [6, 7, 4, 5, 2, 3, 0, 1];
/// assert_eq!(MeetSplit::new(cube, &image, &[0])?.cycles().count().exact(), Some(6));
/// # Ok::<(), secateurs::plug::meet_in_the_middle::SplitError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeetSplit {
    edges: Vec<(usize, usize)>,
    image: Vec<usize>,
    order: Vec<usize>,
    side: Vec<Side>,
    middle: Vec<Vec<(usize, usize)>>,
    mirror: Option<Vec<usize>>,
}

/// The part of the graph to which a vertex belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Near,
    Far,
    Boundary,
}

/// Returns an edge with its smaller vertex first.
fn edge(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

impl MeetSplit {
    /// Splits a simple graph along a symmetry. `edges` lists each edge once, in either orientation;
    /// `image` maps each vertex to its image, so its length is the number of vertices; and `order`
    /// lists the inner vertices of the near half, at least one. Of each middle edge and its image,
    /// the one that comes first in `edges` belongs to the near half. Each of these edges is decided
    /// in a cell of its own; [`with_middle`](MeetSplit::with_middle) changes that.
    ///
    /// A good order keeps the frontier narrow: row by row, or from one end to the other.
    ///
    /// # Errors
    /// Returns an error if the graph is not simple, if `image` is no symmetry of it that is its own
    /// inverse, or if there are no two halves: see [`SplitError`].
    pub fn new(
        edges: impl IntoIterator<Item = (usize, usize)>,
        image: &[usize],
        order: &[usize],
    ) -> Result<Self, SplitError> {
        let edges: Vec<_> = edges.into_iter().map(|(a, b)| edge(a, b)).collect();
        let vertices = image.len();
        if let Some(vertex) = edges.iter().map(|&(_, b)| b).find(|&vertex| vertex >= vertices) {
            return Err(SplitError::NoSuchVertex { vertex, vertices });
        }
        let distinct: FxHashSet<_> = edges.iter().collect();
        if distinct.len() < edges.len() || edges.iter().any(|(a, b)| a == b) {
            return Err(SplitError::NotSimple);
        }
        check_symmetry(&edges, vertices, image)?;
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
        let mut near_middle = FxHashSet::default();
        for &(a, b) in &edges {
            match (side[a], side[b]) {
                (Side::Near, Side::Far) | (Side::Far, Side::Near) => {
                    return Err(SplitError::HalvesTouch { edge: (a, b) });
                }
                (Side::Boundary, Side::Boundary) => {
                    let image_edge = edge(image[a], image[b]);
                    if image_edge == (a, b) {
                        return Err(SplitError::OwnImage { edge: (a, b) });
                    }
                    if !near_middle.contains(&image_edge) {
                        near_middle.insert((a, b));
                    }
                }
                _ => {}
            }
        }
        let in_near_half = edges.iter().filter(|edge| near_middle.contains(edge));
        let middle = in_near_half.map(|&edge| vec![edge]).collect();
        Ok(MeetSplit {
            edges,
            image: image.to_vec(),
            order: order.to_vec(),
            side,
            middle,
            mirror: None,
        })
    }

    /// Sets the middle edges of the near half, in groups. A group is decided in one cell, which
    /// saves layers if it has two or three edges. The choice of the edges makes no difference to
    /// the count, but may double the number of states.
    ///
    /// # Errors
    /// Returns [`SplitError::NotDivided`] unless exactly one of each middle edge and its image is
    /// listed, exactly once, and if a [mirror](MeetSplit::with_mirror) no longer maps the listed
    /// edges to each other.
    pub fn with_middle(mut self, middle: Vec<Vec<(usize, usize)>>) -> Result<Self, SplitError> {
        let mut unlisted: FxHashSet<_> =
            self.middle.iter().flatten().map(|&(a, b)| edge(a, b)).collect();
        for &(a, b) in middle.iter().flatten() {
            let is_unlisted = unlisted.remove(&edge(a, b))
                || match (self.image.get(a), self.image.get(b)) {
                    (Some(&a), Some(&b)) => unlisted.remove(&edge(a, b)),
                    _ => false,
                };
            if !is_unlisted {
                return Err(SplitError::NotDivided { edge: (a, b) });
            }
        }
        if let Some(&edge) = unlisted.iter().min() {
            return Err(SplitError::NotDivided { edge });
        }
        self.middle = middle;
        match self.mirror.take() {
            Some(mirror) => self.with_mirror(&mirror),
            None => Ok(self),
        }
    }

    /// Sets another symmetry, one of the near half: it is its own inverse, commutes with the image,
    /// and maps the near half and its middle edges to themselves. States that mirror each other are
    /// then counted as one, which halves time and memory.
    ///
    /// # Errors
    /// Returns an error if `mirror` is no such symmetry.
    pub fn with_mirror(mut self, mirror: &[usize]) -> Result<Self, SplitError> {
        check_symmetry(&self.edges, self.image.len(), mirror)?;
        for (vertex, &there) in mirror.iter().enumerate() {
            if self.side[there] != self.side[vertex]
                || mirror[self.image[vertex]] != self.image[there]
            {
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

    /// Returns the vertices that share an edge with each vertex.
    pub(super) fn neighbours(&self) -> Vec<Vec<usize>> {
        let mut neighbours = vec![Vec::new(); self.image.len()];
        for &(a, b) in &self.edges {
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
        neighbours
    }

    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    pub(super) fn middle(&self) -> &[Vec<(usize, usize)>] {
        &self.middle
    }

    pub(super) fn boundary(&self) -> impl Iterator<Item = usize> {
        (0..self.side.len()).filter(|&vertex| self.side[vertex] == Side::Boundary)
    }

    /// Returns the image of each position of a frontier, or `None` if the frontier is too wide for
    /// any state.
    pub(super) fn image_of(&self, frontier: &[usize]) -> Option<Vec<u8>> {
        places(frontier, &self.image)
    }

    /// Returns the mirror image of each position of a frontier, or `None` unless the pushed
    /// vertices and the first `groups` of middle edges are together their own mirror image.
    pub(super) fn mirror_of(
        &self,
        frontier: &[usize],
        pushed: &[bool],
        groups: usize,
    ) -> Option<Vec<u8>> {
        let mirror = self.mirror.as_ref()?;
        // The frontier is checked first, because it is short.
        let places = places(frontier, mirror)?;
        let done: Vec<_> =
            self.middle[..groups].iter().flatten().map(|&(a, b)| edge(a, b)).collect();
        let is_closed = self.order.iter().all(|&vertex| pushed[vertex] == pushed[mirror[vertex]])
            && done.iter().all(|&(a, b)| done.contains(&edge(mirror[a], mirror[b])));
        is_closed.then_some(places)
    }
}

/// Returns the image of each position of a frontier under a map of the vertices, or `None` if an
/// image is not in the frontier or the frontier is too wide.
fn places(frontier: &[usize], map: &[usize]) -> Option<Vec<u8>> {
    if frontier.len() > POSITIONS {
        return None;
    }
    let place = |&vertex: &usize| {
        frontier.iter().position(|&other| other == map[vertex]).map(|place| place as u8)
    };
    frontier.iter().map(place).collect()
}

/// Checks that a map of the vertices is its own inverse and maps edges to edges.
fn check_symmetry(
    edges: &[(usize, usize)],
    vertices: usize,
    map: &[usize],
) -> Result<(), SplitError> {
    if map.len() != vertices {
        return Err(SplitError::WrongLength { found: map.len(), vertices });
    }
    for (vertex, &there) in map.iter().enumerate() {
        if map.get(there) != Some(&vertex) {
            return Err(SplitError::NotItsOwnInverse { vertex });
        }
    }
    let known: FxHashSet<_> = edges.iter().copied().collect();
    match edges.iter().find(|&&(a, b)| !known.contains(&edge(map[a], map[b]))) {
        Some(&edge) => Err(SplitError::NoSymmetry { edge }),
        None => Ok(()),
    }
}

/// The reason why a graph could not be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SplitError {
    /// The graph has loops or parallel edges.
    NotSimple,
    /// A vertex of an edge or of the order has no image.
    NoSuchVertex {
        /// The vertex.
        vertex: usize,
        /// The number of vertices, which are numbered from 0.
        vertices: usize,
    },
    /// A mirror does not have exactly one image for each vertex.
    WrongLength {
        /// The number of images.
        found: usize,
        /// The number of vertices.
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
    /// A vertex is in the order twice, or its image is in the order too or is the vertex itself.
    InBothHalves {
        /// The vertex.
        vertex: usize,
    },
    /// An edge joins inner vertices of different halves.
    HalvesTouch {
        /// The edge.
        edge: (usize, usize),
    },
    /// A middle edge is its own image, so that it cannot belong to one half. Another symmetry may
    /// help.
    OwnImage {
        /// The edge.
        edge: (usize, usize),
    },
    /// A listed edge is not a middle edge, or it is listed twice or together with its image; or
    /// neither a middle edge nor its image is listed; or the mirror image of a listed edge is not
    /// listed.
    NotDivided {
        /// The edge.
        edge: (usize, usize),
    },
    /// The mirror maps a vertex out of its half, or does not commute with the image.
    NotOfTheHalf {
        /// The vertex.
        vertex: usize,
    },
}

impl fmt::Display for SplitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SplitError::NotSimple => {
                f.write_str("found loops or parallel edges, expected a simple graph")
            }
            SplitError::NoSuchVertex { vertex, vertices } => {
                write!(f, "vertex {vertex} is not among the {vertices} vertices, numbered from 0")
            }
            SplitError::WrongLength { found, vertices } => {
                write!(
                    f,
                    "found a mirror of {found} images, \
                     expected one for each of {vertices} vertices"
                )
            }
            SplitError::NotItsOwnInverse { vertex } => {
                write!(
                    f,
                    "the image of the image of vertex {vertex} is another vertex, \
                     expected a symmetry of order 2"
                )
            }
            SplitError::NoSymmetry { edge: (a, b) } => {
                write!(f, "the image of the edge {a}–{b} is no edge")
            }
            SplitError::NoInnerVertex => f.write_str("no inner vertex, expected at least one"),
            SplitError::InBothHalves { vertex } => {
                write!(
                    f,
                    "vertex {vertex} is in the near half twice, or in both halves, \
                     expected once in one"
                )
            }
            SplitError::HalvesTouch { edge: (a, b) } => {
                write!(f, "the edge {a}–{b} joins the two halves, expected a boundary between them")
            }
            SplitError::OwnImage { edge: (a, b) } => {
                write!(
                    f,
                    "the edge {a}–{b} within the boundary is its own image, \
                     expected one edge for each half"
                )
            }
            SplitError::NotDivided { edge: (a, b) } => {
                write!(
                    f,
                    "the edge {a}–{b}: expected one of each middle edge and its image, \
                     and mirror images together"
                )
            }
            SplitError::NotOfTheHalf { vertex } => {
                write!(
                    f,
                    "the mirror maps vertex {vertex} out of its half, \
                     or does not commute with the image"
                )
            }
        }
    }
}

impl Error for SplitError {}
