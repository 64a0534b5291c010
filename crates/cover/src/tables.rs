//! The tables of a cover for the search: which options contradict which, as bit sets.

use std::collections::HashMap;
use std::ops::Range;

/// The colour of a member without a colour.
pub(super) const NO_COLOUR: u32 = 0;

/// An item in an option, in the form in which it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredMember {
    pub item: u32,
    /// [`NO_COLOUR`], or the index of the colour's name plus one.
    pub colour: u32,
}

/// The amount added to the size of a covered item, so that it is neither the smallest nor ever 0.
pub(super) const COVERED: u32 = 1 << 30;

/// The largest number of primary items of a small cover: the search may copy and scan all sizes at
/// each node.
const MAX_SMALL: usize = 1024;

/// The largest average number of words per member of an option at which options get rows of their
/// own.
const MAX_ROW_WORDS_PER_MEMBER: usize = 32;
/// The largest number of words in all rows: 64 megabytes.
const MAX_ROW_WORDS: usize = 1 << 22;
/// The number of options of which rows are tried out, to estimate whether they are worth it.
const SAMPLED_ROWS: usize = 256;

/// A word of a sparse bit set of options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The index of the word: its first bit stands for option 64 · `index`.
    pub index: u32,
    /// The options in the set.
    pub bits: u64,
}

/// The tables of a cover. A *slot* is the rank of a primary item in the order of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tables {
    /// The item of each slot, the preferred ones first.
    pub items: Vec<u32>,
    /// The slot of each item, or [`Tables::NO_SLOT`].
    pub slots: Vec<u32>,
    /// The number of preferred slots, which are the first ones.
    pub preferred: usize,
    /// The options that remain at the root: those with primary items.
    pub remaining: Vec<u64>,
    /// The number of options of each slot.
    pub sizes: Vec<u32>,
    /// Whether steps are undone by copying all sizes back.
    pub undoes_by_copying: bool,
    /// Whether states list the items with a single option left, because scanning all sizes for one
    /// would take longer than a step. Such covers are too large to undo steps by copying.
    pub lists_forced: bool,
    /// The index of the first slot of each option in `option_slots`.
    slot_starts: Vec<u32>,
    option_slots: Vec<u32>,
    /// The index of the first word of each slot's options in `words`.
    slot_word_starts: Vec<u32>,
    /// The index of the first range of each option in `ranges`.
    range_starts: Vec<u32>,
    /// Ranges of `words` whose union is the set of options that an option excludes.
    ranges: Vec<(u32, u32)>,
    words: Vec<Word>,
}

impl Tables {
    pub const NO_SLOT: u32 = u32::MAX;

    /// Returns the slots of an option.
    #[inline]
    pub fn slots_of(&self, option: usize) -> &[u32] {
        &self.option_slots[self.slot_starts[option] as usize..self.slot_starts[option + 1] as usize]
    }

    /// Returns the range of `words` that holds the options of a slot.
    #[inline]
    pub fn options_of(&self, slot: usize) -> (u32, u32) {
        (self.slot_word_starts[slot], self.slot_word_starts[slot + 1])
    }

    #[inline]
    pub fn word(&self, index: u32) -> Word {
        self.words[index as usize]
    }

    /// Returns the options that an option excludes, itself included, as sets that may overlap.
    #[inline]
    pub fn excluded_by(&self, option: usize) -> impl Iterator<Item = &[Word]> {
        let ranges = &self.ranges
            [self.range_starts[option] as usize..self.range_starts[option + 1] as usize];
        ranges.iter().map(|&(start, end)| &self.words[start as usize..end as usize])
    }

    pub fn new(
        is_primary: &[bool],
        is_preferred: &[bool],
        starts: &[u32],
        members: &[StoredMember],
    ) -> Self {
        let mut tables = Self::without_rows(is_primary, is_preferred, starts, members);
        if tables.rows_fit(members.len()) && tables.rows_are_worth_it() {
            tables.turn_into_rows();
        }
        tables
    }

    /// Creates the tables in which options share the words of their items and have no rows.
    #[inline] // So that only crates that build covers compile it.
    fn without_rows(
        is_primary: &[bool],
        is_preferred: &[bool],
        starts: &[u32],
        members: &[StoredMember],
    ) -> Self {
        let (preferred, others): (Vec<u32>, Vec<u32>) = (0..is_primary.len() as u32)
            .filter(|&item| is_primary[item as usize])
            .partition(|&item| is_preferred[item as usize]);
        let items = [preferred, others].concat();
        let mut slots = vec![Self::NO_SLOT; is_primary.len()];
        for (slot, &item) in items.iter().enumerate() {
            slots[item as usize] = slot as u32;
        }
        let in_slots = members.iter().filter(|member| is_primary[member.item as usize]).count();
        let mut tables = Tables {
            preferred: items.iter().filter(|&&item| is_preferred[item as usize]).count(),
            undoes_by_copying: copies_are_worth_it(is_primary, starts.len() - 1, members),
            lists_forced: items.len() > MAX_SMALL,
            remaining: vec![0; (starts.len() - 1).div_ceil(64)],
            sizes: vec![0; items.len()],
            slot_starts: Vec::with_capacity(starts.len()),
            option_slots: Vec::with_capacity(in_slots),
            slot_word_starts: Vec::new(),
            range_starts: Vec::with_capacity(starts.len()),
            ranges: Vec::new(),
            words: Vec::new(),
            items,
            slots,
        };
        tables.slot_starts.push(0);
        for (option, range) in starts.windows(2).enumerate() {
            for member in &members[range[0] as usize..range[1] as usize] {
                let slot = tables.slots[member.item as usize];
                if slot != Self::NO_SLOT {
                    tables.option_slots.push(slot);
                    tables.sizes[slot as usize] += 1;
                    tables.remaining[option / 64] |= 1 << (option % 64);
                }
            }
            tables.slot_starts.push(tables.option_slots.len() as u32);
        }
        let classes = Classes::new(&tables.slots, tables.items.len(), members);
        let class_starts = tables.add_option_words(starts, members, &classes);
        tables.add_ranges(starts, members, &classes, &class_starts);
        tables.slot_word_starts = class_starts;
        tables.slot_word_starts.truncate(tables.items.len() + 1);
        tables.slot_word_starts.shrink_to_fit();
        tables
    }

    fn remains(&self, option: usize) -> bool {
        self.remaining[option / 64] >> (option % 64) & 1 != 0
    }

    /// Sets `words` to the options of each class, and returns the index of the first word of each
    /// class, and the end of the last one.
    fn add_option_words(
        &mut self,
        starts: &[u32],
        members: &[StoredMember],
        classes: &Classes,
    ) -> Vec<u32> {
        // The first pass counts the words of each class, the second one writes them.
        let mut class_starts = vec![0_u32; classes.number + 1];
        let mut latest = vec![u32::MAX; classes.number];
        self.for_each_member(starts, |option, member| {
            let (class, index) = (classes.of(member, members), (option / 64) as u32);
            if latest[class] != index {
                latest[class] = index;
                class_starts[class + 1] += 1;
            }
        });
        for class in 0..classes.number {
            class_starts[class + 1] += class_starts[class];
        }
        let mut words = vec![Word { index: 0, bits: 0 }; class_starts[classes.number] as usize];
        let mut ends = class_starts.clone();
        self.for_each_member(starts, |option, member| {
            let (class, index) = (classes.of(member, members), (option / 64) as u32);
            let is_first = ends[class] == class_starts[class];
            if is_first || words[ends[class] as usize - 1].index != index {
                words[ends[class] as usize].index = index;
                ends[class] += 1;
            }
            words[ends[class] as usize - 1].bits |= 1 << (option % 64);
        });
        self.words = words;
        class_starts
    }

    /// Calls a closure with each remaining option and the index of each of its members.
    fn for_each_member(&self, starts: &[u32], mut each: impl FnMut(usize, usize)) {
        for (option, range) in starts.windows(2).enumerate() {
            if self.remains(option) {
                (range[0]..range[1]).for_each(|member| each(option, member as usize));
            }
        }
    }

    /// Appends the ranges that each option excludes: of each of its items, all options except those
    /// that give it the same colour.
    fn add_ranges(
        &mut self,
        starts: &[u32],
        members: &[StoredMember],
        classes: &Classes,
        class_starts: &[u32],
    ) {
        self.ranges.reserve_exact(members.len());
        self.range_starts.push(0);
        for (option, range) in starts.windows(2).enumerate() {
            if self.remains(option) {
                for member in range[0] as usize..range[1] as usize {
                    let StoredMember { item, colour } = members[member];
                    let of_item = classes.of_item(item);
                    let (start, end) = (class_starts[of_item.start], class_starts[of_item.end]);
                    let (from, to) = if colour == NO_COLOUR {
                        (end, end)
                    } else {
                        let own = classes.of(member, members);
                        (class_starts[own], class_starts[own + 1])
                    };
                    self.ranges.extend(
                        [(start, from), (to, end)].iter().filter(|(start, end)| start < end),
                    );
                }
            }
            self.range_starts.push(self.ranges.len() as u32);
        }
    }

    /// Returns whether the limits on memory permit a row for each option.
    fn rows_fit(&self, members: usize) -> bool {
        let max_words: usize = self
            .range_starts
            .windows(2)
            .map(|range| {
                let ranges = &self.ranges[range[0] as usize..range[1] as usize];
                let words: usize = ranges.iter().map(|(start, end)| (end - start) as usize).sum();
                words.min(self.remaining.len())
            })
            .sum();
        max_words <= (MAX_ROW_WORDS_PER_MEMBER * members).min(MAX_ROW_WORDS)
    }

    /// Estimates from a sample of the options whether rows save at least a fifth of the words that
    /// a step reads. If they save less, as with large sudokus, whose items have few options in
    /// common, shared words are as fast and take a small part of the memory.
    fn rows_are_worth_it(&self) -> bool {
        let options = self.range_starts.len() - 1;
        let mut row = Row::new(self.remaining.len());
        let (mut shared, mut merged) = (0, 0);
        for option in (0..options).step_by(options.div_ceil(SAMPLED_ROWS).max(1)) {
            shared += self.excluded_by(option).map(<[Word]>::len).sum::<usize>();
            merged += row.merge(self.excluded_by(option));
            row.take().for_each(drop);
        }
        5 * merged <= 4 * shared
    }

    /// Merges the ranges of each option into a single one, its row.
    fn turn_into_rows(&mut self) {
        let options = self.range_starts.len() - 1;
        let mut row = Row::new(self.remaining.len());
        let mut row_ranges = Vec::with_capacity(options);
        // The words of the slots are kept, because the search reads the children of a node from
        // them.
        for option in 0..options {
            let start = self.words.len() as u32;
            row.merge(self.excluded_by(option));
            self.words.extend(row.take());
            row_ranges.push((start, self.words.len() as u32));
        }
        self.words.shrink_to_fit();
        self.range_starts = (0..=options as u32).collect();
        self.ranges = row_ranges;
    }
}

/// A buffer in which the words of an option's row are merged.
struct Row {
    /// The options in the row; all zero between two uses.
    bits: Vec<u64>,
    /// The words that are not zero.
    touched: Vec<u32>,
}

impl Row {
    fn new(words: usize) -> Self {
        Row { bits: vec![0; words], touched: Vec::new() }
    }

    /// Fills the row with the union of sets, and returns its number of words.
    fn merge<'t>(&mut self, sets: impl Iterator<Item = &'t [Word]>) -> usize {
        for &Word { index, bits } in sets.flatten() {
            if self.bits[index as usize] == 0 {
                self.touched.push(index);
            }
            self.bits[index as usize] |= bits;
        }
        self.touched.len()
    }

    /// Takes all words, in ascending order.
    fn take(&mut self) -> impl Iterator<Item = Word> {
        self.touched.sort_unstable();
        let bits = &mut self.bits;
        self.touched
            .drain(..)
            .map(|index| Word { index, bits: std::mem::take(&mut bits[index as usize]) })
    }
}

/// Returns whether undoing a step should copy back all sizes, rather than increment again the sizes
/// that the step has decremented.
///
/// Copying a size is several times as fast as incrementing one, but copying includes the sizes that
/// a step did not change. The more options an option excludes, the more sizes a step changes. With
/// pentominoes and 13 queens, copies save a third of the time of a node; with sudokus, where an
/// option excludes few others, they cost more than they save.
fn copies_are_worth_it(is_primary: &[bool], options: usize, members: &[StoredMember]) -> bool {
    let mut occurrences = vec![0_u64; is_primary.len()];
    for member in members {
        occurrences[member.item as usize] += 1;
    }
    let primary = is_primary.iter().filter(|&&is_primary| is_primary).count();
    let primary_occurrences: u64 = occurrences
        .iter()
        .zip(is_primary)
        .filter(|(_, is_primary)| **is_primary)
        .map(|(occurrences, _)| occurrences)
        .sum();
    // Averages over all options at the root: the number of options excluded, and the number of
    // sizes decremented for them.
    let excluded =
        occurrences.iter().map(|occurrences| (occurrences * occurrences) as f64).sum::<f64>()
            / options as f64;
    let decremented = excluded * primary_occurrences as f64 / options as f64;
    primary <= MAX_SMALL && 2.0 * primary as f64 <= decremented
}

/// The classes of members: members of the same item and the same colour. The classes of an item
/// have consecutive numbers, which begin with its members without colours. The class of a primary
/// item, the only one that it has, is its slot.
struct Classes {
    /// The first class of each item, and its number of classes.
    of_items: Vec<(u32, u32)>,
    /// The class of each member relative to the first class of its item; empty if there are no
    /// colours.
    of_members: Vec<u32>,
    /// The number of classes.
    number: usize,
}

impl Classes {
    /// Numbers the classes, in time linear in the number of items and members.
    fn new(slots: &[u32], primary: usize, members: &[StoredMember]) -> Self {
        let mut of_items: Vec<(u32, u32)> = slots.iter().map(|&slot| (slot, 1)).collect();
        let mut of_members = Vec::new();
        if members.iter().any(|member| member.colour != NO_COLOUR) {
            let mut known: HashMap<(u32, u32), u32> = HashMap::new();
            of_members.extend(members.iter().map(|&StoredMember { item, colour }| {
                if colour == NO_COLOUR {
                    return 0;
                }
                *known.entry((item, colour)).or_insert_with(|| {
                    let classes = &mut of_items[item as usize].1;
                    *classes += 1;
                    *classes - 1
                })
            }));
        }
        let mut number = primary as u32;
        for (first, classes) in &mut of_items {
            if *first == Tables::NO_SLOT {
                *first = number;
                number += *classes;
            }
        }
        Classes { of_items, of_members, number: number as usize }
    }

    /// Returns the classes of an item.
    #[inline]
    fn of_item(&self, item: u32) -> Range<usize> {
        let (first, classes) = self.of_items[item as usize];
        first as usize..(first + classes) as usize
    }

    /// Returns the class of a member, given by its index.
    #[inline]
    fn of(&self, member: usize, members: &[StoredMember]) -> usize {
        let (first, _) = self.of_items[members[member].item as usize];
        (first + self.of_members.get(member).copied().unwrap_or(0)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEMS: u32 = 8;

    /// Returns whether two options cannot be chosen together, by the definition.
    fn contradict(one: &[StoredMember], other: &[StoredMember]) -> bool {
        one.iter().any(|one| {
            let is_shared = |other: &&StoredMember| other.item == one.item;
            other
                .iter()
                .find(is_shared)
                .is_some_and(|other| other.colour != one.colour || one.colour == NO_COLOUR)
        })
    }

    fn excluded(tables: &Tables, option: usize) -> Vec<usize> {
        let mut set = vec![0; tables.remaining.len()];
        for word in tables.excluded_by(option).flatten() {
            set[word.index as usize] |= word.bits;
        }
        (0..64 * set.len()).filter(|option| set[option / 64] >> (option % 64) & 1 != 0).collect()
    }

    /// Compares the excluded options, without rows and with rows, with the definition.
    #[test]
    fn an_option_excludes_the_options_that_contradict_it() {
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..50 {
            let primary = random.u32(1..=ITEMS);
            let mut options: Vec<Vec<StoredMember>> = Vec::new();
            for _ in 0..random.usize(1..200) {
                let mut items: Vec<u32> = (0..ITEMS).collect();
                random.shuffle(&mut items);
                items.truncate(random.usize(1..4));
                let mut stored = |item| {
                    let colour = if item < primary { NO_COLOUR } else { random.u32(0..3) };
                    StoredMember { item, colour }
                };
                options.push(items.into_iter().map(&mut stored).collect());
            }
            let is_primary: Vec<bool> = (0..ITEMS).map(|item| item < primary).collect();
            let ends = options.iter().scan(0, |end, option| {
                *end += option.len() as u32;
                Some(*end)
            });
            let starts: Vec<u32> = std::iter::once(0).chain(ends).collect();
            let without_rows = Tables::without_rows(
                &is_primary,
                &[false; ITEMS as usize],
                &starts,
                &options.concat(),
            );
            let mut rows = without_rows.clone();
            rows.turn_into_rows();
            for (index, option) in options.iter().enumerate() {
                let has_primary =
                    |option: &[StoredMember]| option.iter().any(|member| member.item < primary);
                let expected: Vec<usize> = (0..options.len())
                    .filter(|&other| {
                        has_primary(option)
                            && has_primary(&options[other])
                            && contradict(option, &options[other])
                    })
                    .collect();
                assert_eq!(excluded(&without_rows, index), expected);
                assert_eq!(excluded(&rows, index), expected);
                assert!(rows.excluded_by(index).count() <= 1);
            }
            for slot in 0..without_rows.items.len() {
                let (start, end) = without_rows.options_of(slot);
                let options: u32 =
                    (start..end).map(|index| without_rows.word(index).bits.count_ones()).sum();
                assert_eq!(options, without_rows.sizes[slot]);
                assert_eq!(rows.options_of(slot), (start, end));
            }
        }
    }
}
