//! Sets of cells that hang together.

use super::grid::Grid;
use super::scan::Scan;
use crate::plug::code::{Joined, Labels, Word};
use crate::plug::{ContourProblem, TooWide};

/// Sets of free cells of a board that hang together by their sides, the empty set not among them
/// (OEIS A059525 of boards n × n).
///
/// Of each place in the line the contour remembers whether the cell that was swept last there is
/// taken, and if so, with which of the others it is connected behind the contour:
///
/// ```text
///   line above   # . #  # . #      before x: labels 1 0 1 2 0 2: the two cells of each component
///   this line    #-#-#  x          are connected behind the contour, the components are not
/// ```
///
/// If `x` is taken, it joins the components of the cells above and before it, or begins one of its
/// own. If it is not, the cell above it leaves the contour; if that was the last of its component,
/// the set is complete, and nothing more may be taken, or the component is cut off, which is a dead
/// end. A set that is complete is a state of its own: only the reserved label, at plug 0. So it is
/// told from one that has not begun, of which nothing is on the contour either.
///
/// Neighbours on the contour are connected, if they are taken both, but where it has its corner; so
/// labels appear as the symbols of a Motzkin word do, and a layer of `n` places has about 3ⁿ /
/// n^1.5 states. (Counted this way: Enting, 1980; Conway and Guttmann, 1995, for polyominoes.)
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
/// more.
#[must_use]
pub fn connected_subsets(grid: &Grid) -> ConnectedSubsets {
    ConnectedSubsets::new(grid)
}

/// Sets of cells that hang together: what [`connected_subsets()`] gives.
///
/// The label of a cell says whether it is taken. Cells are [`Grid::raster_position`].
///
/// States are [`Labels`] of 4 bits in a word `W`. By default, 16 cells along the shorter side fit;
/// `ConnectedSubsets::<u128>` takes 27.
#[derive(Clone, Debug)]
pub struct ConnectedSubsets<W: Word = u64> {
    scan: Scan,
    word: std::marker::PhantomData<W>,
}

/// The label that an otherwise empty contour has at plug 0 when the set is complete.
const COMPLETE: u8 = Labels::<u64>::RESERVED;

impl<W: Word> ConnectedSubsets<W> {
    /// The connected sets of free cells of a board: see [`connected_subsets()`].
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        ConnectedSubsets { scan: Scan::new(grid), word: std::marker::PhantomData }
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.scan.grid()
    }

    /// A set as text, given by the labels of all cells: `#` taken, `.` not taken, `*` an obstacle.
    #[must_use]
    pub fn draw(&self, labels: &[bool]) -> String {
        self.scan.draw(labels, |taken| if taken { '#' } else { '.' })
    }
}

/// The labels when the cell at `place` is taken: it joins the one above, the one before, both or
/// none. Not yet canonical.
#[inline]
pub(super) fn take<W: Word>(labels: Labels<W>, place: usize) -> Labels<W> {
    let has_above = labels.get(place) != 0;
    let has_before = place > 0 && labels.get(place - 1) != 0;
    match (has_before, has_above) {
        (true, true) => labels.connect(place - 1, place).state(),
        (true, false) => labels.with(place, labels.get(place - 1)),
        (false, true) => labels,
        (false, false) => labels.fresh(place),
    }
}

/// At most so many components of taken cells meet a contour of this width: neighbours belong to
/// one, but for the two at the corner.
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
