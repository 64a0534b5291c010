//! Graphs that have a name: grids of any dimension, boards with a piece that moves on them,
//! complete graphs.

use super::model::{Graph, GraphError};

/// How a knight moves, up to turning back.
const KNIGHT: [(isize, isize); 4] = [(1, -2), (1, 2), (2, -1), (2, 1)];
/// How a king moves, up to turning back.
const KING: [(isize, isize); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];

/// A product of sizes, unless it is beyond what a graph may have.
fn product(sizes: &[usize]) -> Result<usize, GraphError> {
    if sizes.contains(&0) {
        return Ok(0);
    }
    sizes
        .iter()
        .try_fold(1usize, |product, &size| {
            product.checked_mul(size).filter(|&all| all <= Graph::MAX_VERTICES)
        })
        .ok_or(GraphError::TooManyVertices { limit: Graph::MAX_VERTICES })
}

impl Graph {
    /// The grid of any number of dimensions: vertices are the points of whole coordinates from 0 to
    /// below `sizes`, and those are neighbours that differ by 1 in one of them.
    ///
    /// The last coordinate runs fastest: `grid(&[rows, columns])` is numbered row by row. Of no
    /// dimensions it is a single vertex, and with a size of 0 it is empty.
    ///
    /// ```
    /// use secateurs::plug::graph::Graph;
    ///
    /// let cube = Graph::grid(&[2, 2, 2])?;
    /// assert_eq!((cube.vertices(), cube.edge_count()), (8, 12));
    /// # Ok::<(), secateurs::plug::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// [`GraphError`] if it is too large.
    #[inline] // Compiled only for those who call it.
    pub fn grid(sizes: &[usize]) -> Result<Self, GraphError> {
        let vertices = product(sizes)?;
        // Sizes of 1 are no dimension worth a step.
        let mut strides = Vec::new();
        let mut stride = 1;
        for &size in sizes.iter().rev().filter(|_| vertices > 0).filter(|&&size| size > 1) {
            strides.push((stride, size));
            stride *= size;
        }
        let strides = &strides;
        let onward = |vertex: usize| {
            let to = move |&(stride, size): &(usize, usize)| {
                (vertex / stride % size + 1 < size).then_some((vertex, vertex + stride))
            };
            strides.iter().filter_map(to)
        };
        Self::from_edges(vertices, (0..vertices).flat_map(onward))
    }

    /// The squares of a board, neighbours if a king gets from one to the other in a move. Numbered
    /// row by row.
    ///
    /// ```
    /// use secateurs::plug::graph::Graph;
    ///
    /// let board = Graph::king(3, 3)?;
    /// assert_eq!((board.edge_count(), board.degree(4)), (20, 8));
    /// # Ok::<(), secateurs::plug::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// [`GraphError`] if it is too large.
    pub fn king(rows: usize, columns: usize) -> Result<Self, GraphError> {
        Self::board(rows, columns, &KING)
    }

    /// The squares of a board, neighbours if a knight gets from one to the other in a move.
    /// Numbered row by row.
    ///
    /// ```
    /// use secateurs::plug::graph::Graph;
    ///
    /// let board = Graph::knight(3, 3)?;
    /// assert_eq!((board.edge_count(), board.degree(4)), (8, 0)); // nobody gets to the centre
    /// # Ok::<(), secateurs::plug::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// [`GraphError`] if it is too large.
    pub fn knight(rows: usize, columns: usize) -> Result<Self, GraphError> {
        Self::board(rows, columns, &KNIGHT)
    }

    /// The squares of a board, neighbours if a queen gets from one to the other in a move. Numbered
    /// row by row.
    ///
    /// Colouring it in `n` colours is to place `n` sets of `n` queens on the board of side `n`.
    ///
    /// ```
    /// use secateurs::plug::graph::Graph;
    ///
    /// let board = Graph::queen(5, 5)?;
    /// assert_eq!((board.edge_count(), board.degree(0)), (160, 12));
    /// # Ok::<(), secateurs::plug::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// [`GraphError`] if it is too large.
    #[inline] // Compiled only for those who call it.
    pub fn queen(rows: usize, columns: usize) -> Result<Self, GraphError> {
        let squares = product(&[rows, columns])?;
        let ray = move |from: usize, (down, right): (isize, isize)| {
            (1..).map_while(move |step: isize| {
                let row =
                    (from / columns).checked_add_signed(down * step).filter(|&row| row < rows)?;
                let column = (from % columns)
                    .checked_add_signed(right * step)
                    .filter(|&column| column < columns)?;
                Some((from, row * columns + column))
            })
        };
        Self::from_edges(
            squares,
            (0..squares).flat_map(|from| KING.into_iter().flat_map(move |way| ray(from, way))),
        )
    }

    /// The squares of a board, neighbours if one of `moves` (rows down, columns to the right) leads
    /// from one to the other.
    #[inline] // Compiled only for those who call it.
    fn board(rows: usize, columns: usize, moves: &[(isize, isize)]) -> Result<Self, GraphError> {
        let squares = product(&[rows, columns])?;
        let onward = |from: usize| {
            let to = move |&(down, right): &(isize, isize)| {
                let row = (from / columns).checked_add_signed(down).filter(|&row| row < rows)?;
                let column = (from % columns)
                    .checked_add_signed(right)
                    .filter(|&column| column < columns)?;
                Some((from, row * columns + column))
            };
            moves.iter().filter_map(to)
        };
        Self::from_edges(squares, (0..squares).flat_map(onward))
    }

    /// The Mycielskian of this graph (Mycielski 1955): it takes one colour more to colour it, and
    /// has no triangle if this graph has none.
    ///
    /// Beside each vertex there is a second one with the same neighbours, and beside all of those
    /// one more vertex, which they are joined to. Vertex `v` keeps its number, its second one is `n
    /// + v`, and the last is `2 n`.
    ///
    /// ```
    /// use secateurs::plug::graph::Graph;
    ///
    /// let groetzsch = Graph::cycle(5)?.mycielskian()?; // no triangle, and yet four colours
    /// assert_eq!((groetzsch.vertices(), groetzsch.edge_count()), (11, 20));
    /// # Ok::<(), secateurs::plug::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// [`GraphError`] if it is too large.
    #[inline] // Compiled only for those who call it.
    pub fn mycielskian(&self) -> Result<Self, GraphError> {
        let n = self.vertices();
        let edges = self
            .edges()
            .flat_map(|(one, other)| [(one, other), (one, n + other), (n + one, other)]);
        Self::from_edges(2 * n + 1, edges.chain((n..2 * n).map(|second| (second, 2 * n))))
    }

    /// All edges between so many vertices.
    ///
    /// # Errors
    /// [`GraphError`] if they are too many.
    pub fn complete(vertices: usize) -> Result<Self, GraphError> {
        Self::from_edges(vertices, (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to))))
    }

    /// A path through so many vertices.
    ///
    /// # Errors
    /// [`GraphError`] if it is too long.
    pub fn path(vertices: usize) -> Result<Self, GraphError> {
        Self::from_edges(vertices, (1..vertices).map(|to| (to - 1, to)))
    }

    /// A cycle through so many vertices.
    ///
    /// # Errors
    /// [`GraphError`] if it is too long, or if there are fewer than 3 vertices: two edges between
    /// the same two would be parallel.
    pub fn cycle(vertices: usize) -> Result<Self, GraphError> {
        if vertices < 3 {
            return Err(GraphError::NoCycle { vertices });
        }
        Self::from_edges(vertices, (0..vertices).map(|from| (from, (from + 1) % vertices)))
    }
}
