//! Branch and bound on diagrams: [`Diagrams`].
//!
//! It is a level-by-level walk of the [breadth-first search](super::breadth_first) whose
//! [selection](super::cut_sets) opens the nodes of cut-sets. The levels are the
//! [layers](DiagramProblem::layer) of the problem.

use std::mem::needs_drop;

use super::breadth_first::BreadthFirstWalk;
use super::cut_sets::{CutSets, NoWatch, WatchBound};
use super::restricted::Restricted;
use crate::brancher::Brancher;
use crate::diagram::thresholds::{KnownThresholds, SharedThresholds};
use crate::diagram::{AdditiveValue, DiagramProblem, NoRoughBound, RoughBound};
use crate::hook::{Hooks, StrategyLoss};
use crate::incumbent::Objective;
use crate::problem::Problem;
use crate::search::builder::Search;
use crate::search::tree::SearchTree;
use crate::search::walk::{Divisible, IntoWalk, Resumable, WithoutFrontier};

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
    /// Between the expansions, restricted diagrams of growing width begin at the root: for the
    /// first solutions, and for the optimum of problems whose bounds are weak but whose layers are
    /// small. One that drops no node ends the search. Wide ones get a fifth of the work, or a third
    /// if the search is long; a reduced layer takes at most 16 MiB. They keep the nodes of the best
    /// values, the highest [ranks](DiagramProblem::rank), or the best [rough](Search::rough) bounds
    /// in turn.
    ///
    /// [`best`](Search::best) and [`improvements`](Search::improvements) of the same objective
    /// prune by these bounds; other questions do not, and use no restricted diagrams. The latter
    /// are also left out if a hook or the brancher remembers
    /// [visited nodes](crate::hook::HookMemory::Visited), because they enter nodes twice. The
    /// report counts such nodes twice. It counts only the solutions that are found outside of
    /// restricted diagrams.
    ///
    /// Once a hook or the brancher has compared with an incumbent, thresholds of the nodes that are
    /// expanded no longer exceed their values, and save less. So give bounds to
    /// [`rough`](Search::rough) rather than to hooks.
    ///
    /// Uniting counts as a hook of
    /// [`SubstituteOrder::FewerChoices`](crate::SubstituteOrder::FewerChoices) in the
    /// [rule for combinations](crate::hook#hooks-together). Memory: the open nodes with their
    /// states, and one relaxed diagram: for each of its arcs a state and about 50 bytes. If a
    /// [memory limit](crate::Limits::memory) is too low for a relaxed diagram, the search ends; a
    /// smaller width helps. Cost per open node: two diagrams. The report counts the nodes that the
    /// search enters, not those of relaxed diagrams.
    ///
    /// The search can be divided among [threads](Search::threads): each has open nodes of its own,
    /// and gives away every other one of the best if another thread is idle. Threads share the
    /// thresholds that they have learnt, unless states own heap memory or a hook remembers visited
    /// nodes; states must be `Send`. The search can also continue from a
    /// [frontier](Search::frontier), whose subtrees are the open nodes. A run that continues does
    /// not know the bounds of these nodes; it searches them one after another. A
    /// [memory limit](crate::Limits::memory) includes what a frontier or a checkpoint gets: for
    /// each open node, its path, its children and about 150 bytes.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::knapsack::Knapsack;
    ///
    /// let knapsack = Knapsack::strongly_correlated(60, 100, 1)?;
    /// let value = Knapsack::objective();
    /// let search = Search::new(&knapsack).diagrams(&value, 100).rough(Knapsack::relaxation);
    /// let outcome = search.best(&value);
    /// assert_eq!(outcome.proven(), Some(&1702));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn diagrams<V: AdditiveValue, F: Fn(&P, &P::State) -> V + Clone>(
        self,
        objective: &Objective<P, V, F>,
        width: usize,
    ) -> Search<'p, P, B, H, X, Diagrams<V, F>>
    where
        P: DiagramProblem,
    {
        self.with_strategy(Diagrams {
            layers: Restricted::new(objective, width),
            cut_width: usize::MAX,
            rough: NoRoughBound,
            watch: NoWatch,
        })
    }
}

impl<'p, P: Problem, B, H, X, V, F, G, W> Search<'p, P, B, H, X, Diagrams<V, F, G, W>> {
    /// Takes the nodes to be opened from the first layer of a diagram with more than `nodes` nodes,
    /// instead of the first one that is wider than the diagram. 0 is treated as 1, and more than
    /// the width as the width.
    ///
    /// Fewer nodes are then open, each with a larger subtree. That helps if most states differ, so
    /// that layers grow fast: with width 100 and 12 nodes, MAX-2SAT with 80 variables takes 0.6
    /// times the time and a fifteenth of the memory. It takes longer if many nodes of later layers
    /// are equal or are pruned: a knapsack of 200 items five times as long.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::max_2sat::MaxTwoSat;
    ///
    /// let clauses = MaxTwoSat::generate(40, 150, 1)?;
    /// let weight = MaxTwoSat::objective();
    /// let search = Search::new(&clauses).diagrams(&weight, 100).cut_width(12);
    /// let outcome = search.rough(MaxTwoSat::bound).best(&weight);
    /// assert_eq!(outcome.proven(), Some(&770));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn cut_width(self, nodes: usize) -> Self {
        self.map_strategy(|diagrams| Diagrams { cut_width: nodes.max(1), ..diagrams })
    }

    /// Prunes nodes, also those of relaxed diagrams, whose `bound` does not beat the incumbent.
    ///
    /// `bound` is like that of [`Objective::bound`], and must also be optimistic for merged states.
    pub fn rough<R: Fn(&P, &P::State) -> V>(
        self,
        bound: R,
    ) -> Search<'p, P, B, H, X, Diagrams<V, F, R, W>> {
        self.map_strategy(|Diagrams { layers, cut_width, watch, .. }| Diagrams {
            layers,
            cut_width,
            rough: bound,
            watch,
        })
    }

    /// Calls `callback` with a bound of the optimum each time that it becomes tighter: no solution
    /// is better than both the bound and the incumbent. Only an optimisation by the same objective
    /// has bounds. A search that continues from a [frontier](Search::frontier) has them when all of
    /// its subtrees have been begun, unless the frontier is [a
    /// part](crate::search::Frontier::is_whole) of the tree. There are none once it is certain that
    /// the outcome will prove nothing: if a depth limit has cut off a node, a hook has
    /// [credited](crate::NodeMut::credit) solutions, the report has
    /// [conflicts](crate::Report::conflicts), or its effect is [lossy](crate::Effect::Lossy). With
    /// a callback, a search cannot be divided among threads.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::knapsack::Knapsack;
    ///
    /// let knapsack = Knapsack::strongly_correlated(60, 100, 1)?;
    /// let value = Knapsack::objective();
    /// let mut bounds = Vec::new();
    /// let search = Search::new(&knapsack).diagrams(&value, 5).rough(Knapsack::relaxation);
    /// let outcome = search.watch_bound(|&bound| bounds.push(bound)).best(&value);
    /// assert_eq!(outcome.proven(), Some(&1702));
    /// assert!(bounds.iter().rev().is_sorted());
    /// assert!(bounds.iter().all(|&bound| bound >= 1702));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn watch_bound<C: FnMut(&V)>(
        self,
        callback: C,
    ) -> Search<'p, P, B, H, X, Diagrams<V, F, G, C>> {
        self.map_strategy(|Diagrams { layers, cut_width, rough, .. }| Diagrams {
            layers,
            cut_width,
            rough,
            watch: callback,
        })
    }
}

/// Strategy of [`Search::diagrams`]: branch and bound on diagrams.
#[derive(Clone)]
pub struct Diagrams<V, F, G = NoRoughBound, W = NoWatch> {
    layers: Restricted<V, F>,
    cut_width: usize,
    rough: G,
    watch: W,
}

debug_fields!(impl[V, F, G, W] Diagrams<V, F, G, W>: layers, cut_width);

impl<V, F, G, W> WithoutFrontier for Diagrams<V, F, G, W> {}
impl<V, F, G, W> Resumable for Diagrams<V, F, G, W> {}

impl<V, F, G, W> Diagrams<V, F, G, W> {
    /// Creates the selection of the nodes of a tree. `shared` has the thresholds of all walks of
    /// the run, if there are several.
    fn into_selection<P: DiagramProblem, B: Brancher<P>, H: Hooks<P>>(
        self,
        tree: &SearchTree<'_, P, B, H>,
        shared: Option<SharedThresholds<P::State, V>>,
    ) -> CutSets<P, V, F, G, W>
    where
        V: AdditiveValue,
        F: Fn(&P, &P::State) -> V,
        G: RoughBound<P, V>,
    {
        let mut remembers_visited = tree.brancher.memory().includes_visited();
        tree.hooks.each(&mut |hook| remembers_visited |= hook.memory().includes_visited());
        let Diagrams { layers, cut_width, rough, watch } = self;
        let optimises = tree.objective_incumbent == Some(layers.incumbent.id());
        // A hook that remembers visited nodes may have cut off a node because of another one, which
        // may be left to a different walk. Blocks of memory that one thread allocates and another
        // one reads and frees cost more than they save: a quarter of the time of MAX-2SAT with two
        // threads.
        let is_shared = !remembers_visited && !needs_drop::<P::State>();
        let mut cut_sets = CutSets::new(layers, optimises, (rough, watch), !remembers_visited);
        cut_sets.cut_width = cut_sets.cut_width.min(cut_width);
        if let Some(shared) = shared.filter(|_| is_shared) {
            cut_sets.thresholds = KnownThresholds::Shared(shared);
        }
        cut_sets
    }
}

impl<P, B, H, V, F, G, W> IntoWalk<P, B, H> for Diagrams<V, F, G, W>
where
    P: DiagramProblem,
    B: Brancher<P>,
    H: Hooks<P>,
    V: AdditiveValue,
    F: Fn(&P, &P::State) -> V,
    G: RoughBound<P, V>,
    W: WatchBound<V>,
{
    type Walk<'p>
        = BreadthFirstWalk<'p, P, B, H, CutSets<P, V, F, G, W>>
    where
        P: 'p;

    fn loss(&self) -> Option<StrategyLoss> {
        Some(self.layers.loss())
    }

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        let selection = self.into_selection(&tree, None);
        BreadthFirstWalk::new(tree, selection)
    }
}

impl<P, B, H, V, F, G> Divisible<P, B, H> for Diagrams<V, F, G>
where
    P: DiagramProblem<State: Send>,
    B: Brancher<P>,
    H: Hooks<P>,
    V: AdditiveValue + Send,
    F: Fn(&P, &P::State) -> V + Clone + Send,
    G: RoughBound<P, V> + Clone + Send,
{
    type DivisibleWalk<'p>
        = BreadthFirstWalk<'p, P, B, H, CutSets<P, V, F, G, NoWatch>>
    where
        P: 'p;

    type Shared = SharedThresholds<P::State, V>;

    fn into_idle_walk<'p>(
        self,
        tree: SearchTree<'p, P, B, H>,
        shared: Self::Shared,
    ) -> Self::DivisibleWalk<'p>
    where
        P::Choice: Clone,
    {
        let selection = self.into_selection(&tree, Some(shared));
        BreadthFirstWalk::idle(tree, selection)
    }
}
