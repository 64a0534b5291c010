//! Values numbered from 0, without gaps.

use crate::csp::Domain;

/// The values of a domain in ascending order, numbered.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// The first and last value of each range, and the number of the first.
    ranges: Vec<(i32, i32, usize)>,
    len: usize,
}

impl Numbering {
    /// Numbers the values that are in any of these domains. Cost: sorting their ranges.
    pub(super) fn union<'a>(domains: impl Iterator<Item = &'a Domain>) -> Self {
        let mut all: Vec<(i32, i32)> =
            domains.flat_map(|domain| domain.ranges()).copied().collect();
        all.sort_unstable();
        let mut ranges: Vec<(i32, i32, usize)> = Vec::new();
        for (low, high) in all {
            match ranges.last_mut() {
                Some((_, end, _)) if low <= *end => *end = high.max(*end),
                _ => ranges.push((low, high, 0)),
            }
        }
        let mut len = 0;
        for (low, high, first) in &mut ranges {
            *first = len;
            len += high.abs_diff(*low) as usize + 1;
        }
        Numbering { ranges, len }
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The number of a value that is one of them.
    #[inline]
    pub(super) fn number(&self, value: i32) -> usize {
        let range = match &self.ranges[..] {
            [only] => only,
            ranges => &ranges[ranges.partition_point(|range| range.1 < value)],
        };
        range.2 + value.abs_diff(range.0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_without_gaps() {
        let domains = [
            Domain::from([1, 2, 9]),
            Domain::from(2..=4),
            Domain::from([i32::MIN, i32::MAX]),
            Domain::from(4..=5),
        ];
        let values = [i32::MIN, 1, 2, 3, 4, 5, 9, i32::MAX];
        let numbering = Numbering::union(domains.iter());
        assert_eq!(numbering.len(), values.len());
        assert!(
            values.iter().enumerate().all(|(number, &value)| numbering.number(value) == number)
        );
        assert_eq!(Numbering::union([].into_iter()).len(), 0);
    }
}
