//! Independent sets of a board: of cells, [`GridIndependentSets`], and of edges, that is, matchings
//! and domino tilings, [`Dimers`].

use std::marker::PhantomData;

use secateurs::plug::code::{Bits, Word};
use secateurs::plug::{ContourProblem, MergeStates, TooWide};

use super::grid::{Grid, GridSides, Scan};

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
/// use secateurs_problems::catalogue::{Grid, independent_sets};
///
/// let sets = independent_sets(&Grid::new(5, 5)?);
/// assert_eq!(Sweep::new(&sets).count().exact(), Some(55_447));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
///
/// Boards of up to 64 cells along the shorter side fit into a state; see
/// [`GridIndependentSets::new`] for wider ones.
#[must_use]
pub fn independent_sets(grid: &Grid) -> GridIndependentSets {
    GridIndependentSets::new(grid)
}

/// The problem of [`independent_sets()`]: sets of cells without neighbours.
///
/// The label of a cell states whether it is taken. The cells are ordered as in
/// [`Grid::raster_position`].
#[derive(Clone, Debug)]
pub struct GridIndependentSets<W: Word = u64>(Scan, PhantomData<W>);

impl<W: Word> GridIndependentSets<W> {
    /// Creates the problem for a board, with as many cells along the shorter side as the word has
    /// bits: see [`independent_sets()`].
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        GridIndependentSets(Scan::new(grid), PhantomData)
    }

    /// Draws a set, given by the labels of all cells, as text: `#` taken, `.` not taken, `*` an
    /// obstacle.
    #[must_use]
    pub fn draw(&self, labels: &[bool]) -> String {
        self.0.draw(labels, |taken| if taken { '#' } else { '.' })
    }
}

impl<W: Word> ContourProblem for GridIndependentSets<W> {
    type State = Bits<W>;
    type Label = bool;

    fn cells(&self) -> usize {
        self.0.cells()
    }

    fn start(&self) -> Bits<W> {
        Bits::EMPTY
    }

    #[inline]
    fn step(&self, cell: usize, state: Bits<W>, emit: &mut impl FnMut(Bits<W>, bool)) {
        let place = self.0.place(cell);
        let has_neighbour = state.get(place) || place > 0 && state.get(place - 1);
        emit(state.with(place, false), false);
        if self.0.is_free(cell) && !has_neighbour {
            emit(state.with(place, true), true);
        }
    }

    fn accept(&self, _: Bits<W>) -> bool {
        true
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Bits::<W>::fits(self.0.width())
    }

    fn is_legal(&self, _: usize, state: Bits<W>) -> bool {
        state.len() <= self.0.width()
    }
}

/// A place is taken in a merged state only if it is taken in both.
impl<W: Word> MergeStates for GridIndependentSets<W> {
    fn merge(&self, _: usize, one: Bits<W>, other: Bits<W>) -> Bits<W> {
        Bits::from_word(one.word() & other.word())
    }
}

/// Creates the problem of the tilings of the free cells of a board with dominoes, each of which
/// covers two neighbours (OEIS A004003 for boards 2n × 2n). A board without a free cell has one
/// tiling, the empty one.
///
/// Kasteleyn, and Temperley and Fisher, found a formula for boards without obstacles in 1961, and a
/// determinant for all boards, which `Determinant` computes (feature `bigint`). A sweep is slower
/// on wide boards but more general: it draws tilings at random and finds the best one. This is the
/// oldest contour problem, and the origin of the term *broken profile*.
///
/// A domino is placed in the first of its two cells in the order of the sweep. The state has one
/// bit per place: whether the next cell there is already covered by a domino that crosses the
/// contour:
///
/// ```text
///   line above   = = n = = n   before x: bits 0 0 0 0 0 1
///   this line    u = = x . U   x is not covered: a domino must begin here, along the line or down.
///                              U is covered: it is the lower half of n.
/// ```
///
/// A covered cell clears the bit of its place. An uncovered cell begins a domino, either along the
/// line, which sets the bit of the next place if that is clear, or down, which sets the bit of its
/// own place. A layer of `n` places has at most 2ⁿ states.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, domino_tilings};
///
/// let chessboard = Grid::new(8, 8)?;
/// assert_eq!(Sweep::new(&domino_tilings(&chessboard)).count().exact(), Some(12_988_816));
/// // Without two corners of the same colour there is no tiling (Black, 1946).
/// let mutilated = chessboard.with_obstacle(0, 0).with_obstacle(7, 7);
/// assert_eq!(Sweep::new(&domino_tilings(&mutilated)).count().exact(), Some(0));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
///
/// Boards of up to 64 cells along the shorter side fit into a state; see [`Dimers::tilings`] for
/// wider ones.
#[must_use]
pub fn domino_tilings(grid: &Grid) -> Dimers {
    Dimers::tilings(grid)
}

/// Creates the problem of the matchings of a board: sets of dominoes on free cells that do not
/// overlap. Cells may stay uncovered, and the empty set is a matching (OEIS A028420 for boards n ×
/// n).
///
/// In physics, dominoes are called dimers and uncovered cells monomers (Fowler and Rushbrooke,
/// 1937). There is no formula as for [tilings](domino_tilings()): counting matchings of planar
/// graphs is #P-complete (Jerrum, 1987).
///
/// The step has one more case than that of tilings: an uncovered cell may stay uncovered. Boards of
/// up to 64 cells along the shorter side fit into a state; see [`Dimers::matchings`] for wider
/// ones.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, monomer_dimer};
///
/// let matchings = monomer_dimer(&Grid::new(4, 4)?);
/// assert_eq!(Sweep::new(&matchings).count().exact(), Some(10_012));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[must_use]
pub fn monomer_dimer(grid: &Grid) -> Dimers {
    Dimers::matchings(grid)
}

/// The problem of [`domino_tilings()`] and [`monomer_dimer()`]: sets of dominoes that do not
/// overlap.
///
/// The label of a cell states whether a domino begins there, and whether it leads to the right or
/// down. The cells are ordered as in [`Grid::raster_position`].
#[derive(Clone, Debug)]
pub struct Dimers<W: Word = u64> {
    scan: Scan,
    /// Whether cells may stay uncovered.
    monomers: bool,
    word: PhantomData<W>,
}

impl<W: Word> Dimers<W> {
    /// Creates the problem of tilings, with as many cells along the shorter side as the word has
    /// bits: see [`domino_tilings()`].
    #[must_use]
    pub fn tilings(grid: &Grid) -> Self {
        Dimers { scan: Scan::new(grid), monomers: false, word: PhantomData }
    }

    /// Creates the problem of matchings, with as many cells along the shorter side as the word has
    /// bits: see [`monomer_dimer()`].
    #[must_use]
    pub fn matchings(grid: &Grid) -> Self {
        Dimers { monomers: true, ..Self::tilings(grid) }
    }

    /// Returns the board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.scan.grid()
    }

    /// Draws a tiling, given by the labels of all cells, as text: `<>` is a horizontal domino, `n`
    /// over `u` a vertical one, `.` an uncovered cell, `*` an obstacle.
    #[must_use]
    pub fn draw(&self, labels: &[GridSides]) -> String {
        let (rows, columns) = (self.grid().rows(), self.grid().columns());
        let board = self.grid().to_string();
        let mut text: Vec<Vec<char>> = board.lines().map(|line| line.chars().collect()).collect();
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

impl<W: Word> ContourProblem for Dimers<W> {
    type State = Bits<W>;
    type Label = GridSides;

    fn cells(&self) -> usize {
        self.scan.cells()
    }

    fn start(&self) -> Bits<W> {
        Bits::EMPTY
    }

    #[inline]
    fn step(&self, cell: usize, state: Bits<W>, emit: &mut impl FnMut(Bits<W>, GridSides)) {
        let (scan, place) = (&self.scan, self.scan.place(cell));
        let free = scan.is_free(cell);
        let cleared = state.with(place, false);
        if !free || state.get(place) {
            emit(cleared, GridSides::default());
            return;
        }
        if self.monomers {
            emit(cleared, GridSides::default());
        }
        if scan.is_free_after(cell) && !state.get(place + 1) {
            emit(cleared.with(place + 1, true), scan.sides_ahead(true, false));
        }
        if scan.is_free_below(cell) {
            emit(cleared.with(place, true), scan.sides_ahead(false, true));
        }
    }

    fn accept(&self, state: Bits<W>) -> bool {
        state.is_empty()
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Bits::<W>::fits(self.scan.width())
    }

    fn is_legal(&self, _: usize, state: Bits<W>) -> bool {
        state.len() <= self.scan.width()
    }
}
