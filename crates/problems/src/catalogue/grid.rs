//! The boards of the catalogue: [`Grid`], cells in rows and columns, some of them obstacles; and
//! [`Scan`], its cells line by line in one direction.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use secateurs::ParseError;
use secateurs::text::read_grid;

use crate::InstanceError;

/// A rectangular board of cells, some of them obstacles.
///
/// [`str::parse`] reads, and `Display` writes, one line per row, all of the same length, with `.`
/// for a free cell and `*` for an obstacle, as in the Formula 1 problem (Ural 1519).
///
/// Rows and columns are counted from 0, from the top left corner. A sweep proceeds along *lines*,
/// which are the rows or, if they are shorter, the columns: the contour crosses one line, and time
/// and memory grow exponentially with its length ([`width`](Grid::width)), but only linearly with
/// the number of lines.
///
/// The lines are swept in alternating directions (*boustrophedon*), the first forward, the second
/// backward. At the end of a line, the contour's plug along the line is therefore already where the
/// next line begins, and no plug has to be shifted. Cell `c` of the sweep reads the plugs
/// [`plug`](Grid::plug)`(c)` and the following one. ([`Grid::raster_position`] numbers the cells
/// line by line in one direction instead, for problems that do not need plugs along the line.)
///
/// ```
/// use secateurs_problems::catalogue::Grid;
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
    /// Whether each cell is free, row by row.
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

/// The neighbours that the piece of a path in a cell leads to.
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
    /// Returns the number of neighbours: 2 for an inner cell of a path, 0 for a cell without a
    /// path.
    #[must_use]
    pub fn count(self) -> usize {
        [self.up, self.right, self.down, self.left].into_iter().filter(|&side| side).count()
    }
}

impl Grid {
    /// The maximal number of cells of a board.
    pub const MAX_CELLS: usize = 1 << 24;

    /// Creates a board without obstacles.
    ///
    /// # Errors
    ///
    /// Returns an error if the board has no cell, or more than [`MAX_CELLS`](Grid::MAX_CELLS).
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

    /// Returns the board with an obstacle in a cell; unchanged if there is no such cell.
    #[must_use]
    pub fn with_obstacle(mut self, row: usize, column: usize) -> Self {
        if row < self.rows && column < self.columns {
            self.free[row * self.columns + column] = false;
        }
        self
    }

    /// Returns the number of rows, at least 1.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns, at least 1.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of cells, including obstacles.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.free.len()
    }

    /// Returns the number of free cells.
    #[must_use]
    pub fn free_cells(&self) -> usize {
        self.free.iter().filter(|&&free| free).count()
    }

    /// Returns whether a cell is free; cells outside the board are not.
    #[must_use]
    pub fn is_free(&self, row: usize, column: usize) -> bool {
        row < self.rows && column < self.columns && self.free[row * self.columns + column]
    }

    /// Returns the number of cells in a line of the sweep: the length of the shorter side.
    #[must_use]
    #[inline]
    pub fn width(&self) -> usize {
        self.rows.min(self.columns)
    }

    /// Returns the number of lines of the sweep: the length of the longer side.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.rows.max(self.columns)
    }

    /// Returns whether the lines are columns.
    #[must_use]
    pub fn is_transposed(&self) -> bool {
        self.rows < self.columns
    }

    /// Converts line and place within the line to row and column, and back.
    fn transposed(&self, (line, place): (usize, usize)) -> (usize, usize) {
        if self.is_transposed() { (place, line) } else { (line, place) }
    }

    /// Returns whether a line is swept forward.
    fn is_forward(&self, line: usize) -> bool {
        line.is_multiple_of(2)
    }

    /// Returns line and place within the line of a cell.
    pub(super) fn line_and_place(&self, cell: usize) -> (usize, usize) {
        let (line, place) = (cell / self.width(), cell % self.width());
        (line, if self.is_forward(line) { place } else { self.width() - 1 - place })
    }

    /// Returns row and column of a cell of the sweep with alternating directions, numbered from 0.
    #[must_use]
    pub fn position(&self, cell: usize) -> (usize, usize) {
        self.transposed(self.line_and_place(cell))
    }

    /// Returns the number of the cell in this row and column: the inverse of
    /// [`position`](Grid::position). If the cell is not on the board, the function may panic or
    /// return a meaningless number.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> usize {
        let (line, place) = self.transposed((row, column));
        let place = if self.is_forward(line) { place } else { self.width() - 1 - place };
        line * self.width() + place
    }

    /// Returns the numbers of these cells, if all of them are free.
    pub(super) fn cells_if_free(&self, cells: &[(usize, usize)]) -> Option<Vec<usize>> {
        let number = |&(row, column): &(usize, usize)| {
            self.is_free(row, column).then(|| self.cell(row, column))
        };
        cells.iter().map(number).collect()
    }

    /// Returns row and column of a cell if cells are numbered line by line, all in one direction.
    #[must_use]
    pub fn raster_position(&self, cell: usize) -> (usize, usize) {
        self.transposed((cell / self.width(), cell % self.width()))
    }

    /// Returns the number of plugs of the contour: one for each place in the line, and one along
    /// the line.
    #[must_use]
    pub fn plugs(&self) -> usize {
        self.width() + 1
    }

    /// Returns the first of the two neighbouring plugs that a cell of the sweep with alternating
    /// directions reads and replaces.
    ///
    /// In a line that is swept forward, the first plug comes from the previous cell and the second
    /// from the line above; the written plugs lead to the line below and to the next cell. In a
    /// line that is swept backward, it is the other way round.
    #[must_use]
    pub fn plug(&self, cell: usize) -> usize {
        self.line_and_place(cell).1
    }

    /// Returns line and place of the cell that a plug leads to, after a cell of the sweep with
    /// alternating directions. It may be beyond the last line, or the last cell of its line if the
    /// plug leads along the line out of the board.
    pub(super) fn cell_ahead(&self, cell: usize, plug: usize) -> (usize, usize) {
        let (line, place) = self.line_and_place(cell);
        let along = if self.is_forward(line) { place + 1 } else { place };
        let is_swept = (plug < along) == self.is_forward(line);
        match plug.cmp(&along) {
            Ordering::Equal if self.is_forward(line) => (line, plug.min(self.width() - 1)),
            Ordering::Equal => (line, plug.saturating_sub(1)),
            Ordering::Less => (line + usize::from(is_swept), plug),
            Ordering::Greater => (line + usize::from(is_swept), plug - 1),
        }
    }

    /// Returns whether the cells that the two written plugs lead to are free.
    #[must_use]
    pub fn ahead(&self, cell: usize) -> [bool; 2] {
        let (line, place) = self.line_and_place(cell);
        let is_free = |line_and_place| {
            let (row, column) = self.transposed(line_and_place);
            self.is_free(row, column)
        };
        let below = is_free((line + 1, place));
        if self.is_forward(line) {
            [below, is_free((line, place + 1))]
        } else {
            [place > 0 && is_free((line, place - 1)), below]
        }
    }

    /// Returns the neighbours of a cell that a path connects it to, given which of the read plugs
    /// and of the written plugs are taken. Sides that lead off the board are ignored.
    #[must_use]
    pub fn sides(&self, cell: usize, read: [bool; 2], written: [bool; 2]) -> GridSides {
        let (line, _) = self.line_and_place(cell);
        // The order is: before on the line, above, below, after on the line.
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
        self.inside(row, column, GridSides { up, right, down, left })
    }

    /// Returns the sides of a cell without those that lead off the board.
    pub(super) fn inside(&self, row: usize, column: usize, sides: GridSides) -> GridSides {
        let GridSides { up, right, down, left } = sides;
        GridSides {
            up: up && row > 0,
            right: right && column + 1 < self.columns,
            down: down && row + 1 < self.rows,
            left: left && column > 0,
        }
    }

    /// Returns whether a cell has no obstacle.
    pub(super) fn is_free_cell(&self, cell: usize) -> bool {
        let (row, column) = self.position(cell);
        self.is_free(row, column)
    }

    /// Returns the rules of all cells, given that of an obstacle and those of free cells.
    pub(super) fn rules<R: Copy>(&self, obstacle: R, of_free: impl Fn(usize) -> R) -> Vec<R> {
        let rule = |cell| if self.is_free_cell(cell) { of_free(cell) } else { obstacle };
        (0..self.cells()).map(rule).collect()
    }
}

/// The cell order of problems with states that describe *cells*.
///
/// If the state describes the last cell of each place in the line, nothing crosses from the end of
/// a line to the beginning of the next one, so the direction of lines need not alternate:
///
/// ```text
///   line above   . . . c d e      the contour after x: plugs a b x d e, one for each place,
///   this line    a b x . . .      of the cell that was swept last there
/// ```
///
/// Before the step of `x`, plug 2 describes `c`, the cell above it, and plug 1 describes `b`, the
/// cell before it.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    grid: Grid,
    free: Vec<bool>,
}

impl Scan {
    pub(super) fn new(grid: &Grid) -> Self {
        let is_free = |cell| {
            let (row, column) = grid.raster_position(cell);
            grid.is_free(row, column)
        };
        Scan { free: (0..grid.cells()).map(is_free).collect(), grid: grid.clone() }
    }

    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    pub(super) fn cells(&self) -> usize {
        self.free.len()
    }

    /// Returns the number of places of a line, which is the number of plugs of the contour.
    pub(super) fn width(&self) -> usize {
        self.grid.width()
    }

    /// Returns the place of a cell in its line, which is its plug.
    #[inline]
    pub(super) fn place(&self, cell: usize) -> usize {
        cell % self.width()
    }

    /// Returns the number of the cell in this row and column of the board.
    pub(super) fn cell(&self, row: usize, column: usize) -> usize {
        let (line, place) = if self.grid.is_transposed() { (column, row) } else { (row, column) };
        line * self.width() + place
    }

    #[inline]
    pub(super) fn is_free(&self, cell: usize) -> bool {
        self.free[cell]
    }

    /// Returns whether there is a free cell before this one in the line.
    #[inline]
    pub(super) fn is_free_before(&self, cell: usize) -> bool {
        self.place(cell) > 0 && self.free[cell - 1]
    }

    /// Returns whether there is a free cell above this one, in the previous line.
    #[inline]
    pub(super) fn is_free_above(&self, cell: usize) -> bool {
        cell >= self.width() && self.free[cell - self.width()]
    }

    /// Returns whether there is a free cell after this one in the line.
    #[inline]
    pub(super) fn is_free_after(&self, cell: usize) -> bool {
        self.place(cell) + 1 < self.width() && self.free[cell + 1]
    }

    /// Returns whether there is a free cell below this one, in the next line.
    #[inline]
    pub(super) fn is_free_below(&self, cell: usize) -> bool {
        self.free.get(cell + self.width()).is_some_and(|&free| free)
    }

    /// Returns whether the cell that was swept last at each place is free, before `cell`; false for
    /// a place that was not swept yet.
    pub(super) fn free_places(&self, cell: usize) -> impl Iterator<Item = bool> + '_ {
        let swept = move |place: usize| match place < self.place(cell) {
            true => Some(cell - self.place(cell) + place),
            false => (cell - self.place(cell) + place).checked_sub(self.width()),
        };
        (0..self.width()).map(move |place| swept(place).is_some_and(|cell| self.free[cell]))
    }

    /// Returns the number of the last free cell.
    pub(super) fn last_free(&self) -> Option<usize> {
        self.free.iter().rposition(|&free| free)
    }

    /// Returns the edges to the cell before this one in the line and to the cell above it, as sides
    /// of the board.
    #[inline]
    pub(super) fn sides_behind(&self, before: bool, above: bool) -> GridSides {
        let (left, up) = if self.grid.is_transposed() { (above, before) } else { (before, above) };
        GridSides { up, left, ..GridSides::default() }
    }

    /// Returns the edges to the cell after this one in the line and to the cell below it, as sides
    /// of the board.
    #[inline]
    pub(super) fn sides_ahead(&self, after: bool, below: bool) -> GridSides {
        let (right, down) = if self.grid.is_transposed() { (below, after) } else { (after, below) };
        GridSides { right, down, ..GridSides::default() }
    }

    /// Draws the board as text, one line per row: `draw` converts the label of each free cell;
    /// obstacles and cells without a label are `*`.
    pub(super) fn draw<L: Copy>(&self, labels: &[L], draw: impl Fn(L) -> char) -> String {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let mut text = vec!['*'; rows * columns];
        for (cell, &label) in
            labels.iter().enumerate().take(self.cells()).filter(|&(cell, _)| self.free[cell])
        {
            let (row, column) = self.grid.raster_position(cell);
            text[row * columns + column] = draw(label);
        }
        text.chunks(columns).flat_map(|row| row.iter().chain(&['\n'])).collect()
    }
}
