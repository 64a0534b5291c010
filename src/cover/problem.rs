//! The [`Problem`] of a cover: branching on the smallest item, and its options in order.

use super::tables::COVERED;
use super::{Cover, CoverState, CoverUndo};
use crate::problem::{Branch, Problem};

/// The chunk size of the search for the smallest item: the search ends after a chunk that contains
/// an item with at most one option.
const CHUNK: usize = 64;

/// The position of a node among its children: the remaining options of one item, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoverCursor {
    /// The index of the next word of the item's options.
    next: u32,
    end: u32,
    /// The index of the current word: option 64 · `index` is its first bit.
    index: u32,
    /// The options of the current word that have not been tried.
    rest: u64,
}

impl Problem for Cover {
    type State = CoverState;
    type Cursor = CoverCursor;
    /// The number of an option.
    type Choice = usize;
    type Undo = CoverUndo;

    fn root(&self) -> CoverState {
        CoverState::new(&self.tables)
    }

    #[inline]
    fn branch(&self, state: &CoverState) -> Branch<CoverCursor> {
        if state.is_dead() {
            return Branch::DeadEnd;
        }
        let sizes = state.sizes();
        let (mut size, mut slot) = smallest(sizes);
        if size >= COVERED {
            return Branch::Solution;
        }
        if self.tables.preferred > 0 && size > 1 {
            let preferred = smallest(&sizes[..self.tables.preferred]);
            if preferred.0 < COVERED {
                (size, slot) = preferred;
            }
        }
        debug_assert!(size > 0, "a state with an item without options is dead");
        Branch::Inner(self.children(slot))
    }

    #[inline]
    fn next(&self, state: &CoverState, cursor: &mut CoverCursor) -> Option<usize> {
        while cursor.rest == 0 {
            if cursor.next == cursor.end {
                return None;
            }
            let word = self.tables.word(cursor.next);
            cursor.next += 1;
            cursor.index = word.index;
            cursor.rest = word.bits & state.left()[word.index as usize];
        }
        let option = cursor.index as usize * 64 + cursor.rest.trailing_zeros() as usize;
        cursor.rest &= cursor.rest - 1;
        Some(option)
    }

    fn can_apply(&self, state: &CoverState, &option: &usize) -> bool {
        option < self.options() && state.is_left(option)
    }

    fn heap_bytes(&self, state: &CoverState) -> usize {
        state.heap_bytes()
    }

    #[inline]
    fn apply(&self, state: &mut CoverState, &option: &usize) -> CoverUndo {
        state.choose(&self.tables, option)
    }

    #[inline]
    fn undo(&self, state: &mut CoverState, &option: &usize, undo: CoverUndo) {
        state.undo(&self.tables, option, undo);
    }
}

impl Cover {
    /// Returns the cursor before the first option of a slot.
    #[inline]
    pub(super) fn children(&self, slot: usize) -> CoverCursor {
        let (next, end) = self.tables.options_of(slot);
        CoverCursor { next, end, index: 0, rest: 0 }
    }
}

/// Returns the smallest size and the first slot that has it, or that of the first chunk with a slot
/// of size 0 or 1, without looking at later chunks.
///
/// It makes two passes, since compilers vectorise the first one.
#[inline]
fn smallest(sizes: &[u32]) -> (u32, usize) {
    let (mut least, mut from) = (u32::MAX, 0);
    for (chunk, sizes) in sizes.chunks(CHUNK).enumerate() {
        // Signed numbers take fewer instructions to compare; all sizes are less than 2³¹.
        let smallest = sizes
            .iter()
            .fold(i32::MAX, |least, &size| least.min(size.cast_signed()))
            .cast_unsigned();
        if smallest < least {
            (least, from) = (smallest, chunk * CHUNK);
            if least <= 1 {
                break;
            }
        }
    }
    let behind = sizes[from..].iter().position(|&size| size == least);
    (least, from + behind.unwrap_or(0))
}
