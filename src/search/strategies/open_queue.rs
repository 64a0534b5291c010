//! Open nodes in the order of their bounds: [`Ranked`], and a queue of them, [`OpenQueue`].

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::node_arena::{NodeArena, ROOT};
use crate::incumbent::Direction;
use crate::limits::Stop;
use crate::memory::grown;

/// An open node, or a group of them. The greater of two is expanded first: the one with the better
/// bound, then the deeper one, then the one that was opened first.
pub(super) struct Ranked<V, T> {
    pub(super) bound: V,
    pub(super) direction: Direction,
    pub(super) depth: usize,
    /// The number of nodes opened before it.
    pub(super) serial: u64,
    pub(super) item: T,
}

impl<V: Ord, T> Ord for Ranked<V, T> {
    fn cmp(&self, other: &Self) -> Ordering {
        let bounds = self.direction.compare(&self.bound, &other.bound);
        let depths = self.depth.cmp(&other.depth);
        bounds.then(depths).then_with(|| other.serial.cmp(&self.serial))
    }
}

impl<V: Ord, T> PartialOrd for Ranked<V, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<V: Ord, T> PartialEq for Ranked<V, T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<V: Ord, T> Eq for Ranked<V, T> {}

/// An open node in the arena, or the first one of a [list](NodeArena::link): twice its id, plus 1
/// if it is barren.
///
/// It can change in the heap, because the order does not depend on it.
pub(super) struct OpenNode(Cell<usize>);

impl OpenNode {
    pub(super) fn new(id: usize, barren: bool) -> Self {
        OpenNode(Cell::new(id << 1 | usize::from(barren)))
    }

    pub(super) fn id(&self) -> usize {
        self.0.get() >> 1
    }

    /// Returns whether the node was no solution when it was entered, like all of its list. It
    /// becomes a dead end if none of its children is kept.
    pub(super) fn is_barren(&self) -> bool {
        self.0.get() & 1 != 0
    }
}

/// A group to which nodes may still be added.
struct Recent<V> {
    bound: V,
    depth: usize,
    barren: bool,
    /// The last node of its list.
    last: usize,
}

/// A priority queue of open nodes.
///
/// Nodes of equal bound and depth leave the queue in the order in which they have entered it, so
/// they form *groups*: lists through the arena. Only groups are in the heap. Of each bound and
/// depth, nodes are added to the group that was created last, if it is among the few recent ones;
/// otherwise they form a new one. The order is therefore the same whatever groups there are.
pub(super) struct OpenQueue<V> {
    groups: BinaryHeap<Ranked<V, OpenNode>>,
    /// Recent groups, in sets of [`WAYS`] groups whose depths are equal modulo [`SETS`].
    recent: [Option<Recent<V>>; SETS * WAYS],
    pub(super) len: usize,
}

const SETS: usize = 16;
const WAYS: usize = 4;

impl<V: Ord + Clone> OpenQueue<V> {
    pub(super) fn new() -> Self {
        OpenQueue { groups: BinaryHeap::new(), recent: [const { None }; SETS * WAYS], len: 0 }
    }

    /// Returns the bytes that the queue uses.
    pub(super) fn bytes(&self) -> usize {
        self.groups.capacity() * size_of::<Ranked<V, OpenNode>>()
    }

    /// Reserves memory for one more node, if the memory limit allows that. The whole walk uses
    /// `used` bytes.
    pub(super) fn make_room(&mut self, used: usize, max_bytes: usize) -> Result<(), Stop> {
        if self.has_room() {
            return Ok(());
        }
        let len = self.groups.len();
        let capacity =
            grown::<Ranked<V, OpenNode>>(len, used, max_bytes).ok_or(Stop::MemoryLimit)?;
        self.groups.try_reserve_exact(capacity - len).map_err(|_| Stop::MemoryLimit)
    }

    /// Returns whether there is memory for one more node.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.groups.len() < self.groups.capacity()
    }

    /// Adds a node, which must have no children and one reference.
    #[inline]
    pub(super) fn push<C>(&mut self, arena: &mut NodeArena<C>, node: Ranked<V, OpenNode>) {
        self.len += 1;
        let (id, barren) = (node.item.id(), node.item.is_barren());
        let set = &mut self.recent[node.depth % SETS * WAYS..][..WAYS];
        let is_same =
            |group: &Recent<V>| group.depth == node.depth && group.bound.cmp(&node.bound).is_eq();
        let place = set.iter().position(|group| group.as_ref().is_some_and(is_same));
        let place = place.or_else(|| set.iter().position(Option::is_none));
        match &mut set[place.unwrap_or(node.serial as usize % WAYS)] {
            Some(group) if group.barren == barren && is_same(group) => {
                arena.link(group.last, id);
                group.last = id;
            }
            // Nodes are never added again to a group that is not here, so a later group of the same
            // bound and depth has later nodes only.
            other => {
                let (bound, depth) = (node.bound.clone(), node.depth);
                *other = Some(Recent { bound, depth, barren, last: id });
                arena.link(ROOT, id);
                self.groups.push(node);
            }
        }
    }

    /// Returns the next node, with its bound and its depth.
    #[inline]
    pub(super) fn peek(&self) -> Option<&Ranked<V, OpenNode>> {
        self.groups.peek()
    }

    /// Removes the next node.
    #[inline]
    pub(super) fn pop<C>(&mut self, arena: &mut NodeArena<C>) {
        let Some(group) = self.groups.peek() else { return };
        self.len -= 1;
        let (id, depth) = (group.item.id(), group.depth);
        let next = arena.unlink(id);
        group.item.0.set(OpenNode::new(next, group.item.is_barren()).0.get());
        if next == ROOT {
            self.groups.pop();
            let set = &mut self.recent[depth % SETS * WAYS..][..WAYS];
            let is_last = |group: &Recent<V>| group.last == id;
            if let Some(recent) = set.iter_mut().find(|group| group.as_ref().is_some_and(is_last)) {
                *recent = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random pushes and pops, with few and with many different bounds.
    #[test]
    fn nodes_leave_the_queue_in_the_order_of_a_list_that_is_sorted() {
        for seed in 0..200 {
            let mut random = fastrand::Rng::with_seed(seed);
            let (bounds, depths) = (random.u32(1..40), random.usize(1..40));
            let direction = [Direction::Maximise, Direction::Minimise][seed as usize % 2];
            let (mut queue, mut arena) = (OpenQueue::new(), NodeArena::new());
            let mut sorted: Vec<Ranked<u32, OpenNode>> = Vec::new();
            let mut most = 0;
            for serial in 0..1000 {
                if random.u8(..5) < 3 {
                    let id = arena.push(ROOT, ());
                    let (bound, depth) = (random.u32(..bounds), random.usize(..depths));
                    let barren = random.u8(..8) > 0;
                    let node = || Ranked {
                        bound,
                        direction,
                        depth,
                        serial,
                        item: OpenNode::new(id, barren),
                    };
                    queue.push(&mut arena, node());
                    sorted.push(node());
                    sorted.sort();
                } else {
                    let seen = |open: &Ranked<u32, OpenNode>| {
                        (open.bound, open.depth, open.item.id(), open.item.is_barren())
                    };
                    let next = queue.peek().map(seen);
                    queue.pop(&mut arena);
                    assert_eq!(next, sorted.pop().as_ref().map(seen), "seed {seed}");
                    if let Some((.., id, _)) = next {
                        arena.release(id);
                    }
                }
                assert_eq!(queue.len, sorted.len());
                most = most.max(queue.len);
            }
            assert!(arena.slots() <= most, "removed nodes have one reference");
        }
    }
}
