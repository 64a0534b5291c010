//! Independent sets of cells of a board.

use super::grid::Grid;
use super::scan::Scan;
use crate::plug::code::Bits;
use crate::plug::{ContourProblem, TooWide};

/// Creates the problem of the sets of free cells of a board that contain no two neighbours,
/// including the empty set (OEIS A006506).
///
/// These are the configurations of *hard squares* in statistical physics, a gas whose particles
/// exclude others from their neighbouring places (Baxter, Enting and Tsang, 1980, with a transfer
/// matrix that is computed cell by cell).
///
/// This is the shortest problem of the catalogue, and a good first one to read. A cell can be taken
/// if neither the cell before it nor the cell above it is taken. So the state has one bit per
/// place: whether the cell that was swept last there is taken.
///
/// ```text
///   line above   . . . 1 0 0      before x: bits 0 1 0 1 0 0
///   this line    0 1 x . . .      x has a neighbour that is taken (bit 1): it must stay free
/// ```
///
/// The number of sets of a line is a Fibonacci number, and a layer of `n` places has about 1.62ⁿ
/// states.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, independent_sets};
///
/// let sets = independent_sets(&Grid::new(5, 5)?);
/// assert_eq!(Sweep::new(&sets).count().exact(), Some(55_447));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// Boards of up to 64 cells along the shorter side fit into a state.
#[must_use]
pub fn independent_sets(grid: &Grid) -> GridIndependentSets {
    GridIndependentSets(Scan::new(grid))
}

/// The problem of [`independent_sets()`]: sets of cells without neighbours.
///
/// The label of a cell states whether it is taken. The cells are ordered as in
/// [`Grid::raster_position`].
#[derive(Clone, Debug)]
pub struct GridIndependentSets(Scan);

impl GridIndependentSets {
    /// Returns the board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.0.grid()
    }

    /// Draws a set, given by the labels of all cells, as text: `#` taken, `.` not taken, `*` an
    /// obstacle.
    #[must_use]
    pub fn draw(&self, labels: &[bool]) -> String {
        self.0.draw(labels, |taken| if taken { '#' } else { '.' })
    }
}

impl ContourProblem for GridIndependentSets {
    type State = Bits;
    type Label = bool;

    fn cells(&self) -> usize {
        self.0.cells()
    }

    fn start(&self) -> Bits {
        Bits::EMPTY
    }

    #[inline]
    fn step(&self, cell: usize, state: Bits, emit: &mut impl FnMut(Bits, bool)) {
        let place = self.0.place(cell);
        let has_neighbour = state.get(place) || place > 0 && state.get(place - 1);
        emit(state.with(place, false), false);
        if self.0.is_free(cell) && !has_neighbour {
            emit(state.with(place, true), true);
        }
    }

    fn accept(&self, _: Bits) -> bool {
        true
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Bits::<u64>::fits(self.0.width())
    }
}
