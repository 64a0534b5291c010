//! Searches that unite equal states: restricted diagrams, and branch and bound on diagrams.
//!
//! Both are level-by-level walks of the [breadth-first search](super::breadth_first) with another
//! [`Selection`]. The levels are the [layers](DiagramProblem::layer) of the problem.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fmt;
use std::marker::PhantomData;
use std::mem::{self, needs_drop};

use super::breadth_first::{BreadthFirstWalk, weaken_by_dropping};
use super::noncontiguous::{NodeRef, Noncontiguous};
use super::open_levels::{Open, OpenLevels, Selection, check_memory};
use crate::brancher::Brancher;
use crate::diagram::layers::{LayerNode, Reduction};
use crate::diagram::local_bounds::LocalBounds;
use crate::diagram::thresholds::Thresholds;
use crate::diagram::{AdditiveValue, DiagramProblem, NoRoughBound, RoughBound};
use crate::effect::{Effect, Substitute, SubstituteOrder};
use crate::hook::{Hooks, StrategyLoss};
use crate::incumbent::{Direction, Incumbent, IncumbentId, Objective, ObjectiveValue};
use crate::limits::Stop;
use crate::problem::Problem;
use crate::report::Report;
use crate::search::builder::Search;
use crate::search::tree::SearchTree;
use crate::search::walk::{IntoWalk, WithoutFrontier};

impl<'p, P: Problem, B, H, X> Search<'p, P, B, H, X> {
    /// Searches layer by layer, unites equal states, and keeps only the `width` most promising
    /// nodes of each layer: a *restricted diagram* (Bergman, Cire, van Hoeve and Hooker 2016). A
    /// width of 0 is treated as 1.
    ///
    /// Of states with equal [keys](DiagramProblem::key), the one with the best value so far is
    /// searched. The nodes of the best values are kept, of these the ones of the highest
    /// [ranks](DiagramProblem::rank). It finds good solutions early, for example as a phase of an
    /// [`Anytime`](crate::search::Anytime) search. If it dropped any node, it is
    /// [lossy](crate::Effect::Lossy), and its report says how many. If not, it proves the optimum
    /// by this objective.
    ///
    /// Uniting counts as a hook of [`SubstituteOrder::FewerChoices`] in the
    /// [rule for combinations](crate::hook#hooks-together). Memory: as for a
    /// [beam](Search::beam).
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::knapsack::Knapsack;
    ///
    /// let knapsack = Knapsack::strongly_correlated(60, 100, 1)?;
    /// let value = Knapsack::objective();
    /// let outcome = Search::new(&knapsack).restricted(&value, 50).best(&value);
    /// assert!(outcome.best_so_far().is_some_and(|&value| value > 1600)); // of 1702
    /// assert_eq!(outcome.proven(), None);
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    pub fn restricted<V, F>(
        self,
        objective: &Objective<P, V, F>,
        width: usize,
    ) -> Search<'p, P, B, H, X, Restricted<V, F>>
    where
        P: DiagramProblem,
        V: ObjectiveValue,
        F: Fn(&P, &P::State) -> V + Clone,
    {
        self.with_strategy(Restricted::new(objective, width))
    }

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
    /// Uniting counts as a hook of [`SubstituteOrder::FewerChoices`] in the
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

/// Strategy of [`Search::restricted`]: one restricted diagram.
#[derive(Clone)]
pub struct Restricted<V, F> {
    incumbent: IncumbentId,
    direction: Direction,
    value: F,
    width: usize,
    values: PhantomData<fn() -> V>,
}

impl<V, F> Restricted<V, F> {
    fn new<P: Problem>(objective: &Objective<P, V, F>, width: usize) -> Self
    where
        V: ObjectiveValue,
        F: Fn(&P, &P::State) -> V + Clone,
    {
        Restricted {
            incumbent: objective.incumbent().id(),
            direction: objective.incumbent().direction(),
            value: objective.value_function().clone(),
            width: width.max(1),
            values: PhantomData,
        }
    }

    /// Returns the claim about the states that are lost by uniting.
    fn loss(&self) -> StrategyLoss {
        StrategyLoss {
            name: "uniting equal states",
            incumbent: self.incumbent,
            substitute: Substitute::Elsewhere(SubstituteOrder::FewerChoices),
        }
    }
}

impl<V, F> fmt::Debug for Restricted<V, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Restricted").field("width", &self.width).finish_non_exhaustive()
    }
}

impl<V, F> WithoutFrontier for Restricted<V, F> {}

impl<P, B, H, V, F> IntoWalk<P, B, H> for Restricted<V, F>
where
    P: DiagramProblem,
    B: Brancher<P>,
    H: Hooks<P>,
    V: ObjectiveValue,
    F: Fn(&P, &P::State) -> V,
{
    type Walk<'p>
        = BreadthFirstWalk<'p, P, B, H, KeepMostPromising<P, V, F>>
    where
        P: 'p;

    fn loss(&self) -> Option<StrategyLoss> {
        Some(Restricted::loss(self))
    }

    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p> {
        BreadthFirstWalk::new(tree, KeepMostPromising::new(self))
    }
}

/// Strategy of [`Search::diagrams`]: branch and bound on diagrams.
pub struct Diagrams<'w, V, F, G = NoRoughBound> {
    layers: Restricted<V, F>,
    incumbent: Incumbent<V>,
    rough: G,
    watch: Option<WatchBound<'w, V>>,
}

/// A callback for bounds of the optimum.
type WatchBound<'w, V> = Box<dyn FnMut(&V) + 'w>;

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
        let optimises = tree.objective_incumbent == Some(self.incumbent.id());
        let selection = CutSets::new(self, optimises, remembers_visited);
        BreadthFirstWalk::new(tree, selection)
    }
}

/// Unites equal states, and keeps the most promising nodes of each layer.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct KeepMostPromising<P: Problem, V, F> {
    strategy: Restricted<V, F>,
    reduction: Reduction<V>,
    /// The number of nodes that were dropped, other than in favour of an equal state.
    dropped: u64,
    problem: PhantomData<fn(&P)>,
}

/// The nodes of a layer, with their values.
type Layer<S, K, V> = Vec<LayerNode<Open<S, K>, V>>;

impl<P, V, F> KeepMostPromising<P, V, F>
where
    P: DiagramProblem,
    V: ObjectiveValue,
    F: Fn(&P, &P::State) -> V,
{
    fn new(strategy: Restricted<V, F>) -> Self {
        KeepMostPromising {
            strategy,
            reduction: Reduction::new(),
            dropped: 0,
            problem: PhantomData,
        }
    }

    /// Takes the nodes of the current level, and unites equal ones.
    fn take_distinct<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        open: &mut OpenLevels<P::State, B::Cursor>,
        used: usize,
    ) -> Result<Layer<P::State, B::Cursor, V>, Stop> {
        let problem = base.tree.problem;
        let Restricted { direction, value, .. } = &self.strategy;
        let nodes = open.current();
        let bytes = size_of::<LayerNode<Open<P::State, B::Cursor>, V>>();
        check_memory(nodes.len().saturating_mul(2 * bytes), used, base.tree.max_bytes)?;
        let mut layer: Vec<_> = nodes
            .drain(..)
            .map(|open| LayerNode { value: value(problem, &open.state), state: open })
            .collect();
        let distinct = self.reduction.unite(problem, *direction, &mut layer, |open| &open.state);
        for node in layer.drain(distinct..) {
            release(base, open, &node.state.into());
        }
        Ok(layer)
    }

    /// Moves the nodes to the front that are kept, if there are more of them. Returns the others.
    fn split_off<K>(
        &mut self,
        problem: &P,
        layer: &mut Layer<P::State, K, V>,
    ) -> Layer<P::State, K, V> {
        let Restricted { direction, width, .. } = self.strategy;
        if layer.len() <= width {
            return Vec::new();
        }
        self.reduction.select(problem, direction, layer, width, |open| &open.state);
        layer.split_off(width)
    }
}

/// Releases a node that is not expanded.
fn release<P: Problem, B: Brancher<P>, H: Hooks<P>>(
    base: &mut Noncontiguous<'_, P, B, H>,
    open: &mut OpenLevels<P::State, B::Cursor>,
    node: &CutNode<P::State>,
) {
    base.arena.release(node.position.id);
    open.subtract_heap_bytes(base.tree.problem, &node.state);
}

impl<P, V, F> Selection<P> for KeepMostPromising<P, V, F>
where
    P: DiagramProblem,
    V: ObjectiveValue,
    F: Fn(&P, &P::State) -> V,
{
    fn level(&self, problem: &P, state: &P::State, _: usize) -> usize {
        problem.layer(state)
    }

    fn select<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        open: &mut OpenLevels<P::State, B::Cursor>,
        used: usize,
    ) -> Result<(), Stop> {
        let mut layer = self.take_distinct(base, open, used)?;
        for node in self.split_off(base.tree.problem, &mut layer) {
            release(base, open, &node.state.into());
            self.dropped += 1;
        }
        open.current().extend(layer.into_iter().map(|node| node.state));
        Ok(())
    }

    fn weaken(&self, report: &mut Report) {
        weaken_by_dropping(report, "the restricted diagram", self.dropped);
    }
}

/// A node of a cut-set, or one that is released.
struct CutNode<S> {
    position: NodeRef,
    state: S,
    barren: bool,
    tag: u32,
}

impl<S, K> From<Open<S, K>> for CutNode<S> {
    fn from(open: Open<S, K>) -> Self {
        let Open { position, state, barren, tag, .. } = open;
        CutNode { position, state, barren, tag }
    }
}

/// A node of a cut-set that waits to be expanded.
struct Waiting<S, V> {
    bound: V,
    direction: Direction,
    layer: usize,
    /// The number of nodes opened before it.
    serial: u64,
    node: CutNode<S>,
}

/// The greater of two nodes is expanded first: the one of the better bound, then of the later
/// layer, then the one that was opened first.
impl<S, V: Ord> Ord for Waiting<S, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        let bounds = match self.direction {
            Direction::Maximise => self.bound.cmp(&other.bound),
            Direction::Minimise => other.bound.cmp(&self.bound),
        };
        let layers = self.layer.cmp(&other.layer);
        bounds.then(layers).then_with(|| other.serial.cmp(&self.serial))
    }
}

impl<S, V: Ord> PartialOrd for Waiting<S, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<S, V: Ord> PartialEq for Waiting<S, V> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<S, V: Ord> Eq for Waiting<S, V> {}

/// A node above the cut-set of the current diagram, or in it.
struct ExactNode<S, V> {
    parent: Option<u32>,
    layer: usize,
    value: V,
    /// The state, when the node has been expanded.
    state: Option<S>,
    /// The best one of the solutions at the node and its children, and of the bounds of children
    /// that were not opened.
    best: Option<V>,
    /// The threshold of the state so far; `None` means that no value is good enough.
    threshold: Option<V>,
    /// The node with an equal state in favour of which this one was dropped.
    twin: Option<u32>,
}

/// The nodes of the current diagram from its root to the cut-set, and what they imply for the
/// [thresholds](Thresholds) of their states. A node has the tag that is its index.
struct ExactNodes<S, V> {
    direction: Direction,
    nodes: Vec<ExactNode<S, V>>,
    heap_bytes: usize,
}

impl<S, V: AdditiveValue> ExactNodes<S, V> {
    /// Adds a node, and returns its tag; `best` is its value if it is a solution.
    fn add(&mut self, parent: Option<u32>, layer: usize, value: V, best: Option<V>) -> u32 {
        #[allow(clippy::cast_possible_truncation, reason = "as many as open nodes")]
        let tag = self.nodes.len() as u32;
        let (state, threshold, twin) = (None, None, None);
        self.nodes.push(ExactNode { parent, layer, value, state, best, threshold, twin });
        tag
    }

    /// Records a solution, or the bound of a child that was not opened.
    fn prune(&mut self, parent: u32, bound: V) {
        let best = &mut self.nodes[parent as usize].best;
        if best.as_ref().is_none_or(|best| self.direction.is_better(&bound, best)) {
            *best = Some(bound);
        }
    }

    /// Lowers the threshold of a node: of a `value` that leads to it, `threshold` is good enough to
    /// lead to nothing better.
    fn lower(&mut self, node: u32, value: &V, threshold: &V) {
        let node = &mut self.nodes[node as usize];
        // If the difference is not representable, the value itself is a lower threshold.
        let own = node.value.moved(value, threshold).unwrap_or_else(|| node.value.clone());
        if node.threshold.as_ref().is_none_or(|known| self.direction.is_better(known, &own)) {
            node.threshold = Some(own);
        }
    }

    /// Computes the thresholds of all nodes from below, calls `learn` with each state and its
    /// threshold, and removes the nodes. `incumbent` is the best value so far, if there is one.
    fn finish(&mut self, incumbent: Option<&V>, mut learn: impl FnMut(usize, S, V)) {
        let direction = self.direction;
        let mut order: Vec<u32> = (0..).take(self.nodes.len()).collect();
        // Children and thresholds of twins come before the nodes that depend on them.
        order.sort_by_key(|&node| Reverse(self.nodes[node as usize].layer));
        for &index in &order {
            let node = &self.nodes[index as usize];
            let value = node.value.clone();
            if let Some(best) = node.best.clone() {
                let incumbent = incumbent.filter(|known| !direction.is_better(&best, known));
                self.lower(index, &best, &incumbent.cloned().unwrap_or_else(|| best.clone()));
            }
            let twin = self.nodes[index as usize].twin;
            let known = &self.nodes[twin.unwrap_or(index) as usize].threshold;
            let (parent, known) = (self.nodes[index as usize].parent, known.clone());
            if let (Some(parent), Some(threshold)) = (parent, known) {
                self.lower(parent, &value, &threshold);
            }
        }
        for node in self.nodes.drain(..) {
            if let (Some(state), None) = (node.state, node.twin) {
                learn(node.layer, state, node.threshold.unwrap_or(node.value));
            }
        }
        self.heap_bytes = 0;
    }
}

/// Expands one node after another by diagrams, and opens the nodes of their cut-sets.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct CutSets<'w, P: Problem, V, F, G> {
    layers: KeepMostPromising<P, V, F>,
    /// The incumbent that nodes must beat, if the run optimises by this objective.
    incumbent: Option<Incumbent<V>>,
    rough: G,
    /// Whether a restricted diagram continues below a cut-set.
    continues: bool,
    local: LocalBounds<P::State, V>,
    exact: ExactNodes<P::State, V>,
    thresholds: Thresholds<P::State, V>,
    /// The cut-set of the current diagram.
    cut_set: Vec<CutNode<P::State>>,
    /// Whether the current diagram has a cut-set already.
    is_cut: bool,
    /// The bound of the root of the current diagram, if it is known.
    bound: Option<V>,
    waiting: BinaryHeap<Waiting<P::State, V>>,
    /// The number of nodes opened so far.
    opened: u64,
    /// Whether nodes were pruned because they did not beat the incumbent.
    has_pruned: bool,
    watch: Option<WatchBound<'w, V>>,
    /// The last bound that was passed to the callback.
    watched: Option<V>,
}

impl<'w, P, V, F, G> CutSets<'w, P, V, F, G>
where
    P: DiagramProblem,
    V: AdditiveValue,
    F: Fn(&P, &P::State) -> V,
    G: RoughBound<P, V>,
{
    fn new(strategy: Diagrams<'w, V, F, G>, optimises: bool, remembers_visited: bool) -> Self {
        let direction = strategy.layers.direction;
        CutSets {
            layers: KeepMostPromising::new(strategy.layers),
            incumbent: optimises.then_some(strategy.incumbent),
            rough: strategy.rough,
            continues: optimises && !remembers_visited,
            local: LocalBounds::new(),
            exact: ExactNodes { direction, nodes: Vec::new(), heap_bytes: 0 },
            thresholds: Thresholds::new(),
            cut_set: Vec::new(),
            is_cut: false,
            bound: None,
            waiting: BinaryHeap::new(),
            opened: 0,
            has_pruned: false,
            watch: strategy.watch,
            watched: None,
        }
    }

    /// Returns the value so far of a state.
    fn value(&self, problem: &P, state: &P::State) -> V {
        (self.layers.strategy.value)(problem, state)
    }

    /// Returns whether the nodes that are entered are exact, and count for thresholds.
    fn records(&self) -> bool {
        self.incumbent.is_some() && !self.is_cut
    }

    /// Returns whether anything below a node with this bound may still be wanted.
    fn may_improve(&mut self, bound: &V) -> bool {
        let wanted = self.incumbent.as_mut().is_none_or(|incumbent| incumbent.is_beaten_by(bound));
        self.has_pruned |= !wanted;
        wanted
    }

    /// Returns a bound for each node of the cut-set: `None` if there is no solution at or below it.
    /// Without an incumbent, it is the value so far.
    fn bounds<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
    ) -> Result<Vec<Option<V>>, Stop> {
        let problem = base.tree.problem;
        let Restricted { direction, width, value, .. } = &self.layers.strategy;
        let states = self.cut_set.iter().map(|node| &node.state);
        let Some(incumbent) = &mut self.incumbent else {
            return Ok(states.map(|state| Some(value(problem, state))).collect());
        };
        let wanted_value = |state: &P::State| match self.rough.at(problem, state) {
            Some(bound) if !incumbent.is_beaten_by(&bound) => Err(bound),
            _ => Ok(value(problem, state)),
        };
        let check = || base.check_clock();
        let bounds =
            self.local.compile(problem, *direction, *width, states, wanted_value, check)?;
        // The bound of the diagram's root, or the rough bound of the node, may be tighter.
        let bounds = bounds.zip(&self.cut_set).map(|(bound, node)| {
            let others = [self.bound.clone(), self.rough.at(problem, &node.state)];
            let worse =
                |one: V, other: V| if direction.is_better(&one, &other) { other } else { one };
            Some(others.into_iter().flatten().fold(bound?, worse))
        });
        Ok(bounds.collect())
    }

    /// Moves the nodes of the cut-set that may improve to those that wait.
    fn open_cut_set<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        open: &mut OpenLevels<P::State, B::Cursor>,
        used: usize,
    ) -> Result<(), Stop> {
        let problem = base.tree.problem;
        let bounds = self.bounds(base)?;
        let max_bytes = base.tree.max_bytes;
        let bytes = bounds.len().saturating_mul(size_of::<Waiting<P::State, V>>());
        // The heap may double when it grows.
        let waiting = self.waiting.capacity() * size_of::<Waiting<P::State, V>>();
        check_memory(bytes.saturating_add(waiting), used + self.local.bytes(), max_bytes)?;
        for (node, bound) in mem::take(&mut self.cut_set).into_iter().zip(bounds) {
            let layer = problem.layer(&node.state);
            let is_wanted = bound.as_ref().is_some_and(|bound| self.may_improve(bound));
            self.has_pruned |= !is_wanted;
            if self.incumbent.is_some() {
                let value = self.value(problem, &node.state);
                match &bound {
                    Some(_) if is_wanted => self.exact.lower(node.tag, &value, &value),
                    Some(bound) => self.exact.prune(node.tag, bound.clone()),
                    None => {}
                }
                self.exact.nodes[node.tag as usize].state = Some(node.state.clone());
            }
            match bound {
                Some(bound) if is_wanted => {
                    self.opened += 1;
                    let (direction, serial) = (self.layers.strategy.direction, self.opened);
                    self.waiting.push(Waiting { bound, direction, layer, serial, node });
                }
                _ => release(base, open, &node),
            }
        }
        Ok(())
    }

    /// Raises the thresholds of the states of the current diagram.
    fn learn<B: Brancher<P>, H: Hooks<P>>(&mut self, base: &Noncontiguous<'_, P, B, H>) {
        let direction = self.layers.strategy.direction;
        // A quarter of the memory is enough for a table that only saves work.
        let max_bytes = base.tree.max_bytes / 4;
        let incumbent = self.incumbent.as_mut().and_then(Incumbent::current);
        self.exact.finish(incumbent, |layer, state, threshold| {
            let place = (layer, state);
            self.thresholds.raise(base.tree.problem, direction, place, threshold, max_bytes);
        });
    }
}

impl<P, V, F, G> Selection<P> for CutSets<'_, P, V, F, G>
where
    P: DiagramProblem,
    V: AdditiveValue,
    F: Fn(&P, &P::State) -> V,
    G: RoughBound<P, V>,
{
    fn level(&self, problem: &P, state: &P::State, _: usize) -> usize {
        problem.layer(state)
    }

    fn open(
        &mut self,
        problem: &P,
        parent: Option<u32>,
        state: &P::State,
        is_solution: bool,
    ) -> Option<u32> {
        if self.incumbent.is_none() {
            return Some(0);
        }
        let recorded_parent = parent.filter(|_| self.records());
        if let Some(bound) = self.rough.at(problem, state)
            && !self.may_improve(&bound)
        {
            if let Some(parent) = recorded_parent {
                self.exact.prune(parent, bound);
            }
            return None;
        }
        let (layer, value) = (problem.layer(state), self.value(problem, state));
        if let Some(threshold) = self.thresholds.get(problem, layer, state)
            && !self.layers.strategy.direction.is_better(&value, threshold)
        {
            if let Some(parent) = recorded_parent {
                self.exact.lower(parent, &value, threshold);
            }
            return None;
        }
        if self.is_cut {
            return Some(0);
        }
        let best = is_solution.then(|| value.clone());
        Some(self.exact.add(parent, layer, value, best))
    }

    fn end(&mut self, problem: &P, parent: Option<u32>, state: &P::State, is_solution: bool) {
        if let Some(parent) = parent.filter(|_| is_solution && self.records()) {
            let value = self.value(problem, state);
            self.exact.prune(parent, value);
        }
    }

    fn close<K>(&mut self, problem: &P, node: Open<P::State, K>, is_cut: bool) {
        if !self.records() {
            return;
        }
        let value = self.value(problem, &node.state);
        if is_cut {
            // A hook has cut off a child: nothing is known about better values.
            self.exact.lower(node.tag, &value, &value);
        }
        if const { needs_drop::<P::State>() } {
            self.exact.heap_bytes += problem.heap_bytes(&node.state);
        }
        self.exact.nodes[node.tag as usize].state = Some(node.state);
    }

    fn select<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        open: &mut OpenLevels<P::State, B::Cursor>,
        used: usize,
    ) -> Result<(), Stop> {
        let problem = base.tree.problem;
        let tags: Vec<u32> = match self.records() {
            true => open.current().iter().map(|node| node.tag).collect(),
            false => Vec::new(),
        };
        let mut layer = self.layers.take_distinct(base, open, used)?;
        for (&tag, &place) in tags.iter().zip(self.layers.reduction.places()) {
            let twin = layer[place as usize].state.tag;
            self.exact.nodes[tag as usize].twin = (twin != tag).then_some(twin);
        }
        let others = self.layers.split_off(problem, &mut layer);
        if others.is_empty() || self.is_cut {
            for node in others {
                release(base, open, &node.state.into());
            }
            open.current().extend(layer.into_iter().map(|node| node.state));
            return Ok(());
        }
        self.is_cut = true;
        let own = |state: &P::State| {
            if const { needs_drop::<P::State>() } { problem.heap_bytes(state) } else { 0 }
        };
        let own_bytes = layer.iter().map(|node| own(&node.state.state)).sum::<usize>()
            + open.all().map(|open| own(&open.state)).sum::<usize>();
        let copies = layer.len() + open.all().count();
        let bytes = (copies + others.len()).saturating_mul(size_of::<CutNode<P::State>>());
        check_memory(bytes.saturating_add(own_bytes), used, base.tree.max_bytes)?;
        self.cut_set.reserve_exact(copies + others.len());
        self.cut_set.extend(others.into_iter().map(|node| CutNode::from(node.state)));
        open.current().extend(layer.into_iter().map(|node| node.state));
        if self.continues {
            let first = self.cut_set.len();
            for node in open.all() {
                base.arena.retain(node.position.id);
                let Open { position, state, barren, tag, .. } = node;
                let (position, state, barren, tag) = (*position, state.clone(), *barren, *tag);
                self.cut_set.push(CutNode { position, state, barren, tag });
            }
            for node in &self.cut_set[first..] {
                open.add_heap_bytes(problem, &node.state);
            }
        } else {
            self.cut_set.extend(open.drain().map(CutNode::from));
        }
        Ok(())
    }

    fn refill<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        base: &mut Noncontiguous<'_, P, B, H>,
        open: &mut OpenLevels<P::State, B::Cursor>,
        used: usize,
    ) -> Result<(), Stop> {
        if self.is_cut {
            self.open_cut_set(base, open, used)?;
        }
        self.learn(base);
        self.is_cut = false;
        let problem = base.tree.problem;
        while let Some(next) = self.waiting.pop() {
            if !self.may_improve(&next.bound) {
                // No other node may improve either: their bounds are not better.
                release(base, open, &next.node);
                for other in mem::take(&mut self.waiting) {
                    release(base, open, &other.node);
                }
                return Ok(());
            }
            let CutNode { position, state, barren, .. } = next.node;
            let mut tag = 0;
            if self.incumbent.is_some() {
                let value = self.value(problem, &state);
                let threshold = self.thresholds.get(problem, next.layer, &state);
                let direction = self.layers.strategy.direction;
                if threshold.is_some_and(|threshold| direction.is_better(threshold, &value)) {
                    // An equal state has been found with a better value, or leads to nothing.
                    release(base, open, &CutNode { position, state, barren, tag });
                    continue;
                }
                // The next node has the best bound of all, which can only become tighter.
                let is_tighter = self.watched.as_ref().is_none_or(|watched| *watched != next.bound);
                if let Some(watch) = self.watch.as_mut().filter(|_| is_tighter) {
                    watch(&next.bound);
                    self.watched = Some(next.bound.clone());
                }
                self.bound = Some(next.bound);
                // None of its children has been entered, so that it is barren if no solution.
                let best = (!barren).then(|| value.clone());
                tag = self.exact.add(None, next.layer, value, best);
            }
            open.restart(next.layer);
            open.push(next.layer, Open { position, state, cursor: None, barren, tag });
            return Ok(());
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        let cut_set = self.cut_set.capacity() * size_of::<CutNode<P::State>>();
        let waiting = self.waiting.capacity() * size_of::<Waiting<P::State, V>>();
        let exact = self.exact.nodes.capacity() * size_of::<ExactNode<P::State, V>>();
        (cut_set + waiting + exact + self.local.bytes())
            .saturating_add(self.exact.heap_bytes)
            .saturating_add(self.thresholds.bytes())
    }

    fn weaken(&self, report: &mut Report) {
        if self.has_pruned {
            report.effect = report.effect.max(Effect::OptimumOnly);
        }
    }
}
