//! What is searched: [`Problem`], and what a state says of its children: [`Branch`].
//!
//! A problem is immutable and shared; all that changes lives in its *state*, which one walk owns
//! and changes in place. A *choice* is one step down the tree, an *undo* is whatever takes that
//! step back, and a *cursor* says where a node stands among its children. Children are drawn one at
//! a time from the cursor rather than from an iterator, so that they stay lazy, own nothing, and
//! can be read off a state that was changed and restored in between: this is what dancing links
//! (Hitotumatu and Noshita 1979; Knuth 2000) need, and what makes a paused search plain data.

/// A tree of states, given by its root and by the steps that lead down from a state and back.
///
/// # Example
///
/// All subsets of `{0, …, n-1}`; every node is a solution *and* may have children.
///
/// ```
/// use secateurs::{Branch, Problem, Search};
///
/// struct Subsets(u32);
///
/// impl Problem for Subsets {
///     type State = Vec<u32>; // the subset so far
///     type Cursor = u32; // the next element to try
///     type Choice = u32;
///     type Undo = ();
///
///     fn root(&self) -> Vec<u32> {
///         Vec::new()
///     }
///     fn branch(&self, subset: &Vec<u32>) -> Branch<u32> {
///         Branch::SolutionInner(subset.last().map_or(0, |last| last + 1))
///     }
///     fn next(&self, _: &Vec<u32>, cursor: &mut u32) -> Option<u32> {
///         let element = *cursor;
///         *cursor += 1;
///         (element < self.0).then_some(element)
///     }
///     fn apply(&self, subset: &mut Vec<u32>, &element: &u32) {
///         subset.push(element);
///     }
///     fn undo(&self, subset: &mut Vec<u32>, _: &u32, (): ()) {
///         subset.pop();
///     }
/// }
///
/// assert_eq!(Search::new(&Subsets(10)).count().exact(), Some(1024));
/// ```
///
/// # If an implementation lies
///
/// The engine cannot see a mistake here, and will answer for the tree that it was given. An
/// [`undo`](Problem::undo) that does not restore the state makes later siblings start from the
/// wrong state; [`Search::check_undo`] finds this and names the choice. A
/// [`branch`](Problem::branch) or [`next`](Problem::next) that depends on anything but the problem,
/// the state and the cursor makes runs irreproducible. A tree of infinite depth ends only by a
/// limit. None of this is undefined behaviour.
///
/// [`Search::check_undo`]: crate::Search::check_undo
pub trait Problem {
    /// Where the walk stands; changed in place by [`apply`](Problem::apply) and restored by
    /// [`undo`](Problem::undo).
    type State;
    /// Where a node stands among its children.
    type Cursor;
    /// One step down the tree.
    type Choice;
    /// What [`apply`](Problem::apply) leaves behind for [`undo`](Problem::undo): often a copy of
    /// the state if it is small, the changed part if it is not, or `()` if the choice says enough.
    type Undo;

    /// The state at the root of the tree. Must be the same at every call.
    fn root(&self) -> Self::State;

    /// Says whether `state` is a solution, and where its children start.
    ///
    /// Called once a node, after the hooks have entered it. If it is cheap to see that there are no
    /// children, say so ([`Branch::DeadEnd`], [`Branch::Solution`]): such a node is never put on
    /// the stack.
    fn branch(&self, state: &Self::State) -> Branch<Self::Cursor>;

    /// Draws the next child of `state`, or `None` when there is none left.
    ///
    /// `state` is what it was when [`branch`](Problem::branch) made the cursor. Not called again
    /// after `None`.
    fn next(&self, state: &Self::State, cursor: &mut Self::Cursor) -> Option<Self::Choice>;

    /// Returns whether `choice` may lead down from `state`. Default: `true`.
    ///
    /// A search calls [`apply`](Problem::apply) only with choices that the problem or a brancher
    /// has made. A file may hold others. Before a search is resumed from one, the engine therefore
    /// asks about each step of each path, and about each child that is left to try, and refuses the
    /// file if one of them is impossible. Override this if [`apply`](Problem::apply) panics for
    /// some choices.
    ///
    /// `state` is what the steps above have made of the root. Hooks have not tightened it: all
    /// choices must be accepted that a brancher might make after some hook has.
    fn can_apply(&self, state: &Self::State, choice: &Self::Choice) -> bool {
        let _ = (state, choice);
        true
    }

    /// The bytes of heap that `state` owns, beside its own size:
    /// [`block_bytes`](crate::block_bytes) of each allocation. Default: none.
    ///
    /// Breadth-first search keeps a copy of the state at each open node, and its [limit of
    /// memory](crate::Limits::memory) counts these bytes. If an implementation says less than there
    /// is, the run exceeds its limit by what is missing, and may abort where there is no memory
    /// left; if it says more, the run stops early. Asked only if states need to be dropped.
    #[inline]
    fn heap_bytes(&self, state: &Self::State) -> usize {
        let _ = state;
        0
    }

    /// Takes the step `choice`.
    fn apply(&self, state: &mut Self::State, choice: &Self::Choice) -> Self::Undo;

    /// Restores the state exactly as it was before [`apply`](Problem::apply), whatever hooks
    /// tightened in between.
    fn undo(&self, state: &mut Self::State, choice: &Self::Choice, undo: Self::Undo);
}

/// What a state is in the tree: a solution or not, with children or without.
///
/// A node may be a solution *and* have children, as in fire-net and other problems about subsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Branch<C> {
    /// Neither a solution nor a parent.
    DeadEnd,
    /// A solution without children.
    Solution,
    /// Not a solution; its children start at the cursor, which may turn out to have none.
    Inner(C),
    /// A solution whose children start at the cursor.
    SolutionInner(C),
}

impl<C> Branch<C> {
    /// Whether the state counts as an answer.
    #[must_use]
    pub fn is_solution(&self) -> bool {
        matches!(self, Branch::Solution | Branch::SolutionInner(_))
    }

    /// The same with another cursor, made from this one if there are children.
    pub fn map<D>(self, cursor: impl FnOnce(C) -> D) -> Branch<D> {
        match self {
            Branch::DeadEnd => Branch::DeadEnd,
            Branch::Solution => Branch::Solution,
            Branch::Inner(c) => Branch::Inner(cursor(c)),
            Branch::SolutionInner(c) => Branch::SolutionInner(cursor(c)),
        }
    }
}
