//! Any number of loops that together visit every free cell: "Eat the Trees".

use super::{Grid, Strands};
use crate::plug::motzkin::{CellRule, Closing};

/// Sets of loops that together visit every free cell once. (The problem is known as *Eat the
/// Trees*, HDU 1693.) A board without a free cell has one such set, the empty one.
///
/// Every free cell must be visited, and any cell may close a loop. How many loops there are does
/// not matter, so bit masks would do for states, and there are fewer of them; parentheses are a
/// model for the next step, counting the loops.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Grid, two_factors};
///
/// let factors = two_factors(&Grid::new(4, 4)?);
/// assert_eq!(Sweep::new(&factors).count().exact(), Some(18));
/// # Ok::<(), secateurs::problems::catalogue::GridError>(())
/// ```
#[must_use]
pub fn two_factors(grid: &Grid) -> Strands {
    Strands::loops(grid, false, |_, rule| CellRule { closing: Closing::Any, ..rule })
}
