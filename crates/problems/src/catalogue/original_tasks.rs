//! Original tasks: readers of their input formats, [`formula_1`] and [`tonys_tour`], with the
//! [`Lines`] that the readers of other tasks share; and [`EdgeWeights`], for the best loop or path:
//! Formula 2, and "Pipes" (HDU 1964).

use std::str::FromStr;

use secateurs::plug::ContourProblem;
use secateurs::plug::algebra::Weight;
use secateurs::plug::motzkin::{PathPiece, Side};
use secateurs::text::{parse_number, read_grid};
use secateurs::{Digest, ParseError};

use super::grid::Grid;
use crate::InstanceError;

/// The size of a board: its numbers of rows and of columns.
pub(super) type Size = (usize, usize);

/// The lines of a text with their numbers, from 1. Empty lines at the end are left out.
pub(super) struct Lines<'t> {
    lines: std::str::Lines<'t>,
    next_number: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Lines { lines: text.trim_end_matches(['\n', '\r']).lines(), next_number: 1 }
    }

    /// Returns an error at the beginning of the next line.
    pub(super) fn error_at_next(&self, message: impl std::fmt::Display) -> ParseError {
        ParseError::at(self.next_number, 1, message)
    }

    /// Reads the next line; `expected` describes it in the error.
    ///
    /// # Errors
    ///
    /// Returns an error at the end of the text.
    pub(super) fn expect(&mut self, expected: &str) -> Result<(usize, &'t str), ParseError> {
        let line = self.next();
        line.ok_or_else(|| {
            self.error_at_next(format!("found the end of the text, expected {expected}"))
        })
    }

    /// Reads the header of a board, a line with two whole numbers, and returns its number and the
    /// size of the board.
    ///
    /// # Errors
    ///
    /// Returns an error at the end of the text and for any other line.
    pub(super) fn header(&mut self) -> Result<(usize, Size), ParseError> {
        let expected = "the numbers of rows and columns";
        let (line, text) = self.expect(expected)?;
        let mut numbers = text.split_ascii_whitespace().map(parse_number);
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Some(rows)), Some(Some(columns)), None) => Ok((line, (rows, columns))),
            _ => Err(ParseError::at(line, 1, format!("found {text:?}, expected {expected}"))),
        }
    }

    /// Reads the header of the next board of a list that ends with the text or with a header
    /// `0 0`, which must be the last line. Returns `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error for a line that is not a header, and for text after `0 0`.
    pub(super) fn next_header(&mut self) -> Result<Option<(usize, Size)>, ParseError> {
        if self.lines.clone().next().is_none() {
            return Ok(None);
        }
        let header = self.header()?;
        if header.1 == (0, 0) {
            return self.end().map(|()| None);
        }
        Ok(Some(header))
    }

    /// Reads the rows of a board, one cell per character: see [`read_grid`].
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer rows, for a row of another length, and for a character
    /// that is not a cell.
    pub(super) fn rows<T>(
        &mut self,
        (rows, columns): Size,
        expected: &str,
        cell: impl FnMut(char) -> Option<T>,
    ) -> Result<Vec<T>, ParseError> {
        let mut found = 0;
        let lines = self.by_ref().take(rows).inspect(|_| found += 1);
        let (_, cells) = read_grid(lines, Some(columns), expected, cell)?;
        if found < rows {
            return Err(self.missing_row(found, rows));
        }
        Ok(cells)
    }

    /// Returns the error of a text that ends after `found` rows of a board.
    pub(super) fn missing_row(&self, found: usize, rows: usize) -> ParseError {
        let next = found + 1;
        self.error_at_next(format!("found the end of the text, expected row {next} of {rows}"))
    }

    /// Checks that there is no further line.
    ///
    /// # Errors
    ///
    /// Returns an error at the next line, if there is one.
    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        match self.next() {
            Some((line, _)) => {
                Err(ParseError::at(line, 1, "found more text, expected the end of the text"))
            }
            None => Ok(()),
        }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<(usize, &'t str)> {
        let line = (self.next_number, self.lines.next()?);
        self.next_number += 1;
        Some(line)
    }
}

/// Creates a board without obstacles of the size that is given in this line.
///
/// # Errors
///
/// Returns an error at the line if there is no board of this size.
pub(super) fn empty_grid(line: usize, (rows, columns): Size) -> Result<Grid, ParseError> {
    Grid::new(rows, columns).map_err(|error: InstanceError| ParseError::at(line, 1, error))
}

/// Reads a board of free cells (`.`) and obstacles, given its header.
fn board(lines: &mut Lines<'_>, header: (usize, Size), wall: char) -> Result<Grid, ParseError> {
    let (line, size) = header;
    let grid = empty_grid(line, size)?;
    let expected = format!("`.` (free cell) or `{wall}` (obstacle)");
    let free = lines
        .rows(size, &expected, |found| (found == '.' || found == wall).then_some(found == '.'))?;
    Ok(grid.with_free_cells(free))
}

/// Reads the input of *Formula 1* (Ural 1519): a line with the numbers of rows and columns, then
/// the rows, with `.` for a free cell and `*` for an obstacle. The task asks for the number of
/// [`hamiltonian_cycles`](super::hamiltonian_cycles()).
///
/// Lines may end in CR LF, the last line need not end, and empty lines may follow.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{formula_1, hamiltonian_cycles};
///
/// let grid = formula_1("4 4\n**..\n....\n....\n....\n")?;
/// assert_eq!(Sweep::new(&hamiltonian_cycles(&grid)).count().exact(), Some(2));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
///
/// # Errors
///
/// Returns an error with line and column if the text has another format.
pub fn formula_1(text: &str) -> Result<Grid, ParseError> {
    let mut lines = Lines::new(text);
    let header = lines.header()?;
    let grid = board(&mut lines, header, '*')?;
    lines.end()?;
    Ok(grid)
}

/// Reads the input of *Tony's tour* (POJ 1739): boards, each a line with the numbers of rows and
/// columns, then the rows, with `.` for a free cell and `#` for an obstacle. `0 0` or the end of
/// the text ends the list. The task asks for the Hamiltonian [`Paths`](super::Paths) from the lower
/// left corner to the lower right corner.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Paths, tonys_tour};
///
/// let boards = tonys_tour("2 2\n..\n..\n2 3\n#..\n...\n3 4\n....\n....\n....\n0 0\n")?;
/// let counts = boards.iter().map(|grid| {
///     let below = grid.rows() - 1;
///     let paths = Paths::hamiltonian(grid).between((below, 0), (below, grid.columns() - 1));
///     Sweep::new(&paths).count().exact()
/// });
/// assert_eq!(counts.collect::<Vec<_>>(), [Some(1), Some(1), Some(4)]);
/// # Ok::<(), secateurs::ParseError>(())
/// ```
///
/// # Errors
///
/// Returns an error with line and column if the text has another format. Line ends and empty lines
/// at the end are as in [`formula_1`].
pub fn tonys_tour(text: &str) -> Result<Vec<Grid>, ParseError> {
    let mut lines = Lines::new(text);
    let mut grids = Vec::new();
    while let Some(header) = lines.next_header()? {
        grids.push(board(&mut lines, header, '#')?);
    }
    Ok(grids)
}

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
/// The weight of an edge counts at the later of its two cells, which reads the plug of the edge.
///
/// ```
/// use secateurs::plug::{Sweep, algebra::Best};
/// use secateurs_problems::catalogue::{EdgeWeights, Grid, hamiltonian_cycles, simple_cycles};
///
/// // The weight of a horizontal edge is its row, that of a vertical edge is minus its column.
/// let grid = Grid::new(4, 4)?;
/// let weights = EdgeWeights::new(&grid, |(row, column), (below, _)| {
///     if row == below { row as i32 } else { -(column as i32) }
/// });
/// let cycles = hamiltonian_cycles(&grid);
/// assert_eq!(Sweep::new(&cycles).run(&Best::maximise(&weights)).total(), Some(&8));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
///
/// [`str::parse`] reads the format of "Pipes": a line with the numbers of rows and columns, then a
/// plan of all rooms with the walls between them. The digit in a wall is the cost of a pipe through
/// it. The task asks for the cheapest loop of pipes through all rooms.
///
/// ```
/// use secateurs::plug::{Sweep, algebra::Best};
/// use secateurs_problems::catalogue::{EdgeWeights, hamiltonian_cycles};
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
    plug_weights: Vec<[i64; 2]>,
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
        EdgeWeights { plug_weights: (0..grid.cells()).map(of_cell).collect(), grid: grid.clone() }
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
        let [low, high] = self.plug_weights[cell];
        (if piece.came_by(Side::Low) { low } else { 0 })
            + (if piece.came_by(Side::High) { high } else { 0 })
    }
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&(&self.grid, &self.plug_weights)))
    }
}

impl<P: ContourProblem<Label = PathPiece>> Weight<P> for &EdgeWeights {
    #[inline]
    fn label(&self, cell: usize, piece: PathPiece) -> i64 {
        Weight::<P>::label(*self, cell, piece)
    }
    fn parameters(&self) -> Option<Digest> {
        Weight::<P>::parameters(*self)
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
                let (is_valid, expected) = match (y % 2, x % 2) {
                    _ if x >= width => (false, "the end of the line"),
                    (1, 1) => (found == Some(' '), "` ` (a room)"),
                    (a, b) if on_border || a == b => (found == Some('#'), "`#`"),
                    _ => (
                        found.is_some_and(|found| found.is_ascii_digit()),
                        "a digit, the cost of this wall",
                    ),
                };
                if !is_valid {
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
