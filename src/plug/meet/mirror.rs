//! Two states that mirror each other are one: [`Mirrored`].

use super::degrees::DegreesOnly;
use super::half::{Cell, HalfCycle};
use super::loose_ends::{Degrees, LooseEnds};
use crate::digest::Digest;
use crate::hook::Verdict;
use crate::plug::hook::SweepHook;
use crate::plug::profile::ContourProblem;

/// A map of positions, as tables for 8 of them each: sets of positions are mapped by looking up.
#[derive(Clone, Debug)]
pub(super) struct PositionMap {
    names: Vec<u8>,
    tables: Vec<[u32; 256]>,
}

impl PositionMap {
    pub(super) fn new(names: Vec<u8>) -> Self {
        let tables = names.chunks(8).map(|chunk| {
            let mut table = [0; 256];
            for (bits, entry) in table.iter_mut().enumerate() {
                let set =
                    chunk.iter().enumerate().filter(|&(position, _)| bits >> position & 1 != 0);
                *entry = set.map(|(_, &name)| 1 << name).sum();
            }
            table
        });
        PositionMap { tables: tables.collect(), names }
    }

    pub(super) fn names(&self) -> &[u8] {
        &self.names
    }

    #[inline]
    fn set(&self, set: u32) -> u32 {
        let bytes = set.to_le_bytes();
        self.tables
            .iter()
            .zip(bytes)
            .fold(0, |mapped, (table, byte)| mapped | table[usize::from(byte)])
    }

    #[inline]
    pub(super) fn degrees(&self, degrees: Degrees) -> Degrees {
        Degrees { ends: self.set(degrees.ends), full: self.set(degrees.full) }
    }

    /// This map, and then another.
    pub(super) fn then(&self, other: &PositionMap) -> PositionMap {
        PositionMap::new(self.names.iter().map(|&name| other.names[usize::from(name)]).collect())
    }
}

/// A canonicaliser for halves that are their own mirror image: of a state and its mirror image it
/// keeps the one whose degrees come first. What it keeps counts for both.
#[derive(Clone, Debug)]
pub(super) struct Mirrored {
    /// After each cell: the width, and the map if the half as swept by then is its own mirror
    /// image.
    cells: Vec<(usize, Option<PositionMap>)>,
}

impl Mirrored {
    pub(super) fn new(half: &HalfCycle) -> Self {
        let map = |cell: &Cell| (cell.after, cell.mirror.clone().map(PositionMap::new));
        Mirrored { cells: half.cells.iter().map(map).collect() }
    }

    /// How positions of the last frontier are mirrored, if they are.
    pub(super) fn last(&self) -> Option<&PositionMap> {
        self.cells.last().and_then(|(_, map)| map.as_ref())
    }
}

impl SweepHook<HalfCycle> for Mirrored {
    fn name(&self) -> &str {
        "mirror images"
    }

    /// What it knows follows from the problem.
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn keeps_labels(&self) -> bool {
        false
    }

    #[inline]
    fn enter(&self, _: &HalfCycle, cell: usize, state: &mut LooseEnds) -> Verdict {
        if let (width, Some(map)) = &self.cells[cell] {
            let degrees = state.degrees(*width);
            let mirrored = map.degrees(degrees);
            if mirrored <= degrees {
                let image = state.open(*width).renamed(map.names()).pack(*width);
                if mirrored < degrees || image < *state {
                    *state = image;
                }
            }
        }
        Verdict::Keep
    }
}

impl SweepHook<DegreesOnly<'_>> for Mirrored {
    fn name(&self) -> &str {
        "mirror images"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn keeps_labels(&self) -> bool {
        false
    }

    #[inline]
    fn enter(
        &self,
        profile: &DegreesOnly<'_>,
        cell: usize,
        state: &mut <DegreesOnly<'_> as ContourProblem>::State,
    ) -> Verdict {
        let _ = profile;
        if let (_, Some(map)) = &self.cells[cell] {
            *state = map.degrees(*state).min(*state);
        }
        Verdict::Keep
    }
}
