//! The [`ContourProblem`] trait, and its restriction to certain labels, [`Only`].

use std::fmt::Debug;
use std::hash::Hash;

use crate::limits::TooWide;

/// A problem that is swept cell by cell.
///
/// The cells are numbered in the order of the sweep. After each cell the contour, the boundary
/// between processed and unprocessed cells, is summarised by a *contour state*: all that the
/// unprocessed cells need to know about the processed ones. A solution is a path from
/// [`start`](ContourProblem::start) through all cells to a state that is
/// [accepted](ContourProblem::accept). Each transition has a *label* that says what was done in its
/// cell, so that a solution is a sequence of labels, one per cell.
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
/// - If two paths lead to the same state although they cannot be continued in the same ways, the
///   answer is wrong. The engine cannot detect this.
/// - If a step emits the same state with the same label twice, they count as two solutions.
/// - If `step` depends on anything but its arguments, answers and state counts differ from run to
///   run, and operations on [retained layers](super::retained) may panic.
/// - If [`fits`](ContourProblem::fits) accepts a layer whose states were truncated to fit, the
///   answer is wrong.
///
/// None of this makes the engine unsafe or keeps it from terminating.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a contour problem",
    note = "a sweep needs `ContourProblem`, a search needs `Problem`"
)]
pub trait ContourProblem: Sync {
    /// The contour state, packed. It should be small, because layers hold millions of states.
    type State: Copy + Eq + Hash + Debug + Send + Sync;

    /// The label of a transition: what it did in its cell, or `()` if that is not needed.
    type Label: Copy + Debug + Send + Sync;

    /// Returns the number of cells. If it is 0, the start is the last layer.
    fn cells(&self) -> usize;

    /// Returns the state before the first cell.
    fn start(&self) -> Self::State;

    /// Calls `emit` with each successor of `state` in `cell` and with the label of the transition.
    /// A state without a call is a dead end.
    fn step(
        &self,
        cell: usize,
        state: Self::State,
        emit: &mut impl FnMut(Self::State, Self::Label),
    );

    /// Returns whether `state`, after all cells, completes a solution.
    fn accept(&self, state: Self::State) -> bool;

    /// Checks that all states after `cell` fit into [`State`](ContourProblem::State). Called before
    /// each cell. By default all states fit.
    ///
    /// # Errors
    /// Returns an error if a state may not fit. It ends the sweep with
    /// [`Stop::StateTooWide`](crate::Stop::StateTooWide) and is part of its message.
    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        let _ = cell;
        Ok(())
    }

    /// Returns whether `state` may be the state before `cell`, or after all cells: whether it keeps
    /// the invariants that [`step`](ContourProblem::step) and the hooks of this problem rely on,
    /// such as its number of plugs. It need not be one that a sweep reaches. The default is `true`,
    /// which is right for steps that handle every state.
    ///
    /// The method is called for each state that is read from a file, before anything else, and only
    /// if the states of this layer [fit](ContourProblem::fits): a
    /// [saved sweep](super::SweepCheckpoint) with a state for which it returns `false` is refused.
    /// Other states come only from [`start`](ContourProblem::start), from `step`, and from hooks
    /// that replace a state. Hence, if the first state is legal, and these turn legal states into
    /// legal ones, no step ever sees another one, whatever a file contains.
    fn is_legal(&self, cell: usize, state: Self::State) -> bool {
        let _ = (cell, state);
        true
    }

    /// Returns the part of a state after `cell` that stays the same in the following cells, as a
    /// number: its *region*. The default is `None`, for unknown.
    ///
    /// If a layer is [sharded](super::Sweep::threads) among a few threads, states of one region
    /// belong to the same shard: while regions do not change, hardly any states are sent between
    /// threads. There should be far more regions than threads, and none much larger than the
    /// others. The answer does not depend on the regions, provided that they depend on the
    /// arguments alone. (Otherwise a state may be in two shards at once, and hooks that examine
    /// whole layers give wrong results.) The method is called after the hooks, with the states that
    /// they have kept or written. (Sharding by the part of a state that does not change for a
    /// while: Jensen, 2003.)
    fn region(&self, cell: usize, state: Self::State) -> Option<u64> {
        let _ = (cell, state);
        None
    }

    /// Keeps only the solutions all of whose labels satisfy `keeps(cell, label)`: to force a cell,
    /// to forbid a piece, to fix the first piece.
    ///
    /// Dead ends are recognised late: only when a state has no permitted transition left. If the
    /// problem is one of paths and loops on a board, so is the restricted one, and
    /// [dense tables](super::Sweep::dense) hold its layers.
    ///
    /// The [fingerprint](crate::checkpoint::Fingerprint) that a
    /// [checkpoint](super::SweepCheckpoint) of the restricted problem gets must include the
    /// restriction, which files do not contain.
    ///
    /// ```
    #[doc = include_str!("row.doctest")]
    /// use secateurs::plug::Sweep;
    ///
    /// let with_the_first = Row(10).only(|cell, is_taken| cell > 0 || is_taken);
    /// assert_eq!(Sweep::new(&with_the_first).count().exact(), Some(55));
    /// ```
    fn only<F: Fn(usize, Self::Label) -> bool + Sync>(self, keeps: F) -> Only<Self, F>
    where
        Self: Sized,
    {
        Only { problem: self, keeps }
    }
}

/// Defines the methods of a problem that only ask the problem from which it is made.
macro_rules! ask_problem {
    ($self:ident, $problem:expr) => {
        fn cells(&$self) -> usize {
            $problem.cells()
        }
        fn start(&$self) -> P::State {
            $problem.start()
        }
        fn accept(&$self, state: P::State) -> bool {
            $problem.accept(state)
        }
        fn fits(&$self, cell: usize) -> Result<(), TooWide> {
            $problem.fits(cell)
        }
        fn is_legal(&$self, cell: usize, state: P::State) -> bool {
            $problem.is_legal(cell, state)
        }
        fn region(&$self, cell: usize, state: P::State) -> Option<u64> {
            $problem.region(cell, state)
        }
    };
}

/// Problems that are made of others, such as [`Only`], can borrow them.
impl<P: ContourProblem> ContourProblem for &P {
    type State = P::State;
    type Label = P::Label;

    ask_problem!(self, (**self));

    #[inline]
    fn step(&self, cell: usize, state: P::State, emit: &mut impl FnMut(P::State, P::Label)) {
        (**self).step(cell, state, emit);
    }
}

/// The solutions of a problem that consist of certain labels. Made by [`ContourProblem::only`].
#[derive(Clone, Copy, Debug)]
pub struct Only<P, F> {
    problem: P,
    pub(super) keeps: F,
}

impl<P, F> Only<P, F> {
    /// Returns the problem whose solutions are restricted.
    pub fn problem(&self) -> &P {
        &self.problem
    }
}

impl<P, F> ContourProblem for Only<P, F>
where
    P: ContourProblem,
    F: Fn(usize, P::Label) -> bool + Sync,
{
    type State = P::State;
    type Label = P::Label;

    ask_problem!(self, self.problem);

    #[inline]
    fn step(&self, cell: usize, state: P::State, emit: &mut impl FnMut(P::State, P::Label)) {
        self.problem.step(cell, state, &mut |next, label| {
            if (self.keeps)(cell, label) {
                emit(next, label);
            }
        });
    }
}
