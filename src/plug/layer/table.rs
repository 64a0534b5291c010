//! A layer as a hash table from states to values: [`Layer`].
//!
//! The states are stored beside their values in a vector, in the order of their insertion, so that
//! a pass over a layer is a pass over contiguous memory. A separate index holds positions in that
//! vector. It uses open addressing with linear probing (Amdahl, Boehme, Rochester and Samuel, 1954;
//! analysed by Knuth, 1963). Only the layer under construction needs an index.

use std::hash::{BuildHasher, Hash};
use std::mem::{needs_drop, size_of};

use rustc_hash::FxBuildHasher;

use crate::limits::Stop;
use crate::memory::{headroom, is_available};
use crate::plug::step::Clock;

/// The result of looking up a state.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    /// The state is at this position in the vector.
    Occupied(usize),
    /// The state is absent, and this slot of the index is the one for it.
    Vacant(usize),
}

/// Returns a hash for the index, which uses its high bits.
#[inline]
pub(crate) fn hash<S: Hash>(state: &S) -> u64 {
    // The hasher of rustc-hash 2.1 ends with a rotation, because other tables expect its best bits
    // at the low end. The index uses the high bits, so this undoes the rotation. With another
    // hasher, the index works, but has long chains of probes.
    let rotated = FxBuildHasher.hash_one(state);
    if cfg!(target_pointer_width = "64") {
        rotated.rotate_right(26)
    } else {
        // The hasher has 32 bits there.
        u64::from((rotated as u32).rotate_right(15)) << 32
    }
}

/// The smallest number of slots of an index.
const MIN_SLOTS: usize = 1 << 10;
/// An index of at least this many slots (a megabyte) exceeds the caches nearest to a core.
const LARGE: usize = 1 << 18;
/// The number of states whose slots are prefetched together.
pub(crate) const LOOKAHEAD: usize = 128;
/// The mark of an empty slot. Other slots hold the position of a state plus 1.
const EMPTY: u32 = 0;
/// The number of states that are indexed, or of items that are filtered, between two checks of the
/// clock: some tenths of a millisecond.
const POLL: usize = 1 << 14;
/// The number of values whose heap is summed up between two checks of the clock.
const HEAP_POLL: usize = 1 << 10;
/// The number of slots that are emptied between two checks of the clock.
const CLEAR_CHUNK: usize = 1 << 20;
/// The capacity of the first allocation, in states.
const FIRST_STATES: usize = MIN_SLOTS / 8 * 5;
/// Bytes of heap in values between two queries of the available memory. A larger table also queries
/// it whenever it grows.
const MEMORY_PROBE_INTERVAL: usize = 1 << 18;

/// Contour states before the same cell, each with its value. See the [module](self).
#[derive(Debug)]
pub struct Layer<S, V> {
    entries: Vec<(S, V)>,
    /// A power of two of slots, or none if there is no index.
    slots: Vec<u32>,
    /// The right shift that turns a hash into its slot.
    shift: u32,
    /// The number of states at which the table has to grow: at most 5/8 of the slots, to keep
    /// probing short. It never exceeds the capacity of `entries`: the vector grows only in
    /// `grow_entries`, where an allocation may fail without an abort.
    limit: usize,
    /// The maximum number of states.
    max_states: usize,
    /// The maximum bytes of the table and of the heap that its values own.
    max_bytes: usize,
    /// Bytes of heap owned by the values.
    heap: usize,
    /// The bytes of heap at which the limits are checked again.
    heap_limit: usize,
    /// The peak of bytes since the last restart. A growing vector exists twice for a moment.
    peak: usize,
    /// Checked during long operations on a large table.
    clock: Option<Clock>,
}

impl<S: Copy + Eq + Hash, V> Layer<S, V> {
    /// Creates a layer without states and without an index.
    pub(crate) fn new() -> Self {
        Layer {
            entries: Vec::new(),
            slots: Vec::new(),
            shift: 0,
            limit: 0,
            max_states: usize::MAX,
            max_bytes: usize::MAX,
            heap: 0,
            heap_limit: 0,
            peak: 0,
            clock: None,
        }
    }

    /// Creates a layer of distinct states, without an index.
    pub(crate) fn from_entries(entries: Vec<(S, V)>) -> Self {
        Layer { entries, ..Layer::new() }
    }

    /// Creates an immutable layer of distinct states, with an index of two to four slots for each
    /// state.
    pub(crate) fn indexed(entries: Vec<(S, V)>, clock: &Clock) -> Result<Self, Stop> {
        if entries.len() >= u32::MAX as usize {
            return Err(Stop::StateLimit);
        }
        let mut layer = Self::from_entries(entries);
        layer.clock = Some(clock.clone());
        layer.index(Self::slots_for(layer.len()))?;
        Ok(layer)
    }

    pub(crate) fn into_entries(self) -> Vec<(S, V)> {
        self.entries
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the states with their values.
    pub(crate) fn entries(&self) -> &[(S, V)] {
        &self.entries
    }

    pub(crate) fn states(&self) -> impl ExactSizeIterator<Item = S> + '_ {
        self.entries.iter().map(|entry| entry.0)
    }

    /// Returns the bytes for a number of states and an index of a number of slots.
    fn bytes_for(states: usize, slots: usize) -> usize {
        states
            .saturating_mul(size_of::<(S, V)>())
            .saturating_add(slots.saturating_mul(size_of::<u32>()))
    }

    /// Returns the bytes that are allocated, in use or not, including the heap of the values.
    pub(crate) fn bytes(&self) -> usize {
        Self::bytes_for(self.entries.capacity(), self.slots.capacity()).saturating_add(self.heap)
    }

    /// Returns the peak of allocated bytes since the last restart.
    pub(crate) fn peak_bytes(&self) -> usize {
        self.peak.max(self.bytes())
    }

    /// Returns the bytes of the index that [`indexed`](Layer::indexed) makes for a number of
    /// states.
    pub(crate) fn index_bytes(states: usize) -> usize {
        Self::slots_for(states).saturating_mul(size_of::<u32>())
    }

    fn slots_for(states: usize) -> usize {
        (2 * states).next_power_of_two().max(2)
    }

    /// Returns the bytes of heap that the values own.
    pub(crate) fn heap(&self) -> usize {
        self.heap
    }

    /// Recomputes the bytes of heap that the values own.
    pub(crate) fn recount_heap(
        &mut self,
        clock: &Clock,
        heap_bytes: impl Fn(&V) -> usize,
    ) -> Result<(), Stop> {
        let values = self.entries.iter().map(|entry| &entry.1);
        self.heap = sum_of_heap(values, clock, heap_bytes)?;
        Ok(())
    }

    /// Releases memory that is reserved but not in use, if it is a large share of the limit.
    /// `other` drops its states first, because shrinking takes additional memory for a moment.
    pub(crate) fn release_slack(&mut self, other: &mut Self, max_bytes: usize) {
        let used = Self::bytes_for(self.entries.len(), 0);
        let slack = Self::bytes_for(self.entries.capacity(), 0).saturating_sub(used);
        let both = self.bytes().saturating_add(other.bytes());
        if slack > max_bytes / 16
            && both > max_bytes / 2
            && self.bytes().saturating_add(used) <= max_bytes
        {
            other.entries = Vec::new();
            other.heap = 0;
            self.entries.shrink_to_fit();
        }
    }

    /// Takes the index of a layer that no longer needs one, if it is the larger of the two.
    pub(crate) fn take_over_slots(&mut self, from: &mut Self) {
        let slots = std::mem::take(&mut from.slots);
        from.limit = 0;
        if slots.len() > self.slots.len() {
            self.slots = slots;
        }
    }

    /// Sets the maximum numbers of states and bytes, and the clock to check. The limits hold from
    /// the next [restart](Layer::restart) on.
    pub(crate) fn set_limits(&mut self, max_states: usize, max_bytes: usize, clock: &Clock) {
        self.clock = Some(clock.clone());
        self.max_states = max_states.min(u32::MAX as usize);
        self.max_bytes = max_bytes;
    }

    /// Sets the maximum bytes, which hold from the next growth on.
    pub(crate) fn set_max_bytes(&mut self, max_bytes: usize) {
        self.max_bytes = max_bytes;
    }

    fn check(&self) -> Result<(), Stop> {
        self.clock.as_ref().map_or(Ok(()), |clock| clock.check())
    }

    /// Empties the layer and prepares it for about `expected` states.
    pub(crate) fn restart(&mut self, expected: usize) -> Result<(), Stop> {
        self.entries.clear();
        (self.heap, self.peak) = (0, 0);
        let wanted = expected.saturating_mul(2).next_power_of_two().max(MIN_SLOTS);
        // An index that is far too large is truncated: emptying it would cost as much as filling
        // it.
        let mut length =
            if self.slots.len() > 8 * wanted { wanted } else { self.slots.len().max(MIN_SLOTS) };
        let half = self.max_bytes / 2 / size_of::<u32>();
        if length > half {
            length = (length.min(wanted)).min(half.next_power_of_two()).max(MIN_SLOTS);
        }
        self.slots.truncate(length);
        if self.bytes() > self.max_bytes {
            // The limit is lower than it was for an earlier layer.
            self.entries = Vec::new();
            self.slots.shrink_to_fit();
        }
        if Self::bytes_for(self.entries.capacity(), length) > self.max_bytes {
            return Err(Stop::MemoryLimit);
        }
        // The slots are emptied in pieces with a check of the clock between them. After an early
        // return the index is only partly empty, but nothing is looked up in it any more.
        for start in (0..self.slots.len()).step_by(CLEAR_CHUNK) {
            let end = self.slots.len().min(start + CLEAR_CHUNK);
            self.slots[start..end].fill(EMPTY);
            self.check()?;
        }
        if length > self.slots.capacity() {
            self.check_headroom(Self::bytes_for(0, length))?;
        }
        self.slots.try_reserve_exact(length - self.slots.len()).map_err(|_| Stop::MemoryLimit)?;
        self.slots.resize(length, EMPTY);
        self.update_limit();
        Ok(())
    }

    /// Returns the bytes to leave free for allocations that abort on failure.
    pub(crate) fn headroom(&self) -> usize {
        headroom(self.max_bytes).min(self.bytes())
    }

    /// Empties a full table and gives it as much memory as its limits allow, so that it is full as
    /// late as possible. Values that own heap need a share of that memory, by what they took so
    /// far.
    #[cfg(feature = "serde")]
    pub(crate) fn restart_at_full_size(&mut self) -> Result<(), Stop> {
        if const { needs_drop::<V>() } {
            let of_all = Self::bytes_for(self.entries.len(), 2 * self.entries.len());
            let of_one = of_all.saturating_add(self.heap).checked_div(self.entries.len());
            let states = of_one.map_or(0, |bytes| self.max_bytes / bytes);
            self.clear();
            if self.entries.capacity() > states {
                self.entries = Vec::new();
                self.entries.try_reserve_exact(states).map_err(|_| Stop::MemoryLimit)?;
            }
            return self.restart(states / 2);
        }
        self.clear();
        let states_beside = |slots: usize| {
            let bytes = self.max_bytes.saturating_sub(Self::bytes_for(0, slots));
            (slots / 8 * 5).min(bytes / size_of::<(S, V)>().max(1)).min(self.max_states)
        };
        let (mut slots, mut states) = (MIN_SLOTS, states_beside(MIN_SLOTS));
        while states_beside(2 * slots) > states {
            slots *= 2;
            states = states_beside(slots);
        }
        if self.entries.capacity() < states - states / 16 || self.slots.len() != slots {
            (self.entries, self.slots) = (Vec::new(), Vec::new());
            self.entries.try_reserve_exact(states).map_err(|_| Stop::MemoryLimit)?;
            self.check_headroom(0)?;
            self.allocate_slots(slots)?;
        }
        self.restart(states / 2)
    }

    fn update_limit(&mut self) {
        self.shift = 64 - self.slots.len().trailing_zeros();
        self.limit = (self.slots.len() / 8 * 5).min(self.max_states).min(self.entries.capacity());
        self.heap_limit = 0;
    }

    /// Checks that values may own this many additional bytes of heap. To be called before they
    /// allocate.
    #[inline]
    pub(crate) fn make_room_in_heap(&mut self, bytes: usize) -> Result<(), Stop> {
        if self.heap.saturating_add(bytes) > self.heap_limit {
            self.raise_heap_limit(bytes)
        } else {
            Ok(())
        }
    }

    #[cold]
    #[inline(never)]
    fn raise_heap_limit(&mut self, bytes: usize) -> Result<(), Stop> {
        let table = Self::bytes_for(self.entries.capacity(), self.slots.capacity());
        let (most, wanted) =
            (self.max_bytes.saturating_sub(table), self.heap.saturating_add(bytes));
        // Values allocate where a failure aborts, so the memory they will need must be available
        // now.
        if wanted > most || !is_available(bytes.saturating_add(headroom(self.max_bytes))) {
            return Err(Stop::MemoryLimit);
        }
        self.check()?;
        self.heap_limit = wanted
            .saturating_add(MEMORY_PROBE_INTERVAL.min(headroom(self.max_bytes) / 2))
            .min(most);
        Ok(())
    }

    /// Records that a value that owned `before` bytes of heap owns `after` bytes now.
    #[inline]
    pub(crate) fn count_heap(&mut self, before: usize, after: usize) {
        self.heap = self.heap.saturating_sub(before).saturating_add(after);
    }

    /// Returns the position of a state. The layer must have an index.
    pub(crate) fn find(&self, state: &S) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        match self.probe(state, hash(state)) {
            Slot::Occupied(index) => Some(index),
            Slot::Vacant(_) => None,
        }
    }

    /// Returns whether the index exceeds the caches, so that it pays to [look
    /// ahead](Layer::look_ahead).
    pub(crate) fn is_large(&self) -> bool {
        self.slots.len() >= LARGE
    }

    /// Prefetches the slots of up to [`LOOKAHEAD`] states, then the entries named there. The result
    /// only keeps the reads from being optimised away.
    #[inline]
    pub(crate) fn look_ahead<'a>(&self, states: impl Iterator<Item = (&'a S, u64)> + Clone) -> u32
    where
        S: 'a,
    {
        let mask = self.slots.len() - 1;
        let mut numbers = [EMPTY; LOOKAHEAD];
        for (number, (_, hash)) in numbers.iter_mut().zip(states.clone()) {
            *number = self.slots[(hash >> self.shift) as usize & mask];
        }
        let is_found = |(&number, (state, _)): (&u32, (&S, u64))| {
            u32::from(number != EMPTY && self.entries[number as usize - 1].0 == *state)
        };
        numbers.iter().zip(states).map(is_found).sum()
    }

    /// Returns the position of a state, or the slot for it.
    #[inline]
    pub(crate) fn probe(&self, state: &S, hash: u64) -> Slot {
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> self.shift) as usize;
        loop {
            let number = self.slots[slot & mask];
            if number == EMPTY {
                return Slot::Vacant(slot & mask);
            }
            let index = number as usize - 1;
            if self.entries[index].0 == *state {
                return Slot::Occupied(index);
            }
            slot += 1;
        }
    }

    /// Returns the position of a state, which is inserted with this value if it is new. The layer
    /// must have an index.
    #[inline]
    pub(crate) fn find_or_insert(&mut self, state: S, value: V) -> Result<usize, Stop> {
        let hash = hash(&state);
        match self.probe(&state, hash) {
            Slot::Occupied(index) => Ok(index),
            Slot::Vacant(slot) => {
                self.insert(slot, state, hash, value)?;
                Ok(self.len() - 1)
            }
        }
    }

    #[inline]
    pub(crate) fn value_mut(&mut self, index: usize) -> &mut V {
        &mut self.entries[index].1
    }

    /// Inserts a state at the vacant slot that [`probe`](Layer::probe) returned for it. After an
    /// error, nothing may be looked up in the layer.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        slot: usize,
        state: S,
        hash: u64,
        value: V,
    ) -> Result<(), Stop> {
        let mut slot = slot;
        if self.entries.len() >= self.limit {
            self.grow()?;
            let Slot::Vacant(moved) = self.probe(&state, hash) else { return Ok(()) };
            slot = moved;
        }
        self.slots[slot] = self.entries.len() as u32 + 1;
        self.entries.push((state, value));
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> Result<(), Stop> {
        self.check()?;
        if self.entries.len() >= self.max_states {
            return Err(Stop::StateLimit);
        }
        let is_crowded = self.entries.len() >= self.slots.len() / 8 * 5;
        let slots =
            if is_crowded { (2 * self.slots.len()).max(MIN_SLOTS) } else { self.slots.len() };
        self.grow_entries(slots)?;
        if is_crowded {
            return self.index(slots);
        }
        self.update_limit();
        Ok(())
    }

    /// Makes room for twice as many states, or for as many as the memory limit allows beside an
    /// index of this many slots.
    fn grow_entries(&mut self, slots: usize) -> Result<(), Stop> {
        let (states, capacity) = (self.entries.len(), self.entries.capacity());
        let wanted =
            (slots / 8 * 5).min(self.max_states).min(capacity.saturating_mul(2).max(FIRST_STATES));
        if capacity >= wanted {
            return Ok(());
        }
        // While the vector grows, its old and its new allocation exist at once. The new index is
        // allocated after that.
        let meanwhile = self.max_bytes.saturating_sub(self.bytes());
        let index = slots.saturating_mul(size_of::<u32>());
        let afterwards = self.max_bytes.saturating_sub(self.heap.saturating_add(index));
        let room = meanwhile.min(afterwards) / size_of::<(S, V)>().max(1);
        // If memory is scarce, growing by less than a sixteenth would copy all states again and
        // again. Growing by that little up to the limits of the index or of the states is rare.
        if room < wanted && room <= states + states / 16 {
            return if capacity > states { Ok(()) } else { Err(Stop::MemoryLimit) };
        }
        let wanted = wanted.min(room);
        self.peak = self.peak.max(self.bytes().saturating_add(Self::bytes_for(wanted, 0)));
        self.check_headroom(Self::bytes_for(wanted, 0))?;
        self.entries.try_reserve_exact(wanted - states).map_err(|_| Stop::MemoryLimit)
    }

    /// Checks that the system has this many bytes and the headroom before a table takes them.
    /// Without the headroom, other threads that are still running could abort on a small
    /// allocation.
    fn check_headroom(&self, bytes: usize) -> Result<(), Stop> {
        let is_small = bytes < MEMORY_PROBE_INTERVAL && self.bytes() < MEMORY_PROBE_INTERVAL;
        let needed = bytes.saturating_add(self.headroom());
        if is_small || is_available(needed) { Ok(()) } else { Err(Stop::MemoryLimit) }
    }

    /// Makes an index of this many slots, a power of two and more than there are states. After an
    /// error the index is missing or incomplete.
    fn index(&mut self, slots: usize) -> Result<(), Stop> {
        // The index is rebuilt from the states, so the old one need not exist beside the new one.
        self.slots = Vec::new();
        if Self::bytes_for(self.entries.capacity(), slots).saturating_add(self.heap)
            > self.max_bytes
        {
            return Err(Stop::MemoryLimit);
        }
        self.check_headroom(slots.saturating_mul(size_of::<u32>()))?;
        self.allocate_slots(slots)?;
        self.update_limit();
        let mask = slots - 1;
        for (index, (state, _)) in self.entries.iter().enumerate() {
            if index % POLL == POLL - 1 {
                self.check()?;
            }
            let mut slot = (hash(state) >> self.shift) as usize;
            while self.slots[slot & mask] != EMPTY {
                slot += 1;
            }
            self.slots[slot & mask] = index as u32 + 1;
        }
        Ok(())
    }

    /// Replaces the index by an empty one.
    fn allocate_slots(&mut self, slots: usize) -> Result<(), Stop> {
        let mut index = Vec::new();
        index.try_reserve_exact(slots).map_err(|_| Stop::MemoryLimit)?;
        for length in (0..slots).step_by(CLEAR_CHUNK).skip(1).chain([slots]) {
            index.resize(length, EMPTY);
            self.check()?;
        }
        self.slots = index;
        Ok(())
    }

    /// Returns whether there is an index of all states. A table that could not grow may have lost
    /// it.
    #[cfg(feature = "serde")]
    pub(crate) fn is_indexed(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Returns the states with their values in the order of their hashes. The layer must have an
    /// index.
    #[cfg(feature = "serde")]
    pub(crate) fn by_hash(&self) -> ByHash<'_, S, V> {
        let wrapped = self.slots.iter().position(|&number| number == EMPTY).unwrap_or(0);
        let mut by_hash = ByHash { layer: self, wrapped, slot: wrapped, cluster: Vec::new() };
        by_hash.push_from(0..wrapped, |home, slot| home <= slot);
        by_hash.sort();
        by_hash
    }

    /// Removes all states and keeps the memory for them. The index is invalid afterwards.
    #[cfg(feature = "serde")]
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.heap = 0;
    }

    /// Returns the number of states for which there is memory.
    #[cfg(feature = "serde")]
    pub(crate) fn capacity(&self) -> usize {
        self.entries.capacity()
    }

    /// Returns the states with their values, to be rearranged. The index is invalid afterwards.
    #[cfg(feature = "serde")]
    pub(crate) fn entries_mut(&mut self) -> &mut [(S, V)] {
        &mut self.entries
    }

    /// Removes the `dropped` states. The index is invalid afterwards.
    pub(crate) fn retain(&mut self, dropped: &[bool], clock: &Clock) -> Result<(), Stop> {
        let mut dropped = dropped.iter();
        retain_cancellable(&mut self.entries, clock, |_| !dropped.next().copied().unwrap_or(false))
    }
}

/// An iterator over the states of a layer in the order of their hashes.
///
/// The states that belong into one slot, the high bits of their hashes, are in a cluster of
/// occupied slots that begins there or earlier. So sorting each cluster sorts the states. A cluster
/// at the end continues in the first slots.
#[cfg(feature = "serde")]
pub(crate) struct ByHash<'a, S, V> {
    layer: &'a Layer<S, V>,
    /// The number of occupied slots at the beginning.
    wrapped: usize,
    /// The next slot.
    slot: usize,
    /// The hashes and numbers of the states of the current cluster, in descending order.
    cluster: Vec<(u64, u32)>,
}

#[cfg(feature = "serde")]
impl<S: Copy + Eq + Hash, V> ByHash<'_, S, V> {
    /// Adds the states in a range of slots to the cluster, if `is_included`, called with the slot
    /// into which a state belongs and the slot in which it is.
    fn push_from(
        &mut self,
        slots: std::ops::Range<usize>,
        is_included: impl Fn(usize, usize) -> bool,
    ) {
        let mask = self.layer.slots.len() - 1;
        for slot in slots {
            let number = self.layer.slots[slot];
            if number != EMPTY {
                let hash = hash(&self.layer.entries[number as usize - 1].0);
                if is_included((hash >> self.layer.shift) as usize & mask, slot) {
                    self.cluster.push((hash, number));
                }
            }
        }
    }

    fn sort(&mut self) {
        self.cluster.sort_unstable_by_key(|&(hash, _)| std::cmp::Reverse(hash));
    }
}

#[cfg(feature = "serde")]
impl<'a, S: Copy + Eq + Hash, V> Iterator for ByHash<'a, S, V> {
    type Item = &'a (S, V);

    #[inline]
    fn next(&mut self) -> Option<&'a (S, V)> {
        let slots = &self.layer.slots;
        while self.cluster.is_empty() {
            if self.slot == slots.len() {
                return None;
            }
            let begin = self.slot;
            let is_end = |number: &u32| *number == EMPTY;
            let length = slots[begin..].iter().position(is_end);
            let end = length.map_or(slots.len(), |length| begin + length);
            self.push_from(begin..end, |_, _| true);
            self.slot = end + 1;
            if end == slots.len() {
                self.slot = end;
                self.push_from(0..self.wrapped, |home, slot| home > slot);
            }
            self.sort();
        }
        let (_, number) = self.cluster.pop()?;
        Some(&self.layer.entries[number as usize - 1])
    }
}

/// Returns the bytes of heap that the values own. `heap_bytes` returns those of one value; it is
/// called only if values need to be dropped.
pub(crate) fn sum_of_heap<'a, V: 'a>(
    values: impl Iterator<Item = &'a V>,
    clock: &Clock,
    heap_bytes: impl Fn(&V) -> usize,
) -> Result<usize, Stop> {
    let mut sum: usize = 0;
    if const { needs_drop::<V>() } {
        for (index, value) in values.enumerate() {
            // The check costs little beside `heap_bytes`, which may walk through a collection.
            if index % HEAP_POLL == HEAP_POLL - 1 {
                clock.check()?;
            }
            sum = sum.saturating_add(heap_bytes(value));
        }
    }
    Ok(sum)
}

/// Retains the items that `keep` accepts. After an error the contents are meaningless.
pub(crate) fn retain_cancellable<T>(
    items: &mut Vec<T>,
    clock: &Clock,
    mut keep: impl FnMut(&T) -> bool,
) -> Result<(), Stop> {
    let (mut left, mut result) = (POLL, clock.check());
    items.retain(|item| {
        if left == 0 && result.is_ok() {
            (left, result) = (POLL, clock.check());
        }
        left = left.saturating_sub(1);
        result.is_ok() && keep(item)
    });
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    /// Inserts states into a layer that begins with room for `capacity` states, until one cannot be
    /// inserted or there are 2000.
    fn filled(capacity: usize, max_states: usize) -> (usize, Result<(), Stop>) {
        let mut layer: Layer<u64, u64> = Layer::from_entries(Vec::with_capacity(capacity));
        layer.set_limits(max_states, usize::MAX, &Clock::new(&Limits::new()));
        let result = layer.restart(0).and_then(|()| {
            (0..2000).try_for_each(|state| match layer.probe(&state, hash(&state)) {
                Slot::Vacant(slot) => layer.insert(slot, state, hash(&state), 1),
                Slot::Occupied(_) => panic!("{state} twice"),
            })
        });
        (layer.len(), result)
    }

    #[test]
    fn a_layer_of_any_capacity_grows() {
        for capacity in 0..1500 {
            assert_eq!(filled(capacity, usize::MAX), (2000, Ok(())), "{capacity}");
        }
    }

    #[test]
    fn a_layer_of_any_capacity_stops_at_its_maximum_number_of_states() {
        for (capacity, max_states) in (0..1500).step_by(7).zip((1..2000).rev().step_by(9)) {
            let stopped = (max_states, Err(Stop::StateLimit));
            assert_eq!(filled(capacity, max_states), stopped, "{capacity}");
        }
        for max_states in 600..700 {
            let stopped = (max_states, Err(Stop::StateLimit));
            assert_eq!(filled(620, max_states), stopped, "{max_states}");
        }
    }
}
