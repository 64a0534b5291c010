//! A brancher with another choice of items than the fewest options: [`ItemOrder`].

use std::fmt;
use std::hash::Hash;

use super::{Cover, CoverCursor, CoverState};
use crate::brancher::Brancher;
use crate::digest::Digest;
use crate::hook::{HookMemory, Node};
use crate::problem::{Branch, Problem};

/// A brancher that branches on the first item with the smallest key.
///
/// A cover branches on the item with the fewest options left, which is the order to use. This
/// brancher is for experiments with other orders, and for measuring the benefit of the default. All
/// orders find the same solutions.
///
/// At each node, the key is computed for every primary item that is not covered, from the cover,
/// the state and the number of the item. It must depend on nothing else.
///
/// ```
/// use secateurs::Search;
/// use secateurs::cover::{Cover, CoverState, ItemOrder};
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(8)?.cover();
/// let cover = queens.cover();
/// let smallest = Search::new(cover).count();
/// let input_order = ItemOrder::by(|_: &Cover, _: &CoverState, item| item);
/// let in_order = Search::new(cover).brancher(input_order).count();
/// assert_eq!((smallest.exact(), in_order.exact()), (Some(92), Some(92)));
/// assert!(smallest.report().nodes() < in_order.report().nodes());
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ItemOrder<F> {
    key: F,
    parameters: Option<Digest>,
}

impl<F> ItemOrder<F> {
    /// Creates a brancher that branches on the item for which `key(cover, state, item)` is
    /// smallest.
    #[must_use]
    pub fn by<K: Ord>(key: F) -> Self
    where
        F: Fn(&Cover, &CoverState, usize) -> K,
    {
        ItemOrder { parameters: Digest::of_unit(&key), key }
    }

    /// Sets the data that the key captures: see [`Brancher::parameters`]. A key that captures
    /// nothing needs no parameters.
    #[must_use]
    pub fn parameters(mut self, data: &(impl Hash + ?Sized)) -> Self {
        self.parameters = Some(Digest::of(data));
        self
    }
}

impl<K: Ord, F: Fn(&Cover, &CoverState, usize) -> K> Brancher<Cover> for ItemOrder<F> {
    type Cursor = CoverCursor;

    fn parameters(&self) -> Option<Digest> {
        self.parameters
    }

    fn branch(&mut self, node: &Node<'_, Cover>) -> Branch<CoverCursor> {
        let (cover, state) = (node.problem(), node.state());
        if state.is_dead() {
            return Branch::DeadEnd;
        }
        let items = (0..cover.items()).filter(|&item| cover.size(state, item).is_some());
        match items.min_by_key(|&item| (self.key)(cover, state, item)) {
            Some(item) => Branch::Inner(cover.children(cover.tables.slots[item] as usize)),
            None => Branch::Solution,
        }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, Cover>, cursor: &mut CoverCursor) -> Option<usize> {
        node.problem().next(node.state(), cursor)
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }
}

impl<F> fmt::Debug for ItemOrder<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemOrder").finish_non_exhaustive()
    }
}
