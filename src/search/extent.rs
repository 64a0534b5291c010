//! Which part of the tree a frontier is, so that nothing is claimed of the whole before all of it
//! is there: [`Extent`].

/// One cut of a divided frontier: which of its parts it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Cut {
    /// Tells the divisions apart that one frontier has gone through: a digest of its parts.
    division: u64,
    parts: u32,
    index: u32,
}

/// A set of disjoint parts of the tree, each known by the divisions that led to it, the first one
/// first.
///
/// The whole tree is the set of the one part that no division led to. Parts are joined as soon as
/// all parts of a division are there, each once. A part that was merged twice, or parts of
/// different divisions, never make a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Extent(Vec<Vec<Cut>>);

impl Extent {
    /// The whole tree.
    pub(super) fn whole() -> Self {
        Extent(vec![Vec::new()])
    }

    /// Whether it is the whole tree.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.0.as_slice(), [cuts] if cuts.is_empty())
    }

    /// The extents of the `parts` that it is divided into.
    pub(super) fn divided(self, division: u64, parts: usize) -> impl Iterator<Item = Self> {
        // A frontier is divided into 65,536 parts at most.
        let parts = u32::try_from(parts).unwrap_or(u32::MAX);
        (0..parts).map(move |index| {
            let mut part = self.clone();
            if parts > 1 {
                part.0.iter_mut().for_each(|cuts| cuts.push(Cut { division, parts, index }));
            }
            part
        })
    }

    /// Adds another part of the same tree.
    pub(super) fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
        // The deepest divisions first: what they make may complete the one above.
        self.0.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        let mut place = 0;
        while let Some(cuts) = self.0.get(place) {
            let Some((&Cut { division, parts, index: 0 }, stem)) = cuts.split_last() else {
                place += 1;
                continue;
            };
            let is_sibling = |(index, cuts): (u32, &Vec<Cut>)| {
                cuts.split_last() == Some((&Cut { division, parts, index }, stem))
            };
            let siblings =
                (0..parts).zip(&self.0[place..]).take_while(|&part| is_sibling(part)).count();
            if siblings != parts as usize {
                place += 1;
                continue;
            }
            let stem = stem.to_vec();
            self.0.drain(place..place + siblings);
            let order =
                |known: &Vec<Cut>| stem.len().cmp(&known.len()).then_with(|| known.cmp(&stem));
            let at = self.0.partition_point(|known| order(known).is_lt());
            self.0.insert(at, stem);
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
    fn all_parts_in_any_order_are_the_whole() {
        for parts in 1..=7 {
            let mut all: Vec<_> = Extent::whole().divided(5, parts).collect();
            assert_eq!(all.iter().any(Extent::is_whole), parts == 1);
            assert!(merged(all.iter().cloned().rev()).is_whole());
            all.rotate_left(parts / 2);
            assert!(merged(all).is_whole());
        }
    }

    #[test]
    fn parts_of_parts_are_joined() {
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
    fn a_part_that_comes_twice_is_no_whole() {
        let all: Vec<_> = Extent::whole().divided(1, 3).collect();
        assert!(!merged(all.iter().chain(&all[1..2]).cloned()).is_whole());
        let mixed =
            [all[0].clone(), all[1].clone(), Extent::whole().divided(2, 3).nth(2).expect("a part")];
        assert!(!merged(mixed).is_whole());
    }
}
