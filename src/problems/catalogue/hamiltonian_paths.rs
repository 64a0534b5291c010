//! Paths between opposite corners that visit every free cell.

use super::{Grid, Strands};

/// Paths from the top left corner to the bottom right one that visit every free cell once (OEIS
/// A001184, of odd boards).
///
/// The same as [`simple_paths`](super::simple_paths()), but that no free cell may be left out.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, hamiltonian_paths};
///
/// let paths = hamiltonian_paths(&Grid::new(7, 7)?);
/// assert_eq!(Sweep::new(&paths).count().exact(), Some(111_712));
/// # Ok::<(), secateurs::problems::catalogue::GridError>(())
/// ```
#[must_use]
pub fn hamiltonian_paths(grid: &Grid) -> Strands {
    Strands::corner_to_corner(grid, false)
}
