//! Numerical semigroups by genus: a tree that is as wide as it is easy to describe (Bras-Amorós
//! 2008).
//!
//! A *numerical semigroup* is a set of whole numbers from 0 that has the sum of any two of its
//! elements, and lacks finitely many numbers, its *gaps*; their number is its *genus*. With coins
//! of 3 and 5 cents, the sums that cannot be paid are 1, 2, 4 and 7: genus 4.
//!
//! Take away from a semigroup one of its *generators*, that is an element that is no sum of others,
//! and another semigroup is left, of one gap more. If the generator is always larger than all gaps,
//! each semigroup comes of just one other one, and there is a tree with all of genus g at depth g.
//! In the long run each level is 1.618 times, the golden ratio, as wide as the one before (Zhai
//! 2013); how many there are of each genus takes search (sequence A007323 in the On-Line
//! Encyclopedia of Integer Sequences).
//!
//! ```
//! use secateurs::Search;
//! use secateurs::problems::semigroups::Semigroups;
//!
//! let semigroups = Semigroups::of_genus(10)?;
//! let outcome = Search::new(&semigroups).count();
//! assert_eq!(outcome.exact(), Some(204));
//! // All depths are of the same tree: the report has those of lower genus as well.
//! let by_genus: Vec<u64> = outcome.report().levels().iter().map(|level| level.nodes).collect();
//! assert_eq!(by_genus, [1, 1, 2, 4, 7, 12, 23, 39, 67, 118, 204]);
//!
//! // A path is the gaps, in ascending order.
//! let gaps: Vec<Vec<u8>> = Search::new(&Semigroups::of_genus(3)?).solutions().collect();
//! assert_eq!(gaps, [vec![1, 2, 3], vec![1, 2, 4], vec![1, 2, 5], vec![1, 3, 5]]);
//! # Ok::<(), secateurs::problems::semigroups::GenusError>(())
//! ```
//!
//! How to tell generators: Fromentin and Hivert (2016) keep for each number x how many unordered
//! ways there are to make it of two elements, 0 + x among them. It is 0 for a gap and 1 for a
//! generator. Taking away a generator g takes one way from each number x for which x − g is an
//! element: that is a loop over bytes in which a processor does many at a time.

use std::error::Error;
use std::fmt;

use crate::problem::{Branch, Problem};

/// The numerical semigroups of a genus, as the leaves of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Semigroups {
    genus: usize,
    all: bool,
}

impl Semigroups {
    /// No genus is larger: far beyond what has been counted anywhere.
    pub const MAX_GENUS: usize = NUMBERS / 3;

    /// Those of this genus are the solutions.
    ///
    /// # Errors
    ///
    /// [`GenusError`] if it is more than [`MAX_GENUS`](Self::MAX_GENUS).
    pub fn of_genus(genus: usize) -> Result<Self, GenusError> {
        if genus > Self::MAX_GENUS {
            Err(GenusError { found: genus })
        } else {
            Ok(Semigroups { genus, all: false })
        }
    }

    /// Those of this genus and of all lower ones are the solutions.
    ///
    /// # Errors
    ///
    /// [`GenusError`] if it is more than [`MAX_GENUS`](Self::MAX_GENUS).
    pub fn up_to_genus(genus: usize) -> Result<Self, GenusError> {
        Self::of_genus(genus).map(|semigroups| Semigroups { all: true, ..semigroups })
    }

    /// The numbers below this one are looked at: generators that are larger than all gaps lie below
    /// three times the genus.
    #[inline]
    fn end(self) -> usize {
        3 * self.genus
    }

    /// The first generator from `from` on that may be taken away.
    #[inline]
    fn generator(self, semigroup: &Semigroup, from: usize) -> Option<usize> {
        let end = semigroup.conductor + semigroup.multiplicity;
        (from..end).find(|&number| semigroup.ways[number] == 1)
    }
}

/// As many numbers are looked at, at most.
const NUMBERS: usize = 256;

/// A numerical semigroup, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Semigroup {
    /// For each number, how many ways there are to make it of two elements.
    ways: [u8; NUMBERS],
    /// All numbers from here on are elements; what is below has been decided. At least 1.
    conductor: usize,
    /// The least element but 0.
    multiplicity: usize,
    genus: usize,
}

impl Semigroup {
    /// How many gaps there are.
    #[must_use]
    pub fn genus(&self) -> usize {
        self.genus
    }

    /// The least element but 0.
    #[must_use]
    pub fn multiplicity(&self) -> usize {
        self.multiplicity
    }

    /// One more than the largest gap, and 0 if there is none.
    #[must_use]
    pub fn conductor(&self) -> usize {
        if self.genus == 0 { 0 } else { self.conductor }
    }
}

impl fmt::Debug for Semigroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let elements = (0..self.conductor).filter(|&number| self.ways[number] > 0);
        f.debug_struct("Semigroup")
            .field("elements", &elements.collect::<Vec<_>>())
            .field("conductor", &self.conductor())
            .finish()
    }
}

/// What a step back needs: conductor and multiplicity as they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Before {
    conductor: usize,
    multiplicity: usize,
}

/// Changes the ways of as many numbers from `start` on as `generator` says, each by 1 if the number
/// that is less by `generator` is an element, and else by 0. What is read and what is written do
/// not overlap, so that the processor may take many at a time.
#[inline]
fn shifted(ways: &mut [u8], start: usize, generator: usize, change: impl Fn(&mut u8, u8)) {
    let (below, above) = ways.split_at_mut(start);
    for (ways, &other) in above.iter_mut().zip(&below[start - generator..]) {
        change(ways, u8::from(other > 0));
    }
}

impl Problem for Semigroups {
    type State = Semigroup;
    /// Where the next generator is looked for.
    type Cursor = usize;
    /// The generator that is taken away, and becomes a gap.
    type Choice = u8;
    type Undo = Before;

    fn root(&self) -> Semigroup {
        let mut ways = [0; NUMBERS];
        for (number, ways) in (0..=u8::MAX).zip(&mut ways) {
            *ways = number / 2 + 1;
        }
        Semigroup { ways, conductor: 1, multiplicity: 1, genus: 0 }
    }

    #[inline]
    fn branch(&self, semigroup: &Semigroup) -> Branch<usize> {
        let leaf = semigroup.genus == self.genus;
        let children = if leaf { None } else { self.generator(semigroup, semigroup.conductor) };
        match (children, leaf || self.all) {
            (None, true) => Branch::Solution,
            (None, false) => Branch::DeadEnd,
            (Some(first), true) => Branch::SolutionInner(first),
            (Some(first), false) => Branch::Inner(first),
        }
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "numbers are below 256")]
    fn next(&self, semigroup: &Semigroup, from: &mut usize) -> Option<u8> {
        let generator = self.generator(semigroup, *from)?;
        *from = generator + 1;
        Some(generator as u8)
    }

    fn can_apply(&self, semigroup: &Semigroup, &generator: &u8) -> bool {
        let generator = usize::from(generator);
        let is_new = semigroup.genus < self.genus && generator >= semigroup.conductor;
        is_new && self.generator(semigroup, generator) == Some(generator)
    }

    #[inline]
    fn apply(&self, semigroup: &mut Semigroup, &generator: &u8) -> Before {
        let Semigroup { conductor, multiplicity, .. } = *semigroup;
        let generator = usize::from(generator);
        let ways = &mut semigroup.ways[..self.end()];
        // From the end on down, as what is below says which numbers were elements before.
        for start in (generator..ways.len()).step_by(generator).rev() {
            shifted(ways, start, generator, |ways, element| *ways -= element);
        }
        semigroup.conductor = generator + 1;
        semigroup.multiplicity += usize::from(generator == multiplicity);
        semigroup.genus += 1;
        Before { conductor, multiplicity }
    }

    #[inline]
    fn undo(&self, semigroup: &mut Semigroup, &generator: &u8, before: Before) {
        let generator = usize::from(generator);
        let ways = &mut semigroup.ways[..self.end()];
        for start in (generator..ways.len()).step_by(generator) {
            shifted(ways, start, generator, |ways, element| *ways += element);
        }
        semigroup.conductor = before.conductor;
        semigroup.multiplicity = before.multiplicity;
        semigroup.genus -= 1;
    }
}

/// The genus is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GenusError {
    /// What was asked for.
    pub found: usize,
}

impl fmt::Display for GenusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found the genus {}, expected at most {}", self.found, Semigroups::MAX_GENUS)
    }
}

impl Error for GenusError {}
