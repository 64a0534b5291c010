//! Uniformly random sets of a family: [`RandomSets`].

use std::fmt;
use std::iter::FusedIterator;

use fastrand::Rng;

use super::diagram::Family;
use super::error::FamilyError;
use super::node::{EMPTY, FIRST};
#[cfg(feature = "bigint")]
use crate::limits::Stop;
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::retained::samples::Rank;

impl Family {
    /// Returns an endless iterator over random sets, uniformly distributed, and the same for the
    /// same seed. It is empty if the family is.
    ///
    /// The number of sets of the family of each node is known exactly, in 16 bytes each. A set
    /// takes at most one step for each element, and is exactly uniform, as in
    /// [`Samples`](crate::plug::Samples).
    ///
    /// ```
    /// use secateurs::plug::Family;
    ///
    /// let family = Family::power_set(100)?.of_size(50..=50)?;
    /// let common = family.random_sets(1)?.take(400).filter(|set| set.contains(&7)).count();
    /// assert!((160..240).contains(&common));
    /// # Ok::<(), secateurs::plug::FamilyError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error at a [limit](Family#limits), and, without the feature `bigint`, if there
    /// are 2¹²⁸ sets or more.
    pub fn random_sets(&self, seed: u64) -> Result<RandomSets<'_>, FamilyError> {
        let counts = match self.counts(0_u128) {
            Ok(counts) => Counts::Narrow(counts),
            #[cfg(feature = "bigint")]
            Err(Stop::CountOverflow) => Counts::Wide(self.counts(Natural::default())?),
            Err(stop) => return Err(stop.into()),
        };
        Ok(RandomSets { family: self, counts, rng: Rng::with_seed(seed) })
    }
}

/// The number of sets of each family, in the order of their numbers.
enum Counts {
    Narrow(Vec<u128>),
    #[cfg(feature = "bigint")]
    Wide(Vec<Natural>),
}

/// An endless iterator over random sets of a family. Made by [`Family::random_sets`].
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct RandomSets<'f> {
    family: &'f Family,
    counts: Counts,
    rng: Rng,
}

/// Returns the set at a random position, among first all sets without the first element, then those
/// with it, and so on.
fn draw<R: Rank>(family: &Family, counts: &[R], rng: &mut Rng) -> Vec<usize> {
    let mut here = family.root();
    let mut position = R::below(&counts[here as usize], rng);
    let mut set = Vec::new();
    while here >= FIRST {
        let node = family.node(here);
        here = if position.subtract(&counts[node.lo as usize]) {
            set.push(node.element as usize);
            node.hi
        } else {
            node.lo
        };
    }
    set
}

impl Iterator for RandomSets<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let RandomSets { family, counts, rng } = self;
        if family.root() == EMPTY {
            return None;
        }
        Some(match counts {
            Counts::Narrow(counts) => draw(family, counts, rng),
            #[cfg(feature = "bigint")]
            Counts::Wide(counts) => draw(family, counts, rng),
        })
    }
}

impl FusedIterator for RandomSets<'_> {}

impl fmt::Debug for RandomSets<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RandomSets").field("rng", &self.rng).finish_non_exhaustive()
    }
}
