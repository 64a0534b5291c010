//! The visited part of the tree of a non-contiguous walk: each node as its parent and the choice
//! that leads to it.
//!
//! A node is kept while it is referenced: by the walk, while it is open, or by a child. Open nodes
//! share their ancestors. A node without references is freed, and its slot is reused.

use std::cell::OnceCell;
use std::mem;

use crate::hook::Steps;
use crate::limits::Stop;
use crate::memory::grown;

/// The id of the root, which has no slot: the ids of other nodes begin at 1.
pub(crate) const ROOT: usize = 0;

/// A slot of the arena.
struct Slot<C> {
    /// The parent; in a free slot, the id of the next free one, or [`ROOT`] if there is none.
    parent: usize,
    /// The number of children in the arena, plus one while the walk needs the node; in a node of a
    /// [list](NodeArena::link), the id of the next one, or [`ROOT`] if there is none.
    references: usize,
    /// `None` if the slot is free.
    choice: Option<C>,
}

/// An arena of reference-counted nodes.
pub(crate) struct NodeArena<C> {
    slots: Vec<Slot<C>>,
    /// The id of the first free slot, or [`ROOT`] if there is none.
    free: usize,
}

impl<C> NodeArena<C> {
    pub(crate) fn new() -> Self {
        NodeArena { slots: Vec::new(), free: ROOT }
    }

    /// Returns whether there is memory for one more node, beside a last slot: a node for which
    /// there is no memory is stored to get its path, which must not double the arena.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.free != ROOT || self.slots.len() + 1 < self.slots.capacity()
    }

    /// Reserves memory for one more node, if the memory limit allows that. The whole walk uses
    /// `used` bytes, including those of the arena.
    pub(crate) fn make_room(&mut self, used: usize, max_bytes: usize) -> Result<(), Stop> {
        if self.has_room() {
            return Ok(());
        }
        let len = self.slots.len();
        let capacity = grown::<Slot<C>>(len, used, max_bytes).ok_or(Stop::MemoryLimit)?;
        self.slots.try_reserve_exact(capacity - len).map_err(|_| Stop::MemoryLimit)
    }

    /// Returns the bytes that the arena uses.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<C>>()
    }

    /// Stores a child of `parent` with one reference, and returns its id.
    pub(crate) fn push(&mut self, parent: usize, choice: C) -> usize {
        self.retain(parent);
        let node = Slot { parent, references: 1, choice: Some(choice) };
        if self.free == ROOT {
            self.slots.push(node);
            return self.slots.len();
        }
        let id = self.free;
        let slot = &mut self.slots[id - 1];
        self.free = slot.parent;
        *slot = node;
        id
    }

    /// Adds a reference to a node.
    pub(crate) fn retain(&mut self, id: usize) {
        if id != ROOT {
            self.slots[id - 1].references += 1;
        }
    }

    /// Removes a reference from a node. If it was the last one, frees the node and removes its
    /// reference to its parent.
    pub(crate) fn release(&mut self, mut id: usize) {
        while id != ROOT {
            let slot = &mut self.slots[id - 1];
            slot.references -= 1;
            if slot.references > 0 {
                return;
            }
            slot.choice = None;
            let parent = mem::replace(&mut slot.parent, self.free);
            self.free = id;
            id = parent;
        }
    }

    /// Appends a node to a list whose last node is `last`, or begins a list with it if `last` is
    /// [`ROOT`]. The node must have one reference and no children until it is
    /// [removed](Self::unlink), so that the list needs no memory of its own.
    pub(crate) fn link(&mut self, last: usize, id: usize) {
        if id != ROOT {
            self.slots[id - 1].references = ROOT;
        }
        if last != ROOT {
            self.slots[last - 1].references = id;
        }
    }

    /// Removes the first node from a list. Returns the id of the next one, or [`ROOT`] if there is
    /// none.
    pub(crate) fn unlink(&mut self, id: usize) -> usize {
        if id == ROOT { ROOT } else { mem::replace(&mut self.slots[id - 1].references, 1) }
    }

    /// Frees all nodes but the root.
    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.free = ROOT;
    }

    /// Returns the number of slots.
    #[cfg(test)]
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Returns the parent of a node other than the root.
    #[inline]
    pub(crate) fn parent(&self, id: usize) -> usize {
        self.slots[id - 1].parent
    }

    /// Returns the choice that leads to a node other than the root from its parent.
    #[inline]
    pub(crate) fn choice(&self, id: usize) -> &C {
        match &self.slots[id - 1].choice {
            Some(choice) => choice,
            None => unreachable!("a node that is referenced has not been freed"),
        }
    }

    /// Returns the choices that lead to a node from the root.
    pub(crate) fn choices(&self, mut id: usize) -> Vec<&C> {
        let mut choices = Vec::new();
        while id != ROOT {
            choices.push(self.choice(id));
            id = self.parent(id);
        }
        choices.reverse();
        choices
    }

    /// Returns the path to a node at the given depth.
    pub(crate) fn path(&self, id: usize, depth: usize) -> ArenaPath<'_, C> {
        ArenaPath { arena: self, id, depth, path: OnceCell::new() }
    }
}

/// The path to a node in the arena. It is collected at most once, when any choice but the last is
/// read, which happens at few nodes.
pub(crate) struct ArenaPath<'a, C> {
    arena: &'a NodeArena<C>,
    id: usize,
    depth: usize,
    path: OnceCell<Vec<usize>>,
}

impl<C> Steps<C> for ArenaPath<'_, C> {
    fn step(&self, index: usize) -> &C {
        if index + 1 == self.depth {
            return self.arena.choice(self.id);
        }
        let path = self.path.get_or_init(|| {
            let mut path = vec![self.id; self.depth];
            let mut id = self.id;
            for entry in path.iter_mut().rev() {
                *entry = id;
                id = self.arena.parent(id);
            }
            path
        });
        self.arena.choice(path[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_chain_is_freed_without_recursion() {
        let (mut arena, mut last) = (NodeArena::new(), ROOT);
        for _ in 0..1_000_000 {
            let next = arena.push(last, ());
            arena.release(last);
            last = next;
        }
        arena.release(last);
        arena.push(ROOT, ());
        assert_eq!(arena.slots(), 1_000_000);
    }
}
