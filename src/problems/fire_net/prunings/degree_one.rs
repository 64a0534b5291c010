//! Pruning 5: a segment with just one candidate gets its bunker.

use super::super::board::Board;
use super::Scope;
use super::seen::Seen;
use crate::digest::Digest;
use crate::hook::{Effect, Hook, NodeMut, Substitute, Verdict};

/// Pruning 5: place a bunker on a candidate whose row segment or column segment has no other
/// candidate.
///
/// *Statement.* If segment s has the single candidate c, some largest placement on the candidates
/// has a bunker on c. *Proof.* Take a largest placement without one. No bunker stands in s, as c is
/// its only candidate; so there is one in the other segment of c, or else c could be added. Move it
/// to c: it then controls s, where nobody stands, and the same other segment as before. ∎ (Karp and
/// Sipser 1981.)
///
/// The bunkers are placed one at a time, with the candidates updated after each: on a board of two
/// cells side by side both qualify, and only one may be placed. It is *wrong* to place on just any
/// candidate of a segment that has two.
///
/// At the root every segment is looked at; later only those that have lost a candidate since the
/// parent was entered, and then those that lose one by a bunker placed here: the trail is the
/// worklist. Cost: what changes. The candidates that are left in the end do not depend on the
/// order.
#[derive(Clone, Debug)]
pub struct DegreeOne {
    scope: Scope,
    placed: u64,
    seen: Seen,
}

impl DegreeOne {
    /// The inference, made at the nodes of `scope`.
    #[must_use]
    pub fn new(scope: Scope) -> Self {
        DegreeOne { scope, placed: 0, seen: Seen::default() }
    }
}

impl Hook<Board> for DegreeOne {
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

    fn enter(&mut self, node: &mut NodeMut<'_, Board>) -> Verdict {
        let (board, depth) = (node.problem(), node.depth());
        if !self.scope.includes(depth) {
            return Verdict::Keep;
        }
        let state = node.state_mut();
        state.exclude_passed(board);
        let mut placed = 0;
        let mut next = match self.seen.by_parent(depth) {
            Some(seen) => seen,
            None => {
                let start = state.trail().len();
                for segment in 0..board.segments().len() {
                    placed += u64::from(
                        state.only_candidate(segment).is_some_and(|cell| state.place(board, cell)),
                    );
                }
                start
            }
        };
        while let Some(&lost) = state.trail().get(next) {
            next += 1;
            for segment in board.segments().both(lost) {
                placed += u64::from(
                    state.only_candidate(segment).is_some_and(|cell| state.place(board, cell)),
                );
            }
        }
        self.placed += placed;
        self.seen.set(depth, next);
        Verdict::Keep
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("placed".to_owned(), self.placed)]
    }
}
