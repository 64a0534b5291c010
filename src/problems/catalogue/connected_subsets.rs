//! Connected sets of cells.

use super::grid::Grid;
use super::scan::Scan;
use crate::plug::code::{Joined, Labels, Word};
use crate::plug::{ContourProblem, TooWide};

/// Creates the problem of the connected sets of free cells of a board, without the empty set (OEIS
/// A059525 for boards n × n). Cells are connected by their sides.
///
/// For each place in the line, the state has whether the cell that was swept last there is taken,
/// and if so, the component that it belongs to behind the contour:
///
/// ```text
///   line above   # . #  # . #      before x: labels 1 0 1 2 0 2: the two cells of each component
///   this line    #-#-#  x          are connected behind the contour, the components are not
/// ```
///
/// If `x` is taken, it joins the components of the cells above and before it, or begins a new
/// component. If it is not, the cell above it leaves the contour. If that was the last cell of its
/// component, either the set is complete, and nothing more may be taken, or the component is cut
/// off, which is a dead end. A complete set is a separate state, only the reserved label at plug 0,
/// to distinguish it from a set that has not begun, which has no cell on the contour either.
///
/// Taken neighbours on the contour are connected, except at its corner. Therefore labels behave
/// like the symbols of a Motzkin word, and a layer of `n` places has about 3ⁿ / n^1.5 states.
/// (Counted this way: Enting, 1980; Conway and Guttmann, 1995, for polyominoes.)
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, connected_subsets};
///
/// let subsets = connected_subsets(&Grid::new(5, 5)?);
/// assert_eq!(Sweep::new(&subsets).count().exact(), Some(2_301_877));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// Boards of up to 16 cells along the shorter side fit into a state; see [`ConnectedSubsets`] for
/// larger ones.
#[must_use]
pub fn connected_subsets(grid: &Grid) -> ConnectedSubsets {
    ConnectedSubsets::new(grid)
}

/// The problem of [`connected_subsets()`]: connected sets of cells.
///
/// The label of a cell states whether it is taken. The cells are ordered as in
/// [`Grid::raster_position`].
///
/// States are [`Labels`] of 4 bits in a word `W`. By default, 16 cells along the shorter side fit;
/// `ConnectedSubsets::<u128>` has room for 27.
#[derive(Clone, Debug)]
pub struct ConnectedSubsets<W: Word = u64> {
    scan: Scan,
    word: std::marker::PhantomData<W>,
}

/// The label at plug 0 of an otherwise empty contour when the set is complete.
const COMPLETE: u8 = Labels::<u64>::RESERVED;

impl<W: Word> ConnectedSubsets<W> {
    /// Creates the problem for a board: see [`connected_subsets()`].
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        ConnectedSubsets { scan: Scan::new(grid), word: std::marker::PhantomData }
    }

    /// Returns the board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.scan.grid()
    }

    /// Draws a set, given by the labels of all cells, as text: `#` taken, `.` not taken, `*` an
    /// obstacle.
    #[must_use]
    pub fn draw(&self, labels: &[bool]) -> String {
        self.scan.draw(labels, |taken| if taken { '#' } else { '.' })
    }
}

/// Returns the labels after the cell at `place` is taken and joined with the cells above and before
/// it, if they are taken. The result is not canonical.
#[inline]
pub(super) fn take<W: Word>(labels: Labels<W>, place: usize) -> Labels<W> {
    let joins_above = labels.get(place) != 0;
    let joins_before = place > 0 && labels.get(place - 1) != 0;
    join_neighbours(labels, place, joins_before, joins_above)
}

/// Returns the labels after the cell at `place` joins the components of the cells before and above
/// it, or begins a new component if it joins neither. The result is not canonical.
#[inline]
pub(super) fn join_neighbours<W: Word>(
    labels: Labels<W>,
    place: usize,
    joins_before: bool,
    joins_above: bool,
) -> Labels<W> {
    match (joins_before, joins_above) {
        (true, true) => labels.connect(place - 1, place).state(),
        (true, false) => labels.with(place, labels.get(place - 1)),
        (false, true) => labels,
        (false, false) => labels.fresh(place),
    }
}

/// Returns the maximal number of components of taken cells on a contour of this width: neighbours
/// belong to one component, except for the two at the corner.
pub(super) const fn max_components(width: usize) -> usize {
    width / 2 + 1
}

impl<W: Word> ContourProblem for ConnectedSubsets<W> {
    type State = Labels<W>;
    type Label = bool;

    fn cells(&self) -> usize {
        self.scan.cells()
    }

    fn start(&self) -> Labels<W> {
        Labels::EMPTY
    }

    #[inline]
    fn step(&self, cell: usize, state: Labels<W>, emit: &mut impl FnMut(Labels<W>, bool)) {
        let complete = Labels::EMPTY.with(0, COMPLETE);
        if state == complete {
            return emit(state, false);
        }
        let place = self.scan.place(cell);
        if state.get(place) == 0 {
            emit(state, false);
        } else {
            match state.close(place) {
                Joined::Whole(rest) if rest.is_empty() => emit(complete, false),
                Joined::Whole(_) => {}
                closed => emit(closed.state().canonical(), false),
            }
        }
        if self.scan.is_free(cell) {
            emit(take(state, place).canonical(), true);
        }
    }

    fn accept(&self, state: Labels<W>) -> bool {
        state.get(0) == COMPLETE || state.components() == 1
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Labels::<W>::fits(self.scan.width(), max_components(self.scan.width()))
    }
}
