//! Matchings: dominoes that need not cover the board.

use super::{Dimers, Grid};

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
/// # Ok::<(), secateurs::problems::catalogue::GridError>(())
/// ```
#[must_use]
pub fn monomer_dimer(grid: &Grid) -> Dimers {
    Dimers::new(grid, true)
}
