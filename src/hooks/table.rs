//! A hash table of bounded size, which forgets what was not used for long.

use std::hash::Hash;
use std::mem;

use rustc_hash::FxHashMap;

/// How many entries a value counts for.
pub(crate) trait Weight {
    fn weight(&self) -> usize;
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
}

impl<K, V> Default for Generation<K, V> {
    fn default() -> Self {
        Generation { map: FxHashMap::default(), weight: 0 }
    }
}

/// Two generations of entries, each of at most half the capacity. When the young one is full, the old one is dropped as
/// a whole and the young one becomes old; an old entry that is asked for becomes young again as long as there is room.
///
/// This approximates the eviction of what was least recently used, at no cost an entry: no list, no clock, no tombstones.
#[derive(Clone, Debug)]
pub(crate) struct Table<K, V> {
    young: Generation<K, V>,
    old: Generation<K, V>,
    half: usize,
    evicted: u64,
}

impl<K: Hash + Eq, V: Weight> Table<K, V> {
    /// A table of at most `capacity` entries; less than 2 counts as 2. Nothing is allocated beforehand.
    pub(crate) fn new(capacity: usize) -> Self {
        Table { young: Generation::default(), old: Generation::default(), half: (capacity / 2).max(1), evicted: 0 }
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
            let weight = value.weight();
            if self.young.weight + weight > self.half {
                return self.old.map.get(key);
            }
            if let Some((key, value)) = self.old.map.remove_entry(key) {
                self.old.weight -= weight;
                self.young.weight += weight;
                return Some(self.young.map.entry(key).or_insert(value));
            }
        }
        self.young.map.get(key)
    }

    /// Takes the value of a key out of the table.
    pub(crate) fn take(&mut self, key: &K) -> Option<V> {
        for generation in [&mut self.young, &mut self.old] {
            if let Some(value) = generation.map.remove(key) {
                generation.weight -= value.weight();
                return Some(value);
            }
        }
        None
    }

    /// Puts in a key that is not there, or replaces its value.
    pub(crate) fn put(&mut self, key: K, value: V) {
        let weight = value.weight();
        if self.young.weight + weight > self.half {
            let young = mem::take(&mut self.young);
            self.evicted += mem::replace(&mut self.old, young).weight as u64;
        }
        if !self.old.map.is_empty()
            && let Some(replaced) = self.old.map.remove(&key)
        {
            self.old.weight -= replaced.weight();
        }
        self.young.weight += weight;
        if let Some(replaced) = self.young.map.insert(key, value) {
            self.young.weight -= replaced.weight();
        }
    }
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
