//! Weights of edges, for the best loop or path: [`EdgeWeights`]. Formula 2, and "Pipes" (HDU 1964).

use std::str::FromStr;

use super::grid::Grid;
use super::original::{Lines, empty_grid};
use crate::plug::ContourProblem;
use crate::plug::algebra::Weight;
use crate::plug::motzkin::{PathPiece, Side};
use crate::text::ParseError;

/// The weights of the edges between neighbouring cells of a [`Grid`], as a [`Weight`] of paths and
/// loops.
///
/// *Formula 1* asks for the number of loops that visit every free cell; *Formula 2* asks for the
/// best of them if every edge has a weight. (Both are examples of Chen Danqi, 2008.) The contour
/// problem is the same, [`hamiltonian_cycles`](super::hamiltonian_cycles()); only the algebra
/// differs. The weights apply to any contour problem with [`PathPiece`]s as labels and the cell
/// order of [`Grid::position`]: a best path between two cells, a best loop through some of the
/// cells, or a cheapest set of loops.
///
/// An edge counts in the later of its two cells, which a path enters by it.
///
/// ```
/// use secateurs::plug::{Sweep, algebra::Best};
/// use secateurs::problems::catalogue::{EdgeWeights, Grid, hamiltonian_cycles, simple_cycles};
///
/// // The weight of a horizontal edge is its row, that of a vertical edge is minus its column.
/// let grid = Grid::new(4, 4)?;
/// let weights = EdgeWeights::new(&grid, |(row, column), (below, _)| {
///     if row == below { row as i32 } else { -(column as i32) }
/// });
/// let cycles = hamiltonian_cycles(&grid);
/// assert_eq!(Sweep::new(&cycles).run(&Best::maximise(&weights)).total(), Some(&8));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// [`str::parse`] reads the format of "Pipes": a line with the numbers of rows and columns, then a
/// plan of all rooms with the walls between them. The digit in a wall is the cost of a pipe through
/// it. The task asks for the cheapest loop of pipes through all rooms.
///
/// ```
/// use secateurs::plug::{Sweep, algebra::Best};
/// use secateurs::problems::catalogue::{EdgeWeights, hamiltonian_cycles};
///
/// let plan = [
///     "4 3",
///     "#######",
///     "# 2 3 #",
///     "#1#9#1#",
///     "# 2 3 #",
///     "#1#7#1#",
///     "# 5 3 #",
///     "#1#9#1#",
///     "# 2 3 #",
///     "#######",
/// ];
/// let weights: EdgeWeights = plan.join("\n").parse()?;
/// let cycles = hamiltonian_cycles(weights.grid());
/// assert_eq!(Sweep::new(&cycles).run(&Best::minimise(&weights)).total(), Some(&28));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeWeights {
    grid: Grid,
    /// For each cell of the sweep, the weights of the edges at the low and the high plug; 0 for a
    /// plug without an edge.
    read: Vec<[i64; 2]>,
}

impl EdgeWeights {
    /// Creates the weights of a board. `weight` is called once for each edge, with the row and
    /// column of its two cells, the left or upper cell first. This includes edges to obstacles,
    /// which no path takes. Weights have 32 bits, so that no sum overflows.
    #[must_use]
    pub fn new(grid: &Grid, weight: impl Fn((usize, usize), (usize, usize)) -> i32) -> Self {
        let of_edge = |cell, read| {
            let (row, column) = grid.position(cell);
            let sides = grid.sides(cell, read, [false; 2]);
            i64::from(if sides.up {
                weight((row - 1, column), (row, column))
            } else if sides.left {
                weight((row, column - 1), (row, column))
            } else if sides.down {
                weight((row, column), (row + 1, column))
            } else if sides.right {
                weight((row, column), (row, column + 1))
            } else {
                0
            })
        };
        let of_cell = |cell| [of_edge(cell, [true, false]), of_edge(cell, [false, true])];
        EdgeWeights { read: (0..grid.cells()).map(of_cell).collect(), grid: grid.clone() }
    }

    /// Returns the board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }
}

/// The contour problem must have the same board.
impl<P: ContourProblem<Label = PathPiece>> Weight<P> for EdgeWeights {
    #[inline]
    fn label(&self, cell: usize, piece: PathPiece) -> i64 {
        let [low, high] = self.read[cell];
        (if piece.came_by(Side::Low) { low } else { 0 })
            + (if piece.came_by(Side::High) { high } else { 0 })
    }
}

impl<P: ContourProblem<Label = PathPiece>> Weight<P> for &EdgeWeights {
    #[inline]
    fn label(&self, cell: usize, piece: PathPiece) -> i64 {
        Weight::<P>::label(*self, cell, piece)
    }
}

impl FromStr for EdgeWeights {
    type Err = ParseError;

    /// Reads a plan in the format described at [`EdgeWeights`]. Lines may end in CR LF, the last
    /// line need not end, and empty lines may follow.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = Lines::new(text);
        let (line, (rows, columns)) = lines.header()?;
        let grid = empty_grid(line, (rows, columns))?;
        let plan: Vec<Vec<char>> = lines.map(|(_, line)| line.chars().collect()).collect();
        let (height, width) = (2 * rows + 1, 2 * columns + 1);
        for (y, line) in plan.iter().enumerate().take(height) {
            for x in 0..width.max(line.len()) {
                let on_border = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
                let found = line.get(x).copied();
                let (is_right, expected) = match (y % 2, x % 2) {
                    _ if x >= width => (false, "the end of the line"),
                    (1, 1) => (found == Some(' '), "` ` (a room)"),
                    (a, b) if on_border || a == b => (found == Some('#'), "`#`"),
                    _ => (
                        found.is_some_and(|found| found.is_ascii_digit()),
                        "a digit, the cost of this wall",
                    ),
                };
                if !is_right {
                    let found = found.map_or("the end of the line".to_owned(), |found| {
                        format!("`{}`", found.escape_debug())
                    });
                    let message = format!("found {found}, expected {expected}");
                    return Err(ParseError::at(y + 2, x + 1, message));
                }
            }
        }
        if plan.len() != height {
            let found = if plan.len() < height { "the end of the text" } else { "another line" };
            let line = 2 + plan.len().min(height);
            let message = format!("found {found}, expected {} lines", height + 1);
            return Err(ParseError::at(line, 1, message));
        }
        let digit =
            |y: usize, x: usize| -> i32 { plan[y][x].to_digit(10).map_or(0, u32::cast_signed) };
        Ok(EdgeWeights::new(&grid, |(row, column), (below, right)| {
            digit(row + below + 1, column + right + 1)
        }))
    }
}
