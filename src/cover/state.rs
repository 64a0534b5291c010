//! The state of the search: the remaining options, the number of options of each item, and the
//! trail that restores them.

use super::Cover;
use super::tables::{COVERED, Tables, Word};
use crate::memory::vec_bytes;

/// The state of a search for covers: the remaining options, and for each primary item its number of
/// remaining options, or that it is covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverState {
    /// The remaining options: those that contradict no chosen option. In a dead state, some that
    /// contradict one may remain.
    left: Vec<u64>,
    /// The number of remaining options of each slot, plus [`COVERED`] if its item is covered.
    sizes: Vec<u32>,
    /// Whether an item that is not covered has no option left.
    is_dead: bool,
    /// The previous contents of the changed words of `left`, the last change last.
    trail: Vec<Word>,
    /// The sizes before each step, one copy after the other, if steps are undone by copies.
    copies: Vec<u32>,
}

/// The undo of a step in a search for covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoverUndo {
    /// The length of the trail before the step.
    trail: usize,
    was_dead: bool,
}

impl CoverState {
    /// Returns the number of heap bytes that the state owns.
    pub(super) fn heap_bytes(&self) -> usize {
        let (left, sizes) = (vec_bytes(&self.left), vec_bytes(&self.sizes));
        left + sizes + vec_bytes(&self.trail) + vec_bytes(&self.copies)
    }

    pub(super) fn new(tables: &Tables) -> Self {
        CoverState {
            left: tables.left.clone(),
            sizes: tables.sizes.clone(),
            is_dead: tables.sizes.contains(&0),
            trail: Vec::new(),
            copies: Vec::new(),
        }
    }

    /// Returns whether an item that is not covered has no option left.
    #[must_use]
    #[inline]
    pub fn is_dead(&self) -> bool {
        self.is_dead
    }

    /// Returns whether an option remains: it contradicts no chosen option, and no hook has removed
    /// it. In a [dead](Self::is_dead) state, whose step was not completed, an option that
    /// contradicts a chosen one may remain.
    ///
    /// # Panics
    ///
    /// If there is no option with this number.
    #[must_use]
    #[inline]
    pub fn is_left(&self, option: usize) -> bool {
        self.left[option / 64] >> (option % 64) & 1 != 0
    }

    #[inline]
    pub(super) fn left(&self) -> &[u64] {
        &self.left
    }

    #[inline]
    pub(super) fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    #[inline]
    pub(super) fn choose(&mut self, tables: &Tables, option: usize) -> CoverUndo {
        let undo = CoverUndo { trail: self.trail.len(), was_dead: self.is_dead };
        if tables.copies {
            self.copies.extend_from_slice(&self.sizes);
        }
        for &slot in tables.slots_of(option) {
            self.sizes[slot as usize] += COVERED;
        }
        for words in tables.excluded_by(option) {
            for &Word { index, bits } in words {
                let gone = self.left[index as usize] & bits;
                if gone != 0 && !self.remove(tables, index, gone) {
                    self.is_dead = true;
                    return undo;
                }
            }
        }
        undo
    }

    /// Removes options of one word. Returns `false` if an item that is not covered has lost its
    /// last option.
    #[inline]
    fn remove(&mut self, tables: &Tables, index: u32, mut gone: u64) -> bool {
        let before = self.left[index as usize];
        self.left[index as usize] = before ^ gone;
        self.trail.push(Word { index, bits: before });
        let mut has_options = true;
        while gone != 0 {
            let option = index as usize * 64 + gone.trailing_zeros() as usize;
            gone &= gone - 1;
            for &slot in tables.slots_of(option) {
                let size = &mut self.sizes[slot as usize];
                *size = size.wrapping_sub(1);
                has_options &= *size != 0;
            }
        }
        has_options
    }

    #[inline]
    pub(super) fn undo(&mut self, tables: &Tables, option: usize, undo: CoverUndo) {
        self.is_dead = undo.was_dead;
        if tables.copies {
            let rest = self.copies.len() - self.sizes.len();
            self.sizes.copy_from_slice(&self.copies[rest..]);
            self.copies.truncate(rest);
            for word in self.trail[undo.trail..].iter().rev() {
                self.left[word.index as usize] = word.bits;
            }
        } else {
            self.count_up(tables, undo.trail);
            for &slot in tables.slots_of(option) {
                self.sizes[slot as usize] -= COVERED;
            }
        }
        self.trail.truncate(undo.trail);
    }

    /// Restores the words on the trail, and increments the sizes of the options that return.
    fn count_up(&mut self, tables: &Tables, trail: usize) {
        for word in self.trail[trail..].iter().rev() {
            let left = &mut self.left[word.index as usize];
            let mut back = word.bits ^ *left;
            *left = word.bits;
            while back != 0 {
                let option = word.index as usize * 64 + back.trailing_zeros() as usize;
                back &= back - 1;
                for &slot in tables.slots_of(option) {
                    self.sizes[slot as usize] += 1;
                }
            }
        }
    }
}

impl Cover {
    /// Returns whether every primary item is covered, so that the chosen options are a solution.
    #[must_use]
    pub fn is_complete(&self, state: &CoverState) -> bool {
        state.sizes.iter().all(|&size| size >= COVERED)
    }

    /// Returns the number of remaining options of a primary item, or `None` if the item is covered
    /// or secondary.
    ///
    /// # Panics
    ///
    /// If there is no item with this number.
    #[must_use]
    #[inline]
    pub fn size(&self, state: &CoverState, item: usize) -> Option<usize> {
        let slot = self.tables.slots[item];
        if slot == Tables::NO_SLOT {
            return None;
        }
        let size = state.sizes[slot as usize];
        (size < COVERED).then_some(size as usize)
    }

    /// Removes an option that a [hook](crate::Hook::enter) has proved to be in no solution below
    /// the node; backtracking restores it. Returns whether the option remained until now.
    ///
    /// # Panics
    ///
    /// If there is no option with this number.
    pub fn strike(&self, state: &mut CoverState, option: usize) -> bool {
        let was_left = state.is_left(option);
        if was_left && !state.remove(&self.tables, (option / 64) as u32, 1 << (option % 64)) {
            state.is_dead = true;
        }
        was_left
    }
}
