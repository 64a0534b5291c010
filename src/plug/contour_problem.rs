//! What a contour problem is: [`ContourProblem`].

use std::fmt::Debug;
use std::hash::Hash;

use crate::limits::TooWide;

/// A problem that is swept cell by cell, and what its contour remembers.
///
/// The cells are numbered in the order of the sweep. After each of them the contour, the border
/// between what was swept and what was not, is summed up as a *state*: all that the cells to come
/// need to know of those behind. Solutions are the ways from [`start`](ContourProblem::start)
/// through all cells to a state that is [accepted](ContourProblem::accept); what a way did in each
/// cell is its *label*, so that a solution is a sequence of labels, one a cell.
///
/// ```
/// use secateurs::plug::{ContourProblem, Sweep};
///
/// /// Sets of the squares of a row of which no two are neighbours.
/// struct Apart(usize);
///
/// impl ContourProblem for Apart {
///     type State = bool; // was the last one taken?
///     type Label = bool; // is this one?
///
///     fn cells(&self) -> usize {
///         self.0
///     }
///     fn start(&self) -> bool {
///         false
///     }
///     fn step(&self, _: usize, last: bool, emit: &mut impl FnMut(bool, bool)) {
///         emit(false, false);
///         if !last {
///             emit(true, true);
///         }
///     }
///     fn accept(&self, _: bool) -> bool {
///         true
///     }
/// }
///
/// assert_eq!(Sweep::new(&Apart(10)).count().exact(), Some(144)); // a Fibonacci number
/// ```
///
/// # If an implementation lies
///
/// - If two ways to the same state have different futures, the answer is that of some of them: the
///   engine cannot notice.
/// - If a step emits the same state with the same label twice, it counts as two solutions.
/// - If `step` does not depend on its arguments alone, answers and state counts differ from run to
///   run.
/// - If [`fits`](ContourProblem::fits) is true of a layer whose states were cut off to fit, the
///   answer is wrong.
///
/// Nothing of this makes the engine unsafe or keeps it from ending.
pub trait ContourProblem: Sync {
    /// What the contour remembers, packed: small, since layers hold millions of them.
    type State: Copy + Eq + Hash + Debug + Send + Sync;

    /// What a transition did in its cell; `()` if nobody asks.
    type Label: Copy + Debug + Send + Sync;

    /// How many cells there are. Of 0, the start is the end.
    fn cells(&self) -> usize;

    /// The state before the first cell.
    fn start(&self) -> Self::State;

    /// Calls `emit` with each state that `state` can become in `cell`, and with what was done
    /// there. No call: a dead end.
    fn step(
        &self,
        cell: usize,
        state: Self::State,
        emit: &mut impl FnMut(Self::State, Self::Label),
    );

    /// Whether `state`, which has come through all cells, makes a solution.
    fn accept(&self, state: Self::State) -> bool;

    /// Whether every state after `cell` fits into [`State`](ContourProblem::State). Asked before
    /// each cell; an error ends the sweep with [`Stop::StateTooWide`](crate::Stop::StateTooWide)
    /// and is part of its message. By default all fit.
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        let _ = cell;
        Ok(())
    }

    /// What of a state after `cell` stays the same in the cells to come, as a number: its *region*.
    /// `None` if nothing is known of it, by default.
    ///
    /// Where a layer is [divided](super::Sweep::threads) among a few, states of one region go to
    /// the same: as long as regions stay, hardly anything has to be sent. There should be far more
    /// regions than parts, and none much larger than the others. What is given here may be
    /// anything: the answer does not depend on it, as long as it depends on the arguments alone.
    /// (If it does not, a state may be in two parts at once, and what looks at whole layers is
    /// wrong.) It gets states as hooks have left them. (Dividing by what does not change for a
    /// while: Jensen, 2003.)
    fn region(&self, cell: usize, state: Self::State) -> Option<u64> {
        let _ = (cell, state);
        None
    }
}
