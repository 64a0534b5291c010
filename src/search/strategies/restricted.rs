//! Restricted diagrams: a beam search that unites equal states.

use std::marker::PhantomData;

use super::breadth_first::{BreadthFirstWalk, weaken_by_dropping};
use super::open_levels::{OpenNodes, OpenOf, Selection};
use crate::brancher::Brancher;
use crate::diagram::DiagramProblem;
use crate::diagram::layers::{LayerNode, Reduction};
use crate::digest::Digest;
use crate::effect::{Substitute, SubstituteOrder};
use crate::hook::{Hooks, StrategyLoss};
use crate::incumbent::{Incumbent, Objective, ObjectiveValue};
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
    /// The incumbent of the objective.
    pub(super) incumbent: Incumbent<V>,
    /// The digest of the objective, and whether it holds in other processes.
    objective: (Digest, bool),
    pub(super) value: F,
    pub(super) width: usize,
}

impl<V: ObjectiveValue, F> Restricted<V, F> {
    pub(super) fn new<P: Problem>(objective: &Objective<P, V, F>, width: usize) -> Self
    where
        F: Fn(&P, &P::State) -> V + Clone,
    {
        let id = objective.id();
        Restricted {
            incumbent: objective.incumbent().clone().unrecorded(),
            objective: (id.digest(), id.name().is_some()),
            value: objective.value.clone(),
            width: width.max(1),
        }
    }

    /// Returns the claim about the states that are lost by uniting.
    pub(super) fn loss(&self) -> StrategyLoss {
        StrategyLoss {
            name: "uniting equal states",
            incumbent: self.incumbent.id(),
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
pub(super) type LayerOf<P, B, V> = Vec<LayerNode<OpenOf<P, B>, V>>;

impl<P: DiagramProblem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V> KeepMostPromising<P, V, F> {
    pub(super) fn new(strategy: Restricted<V, F>) -> Self {
        KeepMostPromising {
            strategy,
            reduction: Reduction::new(),
            dropped: 0,
            problem: PhantomData,
        }
    }

    /// Moves the nodes of the current level to an empty layer, and unites equal ones.
    ///
    /// # Errors
    ///
    /// Returns the reason why the walk must end. The nodes are then in the level or in the layer.
    pub(super) fn take_distinct<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
        layer: &mut LayerOf<P, B, V>,
    ) -> Result<(), Stop> {
        let problem = open.base.tree.problem;
        let Restricted { incumbent, value, .. } = &self.strategy;
        let nodes = open.levels.current().len();
        let layers = nodes.saturating_mul(2 * size_of::<LayerNode<OpenOf<P, B>, V>>());
        open.check_memory(layers.saturating_add(Reduction::<V>::bytes_of(nodes)))?;
        layer.reserve_exact(nodes);
        while let Some(node) = open.levels.pop() {
            layer.push(LayerNode { value: value(problem, &node.state), state: node });
            open.base.check_step()?;
        }
        let check = || open.base.check_step();
        let distinct = self.reduction.unite(
            problem,
            incumbent.direction(),
            layer,
            |open| &open.state,
            check,
        )?;
        for node in layer.drain(distinct..) {
            open.base.tree.count_strategy_cut(node.state.position.depth);
            open.release(node.state.position, &node.state.state);
        }
        Ok(())
    }

    /// Takes the nodes of a layer that are not kept, if there are too many of them. The nodes of
    /// the best values that `promise` returns are kept, or `by_rank`, those of the highest ranks.
    ///
    /// # Errors
    ///
    /// Returns the reason why the walk must end. All nodes are then in the layer.
    pub(super) fn take_others<B: Brancher<P>, H: Hooks<P>>(
        &mut self,
        open: &mut OpenNodes<'_, '_, P, B, H>,
        layer: &mut LayerOf<P, B, V>,
        by_rank: bool,
        promise: impl Fn(&P::State, &V) -> V,
    ) -> Result<LayerOf<P, B, V>, Stop> {
        let Restricted { ref incumbent, width, .. } = self.strategy;
        if layer.len() <= width {
            return Ok(Vec::new());
        }
        let problem = open.base.tree.problem;
        let promise = |node: &LayerNode<OpenOf<P, B>, V>| {
            let state = &node.state.state;
            (promise(state, &node.value), problem.rank(state))
        };
        let check = || open.base.check_step();
        let order = (incumbent.direction(), by_rank);
        self.reduction.select(order, layer, width, promise, check)?;
        Ok(layer.split_off(width))
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
        let mut layer = Vec::new();
        let others = self
            .take_distinct(open, &mut layer)
            .and_then(|()| self.take_others(open, &mut layer, false, |_, value| value.clone()));
        open.levels.current().extend(layer.into_iter().map(|node| node.state));
        for node in others? {
            open.release(node.state.position, &node.state.state);
            self.dropped += 1;
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.reduction.bytes()
    }

    fn weaken(&self, report: &mut Report) {
        weaken_by_dropping(report, "the restricted diagram", self.dropped);
    }
}
