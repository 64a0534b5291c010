//! Branchers that leave out children that cannot beat the incumbent: one sorts them by a bound, one
//! lets the problem compare while it generates them.

use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;

use smallvec::SmallVec;

use super::ordering::INLINE_CHILDREN;
use crate::brancher::{Brancher, ProblemOrder};
use crate::digest::Digest;
use crate::hook::{Effect, HookMemory, Node};
use crate::incumbent::{Direction, Incumbent, IncumbentId, Objective, ObjectiveValue, ToBeat};
use crate::problem::{Branch, Problem};
use crate::report::Cuts;

/// A brancher that takes the child with the best bound first, and leaves out all children whose
/// bound does not beat the incumbent. Created by [`Objective::sorted`](crate::Objective::sorted).
///
/// The bound is computed once per child, from the state of the *parent* and the choice, before any
/// child is tried. Children of equal bounds stay in the order of the inner brancher. Each time that
/// a child is drawn, its bound is compared with the incumbent again. If the bound does not beat it,
/// all remaining children are left out at once.
///
/// The report lists the children that were left out as the cuts of a hook that is named
/// [`Report::BRANCHER`](crate::Report::BRANCHER). A node without other children is a dead end.
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
    bound: F,
    parameters: Option<Digest>,
    /// The children that were left out, by their depth.
    left_out: Vec<Cuts>,
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
            parameters: Digest::of_zero_sized(&bound),
            bound,
            left_out: Vec::new(),
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
            bound: self.bound,
            parameters: self.parameters,
            left_out: Vec::new(),
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

impl<P: Problem, V: ObjectiveValue, F: Fn(&P, &P::State, &P::Choice) -> V, B: Brancher<P>>
    Brancher<P> for SortedByBound<P, V, F, B>
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

    as_inner!(memory -> HookMemory);

    fn cuts(&self) -> &[Cuts] {
        &self.left_out
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<Self::Cursor> {
        self.inner.branch(node).map(|mut cursor| {
            let mut rest: SmallVec<[(V, P::Choice); INLINE_CHILDREN]> = SmallVec::new();
            while let Some(choice) = self.inner.next(node, &mut cursor) {
                let value = (self.bound)(node.problem(), node.state(), &choice);
                if self.incumbent.is_beaten_by(&value) {
                    rest.push((value, choice));
                } else {
                    Cuts::at(&mut self.left_out, node.depth() + 1).admit += 1;
                }
            }
            // Children are drawn from the end. The sort is stable, so that those of equal bounds
            // are drawn in the inner order.
            rest.reverse();
            let worst_first: fn(&V, &V) -> Ordering = match self.incumbent.direction() {
                Direction::Maximise => |a, b| a.cmp(b),
                Direction::Minimise => |a, b| b.cmp(a),
            };
            rest.sort_by(|(a, _), (b, _)| worst_first(a, b));
            BoundedChildren { rest }
        })
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, P>, children: &mut Self::Cursor) -> Option<P::Choice> {
        let (value, choice) = children.rest.pop()?;
        if self.incumbent.is_beaten_by(&value) {
            return Some(choice);
        }
        // No remaining child has a better bound.
        Cuts::at(&mut self.left_out, node.depth() + 1).admit += 1;
        children.rest.clear();
        None
    }

    as_inner!(enter, leave);
}

clone_fields!(
    /// A clone compares with the same incumbent.
    impl[P, V: Clone, F: Clone, B: Clone] SortedByBound<P, V, F, B>:
    inner, incumbent, bound, parameters, problem; left_out: Vec::new()
);

debug_fields!(impl[P, V, F, B: fmt::Debug] SortedByBound<P, V, F, B>: inner);

/// A brancher that lets the problem compare with the incumbent while it generates children. Created
/// by [`Objective::next_within`](crate::Objective::next_within).
///
/// The brancher [names its incumbent](Brancher::incumbent), and its effect is
/// [`Effect::OptimumOnly`]: it can be combined with the same hooks as a
/// [bound](crate::Objective::bound). The report lists the values that did not beat the incumbent as
/// the cuts of a hook that is named [`Report::BRANCHER`](crate::Report::BRANCHER).
pub struct NextWithin<P, V, F> {
    incumbent: Incumbent<V>,
    next: F,
    parameters: Option<Digest>,
    /// The children that were left out, by their depth.
    left_out: Vec<Cuts>,
    problem: PhantomData<fn(&P)>,
}

impl<P: Problem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V> Objective<P, V, F> {
    /// Returns a brancher that draws the children of a node by `next` instead of
    /// [`Problem::next`](crate::Problem::next). `next` also sees what a child must beat, so that it
    /// neither generates nor returns children that do not: its loop ends where that of a branch and
    /// bound by hand does. If a search spends its time on children that a bound cuts off, this is
    /// the form to use.
    ///
    /// `next` must return the children of [`Problem::next`](crate::Problem::next) in their order,
    /// except those for which it has asked whether an *optimistic* value beats the incumbent, with
    /// the answer `false`, and later siblings for which that value is optimistic as well. If it
    /// leaves out others, the optimum may be lost while the outcome calls another value proven; an
    /// [audit](https://docs.rs/secateurs-lab) detects it. It is easily right if both are one
    /// function, which `Problem::next` calls with [`ToBeat::nothing`].
    ///
    /// ```
    /// use secateurs::{Branch, CopyProblem, Objective, Search, ToBeat};
    ///
    /// /// One number from each ascending row, the sum as small as possible.
    /// struct Rows(Vec<[u32; 3]>);
    ///
    /// impl Rows {
    ///     fn next_within(
    ///         &self,
    ///         &(row, sum): &(usize, u32),
    ///         column: &mut usize,
    ///         to_beat: &ToBeat<'_, u32>,
    ///     ) -> Option<u32> {
    ///         *column += 1;
    ///         let number = *self.0[row].get(*column - 1)?;
    ///         // Later numbers of the row are larger, so this ends the loop.
    ///         to_beat.is_beaten_by(&(sum + number)).then_some(number)
    ///     }
    /// }
    ///
    /// impl CopyProblem for Rows {
    ///     type State = (usize, u32); // the row, and the sum so far
    ///     type Cursor = usize;
    ///     type Choice = u32;
    ///
    ///     fn root(&self) -> (usize, u32) {
    ///         (0, 0)
    ///     }
    ///     fn branch(&self, &(row, _): &(usize, u32)) -> Branch<usize> {
    ///         if row == self.0.len() { Branch::Solution } else { Branch::Inner(0) }
    ///     }
    ///     fn next(&self, state: &(usize, u32), column: &mut usize) -> Option<u32> {
    ///         self.next_within(state, column, &ToBeat::nothing())
    ///     }
    ///     fn apply(&self, (row, sum): (usize, u32), number: &u32) -> (usize, u32) {
    ///         (row + 1, sum + number)
    ///     }
    /// }
    ///
    /// let rows = Rows(vec![[1, 2, 3], [4, 5, 6], [2, 2, 9]]);
    /// let sum = Objective::minimise_for(&rows, |_, &(_, sum)| sum);
    /// let pruned = Search::new(&rows).brancher(sum.next_within(Rows::next_within)).best(&sum);
    /// assert_eq!(pruned.proven(), Some(&7));
    /// assert_eq!(pruned.report().nodes(), 8); // of 40
    /// ```
    pub fn next_within<G>(&self, next: G) -> NextWithin<P, V, G>
    where
        G: Fn(&P, &P::State, &mut P::Cursor, &ToBeat<'_, V>) -> Option<P::Choice>,
    {
        NextWithin {
            incumbent: self.incumbent().clone().declared(),
            parameters: Digest::of_zero_sized(&next),
            next,
            left_out: Vec::new(),
            problem: PhantomData,
        }
    }
}

impl<P, V, F> NextWithin<P, V, F> {
    crate::hook::parameters_of_captures!();
}

impl<P, V, F> Brancher<P> for NextWithin<P, V, F>
where
    P: Problem,
    V: ObjectiveValue,
    F: Fn(&P, &P::State, &mut P::Cursor, &ToBeat<'_, V>) -> Option<P::Choice>,
{
    type Cursor = P::Cursor;

    fn parameters(&self) -> Option<Digest> {
        self.parameters
    }

    crate::hook::claims_of_a_bound!();

    fn cuts(&self) -> &[Cuts] {
        &self.left_out
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, P>) -> Branch<P::Cursor> {
        node.problem().branch(node.state())
    }

    #[inline(always)]
    fn next(&mut self, node: &Node<'_, P>, cursor: &mut P::Cursor) -> Option<P::Choice> {
        let to_beat = self.incumbent.current_target();
        let choice = (self.next)(node.problem(), node.state(), cursor, &to_beat);
        let rejected = to_beat.rejected.get();
        if rejected > 0 {
            self.incumbent.record();
            Cuts::at(&mut self.left_out, node.depth() + 1).admit += rejected;
        }
        choice
    }
}

clone_fields!(
    /// A clone compares with the same incumbent.
    impl[P, V: Clone, F: Clone] NextWithin<P, V, F>:
    incumbent, next, parameters, problem; left_out: Vec::new()
);

debug_fields!(impl[P, V, F] NextWithin<P, V, F>:);
