//! A family of sets as a reduced diagram, and questions about it: [`Family`].

use std::fmt;

use super::builder::{Builder, Sum};
use super::error::FamilyError;
use super::node::{EMPTY, FIRST, NO_ELEMENT, Node, POLL, UNIT, node_at};
use crate::limits::{Limits, Stop};
use crate::memory::{headroom, is_available};
#[cfg(feature = "bigint")]
use crate::memory::{reserve_one, vec_bytes};
use crate::plug::algebra::Counter;
#[cfg(feature = "bigint")]
use crate::plug::algebra::{CountByWeight, Natural};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::step::Clock;
#[cfg(feature = "bigint")]
use crate::plug::{sorting::sort_in_current_thread, sweep::Sweep};

/// A family of sets: a set of subsets of the elements 0, 1, …, n − 1 of a *universe*.
///
/// The [module](super) has examples. A family is immutable; operations return new ones.
/// Clones copy the diagram.
///
/// # Limits
///
/// The [limits](Family::limits) of time and memory and the cancel switch hold for each operation on
/// the family, and for its results. Other limits are ignored. A family of the solutions of a sweep
/// begins with the limits of the sweep.
///
/// [`power_set`](Family::power_set) and [`from_sets`](Family::from_sets) take no limits.
/// Construction from sets, comparison with `==` and [`sets`](Family::sets) allocate memory without
/// a check.
#[derive(Clone)]
pub struct Family {
    universe: usize,
    /// Every node comes after those that it refers to, and the root is last.
    nodes: Vec<Node>,
    root: u32,
    limits: Limits,
}

impl Family {
    /// The size of the largest universe: 2³² − 1 elements.
    pub const MAX_UNIVERSE: usize = NO_ELEMENT as usize;

    /// Creates the family without sets.
    ///
    /// # Errors
    /// Returns an error if the universe is too large, like all functions that are given its size.
    pub fn empty(universe: usize) -> Result<Self, FamilyError> {
        Self::from_sets::<[usize; 0]>(universe, [])
    }

    /// Creates the family of all subsets of a universe: 2ⁿ sets, and a diagram of n nodes.
    ///
    /// # Errors
    /// Returns an error if the universe is too large.
    pub fn power_set(universe: usize) -> Result<Self, FamilyError> {
        let limits = Limits::new();
        let (mut builder, mut root) = (Builder::new(usize::MAX, Clock::new(&limits))?, UNIT);
        for element in (0..check_universe(universe)?).rev() {
            root = builder.node(element, root, root)?;
        }
        Self::new(universe, builder, root, limits)
    }

    /// Creates the family of these sets, each given by its elements. Neither the order of sets or
    /// elements nor repetitions matter.
    ///
    /// Takes time O(m log m) for m elements in all, and memory for all of them.
    ///
    /// ```
    /// use secateurs::plug::Family;
    ///
    /// let family = Family::from_sets(4, [vec![2, 0], vec![], vec![3], vec![0, 2]])?;
    /// assert_eq!(family.to_string(), "{{}, {0, 2}, {3}}");
    /// # Ok::<(), secateurs::plug::FamilyError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if an element is not in the universe, or if that is too large.
    pub fn from_sets<S: IntoIterator<Item = usize>>(
        universe: usize,
        sets: impl IntoIterator<Item = S>,
    ) -> Result<Self, FamilyError> {
        check_universe(universe)?;
        let (mut sum, limits) = (Sum::default(), Limits::new());
        sets.into_iter().try_for_each(|set| sum.add(set, universe, UNIT))?;
        let mut builder = Builder::new(usize::MAX, Clock::new(&limits))?;
        let root = builder.sum(&mut sum)?;
        Self::new(universe, builder, root, limits)
    }

    /// Creates the family `root` of a builder.
    pub(super) fn new(
        universe: usize,
        builder: Builder,
        root: u32,
        limits: Limits,
    ) -> Result<Self, FamilyError> {
        let (nodes, root) = builder.into_nodes(root)?;
        Ok(Family { universe, nodes, root, limits })
    }

    /// Sets the limits of operations on this family and on their results. By default nothing is
    /// limited.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Family { limits, ..self }
    }

    getters! {
        self;
        /// Returns the number of elements of the universe.
        universe -> usize: self.universe;

        /// Returns the number of nodes of the reduced diagram, without the two ends.
        nodes -> usize: self.nodes.len();

        /// Returns the bytes of the diagram: 12 for each node.
        bytes -> usize: self.nodes.capacity() * size_of::<Node>();

        /// Returns whether there is no set in the family.
        is_empty -> bool: self.root == EMPTY;
    }

    /// Returns whether a set, given by its elements in any order, is in the family. Sets with
    /// elements outside of the universe are not.
    ///
    /// Takes time O(k log k + n) for k elements and a universe of n.
    #[must_use]
    pub fn contains(&self, set: impl IntoIterator<Item = usize>) -> bool {
        let set = sorted(set);
        if set.last().is_some_and(|&last| last >= self.universe) {
            return false;
        }
        let mut here = self.root;
        for element in set {
            let mut node = self.node(here);
            while (node.element as usize) < element {
                node = self.node(node.lo);
            }
            if node.element as usize != element {
                return false;
            }
            here = node.hi;
        }
        while here >= FIRST {
            here = self.node(here).lo;
        }
        here == UNIT
    }

    /// Counts the sets. Takes 16 bytes for each node.
    ///
    /// ```
    /// use secateurs::plug::Family;
    ///
    /// assert_eq!(Family::power_set(100)?.count()?, 1 << 100);
    /// # Ok::<(), secateurs::plug::FamilyError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there are 2¹²⁸ sets or more, or at a limit.
    pub fn count(&self) -> Result<u128, FamilyError> {
        Ok(self.counts(0_u128)?.pop().unwrap_or(0))
    }

    /// Counts the sets, however many there are.
    ///
    /// # Errors
    /// Returns an error at a limit.
    #[cfg(feature = "bigint")]
    pub fn count_natural(&self) -> Result<Natural, FamilyError> {
        Ok(self.counts(Natural::default())?.pop().unwrap_or_default())
    }

    /// Counts the sets of each size: the first number is that of sets of size 0, and the last one,
    /// unless there is no set, that of the largest sets.
    ///
    /// This is a sweep over the elements that occur, with two layers in memory. For one size, use
    /// [`of_size`](Family::of_size).
    ///
    /// ```
    /// use secateurs::plug::Family;
    ///
    /// let sizes = Family::power_set(4)?.counts_by_size()?;
    /// assert_eq!(sizes, [1_u32, 4, 6, 4, 1].map(Into::into));
    /// # Ok::<(), secateurs::plug::FamilyError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error at a limit.
    #[cfg(feature = "bigint")]
    pub fn counts_by_size(&self) -> Result<Vec<Natural>, FamilyError> {
        let by_size = CountByWeight::new(|_: usize, taken: bool| i64::from(taken));
        // Other limits, such as that of states, would stop the sweep.
        let clock = Clock::new(&self.limits);
        let elements = self.occurring(&clock)?;
        let limits = Limits {
            time: self.limits.time.map(|time| time.saturating_sub(clock.elapsed())),
            bytes: self.limits.bytes.map(|bytes| bytes.saturating_sub(vec_bytes(&elements) as u64)),
            cancel: self.limits.cancel.clone(),
            ..Limits::new()
        };
        let occurring = Occurring { family: self, elements };
        let sweep = Sweep::new(&occurring).limits(limits).run(&by_size);
        let outcome = sweep.complete().map_err(FamilyError::Sweep)?;
        let mut counts = Vec::new();
        for (size, count) in outcome.total().into_iter().flat_map(|sizes| sizes.terms()) {
            counts.resize(size as usize, Natural::default());
            counts.push(count);
        }
        Ok(counts)
    }

    /// Returns the elements that occur in sets, in ascending order.
    #[cfg(feature = "bigint")]
    fn occurring(&self, clock: &Clock) -> Result<Vec<u32>, Stop> {
        let mut elements: Vec<u32> = Vec::new();
        for nodes in self.nodes.chunks(POLL) {
            clock.check()?;
            for node in nodes {
                // Most nodes of an element follow each other.
                if elements.last() != Some(&node.element) {
                    let used = vec_bytes(&elements);
                    reserve_one(&mut elements, used, self.limits.max_bytes())
                        .ok_or(Stop::MemoryLimit)?;
                    elements.push(node.element);
                }
            }
        }
        sort_in_current_thread(&mut elements, &u32::cmp, &|| clock.check())?;
        elements.dedup();
        Ok(elements)
    }

    /// Returns the number of sets of each family, in the order of their numbers. The last one is
    /// that of the root.
    pub(super) fn counts<C: Counter>(&self, zero: C) -> Result<Vec<C>, Stop> {
        let count = |_, lo: &C, hi: &C| {
            let mut count = lo.clone();
            if count.add(hi) { Err(Stop::CountOverflow) } else { Ok(count) }
        };
        self.totals(&Clock::new(&self.limits), [zero, C::one()], count, C::heap_bytes)
    }

    /// Computes a value for each family, from the last elements to the first, and returns them in
    /// the order of their numbers. `ends` are those of the empty family and of the empty set;
    /// `combine` computes that of a node from its element and its halves. `heap_bytes` returns the
    /// bytes of heap that a value owns.
    pub(super) fn totals<T>(
        &self,
        clock: &Clock,
        ends: [T; 2],
        combine: impl Fn(u32, &T, &T) -> Result<T, Stop>,
        heap_bytes: impl Fn(&T) -> usize,
    ) -> Result<Vec<T>, Stop> {
        let max_bytes = self.limits.max_bytes();
        let length = self.nodes.len() + FIRST as usize;
        let mut bytes = length.saturating_mul(size_of::<T>());
        let mut totals = Vec::new();
        if bytes > max_bytes {
            return Err(Stop::MemoryLimit);
        }
        totals.try_reserve_exact(length).map_err(|_| Stop::MemoryLimit)?;
        totals.extend(ends);
        // Large values take more time and memory than nodes.
        let interval = headroom(max_bytes) / 4;
        let mut checked_bytes = bytes;
        for (index, node) in self.nodes.iter().enumerate() {
            let total =
                combine(node.element, &totals[node.lo as usize], &totals[node.hi as usize])?;
            bytes = bytes.saturating_add(heap_bytes(&total));
            if bytes > max_bytes {
                return Err(Stop::MemoryLimit);
            }
            if index % POLL == 0 || bytes - checked_bytes > interval {
                clock.check()?;
                // Values allocate where a failure aborts.
                if !is_available(headroom(max_bytes)) {
                    return Err(Stop::MemoryLimit);
                }
                checked_bytes = bytes;
            }
            totals.push(total);
        }
        totals.truncate(self.root as usize + 1);
        Ok(totals)
    }

    pub(super) fn root(&self) -> u32 {
        self.root
    }

    /// Returns the node of a number.
    #[inline]
    pub(super) fn node(&self, number: u32) -> Node {
        node_at(number, |index| self.nodes[index])
    }

    /// Returns the nodes in the order of their numbers.
    pub(super) fn all_nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn own_limits(&self) -> &Limits {
        &self.limits
    }
}

/// Returns the number of elements of a universe, which must not be too large.
pub(super) fn check_universe(universe: usize) -> Result<u32, FamilyError> {
    let limit = Family::MAX_UNIVERSE;
    match u32::try_from(universe) {
        Ok(size) => Ok(size),
        Err(_) => Err(FamilyError::TooLarge { universe, limit }),
    }
}

/// Returns the elements of a set in ascending order.
pub(super) fn sorted(set: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut elements: Vec<usize> = set.into_iter().collect();
    elements.sort_unstable();
    elements.dedup();
    elements
}

/// Two families are equal if they have the same universe and the same sets, whatever their limits.
/// Takes time linear in the number of nodes.
impl PartialEq for Family {
    fn eq(&self, other: &Self) -> bool {
        if self.universe != other.universe || self.nodes.len() != other.nodes.len() {
            return false;
        }
        // Both diagrams are reduced, so equal families have equal shapes.
        let mut partners = vec![NO_ELEMENT; self.nodes.len()];
        let mut pending = vec![(self.root, other.root)];
        while let Some((one, partner)) = pending.pop() {
            let Some(known) = one.checked_sub(FIRST).map(|index| &mut partners[index as usize])
            else {
                if one != partner {
                    return false;
                }
                continue;
            };
            if *known == partner {
                continue;
            }
            let (node, twin) = (self.node(one), other.node(partner));
            if *known != NO_ELEMENT || node.element != twin.element {
                return false;
            }
            *known = partner;
            pending.extend([(node.lo, twin.lo), (node.hi, twin.hi)]);
        }
        true
    }
}

impl Eq for Family {}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Family")
            .field("universe", &self.universe)
            .field("nodes", &self.nodes.len())
            .finish_non_exhaustive()
    }
}

/// A family is a contour problem: its cells are the elements, and its solutions the sets. So it can
/// be swept under any [algebra](crate::plug::algebra), be combined with another problem by
/// [`Both`](crate::plug::Both), or be the tree of a search.
impl ContourProblem for Family {
    /// A family of subsets of the unprocessed elements, as a number.
    type State = u32;
    /// Whether the element is in the set.
    type Label = bool;

    fn cells(&self) -> usize {
        self.universe
    }

    fn start(&self) -> u32 {
        self.root
    }

    #[inline]
    fn step(&self, cell: usize, state: u32, emit: &mut impl FnMut(u32, bool)) {
        let node = self.node(state);
        let is_here = node.element as usize == cell;
        let lo = if is_here { node.lo } else { state };
        if lo != EMPTY {
            emit(lo, false);
        }
        if is_here {
            emit(node.hi, true);
        }
    }

    fn accept(&self, state: u32) -> bool {
        state == UNIT
    }

    fn is_legal(&self, cell: usize, state: u32) -> bool {
        let is_number = (state as usize) < self.nodes.len() + FIRST as usize;
        is_number && self.node(state).element as usize >= cell
    }
}

/// A family as a contour problem whose cells are the elements that occur in sets, in ascending
/// order: few, however large the universe is.
#[cfg(feature = "bigint")]
struct Occurring<'f> {
    family: &'f Family,
    elements: Vec<u32>,
}

#[cfg(feature = "bigint")]
impl ContourProblem for Occurring<'_> {
    type State = u32;
    type Label = bool;

    fn cells(&self) -> usize {
        self.elements.len()
    }

    fn start(&self) -> u32 {
        self.family.start()
    }

    #[inline]
    fn step(&self, cell: usize, state: u32, emit: &mut impl FnMut(u32, bool)) {
        self.family.step(self.elements[cell] as usize, state, emit);
    }

    fn accept(&self, state: u32) -> bool {
        self.family.accept(state)
    }
}
