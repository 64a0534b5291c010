//! Bounds: pruning subtrees that cannot beat the incumbent (Land and Doig 1960), at a node or
//! before a choice.

use std::marker::PhantomData;

use crate::digest::Digest;
use crate::hook::{Hook, Node, NodeMut, Verdict};
use crate::incumbent::{Incumbent, Objective, ObjectiveValue};
use crate::problem::Problem;

macro_rules! bound_hook {
    ($(#[$doc:meta])* $hook:ident, Fn($($argument:ty),*), $method:item) => {
        $(#[$doc])*
        ///
        /// A bound that is not optimistic may lose the optimum without any sign of it. For
        /// questions other than the best solution, its cuts prove nothing; see
        /// [`Hook::incumbent`].
        pub struct $hook<P, V, F> {
            name: String,
            incumbent: Incumbent<V>,
            bound: F,
            parameters: Option<Digest>,
            problem: PhantomData<fn(&P)>,
        }

        impl<P: Problem, V: ObjectiveValue, F: Fn($(&$argument),*) -> V> $hook<P, V, F> {
            /// Creates a hook that compares `bound` with `incumbent`.
            pub fn new(name: impl Into<String>, incumbent: Incumbent<V>, bound: F) -> Self {
                $hook {
                    name: name.into(),
                    incumbent: incumbent.declared(),
                    parameters: Digest::of_zero_sized(&bound),
                    bound,
                    problem: PhantomData,
                }
            }

            crate::hook::parameters_of_captures!();
        }

        impl<P: Problem, V: ObjectiveValue, F: Fn($(&$argument),*) -> V> Hook<P> for $hook<P, V, F>
        {
            fn name(&self) -> &str {
                &self.name
            }

            fn parameters(&self) -> Option<Digest> {
                self.parameters
            }

            crate::hook::claims_of_a_bound!();

            #[inline]
            $method
        }

        clone_fields!(
            /// A clone compares with the same incumbent.
            impl[P, V: Clone, F: Clone] $hook<P, V, F>:
            name, incumbent, bound, parameters, problem
        );

        debug_fields!(impl[P, V, F] $hook<P, V, F>: name);
    };
}

bound_hook! {
    /// A hook that prunes a node unless an optimistic value of its subtree beats the incumbent.
    /// Created by [`Objective::bound`](crate::Objective::bound).
    Bound, Fn(P, P::State),
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        Verdict::keep_if(self.incumbent.is_beaten_by(&(self.bound)(node.problem(), node.state())))
    }
}

bound_hook! {
    /// A hook that admits a choice only if an optimistic value of the child's subtree beats the
    /// incumbent. Created by [`Objective::admit`](crate::Objective::admit).
    ChoiceBound, Fn(P, P::State, P::Choice),
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        let bound = (self.bound)(node.problem(), node.state(), choice);
        Verdict::keep_if(self.incumbent.is_beaten_by(&bound))
    }
}

bound_hook! {
    /// A hook that cuts off a child *and its later siblings* unless an optimistic value of the
    /// child's subtree beats the incumbent. Created by
    /// [`Objective::ordered_bound`](crate::Objective::ordered_bound), which states the
    /// requirements.
    OrderedBound, Fn(P, P::State, P::Choice),
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        let bound = (self.bound)(node.problem(), node.state(), choice);
        Verdict::prune_siblings_if(!self.incumbent.is_beaten_by(&bound))
    }
}

impl<P: Problem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V> Objective<P, V, F> {
    /// Returns a hook that prunes a node unless the value of `bound` there beats the incumbent.
    ///
    /// `bound` must be *optimistic*: no solution at or below a node may have a better value than
    /// `bound` returns there. Otherwise the optimum may be lost while the outcome calls another
    /// value proven.
    pub fn bound<G>(&self, name: impl Into<String>, bound: G) -> Bound<P, V, G>
    where
        G: Fn(&P, &P::State) -> V,
    {
        Bound::new(name, self.incumbent().clone(), bound)
    }

    /// Returns a hook that admits a choice only if the value of `bound` there beats the incumbent:
    /// a [bound](Objective::bound) of the child, before the choice is applied.
    ///
    /// `bound` receives the state of the parent. It must be *optimistic*: no solution at or below
    /// the child may have a better value than `bound` returns for the choice.
    ///
    /// Use it if the bound of a child costs little at its parent, because it saves applying the
    /// choice and entering the child. If the children should also be tried in the order of their
    /// bounds, use [`Objective::sorted`] instead.
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
    /// let bound = sum.admit("sum so far", |rows, &(row, sum), &column| sum + rows.0[row][column]);
    /// let outcome = Search::new(&rows).hook(bound).best(&sum);
    /// assert_eq!(outcome.proven(), Some(&7));
    /// assert!(outcome.report().hook("sum so far").is_some_and(|bound| bound.cuts() > 0));
    /// ```
    pub fn admit<G>(&self, name: impl Into<String>, bound: G) -> ChoiceBound<P, V, G>
    where
        G: Fn(&P, &P::State, &P::Choice) -> V,
    {
        ChoiceBound::new(name, self.incumbent().clone(), bound)
    }

    /// Returns a hook that cuts off a child and its later siblings unless the value of `bound`
    /// beats the incumbent, for a brancher that draws the children of each node in the order of
    /// `bound`, the best value first. It breaks out of the loop over the children, as a
    /// hand-written branch and bound does.
    ///
    /// `bound` must be *optimistic* for the rest of the loop: no solution at or below the child,
    /// or at or below a later sibling, may have a better value than `bound` returns for the choice.
    /// Otherwise the optimum may be lost while the outcome calls another value proven; an
    /// [audit](https://docs.rs/secateurs-lab) detects it. What is right with one brancher may be
    /// wrong with another one. If the children have to be sorted first, use [`Objective::sorted`].
    ///
    /// ```
    /// use secateurs::{Branch, CopyProblem, Objective, Search};
    ///
    /// /// One number from each ascending row, the sum as small as possible.
    /// struct Rows(Vec<[u32; 3]>);
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
    ///     fn next(&self, &(row, _): &(usize, u32), column: &mut usize) -> Option<u32> {
    ///         *column += 1;
    ///         self.0[row].get(*column - 1).copied()
    ///     }
    ///     fn apply(&self, (row, sum): (usize, u32), number: &u32) -> (usize, u32) {
    ///         (row + 1, sum + number)
    ///     }
    /// }
    ///
    /// let rows = Rows(vec![[1, 2, 3], [4, 5, 6], [2, 2, 9]]);
    /// let sum = Objective::minimise_for(&rows, |_, &(_, sum)| sum);
    /// let bound = sum.ordered_bound("sum so far", |_, &(_, sum), number| sum + number);
    /// let outcome = Search::new(&rows).hook(bound).best(&sum);
    /// assert_eq!(outcome.proven(), Some(&7));
    /// assert!(outcome.report().hook("sum so far").is_some_and(|hook| hook.sibling_cuts() > 0));
    /// ```
    pub fn ordered_bound<G>(&self, name: impl Into<String>, bound: G) -> OrderedBound<P, V, G>
    where
        G: Fn(&P, &P::State, &P::Choice) -> V,
    {
        OrderedBound::new(name, self.incumbent().clone(), bound)
    }
}
