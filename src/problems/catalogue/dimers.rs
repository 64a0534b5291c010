//! Tilings with dominoes, and the dimers that they are made of.

use super::grid::{Grid, GridSides};
use super::scan::Scan;
use crate::plug::code::Bits;
use crate::plug::{ContourProblem, TooWide};

/// Tilings of the free cells of a board with dominoes, each of which covers two neighbours (OEIS
/// A004003 of boards 2n × 2n). A board without a free cell has one tiling, the empty one.
///
/// Kasteleyn, and Temperley and Fisher, found a formula for empty boards in 1961; a sweep copes
/// with any obstacles. It is the oldest of contour problems, and the one that the words *broken
/// profile* come from.
///
/// Dominoes are laid by the first of their two cells that is swept. What the cells to come need to
/// know is which of them are covered already, by a domino that sticks out over the contour. That is
/// one bit a place:
///
/// ```text
///   line above   = = n = = n      before x: bits 0 0 0 0 0 1
///   this line    u = = x . U      x is not covered: a domino must begin here, along the line or down.
///                                 (U is: it is the lower half of n.)
/// ```
///
/// A cell that is covered lets the bit of its place go; one that is not lays a domino after itself
/// (which sets the bit of the next place, if that one is not covered) or below itself (which sets
/// the bit of its own place). A layer of `n` places has at most 2ⁿ states.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, domino_tilings};
///
/// let chessboard = Grid::new(8, 8)?;
/// assert_eq!(Sweep::new(&domino_tilings(&chessboard)).count().exact(), Some(12_988_816));
/// // Without two corners of the same colour there is no tiling (Black, 1946).
/// let mutilated = chessboard.with_obstacle(0, 0).with_obstacle(7, 7);
/// assert_eq!(Sweep::new(&domino_tilings(&mutilated)).count().exact(), Some(0));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// Boards of up to 64 cells along the shorter side fit into a state.
#[must_use]
pub fn domino_tilings(grid: &Grid) -> Dimers {
    Dimers::new(grid, false)
}

/// Matchings of a board: sets of dominoes, each on two neighbouring free cells, that do not
/// overlap; cells may stay uncovered, and the empty set is one (OEIS A028420 of boards n × n).
///
/// Dimers and monomers are what physicists call dominoes and the cells that they leave (Fowler and
/// Rushbrooke, 1937). There is no formula as for [tilings](super::domino_tilings()): counting
/// matchings of planar graphs is #P-complete (Jerrum, 1987).
///
/// All that changes is one line of the step: a cell that is not covered may stay so.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, monomer_dimer};
///
/// let matchings = monomer_dimer(&Grid::new(4, 4)?);
/// assert_eq!(Sweep::new(&matchings).count().exact(), Some(10_012));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[must_use]
pub fn monomer_dimer(grid: &Grid) -> Dimers {
    Dimers::new(grid, true)
}

/// Sets of dominoes that do not overlap: what [`domino_tilings()`] and
/// [`monomer_dimer()`](super::monomer_dimer()) give.
///
/// The label of a cell says whether a domino begins there, and whether it leads to the right or
/// down. Cells are [`Grid::raster_position`].
#[derive(Clone, Debug)]
pub struct Dimers {
    scan: Scan,
    /// Whether cells may stay uncovered.
    monomers: bool,
}

impl Dimers {
    pub(super) fn new(grid: &Grid, monomers: bool) -> Self {
        Dimers { scan: Scan::new(grid), monomers }
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.scan.grid()
    }

    /// A tiling as text, given by the labels of all cells: `<>` and, upright, `n` over `u` are
    /// dominoes, `.` is a cell that is not covered, `*` an obstacle.
    #[must_use]
    pub fn draw(&self, labels: &[GridSides]) -> String {
        let (rows, columns) = (self.grid().rows(), self.grid().columns());
        let mut text: Vec<Vec<char>> = (0..rows)
            .map(|row| {
                (0..columns)
                    .map(|column| if self.grid().is_free(row, column) { '.' } else { '*' })
                    .collect()
            })
            .collect();
        for (cell, sides) in labels.iter().enumerate().take(self.scan.cells()) {
            let (row, column) = self.grid().raster_position(cell);
            if sides.right && column + 1 < columns {
                (text[row][column], text[row][column + 1]) = ('<', '>');
            }
            if sides.down && row + 1 < rows {
                (text[row][column], text[row + 1][column]) = ('n', 'u');
            }
        }
        text.iter().flat_map(|row| row.iter().chain(&['\n'])).collect()
    }
}

impl ContourProblem for Dimers {
    type State = Bits;
    type Label = GridSides;

    fn cells(&self) -> usize {
        self.scan.cells()
    }

    fn start(&self) -> Bits {
        Bits::EMPTY
    }

    #[inline]
    fn step(&self, cell: usize, state: Bits, emit: &mut impl FnMut(Bits, GridSides)) {
        let (scan, place) = (&self.scan, self.scan.place(cell));
        let free = scan.is_free(cell);
        let left = state.with(place, false);
        if !free || state.get(place) {
            emit(left, GridSides::default());
            return;
        }
        if self.monomers {
            emit(left, GridSides::default());
        }
        if scan.is_free_after(cell) && !state.get(place + 1) {
            emit(left.with(place + 1, true), scan.sides_ahead(true, false));
        }
        if scan.is_free_below(cell) {
            emit(left.with(place, true), scan.sides_ahead(false, true));
        }
    }

    fn accept(&self, state: Bits) -> bool {
        state.is_empty()
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Bits::<u64>::fits(self.scan.width())
    }
}
