//! Refinements of the colouring, which prune candidates whose colour alone does not.

use std::ops::Range;

use super::{BITS, Cliques};
use crate::memory::vec_bytes;

/// A refinement of the colouring of candidates, for [`ColouringBound`](super::ColouringBound).
///
/// If the clique needs more than k further vertices to beat the incumbent, candidates of colours up
/// to k are pruned at once. A refinement then tries to prune each candidate v of a higher colour,
/// by means of the *classes*, the sets of candidates of one colour up to k. If it succeeds, v is
/// tried by no child of the node, but remains a candidate of the children.
///
/// The time of a node grows by k² times n/64 for each candidate of a higher colour, in the worst
/// case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Refinement {
    /// Recolours v if a class contains a single neighbour w of v and another class none of w: v
    /// moves to the first class and w to the second one (Tomita et al. 2010, San Segundo et al.
    /// 2013).
    Recolouring,
    /// Recolours v, or finds two classes of which a clique with v takes one vertex at most: the
    /// first class contains a single neighbour w of v, and the second one no common neighbour of v
    /// and w. Such a pair serves for one candidate (San Segundo, Nikolaev and Batsyn 2015, limited
    /// to single neighbours; it is an inference of MaxSAT as in Li and Quan 2010).
    InfraChromatic,
}

/// The purpose of refining a colouring: to show that few vertices start a larger clique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Target {
    /// The largest size of cliques that need not be found.
    to_beat: u16,
    refinement: Option<Refinement>,
}

impl Target {
    /// No refinement: all candidates are tried.
    pub const NONE: Target = Target { to_beat: 0, refinement: None };

    pub fn new(to_beat: usize, refinement: Refinement) -> Self {
        // Larger sizes exceed the number of vertices as well.
        let to_beat = u16::try_from(to_beat).unwrap_or(u16::MAX);
        Target { to_beat, refinement: Some(refinement) }
    }

    #[inline]
    pub fn is_none(self) -> bool {
        self.refinement.is_none()
    }

    /// Returns the largest number of further vertices that does not suffice for a clique of `size`
    /// vertices.
    #[inline]
    pub fn needed(self, size: usize) -> u16 {
        #[allow(clippy::cast_possible_truncation, reason = "at most `to_beat`")]
        let needed = usize::from(self.to_beat).saturating_sub(size) as u16;
        needed
    }
}

/// The classes of the colours whose candidates are pruned.
///
/// A clique takes at most as many of the absorbed vertices and of the vertices of the classes as
/// there are classes: one of each class that is not spent, and two of each pair of spent classes
/// and the vertex that they were spent on.
#[derive(Debug, Default)]
pub(super) struct Classes {
    /// The words of the sets that are not empty in all of them.
    range: Range<usize>,
    /// The sets, one after the other, each with the words of `range`.
    sets: Vec<u64>,
    /// Whether each class has been spent on a candidate, and must not change any more.
    is_spent: Vec<bool>,
}

/// The intersection of two sets.
enum Common {
    Nothing,
    One(usize),
    Several,
}

impl Classes {
    pub fn heap_bytes(&self) -> usize {
        vec_bytes(&self.sets) + vec_bytes(&self.is_spent)
    }

    /// Removes all classes, and sets the range of words that are not empty.
    #[inline]
    pub fn clear(&mut self, range: Range<usize>) {
        self.range = range;
        self.sets.clear();
        self.is_spent.clear();
    }

    /// Begins a class. `uncoloured` is the set of uncoloured candidates before it.
    #[inline]
    pub fn open(&mut self, uncoloured: &[u64]) {
        self.sets.extend_from_slice(&uncoloured[self.range.clone()]);
        self.is_spent.push(false);
    }

    /// Ends the last class. `uncoloured` is the set of uncoloured candidates after it.
    #[inline]
    pub fn close(&mut self, uncoloured: &[u64]) {
        let start = self.sets.len() - self.range.len();
        for (word, rest) in self.sets[start..].iter_mut().zip(&uncoloured[self.range.clone()]) {
            *word ^= rest;
        }
    }

    #[inline]
    fn class(&self, index: usize) -> &[u64] {
        &self.sets[index * self.range.len()..][..self.range.len()]
    }

    /// Adds or removes a vertex.
    #[inline]
    fn flip(&mut self, class: usize, rank: usize) {
        let word = class * self.range.len() + rank / BITS - self.range.start;
        self.sets[word] ^= 1 << (rank % BITS);
    }

    /// Returns the common vertices of a class and a set.
    #[inline]
    fn common(&self, class: usize, row: &[u64]) -> Common {
        let mut found = Common::Nothing;
        for (index, (word, neighbours)) in self.class(class).iter().zip(row).enumerate() {
            let both = word & neighbours;
            if both != 0 {
                if !matches!(found, Common::Nothing) || !both.is_power_of_two() {
                    return Common::Several;
                }
                let first = (self.range.start + index) * BITS;
                found = Common::One(first + both.trailing_zeros() as usize);
            }
        }
        found
    }

    /// Returns whether the classes and the vertex of a rank still have the bound of the classes
    /// alone, and changes or spends classes so that they have.
    #[inline]
    pub fn absorb(&mut self, cliques: &Cliques, rank: usize, target: Target) -> bool {
        let row = &cliques.row(rank)[self.range.clone()];
        let is_infra_chromatic = target.refinement == Some(Refinement::InfraChromatic);
        for one in 0..self.is_spent.len() {
            if self.is_spent[one] {
                continue;
            }
            let single = match self.common(one, row) {
                Common::Several => continue,
                Common::Nothing => {
                    self.flip(one, rank);
                    return true;
                }
                Common::One(single) => single,
            };
            let single_row = &cliques.row(single)[self.range.clone()];
            for other in 0..self.is_spent.len() {
                if other == one || self.is_spent[other] {
                    continue;
                }
                let (mut any, mut blocking) = (0, 0);
                for ((word, neighbours), row) in self.class(other).iter().zip(single_row).zip(row) {
                    let adjacent = word & neighbours;
                    any |= adjacent;
                    blocking |= if is_infra_chromatic { adjacent & row } else { adjacent };
                    if blocking != 0 {
                        break;
                    }
                }
                if blocking != 0 {
                    continue;
                }
                if any == 0 {
                    self.flip(one, single);
                    self.flip(one, rank);
                    self.flip(other, single);
                } else {
                    (self.is_spent[one], self.is_spent[other]) = (true, true);
                }
                return true;
            }
        }
        false
    }
}
