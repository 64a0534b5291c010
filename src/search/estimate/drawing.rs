//! Drawing children at random, under limits.

use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::limits::Stop;
use crate::problem::Problem;
use crate::search::meter::Meter;
use crate::search::tree::SearchTree;

/// The number of choices that are drawn between two checks of the clock.
pub(super) const PORTION: u32 = 4096;

/// Counts the work of probes: fuel for entered nodes, patience for all other steps. Both lead to a
/// check of the clock when they are used up.
pub(super) struct ProbeMeter {
    fuel: u64,
    /// All fuel granted so far.
    granted: u64,
    pub(super) patience: u32,
}

impl ProbeMeter {
    pub(super) fn new() -> Self {
        ProbeMeter { fuel: 0, granted: 0, patience: PORTION }
    }

    /// Returns the number of nodes entered so far.
    pub(super) fn visited(&self) -> u64 {
        self.granted - self.fuel
    }

    /// Takes fuel for one more node.
    #[inline]
    pub(super) fn take_fuel(&mut self, meter: &mut Meter<'_>, depth: usize) -> Result<(), Stop> {
        if self.fuel == 0 {
            self.fuel = meter.refuel(0, depth)?;
            self.granted = self.granted.saturating_add(self.fuel);
        }
        meter.answer_alarm(self.fuel, 0, depth)?;
        self.fuel -= 1;
        Ok(())
    }

    /// Counts a step that takes no fuel.
    #[inline]
    pub(super) fn count_step(&mut self, meter: &mut Meter<'_>, depth: usize) -> Result<(), Stop> {
        self.patience -= 1;
        if self.patience == 0 { self.check_clock(meter, depth) } else { Ok(()) }
    }

    /// Checks the clock, the cancel switch and the progress callback.
    #[cold]
    pub(super) fn check_clock(&mut self, meter: &mut Meter<'_>, depth: usize) -> Result<(), Stop> {
        self.patience = PORTION;
        meter.check_clock(self.fuel, 0, depth)
    }
}

/// The admitted children of a node. The buffer is reused for the next node, and holds at most one
/// [`PORTION`].
///
/// When the patience of the [`ProbeMeter`] is used up, only one of the children drawn so far is
/// kept, each with the same probability (reservoir sampling, Vitter 1985, by portions). Memory is
/// therefore bounded for every node.
pub(super) struct Children<C> {
    buffer: Vec<C>,
    /// The sample of the children drawn before the buffer was last emptied, and their number.
    sampled: Option<(C, u64)>,
}

impl<C> Children<C> {
    pub(super) fn new() -> Self {
        Children { buffer: Vec::new(), sampled: None }
    }

    /// Removes all children.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.buffer.clear();
        self.sampled = None;
    }

    /// Draws the children of `node` from `cursor`, and keeps those that the hooks admit.
    #[inline]
    pub(super) fn draw<P: Problem<Choice = C>, B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        node: &Node<'_, P>,
        mut cursor: B::Cursor,
        random: &mut fastrand::Rng,
        probe_meter: &mut ProbeMeter,
    ) -> Result<(), Stop> {
        self.clear();
        let mut patience = probe_meter.patience;
        while let Some(choice) = tree.brancher.next(node, &mut cursor) {
            match tree.hooks.admit_near_root(node, &choice) {
                None => self.buffer.push(choice),
                Some(cut) if cut.siblings => break,
                Some(_) => {}
            }
            patience -= 1;
            if patience == 0 {
                self.reduce(random);
                probe_meter.check_clock(&mut tree.meter, node.depth())?;
                patience = PORTION;
            }
        }
        probe_meter.patience = patience;
        if self.sampled.is_some() {
            self.reduce(random);
        }
        Ok(())
    }

    /// Returns the buffer if it has all children that were drawn.
    pub(super) fn complete(&mut self) -> Option<&mut Vec<C>> {
        self.sampled.is_none().then_some(&mut self.buffer)
    }

    /// Takes one of the children, each with the same probability. Returns it with their number.
    #[inline]
    pub(super) fn pick(&mut self, random: &mut fastrand::Rng) -> Option<(C, u64)> {
        if self.sampled.is_some() {
            return self.sampled.take();
        }
        let count = self.buffer.len();
        (count > 0).then(|| (self.buffer.swap_remove(random.usize(..count)), count as u64))
    }

    /// Replaces the children in the buffer and the earlier sample by a sample of both.
    #[cold]
    fn reduce(&mut self, random: &mut fastrand::Rng) {
        let portion = self.buffer.len() as u64;
        if portion == 0 {
            return;
        }
        let one = self.buffer.swap_remove(random.usize(..self.buffer.len()));
        self.buffer.clear();
        self.sampled = Some(match self.sampled.take() {
            Some((kept, count)) if random.u64(..count + portion) < count => (kept, count + portion),
            Some((_, count)) => (one, count + portion),
            None => (one, portion),
        });
    }
}
