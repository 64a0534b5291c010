//! The board of all problems of the catalogue: [`Grid`], cells in rows and columns, some of them
//! obstacles.

use std::fmt;
use std::str::FromStr;

use crate::problems::InstanceError;
use crate::text::{ParseError, read_grid};

/// A rectangular board of cells, some of them obstacles; read with [`str::parse`].
///
/// The format has one line a row, all of the same length, of `.` for a free cell and `*` for an
/// obstacle, as in the Formula 1 problem (Ural 1519). `Display` writes the same.
///
/// Rows and columns are counted from 0, from the top left corner. A sweep goes along *lines*, which
/// are the rows or, if they are shorter, the columns: the contour crosses one line, and time and
/// memory grow exponentially in its length ([`width`](Grid::width)), but only linearly in the
/// number of lines.
///
/// The lines are swept as an ox ploughs (*boustrophedon*), the first one forward, the second one
/// backward: so the contour's only plug along a line is where the next line begins, and nothing has
/// to be shifted. Cell number `c` of the sweep reads plugs [`plug`](Grid::plug)`(c)` and the one
/// after it. ([`Grid::raster_position`] numbers the cells line by line instead, all in one direction, for
/// problems that do not care.)
///
/// ```
/// use secateurs::problems::catalogue::Grid;
///
/// let grid: Grid = "\
/// .*
/// ..
/// ..
/// ".parse()?;
/// assert_eq!((grid.rows(), grid.columns(), grid.width()), (3, 2, 2));
/// assert!(!grid.is_free(0, 1));
/// let swept: Vec<_> = (0..grid.cells()).map(|cell| grid.position(cell)).collect();
/// assert_eq!(swept, [(0, 0), (0, 1), (1, 1), (1, 0), (2, 0), (2, 1)]);
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    rows: usize,
    columns: usize,
    /// Row by row.
    free: Vec<bool>,
}

impl FromStr for Grid {
    type Err = ParseError;

    /// Reads a board in the format described at [`Grid`]. Lines may end in CR LF, the last line
    /// need not end, and empty lines may follow.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let lines = text.trim_end_matches(['\n', '\r']).lines();
        if lines.clone().next().is_none_or(str::is_empty) {
            return Err(ParseError::at(1, 1, "found nothing, expected the first row of a board"));
        }
        let expected = "`.` (free cell) or `*` (obstacle)";
        let (columns, free) = read_grid((1..).zip(lines), None, expected, |found| match found {
            '.' => Some(true),
            '*' => Some(false),
            _ => None,
        })?;
        if free.len() > Self::MAX_CELLS {
            let line = Self::MAX_CELLS / columns + 1;
            let message = format!("found another row, expected at most {} cells", Self::MAX_CELLS);
            return Err(ParseError::at(line, 1, message));
        }
        Ok(Grid { rows: free.len() / columns, columns, free })
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.free.chunks(self.columns) {
            let line: String = row.iter().map(|&free| if free { '.' } else { '*' }).collect();
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

/// The neighbours that the piece of path in a cell leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // four sides
pub struct GridSides {
    /// The cell in the row above.
    pub up: bool,
    /// The cell in the column to the right.
    pub right: bool,
    /// The cell in the row below.
    pub down: bool,
    /// The cell in the column to the left.
    pub left: bool,
}

impl GridSides {
    /// How many neighbours that are: 2 for a cell in the middle of a path, 0 for one that is left
    /// out.
    #[must_use]
    pub fn count(self) -> usize {
        [self.up, self.right, self.down, self.left].into_iter().filter(|&side| side).count()
    }
}

impl Grid {
    /// The most cells that a board may have.
    pub const MAX_CELLS: usize = 1 << 24;

    /// A board without obstacles.
    ///
    /// # Errors
    /// If it has no cell, or more than [`MAX_CELLS`](Grid::MAX_CELLS).
    pub fn new(rows: usize, columns: usize) -> Result<Self, InstanceError> {
        let expected = match rows.checked_mul(columns) {
            Some(0) => "at least one of each".to_owned(),
            Some(cells) if cells <= Self::MAX_CELLS => {
                return Ok(Grid { rows, columns, free: vec![true; cells] });
            }
            _ => format!("at most {} cells", Self::MAX_CELLS),
        };
        Err(InstanceError::new(format!(
            "found a board of {rows} rows and {columns} columns, expected {expected}"
        )))
    }

    /// Returns the board with other free cells: one value per cell, row by row.
    pub(super) fn with_free_cells(self, free: Vec<bool>) -> Self {
        debug_assert_eq!(free.len(), self.free.len(), "one value per cell");
        Grid { free, ..self }
    }

    /// The board with an obstacle in a cell that may have been free; unchanged if there is no such
    /// cell.
    #[must_use]
    pub fn with_obstacle(mut self, row: usize, column: usize) -> Self {
        if row < self.rows && column < self.columns {
            self.free[row * self.columns + column] = false;
        }
        self
    }

    /// How many rows there are: 1 at least.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are: 1 at least.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many cells there are, obstacles included.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.free.len()
    }

    /// How many cells are free.
    #[must_use]
    pub fn free_cells(&self) -> usize {
        self.free.iter().filter(|&&free| free).count()
    }

    /// Whether a cell is free; those outside the board are not.
    #[must_use]
    pub fn is_free(&self, row: usize, column: usize) -> bool {
        row < self.rows && column < self.columns && self.free[row * self.columns + column]
    }

    /// How many cells a line of the sweep has: as many as the shorter side.
    #[must_use]
    #[inline]
    pub fn width(&self) -> usize {
        self.rows.min(self.columns)
    }

    /// How many lines are swept: as many as the longer side has cells.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.rows.max(self.columns)
    }

    /// Whether the lines are columns.
    #[must_use]
    pub fn is_transposed(&self) -> bool {
        self.rows < self.columns
    }

    /// Row and column of a place given by line and place within the line; also the other way round.
    fn transposed(&self, (line, place): (usize, usize)) -> (usize, usize) {
        if self.is_transposed() { (place, line) } else { (line, place) }
    }

    /// Whether a line is swept forward.
    fn is_forward(&self, line: usize) -> bool {
        line.is_multiple_of(2)
    }

    /// Line and place within the line of the cell of this number.
    fn place(&self, cell: usize) -> (usize, usize) {
        let (line, place) = (cell / self.width(), cell % self.width());
        (line, if self.is_forward(line) { place } else { self.width() - 1 - place })
    }

    /// Row and column of the cell of this number, of those that are numbered from 0 as they are
    /// swept, to and fro.
    #[must_use]
    pub fn position(&self, cell: usize) -> (usize, usize) {
        self.transposed(self.place(cell))
    }

    /// The number of the cell in this row and column.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> usize {
        let (line, place) = self.transposed((row, column));
        let place = if self.is_forward(line) { place } else { self.width() - 1 - place };
        line * self.width() + place
    }

    /// Row and column of the cell of this number, if they are numbered line by line, all in one
    /// direction.
    #[must_use]
    pub fn raster_position(&self, cell: usize) -> (usize, usize) {
        self.transposed((cell / self.width(), cell % self.width()))
    }

    /// How many plugs the contour has: one for each place in the line, and one along the line.
    #[must_use]
    pub fn plugs(&self) -> usize {
        self.width() + 1
    }

    /// The first one of the two plugs, neighbours on the contour, that a cell of the sweep to and
    /// fro reads and replaces.
    ///
    /// Of a line that is swept forward, the first plug comes from the cell before and the second
    /// one from the line above; what is written leads to the line below, and to the cell after. Of
    /// a line that is swept backward, it is the other way round.
    #[must_use]
    pub fn plug(&self, cell: usize) -> usize {
        self.place(cell).1
    }

    /// Whether the cells that the two plugs written by a cell lead to are free.
    #[must_use]
    pub fn ahead(&self, cell: usize) -> [bool; 2] {
        let (line, place) = self.place(cell);
        let is_free = |place| {
            let (row, column) = self.transposed(place);
            self.is_free(row, column)
        };
        let below = is_free((line + 1, place));
        if self.is_forward(line) {
            [below, is_free((line, place + 1))]
        } else {
            [place > 0 && is_free((line, place - 1)), below]
        }
    }

    /// The neighbours of a cell that a path comes from or goes to, given by which of the plugs that
    /// are read and of those that are written are taken. GridSides that lead off the board are left
    /// out.
    #[must_use]
    pub fn sides(&self, cell: usize, read: [bool; 2], written: [bool; 2]) -> GridSides {
        let line = self.place(cell).0;
        // Before and after on the line, above and below it.
        let [before, above, below, after] = if self.is_forward(line) {
            [read[0], read[1], written[0], written[1]]
        } else {
            [written[0], read[0], written[1], read[1]]
        };
        let (row, column) = self.position(cell);
        let [up, left, down, right] = if self.is_transposed() {
            [before, above, after, below]
        } else {
            [above, before, below, after]
        };
        GridSides {
            up: up && row > 0,
            right: right && column + 1 < self.columns,
            down: down && row + 1 < self.rows,
            left: left && column > 0,
        }
    }
}
