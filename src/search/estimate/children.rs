//! The children of a node, of which one is drawn at random.

use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::limits::Stop;
use crate::problem::Problem;
use crate::search::meter::Meter;
use crate::search::tree::Tree;

/// After so many choices somebody looks at the clock, and no more children than this are kept at a time.
const PORTION: u32 = 4096;

/// The admitted children of a node. The buffer is used again for the next node.
///
/// Of a node with more children than the buffer holds, one is kept of those that have been drawn so far, each with the same
/// probability (Vitter 1985, by portions), so that no node takes more memory than another.
pub(super) struct Children<C> {
    buffer: Vec<C>,
    /// One of those drawn before the buffer was emptied, and how many they were.
    earlier: Option<(C, u64)>,
    patience: u32,
}

impl<C> Default for Children<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C> Children<C> {
    pub(super) fn new() -> Self {
        Children { buffer: Vec::new(), earlier: None, patience: PORTION }
    }

    /// Draws the children of `node` from `cursor`, and keeps those that the hooks admit.
    #[inline]
    pub(super) fn draw<P, B, H>(
        &mut self,
        tree: &mut Tree<'_, P, B, H>,
        node: &Node<'_, P>,
        mut cursor: B::Cursor,
        random: &mut fastrand::Rng,
        fuel: u64,
    ) -> Result<(), Stop>
    where
        P: Problem<Choice = C>,
        B: Brancher<P>,
        H: Hooks<P>,
    {
        self.buffer.clear();
        self.earlier = None;
        let mut patience = self.patience;
        while let Some(choice) = tree.brancher.next(node, &mut cursor) {
            if tree.hooks.admit(node, &choice).is_none() {
                self.buffer.push(choice);
            }
            patience -= 1;
            if patience == 0 {
                self.empty(random);
                self.look(&mut tree.meter, fuel, node.depth())?;
                patience = PORTION;
            }
        }
        self.patience = patience;
        if self.earlier.is_some() {
            self.empty(random);
        }
        Ok(())
    }

    /// Whether all that were drawn are in the buffer.
    pub(super) fn is_complete(&self) -> bool {
        self.earlier.is_none()
    }

    /// Takes one out, each with the same probability; it comes with the number of those that there were.
    #[inline]
    pub(super) fn pick(&mut self, random: &mut fastrand::Rng) -> Option<(C, u64)> {
        if self.earlier.is_some() {
            return self.earlier.take();
        }
        let count = self.buffer.len();
        (count > 0).then(|| (self.buffer.swap_remove(random.usize(..count)), count as u64))
    }

    /// Puts one back that was taken out.
    #[inline]
    pub(super) fn put_back(&mut self, choice: C) {
        self.buffer.push(choice);
    }

    /// Something has been done that no child was drawn for.
    #[inline]
    pub(super) fn tick(&mut self, meter: &mut Meter<'_>, fuel: u64) -> Result<(), Stop> {
        self.patience -= 1;
        if self.patience == 0 { self.look(meter, fuel, 0) } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self, meter: &mut Meter<'_>, fuel: u64, depth: usize) -> Result<(), Stop> {
        self.patience = PORTION;
        meter.look(fuel, 0, depth)
    }

    /// Keeps one of the children, in the buffer and before, in place of all.
    #[cold]
    fn empty(&mut self, random: &mut fastrand::Rng) {
        let portion = self.buffer.len() as u64;
        if portion == 0 {
            return;
        }
        let one = self.buffer.swap_remove(random.usize(..self.buffer.len()));
        self.buffer.clear();
        self.earlier = Some(match self.earlier.take() {
            Some((kept, count)) if random.u64(..count + portion) < count => (kept, count + portion),
            Some((_, count)) => (one, count + portion),
            None => (one, portion),
        });
    }
}
