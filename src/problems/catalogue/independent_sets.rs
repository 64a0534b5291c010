//! Sets of cells of which no two are neighbours.

use super::grid::Grid;
use super::scan::Scan;
use crate::plug::code::Bits;
use crate::plug::{ContourProblem, TooWide};

/// Sets of free cells of a board of which no two share a side, the empty set among them (OEIS
/// A006506).
///
/// Such sets are the configurations of *hard squares* in statistical physics, a gas whose particles
/// keep their neighbours' places free (Baxter, Enting and Tsang, 1980, who computed its transfer
/// matrix cell by cell).
///
/// This is the smallest profile of the catalogue, and a good first one to read. A cell can be taken
/// if neither the cell before it nor the one above it is. So of each place in the line the contour
/// remembers one bit: whether the cell that was swept last there is taken.
///
/// ```text
///   line above   . . . 1 0 0      before x: bits 0 1 0 1 0 0
///   this line    0 1 x . . .      x has a neighbour that is taken (bit 1): it must stay free
/// ```
///
/// A line has Fibonacci's number of sets, and a layer of `n` places about 1.62ⁿ states.
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

/// Sets of cells of which no two are neighbours: what [`independent_sets()`] gives.
///
/// The label of a cell says whether it is taken. Cells are [`Grid::raster_position`].
#[derive(Clone, Debug)]
pub struct GridIndependentSets(Scan);

impl GridIndependentSets {
    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.0.grid()
    }

    /// A set as text, given by the labels of all cells: `#` taken, `.` not taken, `*` an obstacle.
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
