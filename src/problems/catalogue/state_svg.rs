//! Pictures of contour states: the contour on the board, and the plugs that cross it.

use super::grid::Grid;
use super::paths::{PathState, Paths};
use super::strands::Strands;
use crate::plug::code::{Parentheses, PathEnds, Role};
use crate::plug::motzkin::FINISHED;
use crate::problems::picture::Picture;

/// A position in half cells, as row and column from the top left corner of the board.
type Place = (usize, usize);

/// A picture of a board with its first cells swept, in alternating directions.
struct ContourPicture<'g> {
    grid: &'g Grid,
    cells: usize,
    picture: Picture,
}

impl<'g> ContourPicture<'g> {
    /// Draws the board, with the swept cells shaded, and the contour.
    fn new(grid: &'g Grid, cells: usize, remark: &str) -> Self {
        let cells = cells.min(grid.cells());
        let title = format!("The contour after {cells} of {} cells: {remark}", grid.cells());
        let mut picture = Picture::new(grid.rows(), grid.columns(), title);
        let is_swept = |row, column| grid.cell(row, column) < cells;
        for row in 0..grid.rows() {
            let class = |column| match (grid.is_free(row, column), is_swept(row, column)) {
                (false, _) => "wall",
                (true, true) => "soft",
                (true, false) => "",
            };
            picture.row(row, &(0..grid.columns()).map(class).collect::<Vec<_>>());
        }
        for row in 0..grid.rows() {
            for column in 0..grid.columns() {
                if row > 0 && is_swept(row, column) != is_swept(row - 1, column) {
                    picture.edge((row, column), (row, column + 1));
                }
                if column > 0 && is_swept(row, column) != is_swept(row, column - 1) {
                    picture.edge((row, column), (row + 1, column));
                }
            }
        }
        ContourPicture { grid, cells, picture }
    }

    /// Converts line and place within the line to row and column.
    fn turned<T>(&self, (line, place): (T, T)) -> (T, T) {
        if self.grid.is_transposed() { (place, line) } else { (line, place) }
    }

    /// Returns the middle of the edge of a plug, and the direction that the plug leads to.
    fn place(&self, plug: usize) -> (Place, (isize, isize)) {
        let (width, line) = (self.grid.width(), self.cells / self.grid.width());
        let (done, is_forward) = (self.cells % width, line.is_multiple_of(2));
        // The plug along the line, and its direction. Plugs before it belong to this line if it is
        // swept forward, and to the previous line otherwise.
        let along = if is_forward { done } else { width - done };
        let ahead = if is_forward { 1 } else { -1 };
        if plug == along {
            return (self.turned((2 * line + 1, 2 * along)), self.turned((0, ahead)));
        }
        let place = if plug < along { plug } else { plug - 1 };
        let is_below = (plug < along) == is_forward;
        (self.turned((2 * (line + usize::from(is_below)), 2 * place + 1)), self.turned((1, 0)))
    }

    fn plug(&mut self, plug: usize, is_loose: bool) {
        let (at, ahead) = self.place(plug);
        self.picture.plug(at, ahead, "path");
        if is_loose {
            self.picture.dot(at);
        }
    }

    /// Draws two plugs, and an arc for the piece of path that joins them behind the contour.
    fn pair(&mut self, one: usize, other: usize) {
        let behind = self.turned((-1, 0));
        let [(from, _), (to, _)] = [one, other].map(|plug| self.place(plug));
        self.picture.arc(from, to, behind, "path");
        self.plug(one, false);
        self.plug(other, false);
    }

    fn ends(&mut self, ends: impl PathEnds) {
        for plug in 0..self.grid.plugs() {
            match ends.role(plug) {
                Role::End(mate) if mate > plug => self.pair(plug, mate),
                Role::Loose => self.plug(plug, true),
                Role::End(_) | Role::Untouched | Role::Inner => {}
            }
        }
    }
}

impl Strands {
    /// Draws a state after this number of cells as an SVG document: swept cells are shaded, the
    /// contour is the line around them, a short line across it is a plug, and an arc behind it
    /// joins the two ends of a piece of path. A plug with a dot is a loose end.
    ///
    /// ```
    /// use secateurs::problems::catalogue::{Grid, hamiltonian_cycles};
    ///
    /// let cycles = hamiltonian_cycles(&Grid::new(4, 4)?);
    /// let svg = cycles.state_svg(4, "(())".parse()?); // the first row is swept
    /// assert_eq!(svg.matches("<path").count(), 2); // arcs
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state_svg(&self, cells: usize, state: Parentheses) -> String {
        if state == FINISHED {
            return ContourPicture::new(self.grid(), cells, "closed").picture.finish();
        }
        let mut drawing = ContourPicture::new(self.grid(), cells, &state.to_string());
        drawing.ends(state);
        drawing.picture.finish()
    }
}

impl Paths {
    /// Draws a state after this number of cells as an SVG document, like [`Strands::state_svg`]; a
    /// plug with a dot leads to an end of the path.
    ///
    /// ```
    /// use secateurs::plug::ContourProblem;
    /// use secateurs::problems::catalogue::{Grid, Paths};
    ///
    /// let paths = Paths::simple(&Grid::new(3, 3)?);
    /// assert!(paths.state_svg(0, paths.start()).starts_with("<svg"));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn state_svg(&self, cells: usize, state: PathState) -> String {
        if state == PathState::WHOLE {
            return ContourPicture::new(self.grid(), cells, "whole").picture.finish();
        }
        let mut drawing = ContourPicture::new(self.grid(), cells, &state.pairs().to_string());
        drawing.ends(state);
        drawing.picture.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{ContourPicture, Grid};

    /// Each plug lies between a swept cell and an unswept one, or on the border of the board.
    #[test]
    fn plugs_lie_on_the_contour() {
        for (rows, columns) in [(3, 3), (4, 3), (3, 5), (1, 1), (1, 4), (5, 2)] {
            let grid = Grid::new(rows, columns).expect("a small board");
            for cells in 0..=grid.cells() {
                let drawing = ContourPicture::new(&grid, cells, "");
                for plug in 0..grid.plugs() {
                    let ((y, x), _) = drawing.place(plug);
                    assert_ne!(y % 2, x % 2, "an edge between two cells");
                    let beside = if y % 2 == 0 {
                        [y.checked_sub(1).map(|y| (y / 2, x / 2)), Some((y / 2, x / 2))]
                    } else {
                        [x.checked_sub(1).map(|x| (y / 2, x / 2)), Some((y / 2, x / 2))]
                    };
                    let swept = beside.map(|cell| {
                        let cell = cell.filter(|&(row, column)| row < rows && column < columns);
                        cell.map(|(row, column)| grid.cell(row, column) < cells)
                    });
                    let [Some(one), Some(other)] = swept else { continue };
                    assert_ne!(one, other, "{rows}x{columns}, {cells} cells, plug {plug}");
                }
            }
        }
    }
}
