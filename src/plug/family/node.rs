//! Nodes of diagrams, and their numbers.

use crate::limits::Stop;
use crate::memory::grown;

/// The family without sets. Numbers from 2 on stand for nodes.
pub(super) const EMPTY: u32 = 0;
/// The family whose only set is the empty set.
pub(super) const UNIT: u32 = 1;
/// The number of the first node.
pub(super) const FIRST: u32 = 2;

/// The element of a family without a node: larger than all others.
pub(super) const NO_ELEMENT: u32 = u32::MAX;

/// The number of small steps between two checks of the clock.
pub(super) const POLL: usize = 1 << 12;

/// A family: the sets of `lo`, and those of `hi` with `element` added. All elements of both are
/// larger, and `hi` is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) element: u32,
    pub(super) lo: u32,
    pub(super) hi: u32,
}

/// Returns the node of this number; `node` returns the node at an index. A number without a node
/// has no element.
#[inline]
pub(super) fn node_at(number: u32, node: impl FnOnce(usize) -> Node) -> Node {
    let no_node = Node { element: NO_ELEMENT, lo: number, hi: EMPTY };
    number.checked_sub(FIRST).map_or(no_node, |index| node(index as usize))
}

/// Makes room for one more item of a collection, if `used` bytes, its own included, leave room for
/// it in `max_bytes`. Returns the bytes that were added.
pub(super) fn reserve_one<T>(
    items: &mut Vec<T>,
    used: usize,
    max_bytes: usize,
) -> Result<usize, Stop> {
    let (length, capacity) = (items.len(), items.capacity());
    if length < capacity {
        return Ok(0);
    }
    let grown = grown::<T>(length, used, max_bytes).ok_or(Stop::MemoryLimit)?;
    items.try_reserve_exact(grown - length).map_err(|_| Stop::MemoryLimit)?;
    Ok((items.capacity() - capacity) * size_of::<T>())
}
