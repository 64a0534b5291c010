//! The hooks of a half: [`DegreeFilter`], made from the half reduced to degrees, and the
//! canonicaliser for mirror images, [`Mirrored`].

use super::dense_mates::{Degrees, DenseMates, PositionMap};
use super::half::{Cell, HalfCycle, Step};
use crate::digest::Digest;
use crate::hook::Verdict;
use crate::limits::TooWide;
use crate::memory::{reserve_one, vec_bytes};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHook;
use crate::plug::step::{Clock, POLL, POLL_STATES};

/// The near half as a contour problem that forgets which ends belong to one path, and is therefore
/// far smaller than [`HalfCycle`]. It is a relaxation: it reaches the degrees of every state that
/// the half reaches, and perhaps others.
#[derive(Clone, Copy, Debug)]
pub(super) struct DegreesOnly<'a>(pub(super) &'a HalfCycle);

impl ContourProblem for DegreesOnly<'_> {
    type State = Degrees;
    type Label = ();

    fn cells(&self) -> usize {
        self.0.cells.len()
    }

    fn start(&self) -> Degrees {
        Degrees::default()
    }

    #[inline]
    fn step(&self, cell: usize, state: Degrees, emit: &mut impl FnMut(Degrees, ())) {
        match &self.0.cells[cell].step {
            Step::Push { vertex, neighbours } => {
                let mut leave = |degrees: Degrees| emit(degrees.without(*vertex), ());
                if state.full >> vertex & 1 != 0 {
                    leave(state);
                } else if let Some(filled) =
                    state.touched(*vertex).filter(|_| state.ends >> vertex & 1 != 0)
                {
                    neighbours.iter().filter_map(|&other| filled.touched(other)).for_each(leave);
                } else {
                    for (count, &one) in neighbours.iter().enumerate() {
                        if let Some(touched) = state.touched(one) {
                            neighbours[..count]
                                .iter()
                                .filter_map(|&other| touched.touched(other))
                                .for_each(&mut leave);
                        }
                    }
                }
            }
            Step::Edges(edges) => {
                for_each_choice(state, edges, Degrees::touched, &mut |degrees| emit(degrees, ()))
            }
        }
    }

    fn accept(&self, _: Degrees) -> bool {
        true
    }

    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.0.fits(cell)
    }
}

/// Calls `emit` with the degrees after each subset of the edges is added, or removed.
fn for_each_choice(
    degrees: Degrees,
    edges: &[(usize, usize)],
    change: fn(Degrees, usize) -> Option<Degrees>,
    emit: &mut impl FnMut(Degrees),
) {
    emit(degrees);
    for (count, &(a, b)) in edges.iter().enumerate() {
        if let Some(changed) = change(degrees, a).and_then(|changed| change(changed, b)) {
            for_each_choice(changed, &edges[count + 1..], change, emit);
        }
    }
}

/// A set of degrees of a frontier: one bit for each of the 3^width possible degrees.
#[derive(Clone, Debug)]
struct DegreeSet {
    words: Vec<u64>,
}

/// The numbers whose digits in base 3 are the 9 bits of an index.
const THREES: [u32; 512] = {
    let mut threes = [0; 512];
    let mut bits = 1;
    while bits < 512 {
        threes[bits] = threes[bits >> 1] * 3 + (bits & 1) as u32;
        bits += 1;
    }
    threes
};

/// 3⁹, the weight of the upper 9 of 18 digits.
const THREE_TO_THE_9: u32 = 19683;

impl DegreeSet {
    /// Creates an empty set. Returns `None` if the frontier is too wide or there is no memory.
    fn new(width: usize) -> Option<Self> {
        let bits = (width <= DegreeFilter::MAX_WIDTH).then(|| 3_usize.pow(width as u32))?;
        let mut words = Vec::new();
        words.try_reserve_exact(bits / 64 + 1).ok()?;
        words.resize(bits / 64 + 1, 0);
        Some(DegreeSet { words })
    }

    #[inline]
    fn index(degrees: Degrees) -> usize {
        let number = |set: u32| {
            THREES[set as usize & 511] + THREE_TO_THE_9 * THREES[(set >> 9) as usize & 511]
        };
        (number(degrees.ends) + 2 * number(degrees.full)) as usize
    }

    #[inline]
    fn contains(&self, degrees: Degrees) -> bool {
        let index = Self::index(degrees);
        self.words[index / 64] >> (index % 64) & 1 != 0
    }

    /// Inserts degrees and returns whether they are new.
    fn insert(&mut self, degrees: Degrees) -> bool {
        let index = Self::index(degrees);
        let before = self.words[index / 64];
        self.words[index / 64] |= 1 << (index % 64);
        self.words[index / 64] != before
    }
}

/// A filter that drops a state if no degrees that can follow from its own can be completed by the
/// far half. It applies after the last inner vertex and after each cell of middle edges.
///
/// For small boards it drops most states. (A smaller, relaxed sweep that bounds the full one: the
/// state space relaxation of Christofides, Mingozzi and Toth, 1981.)
#[derive(Clone, Debug)]
pub(super) struct DegreeFilter {
    /// The first cell after which the filter applies.
    first: usize,
    /// For each cell from there on, the width after it and the degrees that can be completed.
    sets: Vec<(usize, DegreeSet)>,
}

impl DegreeFilter {
    /// The widest boundary of a filter: each of its sets takes 3¹⁸ bits or 48 MB.
    pub(super) const MAX_WIDTH: usize = 18;

    /// Returns the bytes of the sets of the filter, including those needed to make it, or `None` if
    /// the boundary is too wide.
    pub(super) fn bytes(half: &HalfCycle) -> Option<usize> {
        let width = half.boundary.len();
        // One set for each cell of middle edges, one for the last push, and one for the degrees
        // that the near half reaches.
        let sets = half.cells.len() - half.pushes() + 2;
        (width <= Self::MAX_WIDTH).then(|| sets.saturating_mul(3_usize.pow(width as u32) / 8))
    }

    /// Returns the bytes of the sets.
    pub(super) fn held_bytes(&self) -> usize {
        self.sets.iter().map(|(_, set)| vec_bytes(&set.words)).sum()
    }

    /// Creates the filter from the degrees that the half can end with, or from at least one of each
    /// pair of mirror images of them. `max_bytes` is the number of bytes that lists of degrees may
    /// take beside the [sets](Self::bytes). Returns `None` if the frontier is too wide, there is
    /// not enough memory, or the sweep has to stop.
    pub(super) fn new(
        half: &HalfCycle,
        ends: &[(Degrees, ())],
        image: &PositionMap,
        mirror: Option<&PositionMap>,
        (clock, max_bytes): (&Clock, usize),
    ) -> Option<Self> {
        let width = half.boundary.len();
        let mut reached = DegreeSet::new(width)?;
        for (index, &(degrees, ())) in ends.iter().enumerate() {
            if index % POLL_STATES == 0 {
                clock.check().ok()?;
            }
            reached.insert(degrees);
            if let Some(mirror) = mirror {
                reached.insert(mirror.degrees(degrees));
            }
        }
        let mut set = DegreeSet::new(width)?;
        let mut members = Vec::new();
        for (index, &(degrees, ())) in ends.iter().enumerate() {
            if index % POLL_STATES == 0 {
                clock.check().ok()?;
            }
            let mirrored = mirror.map(|mirror| mirror.degrees(degrees));
            for degrees in std::iter::once(degrees).chain(mirrored) {
                if reached.contains(image.degrees(degrees.missing(width))) && set.insert(degrees) {
                    push_within(&mut members, degrees, max_bytes)?;
                }
            }
        }
        let first = half.pushes().saturating_sub(1);
        let mut sets = Vec::new();
        for cell in half.cells[first..].iter().rev() {
            let Step::Edges(edges) = &cell.step else {
                sets.push((cell.after, set));
                break;
            };
            let mut before = DegreeSet::new(cell.before)?;
            let mut earlier = Vec::new();
            let (left, mut fits) = (max_bytes.saturating_sub(vec_bytes(&members)), true);
            for (index, &degrees) in members.iter().enumerate() {
                if index % POLL == 0 {
                    clock.check().ok()?;
                }
                for_each_choice(degrees, edges, Degrees::released, &mut |degrees| {
                    // The vertices that enter with the cell have no edges before it.
                    let may_precede = (degrees.ends | degrees.full) >> cell.before == 0;
                    if may_precede && fits && before.insert(degrees) {
                        fits = push_within(&mut earlier, degrees, left).is_some();
                    }
                });
                if !fits {
                    return None;
                }
            }
            sets.push((cell.after, std::mem::replace(&mut set, before)));
            members = earlier;
        }
        sets.reverse();
        Some(DegreeFilter { first, sets })
    }
}

/// Appends degrees to a list of at most `max_bytes` bytes. Returns `None` if it would need more, or
/// if the system has no memory.
fn push_within(list: &mut Vec<Degrees>, degrees: Degrees, max_bytes: usize) -> Option<()> {
    reserve_one(list, vec_bytes(list), max_bytes)?;
    list.push(degrees);
    Some(())
}

impl SweepHook<HalfCycle> for DegreeFilter {
    fn name(&self) -> &str {
        "degrees"
    }

    /// Returns an empty digest: the fields of the hook follow from the problem.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    #[inline]
    fn enter(&self, _: &HalfCycle, cell: usize, state: &mut DenseMates) -> Verdict {
        match cell.checked_sub(self.first).and_then(|cell| self.sets.get(cell)) {
            Some((width, set)) if !set.contains(state.degrees(*width)) => Verdict::Prune,
            _ => Verdict::Keep,
        }
    }
}

/// A canonicaliser for halves that are their own mirror image: of a state and its mirror image it
/// keeps the one with the smaller degrees, or, if these are equal, the smaller word. The value of
/// the kept state counts for both.
#[derive(Clone, Debug)]
pub(super) struct Mirrored {
    /// For each cell, the width of the frontier after it, and the mirror map of that frontier if
    /// the part of the half that has been swept by then is its own mirror image.
    cells: Vec<(usize, Option<PositionMap>)>,
}

impl Mirrored {
    pub(super) fn new(half: &HalfCycle) -> Self {
        let map = |cell: &Cell| (cell.after, cell.mirror.clone().map(PositionMap::new));
        Mirrored { cells: half.cells.iter().map(map).collect() }
    }

    /// Returns the mirror map of the last frontier, if there is one.
    pub(super) fn last(&self) -> Option<&PositionMap> {
        self.cells.last().and_then(|(_, map)| map.as_ref())
    }
}

/// A state of a half that has a mirror image.
trait HasMirrorImage: Copy {
    /// Returns this state or its mirror image, in a frontier of this width. The result is the same
    /// for a state and its mirror image.
    fn representative(self, width: usize, mirror: &PositionMap) -> Self;
}

impl HasMirrorImage for DenseMates {
    #[inline]
    fn representative(self, width: usize, mirror: &PositionMap) -> Self {
        let degrees = self.degrees(width);
        let mirrored = mirror.degrees(degrees);
        if mirrored > degrees {
            return self;
        }
        let image = self.unpack(width).renamed(mirror.names()).pack(width);
        if mirrored < degrees || image < self { image } else { self }
    }
}

impl HasMirrorImage for Degrees {
    #[inline]
    fn representative(self, _: usize, mirror: &PositionMap) -> Self {
        mirror.degrees(self).min(self)
    }
}

impl<P: ContourProblem<State: HasMirrorImage>> SweepHook<P> for Mirrored {
    fn name(&self) -> &str {
        "mirror images"
    }

    /// Returns an empty digest: the fields of the hook follow from the problem.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn keeps_labels(&self) -> bool {
        false
    }

    #[inline]
    fn enter(&self, _: &P, cell: usize, state: &mut P::State) -> Verdict {
        if let (width, Some(mirror)) = &self.cells[cell] {
            *state = state.representative(*width, mirror);
        }
        Verdict::Keep
    }
}
