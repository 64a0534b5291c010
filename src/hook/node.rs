//! A node as hooks, branchers and visitors see it: the problem, the state, the path that led there.

use std::fmt;
use std::ops::Index;

use crate::outcome::Tally;
use crate::problem::Problem;

/// Read access to the choices of a path, in whichever form the engine stores them.
pub(crate) trait Steps<C> {
    /// Returns the choice made at depth `index`, counted from the root.
    fn step(&self, index: usize) -> &C;

    /// Appends the first `len` choices to `out` with one indirect call.
    fn append(&self, len: usize, out: &mut Vec<C>)
    where
        C: Clone,
    {
        out.extend((0..len).map(|index| self.step(index).clone()));
    }
}

/// The path of the root, for which no storage is needed.
impl<C> Steps<C> for [C; 0] {
    fn step(&self, index: usize) -> &C {
        &self[index]
    }
}

impl<C> Steps<C> for Vec<C> {
    fn step(&self, index: usize) -> &C {
        &self[index]
    }
}

/// The choices that lead from the root to a node.
///
/// It is a view and not a slice because the kernel stores each choice beside its cursor and its
/// undo, which is faster than a stack of choices alone.
pub struct Path<'a, C> {
    steps: &'a dyn Steps<C>,
    /// The number of choices that are taken from `steps`.
    stacked: usize,
    /// The choice after those, if it is not stored in `steps`.
    last: Option<&'a C>,
}

impl<C> Clone for Path<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Path<'_, C> {}

/// The path of the choices in a vector.
impl<'a, C> From<&'a Vec<C>> for Path<'a, C> {
    #[inline]
    fn from(choices: &'a Vec<C>) -> Self {
        Path { steps: choices, stacked: choices.len(), last: None }
    }
}

impl<'a, C> Path<'a, C> {
    /// Creates the path of the first `stacked` choices of `steps`, followed by `last`.
    #[inline]
    pub(crate) fn new(steps: &'a dyn Steps<C>, stacked: usize, last: Option<&'a C>) -> Self {
        Path { steps, stacked, last }
    }

    /// Returns the number of choices: the depth of the node, 0 at the root.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.stacked + usize::from(self.last.is_some())
    }

    /// Returns whether the node is the root.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the choice made at depth `index`, counted from the root, or `None` past the end.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Option<&'a C> {
        if index < self.stacked {
            Some(self.steps.step(index))
        } else if index == self.stacked {
            self.last
        } else {
            None
        }
    }

    /// Returns the choice that led to this node from its parent; `None` at the root.
    #[must_use]
    #[inline]
    pub fn last(&self) -> Option<&'a C> {
        match self.last {
            Some(choice) => Some(choice),
            None => self.stacked.checked_sub(1).map(|index| self.steps.step(index)),
        }
    }

    /// Returns the path of the first `len` choices, or of all if there are fewer.
    #[must_use]
    pub fn prefix(&self, len: usize) -> Self {
        if len >= self.len() {
            return *self;
        }
        Path { steps: self.steps, stacked: len, last: None }
    }

    /// Returns an iterator over the choices, from the root down.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &'a C> + ExactSizeIterator + use<'a, C> {
        let path = *self;
        (0..path.len()).map(move |index| match path.get(index) {
            Some(choice) => choice,
            None => unreachable!("a path has a choice at every index below its length"),
        })
    }

    /// Returns the choices as a vector.
    #[must_use]
    pub fn to_vec(&self) -> Vec<C>
    where
        C: Clone,
    {
        let mut choices = Vec::with_capacity(self.len());
        self.steps.append(self.stacked, &mut choices);
        choices.extend(self.last.cloned());
        choices
    }
}

impl<C> Index<usize> for Path<'_, C> {
    type Output = C;

    /// # Panics
    ///
    /// Panics if `index` is not less than the length of the path.
    fn index(&self, index: usize) -> &C {
        match self.get(index) {
            Some(choice) => choice,
            None => panic!("choice {index} of a path of {} choices", self.len()),
        }
    }
}

impl<C: fmt::Debug> fmt::Debug for Path<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A node of the tree: a state with its path, its depth and its problem.
pub struct Node<'a, P: Problem> {
    problem: &'a P,
    state: &'a P::State,
    path: Path<'a, P::Choice>,
    tally: &'a Tally,
}

impl<P: Problem> Clone for Node<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Problem> Copy for Node<'_, P> {}

impl<'a, P: Problem> Node<'a, P> {
    #[inline]
    pub(crate) fn new(
        problem: &'a P,
        state: &'a P::State,
        path: Path<'a, P::Choice>,
        tally: &'a Tally,
    ) -> Self {
        Node { problem, state, path, tally }
    }

    /// Returns the problem.
    #[must_use]
    #[inline]
    pub fn problem(&self) -> &'a P {
        self.problem
    }

    /// Returns the state at this node.
    #[must_use]
    #[inline]
    pub fn state(&self) -> &'a P::State {
        self.state
    }

    /// Returns the choices that lead here from the root.
    #[must_use]
    #[inline]
    pub fn path(&self) -> Path<'a, P::Choice> {
        self.path
    }

    /// Returns the number of choices made, 0 at the root.
    #[must_use]
    #[inline]
    pub fn depth(&self) -> usize {
        self.path.len()
    }

    /// Returns the number of solutions counted by this run so far: the sum of the orbit sizes of
    /// the visited ones, plus those [credited](NodeMut::credit) by hooks. Its difference between
    /// entering and leaving a node is the count of the subtree.
    #[must_use]
    #[inline]
    pub fn counted(&self) -> u128 {
        self.tally.counted()
    }

    /// Returns the node with another path and depth, for a hook that calls a hook in turn. In a
    /// search [below](crate::Search::for_each_below) a state, paths begin at that state; a hook
    /// that reads the whole path must be given one.
    #[must_use]
    pub fn with_path<'b>(self, path: Path<'b, P::Choice>) -> Node<'b, P>
    where
        'a: 'b,
    {
        Node { problem: self.problem, state: self.state, path, tally: self.tally }
    }

    /// Returns the number of solutions visited by this run so far that it counts.
    pub(crate) fn visited(&self) -> u64 {
        self.tally.visited
    }
}

debug_fields!(impl[P: Problem<State: fmt::Debug, Choice: fmt::Debug>] Node<'_, P>: state, path);

/// A node whose state may be tightened: the argument of [`Hook::enter`](crate::Hook::enter).
pub struct NodeMut<'a, P: Problem> {
    problem: &'a P,
    state: &'a mut P::State,
    path: Path<'a, P::Choice>,
    tally: &'a mut Tally,
}

impl<'a, P: Problem> NodeMut<'a, P> {
    #[inline]
    pub(crate) fn new(
        problem: &'a P,
        state: &'a mut P::State,
        path: Path<'a, P::Choice>,
        tally: &'a mut Tally,
    ) -> Self {
        NodeMut { problem, state, path, tally }
    }

    /// Returns the problem.
    #[must_use]
    #[inline]
    pub fn problem(&self) -> &'a P {
        self.problem
    }

    /// Returns the state at this node.
    #[must_use]
    #[inline]
    pub fn state(&self) -> &P::State {
        self.state
    }

    /// Returns the state at this node for tightening. [`Problem::undo`] must revert every change.
    ///
    /// A hook may tighten less or more when a path is replayed, because an incumbent or what it has
    /// learnt has changed. The choices of the path, and those left to try, were drawn from the
    /// state of the earlier walk. If the node has children at both states, a choice must mean the
    /// same at both, so it should name what it decides. A choice to append a letter does not: its
    /// place depends on how many letters a hook has appended before.
    #[must_use]
    #[inline]
    pub fn state_mut(&mut self) -> &mut P::State {
        self.state
    }

    /// Returns the choices that lead here from the root.
    #[must_use]
    #[inline]
    pub fn path(&self) -> Path<'a, P::Choice> {
        self.path
    }

    /// Returns the number of choices made, 0 at the root.
    #[must_use]
    #[inline]
    pub fn depth(&self) -> usize {
        self.path.len()
    }

    /// Returns the number of solutions counted by this run so far; see [`Node::counted`].
    #[must_use]
    #[inline]
    pub fn counted(&self) -> u128 {
        self.tally.counted()
    }

    /// Adds `solutions` to the count without visiting them, for a hook that knows the count of the
    /// subtree and prunes it. A sum of 2¹²⁸ or more stops the run with
    /// [`Stop::CountOverflow`](crate::Stop::CountOverflow).
    ///
    /// Credited solutions are counted and nothing else: no visitor sees them, no objective compares
    /// them, and their orbits are not computed. A run with credits therefore proves less; see
    /// [`Report::credited`](crate::Report::credited). Beside a
    /// [constraint](crate::hook#constraints) it is lossy, because the constraint has not been asked
    /// about them.
    #[inline]
    pub fn credit(&mut self, solutions: u128) {
        self.tally.credits_unsearched = true;
        self.tally.credit(solutions);
    }

    /// [Credits](Self::credit) solutions that were counted when this run searched an equivalent
    /// subtree.
    pub(super) fn credit_searched(&mut self, solutions: u128) {
        self.tally.credit(solutions);
    }

    /// Returns the node with another path and depth; see [`Node::with_path`].
    #[must_use]
    pub fn with_path<'b>(&'b mut self, path: Path<'b, P::Choice>) -> NodeMut<'b, P> {
        NodeMut { problem: self.problem, state: self.state, path, tally: self.tally }
    }

    /// Returns a read-only view of the node.
    #[must_use]
    #[inline]
    pub fn as_node(&self) -> Node<'_, P> {
        Node { problem: self.problem, state: self.state, path: self.path, tally: self.tally }
    }
}

debug_fields!(
    impl[P: Problem<State: fmt::Debug, Choice: fmt::Debug>] NodeMut<'_, P>: state, path
);
