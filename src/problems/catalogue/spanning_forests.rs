//! Spanning forests: sets of edges without circles.

use super::{Grid, SpanningForests};

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
/// # Ok::<(), secateurs::problems::catalogue::GridError>(())
/// ```
#[must_use]
pub fn spanning_forests(grid: &Grid) -> SpanningForests {
    SpanningForests::forests(grid)
}
