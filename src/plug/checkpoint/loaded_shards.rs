//! The entries of a layer that is being read: [`LoadedShards`].

use std::hash::Hash;
use std::mem::needs_drop;

use crate::limits::Stop;
use crate::memory::{grown, headroom, is_available};
use crate::plug::layer::{Layer, Shards};

/// The entries of a layer that is being read, in shards that together observe a memory limit.
pub(crate) struct LoadedShards<'a, S, V> {
    shards: Vec<Vec<(S, V)>>,
    max_bytes: usize,
    /// The bytes allocated for the shards and on the heap of their values.
    bytes: usize,
    heap_bytes: &'a dyn Fn(&V) -> usize,
}

impl<'a, S: Copy + Eq + Hash, V> LoadedShards<'a, S, V> {
    /// Creates empty shards. `heap_bytes` returns the bytes of heap that a value owns.
    pub(crate) fn new(
        shards: usize,
        max_bytes: usize,
        heap_bytes: &'a dyn Fn(&V) -> usize,
    ) -> Self {
        let shards = (0..shards).map(|_| Vec::new()).collect();
        LoadedShards { shards, max_bytes, bytes: 0, heap_bytes }
    }

    /// Reserves memory for this many states, if there is a memory limit. Shards then need not grow
    /// while they are read; growth takes additional memory for a moment, which might exceed the
    /// limit. Without a limit, nothing is reserved, because the file may promise more states than
    /// it has.
    pub(crate) fn reserve_states(&mut self, states: usize) -> Result<(), Stop> {
        if self.max_bytes == usize::MAX {
            return Ok(());
        }
        let size = size_of::<(S, V)>();
        if states.saturating_mul(size) > self.max_bytes {
            return Err(Stop::MemoryLimit);
        }
        let count = self.shards.len();
        let share = states.div_ceil(count);
        // States are distributed by their hashes, so shards differ a little in size.
        let wanted = if count == 1 { share } else { share + share / 16 };
        let room = self.max_bytes / size.max(1) / count;
        (0..count).try_for_each(|shard| self.reserve(shard, wanted.min(room)))
    }

    /// Adds an entry to a shard.
    pub(crate) fn push(&mut self, shard: usize, entry: (S, V)) -> Result<(), Stop> {
        if const { needs_drop::<V>() } {
            self.bytes = self.bytes.saturating_add((self.heap_bytes)(&entry.1));
            if self.bytes > self.max_bytes {
                return Err(Stop::MemoryLimit);
            }
        }
        let states = self.shards[shard].len();
        if states == self.shards[shard].capacity() {
            let capacity = grown::<(S, V)>(states, self.bytes, self.max_bytes);
            self.reserve(shard, capacity.ok_or(Stop::MemoryLimit)?)?;
        }
        self.shards[shard].push(entry);
        Ok(())
    }

    /// Raises the capacity of a shard to `capacity` states.
    fn reserve(&mut self, shard: usize, capacity: usize) -> Result<(), Stop> {
        let entries = &mut self.shards[shard];
        let before = entries.capacity();
        let reserved = entries.try_reserve_exact(capacity - entries.len());
        let more = (entries.capacity() - before).saturating_mul(size_of::<(S, V)>());
        self.bytes = self.bytes.saturating_add(more);
        // Some memory must stay free for small allocations elsewhere, whose failure aborts.
        let is_full = reserved.is_err() || !is_available(headroom(self.max_bytes).min(self.bytes));
        if is_full { Err(Stop::MemoryLimit) } else { Ok(()) }
    }

    /// Returns the number of states of each shard.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
        self.shards.iter().map(Vec::len)
    }

    pub(crate) fn into_layer(self) -> Shards<S, V> {
        self.shards.into_iter().map(Layer::from_entries).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded(
        shards: usize,
        max_bytes: usize,
        expected: usize,
        states: usize,
    ) -> Result<usize, Stop> {
        let mut loaded = LoadedShards::new(shards, max_bytes, &Vec::capacity);
        loaded.reserve_states(expected)?;
        for state in 0..states {
            loaded.push(state % shards, (state as u64, Vec::<u8>::with_capacity(state % 2 * 8)))?;
        }
        let layer = loaded.into_layer();
        assert_eq!(layer.iter().map(Layer::len).sum::<usize>(), states);
        Ok(layer.iter().map(Layer::bytes).sum())
    }

    #[test]
    fn a_layer_of_exactly_the_limit_is_loaded() {
        // 32 bytes for each state, and on average 4 bytes of heap.
        let tables = 32 * 1_000;
        assert_eq!(loaded(1, tables + 4_000, 1_000, 1_000), Ok(tables));
        assert_eq!(loaded(1, tables + 3_999, 1_000, 1_000), Err(Stop::MemoryLimit));
        assert_eq!(loaded(1, tables - 1, 1_000, 0), Err(Stop::MemoryLimit));
        let of_three = loaded(3, 2 * tables, 1_000, 1_000).expect("enough memory");
        assert!((tables..tables + tables / 15).contains(&of_three), "{of_three}");
    }

    #[test]
    fn more_states_than_expected_observe_the_limit() {
        for max_bytes in (10_000..100_000).step_by(9_973) {
            let states = (1..).find(|&states| loaded(2, max_bytes, 0, states).is_err());
            let states = states.expect("a limit");
            let most = max_bytes / 36;
            assert!(
                (most / 2..=most + 2).contains(&states),
                "{states} states in {max_bytes} bytes"
            );
        }
        assert!(loaded(2, usize::MAX, usize::MAX, 10).is_ok());
    }
}
