//! Restricted diagrams: a beam search that unites equal states.

use std::marker::PhantomData;

use super::breadth_first::{BreadthFirstWalk, weaken_by_dropping};
use super::open_levels::{ChildrenOf, Open, OpenNodes, OpenOf, Selection};
use crate::brancher::Brancher;
use crate::diagram::DiagramProblem;
use crate::diagram::layers::{LayerNode, Reduction};
use crate::digest::Digest;
use crate::effect::{Substitute, SubstituteOrder};
use crate::hook::{Hooks, StrategyLoss};
use crate::incumbent::{Direction, IncumbentId, Objective, ObjectiveValue};
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
    /// use secateurs_problems::knapsack::Knapsack;
    ///
    /// let knapsack = Knapsack::strongly_correlated(60, 100, 1)?;
    /// let value = Knapsack::objective();
    /// let outcome = Search::new(&knapsack).restricted(&value, 50).best(&value);
    /// assert!(outcome.best_so_far().is_some_and(|&value| value > 1600)); // of 1702
    /// assert_eq!(outcome.proven(), None);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn restricted<V: ObjectiveValue, F: Fn(&P, &P::State) -> V + Clone>(
        self,
        objective: &Objective<P, V, F>,
        width: usize,
    ) -> Search<'p, P, B, H, X, Restricted<V, F>>
    where
        P: DiagramProblem,
    {
        self.with_strategy(Restricted::new(objective, width))
    }
}

/// Strategy of [`Search::restricted`]: one restricted diagram.
#[derive(Clone)]
pub struct Restricted<V, F> {
    incumbent: IncumbentId,
    /// The digest of the objective, and whether it holds in other processes.
    objective: (Digest, bool),
    pub(super) direction: Direction,
    pub(super) value: F,
    pub(super) width: usize,
    values: PhantomData<fn() -> V>,
}

impl<V, F> Restricted<V, F> {
    pub(super) fn new<P: Problem>(objective: &Objective<P, V, F>, width: usize) -> Self
    where
        V: ObjectiveValue,
        F: Fn(&P, &P::State) -> V + Clone,
    {
        let id = objective.id();
        Restricted {
            incumbent: id.incumbent(),
            objective: (id.digest(), id.name().is_some()),
            direction: objective.incumbent().direction(),
            value: objective.value.clone(),
            width: width.max(1),
            values: PhantomData,
        }
    }

    /// Returns the claim about the states that are lost by uniting.
    pub(super) fn loss(&self) -> StrategyLoss {
        StrategyLoss {
            name: "uniting equal states",
            incumbent: self.incumbent,
            objective: self.objective,
            substitute: Substitute::Elsewhere(SubstituteOrder::FewerChoices),
        }
    }
}

debug_fields!(impl[V, F] Restricted<V, F>: width);

impl<V, F> WithoutFrontier for Restricted<V, F> {}

impl<P: DiagramProblem, B: Brancher<P>, H: Hooks<P>, V: ObjectiveValue, F: Fn(&P, &P::State) -> V>
    IntoWalk<P, B, H> for Restricted<V, F>
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

/// Unites equal states, and keeps the most promising nodes of each layer.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct KeepMostPromising<P: Problem, V, F> {
    pub(super) strategy: Restricted<V, F>,
    pub(super) reduction: Reduction<V>,
    /// The number of nodes that were dropped, other than in favour of an equal state.
    dropped: u64,
    problem: PhantomData<fn(&P)>,
}

/// The nodes of a layer of a problem `P` with a brancher `B`, with their values.
pub(super) type LayerOf<P, B, V> = Layer<<P as Problem>::State, ChildrenOf<P, B>, V>;

/// The nodes of a layer, with their values.
pub(super) type Layer<S, K, V> = Vec<LayerNode<Open<S, K>, V>>;

impl<P: DiagramProblem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V> KeepMostPromising<P, V, F> {
    pub(super) fn new(strategy: Restricted<V, F>) -> Self {
        KeepMostPromising {
            strategy,
            reduction: Reduction::new(),
            dropped: 0,
            problem: PhantomData,
        }
    }

    /// Takes the nodes of the current level, and unites equal ones.
    ///
    /// # Errors
    ///
    /// Returns the reason why the walk must end. The level then has its nodes in any order.
    pub(super) fn take_distinct<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
    ) -> Result<LayerOf<P, B, V>, Stop> {
        let nodes = open.levels.current().len();
        let layers = nodes.saturating_mul(2 * size_of::<LayerNode<OpenOf<P, B>, V>>());
        open.check_memory(layers.saturating_add(Reduction::<V>::bytes_of(nodes)))?;
        let mut layer = Vec::with_capacity(nodes);
        let distinct = self.unite(open, &mut layer);
        let (distinct, mut layer) = open.or_restore(distinct, layer)?;
        for node in layer.drain(distinct..) {
            open.base.tree.count_strategy_cut(node.state.position.depth);
            open.release(node.state.position, &node.state.state);
        }
        Ok(layer)
    }

    /// Moves the nodes of the current level to `layer`, and unites equal ones.
    fn unite<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
        layer: &mut LayerOf<P, B, V>,
    ) -> Result<usize, Stop> {
        let problem = open.base.tree.problem;
        let Restricted { direction, value, .. } = &self.strategy;
        while let Some(node) = open.levels.pop() {
            layer.push(LayerNode { value: value(problem, &node.state), state: node });
            open.base.check_step()?;
        }
        let check = || open.base.check_step();
        self.reduction.unite(problem, *direction, layer, |open| &open.state, check)
    }

    /// Divides a layer into the nodes that are kept, if there are more of them, and the others. The
    /// nodes of the best values that `promise` returns are kept, or `by_rank`, those of the highest
    /// ranks.
    ///
    /// # Errors
    ///
    /// Returns the reason why the walk must end. The nodes are then in the current level.
    #[allow(clippy::type_complexity, reason = "two layers")]
    pub(super) fn split<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
        mut layer: LayerOf<P, B, V>,
        by_rank: bool,
        promise: impl Fn(&P::State, &V) -> V,
    ) -> Result<(LayerOf<P, B, V>, LayerOf<P, B, V>), Stop> {
        let Restricted { direction, width, .. } = self.strategy;
        if layer.len() <= width {
            return Ok((layer, Vec::new()));
        }
        let problem = open.base.tree.problem;
        let promise = |node: &LayerNode<OpenOf<P, B>, V>| {
            let state = &node.state.state;
            (promise(state, &node.value), problem.rank(state))
        };
        let check = || open.base.check_step();
        let selected =
            self.reduction.select((direction, by_rank), &mut layer, width, promise, check);
        let ((), mut layer) = open.or_restore(selected, layer)?;
        let others = layer.split_off(width);
        Ok((layer, others))
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>> OpenNodes<'_, '_, P, B, H> {
    /// Returns the nodes of a layer with a result, or moves them to the current level if it is an
    /// error.
    fn or_restore<T, V>(
        &mut self,
        result: Result<T, Stop>,
        layer: LayerOf<P, B, V>,
    ) -> Result<(T, LayerOf<P, B, V>), Stop> {
        match result {
            Ok(value) => Ok((value, layer)),
            Err(stop) => {
                self.levels.current().extend(layer.into_iter().map(|node| node.state));
                Err(stop)
            }
        }
    }
}

impl<P: DiagramProblem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V> Selection<P>
    for KeepMostPromising<P, V, F>
{
    fn level(&self, problem: &P, state: &P::State, _: usize) -> usize {
        problem.layer(state)
    }

    fn select<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
    ) -> Result<(), Stop> {
        let layer = self.take_distinct(open)?;
        let (layer, others) = self.split(open, layer, false, |_, value| value.clone())?;
        for node in others {
            open.release(node.state.position, &node.state.state);
            self.dropped += 1;
        }
        open.levels.current().extend(layer.into_iter().map(|node| node.state));
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.reduction.bytes()
    }

    fn weaken(&self, report: &mut Report) {
        weaken_by_dropping(report, "the restricted diagram", self.dropped);
    }
}
