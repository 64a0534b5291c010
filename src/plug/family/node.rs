//! Nodes of diagrams, and their numbers.

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
