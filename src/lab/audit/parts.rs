//! What hooks are made of, held against the tree without hooks: bounds, keys, dominance.

use std::fmt::Debug;
use std::hash::Hash;

use super::bounds::BoundCheck;
use super::dominances::DominanceCheck;
use super::keys::{Common, KeyCheck};
use super::search::Audit;
use crate::problem::Problem;

/// # What hooks are made of
impl<'a, P, V> Audit<'a, P, V>
where
    P: Problem<State: Clone + Debug + PartialEq, Choice: Clone + Debug>,
    V: Ord + Clone + Debug + 'a,
{
    /// Holds a bound against every node of the tree without hooks: no solution at or below a node
    /// may be better than it says there. (It is then *admissible*, or optimistic.)
    ///
    /// ```
    /// use secateurs::Objective;
    /// use secateurs::lab::Audit;
    /// use secateurs::problems::fire_net::{FireNetBoard, BoundKind, State};
    ///
    /// let board: FireNetBoard = "2 3\n...\n.X.\n".parse()?;
    /// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
    /// for bound in BoundKind::ALL {
    ///     Audit::of_best(&board, &placed).bound(bound.to_string(), move |board, state| bound.at(board, state)).run()?;
    /// }
    /// let rows = |board: &FireNetBoard, state: &State| board.rows().max(state.placed()); // forgets that walls split rows
    /// let violation = Audit::of_best(&board, &placed).bound("rows", rows).run().unwrap_err();
    /// assert_eq!(violation.loss().to_string(), "it says 2, but below there is a solution of value 3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bound<F: Fn(&P, &P::State) -> V + 'a>(
        mut self,
        name: impl Into<String>,
        bound: F,
    ) -> Self {
        self.checks.push(Box::new(BoundCheck::new(name.into(), bound, false)));
        self
    }

    /// Holds a [bound](Audit::bound) against the tree of which it is claimed as well that it never
    /// becomes better from a node to its child. (It is then *monotone*, or consistent.)
    pub fn monotone_bound<F: Fn(&P, &P::State) -> V + 'a>(
        mut self,
        name: impl Into<String>,
        bound: F,
    ) -> Self {
        self.checks.push(Box::new(BoundCheck::new(name.into(), bound, true)));
        self
    }

    /// Holds a key against the tree without hooks: all states of the same key must have equally
    /// many solutions at or below them, or, if there is an objective, the same best value. This is
    /// what [`Memo::counted`](crate::hook::Memo::counted) and
    /// [`Memo::visited`](crate::hook::Memo::visited) ask of a key, and transposition tables.
    ///
    /// ```
    /// use secateurs::lab::Audit;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(5)?.bits();
    /// Audit::of_count(&queens).key("all attacked squares", |_, state| *state).run()?;
    /// // Columns alone forget the diagonals.
    /// let violation = Audit::of_count(&queens).key("columns", |_, state| state.columns()).run().unwrap_err();
    /// assert_eq!(violation.hook(), "columns");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn key<K, F>(mut self, name: impl Into<String>, key: F) -> Self
    where
        K: Hash + Eq + 'a,
        F: Fn(&P, &P::State) -> K + 'a,
    {
        self.checks.push(Box::new(KeyCheck::new(name.into(), key, Common::Future)));
        self
    }

    /// Holds a key against the tree without hooks, of which less is asked: states of the same key
    /// must either all have a solution at or below them, or none. This is enough for
    /// [`Memo::failed`](crate::hook::Memo::failed).
    pub fn key_of_failures<K, F>(mut self, name: impl Into<String>, key: F) -> Self
    where
        K: Hash + Eq + 'a,
        F: Fn(&P, &P::State) -> K + 'a,
    {
        self.checks.push(Box::new(KeyCheck::new(name.into(), key, Common::Failure)));
        self
    }

    /// Holds a relation of dominance against the tree without hooks; it is given as to
    /// [`hook::Dominance`](crate::hook::Dominance), which says what it must mean: it is transitive,
    /// what dominates has below it something at least as good (or just a solution, if there is no
    /// objective), and one of the conditions holds by which matches do not lead round in a circle.
    /// Whether a summary dominates itself, or two different ones each other, is free.
    ///
    /// Of each group, all pairs of 40 states are looked at, or of 40 that are drawn if there are
    /// more; the coverage has how many [pairs](crate::lab::Coverage::pairs) one of which dominates
    /// the other.
    ///
    /// ```
    /// use secateurs::lab::Audit;
    /// use secateurs::problems::queens::Queens;
    ///
    /// // In the same row, who attacks no more squares can do no less.
    /// let queens = Queens::new(5)?.bits();
    /// let row = |_: &_, state: &secateurs::problems::queens::BitState| state.columns().count_ones();
    /// let attacked = |_: &_, state: &secateurs::problems::queens::BitState| *state;
    /// let fewer = Audit::of_count(&queens).dominance("fewer columns", row, attacked, |a, b| a.columns() & !b.columns() == 0);
    /// assert!(fewer.run().is_err()); // there are diagonals as well
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    pub fn dominance<K, D, G, S, C>(
        mut self,
        name: impl Into<String>,
        group: G,
        summary: S,
        dominates: C,
    ) -> Self
    where
        K: Hash + Eq + 'a,
        D: 'a,
        G: Fn(&P, &P::State) -> K + 'a,
        S: Fn(&P, &P::State) -> D + 'a,
        C: Fn(&D, &D) -> bool + 'a,
    {
        self.checks.push(Box::new(DominanceCheck::new(name.into(), group, summary, dominates)));
        self
    }
}
