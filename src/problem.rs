//! Problems: the trait [`Problem`] and the kind of a node, [`Branch`].
//!
//! A problem is immutable and shared; everything that changes is in its *state*, which one walk
//! owns and changes in place. A *choice* leads one step down the tree, an *undo* reverts it, and a
//! *cursor* is the position among a node's children. Children are drawn one at a time from the
//! cursor rather than from an iterator, so that they are lazy, own nothing, and can be read from a
//! state that was changed and restored in between. Dancing links (Hitotumatu and Noshita 1979;
//! Knuth 2000) need this, and it makes a paused search plain data.

/// A tree of states, given by its root and by the choices that lead from a state to its children.
///
/// If the state is small and `Copy`, implement [`CopyProblem`](crate::CopyProblem), which needs no
/// undo; every such type is a `Problem`. For a problem made of two closures, see
/// [`Successors`](crate::Successors).
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
/// The engine cannot detect a mistake here; its answer is that of the tree as implemented. An
/// [`undo`](Problem::undo) that does not restore the state makes later siblings start from a wrong
/// state; [`Search::check_undo`] detects this and names the choice. It also detects a
/// [`state_after`](Problem::state_after) that differs from the result of `apply`. A
/// [`branch`](Problem::branch) or [`next`](Problem::next) that depends on anything but the problem,
/// the state and the cursor makes runs irreproducible. The search of a tree of infinite depth ends
/// only at a limit. None of this is undefined behaviour.
///
/// [`Search::check_undo`]: crate::Search::check_undo
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a problem that can be searched",
    label = "implements neither `Problem` nor `CopyProblem`",
    note = "implement `secateurs::Problem`, or `secateurs::CopyProblem` if the state is `Copy`"
)]
pub trait Problem {
    /// The state of a node; changed in place by [`apply`](Problem::apply) and restored by
    /// [`undo`](Problem::undo).
    type State;
    /// The position among a node's children.
    type Cursor;
    /// One step down the tree, from a node to a child.
    type Choice;
    /// The data that [`apply`](Problem::apply) returns for [`undo`](Problem::undo): a copy of a
    /// small state, the changed part of a large one, or `()` if the choice suffices.
    type Undo;

    /// Returns the state at the root of the tree. Must be the same at every call.
    fn root(&self) -> Self::State;

    /// Returns whether `state` is a solution, and the cursor of its first child.
    ///
    /// Called after the hooks have entered the node, and by some strategies again when they expand
    /// it. If it is cheap to see that there are no children, return [`Branch::DeadEnd`] or
    /// [`Branch::Solution`]: depth-first search never pushes such a node on its stack.
    fn branch(&self, state: &Self::State) -> Branch<Self::Cursor>;

    /// Returns the next child of `state`, or `None` if there is none left.
    ///
    /// `state` is the same as when [`branch`](Problem::branch) created the cursor. Not called again
    /// after `None`.
    fn next(&self, state: &Self::State, cursor: &mut Self::Cursor) -> Option<Self::Choice>;

    /// Returns the state after `choice` if it does not depend on the state before. It must be that
    /// of [`apply`](Problem::apply), and should be `Some` for all choices or for none, because a
    /// search begins again at the root after the first `None`. Default: `None`.
    ///
    /// If there is no hook, and no brancher that [follows the
    /// path](crate::hook::HookMemory::follows_path), best-first search then moves to a node at once
    /// instead of step by step. Nothing else calls it, except
    /// [`check_undo`](crate::Search::check_undo).
    #[inline]
    fn state_after(&self, choice: &Self::Choice) -> Option<Self::State> {
        let _ = choice;
        None
    }

    /// Returns whether `choice`, read from a file, may be applied to `state`. Default: `true`.
    ///
    /// This is no legality test: a search tries every choice that [`next`](Problem::next) or a
    /// brancher returns, and does not ask this method. A file may contain other choices. Before a
    /// search resumes from a file, the engine therefore checks every choice of each path, and each
    /// child that is left to try, and rejects the file if one of them is impossible. Override this
    /// method if [`apply`](Problem::apply) panics for some choices.
    ///
    /// [`Search::check_undo`](crate::Search::check_undo) panics if `next` returns a choice that
    /// this method rejects.
    ///
    /// `state` results from the choices above it, without tightening by hooks: accept all choices
    /// that a brancher might make after some hook has tightened the state.
    fn accepts_saved(&self, state: &Self::State, choice: &Self::Choice) -> bool {
        let _ = (state, choice);
        true
    }

    /// Returns the heap bytes that `state` owns, beside its own size: the sum of
    /// [`block_bytes`](crate::block_bytes) over its allocations. Default: 0.
    ///
    /// Breadth-first search keeps a copy of the state at each open node, and its [memory
    /// limit](crate::Limits::memory) includes these bytes. If the result is too small, the run
    /// exceeds its limit by the difference, and may abort if the system has no memory left; if it
    /// is too large, the run stops early. Called only for types that need to be dropped.
    #[inline]
    fn heap_bytes(&self, state: &Self::State) -> usize {
        let _ = state;
        0
    }

    /// Applies `choice` to `state`, and returns the data that reverts it.
    fn apply(&self, state: &mut Self::State, choice: &Self::Choice) -> Self::Undo;

    /// Restores the state as it was before [`apply`](Problem::apply), including everything that
    /// hooks tightened since.
    fn undo(&self, state: &mut Self::State, choice: &Self::Choice, undo: Self::Undo);
}

/// The kind of a node: a solution or not, with children or without.
///
/// A node may be a solution *and* have children, as in fire-net and other problems about subsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Branch<C> {
    /// Neither a solution nor a parent.
    DeadEnd,
    /// A solution without children.
    Solution,
    /// Not a solution; its children start at the cursor, which may have none.
    Inner(C),
    /// A solution whose children start at the cursor.
    SolutionInner(C),
}

impl<C> Branch<C> {
    /// Returns whether the state counts as an answer.
    #[must_use]
    pub fn is_solution(&self) -> bool {
        matches!(self, Branch::Solution | Branch::SolutionInner(_))
    }

    /// Returns the cursor, if there is one.
    pub(crate) fn into_cursor(self) -> Option<C> {
        match self {
            Branch::DeadEnd | Branch::Solution => None,
            Branch::Inner(cursor) | Branch::SolutionInner(cursor) => Some(cursor),
        }
    }

    /// Converts the cursor, if there is one.
    pub fn map<D>(self, convert: impl FnOnce(C) -> D) -> Branch<D> {
        match self {
            Branch::DeadEnd => Branch::DeadEnd,
            Branch::Solution => Branch::Solution,
            Branch::Inner(c) => Branch::Inner(convert(c)),
            Branch::SolutionInner(c) => Branch::SolutionInner(convert(c)),
        }
    }
}
