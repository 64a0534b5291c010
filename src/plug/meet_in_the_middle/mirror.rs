//! The canonicaliser for mirror images: [`Mirrored`].

use super::degrees::DegreesOnly;
use super::half::{Cell, HalfCycle};
use super::loose_ends::{LooseEnds, PositionMap};
use crate::digest::Digest;
use crate::hook::Verdict;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHook;

/// A canonicaliser for halves that are their own mirror image: of a state and its mirror image it
/// keeps the one with the smaller degrees. The value of the kept state counts for both.
#[derive(Clone, Debug)]
pub(super) struct Mirrored {
    /// For each cell, the width after it, and the map if the half as swept by then is its own
    /// mirror image.
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

impl SweepHook<HalfCycle> for Mirrored {
    fn name(&self) -> &str {
        "mirror images"
    }

    /// The data of the hook follow from the problem.
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
        problem: &DegreesOnly<'_>,
        cell: usize,
        state: &mut <DegreesOnly<'_> as ContourProblem>::State,
    ) -> Verdict {
        let _ = problem;
        if let (_, Some(map)) = &self.cells[cell] {
            *state = map.degrees(*state).min(*state);
        }
        Verdict::Keep
    }
}
