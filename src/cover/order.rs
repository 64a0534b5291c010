//! Another item to branch on than the smallest: [`ItemOrder`].

use std::fmt;
use std::hash::Hash;

use super::{Cover, CoverCursor, CoverState};
use crate::brancher::Brancher;
use crate::digest::Digest;
use crate::hook::Node;
use crate::problem::{Branch, Problem};

/// A brancher that branches on the item with the smallest key, the first one of these.
///
/// The cover itself branches on the item with the fewest options left, which is the order to use;
/// this one is for trying others, and for finding out what that order is worth. Any order gives the
/// same solutions.
///
/// The key is computed of every primary item that is not covered, at each node, from the cover, the
/// state and the number of the item, and must depend on nothing else.
///
/// ```
/// use secateurs::Search;
/// use secateurs::cover::{Cover, CoverState, ItemOrder};
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(8)?.cover();
/// let cover = queens.cover();
/// let smallest = Search::new(cover).count();
/// let in_order = Search::new(cover).brancher(ItemOrder::by(|_: &Cover, _: &CoverState, item| item)).count();
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
    /// Branches on the item for which `key(cover, state, item)` is smallest.
    #[must_use]
    pub fn by<K: Ord>(key: F) -> Self
    where
        F: Fn(&Cover, &CoverState, usize) -> K,
    {
        ItemOrder { parameters: Digest::of_unit(&key), key }
    }

    /// States the data that the key has captured: see [`Brancher::parameters`]. Keys that
    /// capture nothing have no parameters.
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

    fn follows_path(&self) -> bool {
        false
    }
}

impl<F> fmt::Debug for ItemOrder<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemOrder").finish_non_exhaustive()
    }
}
