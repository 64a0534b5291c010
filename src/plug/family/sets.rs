//! The sets of a family one by one: in the order of their elements, [`Sets`]; at random,
//! [`RandomSets`]; and in the order of their weights, [`RankedSets`].

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::iter::FusedIterator;

use fastrand::Rng;

use super::diagram::Family;
use super::error::FamilyError;
use super::node::{EMPTY, FIRST};
use crate::incumbent::Direction;
use crate::limits::Stop;
use crate::memory::{grown, reserve_one};
#[cfg(feature = "bigint")]
use crate::plug::algebra::Natural;
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
        let best = self.totals(
            &Clock::new(self.own_limits()),
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
        let clock = Clock::new(self.own_limits());
        let mut ranked = RankedSets {
            family: self,
            direction,
            weight,
            best,
            prefixes: vec![(0, 0)],
            groups: BinaryHeap::new(),
            found: 0,
            clock,
            stop: Stop::Paused,
        };
        ranked.push(self.root(), 0, 0)?;
        Ok(ranked)
    }
}

/// A group of sets that were not returned: they begin with the same elements, and continue like
/// the sets of a family.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    /// The best weight in the group, negated if the least is best.
    key: i128,
    /// Breaks ties: among groups of the same weight, the one found first comes first.
    sequence: Reverse<u64>,
    family: u32,
    /// The common elements, as an index of [`RankedSets::prefixes`].
    prefix: u32,
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
    family: &'f Family,
    direction: Direction,
    weight: W,
    /// The best weight of each family, in the order of their numbers.
    best: Vec<Option<i64>>,
    /// The last element of each prefix, after the index of the prefix without it. The first one
    /// is empty.
    prefixes: Vec<(u32, u32)>,
    groups: BinaryHeap<Group>,
    /// The number of groups found so far.
    found: u64,
    clock: Clock,
    stop: Stop,
}

impl<W: Fn(usize) -> i64> RankedSets<'_, W> {
    /// Returns why the iterator has ended, or [`Stop::Paused`] if it has not.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// Returns a weight, negated if the least is best; its own inverse.
    fn oriented(&self, weight: i128) -> i128 {
        match self.direction {
            Direction::Maximise => weight,
            Direction::Minimise => -weight,
        }
    }

    fn bytes(&self) -> usize {
        self.best.capacity() * size_of::<Option<i64>>()
            + self.prefixes.capacity() * size_of::<(u32, u32)>()
            + self.groups.capacity() * size_of::<Group>()
    }

    /// Adds the group of the sets of `family` after a prefix of this weight, unless it is empty.
    fn push(&mut self, family: u32, prefix: u32, prefix_weight: i128) -> Result<(), Stop> {
        let Some(best) = self.best[family as usize] else { return Ok(()) };
        let (length, max_bytes) = (self.groups.len(), self.family.own_limits().max_bytes());
        if length == self.groups.capacity() {
            let capacity =
                grown::<Group>(length, self.bytes(), max_bytes).ok_or(Stop::MemoryLimit)?;
            let more = capacity - length;
            self.groups.try_reserve_exact(more).map_err(|_| Stop::MemoryLimit)?;
        }
        let key = self.oriented(prefix_weight + i128::from(best));
        let sequence = Reverse(self.found);
        self.groups.push(Group { key, sequence, family, prefix });
        self.found += 1;
        Ok(())
    }

    /// Returns the best set of all groups, and divides the others of its group into new groups.
    fn advance(&mut self) -> Result<(i64, Vec<usize>), Stop> {
        self.clock.check()?;
        let Group { key, mut family, mut prefix, .. } = self.groups.pop().ok_or(Stop::Exhausted)?;
        let weight = self.oriented(key);
        let total = i64::try_from(weight).map_err(|_| Stop::CountOverflow)?;
        let mut rest = self.best[family as usize].map_or(0, i128::from);
        while family >= FIRST {
            let node = self.family.node(family);
            let own = i128::from((self.weight)(node.element as usize));
            let with = self.best[node.hi as usize].map_or(0, i128::from) + own;
            let max_bytes = self.family.own_limits().max_bytes();
            let used = self.bytes();
            reserve_one(&mut self.prefixes, used, max_bytes).ok_or(Stop::MemoryLimit)?;
            let extended = u32::try_from(self.prefixes.len()).map_err(|_| Stop::StateLimit)?;
            let prefix_weight = weight - rest;
            if with == rest {
                self.push(node.lo, prefix, prefix_weight)?;
                self.prefixes.push((prefix, node.element));
                (family, prefix, rest) = (node.hi, extended, rest - own);
            } else {
                self.prefixes.push((prefix, node.element));
                self.push(node.hi, extended, prefix_weight + own)?;
                family = node.lo;
            }
        }
        debug_assert_ne!(family, EMPTY, "a group has a set");
        let mut set = Vec::new();
        while let Some(&(parent, element)) =
            self.prefixes.get(prefix as usize).filter(|_| prefix > 0)
        {
            set.push(element as usize);
            prefix = parent;
        }
        set.reverse();
        Ok((total, set))
    }
}

impl<W: Fn(usize) -> i64> Iterator for RankedSets<'_, W> {
    type Item = (i64, Vec<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.stop != Stop::Paused {
            return None;
        }
        // If the weight panics, a group is lost.
        self.stop = Stop::Interrupted;
        let (stop, set) = match self.advance() {
            Ok(set) => (Stop::Paused, Some(set)),
            Err(stop) => (stop, None),
        };
        self.stop = stop;
        set
    }
}

impl<W: Fn(usize) -> i64> FusedIterator for RankedSets<'_, W> {}

debug_fields!(impl['f, W] RankedSets<'f, W>: found, stop);
