//! Variables, and their domains as a model states them.

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
/// use secateurs::csp::Domain;
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
