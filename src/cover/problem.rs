//! Covers as a [`Problem`]: which item is branched on, and its options in order.

use super::tables::COVERED;
use super::{Cover, CoverState, CoverUndo};
use crate::problem::{Branch, Problem};

/// Sizes are looked at in pieces of so many, for a piece with an item that leaves no choice ends
/// the search for the smallest.
const PIECE: usize = 64;

/// Where a node of a search for covers stands among its children: the options of one item, in
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoverCursor {
    /// The next word of the item's options.
    next: u32,
    end: u32,
    /// Which 64 options the present word is of.
    index: u32,
    /// Those of them that are still to be tried.
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
    /// The options of a slot.
    #[inline]
    pub(super) fn children(&self, slot: usize) -> CoverCursor {
        let (next, end) = self.tables.options_of(slot);
        CoverCursor { next, end, index: 0, rest: 0 }
    }
}

/// The smallest size and the first slot that has it; or one of 0 or 1 that is not far behind the
/// first.
///
/// Two passes, since the first one is of a kind that compilers turn into vector instructions.
#[inline]
fn smallest(sizes: &[u32]) -> (u32, usize) {
    let (mut least, mut from) = (u32::MAX, 0);
    for (piece, sizes) in sizes.chunks(PIECE).enumerate() {
        // As signed numbers, which are compared in fewer instructions; all sizes are less than 2³¹.
        let smallest = sizes
            .iter()
            .fold(i32::MAX, |least, &size| least.min(size.cast_signed()))
            .cast_unsigned();
        if smallest < least {
            (least, from) = (smallest, piece * PIECE);
            if least <= 1 {
                break;
            }
        }
    }
    let behind = sizes[from..].iter().position(|&size| size == least);
    (least, from + behind.unwrap_or(0))
}
