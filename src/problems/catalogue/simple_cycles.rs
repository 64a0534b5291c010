//! Loops that visit some of the free cells.

use super::{Grid, Strands};
use crate::plug::motzkin::{CellRule, Closing};

/// Loops that visit any of the free cells of a board, each at most once (undirected; OEIS A140517,
/// by edges).
///
/// A cell may be left out, and any cell may close a loop if it is the only one: all cells to come
/// are left out then.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, simple_cycles};
///
/// let cycles = simple_cycles(&Grid::new(4, 4)?);
/// assert_eq!(Sweep::new(&cycles).count().exact(), Some(213));
/// # Ok::<(), secateurs::problems::catalogue::GridError>(())
/// ```
#[must_use]
pub fn simple_cycles(grid: &Grid) -> Strands {
    Strands::loops(grid, true, |_, rule| CellRule { skip: true, closing: Closing::Last, ..rule })
}
