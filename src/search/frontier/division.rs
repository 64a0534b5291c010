//! Dividing frontiers: [`deal`] distributes the untried children of subtrees among several parts,
//! and an [`Extent`] is the part of the tree that a frontier covers. While it is not the whole
//! tree, the frontier makes no claim about the whole tree.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::subtree::{Subtree, Untried};
use crate::brancher::BrancherId;
use crate::report::Level;

/// Returns the shares of the units of a subtree, the smallest parts that can be distributed: each
/// untried child, or what must stay together. That is the whole tree, a solution, or all untried
/// children of a barren node.
fn unit_shares<C>(subtree: &Subtree<C>) -> Vec<f64> {
    let mut shares = Vec::new();
    if subtree.is_whole() {
        shares.push(1.0);
    }
    if subtree.solution {
        shares.push(0.0);
    }
    for Untried { choices, barren, share } in &subtree.untried {
        if *barren {
            shares.push(share * choices.len() as f64);
        } else {
            shares.extend(choices.iter().map(|_| share));
        }
    }
    shares
}

/// More parts than this are made only if each of them gets a unit.
const MAX_EMPTY_PARTS: usize = 1 << 16;

/// Distributes subtrees among `parts` (longest processing time first, Graham 1969): the units with
/// the largest shares first, each to the part with the smallest sum of shares so far.
pub(crate) fn deal<C: Clone>(
    subtrees: VecDeque<Subtree<C>>,
    parts: usize,
) -> Vec<VecDeque<Subtree<C>>> {
    let shares: Vec<f64> = subtrees.iter().flat_map(unit_shares).collect();
    let mut largest_first: Vec<usize> = (0..shares.len()).collect();
    largest_first.sort_by(|&one, &other| shares[other].total_cmp(&shares[one]));
    let parts = parts.min(shares.len().max(MAX_EMPTY_PARTS));
    // The bits of the sums of shares, which order numbers that are not negative, and the parts.
    let mut loads: BinaryHeap<Reverse<(u64, usize)>> =
        (0..parts).map(|part| Reverse((0, part))).collect();
    // By unit, the part that gets it.
    let mut owners = vec![0; shares.len()];
    for unit in largest_first {
        let Some(mut load) = loads.peek_mut() else { break };
        let Reverse((sum, lightest)) = *load;
        load.0.0 = (f64::from_bits(sum) + shares[unit]).to_bits();
        owners[unit] = lightest;
    }
    let mut owners = owners.into_iter();
    let mut next_owner = || owners.next().unwrap_or(0);
    let mut dealt: Vec<VecDeque<Subtree<C>>> = (0..parts).map(|_| VecDeque::new()).collect();
    for subtree in subtrees {
        if subtree.is_whole() {
            dealt[next_owner()].push_back(subtree);
            continue;
        }
        let Subtree { path, untried, solution } = subtree;
        if solution {
            dealt[next_owner()].push_back(Subtree::solution(path.clone()));
        }
        let nodes = untried.len();
        let nothing = || (0..nodes).map(|_| Untried::none()).collect();
        let mut divided: BTreeMap<usize, Vec<Untried<C>>> = BTreeMap::new();
        for (node, untried) in untried.into_iter().enumerate() {
            if untried.barren {
                divided.entry(next_owner()).or_insert_with(nothing)[node] = untried;
                continue;
            }
            for choice in untried.choices {
                let own = &mut divided.entry(next_owner()).or_insert_with(nothing)[node];
                own.choices.push_back(choice);
                own.share = untried.share;
            }
        }
        for (part, untried) in divided {
            dealt[part].extend(Subtree::new(path.clone(), untried));
        }
    }
    dealt
}

/// Returns a digest of the shapes of all parts, of what has been explored, given as the counts of
/// each depth, and of the brancher. It tells this division of a frontier from divisions of the same
/// frontier at other moments, which have other parts, and from those of the trees of other
/// branchers.
pub(super) fn division_digest<C>(
    dealt: &[VecDeque<Subtree<C>>],
    explored: &[Level],
    brancher: Option<&BrancherId>,
) -> u64 {
    let mut hasher = FxHasher::default();
    brancher.hash(&mut hasher);
    for level in explored {
        (level.nodes, level.solutions).hash(&mut hasher);
    }
    for subtrees in dealt {
        subtrees.len().hash(&mut hasher);
        for subtree in subtrees {
            (subtree.path.len(), subtree.solution).hash(&mut hasher);
            for untried in &subtree.untried {
                (untried.choices.len(), untried.barren, untried.share.to_bits()).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

/// A part of a division: the division, its number of parts, and the index of this part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct DivisionPart {
    /// A digest of all parts, which distinguishes this division from others of the same frontier.
    division: u64,
    pub(super) parts: u32,
    pub(super) index: u32,
}

/// A multiset of parts of the tree. Each part is identified by the list of divisions that led to
/// it, outermost first.
///
/// The whole tree is a single part with an empty list of divisions. As soon as each part of a
/// division is present exactly once, the parts are joined. A part that was merged twice never adds
/// up to the whole, nor do parts of divisions with different [digests](division_digest).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Extent(
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::files::extent"))]
    Vec<Vec<DivisionPart>>,
);

impl Extent {
    /// Returns the extent of the whole tree.
    pub(super) fn whole() -> Self {
        Extent(vec![Vec::new()])
    }

    /// Returns whether this is the whole tree.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.0.as_slice(), [divisions] if divisions.is_empty())
    }

    /// Returns whether two of the parts may overlap: a part was merged twice, also as a part of
    /// another one, or parts of different divisions of one frontier were.
    pub(super) fn may_overlap(&self) -> bool {
        // The parts are sorted, so that of all that may overlap, two follow each other.
        self.0.windows(2).any(|pair| {
            let mut divisions = pair[0].iter().zip(&pair[1]);
            let differing = divisions.find(|(one, other)| one != other);
            differing.is_none_or(|(one, other)| one.division != other.division)
        })
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

    /// Adds another part of the same tree, and joins divisions that are then complete. Cost: a sort
    /// of the parts, which are mostly sorted already, and one pass over them.
    pub(super) fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
        // Lexicographically: the parts of a division, and those of divisions of these parts, follow
        // each other.
        self.0.sort();
        let mut joined: Vec<Vec<DivisionPart>> = Vec::with_capacity(self.0.len());
        for part in self.0.drain(..) {
            joined.push(part);
            // Joining the parts of a division may complete the division that contains it.
            while let Some(first) = first_of_complete_division(&joined) {
                joined.truncate(first + 1);
                joined[first].pop();
            }
        }
        self.0 = joined;
    }
}

/// Returns the index of the first part of the division of the last part, if the last parts are all
/// parts of that division.
fn first_of_complete_division(sorted: &[Vec<DivisionPart>]) -> Option<usize> {
    let (last, prefix) = sorted.last()?.split_last()?;
    let first = sorted.len().checked_sub(last.parts as usize)?;
    let is_sibling = |(index, part): (u32, &Vec<DivisionPart>)| {
        part.split_last() == Some((&DivisionPart { index, ..*last }, prefix))
    };
    (0..last.parts).zip(&sorted[first..]).all(is_sibling).then_some(first)
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
