//! The search of a [`MultiCover`]: its state, its tree, and the bound on costs.

use secateurs::hook::Bound;
use secateurs::{Branch, Objective, Problem, Variables, vec_bytes};

use super::MultiCover;
use super::tables::{NO_COLOUR, Word};

/// The state of a search for covers with multiplicities: the remaining options, how often each
/// primary item is covered, and the cost of the chosen options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MultiCoverState {
    /// The options that may still be chosen.
    remaining: Vec<u64>,
    /// The number of remaining options of each slot.
    sizes: Vec<u32>,
    /// The number of chosen options of each slot.
    covered: Vec<u32>,
    cost: u64,
    /// The number of slots that cannot be covered often enough.
    unreachable: usize,
    /// The previous contents of the changed words of `remaining`, the most recent change last.
    trail: Vec<Word>,
}

impl MultiCoverState {
    /// Returns the sum of the costs of the chosen options.
    #[must_use]
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Returns whether some item has too few options left to be covered often enough.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.unreachable > 0
    }

    /// Returns whether an option may still be chosen: it contradicts no chosen option, it is
    /// neither chosen nor rejected, and no hook has removed it.
    ///
    /// # Panics
    ///
    /// May panic if there is no option with this number. If it does not, it returns `false`.
    #[must_use]
    pub fn is_available(&self, option: usize) -> bool {
        self.remaining[option / 64] >> (option % 64) & 1 != 0
    }

    /// Removes the given options of one word, and decrements the sizes of their items.
    fn remove(&mut self, problem: &MultiCover, index: u32, bits: u64) {
        let before = self.remaining[index as usize];
        let mut removed = before & bits;
        if removed == 0 {
            return;
        }
        self.remaining[index as usize] = before ^ removed;
        self.trail.push(Word { index, bits: before });
        while removed != 0 {
            let option = index as usize * 64 + removed.trailing_zeros() as usize;
            removed &= removed - 1;
            for &slot in problem.cover.tables.slots_of(option) {
                let slot = slot as usize;
                // Larger by one if the item was still reachable and is no longer.
                self.unreachable +=
                    usize::from(self.covered[slot] + self.sizes[slot] == problem.least[slot]);
                self.sizes[slot] -= 1;
            }
        }
    }

    /// Restores the words on the trail from `start` on, and the sizes.
    fn restore(&mut self, problem: &MultiCover, start: usize) {
        for word in self.trail.drain(start..).rev() {
            let remaining = &mut self.remaining[word.index as usize];
            let mut returning = word.bits ^ *remaining;
            *remaining = word.bits;
            while returning != 0 {
                let option = word.index as usize * 64 + returning.trailing_zeros() as usize;
                returning &= returning - 1;
                for &slot in problem.cover.tables.slots_of(option) {
                    self.sizes[slot as usize] += 1;
                }
            }
        }
    }
}

/// The data that undo a step in a search for covers with multiplicities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiCoverUndo {
    /// The length of the trail before the step.
    trail: usize,
    unreachable: usize,
}

/// A step in a search for covers with multiplicities: an option is chosen, and those before it in a
/// list are rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MultiChoice {
    /// The number of the chosen option.
    pub option: usize,
    /// The primary item whose options of smaller numbers are rejected, or `None` if all options of
    /// smaller numbers are, because every item is covered often enough.
    pub item: Option<usize>,
}

/// The position in the list of the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiCoverCursor {
    item: Option<usize>,
    /// The position of the next word of the list, and its end.
    next: u32,
    end: u32,
    /// The index of the current word: option 64 · `index` is its first bit.
    index: u32,
    /// The options of the current word that have not been tried.
    rest: u64,
    /// The largest number of children that have not been tried.
    children: u32,
}

/// The function of an objective or a bound on the cost of a cover.
pub type CoverCost = fn(&MultiCover, &MultiCoverState) -> u64;

/// The number of units of a share of a cost: a multiple of all numbers of items up to 10, so that
/// few shares are rounded.
const SHARE_UNITS: u128 = 2520;

impl MultiCover {
    /// Returns the objective of the smallest sum of costs for [`Search::best`], and the hook that
    /// prunes nodes whose solutions cost too much.
    ///
    /// The hook divides the cost of each option evenly among its items that must still be covered,
    /// and adds up the smallest shares of each such item, one for each time that it must still be
    /// covered. (Knuth, *The Art of Computer Programming* 4B, 2022, 7.2.2.1, Algorithm C$, bounds
    /// the costs of plain covers in this way.)
    /// A node costs time linear in the number of members of the remaining options.
    ///
    /// A saved search for the cheapest cover can only be resumed with the same costs, which are the
    /// [parameters](secateurs::Hook::parameters) of the hook. A frontier must belong to a problem
    /// with the same costs.
    ///
    /// [`Search::best`]: secateurs::Search::best
    #[must_use]
    pub fn minimise_cost(&self) -> (Objective<Self, u64, CoverCost>, Bound<Self, u64, CoverCost>) {
        let cost: CoverCost = |_, state| state.cost;
        let objective = Objective::minimise(cost).named("cost of the options");
        let bound = objective.bound("shares of costs", Self::least_cost as CoverCost);
        (objective, bound.parameters(&self.costs))
    }

    /// Returns a lower bound on the cost of each solution at or below a state.
    fn least_cost(&self, state: &MultiCoverState) -> u64 {
        let mut sum = 0_u128;
        let mut shares = Vec::new();
        for slot in 0..state.sizes.len() {
            let times = self.times_to_cover(state, slot) as usize;
            if times == 0 {
                continue;
            }
            shares.clear();
            let (start, end) = self.cover.tables.options_of(slot);
            for word in (start..end).map(|position| self.cover.tables.word(position)) {
                let mut options = word.bits & state.remaining[word.index as usize];
                while options != 0 {
                    let option = word.index as usize * 64 + options.trailing_zeros() as usize;
                    options &= options - 1;
                    shares.push(self.share(state, option));
                }
            }
            if times < shares.len() {
                shares.select_nth_unstable(times - 1);
                shares.truncate(times);
            }
            sum += shares.iter().sum::<u128>();
        }
        // The shares of an option add up to at most its cost, and all costs to at most `u64::MAX`.
        let cost = u128::from(state.cost) + sum.div_ceil(SHARE_UNITS);
        u64::try_from(cost).unwrap_or(u64::MAX)
    }

    /// Returns the cost of an option for each of its items that must still be covered, rounded
    /// down, in units of 1 / [`SHARE_UNITS`].
    fn share(&self, state: &MultiCoverState, option: usize) -> u128 {
        let slots = self.cover.tables.slots_of(option).iter();
        let paying = slots.filter(|&&slot| self.times_to_cover(state, slot as usize) > 0).count();
        u128::from(self.cost(option)) * SHARE_UNITS / paying.max(1) as u128
    }

    /// Returns how many more options must cover a slot.
    fn times_to_cover(&self, state: &MultiCoverState, slot: usize) -> u32 {
        self.least[slot].saturating_sub(state.covered[slot])
    }

    /// Removes an option that a [hook](secateurs::Hook::enter) has proved to be in no solution
    /// below the node; backtracking restores it. Returns whether the option was
    /// [available](MultiCoverState::is_available).
    ///
    /// # Panics
    ///
    /// May panic if there is no option with this number. If it does not, it returns `false`.
    pub fn remove_option(&self, state: &mut MultiCoverState, option: usize) -> bool {
        let was_available = state.is_available(option);
        state.remove(self, (option / 64) as u32, 1 << (option % 64));
        was_available
    }

    /// Removes all options of a slot.
    fn remove_options_of(&self, state: &mut MultiCoverState, slot: u32) {
        let (start, end) = self.cover.tables.options_of(slot as usize);
        for Word { index, bits } in (start..end).map(|position| self.cover.tables.word(position)) {
            state.remove(self, index, bits);
        }
    }

    /// Removes the options whose numbers are smaller than that of the chosen one, in its list.
    fn reject_before(&self, state: &mut MultiCoverState, choice: &MultiChoice) {
        let mut cursor = self.children(state, choice.item, u32::MAX);
        while let Some(word) = self.next_word(&mut cursor) {
            let first = word.index as usize * 64;
            if first > choice.option {
                break;
            }
            let before = match choice.option - first {
                bit @ 0..64 => (1 << bit) - 1,
                _ => u64::MAX,
            };
            state.remove(self, word.index, word.bits & before);
        }
    }

    /// Returns the cursor before the first of the options of a primary item, or of all options.
    fn children(
        &self,
        state: &MultiCoverState,
        item: Option<usize>,
        children: u32,
    ) -> MultiCoverCursor {
        let (next, end) = match item {
            Some(item) => self.cover.tables.options_of(self.cover.tables.slots[item] as usize),
            None => (0, state.remaining.len() as u32),
        };
        MultiCoverCursor { item, next, end, index: 0, rest: 0, children }
    }

    /// Returns the next word of the list of a cursor.
    fn next_word(&self, cursor: &mut MultiCoverCursor) -> Option<Word> {
        let position = cursor.next;
        if position == cursor.end {
            return None;
        }
        cursor.next += 1;
        Some(match cursor.item {
            Some(_) => self.cover.tables.word(position),
            None => Word { index: position, bits: u64::MAX },
        })
    }
}

impl Problem for MultiCover {
    type State = MultiCoverState;
    type Cursor = MultiCoverCursor;
    type Choice = MultiChoice;
    type Undo = MultiCoverUndo;

    fn root(&self) -> MultiCoverState {
        let sizes = self.cover.tables.sizes.clone();
        MultiCoverState {
            remaining: self.cover.tables.remaining.clone(),
            covered: vec![0; sizes.len()],
            cost: 0,
            unreachable: sizes.iter().zip(&self.least).filter(|(size, least)| size < least).count(),
            trail: Vec::new(),
            sizes,
        }
    }

    fn branch(&self, state: &MultiCoverState) -> Branch<MultiCoverCursor> {
        if state.is_dead() {
            return Branch::DeadEnd;
        }
        let preferred = self.cover.tables.preferred;
        let fewest = (0..state.sizes.len())
            .filter_map(|slot| {
                let times = self.times_to_cover(state, slot);
                let spare = state.sizes[slot].saturating_sub(times);
                (times > 0).then_some((spare, slot))
            })
            // As in a plain cover, an item whose options must all be chosen comes first, and
            // preferred items come second.
            .min_by_key(|&(spare, slot)| (spare > 0 && slot >= preferred, spare));
        match fewest {
            Some((spare, slot)) => {
                let item = self.cover.tables.items[slot] as usize;
                Branch::Inner(self.children(state, Some(item), spare + 1))
            }
            None if state.remaining.iter().all(|&word| word == 0) => Branch::Solution,
            None => Branch::SolutionInner(self.children(state, None, u32::MAX)),
        }
    }

    fn next(&self, state: &MultiCoverState, cursor: &mut MultiCoverCursor) -> Option<MultiChoice> {
        if cursor.children == 0 {
            return None;
        }
        while cursor.rest == 0 {
            let word = self.next_word(cursor)?;
            cursor.index = word.index;
            cursor.rest = word.bits & state.remaining[word.index as usize];
        }
        let option = cursor.index as usize * 64 + cursor.rest.trailing_zeros() as usize;
        cursor.rest &= cursor.rest - 1;
        cursor.children -= 1;
        Some(MultiChoice { option, item: cursor.item })
    }

    fn accepts_saved(&self, state: &MultiCoverState, choice: &MultiChoice) -> bool {
        let is_member = |item: usize| {
            self.cover.stored(choice.option).iter().any(|member| member.item as usize == item)
                && self.cover.is_primary(item)
        };
        choice.option < self.cover.options()
            && state.is_available(choice.option)
            && !state.is_dead()
            && choice.item.is_none_or(is_member)
    }

    fn heap_bytes(&self, state: &MultiCoverState) -> usize {
        let (remaining, trail) = (vec_bytes(&state.remaining), vec_bytes(&state.trail));
        remaining + trail + vec_bytes(&state.sizes) + vec_bytes(&state.covered)
    }

    fn apply(&self, state: &mut MultiCoverState, choice: &MultiChoice) -> MultiCoverUndo {
        let undo = MultiCoverUndo { trail: state.trail.len(), unreachable: state.unreachable };
        let option = choice.option;
        self.reject_before(state, choice);
        let slots = self.cover.tables.slots_of(option);
        for &slot in slots {
            state.covered[slot as usize] += 1;
        }
        state.cost += self.cost(option);
        self.remove_option(state, option);
        for &slot in slots {
            if state.covered[slot as usize] == self.most[slot as usize] {
                self.remove_options_of(state, slot);
            }
        }
        for member in self.cover.stored(option) {
            for &(other, colour) in &self.colourings[member.item as usize] {
                if colour == NO_COLOUR || colour != member.colour {
                    self.remove_option(state, other as usize);
                }
            }
        }
        undo
    }

    fn undo(&self, state: &mut MultiCoverState, choice: &MultiChoice, undo: MultiCoverUndo) {
        state.restore(self, undo.trail);
        state.unreachable = undo.unreachable;
        for &slot in self.cover.tables.slots_of(choice.option) {
            state.covered[slot as usize] -= 1;
        }
        state.cost -= self.cost(choice.option);
    }
}

/// A variable is an item that must be covered again, by number: its values are the options that may
/// be the next one to cover it. Once no item must be, `None` decides the first of the options that
/// may be added.
impl Variables for MultiCover {
    type Variable = Option<usize>;

    fn undecided(&self, state: &MultiCoverState) -> impl Iterator<Item = Option<usize>> {
        let slots = 0..state.sizes.len();
        let mut items = slots
            .filter(|&slot| self.times_to_cover(state, slot) > 0)
            .map(|slot| Some(self.cover.tables.items[slot] as usize))
            .peekable();
        let is_open = state.remaining.iter().any(|&word| word != 0);
        let rest = (items.peek().is_none() && is_open).then_some(None);
        items.chain(rest)
    }

    fn values_left(&self, state: &MultiCoverState, item: Option<usize>) -> usize {
        let Some(item) = item else {
            return state.remaining.iter().map(|word| word.count_ones() as usize).sum();
        };
        let slot = self.cover.tables.slots[item] as usize;
        (state.sizes[slot] + 1).saturating_sub(self.times_to_cover(state, slot)) as usize
    }

    fn values(&self, state: &MultiCoverState, item: Option<usize>) -> MultiCoverCursor {
        let children = item.map_or(u32::MAX, |_| self.values_left(state, item) as u32);
        self.children(state, item, children)
    }
}
