//! The state of a network: the values that each variable has left, and the trail that restores
//! them.

use std::fmt;
use std::sync::Arc;

use super::Variable;
use super::layout::{Layout, Slot};

/// Propagation has not even looked at the root.
pub(super) const NOT_PROPAGATED: usize = 0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) word: u32,
    pub(super) before: u64,
}

/// The values that are left to each variable: the state of a search over a
/// [`Network`](super::Network), and what propagators read and tighten.
///
/// Whatever is taken away is written on a *trail*, and comes back when the step is undone, in time
/// proportional to what was taken away. A domain whose values span at most 64 integers is one
/// machine word; a wider one is a row of words and a count.
///
/// A variable is *assigned* when one value is left to it. It is *instantiated* when a decision, or
/// propagation that follows up such things, has taken notice of that: forward checking does not
/// look at a variable before a decision has been made about it, even if one value is left. A
/// variable that is not instantiated is *open*.
///
/// # Panics
///
/// All methods that take a variable panic if it belongs to a larger network.
pub struct Domains {
    pub(super) layout: Arc<Layout>,
    /// Whether word x is all there is of variable x, so that nothing need be looked up.
    pub(super) one_word: bool,
    pub(super) words: Vec<u64>,
    /// Words that were changed, with what they were; what lies behind the first
    /// [`length`](Self::trail_length) is left over.
    pub(super) trail: Vec<Change>,
    pub(super) trail_length: usize,
    /// How much of the trail propagation has followed up and, in the lowest bits, at which level;
    /// or [`NOT_PROPAGATED`] if not even the root has been looked at.
    pub(super) propagated: usize,
}

/// A variable has no value left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wipeout(pub Variable);

impl fmt::Display for Wipeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no value is left to variable {}", self.0.index())
    }
}

impl std::error::Error for Wipeout {}

impl Domains {
    pub(super) fn new(layout: Arc<Layout>, words: Vec<u64>) -> Self {
        let one_word = layout.one_word;
        Domains {
            layout,
            one_word,
            words,
            trail: Vec::new(),
            trail_length: 0,
            propagated: NOT_PROPAGATED,
        }
    }

    /// The number of variables.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.layout.slots.len()
    }

    /// The number of values left to a variable.
    #[must_use]
    #[inline]
    pub fn size(&self, variable: Variable) -> usize {
        if self.one_word {
            return self.words[variable.index()].count_ones() as usize;
        }
        let slot = self.layout.slot(variable);
        let word = self.words[slot.offset as usize];
        if slot.is_one_word() { word.count_ones() as usize } else { word as usize }
    }

    /// Whether exactly one value is left to a variable.
    #[must_use]
    #[inline]
    pub fn is_assigned(&self, variable: Variable) -> bool {
        if self.one_word {
            return self.words[variable.index()].is_power_of_two();
        }
        let slot = self.layout.slot(variable);
        let word = self.words[slot.offset as usize];
        if slot.is_one_word() { word.is_power_of_two() } else { word == 1 }
    }

    /// Whether no value is left to a variable.
    #[must_use]
    #[inline]
    pub fn is_wiped_out(&self, variable: Variable) -> bool {
        // Zero in the first word says so, be it values or their number.
        let word = if self.one_word {
            variable.index()
        } else {
            self.layout.slot(variable).offset as usize
        };
        self.words[word] == 0
    }

    /// Whether the variable waits for a decision, though one value may be left to it.
    #[must_use]
    #[inline]
    pub fn is_open(&self, variable: Variable) -> bool {
        let index = variable.index();
        self.words[self.layout.open + index / 64] >> (index % 64) & 1 != 0
    }

    /// The variables that wait for a decision, in ascending order.
    #[inline]
    pub fn open(&self) -> impl Iterator<Item = Variable> + '_ {
        self.words[self.layout.open..].iter().enumerate().flat_map(|(index, &word)| {
            Bits(word).map(move |bit| Variable::new(index * 64 + bit as usize))
        })
    }

    /// The one value left to a variable, if it is assigned.
    #[must_use]
    #[inline]
    pub fn value(&self, variable: Variable) -> Option<i32> {
        if self.is_assigned(variable) { self.min(variable) } else { None }
    }

    /// The smallest value left, or `None` if there is none.
    #[must_use]
    #[inline]
    pub fn min(&self, variable: Variable) -> Option<i32> {
        let slot = self.layout.slot(variable);
        let index = if slot.is_one_word() {
            let word = self.words[slot.offset as usize];
            (word != 0).then(|| word.trailing_zeros() as usize)
        } else {
            first_bit(self.wide_words(&slot), 0)
        };
        // No bit stands for a value beyond 32 bits.
        index.map(|index| slot.base.wrapping_add(index as i32))
    }

    /// The largest value left, or `None` if there is none.
    #[must_use]
    #[inline]
    pub fn max(&self, variable: Variable) -> Option<i32> {
        let slot = self.layout.slot(variable);
        let index = if slot.is_one_word() {
            let word = self.words[slot.offset as usize];
            (word != 0).then(|| 63 - word.leading_zeros() as usize)
        } else {
            let words = self.wide_words(&slot);
            let last = words.iter().rposition(|&word| word != 0);
            last.map(|last| last * 64 + 63 - words[last].leading_zeros() as usize)
        };
        index.map(|index| slot.base.wrapping_add(index as i32))
    }

    /// Whether `value` is left to a variable.
    #[must_use]
    #[inline]
    pub fn contains(&self, variable: Variable, value: i32) -> bool {
        match self.layout.slot(variable).place(value) {
            Some((word, bit)) => self.words[word] & bit != 0,
            None => false,
        }
    }

    /// The smallest value left that is not below `value`.
    #[must_use]
    #[inline]
    pub fn next_value(&self, variable: Variable, value: i32) -> Option<i32> {
        let slot = self.layout.slot(variable);
        let from = usize::try_from(i64::from(value) - i64::from(slot.base)).unwrap_or(0);
        let index = if slot.is_one_word() {
            let rest =
                if from < 64 { self.words[slot.offset as usize] & (u64::MAX << from) } else { 0 };
            (rest != 0).then(|| rest.trailing_zeros() as usize)
        } else {
            first_bit(self.wide_words(&slot), from)
        };
        index.map(|index| slot.base.wrapping_add(index as i32))
    }

    /// The values left to a variable, in ascending order.
    pub fn values(&self, variable: Variable) -> impl Iterator<Item = i32> + '_ {
        let slot = self.layout.slot(variable);
        self.words[slot.range()].iter().enumerate().flat_map(move |(index, &word)| {
            Bits(word).map(move |bit| slot.base.wrapping_add((index * 64) as i32 + bit as i32))
        })
    }

    /// Calls `visit` with each open variable and the number of values left to it, in ascending
    /// order.
    #[inline]
    pub(super) fn for_each_open(&self, mut visit: impl FnMut(Variable, usize)) {
        for (index, &word) in self.words[self.layout.open..].iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let variable = Variable::new(index * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
                visit(variable, self.size(variable));
            }
        }
    }

    /// The words that hold the values of a variable, and the value that the first bit stands for.
    #[inline]
    pub(super) fn value_words(&self, variable: Variable) -> (i32, &[u64]) {
        let slot = self.layout.slot(variable);
        (slot.base, &self.words[slot.range()])
    }

    /// Which of the 64 values from `first` on are left to a variable: the lowest bit stands for
    /// `first`.
    ///
    /// So that a propagator can join or compare many small domains by single instructions. Cost: a
    /// few of them.
    #[must_use]
    #[inline]
    pub fn mask_from(&self, variable: Variable, first: i32) -> u64 {
        let (base, words) = self.value_words(variable);
        // The first of the 64 bits, among those of the variable.
        let from = i64::from(first) - i64::from(base);
        if let (0, [word]) = (from, words) {
            return *word;
        }
        let word = |index: i64| {
            usize::try_from(index).ok().and_then(|index| words.get(index)).copied().unwrap_or(0)
        };
        let (index, shift) = (from.div_euclid(64), from.rem_euclid(64));
        let low = word(index) >> shift;
        if shift == 0 { low } else { low | word(index + 1) << (64 - shift) }
    }

    /// The change at `index` on the trail.
    #[inline]
    pub(super) fn change(&self, index: usize) -> Change {
        self.trail[index]
    }

    /// The changes from `from` on.
    #[inline]
    pub(super) fn changes(&self, from: usize) -> &[Change] {
        &self.trail[from..self.trail_length]
    }

    fn wide_words(&self, slot: &Slot) -> &[u64] {
        &self.words[slot.range()]
    }
}

impl Clone for Domains {
    /// Without what is left over behind the end of the trail: breadth-first search keeps a clone
    /// for each node that waits.
    fn clone(&self) -> Self {
        Domains {
            layout: Arc::clone(&self.layout),
            one_word: self.one_word,
            words: self.words.clone(),
            trail: self.changes(0).to_vec(),
            trail_length: self.trail_length,
            propagated: self.propagated,
        }
    }
}

impl PartialEq for Domains {
    /// Whether the same values are left, by the same changes.
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
            && self.changes(0) == other.changes(0)
            && self.propagated == other.propagated
    }
}

impl fmt::Debug for Domains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variables = (0..self.variables()).map(Variable::new);
        f.debug_list()
            .entries(variables.map(|variable| self.values(variable).collect::<Vec<_>>()))
            .finish()
    }
}

/// Returns the position of the first bit set at or above `from`, bit 0 being the lowest of the
/// first word.
fn first_bit(words: &[u64], from: usize) -> Option<usize> {
    let (mut index, mut mask) = (from / 64, u64::MAX << (from % 64));
    loop {
        let word = *words.get(index)? & mask;
        if word != 0 {
            return Some(index * 64 + word.trailing_zeros() as usize);
        }
        (index, mask) = (index + 1, u64::MAX);
    }
}

/// The positions of the bits that are set, in ascending order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits(pub(super) u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let bit = (self.0 != 0).then(|| self.0.trailing_zeros());
        self.0 &= self.0.wrapping_sub(1);
        bit
    }
}

#[cfg(test)]
mod tests {
    use crate::csp::Model;
    use crate::problem::Problem;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_mask_has_the_bits_of_the_values(
            values in prop::collection::vec(-150..150_i32, 0..12),
            first in prop_oneof![-300..300_i32, Just(i32::MIN), Just(i32::MAX)],
        ) {
            let mut model = Model::new();
            let variable = model.variable(values).expect("a narrow domain");
            let network = model.build();
            let domains = network.root();
            let expected = (0..64).filter(|&bit| {
                first.checked_add(bit).is_some_and(|value| domains.contains(variable, value))
            });
            prop_assert_eq!(domains.mask_from(variable, first), expected.fold(0, |mask, bit| mask | 1 << bit));
        }
    }
}
