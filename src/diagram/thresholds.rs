//! The values from which states must be searched again: [`Thresholds`].

use super::DiagramProblem;
use super::layers::hash_of;
use crate::incumbent::{Direction, ObjectiveValue};
use crate::memory::{block_bytes, is_available};

/// A hash table of states with their thresholds (Coppé, Gillard and Schaus 2024): a node whose
/// value so far is not better than the threshold of its state need not be searched, because the
/// solutions below it cannot beat those that are found elsewhere.
#[derive(Debug)]
pub(crate) struct Thresholds<S, V> {
    entries: Vec<Entry<S, V>>,
    /// The entries by open addressing. Their number is a power of two.
    slots: Vec<Slot>,
    heap_bytes: usize,
}

/// The index of an entry, or [`VACANT`], and the upper half of its hash: most other entries differ
/// in it, and need not be loaded from memory.
#[derive(Clone, Copy, Debug)]
struct Slot {
    entry: u32,
    hash: u32,
}

#[derive(Debug)]
struct Entry<S, V> {
    layer: usize,
    hash: usize,
    state: S,
    threshold: V,
}

const VACANT: u32 = u32::MAX;

impl Slot {
    fn new(entry: u32, hash: usize) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "the upper half")]
        let hash = (hash as u64 >> 32) as u32;
        Slot { entry, hash }
    }
}

impl<S, V: ObjectiveValue> Thresholds<S, V> {
    pub(crate) fn new() -> Self {
        Thresholds { entries: Vec::new(), slots: Vec::new(), heap_bytes: 0 }
    }

    /// Returns the bytes that the table uses.
    pub(crate) fn bytes(&self) -> usize {
        let entries = block_bytes(self.entries.capacity() * size_of::<Entry<S, V>>());
        let slots = block_bytes(self.slots.capacity() * size_of::<Slot>());
        (entries + slots).saturating_add(self.heap_bytes)
    }

    /// Returns the threshold of a state, if it has one.
    pub(crate) fn get<P: DiagramProblem<State = S>>(
        &self,
        problem: &P,
        layer: usize,
        state: &S,
    ) -> Option<&V> {
        if self.slots.is_empty() {
            return None;
        }
        let hash = hash_of(&(layer, problem.key(state)));
        match self.slots[self.find(problem, layer, state, hash)].entry {
            VACANT => None,
            entry => Some(&self.entries[entry as usize].threshold),
        }
    }

    /// Returns the slot of a state, or the vacant one for it.
    fn find<P: DiagramProblem<State = S>>(
        &self,
        problem: &P,
        layer: usize,
        state: &S,
        hash: usize,
    ) -> usize {
        let key = problem.key(state);
        let sought = Slot::new(VACANT, hash);
        let mut slot = hash & (self.slots.len() - 1);
        loop {
            let found = self.slots[slot];
            if found.entry == VACANT {
                return slot;
            }
            if found.hash == sought.hash {
                let entry = &self.entries[found.entry as usize];
                let is_equal = entry.hash == hash && entry.layer == layer;
                if is_equal && problem.key(&entry.state) == key {
                    return slot;
                }
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Raises the threshold of a state. If the table would use more than `max_bytes`, all other
    /// entries are removed first, which only costs work.
    pub(crate) fn raise<P: DiagramProblem<State = S>>(
        &mut self,
        problem: &P,
        direction: Direction,
        (layer, state): (usize, S),
        threshold: V,
        max_bytes: usize,
    ) {
        if self.entries.len() * 2 >= self.slots.len() {
            // Both vectors are about to double.
            let fits = self.bytes().saturating_mul(2) <= max_bytes && self.entries.len() < 1 << 30;
            if !fits || !is_available(self.bytes()) {
                *self = Thresholds::new();
            }
            self.grow();
        }
        let hash = hash_of(&(layer, problem.key(&state)));
        let slot = self.find(problem, layer, &state, hash);
        if self.slots[slot].entry == VACANT {
            #[allow(clippy::cast_possible_truncation, reason = "at most 2^30 entries")]
            let index = self.entries.len() as u32;
            self.slots[slot] = Slot::new(index, hash);
            self.heap_bytes = self.heap_bytes.saturating_add(problem.heap_bytes(&state));
            self.entries.push(Entry { layer, hash, state, threshold });
        } else {
            let known = &mut self.entries[self.slots[slot].entry as usize].threshold;
            if direction.is_better(&threshold, known) {
                *known = threshold;
            }
        }
    }

    /// Doubles the number of slots.
    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(64);
        self.slots.clear();
        self.slots.resize(size, Slot::new(VACANT, 0));
        for (index, entry) in (0..).zip(&self.entries) {
            let mut slot = entry.hash & (size - 1);
            while self.slots[slot].entry != VACANT {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = Slot::new(index, entry.hash);
        }
    }
}
