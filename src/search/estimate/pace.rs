//! How far probes may go before somebody looks at the clock.

use crate::limits::Stop;
use crate::search::meter::Meter;

/// So many choices are drawn before somebody looks at the clock.
pub(super) const PORTION: u32 = 4096;

/// Fuel for nodes that are entered, and patience with all else.
pub(super) struct Pace {
    fuel: u64,
    /// All the fuel that there has been.
    granted: u64,
    pub(super) patience: u32,
}

impl Pace {
    pub(super) fn new() -> Self {
        Pace { fuel: 0, granted: 0, patience: PORTION }
    }

    /// Nodes entered so far.
    pub(super) fn visited(&self) -> u64 {
        self.granted - self.fuel
    }

    /// Takes fuel for one more node.
    #[inline]
    pub(super) fn burn(&mut self, meter: &mut Meter<'_>, depth: usize) -> Result<(), Stop> {
        if self.fuel == 0 {
            self.fuel = meter.refuel(0, depth)?;
            self.granted = self.granted.saturating_add(self.fuel);
        }
        self.fuel -= 1;
        Ok(())
    }

    /// Something has been done that takes no fuel.
    #[inline]
    pub(super) fn tick(&mut self, meter: &mut Meter<'_>, depth: usize) -> Result<(), Stop> {
        self.patience -= 1;
        if self.patience == 0 { self.look(meter, depth) } else { Ok(()) }
    }

    #[cold]
    pub(super) fn look(&mut self, meter: &mut Meter<'_>, depth: usize) -> Result<(), Stop> {
        self.patience = PORTION;
        meter.look(self.fuel, 0, depth)
    }
}
