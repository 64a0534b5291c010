//! Connected sets of cells, [`ConnectedSubsets`]; spanning trees and forests, [`SpanningForests`].

use secateurs::plug::code::{Joined, Labels, Word};
use secateurs::plug::{ContourProblem, TooWide};

use super::draw::Drawing;
use super::grid::{Grid, GridSides, Scan};

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
/// use secateurs_problems::catalogue::{Grid, connected_subsets};
///
/// let subsets = connected_subsets(&Grid::new(5, 5)?);
/// assert_eq!(Sweep::new(&subsets).count().exact(), Some(2_301_877));
/// # Ok::<(), secateurs_problems::InstanceError>(())
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
pub(super) fn join_neighbours<W: Word, const BITS: u32>(
    labels: Labels<W, BITS>,
    place: usize,
    joins_before: bool,
    joins_above: bool,
) -> Labels<W, BITS> {
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

/// Returns whether no component is reserved, and taken neighbours on a contour of this width belong
/// to one component, except for the two at the corner: those at `place` and before it.
pub(super) fn are_neighbours_connected<W: Word>(
    labels: Labels<W>,
    width: usize,
    place: usize,
) -> bool {
    let is_apart = |place: usize| {
        let [before, label] = [place - 1, place].map(|place| labels.get(place));
        before != 0 && label != 0 && before != label
    };
    !labels.has(Labels::<W>::RESERVED)
        && (1..width).filter(|&other| other != place).all(|other| !is_apart(other))
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
                Joined::Complete(rest) if rest.is_empty() => emit(complete, false),
                Joined::Complete(_) => {}
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

    fn is_legal(&self, cell: usize, state: Labels<W>) -> bool {
        let width = self.scan.width();
        state == Labels::EMPTY.with(0, COMPLETE)
            || state.is_legal(width)
                && are_neighbours_connected(state, width, self.scan.place(cell))
    }
}

/// Creates the problem of the spanning trees of a board: sets of edges between neighbouring free
/// cells that connect all free cells and contain no cycle (OEIS A007341). A board without a free
/// cell has none: a tree has one more vertex than edges.
///
/// Kirchhoff's matrix-tree theorem (1847) gives the same number as a determinant, which
/// `Determinant` computes (feature `bigint`). A sweep is slower but more general: it finds the
/// cheapest tree, draws random trees, and counts [forests](spanning_forests()), for which there is
/// no determinant.
///
/// The state describes connections. For each place in a line, it stores the label of the component
/// that contains the last cell swept at this place:
///
/// ```text
///   line above   .-.-. 2-2 3   before x: labels 1 1 2 2 3 (of places 0 to 4)
///                |   |
///   this line    1   1  x      x may have edges to the cell above it and to the cell before it
/// ```
///
/// - Both edges merge two components, unless they are the same: that would close a cycle.
/// - Without the edge to the cell above, that cell leaves the contour. If nothing else on the
///   contour is connected with it, its component can never be reached again, which a tree forbids.
/// - Without any edge, `x` begins a new component.
///
/// Components of a planar board do not cross, so a layer of `n` places has at most the Catalan
/// number Cₙ of states.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, spanning_trees};
///
/// let trees = spanning_trees(&Grid::new(4, 4)?);
/// assert_eq!(Sweep::new(&trees).count().exact(), Some(100_352));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
///
/// Boards of up to 14 cells along the shorter side fit into a state; see [`SpanningForests`] for
/// larger ones.
#[must_use]
pub fn spanning_trees(grid: &Grid) -> SpanningForests {
    SpanningForests::trees(grid)
}

/// Creates the problem of the spanning forests of a board: sets of edges between neighbouring free
/// cells without a cycle (OEIS A080691 for boards n × n). Every free cell is in some tree of the
/// forest, which may be this cell alone; the empty set of edges is a forest.
///
/// The step differs from that of [trees](spanning_trees()) in one line: a component may leave the
/// contour. The number of forests is a value of the Tutte polynomial, T(2, 1), and hard to compute
/// for general graphs (Jaeger, Vertigan and Welsh, 1990, for graphs; Vertigan and Welsh, 1992, for
/// planar graphs). On a board it takes the time of a sweep, with the widths of
/// [trees](spanning_trees()).
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::catalogue::{Grid, spanning_forests};
///
/// let forests = spanning_forests(&Grid::new(4, 4)?);
/// assert_eq!(Sweep::new(&forests).count().exact(), Some(8_790_016));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[must_use]
pub fn spanning_forests(grid: &Grid) -> SpanningForests {
    SpanningForests::forests(grid)
}

/// The problem of [`spanning_trees()`] and [`spanning_forests()`]: sets of edges without a cycle.
///
/// The label of a step lists the chosen edges from the cell to the cells above and to the left. The
/// cells are ordered as in [`Grid::raster_position`].
///
/// States are [`Labels`] of `BITS` bits in a word `W`. By default, 14 cells along the shorter side
/// fit; `SpanningForests::<u128, 5>` has room for 25.
#[derive(Clone, Debug)]
pub struct SpanningForests<W: Word = u64, const BITS: u32 = 4> {
    scan: Scan,
    /// The last free cell; a tree does not change after it.
    last_free: Option<usize>,
    is_tree: bool,
    word: std::marker::PhantomData<W>,
}

impl<W: Word, const BITS: u32> SpanningForests<W, BITS> {
    /// Creates the problem of spanning trees: see [`spanning_trees()`].
    #[must_use]
    pub fn trees(grid: &Grid) -> Self {
        Self::new(grid, true)
    }

    /// Creates the problem of spanning forests: see [`spanning_forests()`].
    #[must_use]
    pub fn forests(grid: &Grid) -> Self {
        Self::new(grid, false)
    }

    fn new(grid: &Grid, is_tree: bool) -> Self {
        let scan = Scan::new(grid);
        let last_free = scan.last_free();
        SpanningForests { scan, last_free, is_tree, word: std::marker::PhantomData }
    }

    /// Returns the board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.scan.grid()
    }

    /// Draws a tree or forest, given by the labels of all cells.
    #[must_use]
    pub fn draw(&self, labels: &[GridSides]) -> Drawing {
        let edges = labels.iter().enumerate().take(self.scan.cells()).flat_map(|(cell, sides)| {
            let (row, column) = self.grid().raster_position(cell);
            let up = sides.up.then(|| [(row.wrapping_sub(1), column), (row, column)]);
            let left = sides.left.then(|| [(row, column.wrapping_sub(1)), (row, column)]);
            up.into_iter().chain(left)
        });
        Drawing::of_edges(self.grid(), edges)
    }

    /// Returns the labels after the cell at a place leaves the contour; `None` if solutions are
    /// trees and this was the last place of a component.
    #[inline]
    fn leave(&self, labels: Labels<W, BITS>, place: usize) -> Option<Labels<W, BITS>> {
        if labels.get(place) == 0 {
            return Some(labels);
        }
        match labels.close(place) {
            Joined::Complete(_) if self.is_tree => None,
            closed => Some(closed.state()),
        }
    }
}

impl<W: Word, const BITS: u32> ContourProblem for SpanningForests<W, BITS> {
    type State = Labels<W, BITS>;
    type Label = GridSides;

    fn cells(&self) -> usize {
        self.scan.cells()
    }

    fn start(&self) -> Self::State {
        Labels::EMPTY
    }

    #[inline]
    fn step(&self, cell: usize, state: Self::State, emit: &mut impl FnMut(Self::State, GridSides)) {
        let (scan, place) = (&self.scan, self.scan.place(cell));
        let none = GridSides::default();
        // The last component need not be reached again, so it stays on the contour.
        if self.is_tree && Some(cell) > self.last_free {
            return emit(state, none);
        }
        let without_above = self.leave(state, place);
        if !scan.is_free(cell) {
            if let Some(left) = without_above {
                emit(left.canonical(), none);
            }
            return;
        }
        let has_before = scan.is_free_before(cell);
        if let Some(left) = without_above {
            emit(left.fresh(place).canonical(), none);
            if has_before {
                emit(
                    left.with(place, left.get(place - 1)).canonical(),
                    scan.sides_behind(true, false),
                );
            }
        }
        if scan.is_free_above(cell) {
            emit(state, scan.sides_behind(false, true));
            if has_before && let Joined::Path(joined) = state.connect(place - 1, place) {
                emit(joined.canonical(), scan.sides_behind(true, true));
            }
        }
    }

    fn accept(&self, state: Self::State) -> bool {
        !self.is_tree || state.components() == 1
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Labels::<W, BITS>::fits(self.scan.width(), self.scan.width())
    }

    /// Every free cell on the contour is in a component.
    fn is_legal(&self, cell: usize, state: Self::State) -> bool {
        state.is_legal(self.scan.width())
            && !state.has(Labels::<W, BITS>::RESERVED)
            && self
                .scan
                .free_places(cell)
                .enumerate()
                .all(|(place, is_free)| !is_free || state.get(place) != 0)
    }
}
