//! The values from which states must be searched again: the [`Thresholds`] of one walk, and the
//! [`SharedThresholds`] of all walks of a run.

use std::collections::BTreeSet;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;

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
    /// The first entry of each key by open addressing. Their number is a power of two.
    slots: Vec<Slot>,
    /// The number of slots that are not vacant.
    keys: usize,
    /// Of each key with several entries: the index of its first one, the amount of the first
    /// resource, and the index of the entry.
    several: BTreeSet<(u32, u64, u32)>,
    /// The indices of entries that are free.
    vacant: Vec<u32>,
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
    /// Whether this is the first entry of a key with several.
    has_others: bool,
}

const VACANT: u32 = u32::MAX;

/// The most entries of a key that are compared with a state of several resources, those with about
/// as much of the first one first: others would take longer than they save.
const MAX_COMPARED: usize = 32;

/// The bytes of an element of a set of [`several`](Thresholds::several) entries: its nodes are
/// two thirds full on average.
const BYTES_OF_SEVERAL: usize = 3 * size_of::<(u32, u64, u32)>() / 2 + 4;

/// Returns the amount of the first resource that a state has left, 0 without resources, and whether
/// that is its only one.
fn first_resource<P: DiagramProblem>(problem: &P, state: &P::State) -> (u64, bool) {
    let resources = problem.resources(state);
    let resources = resources.as_ref();
    (resources.first().copied().unwrap_or(0), resources.len() == 1)
}

impl Slot {
    fn new(entry: u32, hash: usize) -> Self {
        #[allow(clippy::cast_possible_truncation, reason = "the upper half")]
        let hash = (hash as u64 >> 32) as u32;
        Slot { entry, hash }
    }
}

impl<S, V: ObjectiveValue> Thresholds<S, V> {
    pub(crate) fn new() -> Self {
        Thresholds {
            entries: Vec::new(),
            slots: Vec::new(),
            keys: 0,
            several: BTreeSet::new(),
            vacant: Vec::new(),
            heap_bytes: 0,
        }
    }

    /// Returns the bytes that the table uses.
    pub(crate) fn bytes(&self) -> usize {
        let entries = block_bytes(self.entries.capacity() * size_of::<Entry<S, V>>());
        let slots = block_bytes(self.slots.capacity() * size_of::<Slot>());
        let vacant = block_bytes(self.vacant.capacity() * size_of::<u32>());
        let several = self.several.len() * BYTES_OF_SEVERAL;
        (entries + slots + vacant + several).saturating_add(self.heap_bytes)
    }

    /// Returns the entries of a key, by its first entry, that may dominate a state with this amount
    /// of the first resource: those with the least first. If it is the only resource, the first of
    /// them has the best threshold.
    fn with_at_least(
        &self,
        first: u32,
        (amount, is_only): (u64, bool),
    ) -> impl Iterator<Item = &Entry<S, V>> {
        let entry = self.entries.get(first as usize);
        let has_others = entry.is_some_and(|entry| entry.has_others);
        let others = has_others.then(|| {
            let others = self.several.range((first, amount, 0)..=(first, u64::MAX, VACANT));
            let others = others.take(if is_only { 1 } else { MAX_COMPARED });
            others.map(|&(_, _, index)| &self.entries[index as usize])
        });
        entry.filter(|_| !has_others).into_iter().chain(others.into_iter().flatten())
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
        let first = self.slots[self.find(problem, layer, state, hash)].entry;
        let mut entries = self.with_at_least(first, first_resource(problem, state));
        let found = entries
            .find(|entry| prunes(&entry.threshold) && has_as_much(problem, &entry.state, state));
        found.map(|entry| &entry.threshold)
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
        let is_full = self.keys * 2 >= self.slots.len();
        if is_full || (self.vacant.is_empty() && self.entries.len() == self.entries.capacity()) {
            // One of both vectors is about to double.
            let fits = self.bytes().saturating_mul(2) <= max_bytes && self.entries.len() < 1 << 30;
            if !fits || !is_available(self.bytes()) {
                *self = Thresholds::new();
            }
            if self.keys * 2 >= self.slots.len() {
                self.grow();
            }
        }
        let slot = self.find(problem, layer, &state, hash);
        let first = self.slots[slot].entry;
        let amount = first_resource(problem, &state);
        let is_covered = |entry: &Entry<S, V>| {
            !direction.is_better(&threshold, &entry.threshold)
                && has_as_much(problem, &entry.state, &state)
        };
        if self.with_at_least(first, amount).any(is_covered) {
            return;
        }
        let dominated = self.dominated(problem, direction, (first, amount), &state, &threshold);
        // The place of the first entry is not left to another key.
        let replaced = dominated.iter().find(|&&(_, index)| index == first).or(dominated.last());
        let index = replaced.map(|&(_, index)| index).or(self.vacant.last().copied());
        let own_bytes = problem.heap_bytes(&state);
        let old = index.map(|index| &self.entries[index as usize].state);
        let old_bytes = old.map_or(0, |old| problem.heap_bytes(old));
        let alone = self.entries.get(first as usize).filter(|entry| !entry.has_others);
        let alone = alone.map(|entry| first_resource(problem, &entry.state).0);
        // After all calls of the problem, which may panic.
        if replaced.is_none() {
            self.vacant.pop();
        }
        self.heap_bytes = self.heap_bytes.saturating_add(own_bytes).saturating_sub(old_bytes);
        #[allow(clippy::cast_possible_truncation, reason = "at most 2^30 entries")]
        let index = index.unwrap_or(self.entries.len() as u32);
        let has_others = first != VACANT && (alone.is_none() || index != first);
        let entry =
            Entry { layer, hash, state, threshold, has_others: has_others && index == first };
        match self.entries.get_mut(index as usize) {
            Some(place) => *place = entry,
            None => self.entries.push(entry),
        }
        if first == VACANT {
            self.slots[slot] = Slot::new(index, hash);
            self.keys += 1;
        }
        if !has_others {
            return;
        }
        self.entries[first as usize].has_others = true;
        for (amount, other) in dominated {
            self.several.remove(&(first, amount, other));
            if other != index {
                self.vacant.push(other);
            }
        }
        self.several.extend(alone.map(|amount| (first, amount, first)));
        self.several.insert((first, amount.0, index));
    }

    /// Returns entries of a key, by its first entry, that a state with this amount of the first
    /// resource dominates with a threshold at least as good, each with its own amount and its
    /// index: all of them if that is the only resource.
    fn dominated<P: DiagramProblem<State = S>>(
        &self,
        problem: &P,
        direction: Direction,
        (first, (amount, is_only)): (u32, (u64, bool)),
        state: &S,
        threshold: &V,
    ) -> SmallVec<[(u64, u32); 4]> {
        let is_dominated = |index: u32| {
            let entry = &self.entries[index as usize];
            !direction.is_better(&entry.threshold, threshold)
                && has_as_much(problem, state, &entry.state)
        };
        match self.entries.get(first as usize) {
            None => SmallVec::new(),
            Some(entry) if !entry.has_others => {
                is_dominated(first).then_some((amount, first)).into_iter().collect()
            }
            Some(_) => {
                let others = self.several.range((first, 0, 0)..=(first, amount, VACANT)).rev();
                let others = others.enumerate().take_while(|&(compared, &(_, _, index))| {
                    if is_only { is_dominated(index) } else { compared < MAX_COMPARED }
                });
                let others = others.map(|(_, &(_, amount, index))| (amount, index));
                others.filter(|&(_, index)| is_dominated(index)).collect()
            }
        }
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

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::{Branch, CopyProblem};

    /// A key, and some of up to two resources.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct State {
        key: u8,
        left: [u64; 2],
    }

    /// States with so many resources.
    struct Resources(usize);

    impl CopyProblem for Resources {
        type State = State;
        type Cursor = ();
        type Choice = ();

        fn root(&self) -> State {
            State { key: 0, left: [0; 2] }
        }
        fn branch(&self, _: &State) -> Branch<()> {
            Branch::Solution
        }
        fn next(&self, _: &State, (): &mut ()) -> Option<()> {
            None
        }
        fn apply(&self, state: State, (): &()) -> State {
            state
        }
    }

    impl DiagramProblem for Resources {
        fn layer(&self, _: &State) -> usize {
            0
        }
        fn key(&self, state: &State) -> impl std::hash::Hash + Eq {
            state.key
        }
        fn resources(&self, state: &State) -> impl AsRef<[u64]> + std::hash::Hash + Eq {
            SmallVec::<[u64; 2]>::from_slice(&state.left[..self.0])
        }
        fn merge(&self, _: &mut State, _: &State) {}
    }

    #[test]
    fn a_threshold_is_found_if_a_state_with_as_much_has_one_as_good() {
        for seed in 0..600 {
            let mut rng = Rng::with_seed(seed);
            let problem = Resources(rng.usize(0..=2));
            let (keys, amounts) = (rng.u8(1..6), rng.u64(1..9));
            let mut random = || {
                let left = [rng.u64(0..amounts), rng.u64(0..amounts)];
                (State { key: rng.u8(0..keys), left }, rng.i32(0..10))
            };
            let mut table = Thresholds::new();
            let mut raised: Vec<(State, i32)> = Vec::new();
            for _ in 0..150 {
                let (state, value) = random();
                let hash = hash_in_layer(&problem, 0, &state);
                let found = table.get_if(&problem, (0, &state), hash, |&least| least >= value);
                let is_known = raised.iter().any(|&(other, threshold)| {
                    let own = state.left[..problem.0].iter().zip(&other.left);
                    threshold >= value
                        && other.key == state.key
                        && own.into_iter().all(|(own, other)| own <= other)
                });
                assert_eq!(
                    found.is_some(),
                    is_known,
                    "seed {seed}: {state:?} {value} in {raised:?}"
                );
                let (state, threshold) = random();
                let place = (0, state, hash_in_layer(&problem, 0, &state));
                table.raise(&problem, Direction::Maximise, place, threshold, usize::MAX);
                raised.push((state, threshold));
            }
            let is_vacant = |index: &u32| table.vacant.contains(index);
            let entries = (0..table.entries.len() as u32).filter(|index| !is_vacant(index)).count();
            assert!(entries >= table.keys && entries >= table.several.len(), "seed {seed}");
        }
    }
}
