//! The operations that change [`Domains`], and the trail that undoes them.
//!
//! Every change of a word is recorded on the trail with the previous content of the word.
//! Backtracking reverts the changes since a [`Mark`], last change first, and touches nothing else.
//! Propagation reads the same list forwards: the entries beyond the point that it has reached are
//! the changes to propagate.

use super::domains::{Bits, Change, Domains};
use super::variable::Slot;
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
    #[inline]
    pub(super) fn decide(&mut self, variable: Variable, value: i32) {
        if self.single_words > 0 {
            let index = variable.index();
            let bit = self.layout.slot(variable).place(value).map_or(0, |(_, bit)| bit);
            let open = self.layout.open + index / 64;
            self.reserve(2);
            self.put(index, self.words[index] & bit);
            self.put(open, self.words[open] & !(1 << (index % 64)));
        } else {
            // Propagation, or the test at the leaf, notices a wipe-out.
            let _ = self.assign(variable, value);
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

    #[cold]
    fn grow(&mut self, more: usize) {
        let room = (self.trail_length + more).max(2 * self.trail.len()).max(64);
        self.trail.resize(room, Change::default());
    }

    /// Removes the values `masks[i]` from the single-word domain of variable `variables[i]`, for
    /// all i. Returns whether some domain is wiped out.
    ///
    /// Every word is written, and written to the trail, whether it changes or not; only the length
    /// of the trail depends on it. An unpredictable branch would cost more than both stores.
    #[inline]
    pub(super) fn prune_row(&mut self, variables: &[u32], masks: &[u64]) -> bool {
        self.reserve(variables.len());
        let mut length = self.trail_length;
        let words = &mut self.words[..];
        let trail = &mut self.trail[..];
        let mut wiped = false;
        for (&variable, &mask) in variables.iter().zip(masks) {
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
        match self.layout.slot(variable).place(value) {
            Some((word, bit)) => self.prune_word(variable, word, bit),
            None => self.unchanged(variable),
        }
    }

    /// Assigns a value to a variable by removing all others. Returns whether there were others.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if the value is not in the domain, so that no value remains.
    pub fn assign(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        let slot = self.layout.slot(variable);
        let place = slot.place(value);
        let mut changed = false;
        for word in slot.range() {
            let kept = place.map_or(0, |(of, bit)| if of == word { bit } else { 0 });
            changed |= self.drop_values(variable, word, !kept);
        }
        self.changed_or_wipeout(variable, changed)
    }

    /// Removes all values below `value`. Returns whether there were any.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if no value remains.
    pub fn at_least(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        let slot = self.layout.slot(variable);
        let below = i64::from(value) - i64::from(slot.base);
        self.prune_words(variable, slot, |first| match below - first {
            ..=0 => 0,
            count @ 1..64 => u64::MAX >> (64 - count),
            _ => u64::MAX,
        })
    }

    /// Removes all values above `value`. Returns whether there were any.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if no value remains.
    pub fn at_most(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        let slot = self.layout.slot(variable);
        let last = i64::from(value) - i64::from(slot.base);
        self.prune_words(variable, slot, |first| match last - first {
            ..0 => u64::MAX,
            bit @ 0..63 => u64::MAX << (bit + 1),
            _ => 0,
        })
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
        let mut changed = false;
        for (index, word) in slot.range().enumerate() {
            let first = slot.base.wrapping_add((index * 64) as i32);
            let lost = Bits(self.words[word]).filter(|&bit| !keep(first.wrapping_add(bit as i32)));
            let lost = lost.fold(0, |lost, bit| lost | 1 << bit);
            changed |= self.drop_values(variable, word, lost);
        }
        self.changed_or_wipeout(variable, changed)
    }

    /// Removes the values of `mask(i)` from each word, where `i` is the index of the word's first
    /// bit among the bits of the variable.
    #[inline]
    fn prune_words(
        &mut self,
        variable: Variable,
        slot: Slot,
        mask: impl Fn(i64) -> u64,
    ) -> Result<bool, Wipeout> {
        if slot.is_one_word() {
            let word = slot.offset as usize;
            let (before, after) = (self.words[word], self.words[word] & !mask(0));
            if after != before {
                self.set(word, after);
            }
            return if after == 0 { Err(Wipeout(variable)) } else { Ok(after != before) };
        }
        let mut changed = false;
        for (index, word) in slot.range().enumerate() {
            changed |= self.drop_values(variable, word, mask(index as i64 * 64));
        }
        self.changed_or_wipeout(variable, changed)
    }

    /// Removes the values of `mask` from one word of a variable. Returns whether there were any.
    #[inline]
    pub(super) fn prune_word(
        &mut self,
        variable: Variable,
        word: usize,
        mask: u64,
    ) -> Result<bool, Wipeout> {
        let changed = self.drop_values(variable, word, mask);
        self.changed_or_wipeout(variable, changed)
    }

    /// Removes the values of `mask` from one word of a variable, even if none remains. Returns
    /// whether there were any.
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

    /// Returns `changed`, or an error if no value of the variable remains.
    #[inline]
    fn changed_or_wipeout(&self, variable: Variable, changed: bool) -> Result<bool, Wipeout> {
        if self.is_wiped_out(variable) { Err(Wipeout(variable)) } else { Ok(changed) }
    }

    fn unchanged(&self, variable: Variable) -> Result<bool, Wipeout> {
        self.changed_or_wipeout(variable, false)
    }
}
