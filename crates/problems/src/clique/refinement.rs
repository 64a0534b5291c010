//! Refinements of the colouring, which prune candidates whose colour alone does not.

use std::ops::Range;

use secateurs::vec_bytes;

use super::{BITS, Cliques};

/// A refinement of the colouring of candidates, for [`ColouringBound`](super::ColouringBound).
///
/// If the clique needs more than k further vertices to beat the incumbent, candidates of colours up
/// to k are pruned at once. A refinement then tries to prune each candidate v of a higher colour,
/// by means of the *classes*, the sets of candidates of one colour up to k. If it succeeds, the
/// node has no child for v, but v remains a candidate below the other children.
///
/// The time of a node grows by k² times n/64 for each candidate of a higher colour, in the worst
/// case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Refinement {
    /// Recolours v if a class contains a single neighbour w of v and another class contains no
    /// neighbour of w: v moves to the first class and w to the second one (Tomita et al. 2010, San
    /// Segundo et al. 2013).
    Recolouring,
    /// Recolours v, or finds two or three classes such that a clique with v takes no vertex of at
    /// least one of them. A class contains a single neighbour w of v. Either another class contains
    /// no common neighbour of v and w (San Segundo, Nikolaev and Batsyn 2015), or two other classes
    /// contain a single one each, and these two are not adjacent, an inference of MaxSAT (Li and
    /// Quan 2010). Such classes serve for one candidate.
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
        // `u16::MAX` already exceeds every number of vertices.
        let to_beat = u16::try_from(to_beat).unwrap_or(u16::MAX);
        Target { to_beat, refinement: Some(refinement) }
    }

    #[inline]
    pub fn is_none(self) -> bool {
        self.refinement.is_none()
    }

    /// Returns the largest number of further vertices that are not enough for a clique of `size`
    /// vertices: k in the description of [`Refinement`].
    #[inline]
    pub fn insufficient(self, size: usize) -> u16 {
        #[allow(clippy::cast_possible_truncation, reason = "at most `to_beat`")]
        let insufficient = usize::from(self.to_beat).saturating_sub(size) as u16;
        insufficient
    }
}

/// The classes of the colours whose candidates are pruned.
///
/// Invariant: of all vertices in classes and all absorbed ones, a clique takes at most as many as
/// there are classes. It takes at most one vertex of a class that is not spent. Of n classes that
/// were spent together on a vertex v, it takes at most n out of their vertices and v.
#[derive(Debug, Default)]
pub(super) struct Classes {
    /// The range of words outside which all sets are empty.
    range: Range<usize>,
    /// The sets, one after the other, each with the words of `range`.
    sets: Vec<u64>,
    /// Whether each class has been spent on a candidate, and must not change any more.
    is_spent: Vec<bool>,
    /// A buffer for pairs of a class and the only vertex of it that a clique can take together with
    /// the vertex to absorb and its neighbour.
    forced: Vec<(usize, usize)>,
    /// A buffer for common neighbours.
    meeting: Vec<u64>,
}

/// The vertices in several sets.
enum Common {
    Nothing,
    One(usize),
    Several,
}

impl Classes {
    pub fn heap_bytes(&self) -> usize {
        let buffers = vec_bytes(&self.forced) + vec_bytes(&self.meeting);
        vec_bytes(&self.sets) + vec_bytes(&self.is_spent) + buffers
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

    /// Returns the words of a class. `W` is their number, or 0 if it is known at run
    /// time only.
    #[inline]
    fn class<const W: usize>(&self, index: usize) -> &[u64] {
        let words = if W == 0 { self.range.len() } else { W };
        &self.sets[index * words..][..words]
    }

    /// Adds or removes a vertex.
    #[inline]
    fn flip(&mut self, class: usize, rank: usize) {
        let word = class * self.range.len() + rank / BITS - self.range.start;
        self.sets[word] ^= 1 << (rank % BITS);
    }

    /// Returns the vertices of a class that are in a set, given by its words in the range.
    #[inline]
    fn common<const W: usize>(&self, class: usize, set: &[u64]) -> Common {
        let set = if W == 0 { set } else { &set[..W] };
        // Without branches, since the words are few and which of them meet cannot be predicted.
        let (mut found, mut at, mut more) = (0_u64, 0, 0);
        for (index, (word, other)) in self.class::<W>(class).iter().zip(set).enumerate() {
            let common = word & other;
            // `more` becomes nonzero at the second common bit, in the same word or in a later one.
            more |= common & common.wrapping_sub(1);
            more |= if common == 0 { 0 } else { found };
            (found, at) = if common == 0 { (found, at) } else { (common, index) };
        }
        match (found, more) {
            (0, _) => Common::Nothing,
            (bit, 0) => Common::One((self.range.start + at) * BITS + bit.trailing_zeros() as usize),
            _ => Common::Several,
        }
    }

    /// Returns whether a class contains no vertex of a set.
    #[inline]
    fn is_disjoint<const W: usize>(&self, class: usize, set: &[u64]) -> bool {
        let set = if W == 0 { set } else { &set[..W] };
        self.class::<W>(class).iter().zip(set).all(|(word, other)| word & other == 0)
    }

    /// Tries to add the vertex of a rank to the classes without raising their bound, by changing or
    /// spending classes. Returns whether it succeeded.
    ///
    /// The loops over the words of a class are short. Compiled for each small number of words, they
    /// take a fifth less of the time of a search of 130 vertices, which has three words.
    #[inline]
    pub fn absorb(&mut self, cliques: &Cliques, rank: usize, target: Target) -> bool {
        match self.range.len() {
            1 => self.absorb_in::<1>(cliques, rank, target),
            2 => self.absorb_in::<2>(cliques, rank, target),
            3 => self.absorb_in::<3>(cliques, rank, target),
            4 => self.absorb_in::<4>(cliques, rank, target),
            8 => self.absorb_in::<8>(cliques, rank, target),
            _ => self.absorb_in::<0>(cliques, rank, target),
        }
    }

    #[inline(never)]
    fn absorb_in<const W: usize>(
        &mut self,
        cliques: &Cliques,
        rank: usize,
        target: Target,
    ) -> bool {
        let row = &cliques.row(rank)[self.range.clone()];
        for class in 0..self.is_spent.len() {
            if self.is_spent[class] {
                continue;
            }
            match self.common::<W>(class, row) {
                Common::Several => {}
                Common::Nothing => {
                    self.flip(class, rank);
                    return true;
                }
                Common::One(single) => {
                    let is_absorbed = match target.refinement {
                        Some(Refinement::InfraChromatic) => {
                            self.spend::<W>(cliques, rank, class, single)
                        }
                        _ => self.recolour::<W>(cliques, rank, class, single),
                    };
                    if is_absorbed {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Moves the single neighbour of a vertex in a class to another class, and the vertex to its
    /// place, if there is such a class.
    #[inline]
    fn recolour<const W: usize>(
        &mut self,
        cliques: &Cliques,
        rank: usize,
        class: usize,
        single: usize,
    ) -> bool {
        let single_row = &cliques.row(single)[self.range.clone()];
        // `Refinement::Recolouring` spends no classes.
        for other in (0..self.is_spent.len()).filter(|&other| other != class) {
            if self.is_disjoint::<W>(other, single_row) {
                self.exchange(rank, class, single, other);
                return true;
            }
        }
        false
    }

    #[inline]
    fn exchange(&mut self, rank: usize, class: usize, single: usize, other: usize) {
        self.flip(class, single);
        self.flip(class, rank);
        self.flip(other, single);
    }

    /// Recolours a vertex with a single neighbour in a class, or spends classes such that a clique
    /// with the vertex takes no vertex of at least one of them.
    #[inline]
    fn spend<const W: usize>(
        &mut self,
        cliques: &Cliques,
        rank: usize,
        class: usize,
        single: usize,
    ) -> bool {
        let row = &cliques.row(rank)[self.range.clone()];
        let single_row = &cliques.row(single)[self.range.clone()];
        self.meeting.clear();
        self.meeting.extend(row.iter().zip(single_row).map(|(one, other)| one & other));
        self.forced.clear();
        for other in 0..self.is_spent.len() {
            if other == class || self.is_spent[other] {
                continue;
            }
            match self.common::<W>(other, &self.meeting) {
                Common::Several => {}
                Common::One(forced) => self.forced.push((other, forced)),
                Common::Nothing => {
                    if self.is_disjoint::<W>(other, single_row) {
                        self.exchange(rank, class, single, other);
                    } else {
                        (self.is_spent[class], self.is_spent[other]) = (true, true);
                    }
                    return true;
                }
            }
        }
        for (index, &(one, forced)) in self.forced.iter().enumerate() {
            let forced_row = cliques.row(forced);
            for &(other, vertex) in &self.forced[index + 1..] {
                if forced_row[vertex / BITS] >> (vertex % BITS) & 1 == 0 {
                    for spent in [class, one, other] {
                        self.is_spent[spent] = true;
                    }
                    return true;
                }
            }
        }
        false
    }
}
