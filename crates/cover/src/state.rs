//! The search of a cover. Its state has the remaining options, the number of options of each item,
//! and the trail that restores them. The tree branches on an item with the fewest options left (of
//! the preferred items, if there are any and no item has a single option), and tries its options in
//! order. [`Branching`](secateurs::brancher::Branching) chooses items in another order.

use secateurs::{Branch, Problem, Variables, vec_bytes};

use super::Cover;
use super::forced::ForcedItems;
use super::tables::{COVERED, Tables, Word};

/// The state of a search for covers: the remaining options and, for each primary item, its number
/// of remaining options or the fact that it is covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverState {
    /// The remaining options: those that contradict no chosen option. In a dead state, some that
    /// contradict one may remain.
    remaining: Vec<u64>,
    /// The number of remaining options of each primary item, by [slot](Tables), plus [`COVERED`] if
    /// the item is covered.
    sizes: Vec<u32>,
    /// The items with a single option left, if the [tables](Tables::lists_forced) require the list.
    forced: ForcedItems,
    /// Whether an item that is not covered has no option left.
    is_dead: bool,
    /// The previous contents of the changed words of `remaining`, the most recent change last.
    trail: Vec<Word>,
    /// The sizes before each step, one copy after the other, if steps are undone by copies.
    copies: Vec<u32>,
}

/// The data that undo a step in a search for covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoverUndo {
    /// The length of the trail before the step.
    trail: usize,
    was_dead: bool,
}

impl CoverState {
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
    /// May panic if there is no option with this number. If it does not, it returns `false`.
    #[must_use]
    #[inline]
    pub fn is_available(&self, option: usize) -> bool {
        self.remaining[option / 64] >> (option % 64) & 1 != 0
    }

    /// Covers the items of an option and removes the options that it excludes.
    #[inline]
    fn cover_items<const LISTS_FORCED: bool>(&mut self, tables: &Tables, option: usize) {
        for &slot in tables.slots_of(option) {
            let size = &mut self.sizes[slot as usize];
            // A covered item is not forced, whatever its number of options.
            if LISTS_FORCED && *size == 1 {
                self.forced.remove(slot);
            }
            *size += COVERED;
        }
        for words in tables.excluded_by(option) {
            for &Word { index, bits } in words {
                let removed = self.remaining[index as usize] & bits;
                if removed != 0 && !self.remove::<LISTS_FORCED>(tables, index, removed) {
                    self.is_dead = true;
                    return;
                }
            }
        }
    }

    /// Removes options of one word. Returns `false` if an item that is not covered has lost its
    /// last option.
    #[inline]
    fn remove<const LISTS_FORCED: bool>(
        &mut self,
        tables: &Tables,
        index: u32,
        mut removed: u64,
    ) -> bool {
        let before = self.remaining[index as usize];
        self.remaining[index as usize] = before ^ removed;
        self.trail.push(Word { index, bits: before });
        let mut has_options = true;
        while removed != 0 {
            let option = index as usize * 64 + removed.trailing_zeros() as usize;
            removed &= removed - 1;
            for &slot in tables.slots_of(option) {
                let size = &mut self.sizes[slot as usize];
                *size -= 1;
                has_options &= *size != 0;
                if LISTS_FORCED {
                    match *size {
                        0 => self.forced.remove(slot),
                        1 => self.forced.insert(slot),
                        _ => {}
                    }
                }
            }
        }
        has_options
    }

    /// Restores the words on the trail from `trail_start` on, increments the sizes of the options
    /// that return, and uncovers the items of the option.
    fn restore_sizes<const LISTS_FORCED: bool>(
        &mut self,
        tables: &Tables,
        option: usize,
        trail_start: usize,
    ) {
        for word in self.trail[trail_start..].iter().rev() {
            let remaining = &mut self.remaining[word.index as usize];
            let mut returning = word.bits ^ *remaining;
            *remaining = word.bits;
            while returning != 0 {
                let option = word.index as usize * 64 + returning.trailing_zeros() as usize;
                returning &= returning - 1;
                for &slot in tables.slots_of(option) {
                    let size = &mut self.sizes[slot as usize];
                    *size += 1;
                    if LISTS_FORCED {
                        match *size {
                            1 => self.forced.insert(slot),
                            2 => self.forced.remove(slot),
                            _ => {}
                        }
                    }
                }
            }
        }
        for &slot in tables.slots_of(option) {
            let size = &mut self.sizes[slot as usize];
            *size -= COVERED;
            if LISTS_FORCED && *size == 1 {
                self.forced.insert(slot);
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

    /// Removes an option that a [hook](secateurs::Hook::enter) has proved to be in no solution
    /// below the node; backtracking restores it. Returns whether the option was
    /// [available](CoverState::is_available).
    ///
    /// # Panics
    ///
    /// May panic if there is no option with this number. If it does not, it returns `false`.
    pub fn remove_option(&self, state: &mut CoverState, option: usize) -> bool {
        let was_available = state.is_available(option);
        if was_available {
            let (index, bit) = ((option / 64) as u32, 1 << (option % 64));
            let has_options = if self.tables.lists_forced {
                state.remove::<true>(&self.tables, index, bit)
            } else {
                state.remove::<false>(&self.tables, index, bit)
            };
            state.is_dead |= !has_options;
        }
        was_available
    }
}

/// The number of sizes in a chunk of the search for the smallest size: the search ends after the
/// first chunk that contains a size known to be smallest.
const CHUNK: usize = 64;

/// The position in the list of the children of a node: the remaining options of one item, in
/// order.
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
        let Tables { remaining, sizes, lists_forced, .. } = &self.tables;
        CoverState {
            remaining: remaining.clone(),
            sizes: sizes.clone(),
            forced: if *lists_forced { ForcedItems::of(sizes) } else { ForcedItems::unused() },
            is_dead: sizes.contains(&0),
            trail: Vec::new(),
            copies: Vec::new(),
        }
    }

    #[inline]
    fn branch(&self, state: &CoverState) -> Branch<CoverCursor> {
        if state.is_dead() {
            return Branch::DeadEnd;
        }
        let sizes = &state.sizes[..];
        let mut least = 1;
        if self.tables.lists_forced {
            // The list saves the scan; if it is empty, no size is smaller than 2.
            if let Some(slot) = state.forced.first() {
                return Branch::Inner(self.children(slot));
            }
            least = 2;
        }
        let (mut size, mut slot) = smallest(sizes, least);
        if size >= COVERED {
            return Branch::Solution;
        }
        if self.tables.preferred > 0 && size > 1 {
            let preferred = smallest(&sizes[..self.tables.preferred], least);
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
            cursor.rest = word.bits & state.remaining[word.index as usize];
        }
        let option = cursor.index as usize * 64 + cursor.rest.trailing_zeros() as usize;
        cursor.rest &= cursor.rest - 1;
        Some(option)
    }

    fn accepts_saved(&self, state: &CoverState, &option: &usize) -> bool {
        // A dead state has no children, although contradicting options may remain in it.
        option < self.options() && state.is_available(option) && !state.is_dead()
    }

    fn heap_bytes(&self, state: &CoverState) -> usize {
        let (remaining, sizes) = (vec_bytes(&state.remaining), vec_bytes(&state.sizes));
        let undo_data = vec_bytes(&state.trail) + vec_bytes(&state.copies);
        remaining + sizes + state.forced.heap_bytes() + undo_data
    }

    #[inline]
    fn apply(&self, state: &mut CoverState, &option: &usize) -> CoverUndo {
        let undo = CoverUndo { trail: state.trail.len(), was_dead: state.is_dead };
        if self.tables.lists_forced {
            state.cover_items::<true>(&self.tables, option);
            return undo;
        }
        if self.tables.undoes_by_copying {
            state.copies.extend_from_slice(&state.sizes);
        }
        state.cover_items::<false>(&self.tables, option);
        undo
    }

    #[inline]
    fn undo(&self, state: &mut CoverState, &option: &usize, undo: CoverUndo) {
        state.is_dead = undo.was_dead;
        if self.tables.undoes_by_copying {
            let start = state.copies.len() - state.sizes.len();
            state.sizes.copy_from_slice(&state.copies[start..]);
            state.copies.truncate(start);
            for word in state.trail[undo.trail..].iter().rev() {
                state.remaining[word.index as usize] = word.bits;
            }
        } else if self.tables.lists_forced {
            state.restore_sizes::<true>(&self.tables, option, undo.trail);
        } else {
            state.restore_sizes::<false>(&self.tables, option, undo.trail);
        }
        state.trail.truncate(undo.trail);
    }
}

impl Cover {
    /// Returns the cursor before the first option of the item in a slot.
    #[inline]
    pub(super) fn children(&self, slot: usize) -> CoverCursor {
        let (next, end) = self.tables.options_of(slot);
        CoverCursor { next, end, index: 0, rest: 0 }
    }
}

/// Returns the smallest size and the first slot that has it. No size is smaller than `bound`, so
/// that the scan ends with the first chunk that has this size.
///
/// One pass finds the size and a second one its slot, because compilers can then vectorise the
/// first one.
#[inline]
fn smallest(sizes: &[u32], bound: u32) -> (u32, usize) {
    let (mut least, mut from) = (u32::MAX, 0);
    for (chunk, sizes) in sizes.chunks(CHUNK).enumerate() {
        // Signed numbers take fewer instructions to compare; all sizes are less than 2³¹.
        let smallest = sizes
            .iter()
            .fold(i32::MAX, |least, &size| least.min(size.cast_signed()))
            .cast_unsigned();
        if smallest < least {
            (least, from) = (smallest, chunk * CHUNK);
            if least <= bound {
                break;
            }
        }
    }
    let offset = sizes[from..].iter().position(|&size| size == least);
    (least, from + offset.unwrap_or(0))
}

/// The variables are the primary items that are not covered, by number; their values are the
/// options that remain. The order of the cover is that of the smallest domain, with
/// [preferred](super::CoverBuilder::prefer) items first.
///
/// ```
/// use secateurs::Search;
/// use secateurs::brancher::{Branching, InputOrder};
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(8)?.cover();
/// let smallest = Search::new(queens.cover()).count();
/// let in_order = Search::new(queens.cover()).brancher(Branching::by(InputOrder)).count();
/// assert_eq!((smallest.exact(), in_order.exact()), (Some(92), Some(92)));
/// assert!(smallest.report().nodes() < in_order.report().nodes());
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
impl Variables for Cover {
    type Variable = usize;

    fn undecided(&self, state: &CoverState) -> impl Iterator<Item = usize> {
        (0..self.items()).filter(|&item| self.size(state, item).is_some())
    }

    #[inline]
    fn values_left(&self, state: &CoverState, item: usize) -> usize {
        self.size(state, item).unwrap_or(0)
    }

    #[inline]
    fn values(&self, _: &CoverState, item: usize) -> CoverCursor {
        self.children(self.tables.slots[item] as usize)
    }
}
