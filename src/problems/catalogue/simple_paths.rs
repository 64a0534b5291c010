//! Paths between opposite corners that visit some of the free cells.

use super::{Grid, Strands};

/// Paths from the top left corner to the bottom right one that visit any of the free cells, each at
/// most once (OEIS A007764). On a board of one cell there is one, unless it is an obstacle.
///
/// The path comes into the board at the start, as a loose end: a `(` whose mate is beyond the end
/// of the word. All other cells may be left out, and no loop may close.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, simple_paths};
///
/// let paths = simple_paths(&Grid::new(8, 8)?);
/// assert_eq!(Sweep::new(&paths).count().exact(), Some(789_360_053_252));
/// # Ok::<(), secateurs::problems::catalogue::GridError>(())
/// ```
#[must_use]
pub fn simple_paths(grid: &Grid) -> Strands {
    Strands::corner_to_corner(grid, true)
}
