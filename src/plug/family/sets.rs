//! The sets of a family one by one: in the order of their elements, [`Sets`], and at random,
//! [`RandomSets`].

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

/// The number of sets that are displayed.
const DISPLAYED: usize = 20;

impl Family {
    /// Returns an iterator over all sets, each with its elements in ascending order. Sets come in
    /// the order of these lists: {}, {0}, {0, 1}, {0, 2}, {1}, ….
    ///
    /// Takes one byte for each node. A set takes at most one step for each element of the universe.
    pub fn sets(&self) -> Sets<'_> {
        let mut with_empty_set = vec![false, true];
        for node in self.all_nodes() {
            with_empty_set.push(with_empty_set[node.lo as usize]);
        }
        let is_first = with_empty_set[self.root() as usize];
        Sets {
            family: self,
            with_empty_set,
            set: Vec::new(),
            pending: vec![(self.root(), 0)],
            is_first,
        }
    }
}

/// A lazy iterator over all sets of a family. Made by [`Family::sets`].
#[derive(Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Sets<'f> {
    family: &'f Family,
    /// Whether the empty set is in the family of each number.
    with_empty_set: Vec<bool>,
    set: Vec<usize>,
    /// A stack of families with the number of elements before theirs. Their sets, except for the
    /// empty one, follow.
    pending: Vec<(u32, usize)>,
    /// Whether the empty set is next.
    is_first: bool,
}

impl Iterator for Sets<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        if std::mem::take(&mut self.is_first) {
            return Some(Vec::new());
        }
        while let Some((number, length)) = self.pending.pop() {
            if number < FIRST {
                continue;
            }
            let node = self.family.node(number);
            self.set.truncate(length);
            self.set.push(node.element as usize);
            self.pending.extend([(node.lo, length), (node.hi, length + 1)]);
            if self.with_empty_set[node.hi as usize] {
                return Some(self.set.clone());
            }
        }
        None
    }
}

impl FusedIterator for Sets<'_> {}

impl fmt::Debug for Sets<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sets").field("last", &self.set).finish_non_exhaustive()
    }
}

/// Shows the first 20 sets.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sets = self.sets();
        let shown = sets.by_ref().take(DISPLAYED).enumerate();
        f.write_str("{")?;
        for (index, set) in shown {
            f.write_str(if index > 0 { ", {" } else { "{" })?;
            for (index, element) in set.iter().enumerate() {
                write!(f, "{}{element}", if index > 0 { ", " } else { "" })?;
            }
            f.write_str("}")?;
        }
        f.write_str(if sets.next().is_some() { ", …}" } else { "}" })
    }
}

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
