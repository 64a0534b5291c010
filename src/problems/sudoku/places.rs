//! Where the numbers of a unit go: what the all-different constraint of a full unit says besides.

use crate::csp::{Domains, Propagator, PropagatorScratch, Variable, Wipeout};

/// Each number from 1 to the number of cells stands in at least one of them.
///
/// Beside an all-different constraint this is redundant, but a propagator of its own: where a
/// number has one place left, it goes there though the cell may have other candidates (a *hidden
/// single*). All-different pair by pair does not see this.
#[derive(Debug)]
pub(super) struct Places {
    cells: Vec<Variable>,
}

impl Places {
    /// At most 64 cells.
    pub(super) fn new(cells: Vec<Variable>) -> Self {
        Places { cells }
    }

    /// The bits of all numbers.
    fn all(&self) -> u64 {
        match self.cells.len() {
            0 => 0,
            side => u64::MAX >> (64 - side),
        }
    }
}

impl Propagator for Places {
    fn name(&self) -> &str {
        "places"
    }

    fn scope(&self) -> &[Variable] {
        &self.cells
    }

    fn holds(&self, values: &[i32]) -> bool {
        let taken = values
            .iter()
            .filter(|&&value| (1..=64).contains(&value))
            .fold(0, |taken, &v| taken | 1 << (v - 1));
        taken & self.all() == self.all()
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Result<(), Wipeout> {
        let (mut once, mut twice, mut open) = (0, 0, 0);
        for &cell in &self.cells {
            let numbers = domains.mask_from(cell, 1);
            twice |= once & numbers;
            once |= numbers;
            open |= if numbers & numbers.wrapping_sub(1) == 0 { 0 } else { numbers };
        }
        if let Some(&cell) = self.cells.first().filter(|_| once & self.all() != self.all()) {
            return Err(Wipeout(cell));
        }
        // What has one place, in a cell that has other candidates.
        let hidden = once & !twice & open & self.all();
        if hidden == 0 {
            return Ok(());
        }
        for &cell in &self.cells {
            let own = domains.mask_from(cell, 1) & hidden;
            if own != 0 {
                if own & (own - 1) != 0 {
                    return Err(Wipeout(cell));
                }
                domains.assign(cell, own.trailing_zeros() as i32 + 1)?;
            }
        }
        Ok(())
    }
}
