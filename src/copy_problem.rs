//! Problems whose states are small enough to be copied at each step: the trait [`CopyProblem`], and
//! [`Successors`], a problem made of two closures.

use std::fmt;

use crate::problem::{Branch, Problem};

/// A problem with a small `Copy` state: [`apply`](CopyProblem::apply) returns the next state, and
/// the engine keeps the previous one to return to it. Every such type is a [`Problem`].
///
/// Use it if the state takes a few machine words: numbers, bit masks, small arrays. There is no
/// undo that could be wrong, and sums of floating-point numbers do not drift. The engine searches
/// it as a [`Problem`] whose `Undo` is a copy of the state.
///
/// Implement [`Problem`] itself if the state owns memory, or if each choice changes only a part of
/// it: returning a new state copies all of it. With an array of 24 bytes in the state, that may
/// take a third of the time; with words that stay in registers, nothing.
///
/// # Example
///
/// All sets of `{1, …, n}` without two consecutive numbers.
///
/// ```
/// use secateurs::{Branch, CopyProblem, Search};
///
/// struct Sparse(u32);
///
/// impl CopyProblem for Sparse {
///     type State = u32; // the smallest number that may be added
///     type Cursor = u32; // the next number to try
///     type Choice = u32;
///
///     fn root(&self) -> u32 {
///         1
///     }
///     fn branch(&self, &first: &u32) -> Branch<u32> {
///         Branch::SolutionInner(first)
///     }
///     fn next(&self, _: &u32, cursor: &mut u32) -> Option<u32> {
///         *cursor += 1;
///         (*cursor <= self.0 + 1).then_some(*cursor - 1)
///     }
///     fn apply(&self, _: u32, &number: &u32) -> u32 {
///         number + 2
///     }
/// }
///
/// assert_eq!(Search::new(&Sparse(10)).count().exact(), Some(144)); // a Fibonacci number
/// ```
pub trait CopyProblem {
    /// The state of a node.
    type State: Copy;
    /// The position among a node's children.
    type Cursor;
    /// One step down the tree, from a node to a child.
    type Choice;

    /// Returns the state at the root of the tree; see [`Problem::root`].
    fn root(&self) -> Self::State;

    /// Returns whether `state` is a solution, and the cursor of its first child; see
    /// [`Problem::branch`].
    fn branch(&self, state: &Self::State) -> Branch<Self::Cursor>;

    /// Returns the next child of `state`, or `None` if there is none left; see [`Problem::next`].
    fn next(&self, state: &Self::State, cursor: &mut Self::Cursor) -> Option<Self::Choice>;

    /// Returns the state after `choice`.
    fn apply(&self, state: Self::State, choice: &Self::Choice) -> Self::State;

    /// Returns the state after `choice` if it does not depend on the state before; see
    /// [`Problem::state_after`]. Default: `None`.
    fn state_after(&self, choice: &Self::Choice) -> Option<Self::State> {
        let _ = choice;
        None
    }

    /// Returns whether `choice`, read from a file, may be applied to `state`; a search does not ask
    /// it about other choices. See [`Problem::accepts_saved`]. Default: `true`.
    fn accepts_saved(&self, state: &Self::State, choice: &Self::Choice) -> bool {
        let _ = (state, choice);
        true
    }
}

#[diagnostic::do_not_recommend]
impl<T: CopyProblem> Problem for T {
    type State = T::State;
    type Cursor = T::Cursor;
    type Choice = T::Choice;
    type Undo = T::State;

    #[inline]
    fn root(&self) -> T::State {
        CopyProblem::root(self)
    }

    #[inline]
    fn branch(&self, state: &T::State) -> Branch<T::Cursor> {
        CopyProblem::branch(self, state)
    }

    #[inline]
    fn next(&self, state: &T::State, cursor: &mut T::Cursor) -> Option<T::Choice> {
        CopyProblem::next(self, state, cursor)
    }

    #[inline]
    fn state_after(&self, choice: &T::Choice) -> Option<T::State> {
        CopyProblem::state_after(self, choice)
    }

    #[inline]
    fn accepts_saved(&self, state: &T::State, choice: &T::Choice) -> bool {
        CopyProblem::accepts_saved(self, state, choice)
    }

    #[inline]
    fn apply(&self, state: &mut T::State, choice: &T::Choice) -> T::State {
        let before = *state;
        *state = CopyProblem::apply(self, before, choice);
        before
    }

    #[inline]
    fn undo(&self, state: &mut T::State, _: &T::Choice, before: T::State) {
        *state = before;
    }
}

/// A problem made of a root state and two closures: whether a state is a solution, and the states
/// that follow it, as an iterator, an array or a vector. Use it for a first program, and for
/// problems that need no type of their own.
///
/// States must be `Copy`. A choice is the state that it leads to, so the path of a solution is the
/// sequence of its states without the root. Solutions have no successors, unless
/// [`through_solutions`](Successors::through_solutions) says otherwise.
///
/// Each open node stores its iterator and two states, and a state is calculated before any hook
/// admits it. Implement [`CopyProblem`] or [`Problem`] if nodes do so little that this matters (a
/// tree of nothing but counters takes about twice as long), if most children are pruned before they
/// are applied, if saved paths should be small, or if several functions share the instance.
///
/// ```
/// use secateurs::{Search, Successors};
///
/// /// Returns the number of permutations of `0..n`: states are sets of numbers, as bit masks.
/// fn permutations(n: u32) -> Option<u128> {
///     let tree = Successors::new(
///         0_u32,
///         |set| set.count_ones() == n,
///         |set| (0..n).map(|i| 1 << i).filter(move |i| set & i == 0).map(move |i| set | i),
///     );
///     Search::new(&tree).count().exact()
/// }
///
/// assert_eq!(permutations(6), Some(720));
///
/// // The subsets of four numbers by their sums: each number is in or out.
/// let sums = Successors::new(
///     (0, 0),
///     |&(number, sum)| number == 4 && sum == 6,
///     |(number, sum)| match number {
///         4 => vec![],
///         _ => vec![(number + 1, sum), (number + 1, sum + number + 1)],
///     },
/// );
/// assert_eq!(Search::new(&sums).count().exact(), Some(2)); // 1 + 2 + 3 and 2 + 4
/// ```
#[derive(Clone, Copy)]
pub struct Successors<S, F, G> {
    root: S,
    is_solution: F,
    successors: G,
    through_solutions: bool,
}

impl<S: Copy, F: Fn(&S) -> bool, G: Fn(S) -> I, I: IntoIterator<Item = S>> Successors<S, F, G> {
    /// Creates the problem of the states that can be reached from `root`.
    pub fn new(root: S, is_solution: F, successors: G) -> Self {
        Successors { root, is_solution, successors, through_solutions: false }
    }

    /// Searches the successors of solutions as well.
    ///
    /// ```
    /// use secateurs::{Search, Successors};
    ///
    /// // All subsets of 0, 1, 2, 3 as bit masks: a set grows by a number above its largest one.
    /// let subsets = Successors::new(
    ///     0_u32,
    ///     |_| true,
    ///     |set| (u32::BITS - set.leading_zeros()..4).map(move |number| set | 1 << number),
    /// );
    /// assert_eq!(Search::new(&subsets.through_solutions()).count().exact(), Some(16));
    /// ```
    #[must_use]
    pub fn through_solutions(mut self) -> Self {
        self.through_solutions = true;
        self
    }
}

impl<S: Copy, F: Fn(&S) -> bool, G: Fn(S) -> I, I: IntoIterator<Item = S>> CopyProblem
    for Successors<S, F, G>
{
    type State = S;
    type Cursor = I::IntoIter;
    type Choice = S;

    #[inline]
    fn root(&self) -> S {
        self.root
    }

    #[inline]
    fn branch(&self, state: &S) -> Branch<I::IntoIter> {
        let is_solution = (self.is_solution)(state);
        if is_solution && !self.through_solutions {
            return Branch::Solution;
        }
        let successors = (self.successors)(*state).into_iter();
        if is_solution { Branch::SolutionInner(successors) } else { Branch::Inner(successors) }
    }

    #[inline]
    fn next(&self, _: &S, successors: &mut I::IntoIter) -> Option<S> {
        successors.next()
    }

    #[inline]
    fn apply(&self, _: S, successor: &S) -> S {
        *successor
    }

    #[inline]
    fn state_after(&self, successor: &S) -> Option<S> {
        Some(*successor)
    }
}

debug_fields!(impl[S: fmt::Debug, F, G] Successors<S, F, G>: root);
