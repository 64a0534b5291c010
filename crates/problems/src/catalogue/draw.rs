//! Drawings of paths, loops and trees on a grid, as text and as SVG: [`Drawing`]; and of contour
//! states, with the plugs that cross the contour: [`ContourPicture`].

use std::fmt;

use secateurs::plug::code::{PathEnds, Role};
use secateurs::plug::motzkin::{PathPiece, Side};

use super::grid::{Grid, GridSides};
use crate::picture::Picture;

/// The drawing of a solution of a problem of paths, loops or trees on a [`Grid`].
///
/// `Display` uses box-drawing characters: `·` is a free cell without a path, `●` a path of a single
/// cell, `*` an obstacle; an end of a path is half a line.
///
/// ```
/// use secateurs::plug::motzkin::PathPiece;
/// use secateurs_problems::catalogue::{Drawing, Grid};
///
/// let grid = Grid::new(2, 2)?;
/// // A loop: it begins in the first cell, continues in two cells, and closes in the last one.
/// let labels = [
///     PathPiece::new([false, false], [true, true]),
///     PathPiece::new([true, false], [true, false]),
///     PathPiece::new([true, false], [true, false]),
///     PathPiece::new([true, true], [false, false]),
/// ];
/// assert_eq!(Drawing::new(&grid, &labels).to_string(), "┌─┐\n└─┘\n");
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    grid: Grid,
    /// The edges of each cell, row by row.
    sides: Vec<GridSides>,
    /// Whether each cell is a path of a single cell, row by row.
    alone: Vec<bool>,
}

/// The character for each set of sides, indexed by the sum of up 1, right 2, down 4 and left 8.
const LINES: [char; 16] =
    [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];

impl Drawing {
    /// Creates the drawing of a solution of any problem that has [`PathPiece`]s as labels and the
    /// cell order of [`Grid::position`]. Cells without a label are empty.
    #[must_use]
    pub fn new(grid: &Grid, labels: &[PathPiece]) -> Self {
        let piece = |cell| labels.get(cell).copied().unwrap_or(PathPiece::NONE);
        let mut drawing = Self::of_sides(grid, |row, column| {
            let cell = grid.cell(row, column);
            sides_of_piece(grid, cell, piece(cell))
        });
        for cell in (0..grid.cells()).filter(|&cell| piece(cell) == PathPiece::ALONE) {
            let (row, column) = grid.position(cell);
            drawing.alone[row * grid.columns() + column] = true;
        }
        drawing
    }

    /// Creates a drawing from the neighbours that each cell, given by row and column, is joined to.
    /// Sides that lead off the board are ignored.
    #[must_use]
    pub fn of_sides(grid: &Grid, sides: impl Fn(usize, usize) -> GridSides) -> Self {
        let inside = |index| {
            let (row, column) = (index / grid.columns(), index % grid.columns());
            grid.inside(row, column, sides(row, column))
        };
        let sides = (0..grid.cells()).map(inside).collect();
        Drawing { sides, alone: vec![false; grid.cells()], grid: grid.clone() }
    }

    /// Creates a drawing from edges, given as pairs of cells. Pairs that are not neighbours on the
    /// board are ignored.
    #[must_use]
    pub fn of_edges(grid: &Grid, edges: impl IntoIterator<Item = [(usize, usize); 2]>) -> Self {
        let mut drawing = Self::of_sides(grid, |_, _| GridSides::default());
        for [one, other] in edges {
            let (first, second) = (one.min(other), one.max(other));
            if second.0 >= grid.rows() || first.1.max(second.1) >= grid.columns() {
                continue;
            }
            let [at, next] = [first, second].map(|(row, column)| row * grid.columns() + column);
            if second == (first.0, first.1 + 1) {
                (drawing.sides[at].right, drawing.sides[next].left) = (true, true);
            } else if second == (first.0 + 1, first.1) {
                (drawing.sides[at].down, drawing.sides[next].up) = (true, true);
            }
        }
        drawing
    }

    /// Returns the neighbours that a cell is joined to; none for a cell outside the board.
    #[must_use]
    pub fn sides(&self, row: usize, column: usize) -> GridSides {
        let is_inside = row < self.grid.rows() && column < self.grid.columns();
        if is_inside {
            self.sides[row * self.grid.columns() + column]
        } else {
            GridSides::default()
        }
    }

    /// Returns the edges, each once, as pairs of cells, ordered by their first cells; for each cell
    /// the edge to the right precedes the edge down.
    pub fn edges(&self) -> impl Iterator<Item = [(usize, usize); 2]> + '_ {
        self.sides.iter().enumerate().flat_map(|(index, sides)| {
            let (row, column) = (index / self.grid.columns(), index % self.grid.columns());
            let right = sides.right.then_some([(row, column), (row, column + 1)]);
            let down = sides.down.then_some([(row, column), (row + 1, column)]);
            right.into_iter().chain(down)
        })
    }

    /// Returns an SVG document with this title.
    #[must_use]
    pub fn svg(&self, title: impl fmt::Display) -> String {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let mut picture = Picture::new(rows, columns, title);
        picture.rows((rows, columns), |row, column| {
            match (self.grid.is_free(row, column), self.sides(row, column).count()) {
                (false, _) => "wall",
                (true, 0) if !self.alone[row * columns + column] => "",
                (true, _) => "soft",
            }
        });
        for line in self.polylines() {
            picture.path(line);
        }
        picture.finish()
    }

    /// Returns the edges as long polylines: first those that begin at a cell with an odd number of
    /// edges, such as an end of a path, then the loops that remain.
    fn polylines(&self) -> Vec<Vec<(usize, usize)>> {
        let mut remaining = self.sides.clone();
        let columns = self.grid.columns();
        let cells = || (0..remaining.len()).map(|index| (index / columns, index % columns));
        let ends = cells().filter(|&(row, column)| self.sides(row, column).count() % 2 == 1);
        let starts: Vec<_> = ends.chain(cells()).collect();
        let mut polylines = Vec::new();
        for start in starts {
            let mut line = vec![start];
            while let Some(&(row, column)) = line.last() {
                let here = &mut remaining[row * columns + column];
                let next = if std::mem::take(&mut here.right) {
                    remaining[row * columns + column + 1].left = false;
                    (row, column + 1)
                } else if std::mem::take(&mut here.down) {
                    remaining[(row + 1) * columns + column].up = false;
                    (row + 1, column)
                } else if std::mem::take(&mut here.left) {
                    remaining[row * columns + column - 1].right = false;
                    (row, column - 1)
                } else if std::mem::take(&mut here.up) {
                    remaining[(row - 1) * columns + column].down = false;
                    (row - 1, column)
                } else {
                    break;
                };
                line.push(next);
            }
            if line.len() > 1 {
                polylines.push(line);
            }
        }
        polylines
    }
}

/// Returns the neighbours of a cell that a piece of path in it leads to.
pub(super) fn sides_of_piece(grid: &Grid, cell: usize, piece: PathPiece) -> GridSides {
    let sides = [Side::Low, Side::High];
    grid.sides(cell, sides.map(|side| piece.came_by(side)), sides.map(|side| piece.goes_by(side)))
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.grid.rows() {
            let mut line = String::new();
            for column in 0..self.grid.columns() {
                let GridSides { up, right, down, left } = self.sides(row, column);
                let bits = [up, right, down, left]
                    .iter()
                    .rev()
                    .fold(0, |bits, &side| 2 * bits + usize::from(side));
                line.push(match bits {
                    0 if !self.grid.is_free(row, column) => '*',
                    0 if self.alone[row * self.grid.columns() + column] => '●',
                    0 => '·',
                    _ => LINES[bits],
                });
                line.push(if right { '─' } else { ' ' });
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A position in half cells, as row and column from the top left corner of the board.
type HalfCells = (usize, usize);

/// A picture of a board with its first cells swept, in alternating directions.
pub(super) struct ContourPicture<'g> {
    grid: &'g Grid,
    cells: usize,
    pub(super) picture: Picture,
}

impl<'g> ContourPicture<'g> {
    /// Draws the board, with the swept cells shaded, and the contour.
    pub(super) fn new(grid: &'g Grid, cells: usize, remark: &str) -> Self {
        let cells = cells.min(grid.cells());
        let title = format!("The contour after {cells} of {} cells: {remark}", grid.cells());
        let mut picture = Picture::new(grid.rows(), grid.columns(), title);
        let is_swept = |row, column| grid.cell(row, column) < cells;
        picture.rows((grid.rows(), grid.columns()), |row, column| {
            match (grid.is_free(row, column), is_swept(row, column)) {
                (false, _) => "wall",
                (true, true) => "soft",
                (true, false) => "",
            }
        });
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
    fn transposed<T>(&self, (line, place): (T, T)) -> (T, T) {
        if self.grid.is_transposed() { (place, line) } else { (line, place) }
    }

    /// Returns the middle of the edge of a plug, and the direction that the plug leads to.
    fn plug_position(&self, plug: usize) -> (HalfCells, (isize, isize)) {
        let (width, line) = (self.grid.width(), self.cells / self.grid.width());
        let (done, is_forward) = (self.cells % width, line.is_multiple_of(2));
        // The plug along the line, and its direction. Plugs before it belong to this line if it is
        // swept forward, and to the previous line otherwise.
        let along = if is_forward { done } else { width - done };
        let ahead = if is_forward { 1 } else { -1 };
        if plug == along {
            return (self.transposed((2 * line + 1, 2 * along)), self.transposed((0, ahead)));
        }
        let place = if plug < along { plug } else { plug - 1 };
        let is_below = (plug < along) == is_forward;
        let at = (2 * (line + usize::from(is_below)), 2 * place + 1);
        (self.transposed(at), self.transposed((1, 0)))
    }

    fn plug(&mut self, plug: usize, is_loose: bool) {
        let (at, ahead) = self.plug_position(plug);
        self.picture.plug(at, ahead, "path");
        if is_loose {
            self.picture.dot(at);
        }
    }

    /// Draws two plugs, and an arc for the piece of path that joins them behind the contour.
    fn pair(&mut self, one: usize, other: usize) {
        let behind = self.transposed((-1, 0));
        let [(from, _), (to, _)] = [one, other].map(|plug| self.plug_position(plug));
        self.picture.arc(from, to, behind, "path");
        self.plug(one, false);
        self.plug(other, false);
    }

    /// Draws the ends of paths at the first `plugs` plugs.
    pub(super) fn ends(&mut self, ends: impl PathEnds, plugs: usize) {
        for plug in 0..plugs {
            match ends.role(plug) {
                Role::End(mate) if mate > plug => self.pair(plug, mate),
                Role::Loose => self.plug(plug, true),
                Role::End(_) | Role::Untouched | Role::Inner => {}
            }
        }
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
                    let ((y, x), _) = drawing.plug_position(plug);
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
