//! The state of the search: which options are left, how many for each item, and what takes a step
//! back.

use super::Cover;
use super::tables::{COVERED, Tables, Word};
use crate::memory::vec_bytes;

/// Where a search for covers stands: which options are left, and for each primary item whether it
/// is covered, or how many of its options are left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverState {
    /// The options left: those that contradict none of those chosen. Beyond a dead end, some that
    /// do.
    left: Vec<u64>,
    /// By slot: how many options are left, and [`COVERED`] more if it is covered.
    sizes: Vec<u32>,
    /// Whether some item that is not covered has no option left.
    is_dead: bool,
    /// The words of `left` that were changed, as they were before: the last change last.
    trail: Vec<Word>,
    /// The sizes before each step, if steps are taken back by copies.
    copies: Vec<u32>,
}

/// What takes back a step of a search for covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoverUndo {
    /// The length of the trail before the step.
    trail: usize,
    was_dead: bool,
}

impl CoverState {
    /// Bytes of heap that the state owns.
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

    /// Whether there is an item to be covered without an option to cover it.
    #[must_use]
    #[inline]
    pub fn is_dead(&self) -> bool {
        self.is_dead
    }

    /// Whether an option may still be chosen: it contradicts none of those chosen, and no hook has
    /// struck it out. In a [dead](Self::is_dead) state, where not all has been struck out that
    /// could be, it may contradict one.
    ///
    /// # Panics
    ///
    /// If there is no option of this number.
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

    /// Takes options of one word away; false if an item to be covered has lost its last one.
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

    /// Restores what is on the trail, and the sizes with it.
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
    /// Whether every primary item is covered: the options chosen are a solution.
    #[must_use]
    pub fn is_complete(&self, state: &CoverState) -> bool {
        state.sizes.iter().all(|&size| size >= COVERED)
    }

    /// How many options are left to cover a primary item; `None` if it is covered, or secondary.
    ///
    /// # Panics
    ///
    /// If there is no item of this number.
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

    /// Strikes an option out, for a [hook](crate::Hook::enter) that has inferred that it is in no
    /// solution below the node: undoing the step brings it back. Whether the option was left until
    /// now.
    ///
    /// # Panics
    ///
    /// If there is no option of this number.
    pub fn strike(&self, state: &mut CoverState, option: usize) -> bool {
        let was_left = state.is_left(option);
        if was_left && !state.remove(&self.tables, (option / 64) as u32, 1 << (option % 64)) {
            state.is_dead = true;
        }
        was_left
    }
}
