//! Constructors of well-known graphs: grids of any dimension, boards with the moves of a chess
//! piece, complete graphs, paths, cycles and Mycielskians.

use super::model::{Graph, GraphError};

/// The moves of a knight, one of each pair of opposite moves.
const KNIGHT: [(isize, isize); 4] = [(1, -2), (1, 2), (2, -1), (2, 1)];
/// The moves of a king, one of each pair of opposite moves.
const KING: [(isize, isize); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];

/// Returns the product of the sizes, or an error if it exceeds the maximal number of vertices.
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
    /// Creates a grid of any number of dimensions. Its vertices are the integer points with
    /// coordinates from 0 to below `sizes`; two are adjacent if they differ by 1 in one coordinate.
    ///
    /// The last coordinate varies fastest: `grid(&[rows, columns])` is numbered row by row. Without
    /// dimensions the grid is a single vertex, and with a size of 0 it is empty.
    ///
    /// ```
    /// use secateurs_problems::graph::Graph;
    ///
    /// let cube = Graph::grid(&[2, 2, 2])?;
    /// assert_eq!((cube.vertices(), cube.edge_count()), (8, 12));
    /// # Ok::<(), secateurs_problems::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`GraphError`] if the graph is too large.
    #[inline]
    pub fn grid(sizes: &[usize]) -> Result<Self, GraphError> {
        let vertices = product(sizes)?;
        // A dimension of size 1 has no edges.
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

    /// Creates the graph of a king's moves: squares numbered row by row, adjacent if a king moves
    /// from one to the other.
    ///
    /// ```
    /// use secateurs_problems::graph::Graph;
    ///
    /// let board = Graph::king(3, 3)?;
    /// assert_eq!((board.edge_count(), board.degree(4)), (20, 8));
    /// # Ok::<(), secateurs_problems::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`GraphError`] if the graph is too large.
    pub fn king(rows: usize, columns: usize) -> Result<Self, GraphError> {
        Self::board(rows, columns, &KING, 1)
    }

    /// Creates the graph of a knight's moves: squares numbered row by row, adjacent if a knight
    /// moves from one to the other.
    ///
    /// ```
    /// use secateurs_problems::graph::Graph;
    ///
    /// let board = Graph::knight(3, 3)?;
    /// assert_eq!((board.edge_count(), board.degree(4)), (8, 0)); // no move leads to the centre
    /// # Ok::<(), secateurs_problems::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`GraphError`] if the graph is too large.
    pub fn knight(rows: usize, columns: usize) -> Result<Self, GraphError> {
        Self::board(rows, columns, &KNIGHT, 1)
    }

    /// Creates the graph of a queen's moves: squares numbered row by row, adjacent if a queen moves
    /// from one to the other.
    ///
    /// A colouring of the n × n board in `n` colours is a placement of `n` sets of `n`
    /// non-attacking queens.
    ///
    /// ```
    /// use secateurs_problems::graph::Graph;
    ///
    /// let board = Graph::queen(5, 5)?;
    /// assert_eq!((board.edge_count(), board.degree(0)), (160, 12));
    /// # Ok::<(), secateurs_problems::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`GraphError`] if the graph is too large.
    pub fn queen(rows: usize, columns: usize) -> Result<Self, GraphError> {
        Self::board(rows, columns, &KING, usize::MAX)
    }

    /// Creates the graph of a board from the moves of a piece, given as rows down and columns to
    /// the right. The piece repeats a move at most `reach` times.
    #[inline]
    fn board(
        rows: usize,
        columns: usize,
        moves: &[(isize, isize)],
        reach: usize,
    ) -> Result<Self, GraphError> {
        let squares = product(&[rows, columns])?;
        let onward = |from: usize| {
            let ray = move |&(down, right): &(isize, isize)| {
                let to = move |step: isize| {
                    let row = (from / columns)
                        .checked_add_signed(down * step)
                        .filter(|&row| row < rows)?;
                    let column = (from % columns)
                        .checked_add_signed(right * step)
                        .filter(|&column| column < columns)?;
                    Some((from, row * columns + column))
                };
                (1..).map_while(to).take(reach)
            };
            moves.iter().flat_map(ray)
        };
        Self::from_edges(squares, (0..squares).flat_map(onward))
    }

    /// Creates the Mycielskian of this graph (Mycielski, 1955): its chromatic number is higher by
    /// one, and it has no triangle if this graph has none.
    ///
    /// Each vertex `v` of `0..n` keeps its number and gets a copy `n + v` with the same neighbours.
    /// All copies are adjacent to one more vertex, `2 n`.
    ///
    /// ```
    /// use secateurs_problems::graph::Graph;
    ///
    /// let groetzsch = Graph::cycle(5)?.mycielskian()?; // no triangle, but it needs four colours
    /// assert_eq!((groetzsch.vertices(), groetzsch.edge_count()), (11, 20));
    /// # Ok::<(), secateurs_problems::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// Returns a [`GraphError`] if the graph is too large.
    #[inline]
    pub fn mycielskian(&self) -> Result<Self, GraphError> {
        let n = self.vertices();
        let edges = self
            .edges()
            .flat_map(|(one, other)| [(one, other), (one, n + other), (n + one, other)]);
        Self::from_edges(2 * n + 1, edges.chain((n..2 * n).map(|second| (second, 2 * n))))
    }

    /// Creates the complete graph of this number of vertices.
    ///
    /// # Errors
    /// Returns a [`GraphError`] if the graph is too large.
    pub fn complete(vertices: usize) -> Result<Self, GraphError> {
        Self::from_edges(vertices, (0..vertices).flat_map(|to| (0..to).map(move |from| (from, to))))
    }

    /// Creates a path through this number of vertices.
    ///
    /// # Errors
    /// Returns a [`GraphError`] if it is too long.
    pub fn path(vertices: usize) -> Result<Self, GraphError> {
        Self::from_edges(vertices, (1..vertices).map(|to| (to - 1, to)))
    }

    /// Creates a cycle through this number of vertices.
    ///
    /// # Errors
    /// Returns a [`GraphError`] if it is too long, or if there are fewer than 3 vertices.
    pub fn cycle(vertices: usize) -> Result<Self, GraphError> {
        if vertices < 3 {
            return Err(GraphError::NoCycle { vertices });
        }
        Self::from_edges(vertices, (0..vertices).map(|from| (from, (from + 1) % vertices)))
    }
}
