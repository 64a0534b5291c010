//! A layer: the states after a cell, each with its value, found by hashing.
//!
//! States lie beside their values in a vector, in the order in which they were met, so that going through a layer is going
//! through memory. Beside it there is an index: a table of numbers into it, open addressing with linear probing
//! (Amdahl, Boehme, Rochester and Samuel, 1954; analysed by Knuth, 1963). Only the layer that is being made needs one.

use std::hash::{BuildHasher, Hash};
use std::mem::size_of;

use rustc_hash::FxBuildHasher;

use super::account::Clock;
use crate::limits::Stop;

/// Why a state could not be put into a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// The table may not grow, or there is no memory.
    Memory,
    /// There are as many states as can be numbered, or as are allowed.
    States,
    /// The sweep is to stop.
    Stopped(Stop),
}

impl From<Stop> for Full {
    fn from(stop: Stop) -> Self {
        Full::Stopped(stop)
    }
}

/// Where a state is in a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seat {
    /// At this place.
    Taken(usize),
    /// Nowhere; this is the slot for it.
    Free(usize),
}

/// A hash whose high bits depend on all bits of the state.
#[inline]
pub(crate) fn hash<S: Hash>(state: &S) -> u64 {
    // The hasher ends with this rotation turned round, to bring its best bits down to where others look for them.
    FxBuildHasher.hash_one(state).rotate_right(26)
}

/// The smallest index.
const SLOTS: usize = 1 << 10;
/// Indexes of at least so many slots (a megabyte) do not fit into the caches nearest to a core.
const LARGE: usize = 1 << 18;
/// So many states are looked at ahead.
pub(crate) const AHEAD: usize = 128;
/// States are numbered from 1 in the index; 0 is an empty slot.
const EMPTY: u32 = 0;
/// The clock is looked at when so many states have been entered into an index: some tenths of a millisecond.
const POLL: usize = 1 << 14;
/// And when so many slots have been emptied.
const EMPTIED: usize = 1 << 20;

#[derive(Debug)]
pub(crate) struct Layer<S, V> {
    entries: Vec<(S, V)>,
    /// As many as a power of two, or none if there is no index.
    slots: Vec<u32>,
    /// By how much to shift a hash to get its slot.
    shift: u32,
    /// The number of states at which the table has to grow.
    limit: usize,
    /// The most states that are allowed.
    max_states: usize,
    /// The most bytes that the table may take up.
    max_bytes: usize,
    /// What is looked at where a large table takes its time.
    clock: Option<Clock>,
}

impl<S: Copy + Eq + Hash, V> Layer<S, V> {
    /// No states, no index.
    pub(crate) fn new() -> Self {
        Layer {
            entries: Vec::new(),
            slots: Vec::new(),
            shift: 0,
            limit: 0,
            max_states: usize::MAX,
            max_bytes: usize::MAX,
            clock: None,
        }
    }

    /// Different states, no index.
    pub(crate) fn from_entries(entries: Vec<(S, V)>) -> Self {
        Layer { entries, ..Layer::new() }
    }

    /// A layer of different states that stays as it is, with an index of two to four slots a state.
    pub(crate) fn indexed(entries: Vec<(S, V)>, clock: &Clock) -> Result<Self, Full> {
        if entries.len() >= u32::MAX as usize {
            return Err(Full::States);
        }
        let mut layer = Self::from_entries(entries);
        layer.clock = Some(clock.clone());
        layer.index((2 * layer.len()).next_power_of_two().max(2))?;
        Ok(layer)
    }

    pub(crate) fn into_entries(self) -> Vec<(S, V)> {
        self.entries
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// States with their values.
    pub(crate) fn entries(&self) -> &[(S, V)] {
        &self.entries
    }

    pub(crate) fn states(&self) -> impl ExactSizeIterator<Item = S> + '_ {
        self.entries.iter().map(|entry| entry.0)
    }

    /// Bytes for so many states, with an index of so many slots.
    fn bytes_for(states: usize, slots: usize) -> usize {
        states.saturating_mul(size_of::<(S, V)>()).saturating_add(slots.saturating_mul(size_of::<u32>()))
    }

    /// Bytes that are in use.
    pub(crate) fn bytes(&self) -> usize {
        Self::bytes_for(self.entries.len(), self.slots.len())
    }

    /// Takes over the index of a layer that needs it no more, if that is the larger one.
    pub(crate) fn take_over_slots(&mut self, from: &mut Self) {
        let slots = std::mem::take(&mut from.slots);
        from.limit = 0;
        if slots.len() > self.slots.len() {
            self.slots = slots;
        }
    }

    /// From the next [restart](Layer::restart) on, so many states and bytes are the most that are allowed, and the clock is
    /// looked at.
    pub(crate) fn set_limits(&mut self, max_states: usize, max_bytes: usize, clock: &Clock) {
        self.clock = Some(clock.clone());
        self.max_states = max_states.min(u32::MAX as usize);
        self.max_bytes = max_bytes;
    }

    fn check(&self) -> Result<(), Full> {
        self.clock.as_ref().map_or(Ok(()), |clock| Ok(clock.check()?))
    }

    /// Empties the layer for about `expected` states.
    pub(crate) fn restart(&mut self, expected: usize) -> Result<(), Full> {
        self.entries.clear();
        let wanted = expected.saturating_mul(2).next_power_of_two().max(SLOTS);
        // A table that has become far too large is cut back: emptying it costs as much as filling it.
        let length = if self.slots.len() > 8 * wanted { wanted } else { self.slots.len().max(SLOTS) };
        self.slots.truncate(length);
        // No longer than it is empty so far, if the sweep is to stop: nothing is looked up in it then.
        for start in (0..self.slots.len()).step_by(EMPTIED) {
            let end = self.slots.len().min(start + EMPTIED);
            self.slots[start..end].fill(EMPTY);
            self.check()?;
        }
        self.slots.resize(length, EMPTY);
        self.set_limit();
        Ok(())
    }

    fn set_limit(&mut self) {
        self.shift = 64 - self.slots.len().trailing_zeros();
        let room = self.max_bytes.saturating_sub(self.slots.len() * size_of::<u32>());
        let room = room / size_of::<(S, V)>().max(1);
        self.limit = (self.slots.len() / 8 * 5).min(self.max_states).min(room);
    }

    /// The place of a state. The layer must have its index.
    pub(crate) fn find(&self, state: &S) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        match self.seek(state, hash(state)) {
            Seat::Taken(index) => Some(index),
            Seat::Free(_) => None,
        }
    }

    /// Whether the table is too large for the caches, so that it pays to [look ahead](Layer::look_ahead).
    pub(crate) fn is_large(&self) -> bool {
        self.slots.len() >= LARGE
    }

    /// Looks at the slots of up to [`AHEAD`] states, then at the states that are named there, so that all of it is in the caches soon.
    /// The result is of no interest, except that it keeps the looking from being optimised away.
    #[inline]
    pub(crate) fn look_ahead<'a>(&self, states: impl Iterator<Item = (&'a S, u64)> + Clone) -> u32
    where
        S: 'a,
    {
        let mask = self.slots.len() - 1;
        let mut numbers = [EMPTY; AHEAD];
        for (number, (_, hash)) in numbers.iter_mut().zip(states.clone()) {
            *number = self.slots[(hash >> self.shift) as usize & mask];
        }
        let met = |(&number, (state, _)): (&u32, (&S, u64))| {
            u32::from(number != EMPTY && self.entries[number as usize - 1].0 == *state)
        };
        numbers.iter().zip(states).map(met).sum()
    }

    /// Where a state is, or where to put it.
    #[inline]
    pub(crate) fn seek(&self, state: &S, hash: u64) -> Seat {
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> self.shift) as usize;
        loop {
            let number = self.slots[slot & mask];
            if number == EMPTY {
                return Seat::Free(slot & mask);
            }
            let index = number as usize - 1;
            if self.entries[index].0 == *state {
                return Seat::Taken(index);
            }
            slot += 1;
        }
    }

    #[inline]
    pub(crate) fn value_mut(&mut self, index: usize) -> &mut V {
        &mut self.entries[index].1
    }

    /// Puts a state at the free slot that was [found](Layer::seek) for it.
    #[inline]
    pub(crate) fn insert(&mut self, slot: usize, state: S, hash: u64, value: V) -> Result<(), Full> {
        let mut slot = slot;
        if self.entries.len() >= self.limit {
            self.grow()?;
            let Seat::Free(moved) = self.seek(&state, hash) else { return Ok(()) };
            slot = moved;
        }
        self.slots[slot] = self.entries.len() as u32 + 1;
        self.entries.push((state, value));
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) -> Result<(), Full> {
        self.check()?;
        if self.entries.len() >= self.max_states {
            return Err(Full::States);
        }
        let slots = (2 * self.slots.len()).max(SLOTS);
        if Self::bytes_for(self.entries.len() + 1, slots) > self.max_bytes {
            return Err(Full::Memory);
        }
        // That there is memory for what the vector will have to hold is found out here, where it is no panic.
        let more = (slots / 8 * 5).min(self.max_states) - self.entries.len();
        self.entries.try_reserve(more).map_err(|_| Full::Memory)?;
        self.index(slots)
    }

    /// Makes an index of so many slots, a power of two, more than there are states.
    fn index(&mut self, slots: usize) -> Result<(), Full> {
        let mut index = Vec::new();
        index.try_reserve_exact(slots).map_err(|_| Full::Memory)?;
        for length in (0..slots).step_by(EMPTIED).skip(1).chain([slots]) {
            index.resize(length, EMPTY);
            self.check()?;
        }
        self.slots = index;
        self.set_limit();
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

    /// Keeps the states that are not among the `dropped`. The index is out of date after this.
    pub(crate) fn retain(&mut self, dropped: &[bool], clock: &Clock) -> Result<(), Stop> {
        let mut dropped = dropped.iter();
        retain_in_time(&mut self.entries, clock, |_| !dropped.next().copied().unwrap_or(false))
    }
}

/// Keeps what `keep` says. If it is broken off, what is left is of no use.
pub(crate) fn retain_in_time<T>(
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
