//! [`Extent`]: the part of the tree that a frontier covers. While it is not the whole tree, the
//! frontier makes no claim about the whole tree.

/// A part of a division: the division, its number of parts, and the index of this part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct DivisionPart {
    /// A digest of all parts, which distinguishes this division from others of the same frontier.
    division: u64,
    parts: u32,
    index: u32,
}

/// A multiset of parts of the tree. Each part is identified by the list of divisions that led to
/// it, outermost first.
///
/// The whole tree is a single part with an empty list of divisions. As soon as each part of a
/// division is present exactly once, the parts are joined. A part that was merged twice, or parts
/// of different divisions, never add up to the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Extent(Vec<Vec<DivisionPart>>);

impl Extent {
    /// Returns the extent of the whole tree.
    pub(super) fn whole() -> Self {
        Extent(vec![Vec::new()])
    }

    /// Returns whether this is the whole tree.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.0.as_slice(), [divisions] if divisions.is_empty())
    }

    /// Returns the extents of the parts after a division into `parts`.
    pub(super) fn divided(self, division: u64, parts: usize) -> impl Iterator<Item = Self> {
        // The number fits: there are at most 65,536 parts, or as many as there are untried children
        // in memory (see `deal`).
        let parts = u32::try_from(parts).unwrap_or(u32::MAX);
        (0..parts).map(move |index| {
            let mut part = self.clone();
            if parts > 1 {
                part.0
                    .iter_mut()
                    .for_each(|divisions| divisions.push(DivisionPart { division, parts, index }));
            }
            part
        })
    }

    /// Adds another part of the same tree, and joins divisions that are then complete.
    ///
    /// Invariant afterwards: the longest lists of divisions come first, and lists of equal length
    /// are sorted, so that the parts of a division follow each other.
    pub(super) fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
        // Innermost divisions come first, because joining their parts may complete the division
        // that contains them.
        self.0.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        let mut place = 0;
        while let Some(divisions) = self.0.get(place) {
            let Some((&DivisionPart { division, parts, index: 0 }, prefix)) =
                divisions.split_last()
            else {
                place += 1;
                continue;
            };
            let is_sibling = |(index, divisions): (u32, &Vec<DivisionPart>)| {
                divisions.split_last() == Some((&DivisionPart { division, parts, index }, prefix))
            };
            let siblings =
                (0..parts).zip(&self.0[place..]).take_while(|&part| is_sibling(part)).count();
            if siblings != parts as usize {
                place += 1;
                continue;
            }
            let prefix = prefix.to_vec();
            self.0.drain(place..place + siblings);
            // The same order as that of the sort above.
            let cmp_to_prefix = |known: &Vec<DivisionPart>| {
                prefix.len().cmp(&known.len()).then_with(|| known.cmp(&prefix))
            };
            let at = self.0.partition_point(|known| cmp_to_prefix(known).is_lt());
            self.0.insert(at, prefix);
            place = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(parts: impl IntoIterator<Item = Extent>) -> Extent {
        let mut parts = parts.into_iter();
        let mut whole = parts.next().expect("one part at least");
        parts.for_each(|part| whole.merge(part));
        whole
    }

    #[test]
    fn merging_all_parts_in_any_order_restores_the_whole() {
        for parts in 1..=7 {
            let mut all: Vec<_> = Extent::whole().divided(5, parts).collect();
            assert_eq!(all.iter().any(Extent::is_whole), parts == 1);
            assert!(merged(all.iter().cloned().rev()).is_whole());
            all.rotate_left(parts / 2);
            assert!(merged(all).is_whole());
        }
    }

    #[test]
    fn merging_nested_divisions_restores_the_whole() {
        let [one, two, three] =
            [0, 1, 2].map(|index| Extent::whole().divided(7, 3).nth(index).expect("a part"));
        let mut pair = one;
        pair.merge(three);
        let pieces: Vec<_> = pair.divided(8, 2).chain(two.divided(8, 4)).collect();
        assert!(merged(pieces.iter().cloned()).is_whole());
        assert!(merged(pieces.iter().cloned().rev()).is_whole());
        for missing in 0..pieces.len() {
            let others = pieces
                .iter()
                .enumerate()
                .filter(|&(index, _)| index != missing)
                .map(|(_, piece)| piece.clone());
            assert!(!merged(others).is_whole());
        }
    }

    #[test]
    fn duplicate_or_foreign_parts_never_make_the_whole() {
        let all: Vec<_> = Extent::whole().divided(1, 3).collect();
        assert!(!merged(all.iter().chain(&all[1..2]).cloned()).is_whole());
        let mixed =
            [all[0].clone(), all[1].clone(), Extent::whole().divided(2, 3).nth(2).expect("a part")];
        assert!(!merged(mixed).is_whole());
    }
}
