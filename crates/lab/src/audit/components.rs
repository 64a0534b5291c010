//! The components of hooks that an [`Audit`] checks against the whole tree: bounds, keys, dominance
//! relations, type systems, and the states of diagrams.

use std::fmt::Debug;
use std::hash::Hash;

use secateurs::diagram::{AdditiveValue, DiagramProblem};
use secateurs::{Node, ObjectiveValue, Problem};

use super::checks::{BoundCheck, DominanceCheck, KeyCheck, KeyProperty};
use super::merge_check::MergeCheck;
use super::search::Audit;
use super::type_check::TypeCheck;

/// # Components of hooks
impl<'a, P, V> Audit<'a, P, V>
where
    P: Problem<State: Clone + Debug + PartialEq, Choice: Clone + Debug>,
    V: ObjectiveValue + 'a,
{
    /// Checks a bound against every node of the tree without hooks: no solution at or below a node
    /// may be better than its bound (the bound is *admissible*, or optimistic).
    ///
    /// ```
    /// use secateurs::Objective;
    /// use secateurs_lab::Audit;
    /// use secateurs_problems::fire_net::{FireNetBoard, BoundKind, State};
    ///
    /// let board: FireNetBoard = "2 3\n...\n.X.\n".parse()?;
    /// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
    /// for bound in BoundKind::ALL {
    ///     let at = move |board: &FireNetBoard, state: &State| bound.at(board, state);
    ///     Audit::of_best(&board, &placed).bound(bound.to_string(), at).run()?;
    /// }
    /// // A wrong bound: it ignores that walls split rows.
    /// let rows = |board: &FireNetBoard, state: &State| board.rows().max(state.placed());
    /// let violation = Audit::of_best(&board, &placed).bound("rows", rows).run().unwrap_err();
    /// let message = "the bound is 2, but there is a solution of value 3 below";
    /// assert_eq!(violation.loss().to_string(), message);
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

    /// Checks a [bound](Audit::bound) that also must not become better from a node to its child (it
    /// is *monotone*, or consistent).
    pub fn monotone_bound<F: Fn(&P, &P::State) -> V + 'a>(
        mut self,
        name: impl Into<String>,
        bound: F,
    ) -> Self {
        self.checks.push(Box::new(BoundCheck::new(name.into(), bound, true)));
        self
    }

    /// Checks a key against the tree without hooks: all states with the same key must have the same
    /// number of solutions at or below them, or, with an objective, the same best value.
    /// [`Memo::counted`](secateurs::hook::Memo::counted),
    /// [`Memo::visited`](secateurs::hook::Memo::visited) and transposition tables require this of a
    /// key.
    ///
    /// ```
    /// use secateurs_lab::Audit;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(5)?.bits();
    /// Audit::of_count(&queens).key("all attacked squares", |_, state| *state).run()?;
    /// // Columns alone do not determine the attacked diagonals.
    /// let audit = Audit::of_count(&queens).key("columns", |_, state| state.columns());
    /// let violation = audit.run().unwrap_err();
    /// assert_eq!(violation.hook(), "columns");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn key<K, F>(mut self, name: impl Into<String>, key: F) -> Self
    where
        K: Hash + Eq + 'a,
        F: Fn(&P, &P::State) -> K + 'a,
    {
        self.checks.push(Box::new(KeyCheck::new(name.into(), key, KeyProperty::CountOrBest)));
        self
    }

    /// Checks a weaker condition on a key against the tree without hooks: of all states with the
    /// same key, either each has a solution at or below it, or none has. This is sufficient for
    /// [`Memo::failed`](secateurs::hook::Memo::failed).
    pub fn key_of_failures<K, F>(mut self, name: impl Into<String>, key: F) -> Self
    where
        K: Hash + Eq + 'a,
        F: Fn(&P, &P::State) -> K + 'a,
    {
        self.checks.push(Box::new(KeyCheck::new(name.into(), key, KeyProperty::Existence)));
        self
    }

    /// Checks that a type system of [`estimate_within_by`](secateurs::Search::estimate_within_by),
    /// or a stratifier of [`estimate_stratified_by`](secateurs::Search::estimate_stratified_by), is
    /// a function of the state and the depth: nodes of a depth with equal states have the same
    /// type, at each call. It is called for nodes that have children.
    ///
    /// Estimates are unbiased for any types, but types that depend on the path or on earlier calls
    /// do not describe the subtrees. Up to 500 different states of each depth are remembered.
    ///
    /// ```
    /// use secateurs_lab::Audit;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(6)?.bits();
    /// let attacked = Audit::of_count(&queens)
    ///     .types("attacked squares", |node| node.state().attacked().count_ones());
    /// attacked.run()?.exhaustive()?;
    /// let mut calls = 0;
    /// let counted = Audit::of_count(&queens).types("calls", move |_| {
    ///     calls += 1;
    ///     calls
    /// });
    /// assert_eq!(counted.run().unwrap_err().hook(), "calls");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn types<K, F>(mut self, name: impl Into<String>, types: F) -> Self
    where
        K: PartialEq + Debug + 'a,
        F: FnMut(&Node<'_, P>) -> K + 'a,
    {
        self.checks.push(Box::new(TypeCheck::new(name.into(), types)));
        self
    }

    /// Checks a dominance relation against the tree without hooks. The arguments are those of
    /// [`hook::Dominance`](secateurs::hook::Dominance), which states the conditions: the relation
    /// is transitive; a dominating state has a solution at least as good at or below it (or any
    /// solution, if there is no objective); and one of the conditions that exclude cycles holds.
    /// Whether a summary dominates itself, or two different summaries dominate each other, is
    /// unrestricted.
    ///
    /// All pairs of up to 40 states of each group are compared; from larger groups, 40 states are
    /// drawn at random. The coverage counts the [pairs](crate::Coverage::pairs) of a
    /// dominating and a dominated state.
    ///
    /// ```
    /// use secateurs_lab::Audit;
    /// use secateurs_problems::queens::{BitState, Queens};
    ///
    /// // In the same row, a state that attacks fewer squares dominates.
    /// let queens = Queens::new(5)?.bits();
    /// let row = |_: &_, state: &BitState| state.columns().count_ones();
    /// let attacked = |_: &_, state: &BitState| *state;
    /// let fewer = Audit::of_count(&queens).dominance("fewer columns", row, attacked, |a, b| {
    ///     a.columns() & !b.columns() == 0
    /// });
    /// assert!(fewer.run().is_err()); // it ignores the diagonals
    /// # Ok::<(), secateurs_problems::InstanceError>(())
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

impl<'a, P, V> Audit<'a, P, V>
where
    P: DiagramProblem<State: Clone + Debug + PartialEq, Choice: Clone + Debug> + 'a,
    V: AdditiveValue + 'a,
{
    /// Checks the laws of a [`DiagramProblem`] against the tree without hooks: choices lead to
    /// later layers; states of a layer with equal keys and resources reach values that differ as
    /// their own values do, and a state that dominates another one improves its value by at least
    /// as much; and so does a merged state, compared with each of its parts.
    ///
    /// Each two of up to 20 states of each layer are merged, in both orders; from larger layers, 20
    /// states are drawn at random. The subtree of each merged state is searched. The coverage
    /// counts the [pairs](crate::Coverage::pairs). A [`best_below`](Audit::best_below) must be
    /// correct for merged states as well.
    ///
    /// ```
    /// use secateurs_lab::Audit;
    /// use secateurs_problems::knapsack::Knapsack;
    ///
    /// let knapsack = Knapsack::new(10, [(6, 13), (5, 8), (4, 7), (3, 5)])?;
    /// Audit::of_best(&knapsack, &Knapsack::objective()).merges().run()?.exhaustive()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merges(mut self) -> Self {
        self.checks.push(Box::new(MergeCheck::new()));
        self
    }
}
