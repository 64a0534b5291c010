//! The joint of two halves of cycles: [`CycleJoint`]. It pairs matchings of a few points that close
//! into one cycle.
//!
//! A matching of k points has a number from 0 to (k−1)·(k−3)·…·1 − 1. Its most significant digit is
//! the mate of point 0. The other digits form the number of the matching of the remaining points,
//! renumbered without gaps. So the matchings with a given mate of point 0 are consecutive.

use std::sync::OnceLock;

use super::dense_mates::{Degrees, DenseMates, Matching, PositionMap};
use super::joint::{JoinMemory, Joint};
use crate::plug::algebra::Overflow;
use crate::plug::step::Clock;

/// Returns the number of perfect matchings of k points, (k−1)·(k−3)·…·1.
pub(super) const fn matching_count(points: usize) -> usize {
    if points < 2 { 1 } else { (points - 1) * matching_count(points - 2) }
}

/// Returns the number of a matching.
pub(super) fn rank(mates: &Matching, points: usize) -> usize {
    let mut left = (1_u32 << points) - 1;
    let mut rank = 0;
    for pairs in (1..=points / 2).rev() {
        let first = left.trailing_zeros() as usize;
        left &= left - 1;
        let mate = 1 << mates[first];
        rank = rank * (2 * pairs - 1) + (left & (mate - 1)).count_ones() as usize;
        left &= !mate;
    }
    rank
}

/// Returns the matching with this number.
pub(super) fn unrank(mut rank: usize, points: usize) -> Matching {
    let mut mates = [0; 32];
    let mut left: Vec<u8> = (0..points as u8).collect();
    for pairs in (1..=points / 2).rev() {
        let rest = matching_count(2 * pairs - 2);
        let first = left.remove(0);
        let mate = left.remove(rank / rest);
        rank %= rest;
        mates[usize::from(first)] = mate;
        mates[usize::from(mate)] = first;
    }
    mates
}

/// Returns whether two matchings of the same points together form one cycle through all of them.
pub(super) fn form_one_cycle(a: &Matching, b: &Matching, points: usize) -> bool {
    let (mut at, mut pairs) = (0, 0);
    loop {
        at = usize::from(b[usize::from(a[at])]);
        pairs += 1;
        if at == 0 {
            return 2 * pairs == points;
        }
    }
}

/// Contracts the points 0 and `other`, which are a pair in the opposite matching: removes both from
/// this one, pairs their mates, and renumbers the remaining points without gaps. Returns `None` if
/// they are a pair here too, which closes a cycle.
fn contract(mates: &Matching, points: usize, other: usize) -> Option<Matching> {
    let (first, second) = (usize::from(mates[0]), usize::from(mates[other]));
    if first == other {
        return None;
    }
    let renumbered = |point: usize| (point - 1 - usize::from(point > other)) as u8;
    let mut contracted = [0; 32];
    for point in (1..points).filter(|&point| point != other) {
        let mate = if point == first {
            second
        } else if point == second {
            first
        } else {
            usize::from(mates[point])
        };
        contracted[usize::from(renumbered(point))] = renumbered(mate);
    }
    Some(contracted)
}

/// The maximum number of points with a table of contractions; larger tables would take too much
/// memory.
const MAX_TABLE_POINTS: usize = 14;

/// The entry of a table for a pair whose contraction would close a cycle.
const CLOSED: u32 = u32::MAX;

/// Sums over pairs of matchings that close into one cycle, by contraction.
///
/// Let a(P) and b(Q) be numbers given for all matchings P and Q of k points, and let S be the sum
/// of a(P)·b(Q) over the pairs (P, Q) that close into one cycle. S has k−1 parts: in part i, P
/// pairs point 0 with point i. Contracting the pair {0, i} in Q turns part i into the same sum for
/// k−2 points. Its first factor is the section of a in which P pairs these points. Its second
/// factor is b, with the numbers of equal contracted matchings added up, so that b shrinks by the
/// factor k−1. Each level of the recursion therefore takes the time of at most k−1 passes over b,
/// which is far less than a pass over all pairs.
#[derive(Debug)]
pub(super) struct Contraction {
    /// The tables, indexed by half the number of points and made when first needed. A table has,
    /// for each `other` from 1 and each matching, the number of the contracted matching or
    /// [`CLOSED`]. Several threads may compute a table at once; the first to finish sets it.
    tables: [OnceLock<Vec<u32>>; MAX_TABLE_POINTS / 2 + 1],
    /// If this clock stops the run, results are meaningless, and the caller must discard them.
    clock: Option<Clock>,
    memory: JoinMemory,
}

/// The maximum length of a vector that a sum does not count as memory.
const MAX_UNCOUNTED_LENGTH: usize = 3;

/// Entries set to zero between two checks of the clock.
const ZEROS_PER_POLL: usize = 1 << 20;

/// Items between two checks of the clock: some tenths of a millisecond.
const ITEMS_PER_POLL: usize = 1 << 12;

/// Below this number of points, sums take too little time to check the clock.
const FEW_POINTS: usize = 10;

impl Contraction {
    pub(super) fn new(clock: Option<Clock>, max_bytes: usize) -> Self {
        Contraction { tables: Default::default(), clock, memory: JoinMemory::new(max_bytes) }
    }

    pub(super) fn memory(&self) -> &JoinMemory {
        &self.memory
    }

    fn is_stopping(&self) -> bool {
        self.clock.as_ref().is_some_and(|clock| clock.check().is_err())
    }

    /// Returns an iterator over the items that ends early if the run has to stop.
    fn cancellable<I: Iterator>(&self, items: I) -> impl Iterator<Item = I::Item> {
        items
            .enumerate()
            .take_while(|(index, _)| !index.is_multiple_of(ITEMS_PER_POLL) || !self.is_stopping())
            .map(|(_, item)| item)
    }

    /// Returns the table for this number of points. Returns `None` if there are too many points, or
    /// if the table would take more than half of the memory that is left: sums are then slower.
    fn table(&self, points: usize) -> Option<&[u32]> {
        let table = self.tables.get(points / 2)?;
        if table.get().is_none() {
            let numbers = matching_count(points);
            let bytes = numbers * ((points - 1) * size_of::<u32>() + size_of::<Matching>());
            if bytes > self.memory.remaining() / 2 {
                return None;
            }
            let (mut matchings, _until_made) = self.memory.allocate::<Matching>(numbers)?;
            let (mut table_entries, reservation) =
                self.memory.allocate::<u32>((points - 1) * numbers)?;
            matchings.extend(self.cancellable(0..numbers).map(|number| unrank(number, points)));
            let contracted = |mates: &Matching, other| {
                contract(mates, points, other)
                    .map_or(CLOSED, |mates| rank(&mates, points - 2) as u32)
            };
            let all = (1..points)
                .flat_map(|other| matchings.iter().map(move |mates| contracted(mates, other)));
            table_entries.extend(self.cancellable(all));
            if self.is_stopping() {
                return None;
            }
            // Another thread may have set the same table meanwhile.
            if table.set(table_entries).is_ok() {
                // The table is never dropped before the counter, so its bytes stay reserved.
                std::mem::forget(reservation);
            }
        }
        table.get().map(Vec::as_slice)
    }

    /// Extends a vector with zeros to this length. Returns `None` if the join has to stop.
    pub(super) fn fill<N: Number>(&self, numbers: &mut Vec<N>, length: usize) -> Option<()> {
        while numbers.len() < length {
            if length > ZEROS_PER_POLL && self.is_stopping() {
                return None;
            }
            numbers.resize(length.min(numbers.len() + ZEROS_PER_POLL), N::default());
        }
        Some(())
    }

    /// Returns approximately the number of steps of a sum.
    pub(super) fn cost(points: usize) -> usize {
        let steps_per_entry = if points > MAX_TABLE_POINTS { 20 } else { 1 };
        if points <= 2 {
            1
        } else {
            (points - 1) * (steps_per_entry * matching_count(points) + Self::cost(points - 2))
        }
    }

    /// Returns the sum of a(P)·b(Q) over all pairs that close into one cycle. `a` and `b` have an
    /// entry for each matching. The sum of each must fit into `N`, and the product of the two sums
    /// into `u128`. Returns `None` if there is not enough memory or the join has to stop; if the
    /// clock has stopped the run, the sum is meaningless.
    pub(super) fn sum<N: Number>(&self, points: usize, a: &[N], b: &[N]) -> Option<u128> {
        if points == 2 {
            return Some(a[0].into() * b[0].into());
        }
        let length = matching_count(points - 2);
        // Small vectors are not counted: they are made most often, and the counter is shared by all
        // threads.
        let (mut contracted, _reservation) = if length <= MAX_UNCOUNTED_LENGTH {
            (Vec::with_capacity(length), None)
        } else {
            let (contracted, reservation) = self.memory.allocate(length)?;
            (contracted, Some(reservation))
        };
        self.fill(&mut contracted, length)?;
        let mut sum = 0;
        for (other, a) in (1..).zip(a.chunks_exact(length)) {
            if a.iter().all(|&a| a == N::default()) {
                continue;
            }
            if points >= FEW_POINTS && self.is_stopping() {
                break;
            }
            contracted.fill(N::default());
            match self.table(points) {
                Some(table) => {
                    let table = &table[(other - 1) * b.len()..][..b.len()];
                    for (&number, &ways) in table.iter().zip(b) {
                        if let Some(into) = contracted.get_mut(number as usize) {
                            *into += ways;
                        }
                    }
                }
                None => {
                    let entries = self.cancellable(b.iter().enumerate());
                    for (number, &ways) in entries.filter(|&(_, &ways)| ways != N::default()) {
                        if let Some(mates) = contract(&unrank(number, points), points, other) {
                            contracted[rank(&mates, points - 2)] += ways;
                        }
                    }
                }
            }
            sum += self.sum(points - 2, a, &contracted)?;
        }
        Some(sum)
    }
}

/// The unsigned integers a(P) and b(Q) of a [`Contraction`]. Their products are summed in `u128`.
pub(super) trait Number:
    Copy + Default + PartialEq + std::ops::AddAssign + Into<u128>
{
}

impl Number for u64 {}
impl Number for u128 {}

/// The number of times that each complete solution is counted if states were mirrored.
const MIRRORED: u128 = 2;

/// Joins paths of the near half and the image of such paths to a single cycle through all vertices.
///
/// The degrees must add up to 2 in every vertex of the boundary. Then the ends of the paths are the
/// same vertices on both sides, and the two matchings of these ends must close into one cycle.
///
/// States that mirror each other may be counted as one, under the state with the smaller degrees. A
/// near state then stands for both itself and its mirror image, since both have equally many
/// completions. A far state stands for its image and its mirrored image, and those that have the
/// required degrees are used. Each of the two should weigh half of the value of the far state. To
/// avoid fractions each weighs all of it, and every complete solution is counted twice.
#[derive(Debug)]
pub(super) struct CycleJoint {
    width: usize,
    image: PositionMap,
    /// The mirror, and the mirror followed by the image.
    mirror: Option<(PositionMap, PositionMap)>,
    contraction: Contraction,
}

impl CycleJoint {
    /// Creates a joint for a boundary of this width with these maps of its positions.
    pub(super) fn new(
        width: usize,
        image: PositionMap,
        mirror: Option<&PositionMap>,
        (clock, max_bytes): (&Clock, usize),
    ) -> Self {
        let mirror = mirror.map(|mirror| (mirror.clone(), mirror.then(&image)));
        let contraction = Contraction::new(Some(clock.clone()), max_bytes);
        CycleJoint { width, image, mirror, contraction }
    }

    /// Returns the memory that the join may take.
    pub(super) fn memory(&self) -> &JoinMemory {
        self.contraction.memory()
    }

    /// Returns the number of times that each complete solution is counted.
    pub(super) fn copies(&self) -> u128 {
        if self.mirror.is_some() { MIRRORED } else { 1 }
    }

    /// Returns the degrees that the far half must have, as seen from the near half.
    fn counterpart(&self, degrees: Degrees) -> Degrees {
        self.image.degrees(degrees.missing(self.width))
    }

    /// Returns the maps by which far states complete the near states of this key: the image, the
    /// mirrored image, or both if the degrees are their own mirror image.
    fn views(&self, key: Degrees) -> Vec<&PositionMap> {
        let straight = self.counterpart(key);
        match &self.mirror {
            None => vec![&self.image],
            Some((mirror, mirrored_image)) => {
                let mirrored = mirror.degrees(straight);
                match straight.cmp(&mirrored) {
                    std::cmp::Ordering::Less => vec![&self.image],
                    std::cmp::Ordering::Greater => vec![mirrored_image],
                    std::cmp::Ordering::Equal => vec![&self.image, mirrored_image],
                }
            }
        }
    }

    /// Returns the matching of the ends of a state under a map of positions. The ends are numbered
    /// by position.
    fn matching(&self, state: DenseMates, ends: u32, view: Option<&PositionMap>) -> Matching {
        let unpacked = state.unpack(self.width);
        let number = |position: usize| {
            let mapped = view.map_or(position, |view| usize::from(view.names()[position]));
            (ends & ((1 << mapped) - 1)).count_ones() as u8
        };
        let mut mates = [0; 32];
        let mut rest = unpacked.degrees().ends;
        while rest != 0 {
            let end = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            mates[usize::from(number(end)) % 32] = number(unpacked.mate(end));
        }
        mates
    }

    /// Returns the sum by contraction, in numbers that do not overflow, or `None` if there is not
    /// enough memory or the join has to stop.
    fn contract<N: Number>(
        &self,
        points: usize,
        near: &[(Matching, u128)],
        far: &[(Matching, u128)],
        number: fn(u128) -> N,
    ) -> Option<u128> {
        let spread = |ends: &[(Matching, u128)]| {
            let (mut ways, reservation) = self.memory().allocate::<N>(matching_count(points))?;
            self.contraction.fill(&mut ways, matching_count(points))?;
            for (mates, many) in self.contraction.cancellable(ends.iter()) {
                ways[rank(mates, points)] += number(*many);
            }
            Some((ways, reservation))
        };
        let ((near, _near_bytes), (far, _far_bytes)) = (spread(near)?, spread(far)?);
        self.contraction.sum(points, &near, &far)
    }
}

impl Joint<DenseMates> for CycleJoint {
    type Key = Degrees;

    fn key(&self, state: DenseMates) -> Degrees {
        state.degrees(self.width)
    }

    fn partner(&self, key: Degrees) -> Degrees {
        let straight = self.counterpart(key);
        self.mirror.as_ref().map_or(straight, |(mirror, _)| mirror.degrees(straight).min(straight))
    }

    fn count_completions<V: Copy + Into<u128>>(
        &self,
        key: Degrees,
        near: &[(DenseMates, V)],
        far: &[(DenseMates, V)],
    ) -> Result<u128, Overflow> {
        let points = key.ends.count_ones() as usize;
        if points == 0 {
            return Ok(0); // both halves have edges, but no path connects the halves
        }
        let views = self.views(key);
        let cancellable = |ends| self.contraction.cancellable(<[(DenseMates, V)]>::iter(ends));
        let list = |items| {
            let list = self.memory().allocate::<(Matching, u128)>(items);
            list.ok_or_else(|| self.memory().exhaust())
        };
        let (near_states, far_states) = (near, far);
        let (mut near, _near_bytes) = list(near_states.len())?;
        let (mut far, _far_bytes) = list(far_states.len() * views.len())?;
        near.extend(
            cancellable(near_states)
                .map(|&(state, ways)| (self.matching(state, key.ends, None), ways.into())),
        );
        far.extend(cancellable(far_states).flat_map(|&(state, ways)| {
            views.iter().map(move |view| (self.matching(state, key.ends, Some(view)), ways.into()))
        }));
        let total = |ends: &[(Matching, u128)]| {
            ends.iter().try_fold(0_u128, |sum, (_, ways)| sum.checked_add(*ways)).ok_or(Overflow)
        };
        let (all_near, all_far) = (total(&near)?, total(&far)?);
        all_near.checked_mul(all_far).ok_or(Overflow)?;
        if near.len().saturating_mul(far.len()).saturating_mul(points) <= Contraction::cost(points)
        {
            let fitting = near.iter().flat_map(|(p, a)| {
                self.contraction
                    .cancellable(far.iter())
                    .filter(|(q, _)| form_one_cycle(p, q, points))
                    .map(move |(_, b)| a * b)
            });
            return Ok(fitting.sum());
        }
        let sum = match u64::try_from(all_near.max(all_far)) {
            Ok(_) => self.contract(points, &near, &far, |ways| ways as u64),
            Err(_) => self.contract(points, &near, &far, |ways| ways),
        };
        sum.ok_or_else(|| self.memory().exhaust())
    }
}
