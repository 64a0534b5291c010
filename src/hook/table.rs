//! A hash table of bounded size, which forgets what was not used for long.

use std::hash::Hash;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::FxHashMap;

use crate::memory::{headroom, is_available};

/// How many entries a value counts for.
pub(crate) trait Weight {
    fn weight(&self) -> usize;

    /// Bytes of heap that it owns.
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

/// A half of the table.
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

/// Two generations of entries, each of at most half the capacity. When the young one is full, the
/// old one is dropped as a whole and the young one becomes old; an old entry that is asked for
/// becomes young again as long as there is room.
///
/// This approximates the eviction of what was least recently used, at no cost an entry: no list, no
/// clock, no tombstones.
#[derive(Debug)]
pub(crate) struct Table<K, V> {
    young: Generation<K, V>,
    old: Generation<K, V>,
    half: usize,
    evicted: u64,
    /// The most bytes of both generations.
    max_bytes: AtomicUsize,
    heap_bytes: fn(&K) -> usize,
}

impl<K: Clone, V: Clone> Clone for Table<K, V> {
    fn clone(&self) -> Self {
        Table {
            young: self.young.clone(),
            old: self.old.clone(),
            half: self.half,
            evicted: self.evicted,
            max_bytes: AtomicUsize::new(self.max_bytes.load(Ordering::Relaxed)),
            heap_bytes: self.heap_bytes,
        }
    }
}

impl<K: Hash + Eq, V: Weight> Table<K, V> {
    /// A table of at most `capacity` entries; less than 2 counts as 2. Nothing is allocated
    /// beforehand.
    pub(crate) fn new(capacity: usize) -> Self {
        Table {
            young: Generation::default(),
            old: Generation::default(),
            half: (capacity / 2).max(1),
            evicted: 0,
            max_bytes: AtomicUsize::new(usize::MAX),
            heap_bytes: |_| 0,
        }
    }

    /// The largest weight that one value may have.
    pub(crate) fn half(&self) -> usize {
        self.half
    }

    /// The entries there are now.
    pub(crate) fn len(&self) -> u64 {
        (self.young.weight + self.old.weight) as u64
    }

    /// The entries that were dropped to make room.
    pub(crate) fn evicted(&self) -> u64 {
        self.evicted
    }

    /// Counts entries as dropped that a value dropped by itself.
    pub(crate) fn count_evicted(&mut self, entries: u64) {
        self.evicted += entries;
    }

    /// The value of a key.
    pub(crate) fn get(&mut self, key: &K) -> Option<&V> {
        if !self.old.map.is_empty()
            && let Some(value) = self.old.map.get(key)
        {
            let (weight, heap) = (value.weight(), (self.heap_bytes)(key) + value.heap_bytes());
            if self.young.weight + weight > self.half || !self.has_room(heap) {
                return self.old.map.get(key);
            }
            if let Some((key, value)) = self.old.map.remove_entry(key) {
                // The key that is there may own more or less than the one that was looked up.
                let heap = (self.heap_bytes)(&key) + value.heap_bytes();
                self.old.weight -= weight;
                self.young.weight += weight;
                self.old.heap -= heap;
                self.young.heap += heap;
                return Some(self.young.map.entry(key).or_insert(value));
            }
        }
        self.young.map.get(key)
    }

    /// Takes the value of a key out of the table.
    pub(crate) fn take(&mut self, key: &K) -> Option<V> {
        for generation in [&mut self.young, &mut self.old] {
            if let Some((key, value)) = generation.map.remove_entry(key) {
                generation.weight -= value.weight();
                generation.heap -= (self.heap_bytes)(&key) + value.heap_bytes();
                return Some(value);
            }
        }
        None
    }

    /// Puts in a key that is not there, or replaces its value. Without memory for it, older ones
    /// are forgotten, or else this one.
    pub(crate) fn put(&mut self, key: K, value: V) {
        let weight = value.weight();
        let heap = (self.heap_bytes)(&key) + value.heap_bytes();
        if self.young.weight + weight > self.half || !self.has_room(heap) {
            let young = mem::take(&mut self.young);
            self.evicted += mem::replace(&mut self.old, young).weight as u64;
            if !self.has_room(heap) {
                // Not even beside the younger half: it has grown under another limit, or the system
                // has no memory left.
                self.evicted += (mem::take(&mut self.old).weight + weight) as u64;
                return;
            }
        }
        if !self.old.map.is_empty()
            && let Some((replaced_key, replaced)) = self.old.map.remove_entry(&key)
        {
            self.old.weight -= replaced.weight();
            self.old.heap -= (self.heap_bytes)(&replaced_key) + replaced.heap_bytes();
        }
        self.young.weight += weight;
        let (heap_of_key, heap) = ((self.heap_bytes)(&key), value.heap_bytes());
        self.young.heap += heap;
        match self.young.map.insert(key, value) {
            // The key that was there stays.
            Some(replaced) => {
                self.young.weight -= replaced.weight();
                self.young.heap -= replaced.heap_bytes();
            }
            None => self.young.heap += heap_of_key,
        }
    }

    /// Makes room for one more entry, which owns so many bytes of heap, in the young generation,
    /// within its half of the limit of memory. While a table grows, its old and its new memory are
    /// there at once.
    fn has_room(&mut self, own: usize) -> bool {
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

    /// Takes up no more than so many bytes from now on.
    pub(crate) fn limit_memory(&self, bytes: usize) {
        // Only a number is passed on: nothing else is ordered by it.
        self.max_bytes.store(bytes, Ordering::Relaxed);
    }

    /// Has the heap that keys own counted by a function.
    pub(crate) fn count_heap(&mut self, heap_bytes: fn(&K) -> usize) {
        self.heap_bytes = heap_bytes;
    }
}

/// The bytes of a hash table of the standard library with room for so many entries: a power of two
/// of buckets, of which seven eighths are used, with a byte each and a few more.
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
    fn as_many_as_the_capacity_are_kept() {
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
    fn what_is_dropped_is_counted() {
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
    fn what_is_used_stays() {
        let mut table = Table::new(8);
        for key in 0..100u32 {
            table.put(key, ());
            assert!(table.get(&0).is_some() || key > 0);
        }
        assert!(table.get(&0).is_some());
        assert!(table.get(&50).is_none());
    }

    #[test]
    fn replacing_counts_once() {
        let mut table = Table::new(4);
        for value in 0..100 {
            table.put("key", Some(value));
        }
        assert_eq!(table.get(&"key"), Some(&Some(99)));
        assert_eq!((table.len(), table.take(&"key"), table.len()), (1, Some(Some(99)), 0));
    }
}
