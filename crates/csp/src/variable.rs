//! Variables, their domains as a model states them, and the memory layout of a state: one array of
//! words that holds the domains of all variables.
//!
//! Everything that a step may change is a 64-bit word of that array: the remaining values, their
//! number for domains of several words, and the set of open variables. A single trail of pairs
//! (word, previous content) therefore restores everything, in time proportional to the number of
//! changes.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// A variable of a [`Model`](super::Model), and of the [`Network`](super::Network) built from it.
///
/// Variables are numbered from 0 in the order in which they are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Variable(u32);

impl Variable {
    /// Returns the variable with this number, which must be less than 2³².
    #[inline]
    pub(super) fn new(index: usize) -> Self {
        Variable(index as u32)
    }

    /// Returns the number of the variable: the number of variables added before it.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A finite set of integers, stored as disjoint ranges in ascending order.
///
/// A domain is made from ranges and lists. An empty domain is allowed and makes a model without
/// solutions. Clones share the ranges.
///
/// ```
/// use secateurs_csp::Domain;
///
/// assert_eq!(Domain::from([3, 1, 2, 9, 3]), Domain::from_iter([1, 2, 3, 9]));
/// assert_eq!(Domain::from(1..=3).iter().sum::<i32>(), 6);
/// assert!(Domain::from(5..5).is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Domain {
    /// Disjoint, not adjacent, ascending, none of them empty.
    ranges: Arc<[(i32, i32)]>,
}

impl Domain {
    fn of_ranges(ranges: &[(i32, i32)]) -> Self {
        Domain { ranges: ranges.into() }
    }

    /// Returns the number of values, in time linear in the number of ranges.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.ranges
            .iter()
            .map(|&(low, high)| low.abs_diff(high).into())
            .map(|width: u64| width + 1)
            .sum()
    }

    /// Returns whether the domain has no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the smallest and the largest value, or `None` if the domain is empty.
    #[must_use]
    pub fn bounds(&self) -> Option<(i32, i32)> {
        Some((self.ranges.first()?.0, self.ranges.last()?.1))
    }

    /// Returns whether `value` is in the domain, in time logarithmic in the number of ranges.
    #[must_use]
    pub fn contains(&self, value: i32) -> bool {
        let after = self.ranges.partition_point(|&(low, _)| low <= value);
        after > 0 && value <= self.ranges[after - 1].1
    }

    /// Returns the values in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = i32> + '_ {
        self.ranges.iter().flat_map(|&(low, high)| low..=high)
    }

    /// Returns the ranges in ascending order, each as its smallest and its largest value.
    pub(super) fn ranges(&self) -> &[(i32, i32)] {
        &self.ranges
    }

    /// Returns the values for which `keep` returns `true`. Calls `keep` once per value.
    #[must_use]
    pub fn filter(&self, mut keep: impl FnMut(i32) -> bool) -> Self {
        self.iter().filter(|&value| keep(value)).collect()
    }
}

impl From<RangeInclusive<i32>> for Domain {
    fn from(range: RangeInclusive<i32>) -> Self {
        if range.is_empty() {
            Domain::default()
        } else {
            Domain::of_ranges(&[(*range.start(), *range.end())])
        }
    }
}

impl From<Range<i32>> for Domain {
    fn from(range: Range<i32>) -> Self {
        if range.is_empty() {
            Domain::default()
        } else {
            Domain::of_ranges(&[(range.start, range.end - 1)])
        }
    }
}

impl From<i32> for Domain {
    fn from(value: i32) -> Self {
        Domain::of_ranges(&[(value, value)])
    }
}

impl From<&[i32]> for Domain {
    fn from(values: &[i32]) -> Self {
        values.iter().copied().collect()
    }
}

impl From<Vec<i32>> for Domain {
    fn from(values: Vec<i32>) -> Self {
        values.into_iter().collect()
    }
}

impl<const N: usize> From<[i32; N]> for Domain {
    fn from(values: [i32; N]) -> Self {
        values.into_iter().collect()
    }
}

impl FromIterator<i32> for Domain {
    /// Collects values in any order, with or without repetitions.
    fn from_iter<I: IntoIterator<Item = i32>>(values: I) -> Self {
        let mut ranges: Vec<(i32, i32)> = Vec::new();
        let mut unordered = Vec::new();
        for value in values {
            match ranges.last_mut() {
                Some((_, high)) if *high == value => {}
                Some((_, high)) if high.checked_add(1) == Some(value) => *high = value,
                Some((_, high)) if *high > value => unordered.push(value),
                _ => ranges.push((value, value)),
            }
        }
        if unordered.is_empty() {
            return Domain::of_ranges(&ranges);
        }
        let mut all: Vec<i32> =
            ranges.into_iter().flat_map(|(low, high)| low..=high).chain(unordered).collect();
        all.sort_unstable();
        all.into_iter().collect()
    }
}

/// The words of one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    /// The index of the variable's first word. If the values take several words, the number of
    /// remaining values is stored in this first word, before them.
    pub(super) offset: u32,
    /// The number of words that hold values. Bit `i` of these words stands for the value `base +
    /// i`.
    pub(super) words: u32,
    pub(super) base: i32,
    /// The largest value is `base + span - 1`. The span is 0 if there is no value.
    pub(super) span: u32,
}

impl Slot {
    #[inline]
    pub(super) fn is_one_word(self) -> bool {
        self.words == 1
    }

    /// Returns the index of the word and the mask of the bit that stand for `value`, or `None` if
    /// no bit of the variable stands for it.
    #[inline]
    pub(super) fn place(self, value: i32) -> Option<(usize, u64)> {
        let index = i64::from(value) - i64::from(self.base);
        if self.is_one_word() {
            return (0..64).contains(&index).then(|| (self.offset as usize, 1 << index));
        }
        // A negative index becomes a large number, which is no word of the variable.
        let word = (index >> 6) as u64;
        (word < u64::from(self.words)).then(|| (self.first() + word as usize, 1 << (index & 63)))
    }

    /// Returns the smallest and the largest value in the word of a domain of one word.
    #[inline]
    pub(super) fn bounds_in(self, word: u64) -> Option<(i32, i32)> {
        let high = word.checked_ilog2()?;
        Some(self.bounds_of(Ends { low: word.trailing_zeros(), high }))
    }

    /// Returns the values at these positions.
    #[inline]
    pub(super) fn bounds_of(self, ends: Ends) -> (i32, i32) {
        // The sums do not overflow: no bit stands for a value outside the range of `i32`.
        (self.base.wrapping_add(ends.low as i32), self.base.wrapping_add(ends.high as i32))
    }

    /// Returns the index of the word with the number of remaining values of a wide domain.
    #[inline]
    pub(super) fn size(self) -> usize {
        self.offset as usize
    }

    /// Returns the index of the word with the [`Ends`] of a wide domain.
    #[inline]
    pub(super) fn ends(self) -> usize {
        self.offset as usize + 1
    }

    /// Returns the index of the first word of values.
    #[inline]
    pub(super) fn first(self) -> usize {
        self.offset as usize + if self.is_one_word() { 0 } else { HEADER_WORDS }
    }

    /// Returns the indices of the words of values.
    #[inline]
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.first()..self.first() + self.words as usize
    }
}

/// The number of words before the values of a wide domain: their number, and their [`Ends`].
pub(super) const HEADER_WORDS: usize = 2;

/// The positions of the smallest and the largest remaining value among the bits of a wide domain.
/// Bits outside are stale: a bound moves without a change of the bits that it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) low: u32,
    pub(super) high: u32,
}

impl Ends {
    #[inline]
    pub(super) fn of(word: u64) -> Self {
        Ends { low: word as u32, high: (word >> 32) as u32 }
    }

    #[inline]
    pub(super) fn word(self) -> u64 {
        u64::from(self.low) | u64::from(self.high) << 32
    }
}

/// The words of all variables.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) slots: Vec<Slot>,
    /// The variable whose values each word holds, or [`NO_OWNER`].
    pub(super) owner: Vec<u32>,
    /// The index of the first word of the set of open variables, which has one bit per variable.
    pub(super) open: usize,
    /// Whether every domain is a single word, so that word `x` is the domain of variable `x`.
    pub(super) one_word: bool,
}

/// The constant part of the work of visiting a domain, in words; the number of words of the domain
/// is added.
pub(super) const VISIT: u64 = 16;

/// The owner of words that do not hold values.
pub(super) const NO_OWNER: u32 = u32::MAX;

/// Returns the number of words that a domain with these bounds takes, those before the values of a
/// wide domain included.
pub(super) fn words_of(bounds: Option<(i32, i32)>) -> u64 {
    match bounds.map(|(low, high)| u64::from(low.abs_diff(high)) / 64 + 1) {
        None | Some(1) => 1,
        Some(words) => words + HEADER_WORDS as u64,
    }
}

impl Layout {
    /// Lays out these domains. They must take less than 2³² words together, which the model
    /// ensures.
    pub(super) fn new(domains: &[Domain]) -> Self {
        let mut slots = Vec::with_capacity(domains.len());
        let mut owner = Vec::new();
        for (variable, domain) in domains.iter().enumerate() {
            let bounds = domain.bounds();
            let taken = words_of(bounds) as usize;
            let offset = owner.len() as u32;
            if taken > 1 {
                // Every change of the number comes with one of the ends or of the values.
                owner.push(NO_OWNER);
            }
            owner.resize(offset as usize + taken, variable as u32);
            let words = if taken > 1 { taken - HEADER_WORDS } else { 1 };
            let (base, span) = bounds.map_or((0, 0), |(low, high)| (low, low.abs_diff(high) + 1));
            slots.push(Slot { offset, words: words as u32, base, span });
        }
        let open = owner.len();
        owner.resize(open + domains.len().div_ceil(64), NO_OWNER);
        let one_word = slots.iter().all(|slot| slot.is_one_word());
        Layout { slots, owner, open, one_word }
    }

    /// Returns the words of the root: all values remain and every variable is open.
    pub(super) fn words(&self, domains: &[Domain]) -> Vec<u64> {
        let mut words = vec![0; self.owner.len()];
        for (slot, domain) in self.slots.iter().zip(domains) {
            for &(low, high) in domain.ranges() {
                fill(
                    &mut words[slot.range()],
                    low.abs_diff(slot.base) as usize,
                    high.abs_diff(slot.base) as usize,
                );
            }
            if !slot.is_one_word() {
                words[slot.size()] = domain.len();
                words[slot.ends()] = Ends { low: 0, high: slot.span - 1 }.word();
            }
        }
        if !domains.is_empty() {
            fill(&mut words[self.open..], 0, domains.len() - 1);
        }
        words
    }

    #[inline]
    pub(super) fn slot(&self, variable: Variable) -> Slot {
        self.slots[variable.index()]
    }

    /// Returns the work of visiting a domain: the number of its words, and a constant part.
    #[inline]
    pub(super) fn work(&self, variable: Variable) -> u64 {
        u64::from(self.slot(variable).words) + VISIT
    }
}

/// Sets the bits from `low` to `high`, both included.
fn fill(words: &mut [u64], low: usize, high: usize) {
    for (index, word) in words.iter_mut().enumerate().take(high / 64 + 1).skip(low / 64) {
        let from = low.saturating_sub(index * 64);
        let to = (high - index * 64).min(63);
        *word |= (u64::MAX >> (63 - to)) & (u64::MAX << from);
    }
}
