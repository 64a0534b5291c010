//! Branch and bound on diagrams: [`Diagrams`].
//!
//! It is a level-by-level walk of the [breadth-first search](super::breadth_first) whose
//! [selection](super::cut_sets) opens the nodes of cut-sets. The levels are the
//! [layers](DiagramProblem::layer) of the problem.

use std::fmt;

use super::breadth_first::BreadthFirstWalk;
use super::cut_sets::{CutSets, WatchBound};
use super::restricted::Restricted;
use crate::brancher::Brancher;
use crate::diagram::{AdditiveValue, DiagramProblem, NoRoughBound, RoughBound};
use crate::hook::{Hooks, StrategyLoss};
use crate::incumbent::{Incumbent, Objective};
use crate::problem::Problem;
use crate::search::builder::Search;
use crate::search::tree::SearchTree;
use crate::search::walk::{IntoWalk, WithoutFrontier};

impl<'p, P: Problem, B, H, X> Search<'p, P, B, H, X> {
    /// Searches by branch and bound on diagrams of a given width (Bergman, Cire, van Hoeve and
    /// Hooker 2016; Gillard, Schaus and Coppé 2021). A width of 0 is treated as 1.
    ///
    /// Open nodes are expanded in the order of their bounds, the best first. Below a node, the tree
    /// is searched layer by layer, and [equal states](DiagramProblem::key) are united. When a layer
    /// has more than `width` nodes, the open nodes at that moment are its *exact cut-set*: every
    /// solution that is still wanted is at or below one of them. Then
    ///
    /// - a [restricted diagram](Search::restricted) continues below the cut-set, for good solutions
    ///   early; its nodes are searched again later;
    /// - a relaxed [diagram](crate::diagram) below the cut-set bounds each of its nodes, and those
    ///   whose bound beats the incumbent are opened.
    ///
    /// [`best`](Search::best) and [`improvements`](Search::improvements) of the same objective
    /// prune by these bounds; other questions do not, and use no restricted diagrams. The latter
    /// are also left out if a hook or the brancher remembers
    /// [visited nodes](crate::hook::HookMemory::Visited), because they enter nodes twice. The
    /// solutions in the report of an optimisation may therefore have been counted twice.
    ///
    /// Uniting counts as a hook of
    /// [`SubstituteOrder::FewerChoices`](crate::SubstituteOrder::FewerChoices) in the
    /// [rule for combinations](crate::hook#hooks-together). Memory: the open nodes with their
    /// states, and the layers of one relaxed diagram. Cost per open node: two diagrams. The report
    /// counts the nodes that the search enters, not those of relaxed diagrams.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::knapsack::Knapsack;
    ///
    /// let knapsack = Knapsack::strongly_correlated(60, 100, 1)?;
    /// let value = Knapsack::objective();
    /// let search = Search::new(&knapsack).diagrams(&value, 100).rough(Knapsack::relaxation);
    /// let outcome = search.best(&value);
    /// assert_eq!(outcome.proven(), Some(&1702));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    pub fn diagrams<V, F>(
        self,
        objective: &Objective<P, V, F>,
        width: usize,
    ) -> Search<'p, P, B, H, X, Diagrams<'p, V, F>>
    where
        P: DiagramProblem,
        V: AdditiveValue,
        F: Fn(&P, &P::State) -> V + Clone,
    {
        self.with_strategy(Diagrams {
            layers: Restricted::new(objective, width),
            incumbent: objective.incumbent().clone().unrecorded(),
            rough: NoRoughBound,
            watch: None,
        })
    }
}

impl<'p, P: Problem, B, H, X, V, F, G> Search<'p, P, B, H, X, Diagrams<'p, V, F, G>> {
    /// Prunes nodes, also those of relaxed diagrams, whose `bound` does not beat the incumbent.
    ///
    /// `bound` is like that of [`Objective::bound`], and must also be optimistic for merged states.
    pub fn rough<R: Fn(&P, &P::State) -> V>(
        self,
        bound: R,
    ) -> Search<'p, P, B, H, X, Diagrams<'p, V, F, R>> {
        Search {
            problem: self.problem,
            brancher: self.brancher,
            hooks: self.hooks,
            extract: self.extract,
            settings: self.settings,
            strategy: Diagrams {
                layers: self.strategy.layers,
                incumbent: self.strategy.incumbent,
                rough: bound,
                watch: self.strategy.watch,
            },
        }
    }

    /// Calls `callback` with a bound of the optimum each time that it becomes tighter: no solution
    /// is better than both the bound and the incumbent. Only an optimisation by the same objective
    /// has bounds.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::knapsack::Knapsack;
    ///
    /// let knapsack = Knapsack::strongly_correlated(60, 100, 1)?;
    /// let value = Knapsack::objective();
    /// let mut bounds = Vec::new();
    /// let search = Search::new(&knapsack).diagrams(&value, 5).rough(Knapsack::relaxation);
    /// let outcome = search.watch_bound(|&bound| bounds.push(bound)).best(&value);
    /// assert_eq!(outcome.proven(), Some(&1702));
    /// assert!(bounds.iter().rev().is_sorted());
    /// assert!(bounds.iter().all(|&bound| bound >= 1702));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    pub fn watch_bound(mut self, callback: impl FnMut(&V) + 'p) -> Self {
        self.strategy.watch = Some(Box::new(callback));
        self
    }
}

/// Strategy of [`Search::diagrams`]: branch and bound on diagrams.
pub struct Diagrams<'w, V, F, G = NoRoughBound> {
    layers: Restricted<V, F>,
    incumbent: Incumbent<V>,
    rough: G,
    watch: Option<WatchBound<'w, V>>,
}

impl<V, F, G> fmt::Debug for Diagrams<'_, V, F, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Diagrams").field("width", &self.layers.width).finish_non_exhaustive()
    }
}

impl<V, F, G> WithoutFrontier for Diagrams<'_, V, F, G> {}

impl<'w, P, B, H, V, F, G> IntoWalk<P, B, H> for Diagrams<'w, V, F, G>
where
    P: DiagramProblem,
    B: Brancher<P>,
    H: Hooks<P>,
    V: AdditiveValue,
    F: Fn(&P, &P::State) -> V,
    G: RoughBound<P, V>,
{
    type Walk<'p>
        = BreadthFirstWalk<'p, P, B, H, CutSets<'w, P, V, F, G>>
    where
        P: 'p;

    fn loss(&self) -> Option<StrategyLoss> {
        Some(self.layers.loss())
    }

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        let mut remembers_visited = tree.brancher.memory().includes_visited();
        tree.hooks.each(&mut |hook| remembers_visited |= hook.memory().includes_visited());
        let Diagrams { layers, incumbent, rough, watch } = self;
        let optimises = tree.objective_incumbent == Some(incumbent.id());
        let incumbent = optimises.then_some(incumbent);
        let selection = CutSets::new(layers, incumbent, (rough, watch), !remembers_visited);
        BreadthFirstWalk::new(tree, selection)
    }
}
