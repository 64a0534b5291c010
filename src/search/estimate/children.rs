//! The children of a node, of which one is drawn at random.

use super::pace::{PORTION, Pace};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::limits::Stop;
use crate::problem::Problem;
use crate::search::tree::SearchTree;

/// The admitted children of a node. The buffer is used again for the next node, and holds a
/// [`PORTION`] at most.
///
/// Of a node with more children than that, one is kept of those that have been drawn so far, each
/// with the same probability (Vitter 1985, by portions), so that no node takes more memory than
/// another.
pub(super) struct Children<C> {
    buffer: Vec<C>,
    /// One of those drawn before the buffer was emptied, and how many they were.
    earlier: Option<(C, u64)>,
}

impl<C> Children<C> {
    pub(super) fn new() -> Self {
        Children { buffer: Vec::new(), earlier: None }
    }

    /// Forgets all.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.buffer.clear();
        self.earlier = None;
    }

    /// Draws the children of `node` from `cursor`, and keeps those that the hooks admit.
    #[inline]
    pub(super) fn draw<P, B, H>(
        &mut self,
        tree: &mut SearchTree<'_, P, B, H>,
        node: &Node<'_, P>,
        mut cursor: B::Cursor,
        random: &mut fastrand::Rng,
        pace: &mut Pace,
    ) -> Result<(), Stop>
    where
        P: Problem<Choice = C>,
        B: Brancher<P>,
        H: Hooks<P>,
    {
        self.clear();
        let mut patience = pace.patience;
        while let Some(choice) = tree.brancher.next(node, &mut cursor) {
            if tree.hooks.admit(node, &choice).is_none() {
                self.buffer.push(choice);
            }
            patience -= 1;
            if patience == 0 {
                self.empty(random);
                pace.look(&mut tree.meter, node.depth())?;
                patience = PORTION;
            }
        }
        pace.patience = patience;
        if self.earlier.is_some() {
            self.empty(random);
        }
        Ok(())
    }

    /// The buffer, if all that were drawn are in it.
    pub(super) fn complete(&mut self) -> Option<&mut Vec<C>> {
        self.earlier.is_none().then_some(&mut self.buffer)
    }

    /// Takes one out, each with the same probability; it comes with the number of those that there
    /// were.
    #[inline]
    pub(super) fn pick(&mut self, random: &mut fastrand::Rng) -> Option<(C, u64)> {
        if self.earlier.is_some() {
            return self.earlier.take();
        }
        let count = self.buffer.len();
        (count > 0).then(|| (self.buffer.swap_remove(random.usize(..count)), count as u64))
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
