//! The tables of a cover for the search: which options contradict which, as bit sets.

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

/// The largest number of primary items for which steps are undone by copies, since each step stores
/// a copy of all sizes.
const MAX_COPIED_SIZES: usize = 1024;

/// The largest average number of words per member of an option at which options get rows of their
/// own.
const MAX_ROW_WORDS_PER_MEMBER: usize = 32;
/// The largest number of words in all rows: 64 megabytes.
const MAX_ROW_WORDS: usize = 1 << 22;

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
        if tables.rows_fit(members.len()) {
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
        let mut tables = Tables {
            preferred: items.iter().filter(|&&item| is_preferred[item as usize]).count(),
            undoes_by_copying: copies_are_worth_it(is_primary, starts.len() - 1, members),
            remaining: vec![0; (starts.len() - 1).div_ceil(64)],
            sizes: vec![0; items.len()],
            slot_starts: vec![0],
            option_slots: Vec::new(),
            slot_word_starts: vec![0],
            range_starts: vec![0],
            ranges: Vec::new(),
            words: Vec::new(),
            items,
            slots,
        };
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
        let ranges = tables.add_option_words(starts, members);
        tables.add_ranges(starts, members, &ranges);
        tables
    }

    fn remains(&self, option: usize) -> bool {
        self.remaining[option / 64] >> (option % 64) & 1 != 0
    }

    /// Appends the options of each item to `words`, grouped by colour: primary items first, by
    /// slot.
    fn add_option_words(&mut self, starts: &[u32], members: &[StoredMember]) -> WordRanges {
        // The order of the items: first by slot, then the secondary ones.
        let secondary =
            (0..self.slots.len() as u32).filter(|&item| self.slots[item as usize] == Self::NO_SLOT);
        let order: Vec<u32> = self.items.iter().copied().chain(secondary).collect();
        let mut rank = vec![0; order.len()];
        for (index, &item) in order.iter().enumerate() {
            rank[item as usize] = index as u32;
        }
        let mut occurrences: Vec<Occurrence> = Vec::with_capacity(members.len());
        for (option, range) in starts.windows(2).enumerate() {
            if self.remains(option) {
                occurrences.extend((range[0]..range[1]).map(|index| {
                    let StoredMember { item, colour } = members[index as usize];
                    Occurrence {
                        rank: rank[item as usize],
                        colour,
                        option: option as u32,
                        member: index,
                    }
                }));
            }
        }
        occurrences.sort_unstable();
        let mut ranges = WordRanges {
            of_item: vec![(0, 0); order.len()],
            of_member: vec![(0, 0); members.len()],
        };
        for (&item, of_item) in order.iter().zip(Groups::of(&occurrences, order.len())) {
            let start = self.words.len() as u32;
            for same_colour in of_item.chunk_by(|one, next| one.colour == next.colour) {
                let from = self.words.len();
                for &Occurrence { option, .. } in same_colour {
                    let (index, bit) = (option / 64, 1 << (option % 64));
                    match self.words[from..].last_mut() {
                        Some(word) if word.index == index => word.bits |= bit,
                        _ => self.words.push(Word { index, bits: bit }),
                    }
                }
                for &Occurrence { member, .. } in same_colour {
                    ranges.of_member[member as usize] = (from as u32, self.words.len() as u32);
                }
            }
            let end = self.words.len() as u32;
            ranges.of_item[item as usize] = (start, end);
            if self.slots[item as usize] != Self::NO_SLOT {
                self.slot_word_starts.push(end);
            }
        }
        ranges
    }

    /// Appends the ranges that each option excludes: of each of its items, all options except those
    /// that give it the same colour.
    fn add_ranges(&mut self, starts: &[u32], members: &[StoredMember], item_words: &WordRanges) {
        for (option, range) in starts.windows(2).enumerate() {
            if self.remains(option) {
                let range = range[0] as usize..range[1] as usize;
                for (&StoredMember { item, colour }, &own) in
                    members[range.clone()].iter().zip(&item_words.of_member[range])
                {
                    let (start, end) = item_words.of_item[item as usize];
                    let (from, to) = if colour == NO_COLOUR { (end, end) } else { own };
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

    /// Merges the ranges of each option into a single one, its row.
    fn turn_into_rows(&mut self) {
        let mut rows: Vec<Word> = Vec::new();
        let mut row_ranges = Vec::with_capacity(self.range_starts.len() - 1);
        // The words of the slots are kept, because the search reads the children of a node from
        // them.
        let kept = self.slot_word_starts[self.slot_word_starts.len() - 1];
        let mut row = vec![0; self.remaining.len()];
        let mut touched = Vec::new();
        for option in 0..self.range_starts.len() - 1 {
            for word in self.excluded_by(option).flatten() {
                if row[word.index as usize] == 0 {
                    touched.push(word.index);
                }
                row[word.index as usize] |= word.bits;
            }
            touched.sort_unstable();
            let start = kept + rows.len() as u32;
            let word = |index| Word { index, bits: std::mem::take(&mut row[index as usize]) };
            rows.extend(touched.drain(..).map(word));
            row_ranges.push((start, kept + rows.len() as u32));
        }
        self.words.truncate(kept as usize);
        self.words.append(&mut rows);
        self.words.shrink_to_fit();
        self.range_starts = (0..=row_ranges.len() as u32).collect();
        self.ranges = row_ranges;
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
    primary <= MAX_COPIED_SIZES && 2.0 * primary as f64 <= decremented
}

/// A member of an option, ordered by item and colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    rank: u32,
    colour: u32,
    option: u32,
    member: u32,
}

/// The range of words of each item's options, and for each member the range of the options that
/// give its item the same colour.
struct WordRanges {
    of_item: Vec<(u32, u32)>,
    of_member: Vec<(u32, u32)>,
}

/// An iterator over the occurrences of each item, in the order of the items; empty slices included.
struct Groups<'o> {
    rest: &'o [Occurrence],
    ranks: std::ops::Range<u32>,
}

impl<'o> Groups<'o> {
    /// Groups sorted occurrences.
    fn of(occurrences: &'o [Occurrence], ranks: usize) -> Self {
        Groups { rest: occurrences, ranks: 0..ranks as u32 }
    }
}

impl<'o> Iterator for Groups<'o> {
    type Item = &'o [Occurrence];

    fn next(&mut self) -> Option<&'o [Occurrence]> {
        let rank = self.ranks.next()?;
        let (group, rest) = self.rest.split_at(self.rest.partition_point(|one| one.rank == rank));
        self.rest = rest;
        Some(group)
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
