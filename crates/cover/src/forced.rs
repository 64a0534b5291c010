//! The list of forced items in large covers: [`ForcedItems`].

use secateurs::vec_bytes;

/// A set of slots whose items are forced: not covered, with a single option left.
///
/// The set is a tree of bits in which a bit of a level tells whether a word of the level below has
/// any. So the first slot is found, and a slot is added or removed, in time logarithmic in the
/// number of slots, to base 64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ForcedItems {
    /// The slots, then the levels above, each with a 64th of the words. The last level is one word.
    levels: Vec<Vec<u64>>,
}

impl ForcedItems {
    /// Creates a placeholder for covers that do not use the set.
    pub fn unused() -> Self {
        ForcedItems { levels: Vec::new() }
    }

    /// Creates the set of the slots with size 1.
    pub fn of(sizes: &[u32]) -> Self {
        let mut levels = Vec::new();
        let mut words = sizes.len();
        loop {
            words = words.div_ceil(64);
            levels.push(vec![0; words]);
            if words <= 1 {
                break;
            }
        }
        let mut forced = ForcedItems { levels };
        for (slot, _) in sizes.iter().enumerate().filter(|(_, size)| **size == 1) {
            forced.insert(slot as u32);
        }
        forced
    }

    /// Returns the number of heap bytes that the set owns.
    pub fn heap_bytes(&self) -> usize {
        vec_bytes(&self.levels) + self.levels.iter().map(vec_bytes).sum::<usize>()
    }

    /// Returns the first slot of the set, which must be in use.
    pub fn first(&self) -> Option<usize> {
        self.levels.iter().rev().try_fold(0, |index, level| match level.get(index) {
            None | Some(0) => None,
            Some(word) => Some(64 * index + word.trailing_zeros() as usize),
        })
    }

    pub fn insert(&mut self, slot: u32) {
        let mut index = slot as usize;
        for level in &mut self.levels {
            let word = &mut level[index / 64];
            let was_empty = *word == 0;
            *word |= 1 << (index % 64);
            if !was_empty {
                return;
            }
            index /= 64;
        }
    }

    pub fn remove(&mut self, slot: u32) {
        let mut index = slot as usize;
        for level in &mut self.levels {
            let word = &mut level[index / 64];
            *word &= !(1 << (index % 64));
            if *word != 0 {
                return;
            }
            index /= 64;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_set_agrees_with_an_ordered_set() {
        let mut random = fastrand::Rng::with_seed(1);
        for slots in [1, 64, 65, 5000, 300_000] {
            let sizes: Vec<u32> = (0..slots).map(|_| random.u32(1..4000)).collect();
            let is_forced = |slot: &u32| sizes[*slot as usize] == 1;
            let mut expected: BTreeSet<u32> = (0..slots).filter(is_forced).collect();
            let mut forced = ForcedItems::of(&sizes);
            for _ in 0..1000 {
                assert_eq!(forced.first(), expected.first().map(|&slot| slot as usize));
                let slot = random.u32(0..slots);
                if random.bool() {
                    forced.insert(slot);
                    expected.insert(slot);
                } else if let Some(slot) = expected.pop_first() {
                    forced.remove(slot);
                }
            }
        }
    }
}
