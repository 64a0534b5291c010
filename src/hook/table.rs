//! A hash table of bounded size that evicts approximately the least recently used entries.

use std::hash::Hash;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::FxHashMap;

use crate::memory::{headroom, is_available};

/// A value of a table, which may count as several entries.
pub trait Weight {
    /// Returns the number of entries that the value counts as.
    fn weight(&self) -> usize {
        1
    }

    /// Returns the bytes of heap memory that the value owns.
    fn heap_bytes(&self) -> usize {
        0
    }
}

impl Weight for () {}

/// One of the two halves of a table.
#[derive(Clone, Debug)]
struct Generation<K, V> {
    map: FxHashMap<K, V>,
    weight: usize,
    /// Bytes of heap that keys and values own.
    heap: usize,
}

impl<K, V> Default for Generation<K, V> {
    fn default() -> Self {
        Generation { map: FxHashMap::default(), weight: 0, heap: 0 }
    }
}

impl<K: Hash + Eq, V: Weight> Generation<K, V> {
    fn remove(&mut self, key: &K, key_heap_bytes: fn(&K) -> usize) -> Option<V> {
        if self.map.is_empty() {
            return None;
        }
        let (key, value) = self.map.remove_entry(key)?;
        self.weight -= value.weight();
        self.heap -= key_heap_bytes(&key) + value.heap_bytes();
        Some(value)
    }
}

/// A hash table of two generations, each of at most half the capacity. When the young generation is
/// full, the old one is dropped and the young one becomes old. A lookup moves an old entry to the
/// young generation while there is room.
///
/// This approximates least-recently-used eviction without any cost per entry: no list, no clock, no
/// tombstones.
#[derive(Debug)]
pub(crate) struct Table<K, V> {
    young: Generation<K, V>,
    old: Generation<K, V>,
    pub(crate) half: usize,
    pub(crate) evicted: u64,
    /// The largest number of bytes of both generations.
    max_bytes: AtomicUsize,
    key_heap_bytes: fn(&K) -> usize,
}

impl<K: Clone, V: Clone> Clone for Table<K, V> {
    fn clone(&self) -> Self {
        Table {
            young: self.young.clone(),
            old: self.old.clone(),
            half: self.half,
            evicted: self.evicted,
            // Relaxed: as in `limit_memory`.
            max_bytes: AtomicUsize::new(self.max_bytes.load(Ordering::Relaxed)),
            key_heap_bytes: self.key_heap_bytes,
        }
    }
}

impl<K: Hash + Eq, V: Weight> Table<K, V> {
    /// Creates a table of at most `capacity` entries; a value below 2 is treated as 2. Does not
    /// allocate.
    pub(crate) fn new(capacity: usize) -> Self {
        Table {
            young: Generation::default(),
            old: Generation::default(),
            half: (capacity / 2).max(1),
            evicted: 0,
            max_bytes: AtomicUsize::new(usize::MAX),
            key_heap_bytes: |_| 0,
        }
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> u64 {
        (self.young.weight + self.old.weight) as u64
    }

    /// Returns the value of a key.
    pub(crate) fn get(&mut self, key: &K) -> Option<&V> {
        if !self.old.map.is_empty()
            && let Some(value) = self.old.map.get(key)
        {
            let (weight, heap) = (value.weight(), (self.key_heap_bytes)(key) + value.heap_bytes());
            if self.young.weight + weight > self.half || !self.reserve_room(heap) {
                return self.old.map.get(key);
            }
            if let Some((key, value)) = self.old.map.remove_entry(key) {
                // The stored key may own more or less heap memory than the equal key of the lookup.
                let heap = (self.key_heap_bytes)(&key) + value.heap_bytes();
                self.old.weight -= weight;
                self.young.weight += weight;
                self.old.heap -= heap;
                self.young.heap += heap;
                return Some(self.young.map.entry(key).or_insert(value));
            }
        }
        self.young.map.get(key)
    }

    /// Removes the entry of a key and returns its value.
    pub(crate) fn take(&mut self, key: &K) -> Option<V> {
        let heap_bytes = self.key_heap_bytes;
        self.young.remove(key, heap_bytes).or_else(|| self.old.remove(key, heap_bytes))
    }

    /// Changes the value of a key, or the default if it has none, and keeps it afterwards as
    /// [`put`](Self::put) does. If `change` returns `None`, it must not have changed the value.
    // Out of line, so that the hook that calls it is small enough for the kernel to inline.
    #[inline(never)]
    pub(crate) fn update<T>(
        &mut self,
        key: K,
        change: impl FnOnce(&mut V) -> Option<T>,
    ) -> Option<T>
    where
        V: Default,
    {
        let Some(value) = self.young.map.get_mut(&key) else {
            return self.update_elsewhere(key, change);
        };
        let (weight, heap) = (value.weight(), value.heap_bytes());
        let result = change(value)?;
        self.young.weight = self.young.weight - weight + value.weight();
        self.young.heap = self.young.heap - heap + value.heap_bytes();
        if self.young.weight > self.half || !self.has_room(0) {
            self.renew(key);
        }
        Some(result)
    }

    /// Updates the value of a key that is not in the young generation.
    #[inline(never)]
    fn update_elsewhere<T>(&mut self, key: K, change: impl FnOnce(&mut V) -> Option<T>) -> Option<T>
    where
        V: Default,
    {
        let mut value = self.old.remove(&key, self.key_heap_bytes).unwrap_or_default();
        let result = change(&mut value);
        self.put(key, value);
        result
    }

    /// Puts the value of a key into a new young generation.
    #[cold]
    fn renew(&mut self, key: K) {
        if let Some(value) = self.take(&key) {
            self.put(key, value);
        }
    }

    /// Inserts a key or replaces its value. Without memory for it, older entries are evicted; if
    /// that does not suffice, the new one is dropped.
    pub(crate) fn put(&mut self, key: K, value: V) {
        let (key_heap, value_heap) = ((self.key_heap_bytes)(&key), value.heap_bytes());
        let (weight, heap) = (value.weight(), key_heap + value_heap);
        if self.young.weight + weight > self.half || !self.reserve_room(heap) {
            let young = mem::take(&mut self.young);
            self.evicted += mem::replace(&mut self.old, young).weight as u64;
            if !self.reserve_room(heap) {
                // No room even without the older half: the younger one has grown under another
                // limit, or the system has no memory left.
                self.evicted += (mem::take(&mut self.old).weight + weight) as u64;
                return;
            }
        }
        self.old.remove(&key, self.key_heap_bytes);
        self.young.weight += weight;
        self.young.heap += value_heap;
        match self.young.map.insert(key, value) {
            // The map keeps the key that was already there.
            Some(replaced) => {
                self.young.weight -= replaced.weight();
                self.young.heap -= replaced.heap_bytes();
            }
            None => self.young.heap += key_heap,
        }
    }

    /// Reserves room in the young generation for one more entry that owns `own` bytes of heap
    /// memory, and returns whether that stays within half of the memory limit. The other half is
    /// for the old generation. A map that grows has its old and its new memory at the same time.
    fn reserve_room(&mut self, own: usize) -> bool {
        let (len, capacity) = (self.young.map.len(), self.young.map.capacity());
        if len < capacity {
            return self.has_room(own);
        }
        let more = own.saturating_add(bytes_of::<K, V>(capacity.saturating_mul(2).max(1)));
        let needed = self.young_bytes(more);
        self.has_room(more)
            && self.young.map.try_reserve(1).is_ok()
            && is_available(headroom(self.max_bytes()).min(needed))
    }

    /// Returns whether the young generation and `more` bytes stay within half of the memory limit.
    fn has_room(&self, more: usize) -> bool {
        let max_bytes = self.max_bytes();
        // Most tables have no limit, and computing the bytes takes as long as looking up a key.
        max_bytes == usize::MAX || self.young_bytes(more) <= max_bytes / 2
    }

    fn young_bytes(&self, more: usize) -> usize {
        let map = bytes_of::<K, V>(self.young.map.capacity());
        self.young.heap.saturating_add(more).saturating_add(map)
    }

    fn max_bytes(&self) -> usize {
        // Relaxed: as in `limit_memory`.
        self.max_bytes.load(Ordering::Relaxed)
    }

    /// Limits the memory of the table to `bytes` from now on.
    pub(crate) fn limit_memory(&self, bytes: usize) {
        // Relaxed: the value is independent of all other memory. It is an atomic because
        // `Hook::limit_memory` takes `&self`, and hooks should be `Sync`.
        self.max_bytes.store(bytes, Ordering::Relaxed);
    }

    /// Sets the function that returns the heap memory of a key.
    pub(crate) fn set_key_heap_bytes(&mut self, heap_bytes: fn(&K) -> usize) {
        self.key_heap_bytes = heap_bytes;
    }
}

/// Returns the bytes of a standard hash table with room for `capacity` entries. The number of its
/// buckets is a power of two, each has a control byte, and at most seven eighths of them are used.
fn bytes_of<K, V>(capacity: usize) -> usize {
    let buckets = match capacity {
        0 => return 0,
        1..=3 => 4,
        4..=7 => 8,
        _ => (capacity.saturating_mul(8) / 7).next_power_of_two(),
    };
    buckets.saturating_mul(size_of::<(K, V)>() + 1).saturating_add(16)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    impl Weight for Vec<u8> {
        fn weight(&self) -> usize {
            self.len()
        }

        fn heap_bytes(&self) -> usize {
            self.capacity()
        }
    }

    #[test]
    fn entries_without_memory_are_counted_as_evicted() {
        let mut table = Table::new(100);
        for key in 0..20u32 {
            table.put(key, ());
        }
        // No entry fits any more.
        table.limit_memory(8);
        for key in 20..23 {
            table.put(key, ());
            assert_eq!((table.len(), table.evicted), (0, u64::from(key) + 1));
            assert_eq!(table.get(&key), None);
        }
    }

    #[test]
    fn entries_in_use_are_not_evicted() {
        let mut table = Table::new(8);
        for key in 0..100u32 {
            table.put(key, ());
            assert!(table.get(&0).is_some());
        }
        assert!(table.get(&50).is_none());
    }

    /// Calls `change` with a table, a key and random numbers again and again, with a limit of the
    /// entries and with one of the memory. After each call, weights and bytes must be those of the
    /// stored entries and within the limits.
    fn check(mut change: impl FnMut(&mut Table<Vec<u8>, Vec<u8>>, Vec<u8>, &mut fastrand::Rng)) {
        let mut random = fastrand::Rng::with_seed(8);
        for (capacity, max_bytes) in [(20, usize::MAX), (usize::MAX, 6000)] {
            let mut table = Table::new(capacity);
            table.set_key_heap_bytes(Vec::capacity);
            table.limit_memory(max_bytes);
            for _ in 0..20_000 {
                // Equal keys may own different amounts of memory.
                let mut key = Vec::with_capacity(random.usize(1..20));
                key.push(random.u8(..60));
                change(&mut table, key, &mut random);
                let mut bytes = 0;
                for half in [&table.young, &table.old] {
                    let entries = || half.map.iter();
                    let weight: usize = entries().map(|(_, list)| list.len()).sum();
                    let heap: usize =
                        entries().map(|(key, list)| key.capacity() + list.capacity()).sum();
                    assert_eq!((half.weight, half.heap), (weight, heap));
                    bytes += heap + bytes_of::<Vec<u8>, Vec<u8>>(half.map.capacity());
                }
                assert!(table.len() <= capacity as u64 && bytes <= max_bytes);
            }
            assert!(table.evicted > 0, "the limit was reached");
        }
    }

    #[test]
    fn the_value_of_a_key_is_the_last_one_or_was_evicted() {
        let mut last: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
        check(|table, key, random| match random.u8(..4) {
            0 => {
                let known = last.remove(&key);
                assert!(table.take(&key).is_none_or(|value| Some(value) == known));
            }
            1 => assert!(table.get(&key).is_none_or(|value| Some(value) == last.get(&key))),
            _ => {
                let value = vec![random.u8(..); random.usize(..4)];
                last.insert(key.clone(), value.clone());
                table.put(key, value);
            }
        });
    }

    #[test]
    fn updates_change_stored_values_and_count_what_they_evict() {
        let mut pushed = 0;
        check(|table, key, _| {
            if table.len() + table.evicted == 0 {
                pushed = 0; // a new table
            }
            let push = |list: &mut Vec<u8>| {
                (list.len() < 10).then(|| list.push(0))?;
                Some(1)
            };
            pushed += table.update(key, push).unwrap_or(0);
            assert_eq!(table.len() + table.evicted, pushed);
        });
    }
}
