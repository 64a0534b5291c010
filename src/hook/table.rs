//! A hash table of bounded size that evicts approximately the least recently used entries.

use std::hash::Hash;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::FxHashMap;

use crate::memory::{headroom, is_available};

/// A value of a table, which may count as several entries.
pub trait Weight {
    /// Returns the number of entries that the value counts as.
    fn weight(&self) -> usize;

    /// Returns the bytes of heap memory that the value owns.
    fn heap_bytes(&self) -> usize {
        0
    }
}

impl Weight for () {
    fn weight(&self) -> usize {
        1
    }
}

impl<T> Weight for Option<T> {
    fn weight(&self) -> usize {
        1
    }
}

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
    half: usize,
    evicted: u64,
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

    /// Returns the largest weight of a single value: half the capacity.
    pub(crate) fn half(&self) -> usize {
        self.half
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> u64 {
        (self.young.weight + self.old.weight) as u64
    }

    /// Returns the number of entries that were evicted.
    pub(crate) fn evicted(&self) -> u64 {
        self.evicted
    }

    /// Counts entries that a value has dropped by itself as evicted.
    pub(crate) fn count_evicted(&mut self, entries: u64) {
        self.evicted += entries;
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
        for generation in [&mut self.young, &mut self.old] {
            if let Some((key, value)) = generation.map.remove_entry(key) {
                generation.weight -= value.weight();
                generation.heap -= (self.key_heap_bytes)(&key) + value.heap_bytes();
                return Some(value);
            }
        }
        None
    }

    /// Inserts a key or replaces its value. Without memory for it, older entries are evicted; if
    /// that does not suffice, the new one is dropped.
    pub(crate) fn put(&mut self, key: K, value: V) {
        let weight = value.weight();
        let heap = (self.key_heap_bytes)(&key) + value.heap_bytes();
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
        if !self.old.map.is_empty()
            && let Some((replaced_key, replaced)) = self.old.map.remove_entry(&key)
        {
            self.old.weight -= replaced.weight();
            self.old.heap -= (self.key_heap_bytes)(&replaced_key) + replaced.heap_bytes();
        }
        self.young.weight += weight;
        let (key_heap, value_heap) = ((self.key_heap_bytes)(&key), value.heap_bytes());
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
        // Relaxed: as in `limit_memory`.
        let max_bytes = self.max_bytes.load(Ordering::Relaxed);
        let map = &mut self.young.map;
        let mut needed = (self.young.heap + own).saturating_add(bytes_of::<K, V>(map.capacity()));
        let is_full = map.len() == map.capacity();
        if is_full {
            needed =
                needed.saturating_add(bytes_of::<K, V>(map.capacity().saturating_mul(2).max(1)));
        }
        if needed > max_bytes / 2 {
            return false;
        }
        !is_full || (map.try_reserve(1).is_ok() && is_available(headroom(max_bytes).min(needed)))
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
    use super::*;

    #[test]
    fn a_table_keeps_as_many_entries_as_its_capacity() {
        let mut table = Table::new(10);
        for key in 0..10u32 {
            table.put(key, Some(key));
        }
        assert_eq!((table.len(), table.evicted()), (10, 0));
        for key in (0..10).rev() {
            assert_eq!(table.get(&key), Some(&Some(key)));
        }
        assert_eq!((table.len(), table.evicted()), (10, 0));
    }

    #[test]
    fn evicted_entries_are_counted() {
        for capacity in 0..9 {
            let mut table = Table::new(capacity);
            for key in 0..100u32 {
                table.put(key, ());
                assert_eq!(table.get(&key), Some(&()), "what was just put is there");
                assert!(table.len() <= capacity.max(2) as u64);
                assert_eq!(table.len() + table.evicted(), u64::from(key) + 1);
            }
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

    #[test]
    fn replacing_a_value_keeps_the_count() {
        let mut table = Table::new(4);
        for value in 0..100 {
            table.put("key", Some(value));
        }
        assert_eq!(table.get(&"key"), Some(&Some(99)));
        assert_eq!((table.len(), table.take(&"key"), table.len()), (1, Some(Some(99)), 0));
    }
}
