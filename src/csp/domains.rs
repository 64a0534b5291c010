//! The state of a network: the values that each variable has left, and the trail that restores
//! them.

use std::fmt;
use std::sync::Arc;

use super::Variable;
use super::layout::{Layout, Slot};
use super::trail::{Change, NOTHING};

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
    /// [`length`](Self::length) is left over.
    pub(super) trail: Vec<Change>,
    pub(super) length: usize,
    /// How much of the trail propagation has followed up and, in the lowest bits, at which level;
    /// or [`NOTHING`] if not even the root has been looked at.
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
        Domains { layout, one_word, words, trail: Vec::new(), length: 0, propagated: NOTHING }
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

    fn wide_words(&self, slot: &Slot) -> &[u64] {
        &self.words[slot.range()]
    }

    /// Takes a value away from a variable; true if it was there.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if nothing is left.
    #[inline]
    pub fn remove(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        match self.layout.slot(variable).place(value) {
            Some((word, bit)) => self.strike(variable, word, bit),
            None => self.unchanged(variable),
        }
    }

    /// Leaves a variable this one value; true if there were others.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if the value is not there, so that nothing is left.
    pub fn assign(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        let slot = self.layout.slot(variable);
        let place = slot.place(value);
        let mut changed = false;
        for word in slot.range() {
            let kept = place.map_or(0, |(of, bit)| if of == word { bit } else { 0 });
            changed |= self.drop_values(variable, word, !kept);
        }
        self.result(variable, changed)
    }

    /// Takes away all values below `value`; true if there were any.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if nothing is left.
    pub fn at_least(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        let below = i64::from(value) - i64::from(self.layout.slot(variable).base);
        self.strike_words(variable, |first| match below - first {
            ..=0 => 0,
            count @ 1..64 => u64::MAX >> (64 - count),
            _ => u64::MAX,
        })
    }

    /// Takes away all values above `value`; true if there were any.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if nothing is left.
    pub fn at_most(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        let last = i64::from(value) - i64::from(self.layout.slot(variable).base);
        self.strike_words(variable, |first| match last - first {
            ..0 => u64::MAX,
            bit @ 0..63 => u64::MAX << (bit + 1),
            _ => 0,
        })
    }

    /// Takes away the values that `keep` does not keep; true if there were any. Cost: a call a
    /// value.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if nothing is left.
    pub fn retain(
        &mut self,
        variable: Variable,
        mut keep: impl FnMut(i32) -> bool,
    ) -> Result<bool, Wipeout> {
        let slot = self.layout.slot(variable);
        let mut changed = false;
        for (index, word) in slot.range().enumerate() {
            let first = slot.base.wrapping_add((index * 64) as i32);
            let lost = Bits(self.words[word]).filter(|&bit| !keep(first.wrapping_add(bit as i32)));
            let lost = lost.fold(0, |lost, bit| lost | 1 << bit);
            changed |= self.drop_values(variable, word, lost);
        }
        self.result(variable, changed)
    }

    /// Takes away the values of `mask(i)` in the word that begins with bit i of the variable.
    fn strike_words(
        &mut self,
        variable: Variable,
        mask: impl Fn(i64) -> u64,
    ) -> Result<bool, Wipeout> {
        let mut changed = false;
        for (index, word) in self.layout.slot(variable).range().enumerate() {
            changed |= self.drop_values(variable, word, mask(index as i64 * 64));
        }
        self.result(variable, changed)
    }

    /// Takes the values of `mask` away from a word of a variable; true if there were any.
    #[inline]
    pub(super) fn strike(
        &mut self,
        variable: Variable,
        word: usize,
        mask: u64,
    ) -> Result<bool, Wipeout> {
        let changed = self.drop_values(variable, word, mask);
        self.result(variable, changed)
    }

    #[inline]
    fn drop_values(&mut self, variable: Variable, word: usize, mask: u64) -> bool {
        let lost = self.words[word] & mask;
        if lost == 0 {
            return false;
        }
        self.set(word, self.words[word] ^ lost);
        let slot = self.layout.slot(variable);
        if !slot.is_one_word() {
            let size = slot.offset as usize;
            self.set(size, self.words[size] - u64::from(lost.count_ones()));
        }
        true
    }

    #[inline]
    fn result(&self, variable: Variable, changed: bool) -> Result<bool, Wipeout> {
        if self.is_wiped_out(variable) { Err(Wipeout(variable)) } else { Ok(changed) }
    }

    fn unchanged(&self, variable: Variable) -> Result<bool, Wipeout> {
        self.result(variable, false)
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
            length: self.length,
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
