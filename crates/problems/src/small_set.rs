//! Sets of numbers below 256: [`SmallSet`].

use std::ops::{BitAnd, BitOr, Not};

/// The number of bits of a word.
const BITS: usize = u64::BITS as usize;

/// A set of numbers below 256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SmallSet([u64; 4]);

impl SmallSet {
    /// Creates the set of the numbers below `end`, which is at most 256.
    pub(crate) fn below(end: usize) -> Self {
        SmallSet(std::array::from_fn(|word| match end.saturating_sub(word * BITS) {
            count @ 0..BITS => (1 << count) - 1,
            _ => u64::MAX,
        }))
    }

    /// Creates the set of one number.
    pub(crate) fn of(number: usize) -> Self {
        let mut set = SmallSet::default();
        set.0[number / BITS] = 1 << (number % BITS);
        set
    }

    /// Returns the set without a number.
    pub(crate) fn without(self, number: usize) -> Self {
        self & !SmallSet::of(number)
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.0[number / BITS] >> (number % BITS) & 1 == 1
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the numbers in ascending order.
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..).zip(self.0).flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
                (bit < u64::BITS).then_some(word * BITS + bit as usize)
            })
        })
    }
}

impl BitAnd for SmallSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        SmallSet(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl BitOr for SmallSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        SmallSet(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl Not for SmallSet {
    type Output = Self;

    fn not(self) -> Self {
        SmallSet(self.0.map(|word| !word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_its_numbers_in_order() {
        for end in [0, 1, 63, 64, 65, 128, 200, 255, 256] {
            let set = SmallSet::below(end);
            assert!(set.iter().eq(0..end), "{end}");
            assert_eq!(set.len(), end);
            assert_eq!((!set).len(), 256 - end);
            for number in (0..end).step_by(31) {
                let rest = set.without(number);
                assert!(set.contains(number) && !rest.contains(number) && rest.len() + 1 == end);
                assert_eq!(rest | SmallSet::of(number), set);
                assert_eq!(rest & SmallSet::of(number), SmallSet::default());
            }
        }
    }
}
