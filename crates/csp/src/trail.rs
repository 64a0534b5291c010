//! The operations that change [`Domains`], and the trail that undoes them.
//!
//! Every change of a word is recorded on the trail with the previous content of the word.
//! Backtracking reverts the changes since a [`Mark`], last change first, and touches nothing else.
//! Propagation reads the same list forwards: the entries beyond the point that it has reached are
//! the changes to propagate.

use super::domains::{Bits, Change, Domains, between, first_bit, last_bit};
use super::variable::{Ends, HEADER_WORDS, Slot};
use super::{Variable, Wipeout};

/// The bits of [`Domains::propagated`] that hold the level of propagation, counted from 1.
const LEVEL_MASK: usize = 7;

/// The level of propagation after a decision; see [`Propagate`](super::Propagate).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Propagation {
    /// Checks a constraint when all of its variables are instantiated.
    Backward,
    /// Prunes by a constraint when all of its variables but one are instantiated.
    Forward,
    /// Makes constraints on two variables arc consistent, and treats others as forward checking
    /// does.
    ArcConsistency,
    /// Calls all propagators until a fixpoint is reached.
    Full,
}

/// A position on the trail, to backtrack to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    length: usize,
    propagated: usize,
}

impl Domains {
    /// Assigns `value` to a variable and instantiates it.
    #[inline(always)]
    pub(super) fn decide(&mut self, variable: Variable, value: i32) {
        if self.single_words == 0 {
            return self.decide_wide(variable, value);
        }
        let index = variable.index();
        let position = i64::from(value) - i64::from(self.layout.slots[index].base);
        let bit = if (0..64).contains(&position) { 1 << position } else { 0 };
        let open = self.layout.open + index / 64;
        self.reserve(2);
        self.put(index, self.words[index] & bit);
        self.put(open, self.words[open] & !(1 << (index % 64)));
    }

    #[inline(never)]
    fn decide_wide(&mut self, variable: Variable, value: i32) {
        // Propagation, or the test at the leaf, notices a wipe-out.
        let _ = self.assign(variable, value);
        self.instantiate(variable);
    }

    /// Removes all values outside a range, and instantiates the variable if one value remains.
    #[inline(never)]
    pub(super) fn decide_between(&mut self, variable: Variable, low: i32, high: i32) {
        // Propagation, the brancher or the test at the leaf notices a wipe-out.
        let _ = self.at_least(variable, low).and_then(|_| self.at_most(variable, high));
        if self.is_assigned(variable) {
            self.instantiate(variable);
        }
    }

    /// Removes a variable from the set of open variables.
    #[inline]
    pub(super) fn instantiate(&mut self, variable: Variable) {
        let index = variable.index();
        let word = self.layout.open + index / 64;
        if self.words[word] >> (index % 64) & 1 != 0 {
            self.set(word, self.words[word] ^ 1 << (index % 64));
        }
    }

    /// Changes a word and records its previous content on the trail.
    #[inline]
    pub(super) fn set(&mut self, word: usize, value: u64) {
        self.reserve(1);
        self.put(word, value);
    }

    /// Changes a word, and records that only if its content differs. The trail must have room for
    /// one change.
    #[inline]
    fn put(&mut self, word: usize, value: u64) {
        let before = self.words[word];
        self.trail[self.trail_length] = Change { word: word as u32, before };
        self.trail_length += usize::from(before != value);
        self.words[word] = value;
    }

    /// Ensures that the trail has room for `more` changes.
    #[inline]
    fn reserve(&mut self, more: usize) {
        if self.trail.len() - self.trail_length < more {
            self.grow(more);
        }
    }

    /// Extends the trail by a few entries only: its capacity doubles, but memory that is not
    /// written yet costs nothing.
    #[cold]
    fn grow(&mut self, more: usize) {
        self.trail.resize(self.trail_length + more + 64, Change::default());
    }

    /// Removes the values of the `masks` from the single-word domains of the `variables`, one mask
    /// for each. Returns whether some domain is wiped out.
    ///
    /// Every word is written, and written to the trail, whether it changes or not; only the length
    /// of the trail depends on it. An unpredictable branch would cost more than both stores.
    #[inline]
    pub(super) fn prune_row(
        &mut self,
        variables: &[u32],
        masks: impl Iterator<Item = u64>,
    ) -> bool {
        self.reserve(variables.len());
        let mut length = self.trail_length;
        let words = &mut self.words[..];
        let trail = &mut self.trail[..];
        let mut wiped = false;
        for (&variable, mask) in variables.iter().zip(masks) {
            let before = words[variable as usize];
            let after = before & !mask;
            trail[length] = Change { word: variable, before };
            length += usize::from(after != before);
            words[variable as usize] = after;
            wiped |= after == 0;
        }
        self.trail_length = length;
        wiped
    }

    /// Removes the values `masks[i]` from the single-word domain of variable i, for each i in a set
    /// of variables that is given as bits. Returns whether some domain is wiped out.
    #[inline]
    pub(super) fn prune_set(&mut self, variables: u64, masks: &[u64]) -> bool {
        self.reserve(masks.len());
        let mut length = self.trail_length;
        let words = &mut self.words[..masks.len()];
        let trail = &mut self.trail[..];
        let mut wiped = false;
        let mut rest = variables;
        while rest != 0 {
            let variable = rest.trailing_zeros();
            rest &= rest - 1;
            let before = words[variable as usize];
            let after = before & !masks[variable as usize];
            trail[length] = Change { word: variable, before };
            length += usize::from(after != before);
            words[variable as usize] = after;
            wiped |= after == 0;
        }
        self.trail_length = length;
        wiped
    }

    /// Returns the number of changes on the trail.
    #[inline]
    pub(super) fn trail_length(&self) -> usize {
        self.trail_length
    }

    /// Returns the number of changes that have been propagated at this level or a stronger one, or
    /// `None` if that has not been done from the root down. Weaker levels do not count: a stronger
    /// level relies on its own pruning, and on having acted on every assigned variable.
    #[inline]
    pub(super) fn propagated(&self, level: Propagation) -> Option<usize> {
        (self.propagated & LEVEL_MASK > level as usize)
            .then_some(self.propagated / (LEVEL_MASK + 1))
    }

    /// Records that all changes on the trail have been propagated at this level, and that every
    /// constraint without open variables holds.
    #[inline]
    pub(super) fn set_propagated(&mut self, level: Propagation) {
        // If nothing has changed since, a stronger level may have propagated the same changes
        // before.
        self.propagated =
            self.propagated.max(self.trail_length * (LEVEL_MASK + 1) + level as usize + 1);
    }

    /// Returns whether all changes on the trail have been propagated, at any level.
    #[inline]
    pub(super) fn is_propagated(&self) -> bool {
        self.propagated(Propagation::Backward) == Some(self.trail_length)
    }

    #[inline]
    pub(super) fn mark(&self) -> Mark {
        Mark { length: self.trail_length, propagated: self.propagated }
    }

    #[inline]
    pub(super) fn restore(&mut self, mark: Mark) {
        let words = &mut self.words[..];
        for change in self.trail[mark.length..self.trail_length].iter().rev() {
            words[change.word as usize] = change.before;
        }
        self.trail_length = mark.length;
        self.propagated = mark.propagated;
    }

    /// Removes a value from a variable. Returns whether it was there.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if no value remains.
    #[inline]
    pub fn remove(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        let slot = self.layout.slot(variable);
        if slot.is_one_word() {
            let bit = slot.place(value).map_or(0, |(_, bit)| bit);
            return self.keep(variable, slot.offset as usize, !bit);
        }
        self.remove_from_wide(variable, slot, value)
    }

    /// Assigns a value to a variable by removing all others. Returns whether there were others.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if the value is not in the domain, so that no value remains.
    pub fn assign(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        let slot = self.layout.slot(variable);
        if slot.is_one_word() {
            let bit = slot.place(value).map_or(0, |(_, bit)| bit);
            return self.keep(variable, slot.offset as usize, bit);
        }
        if !self.contains(variable, value) {
            return self.wipe_out(variable, slot);
        }
        let position = value.abs_diff(slot.base);
        let changed = self.words[slot.size()] != 1;
        if changed {
            self.set_ends(slot, Ends { low: position, high: position }, 1);
        }
        Ok(changed)
    }

    /// Removes all values below `value`. Returns whether there were any.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if no value remains.
    #[inline]
    pub fn at_least(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        let slot = self.layout.slot(variable);
        let least = i64::from(value) - i64::from(slot.base);
        if slot.is_one_word() {
            let kept = match least {
                ..=0 => u64::MAX,
                bit @ 1..64 => u64::MAX << bit,
                _ => 0,
            };
            return self.keep(variable, slot.offset as usize, kept);
        }
        let Some(ends) = self.ends(slot) else { return Err(Wipeout(variable)) };
        if least <= ends.low.into() {
            return Ok(false);
        }
        if least > ends.high.into() {
            return self.wipe_out(variable, slot);
        }
        self.narrow(slot, ends, Ends { low: least as u32, high: ends.high });
        Ok(true)
    }

    /// Removes all values above `value`. Returns whether there were any.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if no value remains.
    #[inline]
    pub fn at_most(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        let slot = self.layout.slot(variable);
        let most = i64::from(value) - i64::from(slot.base);
        if slot.is_one_word() {
            let kept = match most {
                ..0 => 0,
                bit @ 0..63 => u64::MAX >> (63 - bit),
                _ => u64::MAX,
            };
            return self.keep(variable, slot.offset as usize, kept);
        }
        let Some(ends) = self.ends(slot) else { return Err(Wipeout(variable)) };
        if most >= ends.high.into() {
            return Ok(false);
        }
        if most < ends.low.into() {
            return self.wipe_out(variable, slot);
        }
        self.narrow(slot, ends, Ends { low: ends.low, high: most as u32 });
        Ok(true)
    }

    /// Removes all values that are not between `low` and `high`, which must lie between the bounds.
    /// Returns the new bounds.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if no value remains.
    #[inline]
    pub(super) fn keep_between(
        &mut self,
        variable: Variable,
        low: i32,
        high: i32,
    ) -> Result<(i32, i32), Wipeout> {
        let slot = self.layout.slot(variable);
        if slot.is_one_word() {
            let (from, to) = (low.abs_diff(slot.base), high.abs_diff(slot.base));
            let word = slot.offset as usize;
            let kept = self.words[word] & u64::MAX << from & u64::MAX >> (63 - to);
            self.set(word, kept);
            return slot.bounds_in(kept).ok_or(Wipeout(variable));
        }
        let Some(ends) = self.ends(slot) else { return Err(Wipeout(variable)) };
        let to = Ends { low: low.abs_diff(slot.base), high: high.abs_diff(slot.base) };
        let Some(to) = self.inner_ends(slot, ends, to) else {
            return self.wipe_out(variable, slot).map(|_| (low, high));
        };
        if to != ends {
            self.move_ends(slot, ends, to);
        }
        Ok(slot.bounds_of(to))
    }

    /// Removes the values for which `keep` returns `false`. Returns whether there were any. Calls
    /// `keep` once per value.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if no value remains.
    pub fn retain(
        &mut self,
        variable: Variable,
        mut keep: impl FnMut(i32) -> bool,
    ) -> Result<bool, Wipeout> {
        let slot = self.layout.slot(variable);
        let kept = |first: usize, word: u64, keep: &mut dyn FnMut(i32) -> bool| {
            let first = slot.base.wrapping_add(first as i32);
            let kept = Bits(word).filter(|&bit| keep(first.wrapping_add(bit as i32)));
            kept.fold(0, |kept, bit| kept | 1 << bit)
        };
        if slot.is_one_word() {
            let word = slot.offset as usize;
            let kept = kept(0, self.words[word], &mut keep);
            return self.keep(variable, word, kept);
        }
        let Some(ends) = self.ends(slot) else { return Err(Wipeout(variable)) };
        let mut size = 0;
        let mut left: Option<Ends> = None;
        for index in ends.low as usize / 64..ends.high as usize / 64 + 1 {
            let word = slot.first() + index;
            let before = self.words[word] & between(ends, index);
            let after = kept(index * 64, before, &mut keep);
            if after != 0 {
                let first = (index * 64) as u32;
                let (low, high) = (after.trailing_zeros(), 63 - after.leading_zeros());
                let low = left.map_or(first + low, |left| left.low);
                left = Some(Ends { low, high: first + high });
                size += u64::from(after.count_ones());
            }
            if after != before {
                self.set(word, after);
            }
        }
        let changed = size != self.words[slot.size()];
        match left {
            None => self.wipe_out(variable, slot),
            Some(left) => {
                if changed {
                    self.set_ends(slot, left, size);
                }
                Ok(changed)
            }
        }
    }

    /// Removes the values that are not in `kept`, whose lowest bit stands for `first`. The values
    /// of the variable at the root must be among the 64 integers from `first` on.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if no value remains.
    #[inline]
    pub(super) fn keep_word(
        &mut self,
        variable: Variable,
        first: i32,
        kept: u64,
    ) -> Result<bool, Wipeout> {
        let slot = self.layout.slot(variable);
        self.keep(variable, slot.offset as usize, kept >> slot.base.abs_diff(first).min(63))
    }

    /// Removes all values of a domain of one word that are not in the mask. Returns whether there
    /// were any.
    #[inline]
    pub(super) fn keep(
        &mut self,
        variable: Variable,
        word: usize,
        mask: u64,
    ) -> Result<bool, Wipeout> {
        let before = self.words[word];
        let after = before & mask;
        if after != before {
            self.set(word, after);
        }
        if after == 0 { Err(Wipeout(variable)) } else { Ok(after != before) }
    }

    /// Removes all values of a wide domain.
    fn wipe_out(&mut self, variable: Variable, slot: Slot) -> Result<bool, Wipeout> {
        if self.words[slot.size()] != 0 {
            // The ends are changed as well, because changes of the number alone wake nothing.
            self.set_ends(slot, Ends { low: u32::MAX, high: 0 }, 0);
        }
        Err(Wipeout(variable))
    }

    /// Changes the ends and the number of values of a wide domain.
    #[inline]
    fn set_ends(&mut self, slot: Slot, ends: Ends, size: u64) {
        self.reserve(2);
        self.put(slot.size(), size);
        self.put(slot.ends(), ends.word());
    }

    /// Removes the values of a wide domain outside the bounds `to`, which lie between its ends and
    /// have a value between them.
    #[inline(never)]
    fn narrow(&mut self, slot: Slot, from: Ends, to: Ends) {
        if let Some(to) = self.inner_ends(slot, from, to) {
            self.move_ends(slot, from, to);
        }
    }

    /// Returns the smallest and the largest value of a wide domain between the bounds `to`, which
    /// lie between its ends `from`. Returns `None` if there is none.
    #[inline]
    fn inner_ends(&self, slot: Slot, from: Ends, to: Ends) -> Option<Ends> {
        let words = &self.words[slot.range()];
        let low = if to.low == from.low {
            from.low
        } else {
            first_bit(words, to.low as usize).map(|low| low as u32).filter(|&low| low <= to.high)?
        };
        let high = if to.high == from.high {
            from.high
        } else {
            // It is at least `low`, because this value remains.
            last_bit(words, to.high as usize)? as u32
        };
        Some(Ends { low, high })
    }

    /// Moves the ends of a wide domain inwards, to the values `to`.
    #[inline]
    fn move_ends(&mut self, slot: Slot, from: Ends, to: Ends) {
        self.reserve(2);
        let first = slot.size();
        let [size, ends, values @ ..] = &mut self.words[first..] else { return };
        let [one, two, ..] = &mut self.trail[self.trail_length..] else { return };
        let word = first as u32;
        *one = Change { word, before: *size };
        *two = Change { word: word + 1, before: *ends };
        self.trail_length += 2;
        *size -= count_lost(values, from, to);
        *ends = to.word();
    }

    /// Removes a value from a wide domain.
    fn remove_from_wide(
        &mut self,
        variable: Variable,
        slot: Slot,
        value: i32,
    ) -> Result<bool, Wipeout> {
        self.reserve(2);
        let first = slot.size();
        let [size, ends, values @ ..] = &mut self.words[first..] else { return Ok(false) };
        // A position before the first value becomes a large number.
        let position = value.wrapping_sub(slot.base) as u32;
        let ends = Ends::of(*ends);
        if position < ends.low || position > ends.high {
            return if *size == 0 { Err(Wipeout(variable)) } else { Ok(false) };
        }
        let (index, bit) = (position as usize / 64, 1 << (position % 64));
        let before = values[index];
        if before & bit == 0 {
            return Ok(false);
        }
        if position > ends.low && position < ends.high {
            let [one, two, ..] = &mut self.trail[self.trail_length..] else { return Ok(false) };
            *one = Change { word: (first + HEADER_WORDS + index) as u32, before };
            *two = Change { word: first as u32, before: *size };
            self.trail_length += 2;
            values[index] = before ^ bit;
            *size -= 1;
        } else if ends.low == ends.high {
            return self.wipe_out(variable, slot);
        } else if position == ends.low {
            self.narrow(slot, ends, Ends { low: position + 1, high: ends.high });
        } else {
            self.narrow(slot, ends, Ends { low: ends.low, high: position - 1 });
        }
        Ok(true)
    }
}

/// Counts the bits set that are between the ends `from`, but not between `to`.
fn count_lost(words: &[u64], from: Ends, to: Ends) -> u64 {
    let mut lost = 0;
    if from.low < to.low {
        lost += count_bits(words, Ends { low: from.low, high: to.low - 1 });
    }
    if to.high < from.high {
        lost += count_bits(words, Ends { low: to.high + 1, high: from.high });
    }
    lost
}

/// Counts the bits set between the ends.
fn count_bits(words: &[u64], ends: Ends) -> u64 {
    let (first, last) = (ends.low as usize / 64, ends.high as usize / 64);
    let (above, below) = (u64::MAX << (ends.low % 64), u64::MAX >> (63 - ends.high % 64));
    if first == last {
        return u64::from((words[first] & above & below).count_ones());
    }
    let whole = words[first + 1..last].iter().map(|word| u64::from(word.count_ones()));
    let ends = [words[first] & above, words[last] & below];
    ends.map(|word| u64::from(word.count_ones())).iter().sum::<u64>() + whole.sum::<u64>()
}
