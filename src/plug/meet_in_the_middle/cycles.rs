//! The joint of two halves of cycles: [`CycleJoint`].

use super::dense_mates::{Degrees, DenseMates, Matching, PositionMap};
use super::joint::{JoinMemory, Joint};
use super::matchings::{Contraction, Number, count, form_one_cycle, rank};
use crate::plug::algebra::Overflow;
use crate::plug::step::Clock;

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

    /// Returns the maps under which far states with the partner of this key are used.
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
        let open = state.unpack(self.width);
        let number = |position: usize| {
            let seen = view.map_or(position, |view| usize::from(view.names()[position]));
            (ends & ((1 << seen) - 1)).count_ones() as u8
        };
        let mut mates = [0; 32];
        let mut rest = open.degrees().ends;
        while rest != 0 {
            let end = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            mates[usize::from(number(end)) % 32] = number(open.mate(end));
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
            let (mut ways, taken) = self.memory().allocate::<N>(count(points))?;
            self.contraction.fill(&mut ways, count(points))?;
            for (mates, many) in self.contraction.cancellable(ends.iter()) {
                ways[rank(mates, points)] += number(*many);
            }
            Some((ways, taken))
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
            return Ok(0); // both halves have edges, which cannot be one cycle
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
