//! Loops that visit every free cell: the Formula 1 problem (Ural 1519).

use super::{Grid, Strands};
use crate::plug::motzkin::{CellRule, Closing};

/// Loops that visit every free cell of a board once (undirected: a loop counts once).
///
/// Every free cell must be visited, and none may close a loop but the last free one: a loop that
/// closes before cannot visit that one. (Chen Danqi, 2008; as *Hamiltonian circuits*, with words of
/// parentheses: Jacobsen, 2007.)
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, hamiltonian_cycles};
///
/// let grid: Grid = "**..\n....\n....\n....\n".parse()?;
/// assert_eq!(Sweep::new(&hamiltonian_cycles(&grid)).count().exact(), Some(2));
///
/// let empty = Grid::new(6, 6)?;
/// assert_eq!(Sweep::new(&hamiltonian_cycles(&empty)).count().exact(), Some(1072));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn hamiltonian_cycles(grid: &Grid) -> Strands {
    let is_free = |cell| {
        let (row, column) = grid.position(cell);
        grid.is_free(row, column)
    };
    let last = (0..grid.cells()).rev().find(|&cell| is_free(cell));
    Strands::loops(grid, true, |cell, rule| CellRule {
        closing: if Some(cell) == last { Closing::Last } else { Closing::Never },
        ..rule
    })
}
