//! A node as hooks, branchers and visitors see it: the problem, the state, the path that led there.

use std::fmt;
use std::ops::Index;

use crate::outcome::Tally;
use crate::problem::Problem;

/// The choices on the stack, whatever else a kernel keeps beside them.
pub(crate) trait Steps<C> {
    fn step(&self, index: usize) -> &C;

    /// Appends the first `len` choices to `out`: one indirect call for all of them.
    fn append(&self, len: usize, out: &mut Vec<C>)
    where
        C: Clone,
    {
        out.extend((0..len).map(|index| self.step(index).clone()));
    }
}

impl<C> Steps<C> for [C; 0] {
    fn step(&self, index: usize) -> &C {
        &self[index]
    }
}

/// The choices that lead from the root to a node.
///
/// A view, not a slice: the kernel keeps each choice beside the cursor and the undo that belong to
/// it, which is what makes it as fast as recursion.
pub struct Path<'a, C> {
    steps: &'a dyn Steps<C>,
    stacked: usize,
    last: Option<&'a C>,
}

impl<C> Clone for Path<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Path<'_, C> {}

impl<'a, C> Path<'a, C> {
    /// `stacked` choices of `steps`, then `last`.
    #[inline]
    pub(crate) fn new(steps: &'a dyn Steps<C>, stacked: usize, last: Option<&'a C>) -> Self {
        Path { steps, stacked, last }
    }

    /// The number of choices: the depth of the node, 0 at the root.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.stacked + usize::from(self.last.is_some())
    }

    /// Whether the node is the root.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The choice made at depth `index`, counted from the root, or `None` past the end.
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

    /// The choice that led to this node from its parent; `None` at the root.
    #[must_use]
    #[inline]
    pub fn last(&self) -> Option<&'a C> {
        match self.last {
            Some(choice) => Some(choice),
            None => self.stacked.checked_sub(1).map(|index| self.steps.step(index)),
        }
    }

    /// The first `len` choices (all of them if there are fewer).
    #[must_use]
    pub fn prefix(&self, len: usize) -> Self {
        if len >= self.len() {
            return *self;
        }
        Path { steps: self.steps, stacked: len, last: None }
    }

    /// The choices from the root down.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &'a C> + ExactSizeIterator + use<'a, C> {
        let path = *self;
        (0..path.len()).map(move |index| match path.get(index) {
            Some(choice) => choice,
            None => unreachable!("a path has a choice at every index below its length"),
        })
    }

    /// The choices as a vector of their own.
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
    /// If `index` is not less than the length of the path.
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

/// A node of the tree: a state with its depth, the path that led to it and the problem it belongs
/// to.
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

    /// The problem.
    #[must_use]
    #[inline]
    pub fn problem(&self) -> &'a P {
        self.problem
    }

    /// The state at this node.
    #[must_use]
    #[inline]
    pub fn state(&self) -> &'a P::State {
        self.state
    }

    /// The choices that lead here from the root.
    #[must_use]
    #[inline]
    pub fn path(&self) -> Path<'a, P::Choice> {
        self.path
    }

    /// The number of choices made, 0 at the root.
    #[must_use]
    #[inline]
    pub fn depth(&self) -> usize {
        self.path.len()
    }

    /// The solutions counted by this run so far, orbit sizes and remembered counts included. The
    /// difference between leaving a node and entering it is the count of its subtree.
    #[must_use]
    #[inline]
    pub fn counted(&self) -> u128 {
        self.tally.counted()
    }
}

impl<P: Problem> fmt::Debug for Node<'_, P>
where
    P::State: fmt::Debug,
    P::Choice: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("state", self.state)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// A node whose state may be tightened: what [`Hook::enter`](crate::Hook::enter) gets.
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

    /// The problem.
    #[must_use]
    #[inline]
    pub fn problem(&self) -> &'a P {
        self.problem
    }

    /// The state at this node.
    #[must_use]
    #[inline]
    pub fn state(&self) -> &P::State {
        self.state
    }

    /// The state at this node, to be tightened: [`Problem::undo`] must take back whatever is done
    /// here.
    #[must_use]
    #[inline]
    pub fn state_mut(&mut self) -> &mut P::State {
        self.state
    }

    /// The choices that lead here from the root.
    #[must_use]
    #[inline]
    pub fn path(&self) -> Path<'a, P::Choice> {
        self.path
    }

    /// The number of choices made, 0 at the root.
    #[must_use]
    #[inline]
    pub fn depth(&self) -> usize {
        self.path.len()
    }

    /// The solutions counted by this run so far; see [`Node::counted`].
    #[must_use]
    #[inline]
    pub fn counted(&self) -> u128 {
        self.tally.counted()
    }

    /// Adds `solutions` to the count without visiting them: for a hook that knows how many lie
    /// below and is about to return [`Verdict::Prune`](crate::Verdict::Prune). A sum past 2¹²⁸
    /// stops the run with [`Stop::CountOverflow`](crate::Stop::CountOverflow).
    ///
    /// Credited solutions are counted and nothing else: no visitor sees them, no objective compares
    /// them, and no orbit is asked of them. What a run with credits proves is less for that: see
    /// [`Report::credited`](crate::Report::credited).
    #[inline]
    pub fn credit(&mut self, solutions: u128) {
        self.tally.credit(solutions);
    }

    /// Says that the hook has taken something away from the state that the problem allows, for not
    /// beating an incumbent: to be called by each hook that [compares with
    /// one](crate::Hook::incumbent) and does not only cut off, but tightens.
    ///
    /// What follows from that is cut off later, by other hooks or by the problem, and counted under
    /// their names. A run that has found no solution does not prove then that there is none, as
    /// little as if the hook itself had cut something off.
    #[inline]
    pub fn tightened_by_incumbent(&mut self) {
        self.tally.tightened_by_incumbent = true;
    }

    /// The node for reading only.
    #[must_use]
    #[inline]
    pub fn as_node(&self) -> Node<'_, P> {
        Node { problem: self.problem, state: self.state, path: self.path, tally: self.tally }
    }
}

impl<P: Problem> fmt::Debug for NodeMut<'_, P>
where
    P::State: fmt::Debug,
    P::Choice: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_node().fmt(f)
    }
}
