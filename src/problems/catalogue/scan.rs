//! The cells of a board, line by line, all in one direction: [`Scan`].

use super::grid::{Grid, GridSides};

/// The order in which problems that remember *cells* are swept.
///
/// Where the contour remembers what is known of the last cell of each place in the line, nothing
/// crosses from the end of a line to the beginning of the next one, and so there is no need to
/// plough to and fro:
///
/// ```text
///   line above   . . . c d e      the contour after x: plugs a b x d e, one for each place,
///   this line    a b x . . .      of the cell that was swept last there
/// ```
///
/// Before the sweep of `x`, plug 2 told of `c`, the cell above it, and plug 1 tells of `b`, the
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

    /// How many places a line has, and plugs the contour.
    pub(super) fn width(&self) -> usize {
        self.grid.width()
    }

    /// The place of a cell in its line, which is its plug.
    #[inline]
    pub(super) fn place(&self, cell: usize) -> usize {
        cell % self.width()
    }

    /// The number of the cell in this row and column of the board.
    pub(super) fn cell(&self, row: usize, column: usize) -> usize {
        let (line, place) = if self.grid.is_transposed() { (column, row) } else { (row, column) };
        line * self.width() + place
    }

    #[inline]
    pub(super) fn is_free(&self, cell: usize) -> bool {
        self.free[cell]
    }

    /// Whether there is a cell before this one in the line, and it is free.
    #[inline]
    pub(super) fn is_free_before(&self, cell: usize) -> bool {
        self.place(cell) > 0 && self.free[cell - 1]
    }

    /// Whether there is a cell above this one, in the line before, and it is free.
    #[inline]
    pub(super) fn is_free_above(&self, cell: usize) -> bool {
        cell >= self.width() && self.free[cell - self.width()]
    }

    /// Whether there is a cell after this one in the line, and it is free.
    #[inline]
    pub(super) fn is_free_after(&self, cell: usize) -> bool {
        self.place(cell) + 1 < self.width() && self.free[cell + 1]
    }

    /// Whether there is a cell below this one, in the next line, and it is free.
    #[inline]
    pub(super) fn is_free_below(&self, cell: usize) -> bool {
        self.free.get(cell + self.width()).is_some_and(|&free| free)
    }

    /// The number of the last free cell.
    pub(super) fn last_free(&self) -> Option<usize> {
        self.free.iter().rposition(|&free| free)
    }

    /// The edges of a cell to those swept earlier, before it in the line and above it, as they lie
    /// on the board.
    #[inline]
    pub(super) fn sides_behind(&self, before: bool, above: bool) -> GridSides {
        let (left, up) = if self.grid.is_transposed() { (above, before) } else { (before, above) };
        GridSides { up, left, ..GridSides::default() }
    }

    /// The edges of a cell to those swept later, after it in the line and below it, as they lie on
    /// the board.
    #[inline]
    pub(super) fn sides_ahead(&self, after: bool, below: bool) -> GridSides {
        let (right, down) = if self.grid.is_transposed() { (below, after) } else { (after, below) };
        GridSides { right, down, ..GridSides::default() }
    }

    /// The board as text, one line a row: what `draw` makes of each of the `labels` of the free
    /// cells, and `*` for obstacles and for cells without a label.
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
