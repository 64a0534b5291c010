//! Operations that make families of families.
//!
//! Each is one rule that expresses a family in terms of others, as a [`Plan`]. The state of an
//! operation is a number of a node, or two, and what the operation remembers of the elements
//! before it. An operation takes time and memory proportional to the number of states that it
//! reaches.

use std::hash::Hash;
use std::ops::{Bound, RangeBounds};

use super::builder::Builder;
use super::diagram::{Family, check_universe, sorted};
use super::error::FamilyError;
use super::node::{EMPTY, FIRST, NO_ELEMENT, Node, UNIT};
use super::plan::{Plan, Step, split_pair};
use crate::limits::Stop;
use crate::memory::vec_bytes;
use crate::plug::step::Clock;

/// The clock of an operation, and the bytes that it uses beside the part that it is in.
type Bounds = (Clock, usize);

impl Family {
    /// Returns the family of the sets that contain `element`. Outside of the universe there is
    /// none.
    ///
    /// # Errors
    /// Returns an error at a [limit](Family#limits), as all operations do.
    pub fn including(&self, element: usize) -> Result<Family, FamilyError> {
        self.supersets_of([element])
    }

    /// Returns the family of the sets that do not contain `element`.
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn excluding(&self, element: usize) -> Result<Family, FamilyError> {
        self.without(|other| other == element)
    }

    /// Returns the family of the sets that are subsets of `set`.
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn subsets_of(&self, set: impl IntoIterator<Item = usize>) -> Result<Family, FamilyError> {
        let set = sorted(set);
        self.without(|element| set.binary_search(&element).is_err())
    }

    /// Returns the family of the sets that have `set` as a subset.
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn supersets_of(
        &self,
        set: impl IntoIterator<Item = usize>,
    ) -> Result<Family, FamilyError> {
        let set = sorted(set);
        // The number of elements of `set` that are in the set so far; they are the first ones.
        let start = (self.root(), 0);
        self.derive(self.bounds(), self.universe(), start, |(number, found): (u32, usize)| {
            let Node { element, lo, hi } = self.node(number);
            match set.get(found) {
                Some(&next) if next < element as usize || element == NO_ELEMENT => {
                    Step::Known(EMPTY)
                }
                Some(&next) if next == element as usize => {
                    Step::Split { element, lo: [(EMPTY, set.len())], hi: (hi, found + 1) }
                }
                _ if element == NO_ELEMENT => Step::Known(number),
                _ => Step::Split { element, lo: [(lo, found)], hi: (hi, found) },
            }
        })
    }

    /// Returns the family of the sets without the elements that are `excluded`.
    fn without(&self, excluded: impl Fn(usize) -> bool) -> Result<Family, FamilyError> {
        self.derive(self.bounds(), self.universe(), self.root(), |number| match self.node(number) {
            Node { element: NO_ELEMENT, .. } => Step::Known(number),
            // The family of a node without `hi` is that of its `lo`.
            Node { element, lo, .. } if excluded(element as usize) => {
                Step::Split { element, lo: [lo], hi: EMPTY }
            }
            Node { element, lo, hi } => Step::Split { element, lo: [lo], hi },
        })
    }

    /// Returns the family of the sets whose number of elements is in a range.
    ///
    /// ```
    /// use secateurs::plug::Family;
    ///
    /// let pairs = Family::power_set(40)?.of_size(2..=2)?;
    /// assert_eq!(pairs.count()?, 40 * 39 / 2);
    /// # Ok::<(), secateurs::plug::FamilyError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn of_size(&self, sizes: impl RangeBounds<usize>) -> Result<Family, FamilyError> {
        // A size fits into 32 bits.
        let bound =
            |bound: Bound<&usize>| bound.map(|&size| i64::try_from(size).unwrap_or(i64::MAX));
        self.of_weight(|_| 1, (bound(sizes.start_bound()), bound(sizes.end_bound())))
    }

    /// Returns the family of the sets whose weight, the sum of the weights of their elements, is in
    /// a range.
    ///
    /// The states are the pairs of a node and a weight so far, except those whose sets are all in
    /// the range, or all outside.
    ///
    /// # Errors
    /// Returns an error at a limit, and if the weight of a set may not fit into an `i64`.
    pub fn of_weight(
        &self,
        weight: impl Fn(usize) -> i64,
        weights: impl RangeBounds<i64>,
    ) -> Result<Family, FamilyError> {
        // The least and the greatest weight of the sets of each family.
        let clock = Clock::new(self.own_limits());
        let extremes = self.totals(
            &clock,
            [None, Some((0_i64, 0_i64))],
            |element, lo: &Option<(i64, i64)>, hi: &Option<(i64, i64)>| {
                let add = |sum: i64| sum.checked_add(weight(element as usize));
                let hi = hi.map(|(least, most)| Some((add(least)?, add(most)?)));
                let hi = hi.map(|hi| hi.ok_or(Stop::CountOverflow)).transpose()?;
                let join =
                    |one: (i64, i64), other: (i64, i64)| (one.0.min(other.0), one.1.max(other.1));
                Ok(match (*lo, hi) {
                    (Some(one), Some(other)) => Some(join(one, other)),
                    (one, other) => one.or(other),
                })
            },
            |_| 0,
        )?;
        let is_below = |sum: i64| match weights.start_bound() {
            Bound::Included(&least) => sum < least,
            Bound::Excluded(&least) => sum <= least,
            Bound::Unbounded => false,
        };
        let is_above = |sum: i64| match weights.end_bound() {
            Bound::Included(&most) => sum > most,
            Bound::Excluded(&most) => sum >= most,
            Bound::Unbounded => false,
        };
        // The weight so far is dropped when it no longer matters.
        let settle = |number: u32, sum: i64| {
            let Some(Some((least, most))) = extremes.get(number as usize) else {
                return (EMPTY, None);
            };
            // The weight so far may not fit, but these are weights of sets of the family, which do:
            // they are exact although the sums wrap around.
            let (least, most) = (sum.wrapping_add(*least), sum.wrapping_add(*most));
            if is_below(most) || is_above(least) {
                (EMPTY, None)
            } else if is_below(least) || is_above(most) {
                (number, Some(sum))
            } else {
                (number, None)
            }
        };
        let start = settle(self.root(), 0);
        let bounds = (clock, vec_bytes(&extremes));
        self.derive(bounds, self.universe(), start, |(number, sum)| match self.node(number) {
            Node { element: NO_ELEMENT, .. } => Step::Known(number),
            Node { element, lo, hi } => {
                let with = |sum: i64| settle(hi, sum.wrapping_add(weight(element as usize)));
                let lo = sum.map_or((lo, None), |sum| settle(lo, sum));
                Step::Split { element, lo: [lo], hi: sum.map_or((hi, None), with) }
            }
        })
    }

    /// Returns the family of the sets of both families, with the larger universe.
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn union(&self, other: &Family) -> Result<Family, FamilyError> {
        self.combined(other, |one, other| one || other, self.bounds())
    }

    /// Returns the family of the sets that are in both families, with the larger universe.
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn intersection(&self, other: &Family) -> Result<Family, FamilyError> {
        self.combined(other, |one, other| one && other, self.bounds())
    }

    /// Returns the family of the sets that are not in `other`, with the larger universe.
    ///
    /// The complement of a family is the difference of the [power set](Family::power_set) and the
    /// family.
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn difference(&self, other: &Family) -> Result<Family, FamilyError> {
        self.combined(other, |one, other| one && !other, self.bounds())
    }

    /// Returns the family of the sets that are in one of the families and not in the other, with
    /// the larger universe.
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn symmetric_difference(&self, other: &Family) -> Result<Family, FamilyError> {
        self.combined(other, |one, other| one != other, self.bounds())
    }

    /// Returns the family of the sets that are subsets of some set of `other`, with the larger
    /// universe.
    ///
    /// A state is a pair of nodes, and each takes a union. (The recursion is the *permit* of Okuno,
    /// Minato and Isozaki, 1998, without a call stack.)
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn subsets_of_any(&self, other: &Family) -> Result<Family, FamilyError> {
        self.subsets(other, false, self.bounds())
    }

    /// Returns the family of the sets that have some set of `other` as a subset, with the larger
    /// universe. Costs as much as [`subsets_of_any`](Self::subsets_of_any) for the
    /// [complements](Self::complements).
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn supersets_of_any(&self, other: &Family) -> Result<Family, FamilyError> {
        let (universe, (clock, _)) = (self.universe().max(other.universe()), self.bounds());
        let others = self.complements_in(other, universe, (clock.clone(), 0))?;
        let own = self.complements_in(self, universe, (clock.clone(), others.bytes()))?;
        let used = own.bytes() + others.bytes();
        let supersets = own.subsets(&others, false, (clock.clone(), used))?;
        drop((own, others));
        supersets.complements_in(&supersets, universe, (clock, supersets.bytes()))
    }

    /// Returns the family of the sets that are a proper subset of no other one.
    ///
    /// Costs as much as [`subsets_of_any`](Self::subsets_of_any) for the family itself.
    ///
    /// ```
    /// use secateurs::plug::Family;
    ///
    /// let family = Family::from_sets(4, [vec![], vec![0], vec![0, 1], vec![2]])?;
    /// assert_eq!(family.maximal()?.to_string(), "{{0, 1}, {2}}");
    /// assert_eq!(family.minimal()?.to_string(), "{{}}");
    /// # Ok::<(), secateurs::plug::FamilyError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn maximal(&self) -> Result<Family, FamilyError> {
        self.maximal_within(self.bounds())
    }

    /// Returns the maximal sets, within these bounds.
    fn maximal_within(&self, (clock, used): Bounds) -> Result<Family, FamilyError> {
        let smaller = self.subsets(self, true, (clock.clone(), used))?;
        let bounds = (clock, used + smaller.bytes());
        self.combined(&smaller, |one, other| one && !other, bounds)
    }

    /// Returns the family of the sets that have no other one as a subset. Costs as much as
    /// [`maximal`](Self::maximal) for the [complements](Self::complements).
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn minimal(&self) -> Result<Family, FamilyError> {
        let (universe, (clock, _)) = (self.universe(), self.bounds());
        let complements = self.complements_in(self, universe, (clock.clone(), 0))?;
        let maximal = complements.maximal_within((clock.clone(), complements.bytes()))?;
        drop(complements);
        maximal.complements_in(&maximal, universe, (clock, maximal.bytes()))
    }

    /// Returns the family of the hitting sets: the subsets of the universe that have an element in
    /// common with every set of the family. The [minimal](Self::minimal) ones are the minimal
    /// transversals of the hypergraph.
    ///
    /// ```
    /// use secateurs::plug::Family;
    ///
    /// // The edges of a path of four vertices; its minimal hitting sets are its vertex covers.
    /// let edges = Family::from_sets(4, [[0, 1], [1, 2], [2, 3]])?;
    /// let covers = edges.hitting_sets()?.minimal()?;
    /// assert_eq!(covers.to_string(), "{{0, 2}, {1, 2}, {1, 3}}");
    /// # Ok::<(), secateurs::plug::FamilyError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn hitting_sets(&self) -> Result<Family, FamilyError> {
        // A set hits all others unless it is a subset of the complement of one.
        let (universe, (clock, _)) = (self.universe(), self.bounds());
        let size = check_universe(universe)?;
        let missing = self.complements_in(self, universe, (clock.clone(), 0))?;
        let bounds = (clock.clone(), missing.bytes());
        let all = self.derive(bounds, universe, 0, |element: u32| match element {
            _ if element == size => Step::Known(UNIT),
            _ => Step::Split { element, lo: [element + 1], hi: element + 1 },
        })?;
        let used = missing.bytes() + all.bytes();
        let others = all.subsets(&missing, false, (clock.clone(), used))?;
        drop(missing);
        let used = all.bytes() + others.bytes();
        all.combined(&others, |one, other| one && !other, (clock, used))
    }

    /// Returns the family of the complements of the sets: each has the elements of the universe
    /// that a set does not have. (The sets that are not in the family are a
    /// [difference](Self::difference).)
    ///
    /// Takes time and memory proportional to the number of nodes, and of the elements that they
    /// skip.
    ///
    /// # Errors
    /// Returns an error at a limit.
    pub fn complements(&self) -> Result<Family, FamilyError> {
        self.complements_in(self, self.universe(), self.bounds())
    }

    /// Returns the complements of the sets of a family in a universe, under the limits of this
    /// family.
    fn complements_in(
        &self,
        family: &Family,
        universe: usize,
        bounds: Bounds,
    ) -> Result<Family, FamilyError> {
        let size = check_universe(universe)?;
        self.derive(bounds, universe, (family.root(), 0), |(number, element)| {
            let node = family.node(number);
            if number == EMPTY || element == size {
                Step::Known(number)
            } else if node.element == element {
                Step::Split { element, lo: [(node.hi, element + 1)], hi: (node.lo, element + 1) }
            } else {
                Step::Split { element, lo: [(EMPTY, 0)], hi: (number, element + 1) }
            }
        })
    }

    /// Returns the family of the sets that are subsets of a set of `other`, or proper ones.
    ///
    /// A state is a node of each family, and whether a subset that is equal so far must become a
    /// proper one.
    fn subsets(&self, other: &Family, proper: bool, bounds: Bounds) -> Result<Family, FamilyError> {
        let universe = self.universe().max(other.universe());
        let start = (self.root(), other.root(), proper);
        self.derive(bounds, universe, start, |(one, two, proper)| {
            if one == EMPTY || two == EMPTY || (two == UNIT && proper) {
                return Step::Known(EMPTY);
            }
            let (element, (lo, other_lo), (hi, other_hi)) =
                split_pair((one, self.node(one)), (two, other.node(two)));
            match element {
                NO_ELEMENT => Step::Known(UNIT),
                _ => Step::Split {
                    element,
                    // A subset without the element, of a set with it, is a proper one.
                    lo: [(lo, other_lo, proper), (lo, other_hi, false)],
                    hi: (hi, other_hi, proper),
                },
            }
        })
    }

    /// Returns the family of the sets for which `keeps` returns true, called with whether the set
    /// is in this family, and whether it is in the other one. Sets in neither are not kept.
    fn combined(
        &self,
        other: &Family,
        keeps: impl Fn(bool, bool) -> bool,
        bounds: Bounds,
    ) -> Result<Family, FamilyError> {
        let universe = self.universe().max(other.universe());
        let (keeps_own, keeps_others) = (keeps(true, false), keeps(false, true));
        self.derive(bounds, universe, (self.root(), other.root()), |(one, two)| {
            if (two == EMPTY && !keeps_own) || (one == EMPTY && !keeps_others) {
                return Step::Known(EMPTY);
            }
            let (element, lo, hi) = split_pair((one, self.node(one)), (two, other.node(two)));
            match element {
                NO_ELEMENT => Step::Known(u32::from(keeps(one == UNIT, two == UNIT))),
                _ => Step::Split { element, lo: [lo], hi },
            }
        })
    }

    /// Returns the bounds of an operation that begins now.
    fn bounds(&self) -> Bounds {
        (Clock::new(self.own_limits()), 0)
    }

    /// Builds a family from its first state by a rule, within these bounds. The numbers of the
    /// states are those of this family; those of [`Step::Known`] must be of a family without a
    /// node.
    fn derive<S: Copy + Eq + Hash, const L: usize>(
        &self,
        (clock, others): Bounds,
        universe: usize,
        start: S,
        rule: impl Fn(S) -> Step<S, L>,
    ) -> Result<Family, FamilyError> {
        let limits = self.own_limits().clone();
        let max_bytes = limits.max_bytes().checked_sub(others).ok_or(Stop::MemoryLimit)?;
        let mut builder = Builder::new(max_bytes, clock)?;
        let rule = |state, _| rule(state);
        let mut plan = Plan::new(FIRST, start, rule, (builder.clock(), max_bytes), |_, _| Ok(0))?;
        let root = builder.complete(&mut plan)?;
        drop(plan);
        Family::new(universe, builder, root, limits)
    }
}
