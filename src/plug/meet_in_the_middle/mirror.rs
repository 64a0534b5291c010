//! The canonicaliser for mirror images: [`Mirrored`].

use super::dense_mates::{Degrees, DenseMates, PositionMap};
use super::half::{Cell, HalfCycle};
use crate::digest::Digest;
use crate::hook::Verdict;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHook;

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
pub(super) trait HasMirrorImage: Copy {
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
