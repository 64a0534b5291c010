//! Spanning trees, and the forests that they grow from.

use super::draw::Drawing;
use super::grid::{Grid, GridSides};
use super::scan::Scan;
use crate::plug::code::{Joined, Labels, Word};
use crate::plug::{ContourProblem, TooWide};

/// Spanning trees of a board: sets of edges between neighbouring free cells that connect all free
/// cells and close no circle (OEIS A007341). A board without a free cell has none: a tree has one
/// vertex more than edges.
///
/// Kirchhoff's matrix-tree theorem (1847) gives the same number as a determinant, and is how the
/// tests check it. A sweep is slower, but tells more: it finds the cheapest tree, draws random
/// ones, and counts [forests](super::spanning_forests()), for which there is no determinant.
///
/// It matters what is connected with what. Of each place in the line the contour remembers the
/// component of the cell that was swept last there, as a label:
///
/// ```text
///   line above   .-.-. 2-2 3      before x: labels 1 1 2 2 3 (of places 0 to 4)
///                |   |
///   this line    1   1  x         x may have an edge to the cell above it, to that before it, both or none
/// ```
///
/// - Both edges make one component of two, unless they are one already: that would close a circle.
/// - Without the edge to the cell above, that cell leaves the contour. If nothing else on the
///   contour is connected with it, its component can never be reached again, which a tree forbids.
/// - Without any edge, `x` begins a component of its own.
///
/// Components of a planar board do not cross, so that a layer of `n` places has at most Catalan's
/// number Cₙ of states.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, spanning_trees};
///
/// let trees = spanning_trees(&Grid::new(4, 4)?);
/// assert_eq!(Sweep::new(&trees).count().exact(), Some(100_352));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// Boards of up to 14 cells along the shorter side fit into a state; see [`SpanningForests`] for
/// more.
#[must_use]
pub fn spanning_trees(grid: &Grid) -> SpanningForests {
    SpanningForests::trees(grid)
}

/// Spanning forests of a board: sets of edges between neighbouring free cells that close no circle
/// (OEIS A080691 of boards n × n). Every free cell is in some tree of the forest, if need be alone;
/// the empty set of edges is a forest.
///
/// All that changes from [trees](super::spanning_trees()) is one line of the step: a component may
/// be left behind. The number of forests is a value of the Tutte polynomial, T(2, 1), and hard to
/// compute for graphs at large (Jaeger, Vertigan and Welsh, 1990, of graphs; Vertigan and Welsh,
/// 1992, of planar ones). On a board it takes the time of a sweep.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, spanning_forests};
///
/// let forests = spanning_forests(&Grid::new(4, 4)?);
/// assert_eq!(Sweep::new(&forests).count().exact(), Some(8_790_016));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[must_use]
pub fn spanning_forests(grid: &Grid) -> SpanningForests {
    SpanningForests::forests(grid)
}

/// Sets of edges without circles: what [`spanning_trees()`] and
/// [`spanning_forests()`](super::spanning_forests()) give.
///
/// The label of a cell says which edges it has to the cells swept before it: up and to the left.
/// Cells are [`Grid::raster_position`].
///
/// States are [`Labels`] of `BITS` bits in a word `W`. By default, 14 cells along the shorter side
/// fit; `SpanningForests::<u128, 5>` takes 25.
#[derive(Clone, Debug)]
pub struct SpanningForests<W: Word = u64, const BITS: u32 = 4> {
    scan: Scan,
    /// Of trees, the cell after which nothing happens any more.
    last: Option<usize>,
    is_tree: bool,
    word: std::marker::PhantomData<W>,
}

impl<W: Word, const BITS: u32> SpanningForests<W, BITS> {
    /// Spanning trees: see [`spanning_trees()`].
    #[must_use]
    pub fn trees(grid: &Grid) -> Self {
        Self::new(grid, true)
    }

    /// Spanning forests: see [`spanning_forests()`](super::spanning_forests()).
    #[must_use]
    pub fn forests(grid: &Grid) -> Self {
        Self::new(grid, false)
    }

    fn new(grid: &Grid, is_tree: bool) -> Self {
        let scan = Scan::new(grid);
        SpanningForests { last: scan.last_free(), scan, is_tree, word: std::marker::PhantomData }
    }

    /// The board.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.scan.grid()
    }

    /// A tree or a forest given by the labels of all cells, to be drawn.
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

    /// What is left when the cell at a place of the contour goes; `None` if that cuts off a
    /// component.
    #[inline]
    fn leave(&self, labels: Labels<W, BITS>, place: usize) -> Option<Labels<W, BITS>> {
        if labels.get(place) == 0 {
            return Some(labels);
        }
        match labels.close(place) {
            Joined::Whole(_) if self.is_tree => None,
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
        // The last component need not be reached again; so it is left on the contour.
        if self.is_tree && Some(cell) > self.last {
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
}
