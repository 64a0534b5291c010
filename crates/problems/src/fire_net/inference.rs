//! Pruning 5: a bunker on the only candidate of a segment; and the common parts of the inferences,
//! prunings 5 to 10.

use secateurs::Digest;
use secateurs::hook::{Effect, Hook, NodeMut, Substitute, Verdict};

use super::board::FireNetBoard;
use super::state::State;

/// The hook of pruning 5: it places a bunker on a candidate whose row segment or column segment has
/// no other candidate.
///
/// *Statement.* If segment s has the single candidate c, some largest placement on the candidates
/// has a bunker on c. *Proof.* Take a largest placement without one. No bunker stands in s, as c is
/// its only candidate. The other segment of c holds a bunker, otherwise c could be added. Move that
/// bunker to c: it then holds s, which was free, and the same other segment as before. ∎ (Karp
/// and Sipser 1981.)
///
/// The bunkers are placed one at a time, and the candidates are updated after each: on a board of
/// two adjacent cells both qualify, but only one may be placed. It is *wrong* to place a bunker on
/// an arbitrary candidate of a segment that has two.
///
/// The root scans every segment. Other nodes scan only the segments that have lost a candidate
/// since the parent was entered, including those that lose one by a bunker placed here: the trail
/// serves as the worklist. A node takes time proportional to the number of changes. The candidates
/// that are left in the end do not depend on the order.
#[derive(Clone, Debug)]
pub struct DegreeOne {
    scope: Scope,
    placed: u64,
    trail_marks: TrailMarks,
}

impl DegreeOne {
    /// Creates the inference for the nodes of `scope`.
    #[must_use]
    pub fn new(scope: Scope) -> Self {
        DegreeOne { scope, placed: 0, trail_marks: TrailMarks::default() }
    }
}

impl Hook<FireNetBoard> for DegreeOne {
    fn name(&self) -> &str {
        "5: one candidate"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.scope))
    }

    fn effect(&self) -> Effect {
        Effect::OptimumOnly
    }

    fn substitute(&self) -> Substitute {
        Substitute::Below
    }

    fn enter(&mut self, node: &mut NodeMut<'_, FireNetBoard>) -> Verdict {
        let (board, depth) = (node.problem(), node.depth());
        if !self.scope.includes(depth) {
            return Verdict::Keep;
        }
        let state = node.state_mut();
        state.exclude_passed(board);
        let mut place_only = |state: &mut State, segment| {
            let only = state.only_candidate(segment);
            self.placed += u64::from(only.is_some_and(|cell| state.place(board, cell)));
        };
        let mut next = self.trail_marks.first_new_entry(depth).unwrap_or_else(|| {
            let start = state.trail().len();
            (0..board.segments().len()).for_each(|segment| place_only(state, segment));
            start
        });
        while let Some(&removed) = state.trail().get(next) {
            next += 1;
            board
                .segments()
                .both(removed)
                .into_iter()
                .for_each(|segment| place_only(state, segment));
        }
        self.trail_marks.set(depth, next);
        Verdict::Keep
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("placed".to_owned(), self.placed)]
    }
}

/// The nodes at which an inference is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// At the root only, before the search begins, as in the article.
    Root,
    /// At every node.
    EveryNode,
}

impl Scope {
    pub(super) fn includes(self, depth: usize) -> bool {
        self == Scope::EveryNode || depth == 0
    }
}

/// By depth, along the path: the length of the state's trail when an inference finished the node.
///
/// The entries of the trail after the mark of the parent (the choice, and inferences of other
/// hooks) are all that is new at a node. Leaving a node needs no call, because entering a node
/// drops the marks of the same depth and below.
#[derive(Clone, Debug, Default)]
pub(super) struct TrailMarks {
    marks: Vec<usize>,
}

impl TrailMarks {
    /// Returns the index of the first new entry of the trail at a node of this depth, or `None` if
    /// the parent has no mark.
    pub(super) fn first_new_entry(&self, depth: usize) -> Option<usize> {
        self.marks.get(depth.checked_sub(1)?).copied()
    }

    /// Records that a node of this depth is finished up to this length of the trail.
    pub(super) fn set(&mut self, depth: usize, length: usize) {
        self.marks.truncate(depth);
        if self.marks.len() == depth {
            self.marks.push(length);
        }
    }
}
