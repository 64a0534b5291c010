//! The best loop, by weights of the edges: Formula 2, and "Pipes" (HDU 1964). [`EdgeWeights`].

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::{Grid, GridError};
use crate::plug::ContourProblem;
use crate::plug::algebra::Weight;
use crate::plug::motzkin::{Piece, Side};

/// What it costs, or earns, to go from a cell of a [`Grid`] to its neighbour: a [`Weight`] of paths
/// and loops.
///
/// *Formula 1* asks how many loops visit every free cell; *Formula 2*, which of them is best if
/// every edge has a weight. (Both are examples of Chen Danqi, 2008.) The profile is the same,
/// [`hamiltonian_cycles`](super::hamiltonian_cycles()), and only the algebra is another one. The
/// weights go with any profile whose labels are [`Piece`]s and whose cells are swept to and fro: so
/// there is a best path between two cells, a best loop through some of the cells, or a cheapest set
/// of loops, too.
///
/// An edge counts in the cell that is swept later, where a path comes in by it.
///
/// ```
/// use secateurs::plug::{Sweep, algebra::Best};
/// use secateurs::problems::catalogue::{EdgeWeights, Grid, hamiltonian_cycles, simple_cycles};
///
/// // An edge to the right earns its row, one down costs its column.
/// let grid = Grid::new(4, 4)?;
/// let weights = EdgeWeights::new(&grid, |(row, column), (below, _)| if row == below { row as i32 } else { -(column as i32) });
/// let cycles = hamiltonian_cycles(&grid);
/// assert_eq!(Sweep::new(&cycles).run(&Best::maximise(&weights)).total(), Some(&8));
/// # Ok::<(), secateurs::problems::catalogue::GridError>(())
/// ```
///
/// Read with [`str::parse`], the weights are those of "Pipes": a line with the number of rows and
/// that of columns, then a plan of all rooms with the walls between them, each wall with a digit,
/// what it costs to lay a pipe through it. The cheapest loop of pipes through all rooms is asked
/// for.
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
/// # Ok::<(), secateurs::problems::catalogue::ParsePipesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeWeights {
    grid: Grid,
    /// For each cell of the sweep, the edges that the low and the high plug cross; 0 for those that
    /// are none.
    read: Vec<[i64; 2]>,
}

impl EdgeWeights {
    /// The weights of the edges of a board. `weight` is asked about each edge once, with the row
    /// and the column of its two cells, that on the left or above first. (Edges to obstacles
    /// included, which no path takes. Of 32 bits, so that no sum overflows.)
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

    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }
}

/// The profile must be one of the same board.
impl<P: ContourProblem<Label = Piece>> Weight<P> for EdgeWeights {
    #[inline]
    fn label(&self, cell: usize, piece: Piece) -> i64 {
        let [low, high] = self.read[cell];
        (if piece.came_by(Side::Low) { low } else { 0 })
            + (if piece.came_by(Side::High) { high } else { 0 })
    }
}

impl<P: ContourProblem<Label = Piece>> Weight<P> for &EdgeWeights {
    #[inline]
    fn label(&self, cell: usize, piece: Piece) -> i64 {
        Weight::<P>::label(*self, cell, piece)
    }
}

/// Why a text is no plan of rooms and walls. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParsePipesError {
    /// The first line is not two whole numbers.
    Header {
        /// What it is.
        found: String,
    },
    /// There are no rooms, or too many.
    Size(GridError),
    /// A character that is not the one that belongs there.
    Character {
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
        /// The character; `None` if the line ends before.
        found: Option<char>,
        /// What belongs there.
        expected: &'static str,
    },
    /// There are fewer lines, or more.
    Lines {
        /// The first line that is not there, or that is too much.
        line: usize,
        /// How many there should be.
        expected: usize,
    },
}

impl fmt::Display for ParsePipesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePipesError::Header { found } => {
                write!(
                    f,
                    "line 1, column 1: found {found:?}, expected two whole numbers, of rows and of columns"
                )
            }
            ParsePipesError::Size(error) => write!(f, "line 1, column 1: {error}"),
            ParsePipesError::Character { line, column, found: Some(found), expected } => {
                write!(f, "line {line}, column {column}: found {found:?}, expected {expected}")
            }
            ParsePipesError::Character { line, column, found: None, expected } => {
                write!(
                    f,
                    "line {line}, column {column}: found the end of the line, expected {expected}"
                )
            }
            ParsePipesError::Lines { line, expected } if line > expected => {
                write!(f, "line {line}, column 1: found another line, expected {expected} of them")
            }
            ParsePipesError::Lines { line, expected } => {
                write!(
                    f,
                    "line {line}, column 1: found the end of the text, expected {expected} lines"
                )
            }
        }
    }
}

impl Error for ParsePipesError {}

impl FromStr for EdgeWeights {
    type Err = ParsePipesError;

    /// Reads a plan in the format described at [`EdgeWeights`]. Lines may end in CR LF, the last
    /// one need not end, and empty lines may follow.
    fn from_str(text: &str) -> Result<Self, ParsePipesError> {
        let mut lines = text.trim_end_matches(['\n', '\r']).lines();
        let header = lines.next().unwrap_or("");
        let (rows, columns) = super::lines::size(header)
            .ok_or_else(|| ParsePipesError::Header { found: header.to_owned() })?;
        let grid = Grid::new(rows, columns).map_err(ParsePipesError::Size)?;
        let plan: Vec<Vec<char>> = lines.map(|line| line.chars().collect()).collect();
        let (height, width) = (2 * rows + 1, 2 * columns + 1);
        for (y, line) in plan.iter().enumerate().take(height) {
            for x in 0..width.max(line.len()) {
                let on_border = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
                let found = line.get(x).copied();
                let (is_right, expected) = match (y % 2, x % 2) {
                    _ if x >= width => (false, "the end of the line"),
                    (1, 1) => (found == Some(' '), "' ' (a room)"),
                    (a, b) if on_border || a == b => (found == Some('#'), "'#'"),
                    _ => (
                        found.is_some_and(|found| found.is_ascii_digit()),
                        "a digit, the cost of this wall",
                    ),
                };
                if !is_right {
                    return Err(ParsePipesError::Character {
                        line: y + 2,
                        column: x + 1,
                        found,
                        expected,
                    });
                }
            }
        }
        if plan.len() != height {
            let line = 2 + plan.len().min(height);
            return Err(ParsePipesError::Lines { line, expected: height + 1 });
        }
        let digit =
            |y: usize, x: usize| -> i32 { plan[y][x].to_digit(10).map_or(0, u32::cast_signed) };
        Ok(EdgeWeights::new(&grid, |(row, column), (below, right)| {
            digit(row + below + 1, column + right + 1)
        }))
    }
}
