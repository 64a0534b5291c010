//! A brancher that orders children by a bound, and leaves out those that cannot beat the incumbent.

use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;

use smallvec::SmallVec;

use super::ordering::INLINE_CHILDREN;
use crate::brancher::{Brancher, ProblemOrder};
use crate::digest::Digest;
use crate::hook::{Effect, HookMemory, Node};
use crate::incumbent::{Direction, Incumbent, IncumbentId, Objective, ObjectiveValue};
use crate::problem::{Branch, Problem};

/// A brancher that takes the child with the best bound first, and leaves out all children whose
/// bound does not beat the incumbent. Created by [`Objective::sorted`](crate::Objective::sorted).
///
/// The bound is computed once per child, from the state of the *parent* and the choice, before any
/// child is tried. Children of equal bounds stay in the order of the inner brancher. Each time that
/// a child is drawn, its bound is compared with the incumbent again. If the bound does not beat it,
/// all remaining children are left out at once.
///
/// Children that were left out appear in no report: a node without other children is a dead end.
///
/// # Together with hooks
///
/// The brancher [names its incumbent](Brancher::incumbent), and its effect is
/// [`Effect::OptimumOnly`]: it can be combined with the same hooks as a
/// [bound](crate::Objective::bound). Over an inner brancher that loses solutions itself, it is
/// [`Effect::Lossy`], unless that one compares with the same incumbent.
pub struct SortedByBound<P, V, F, B = ProblemOrder> {
    inner: B,
    incumbent: Incumbent<V>,
    direction: Direction,
    bound: F,
    parameters: Option<Digest>,
    problem: PhantomData<fn(&P)>,
}

impl<P: Problem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V> Objective<P, V, F> {
    /// Returns a brancher that takes the child with the best value of `bound` first, and leaves out
    /// the children whose value does not beat the incumbent.
    ///
    /// `bound` receives the state of the parent. It must be *optimistic*: no solution at or below
    /// the child may have a better value than `bound` returns for the choice. Otherwise the optimum
    /// may be lost while the outcome calls another value proven.
    ///
    /// ```
    /// use secateurs::{Branch, CopyProblem, Objective, Search};
    ///
    /// /// One number from each row, the sum as small as possible.
    /// struct Rows(Vec<[u32; 3]>);
    ///
    /// impl CopyProblem for Rows {
    ///     type State = (usize, u32); // the row, and the sum so far
    ///     type Cursor = usize;
    ///     type Choice = usize;
    ///
    ///     fn root(&self) -> (usize, u32) {
    ///         (0, 0)
    ///     }
    ///     fn branch(&self, &(row, _): &(usize, u32)) -> Branch<usize> {
    ///         if row == self.0.len() { Branch::Solution } else { Branch::Inner(0) }
    ///     }
    ///     fn next(&self, _: &(usize, u32), cursor: &mut usize) -> Option<usize> {
    ///         *cursor += 1;
    ///         (*cursor <= 3).then_some(*cursor - 1)
    ///     }
    ///     fn apply(&self, (row, sum): (usize, u32), &column: &usize) -> (usize, u32) {
    ///         (row + 1, sum + self.0[row][column])
    ///     }
    /// }
    ///
    /// let rows = Rows(vec![[3, 1, 2], [5, 4, 6], [2, 9, 2]]);
    /// let sum = Objective::minimise_for(&rows, |_, &(_, sum)| sum);
    /// let cheapest = sum.sorted(|rows, &(row, sum), &column| sum + rows.0[row][column]);
    /// let outcome = Search::new(&rows).brancher(cheapest).best(&sum);
    /// assert_eq!(outcome.proven(), Some(&7));
    /// assert_eq!(outcome.report().nodes(), 8); // of 40
    /// ```
    pub fn sorted<G>(&self, bound: G) -> SortedByBound<P, V, G>
    where
        G: Fn(&P, &P::State, &P::Choice) -> V,
    {
        SortedByBound {
            inner: ProblemOrder,
            incumbent: self.incumbent().clone().declared(),
            direction: self.incumbent().direction(),
            parameters: Digest::of_zero_sized(&bound),
            bound,
            problem: PhantomData,
        }
    }
}

impl<P: Problem, V, F> SortedByBound<P, V, F> {
    /// Takes the children from `inner` instead of the problem.
    #[must_use]
    pub fn over<B: Brancher<P>>(self, inner: B) -> SortedByBound<P, V, F, B> {
        SortedByBound {
            inner,
            incumbent: self.incumbent,
            direction: self.direction,
            bound: self.bound,
            parameters: self.parameters,
            problem: PhantomData,
        }
    }
}

impl<P, V, F, B> SortedByBound<P, V, F, B> {
    crate::hook::parameters_of_captures!();
}

/// The children of a node that are still to be tried, with their bounds: the cursor of
/// [`SortedByBound`].
#[derive(Clone, Debug)]
pub struct BoundedChildren<V, C> {
    /// The remaining children from the worst to the best: the next one is at the end.
    rest: SmallVec<[(V, C); INLINE_CHILDREN]>,
}

impl<P, V, F, B> Brancher<P> for SortedByBound<P, V, F, B>
where
    P: Problem,
    V: ObjectiveValue,
    F: Fn(&P, &P::State, &P::Choice) -> V,
    B: Brancher<P>,
{
    type Cursor = BoundedChildren<V, P::Choice>;

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.inner.parameters(), self.parameters])
    }

    fn effect(&self) -> Effect {
        match self.inner.effect() {
            Effect::Preserving => Effect::OptimumOnly,
            Effect::OptimumOnly if self.inner.incumbent() == self.incumbent() => {
                Effect::OptimumOnly
            }
            // The solutions that the inner brancher loses have another substitute than those that
            // the bound cuts off.
            _ => Effect::Lossy,
        }
    }

    fn incumbent(&self) -> Option<IncumbentId> {
        Some(self.incumbent.id())
    }

    fn memory(&self) -> HookMemory {
        self.inner.memory()
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor> {
        self.inner.branch(node).map(|mut cursor| {
            let mut rest: SmallVec<[(V, P::Choice); INLINE_CHILDREN]> = SmallVec::new();
            while let Some(choice) = self.inner.next(node, &mut cursor) {
                let value = (self.bound)(node.problem(), node.state(), &choice);
                if self.incumbent.is_beaten_by(&value) {
                    rest.push((value, choice));
                }
            }
            // Children are drawn from the end. The sort is stable, so that those of equal bounds
            // are drawn in the inner order.
            rest.reverse();
            let worst_first: fn(&V, &V) -> Ordering = match self.direction {
                Direction::Maximise => |a, b| a.cmp(b),
                Direction::Minimise => |a, b| b.cmp(a),
            };
            rest.sort_by(|(a, _), (b, _)| worst_first(a, b));
            BoundedChildren { rest }
        })
    }

    #[inline]
    fn next(&mut self, _: &Node<'_, P>, children: &mut Self::Cursor) -> Option<P::Choice> {
        let (value, choice) = children.rest.pop()?;
        if self.incumbent.is_beaten_by(&value) {
            return Some(choice);
        }
        // No remaining child has a better bound.
        children.rest.clear();
        None
    }

    #[inline]
    fn enter(&mut self, node: &Node<'_, P>) {
        self.inner.enter(node);
    }

    #[inline]
    fn leave(&mut self, node: &Node<'_, P>) {
        self.inner.leave(node);
    }
}

/// A clone compares with the same incumbent.
impl<P, V: Clone, F: Clone, B: Clone> Clone for SortedByBound<P, V, F, B> {
    fn clone(&self) -> Self {
        SortedByBound {
            inner: self.inner.clone(),
            incumbent: self.incumbent.clone(),
            direction: self.direction,
            bound: self.bound.clone(),
            parameters: self.parameters,
            problem: PhantomData,
        }
    }
}

impl<P, V, F, B: fmt::Debug> fmt::Debug for SortedByBound<P, V, F, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SortedByBound").field("inner", &self.inner).finish_non_exhaustive()
    }
}
