//! The board of all problems of the catalogue: [`Grid`], cells in rows and columns, some of them
//! obstacles.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

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
/// after it. ([`Grid::in_order`] numbers the cells line by line instead, all in one direction, for
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
/// # Ok::<(), secateurs::problems::catalogue::ParseGridError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    rows: usize,
    columns: usize,
    /// Row by row.
    free: Vec<bool>,
}

/// Why there is no such board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridError {
    /// No row or no column.
    Empty {
        /// The rows asked for.
        rows: usize,
        /// The columns asked for.
        columns: usize,
    },
    /// More cells than [`Grid::MOST_CELLS`].
    TooLarge {
        /// The rows asked for.
        rows: usize,
        /// The columns asked for.
        columns: usize,
    },
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GridError::Empty { rows, columns } => {
                write!(
                    f,
                    "found a board of {rows} rows and {columns} columns, expected at least one of each"
                )
            }
            GridError::TooLarge { rows, columns } => {
                write!(
                    f,
                    "found a board of {rows} rows and {columns} columns, expected at most {} cells",
                    Grid::MOST_CELLS
                )
            }
        }
    }
}

impl Error for GridError {}

/// Why a text is not a board. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseGridError {
    /// There is no line, or the first one is empty.
    Empty,
    /// A character that is neither `.` nor `*`.
    UnknownCharacter {
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
        /// The character.
        found: char,
    },
    /// A line that is shorter or longer than the first one.
    LineLength {
        /// The line.
        line: usize,
        /// Its length, in characters.
        found: usize,
        /// That of the first line.
        expected: usize,
    },
    /// More cells than [`Grid::MOST_CELLS`].
    TooLarge {
        /// The line with which there are too many.
        line: usize,
    },
}

impl fmt::Display for ParseGridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ParseGridError::Empty => {
                write!(f, "line 1, column 1: found nothing, expected the first row of a board")
            }
            ParseGridError::UnknownCharacter { line, column, found } => {
                write!(
                    f,
                    "line {line}, column {column}: found {found:?}, expected '.' (free cell) or '*' (obstacle)"
                )
            }
            ParseGridError::LineLength { line, found, expected } => write!(
                f,
                "line {line}, column {}: found a row of {found} cells, expected {expected} as in the first row",
                found.min(expected) + 1
            ),
            ParseGridError::TooLarge { line } => {
                write!(
                    f,
                    "line {line}, column 1: found another row, expected at most {} cells",
                    Grid::MOST_CELLS
                )
            }
        }
    }
}

impl Error for ParseGridError {}

impl FromStr for Grid {
    type Err = ParseGridError;

    /// Reads a board in the format described at [`Grid`]. Lines may end in CR LF, the last one need
    /// not end, and empty lines may follow.
    fn from_str(text: &str) -> Result<Self, ParseGridError> {
        let text = text.trim_end_matches(['\n', '\r']);
        let (mut rows, mut columns) = (0, 0);
        let mut free = Vec::new();
        for (index, row) in text.lines().enumerate() {
            let line = index + 1;
            let before = free.len();
            for (index, found) in row.chars().enumerate() {
                match found {
                    '.' | '*' if free.len() == Grid::MOST_CELLS => {
                        return Err(ParseGridError::TooLarge { line });
                    }
                    '.' | '*' => free.push(found == '.'),
                    _ => {
                        return Err(ParseGridError::UnknownCharacter {
                            line,
                            column: index + 1,
                            found,
                        });
                    }
                }
            }
            let found = free.len() - before;
            if line == 1 {
                columns = found;
            }
            if columns == 0 {
                return Err(ParseGridError::Empty);
            }
            if found != columns {
                return Err(ParseGridError::LineLength { line, found, expected: columns });
            }
            rows = line;
        }
        if rows == 0 {
            return Err(ParseGridError::Empty);
        }
        Ok(Grid { rows, columns, free })
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
pub struct Sides {
    /// The cell in the row above.
    pub up: bool,
    /// The cell in the column to the right.
    pub right: bool,
    /// The cell in the row below.
    pub down: bool,
    /// The cell in the column to the left.
    pub left: bool,
}

impl Sides {
    /// How many neighbours that are: 2 for a cell in the middle of a path, 0 for one that is left
    /// out.
    #[must_use]
    pub fn count(self) -> usize {
        [self.up, self.right, self.down, self.left].into_iter().filter(|&side| side).count()
    }
}

impl Grid {
    /// The most cells that a board may have.
    pub const MOST_CELLS: usize = 1 << 24;

    /// A board without obstacles.
    ///
    /// # Errors
    /// If it has no cell, or more than [`MOST_CELLS`](Grid::MOST_CELLS).
    pub fn new(rows: usize, columns: usize) -> Result<Self, GridError> {
        match rows.checked_mul(columns) {
            Some(0) => Err(GridError::Empty { rows, columns }),
            Some(cells) if cells <= Self::MOST_CELLS => {
                Ok(Grid { rows, columns, free: vec![true; cells] })
            }
            _ => Err(GridError::TooLarge { rows, columns }),
        }
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
    fn turn(&self, (line, place): (usize, usize)) -> (usize, usize) {
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
        self.turn(self.place(cell))
    }

    /// The number of the cell in this row and column.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> usize {
        let (line, place) = self.turn((row, column));
        let place = if self.is_forward(line) { place } else { self.width() - 1 - place };
        line * self.width() + place
    }

    /// Row and column of the cell of this number, if they are numbered line by line, all in one
    /// direction.
    #[must_use]
    pub fn in_order(&self, cell: usize) -> (usize, usize) {
        self.turn((cell / self.width(), cell % self.width()))
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
            let (row, column) = self.turn(place);
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
    /// are read and of those that are written are taken. Sides that lead off the board are left
    /// out.
    #[must_use]
    pub fn sides(&self, cell: usize, read: [bool; 2], written: [bool; 2]) -> Sides {
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
        Sides {
            up: up && row > 0,
            right: right && column + 1 < self.columns,
            down: down && row + 1 < self.rows,
            left: left && column > 0,
        }
    }
}
