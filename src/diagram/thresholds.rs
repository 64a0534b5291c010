//! The values from which states must be searched again: the [`Thresholds`] of one walk, and the
//! [`SharedThresholds`] of all walks of a run.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::layers::hash_of;
use super::{DiagramProblem, has_as_much};
use crate::incumbent::{Direction, ObjectiveValue};
use crate::memory::{block_bytes, is_available};

/// A hash table of states with their thresholds (Coppé, Gillard and Schaus 2024): a node whose
/// value so far is not better than the threshold of its state, or of one that dominates it, need
/// not be searched, because the solutions below it cannot beat those that are found elsewhere.
#[derive(Debug)]
pub(crate) struct Thresholds<S, V> {
    entries: Vec<Entry<S, V>>,
    /// The last entry of each key by open addressing. Their number is a power of two.
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
    /// The entry of the same key before this one, or [`VACANT`].
    previous: u32,
}

const VACANT: u32 = u32::MAX;

/// The most entries of a key that are compared with a state, the last ones first: others would take
/// longer than they save.
const MAX_COMPARED: usize = 32;

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

    /// Returns the entries of the key of a slot, the last ones first.
    fn entries_of(&self, slot: usize) -> impl Iterator<Item = (u32, &Entry<S, V>)> {
        let mut next = self.slots[slot].entry;
        let entries = std::iter::from_fn(move || {
            let index = next;
            let entry = self.entries.get(index as usize)?;
            next = entry.previous;
            Some((index, entry))
        });
        entries.take(MAX_COMPARED)
    }

    /// Returns a threshold of a state with this [hash](hash_in_layer), or of one that dominates it,
    /// for which `prunes` returns true.
    #[inline]
    fn get_if<P: DiagramProblem<State = S>>(
        &self,
        problem: &P,
        (layer, state): (usize, &S),
        hash: usize,
        prunes: impl Fn(&V) -> bool,
    ) -> Option<&V> {
        if self.slots.is_empty() {
            return None;
        }
        let mut entries = self.entries_of(self.find(problem, layer, state, hash));
        let found = entries.find(|(_, entry)| {
            prunes(&entry.threshold) && has_as_much(problem, &entry.state, state)
        });
        found.map(|(_, entry)| &entry.threshold)
    }

    /// Returns the slot of the key of a state, or the vacant one for it.
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

    /// Raises the threshold of a state with this [hash](hash_in_layer). If the table would use more
    /// than `max_bytes`, all other entries are removed first, which only costs work.
    fn raise<P: DiagramProblem<State = S>>(
        &mut self,
        problem: &P,
        direction: Direction,
        (layer, state, hash): (usize, S, usize),
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
        let slot = self.find(problem, layer, &state, hash);
        let own_bytes = problem.heap_bytes(&state);
        let mut replaced = None;
        for (index, entry) in self.entries_of(slot) {
            if !direction.is_better(&threshold, &entry.threshold)
                && has_as_much(problem, &entry.state, &state)
            {
                return;
            }
            if !direction.is_better(&entry.threshold, &threshold)
                && has_as_much(problem, &state, &entry.state)
            {
                replaced = Some((index as usize, problem.heap_bytes(&entry.state)));
                break;
            }
        }
        self.heap_bytes = self.heap_bytes.saturating_add(own_bytes);
        if let Some((index, bytes)) = replaced {
            self.heap_bytes = self.heap_bytes.saturating_sub(bytes);
            let previous = self.entries[index].previous;
            self.entries[index] = Entry { layer, hash, state, threshold, previous };
            return;
        }
        #[allow(clippy::cast_possible_truncation, reason = "at most 2^30 entries")]
        let index = self.entries.len() as u32;
        let previous = self.slots[slot].entry;
        self.entries.push(Entry { layer, hash, state, threshold, previous });
        // After all calls of the problem, which may panic: a slot has an entry.
        self.slots[slot] = Slot::new(index, hash);
    }

    /// Doubles the number of slots.
    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(64);
        let slots = mem::replace(&mut self.slots, vec![Slot::new(VACANT, 0); size]);
        for moved in slots.into_iter().filter(|slot| slot.entry != VACANT) {
            let mut slot = self.entries[moved.entry as usize].hash & (size - 1);
            while self.slots[slot].entry != VACANT {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = moved;
        }
    }
}

/// Returns the hash of a state in this layer.
fn hash_in_layer<P: DiagramProblem>(problem: &P, layer: usize, state: &P::State) -> usize {
    hash_of(&(layer, problem.key(state)))
}

/// The number of tables among which shared thresholds are divided by their hashes, so that threads
/// seldom wait for each other.
const TABLES: usize = 64;

/// The thresholds that the walks of a run have learnt together.
///
/// No two walks leave a state to each other: a walk raises a threshold only when the nodes on which
/// it relies are open, and drops an open node only for a better threshold of its state.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct SharedThresholds<S, V>(Arc<Tables<S, V>>);

struct Tables<S, V> {
    /// Each mutex protects one table. A panic of the problem leaves it consistent.
    tables: Vec<Mutex<Thresholds<S, V>>>,
    /// The bytes of all tables. `Relaxed` suffices: the number orders nothing else.
    bytes: AtomicUsize,
}

impl<S, V> Clone for SharedThresholds<S, V> {
    fn clone(&self) -> Self {
        SharedThresholds(Arc::clone(&self.0))
    }
}

impl<S, V: ObjectiveValue> Default for SharedThresholds<S, V> {
    fn default() -> Self {
        let tables = (0..TABLES).map(|_| Mutex::new(Thresholds::new())).collect();
        SharedThresholds(Arc::new(Tables { tables, bytes: AtomicUsize::new(0) }))
    }
}

impl<S, V> SharedThresholds<S, V> {
    /// Returns the table of the states with this hash. The bits are not those that place a state
    /// within its table.
    fn table(&self, hash: usize) -> &Mutex<Thresholds<S, V>> {
        &self.0.tables[(hash >> (usize::BITS - TABLES.ilog2())) % TABLES]
    }
}

/// The thresholds that a walk knows.
pub(crate) enum KnownThresholds<S, V> {
    Own(Thresholds<S, V>),
    Shared(SharedThresholds<S, V>),
}

impl<S, V: ObjectiveValue> KnownThresholds<S, V> {
    /// Returns the bytes that the thresholds use. Each walk counts shared ones.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            KnownThresholds::Own(table) => table.bytes(),
            KnownThresholds::Shared(shared) => shared.0.bytes.load(Ordering::Relaxed),
        }
    }

    /// Returns a threshold of a state, or of one that dominates it, for which `prunes` returns
    /// true.
    #[inline]
    pub(crate) fn get_if<P: DiagramProblem<State = S>>(
        &self,
        problem: &P,
        layer: usize,
        state: &S,
        prunes: impl Fn(&V) -> bool,
    ) -> Option<V> {
        let (place, hash) = ((layer, state), hash_in_layer(problem, layer, state));
        match self {
            KnownThresholds::Own(table) => table.get_if(problem, place, hash, prunes).cloned(),
            KnownThresholds::Shared(shared) => {
                let table = shared.table(hash).lock().unwrap_or_else(PoisonError::into_inner);
                table.get_if(problem, place, hash, prunes).cloned()
            }
        }
    }

    /// Raises the threshold of a state. Tables that would use more than `max_bytes` together are
    /// emptied first, which only costs work.
    pub(crate) fn raise<P: DiagramProblem<State = S>>(
        &mut self,
        problem: &P,
        direction: Direction,
        (layer, state): (usize, S),
        threshold: V,
        max_bytes: usize,
    ) {
        let hash = hash_in_layer(problem, layer, &state);
        let place = (layer, state, hash);
        match self {
            KnownThresholds::Own(table) => {
                table.raise(problem, direction, place, threshold, max_bytes);
            }
            KnownThresholds::Shared(shared) => {
                let mut table = shared.table(hash).lock().unwrap_or_else(PoisonError::into_inner);
                let before = table.bytes();
                table.raise(problem, direction, place, threshold, max_bytes / TABLES);
                let bytes = &shared.0.bytes;
                // Wraps around if the table has become smaller.
                bytes.fetch_add(table.bytes().wrapping_sub(before), Ordering::Relaxed);
            }
        }
    }
}
