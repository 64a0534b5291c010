//! The trail: what a step has changed, so that it can be taken back, and followed up.
//!
//! Every change of a word is written down with what the word was. Taking a step back walks over
//! these changes and nothing else. Propagation reads the same list forwards: what lies behind the
//! point up to which it has come is news.

use super::domains::{Bits, Change, Domains};
use super::{Variable, Wipeout};

/// The bits of [`Domains::propagated`] that say at which level: its number, from 1.
const LEVEL_MASK: usize = 7;

/// How far the consequences of a decision are followed up; see [`Propagate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Propagation {
    /// Constraints are checked when all of their variables are instantiated.
    Backward,
    /// Constraints take values away when all of their variables but one are instantiated.
    Forward,
    /// Constraints on two variables are made arc consistent; others as by forward checking.
    ArcConsistency,
    /// All propagators are called until nothing changes.
    Full,
}

/// Where the trail stood: what takes a step back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    length: usize,
    propagated: usize,
}

impl Domains {
    /// Leaves a variable this one value, and notes that it no longer waits for a decision.
    #[inline]
    pub(super) fn decide(&mut self, variable: Variable, value: i32) {
        if self.one_word {
            let index = variable.index();
            let bit = self.layout.slot(variable).place(value).map_or(0, |(_, bit)| bit);
            let open = self.layout.open + index / 64;
            self.reserve(2);
            self.put(index, self.words[index] & bit);
            self.put(open, self.words[open] & !(1 << (index % 64)));
        } else {
            // If nothing is left, propagation finds out, or the leaf.
            let _ = self.assign(variable, value);
            self.instantiate(variable);
        }
    }

    /// Notes that a variable no longer waits for a decision.
    #[inline]
    pub(super) fn instantiate(&mut self, variable: Variable) {
        let index = variable.index();
        let word = self.layout.open + index / 64;
        if self.words[word] >> (index % 64) & 1 != 0 {
            self.set(word, self.words[word] ^ 1 << (index % 64));
        }
    }

    /// Changes a word, and puts on the trail what it was.
    #[inline]
    pub(super) fn set(&mut self, word: usize, value: u64) {
        self.reserve(1);
        self.put(word, value);
    }

    /// Changes a word if it is to change; the trail must have room.
    #[inline]
    fn put(&mut self, word: usize, value: u64) {
        let before = self.words[word];
        self.trail[self.trail_length] = Change { word: word as u32, before };
        self.trail_length += usize::from(before != value);
        self.words[word] = value;
    }

    /// Sees to it that the trail has room for `more` changes.
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

    /// Strikes `masks[i]` off the one word of variable `variables[i]`, for all i; true if no value
    /// is left to some variable.
    ///
    /// Every word is written and trailed whether it changes or not, and only the length of the
    /// trail tells: a branch that is taken half of the time costs more than both.
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

    /// The same for the variables in a set, by their bits, where variable i is struck by
    /// `masks[i]`.
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

    /// How many changes there are on the trail.
    #[inline]
    pub(super) fn trail_length(&self) -> usize {
        self.trail_length
    }

    /// How many changes propagation has followed up at this level or a stronger one; `None` if it
    /// has not from the root down. A weaker one does not count: it leaves values, and variables
    /// with one value, that a stronger one relies upon to be gone, or to have been followed up.
    #[inline]
    pub(super) fn propagated(&self, level: Propagation) -> Option<usize> {
        (self.propagated & LEVEL_MASK > level as usize)
            .then_some(self.propagated / (LEVEL_MASK + 1))
    }

    /// Notes that propagation at this level has followed up all there is on the trail, and that
    /// every constraint holds of which no variable is open.
    #[inline]
    pub(super) fn set_propagated(&mut self, level: Propagation) {
        // If nothing was new, it may be that a stronger one has done so before.
        self.propagated =
            self.propagated.max(self.trail_length * (LEVEL_MASK + 1) + level as usize + 1);
    }

    /// Whether propagation has followed up all there is on the trail.
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

    /// Takes a value away from a variable; true if it was there.
    ///
    /// # Errors
    ///
    /// [`Wipeout`] if nothing is left.
    #[inline]
    pub fn remove(&mut self, variable: Variable, value: i32) -> Result<bool, Wipeout> {
        match self.layout.slot(variable).place(value) {
            Some((word, bit)) => self.prune_word(variable, word, bit),
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
        self.prune_words(variable, |first| match below - first {
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
        self.prune_words(variable, |first| match last - first {
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
    fn prune_words(
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
    pub(super) fn prune_word(
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
