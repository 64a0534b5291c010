//! The trail: what a step has changed, so that it can be taken back, and followed up.
//!
//! Every change of a word is written down with what the word was. Taking a step back walks over
//! these changes and nothing else. Propagation reads the same list forwards: what lies behind the
//! point up to which it has come is news.

use super::domains::Domains;
use super::{Propagation, Variable};

/// Propagation has not even looked at the root.
pub(super) const NOTHING: usize = 0;

/// The bits of [`Domains::propagated`] that say at which level: its number, from 1.
const LEVEL: usize = 7;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) word: u32,
    pub(super) before: u64,
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
        self.trail[self.length] = Change { word: word as u32, before };
        self.length += usize::from(before != value);
        self.words[word] = value;
    }

    /// Sees to it that the trail has room for `more` changes.
    #[inline]
    fn reserve(&mut self, more: usize) {
        if self.trail.len() - self.length < more {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let room = (self.length + more).max(2 * self.trail.len()).max(64);
        self.trail.resize(room, Change::default());
    }

    /// Strikes `masks[i]` off the one word of variable `variables[i]`, for all i; true if no value
    /// is left to some variable.
    ///
    /// Every word is written and trailed whether it changes or not, and only the length of the
    /// trail tells: a branch that is taken half of the time costs more than both.
    #[inline]
    pub(super) fn strike_row(&mut self, variables: &[u32], masks: &[u64]) -> bool {
        self.reserve(variables.len());
        let mut length = self.length;
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
        self.length = length;
        wiped
    }

    /// The same for the variables in a set, by their bits, where variable i is struck by
    /// `masks[i]`.
    #[inline]
    pub(super) fn strike_set(&mut self, variables: u64, masks: &[u64]) -> bool {
        self.reserve(masks.len());
        let mut length = self.length;
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
        self.length = length;
        wiped
    }

    /// The change at `index` on the trail.
    #[inline]
    pub(super) fn change(&self, index: usize) -> Change {
        self.trail[index]
    }

    /// The changes from `from` on.
    #[inline]
    pub(super) fn changes(&self, from: usize) -> &[Change] {
        &self.trail[from..self.length]
    }

    /// How many changes there are on the trail.
    #[inline]
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// How many changes propagation has followed up at this level or a stronger one; `None` if it
    /// has not from the root down. A weaker one does not count: it leaves values, and variables
    /// with one value, that a stronger one relies upon to be gone, or to have been followed up.
    #[inline]
    pub(super) fn propagated(&self, level: Propagation) -> Option<usize> {
        (self.propagated & LEVEL > level as usize).then_some(self.propagated / (LEVEL + 1))
    }

    /// Notes that propagation at this level has followed up all there is on the trail, and that
    /// every constraint holds of which no variable is open.
    #[inline]
    pub(super) fn set_propagated(&mut self, level: Propagation) {
        // If nothing was new, it may be that a stronger one has done so before.
        self.propagated = self.propagated.max(self.length * (LEVEL + 1) + level as usize + 1);
    }

    /// Whether propagation has followed up all there is on the trail.
    #[inline]
    pub(super) fn is_propagated(&self) -> bool {
        self.propagated(Propagation::Backward) == Some(self.length)
    }

    #[inline]
    pub(super) fn mark(&self) -> Mark {
        Mark { length: self.length, propagated: self.propagated }
    }

    #[inline]
    pub(super) fn restore(&mut self, mark: Mark) {
        let words = &mut self.words[..];
        for change in self.trail[mark.length..self.length].iter().rev() {
            words[change.word as usize] = change.before;
        }
        self.length = mark.length;
        self.propagated = mark.propagated;
    }
}
