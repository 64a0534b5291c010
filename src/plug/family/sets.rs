//! The sets of a family one by one: in the order of their elements, [`Sets`]; at random,
//! [`RandomSets`]; and in the order of their weights, [`RankedSets`].

use std::fmt;
use std::iter::FusedIterator;

use fastrand::Rng;

use super::diagram::Family;
use super::error::FamilyError;
use super::node::{EMPTY, FIRST, Node, UNIT};
use crate::incumbent::Direction;
use crate::limits::Stop;
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
use crate::plug::retained::ranked::{Ranking, Walks};
use crate::plug::retained::samples::Rank;
use crate::plug::step::Clock;

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

debug_fields!(impl['f] Sets<'f>: set);

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

debug_fields!(impl['f] RandomSets<'f>: rng);

impl Family {
    /// Returns an iterator over all sets with their weights, the sums of the weights of their
    /// elements, best first.
    ///
    /// ```
    /// use secateurs::Direction;
    /// use secateurs::plug::Family;
    ///
    /// let coins = [1, 2, 5, 10];
    /// let family = Family::power_set(4)?.of_size(2..)?;
    /// let mut least = family.ranked(Direction::Minimise, |coin| coins[coin])?;
    /// assert_eq!(least.next(), Some((3, vec![0, 1])));
    /// assert_eq!(least.next(), Some((6, vec![0, 2])));
    /// # Ok::<(), secateurs::plug::FamilyError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error at a [limit](Family#limits), and if the best weight of a set does not fit
    /// into an `i64`.
    pub fn ranked<W: Fn(usize) -> i64>(
        &self,
        direction: Direction,
        weight: W,
    ) -> Result<RankedSets<'_, W>, FamilyError> {
        let clock = Clock::new(self.own_limits());
        let best = self.totals(
            &clock,
            [None, Some(0)],
            |element, lo: &Option<i64>, hi: &Option<i64>| {
                let add = |best: i64| best.checked_add(weight(element as usize));
                let hi = hi.map(|best| add(best).ok_or(Stop::CountOverflow)).transpose()?;
                Ok(match (*lo, hi) {
                    (Some(one), Some(other)) if direction.is_better(&one, &other) => Some(one),
                    (one, other) => other.or(one),
                })
            },
            |_| 0,
        )?;
        let root = best[self.root() as usize].map(|weight| (self.root(), weight));
        let bytes = (best.capacity() * size_of::<Option<i64>>(), self.own_limits().max_bytes());
        let ranking = Ranking::new(direction, root, bytes, clock)?;
        Ok(RankedSets { walks: FamilyWalks { family: self, weight, best }, ranking })
    }
}

/// A diagram as a graph, whose places are families.
struct FamilyWalks<'f, W> {
    family: &'f Family,
    weight: W,
    /// The best weight of each family, in the order of their numbers.
    best: Vec<Option<i64>>,
}

impl<W: Fn(usize) -> i64> Walks for FamilyWalks<'_, W> {
    type Place = u32;
    /// An element.
    type Label = u32;

    fn is_end(&self, family: u32) -> bool {
        family == UNIT
    }

    fn to_go(&self, family: u32) -> i64 {
        self.best[family as usize].unwrap_or(0)
    }

    fn steps(&self, family: u32, mut put: impl FnMut(u32, Option<u32>, i64)) {
        let Node { element, lo, hi } = self.family.node(family);
        put(hi, Some(element), (self.weight)(element as usize));
        if lo != EMPTY {
            put(lo, None, 0);
        }
    }
}

/// A lazy iterator over all sets of a family with their weights, best first. Made by
/// [`Family::ranked`]. The k best sets are `take(k)`.
///
/// The best weight of the family of each node is known. When a set is returned, the sets that
/// differ from it first at a certain node form a group whose best weight is known as well. The
/// best of all groups holds the next set (Lawler, 1972). Sets of the same weight come in an order
/// that depends on the family alone.
///
/// A set takes a step, and adds a group of 32 bytes, for each node on its path. The
/// [limits](Family#limits) apply anew; [`stop`](RankedSets::stop) says why the iterator has ended.
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct RankedSets<'f, W> {
    walks: FamilyWalks<'f, W>,
    ranking: Ranking<u32, u32>,
}

impl<W> RankedSets<'_, W> {
    /// Returns why the iterator has ended, or [`Stop::Paused`] if it has not.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.ranking.stop()
    }
}

impl<W: Fn(usize) -> i64> Iterator for RankedSets<'_, W> {
    type Item = (i64, Vec<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let (weight, set) = self.ranking.next(&self.walks)?;
        Some((weight, set.into_iter().map(|element| element as usize).collect()))
    }
}

impl<W: Fn(usize) -> i64> FusedIterator for RankedSets<'_, W> {}

debug_fields!(impl['f, W] RankedSets<'f, W>: ranking);
