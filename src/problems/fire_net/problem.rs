//! The search tree: choices, and the [`Problem`] of a board.

use super::board::FireNetBoard;
use super::state::{State, Undo};
use crate::problem::{Branch, Problem};

/// A step down the search tree. Cells are numbered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Choice {
    /// Places a bunker on this cell, and excludes the cells of smaller number (pruning 2).
    Next(usize),
    /// Places a bunker on this cell.
    Place(usize),
    /// Leaves the segment of this number without a bunker.
    LeaveEmpty(usize),
}

impl FireNetBoard {
    /// Returns the number of bunkers placed in a state, which is the value to maximise.
    #[must_use]
    #[inline]
    pub fn placed(state: &State) -> usize {
        state.placed()
    }
}

/// Enumerates every placement once, its cells in increasing order: prunings 1 and 2.
///
/// Every node is a solution. A node at depth k is a placement of k bunkers, so the levels of a
/// count list the numbers r_k of placements of k bunkers:
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::fire_net::FireNetBoard;
///
/// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let outcome = Search::new(&board).count();
/// assert_eq!(outcome.exact(), Some(175));
/// let levels = outcome.report().levels().iter();
/// let placements: Vec<u64> = levels.map(|level| level.solutions).collect();
/// assert_eq!(placements, [1, 13, 51, 72, 34, 4]);
/// # Ok::<(), secateurs::ParseError>(())
/// ```
///
/// The branchers [`Cells`](super::Cells) and [`SmallestSegment`](super::SmallestSegment) generate
/// other trees.
impl Problem for FireNetBoard {
    type State = State;
    type Cursor = usize;
    type Choice = Choice;
    type Undo = Undo;

    fn root(&self) -> State {
        State::new(self)
    }

    fn branch(&self, state: &State) -> Branch<usize> {
        match state.next_candidate(state.from()) {
            Some(cell) => Branch::SolutionInner(cell),
            None => Branch::Solution,
        }
    }

    fn next(&self, state: &State, cursor: &mut usize) -> Option<Choice> {
        let cell = state.next_candidate(*cursor)?;
        *cursor = cell + 1;
        Some(Choice::Next(cell))
    }

    fn can_apply(&self, state: &State, choice: &Choice) -> bool {
        match *choice {
            Choice::Next(cell) | Choice::Place(cell) => {
                cell < self.cells() && state.is_candidate(cell)
            }
            Choice::LeaveEmpty(segment) => segment < self.segments().len(),
        }
    }

    fn heap_bytes(&self, state: &State) -> usize {
        state.heap_bytes()
    }

    fn apply(&self, state: &mut State, choice: &Choice) -> Undo {
        let undo = state.mark();
        match *choice {
            Choice::Next(cell) => {
                state.place(self, cell);
                state.pass(cell + 1);
            }
            Choice::Place(cell) => {
                state.place(self, cell);
            }
            Choice::LeaveEmpty(segment) => state.exclude_segment(self, segment),
        }
        undo
    }

    fn undo(&self, state: &mut State, _: &Choice, undo: Undo) {
        state.revert(self, undo);
    }
}
