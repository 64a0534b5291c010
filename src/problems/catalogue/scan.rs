//! The cells of a board, line by line in one direction: [`Scan`].

use super::grid::{Grid, GridSides};

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
