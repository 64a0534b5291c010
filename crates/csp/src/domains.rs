//! The state of a network, the remaining values of each variable; and decisions, the steps down the
//! search tree.
//!
//! [`Domains`] and its queries are in this file; the operations that change it are in the trail.

use std::fmt;
use std::iter;
use std::sync::Arc;

use super::Variable;
use super::variable::{Ends, Layout, Slot};

/// The value of [`Domains::propagated`] before the root has been propagated.
pub(super) const NOT_PROPAGATED: usize = 0;

/// A change of a word: its index and its previous content, in 12 bytes instead of 16, because long
/// trails are limited by memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, packed(4))]
pub(super) struct Change {
    pub(super) word: u32,
    pub(super) before: u64,
}

/// The remaining values of each variable: the state of a search over a [`Network`](super::Network),
/// which propagators read and prune.
///
/// Every change is recorded on a *trail* and is undone when the search backtracks, in time
/// proportional to the number of changes. A domain whose values span at most 64 integers is one
/// machine word; a wider one is a bit for each value, the number of values, and the bounds, which
/// move without touching the bits.
///
/// A variable is *assigned* when one value remains. It is *instantiated* when a decision, or
/// propagation to a fixpoint, has acted on its assignment: forward checking ignores a variable
/// until a decision has been taken about it, even if one value remains. A variable that is not
/// instantiated is *open*.
///
/// # Panics
///
/// A method that takes a variable panics if the network has no such variable, because it belongs to
/// a larger network. Only [`is_open`](Self::is_open) may return `false` instead.
pub struct Domains {
    pub(super) layout: Arc<Layout>,
    /// The number of variables if every domain is one word, and 0 otherwise. Word `x` below this
    /// number is the domain of variable `x`, without a lookup; the words from this number on are
    /// not domains.
    pub(super) single_words: usize,
    pub(super) words: Vec<u64>,
    /// The changed words with their previous contents. Entries beyond the first
    /// [`trail_length`](Self::trail_length) are stale and only keep their memory.
    pub(super) trail: Vec<Change>,
    pub(super) trail_length: usize,
    /// The number of trail entries that have been propagated and, in the lowest bits, the level of
    /// propagation; [`NOT_PROPAGATED`] if the root has not been propagated yet.
    pub(super) propagated: usize,
}

/// The error of propagation that has found a contradiction. It names the variable that has no value
/// left or, if a constraint failed for another reason, any variable of this constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wipeout(pub Variable);

/// The result of pruning that may leave a variable without a value.
pub(super) type Pruned = Result<(), Wipeout>;

impl fmt::Display for Wipeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no value of variable {} satisfies the constraints", self.0.index())
    }
}

impl std::error::Error for Wipeout {}

impl Domains {
    pub(super) fn new(layout: Arc<Layout>, words: Vec<u64>) -> Self {
        let single_words = if layout.one_word { layout.slots.len() } else { 0 };
        Domains {
            layout,
            single_words,
            words,
            trail: Vec::new(),
            trail_length: 0,
            propagated: NOT_PROPAGATED,
        }
    }

    /// Returns the number of variables.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.layout.slots.len()
    }

    /// Returns the number of remaining values of a variable.
    #[must_use]
    #[inline]
    pub fn size(&self, variable: Variable) -> usize {
        if variable.index() < self.single_words {
            return self.words[variable.index()].count_ones() as usize;
        }
        let slot = self.layout.slot(variable);
        let word = self.words[slot.offset as usize];
        if slot.is_one_word() { word.count_ones() as usize } else { word as usize }
    }

    /// Returns whether exactly one value of a variable remains.
    #[must_use]
    #[inline]
    pub fn is_assigned(&self, variable: Variable) -> bool {
        if variable.index() < self.single_words {
            return self.words[variable.index()].is_power_of_two();
        }
        let slot = self.layout.slot(variable);
        let word = self.words[slot.offset as usize];
        if slot.is_one_word() { word.is_power_of_two() } else { word == 1 }
    }

    /// Returns whether no value of a variable remains.
    #[must_use]
    #[inline]
    pub fn is_wiped_out(&self, variable: Variable) -> bool {
        // The first word holds either the values or their number; it is zero in both cases.
        let word = if variable.index() < self.single_words {
            variable.index()
        } else {
            self.layout.slot(variable).offset as usize
        };
        self.words[word] == 0
    }

    /// Returns whether the variable is open: no decision about it has been acted on, although a
    /// single value may remain.
    #[must_use]
    #[inline]
    pub fn is_open(&self, variable: Variable) -> bool {
        let index = variable.index();
        self.words[self.layout.open + index / 64] >> (index % 64) & 1 != 0
    }

    /// Returns the open variables in ascending order.
    #[inline]
    pub fn open_variables(&self) -> impl Iterator<Item = Variable> + '_ {
        let mut words = self.words[self.layout.open..].iter().enumerate();
        let (mut index, mut bits) = (0, Bits(0));
        // A `flat_map` is not inlined, and takes twice as many instructions.
        iter::from_fn(move || {
            loop {
                if let Some(bit) = bits.next() {
                    return Some(Variable::new(index * 64 + bit as usize));
                }
                let (next, &word) = words.next()?;
                (index, bits) = (next, Bits(word));
            }
        })
    }

    /// Returns the value of a variable if it is assigned.
    #[must_use]
    #[inline]
    pub fn value(&self, variable: Variable) -> Option<i32> {
        if self.is_assigned(variable) { self.min(variable) } else { None }
    }

    /// Returns the smallest remaining value, or `None` if there is none.
    #[must_use]
    #[inline]
    pub fn min(&self, variable: Variable) -> Option<i32> {
        self.bounds(variable).map(|(min, _)| min)
    }

    /// Returns the largest remaining value, or `None` if there is none.
    #[must_use]
    #[inline]
    pub fn max(&self, variable: Variable) -> Option<i32> {
        self.bounds(variable).map(|(_, max)| max)
    }

    /// Returns the smallest and the largest remaining value, or `None` if there is none. The time
    /// is constant.
    #[must_use]
    #[inline]
    pub fn bounds(&self, variable: Variable) -> Option<(i32, i32)> {
        let slot = self.layout.slot(variable);
        if slot.is_one_word() {
            return slot.bounds_in(self.words[slot.offset as usize]);
        }
        self.ends(slot).map(|ends| slot.bounds_of(ends))
    }

    /// Returns the positions of the smallest and the largest remaining value of a wide domain, or
    /// `None` if no value remains.
    #[inline]
    pub(super) fn ends(&self, slot: Slot) -> Option<Ends> {
        (self.words[slot.size()] != 0).then(|| Ends::of(self.words[slot.ends()]))
    }

    /// Returns whether `value` remains in the domain of a variable.
    #[must_use]
    #[inline]
    pub fn contains(&self, variable: Variable, value: i32) -> bool {
        let slot = self.layout.slot(variable);
        match slot.place(value) {
            Some((word, bit)) if self.words[word] & bit != 0 => {
                slot.is_one_word() || self.is_between_ends(slot, value)
            }
            _ => false,
        }
    }

    fn is_between_ends(&self, slot: Slot, value: i32) -> bool {
        let position = value.abs_diff(slot.base);
        self.ends(slot).is_some_and(|ends| (ends.low..=ends.high).contains(&position))
    }

    /// Returns the smallest remaining value that is at least `value`.
    #[must_use]
    #[inline]
    pub fn next_value(&self, variable: Variable, value: i32) -> Option<i32> {
        let slot = &self.layout.slots[variable.index()];
        let from = usize::try_from(i64::from(value) - i64::from(slot.base)).unwrap_or(0);
        let index = if slot.is_one_word() {
            let rest =
                if from < 64 { self.words[slot.offset as usize] & (u64::MAX << from) } else { 0 };
            (rest != 0).then(|| rest.trailing_zeros() as usize)
        } else {
            self.next_in_wide(*slot, from)
        };
        index.map(|index| slot.base.wrapping_add(index as i32))
    }

    /// Returns the largest remaining value that is at most `value`.
    pub(super) fn previous_value(&self, variable: Variable, value: i32) -> Option<i32> {
        let slot = self.layout.slot(variable);
        let from = usize::try_from(i64::from(value) - i64::from(slot.base)).ok()?;
        let index = if slot.is_one_word() {
            last_bit(&self.words[slot.range()], from.min(63))?
        } else {
            let ends = self.ends(slot)?;
            last_bit(&self.words[slot.range()], from.min(ends.high as usize))
                .filter(|&index| index >= ends.low as usize)?
        };
        Some(slot.base.wrapping_add(index as i32))
    }

    /// Returns the remaining values of a variable in ascending order.
    pub fn values(&self, variable: Variable) -> impl Iterator<Item = i32> + '_ {
        let base = self.layout.slot(variable).base;
        self.value_words(variable).flat_map(move |(first, word)| {
            Bits(word).map(move |bit| base.wrapping_add(first as i32 + bit as i32))
        })
    }

    /// Returns the words of the remaining values of a variable, each with the position of its first
    /// bit. Words without values may be left out.
    #[inline]
    pub(super) fn value_words(&self, variable: Variable) -> impl Iterator<Item = (usize, u64)> {
        let slot = self.layout.slot(variable);
        let whole = Ends { low: 0, high: 63 };
        let ends = if slot.is_one_word() { Some(whole) } else { self.ends(slot) };
        let words = ends.map_or(0..0, |ends| ends.low as usize / 64..ends.high as usize / 64 + 1);
        let ends = ends.unwrap_or(whole);
        words
            .map(move |index| (index * 64, self.words[slot.first() + index] & between(ends, index)))
    }

    /// Returns the values of a variable among the bits of the word at `index`, counted from the
    /// first word of its values.
    #[inline]
    pub(super) fn value_word(&self, slot: Slot, index: i64) -> u64 {
        let Some(index) = usize::try_from(index).ok().filter(|&index| index < slot.words as usize)
        else {
            return 0;
        };
        let word = self.words[slot.first() + index];
        if slot.is_one_word() {
            return word;
        }
        self.ends(slot).map_or(0, |ends| word & between(ends, index))
    }

    /// Returns the remaining values of a variable among the 64 values from `first` on, as a mask
    /// whose lowest bit stands for `first`.
    ///
    /// With masks, a propagator can unite or compare many small domains in a few instructions. The
    /// cost is constant.
    #[must_use]
    #[inline]
    pub fn mask_from(&self, variable: Variable, first: i32) -> u64 {
        let slot = self.layout.slot(variable);
        // The position of the mask's first bit among the bits of the variable.
        let from = i64::from(first) - i64::from(slot.base);
        if from == 0 && slot.is_one_word() {
            return self.words[slot.offset as usize];
        }
        let word = |index| self.value_word(slot, index);
        let (index, shift) = (from.div_euclid(64), from.rem_euclid(64));
        let low = word(index) >> shift;
        if shift == 0 { low } else { low | word(index + 1) << (64 - shift) }
    }

    /// Returns the change at `index` on the trail.
    #[inline]
    pub(super) fn change(&self, index: usize) -> Change {
        self.trail[index]
    }

    /// Returns the changes from index `from` on.
    #[inline]
    pub(super) fn changes(&self, from: usize) -> &[Change] {
        &self.trail[from..self.trail_length]
    }

    /// Returns the position of the first remaining value of a wide domain from position `from` on.
    // Measured: with this loop in them, the compiler no longer inlines `next_value` and the steps
    // of the walk that call it, and forward checking of queens takes a sixth more time.
    #[inline(never)]
    fn next_in_wide(&self, slot: Slot, from: usize) -> Option<usize> {
        let ends = self.ends(slot)?;
        if from > ends.high as usize {
            return None;
        }
        first_bit(&self.words[slot.range()], from.max(ends.low as usize))
    }
}

/// Returns the mask of the bits between the ends in the word at `index`, counted from the first
/// word of the values.
#[inline]
pub(super) fn between(ends: Ends, index: usize) -> u64 {
    let first = (index * 64) as u32;
    let (from, to) = (ends.low.saturating_sub(first), ends.high.checked_sub(first));
    match to {
        Some(to) if from < 64 => u64::MAX << from & u64::MAX >> (63 - to.min(63)),
        _ => 0,
    }
}

impl Clone for Domains {
    /// Clones without the stale entries beyond the end of the trail, because breadth-first search
    /// keeps a clone for each open node.
    fn clone(&self) -> Self {
        Domains {
            layout: Arc::clone(&self.layout),
            single_words: self.single_words,
            words: self.words.clone(),
            trail: self.changes(0).to_vec(),
            trail_length: self.trail_length,
            propagated: self.propagated,
        }
    }
}

impl PartialEq for Domains {
    /// Compares the remaining values and the changes that led to them.
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
pub(super) fn first_bit(words: &[u64], from: usize) -> Option<usize> {
    let (mut index, mut mask) = (from / 64, u64::MAX << (from % 64));
    loop {
        let word = *words.get(index)? & mask;
        if word != 0 {
            return Some(index * 64 + word.trailing_zeros() as usize);
        }
        (index, mask) = (index + 1, u64::MAX);
    }
}

/// Returns the position of the last bit set at or below `from`.
pub(super) fn last_bit(words: &[u64], from: usize) -> Option<usize> {
    let mut mask = u64::MAX >> (63 - from % 64);
    for index in (0..=from / 64).rev() {
        let word = words[index] & mask;
        if word != 0 {
            return Some(index * 64 + 63 - word.leading_zeros() as usize);
        }
        mask = u64::MAX;
    }
    None
}

/// An iterator over the positions of the set bits of a word, in ascending order.
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

/// A decision about one variable, taken at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Decision {
    /// The variable is assigned this value.
    Is(Variable, i32),
    /// The variable is at most this value.
    AtMost(Variable, i32),
    /// The variable is at least this value.
    AtLeast(Variable, i32),
}

impl Decision {
    /// Returns the variable that the decision is about.
    #[must_use]
    #[inline]
    pub fn variable(self) -> Variable {
        match self {
            Decision::Is(variable, _)
            | Decision::AtMost(variable, _)
            | Decision::AtLeast(variable, _) => variable,
        }
    }

    /// Returns the decision without its variable, as in `= 3`.
    pub(super) fn relation(self) -> String {
        match self {
            Decision::Is(_, value) => format!("= {value}"),
            Decision::AtMost(_, value) => format!("≤ {value}"),
            Decision::AtLeast(_, value) => format!("≥ {value}"),
        }
    }

    /// Prunes all values that contradict the decision. The variable is instantiated if the decision
    /// assigns it, or if one value remains.
    #[inline(always)]
    pub(super) fn apply(self, domains: &mut Domains) {
        match self {
            Decision::Is(variable, value) => domains.decide(variable, value),
            Decision::AtMost(variable, value) => domains.decide_between(variable, i32::MIN, value),
            Decision::AtLeast(variable, value) => domains.decide_between(variable, value, i32::MAX),
        }
    }

    /// Returns whether all remaining values of the variable satisfy the decision, and there is one.
    pub(super) fn holds(self, domains: &Domains) -> bool {
        match self {
            Decision::Is(variable, value) => domains.value(variable) == Some(value),
            Decision::AtMost(variable, value) => {
                domains.max(variable).is_some_and(|max| max <= value)
            }
            Decision::AtLeast(variable, value) => {
                domains.min(variable).is_some_and(|min| min >= value)
            }
        }
    }

    /// Returns whether no remaining value of the variable satisfies the decision.
    pub(super) fn fails(self, domains: &Domains) -> bool {
        match self {
            Decision::Is(variable, value) => !domains.contains(variable, value),
            Decision::AtMost(variable, value) => {
                domains.min(variable).is_none_or(|min| min > value)
            }
            Decision::AtLeast(variable, value) => {
                domains.max(variable).is_none_or(|max| max < value)
            }
        }
    }

    /// Prunes all values that satisfy the decision.
    pub(super) fn forbid(self, domains: &mut Domains) -> Pruned {
        let nothing_left = Err(Wipeout(self.variable()));
        match self {
            Decision::Is(variable, value) => domains.remove(variable, value).map(|_| ()),
            Decision::AtMost(variable, value) => match value.checked_add(1) {
                Some(least) => domains.at_least(variable, least).map(|_| ()),
                None => nothing_left,
            },
            Decision::AtLeast(variable, value) => match value.checked_sub(1) {
                Some(most) => domains.at_most(variable, most).map(|_| ()),
                None => nothing_left,
            },
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "variable {} {}", self.variable().index(), self.relation())
    }
}

#[cfg(test)]
mod tests {
    use crate::Model;
    use proptest::prelude::*;
    use secateurs::Problem;

    proptest! {
        #[test]
        fn mask_from_has_the_bits_of_the_remaining_values(
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
            let expected = expected.fold(0, |mask, bit| mask | 1 << bit);
            prop_assert_eq!(domains.mask_from(variable, first), expected);
        }
    }
}
