//! The interfaces between operations and strategies: a [`Walk`] through a tree, and a [`Strategy`],
//! which begins one.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::frontier::resume::BestSlot;
use super::frontier::subtree::Subtree;
use super::tree::SearchTree;
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node, StrategyLoss};
use crate::incumbent::reading::Reads;
use crate::limits::Stop;
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::Report;

/// A walk through a tree that can pause at a solution.
///
/// It is public because it bounds an associated type of [`IntoWalk`], but not exported.
pub trait Walk<P: Problem> {
    /// Continues the walk, calling `visit` at each solution. Returns `None` if the visitor broke
    /// off, or the reason why the walk has ended.
    fn advance<V: FnMut(&Node<'_, P>) -> ControlFlow<()>>(&mut self, visit: V) -> Option<Stop> {
        // The recording begins even if the walk has ended: if a hook of an outer run advances it,
        // the reads of this walk count for the outer run, too. See `Reads::begin`.
        let recording = self.reads().begin();
        if self.stop_mut().is_none() {
            // If a panic unwinds from here, the walk stays interrupted.
            *self.stop_mut() = Some(Stop::Interrupted);
            *self.stop_mut() = self.advance_unguarded(visit);
        }
        recording.end(self.reads());
        *self.stop_mut()
    }

    /// Continues the walk like [`advance`](Self::advance), for up to this many more nodes, also
    /// after a node limit.
    fn advance_by<V>(&mut self, nodes: u64, visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>,
    {
        if matches!(self.stop_mut(), None | Some(Stop::NodeLimit)) {
            self.allow_nodes(nodes);
        }
        self.advance(visit)
    }

    /// Replaces the node limit by that of the nodes visited so far and this many more, also if the
    /// walk has ended at such a limit.
    fn allow_nodes(&mut self, nodes: u64);

    /// Returns the reads of incumbents so far.
    fn reads(&mut self) -> &mut Reads;

    /// Continues a walk that has not ended. [`advance`](Walk::advance) calls this, and also records
    /// the reads of incumbents and handles panics.
    fn advance_unguarded<V>(&mut self, visit: V) -> Option<Stop>
    where
        V: FnMut(&Node<'_, P>) -> ControlFlow<()>;

    /// Returns the reason why the walk has ended, if it has.
    fn stop_mut(&mut self) -> &mut Option<Stop>;

    /// Returns the reason why the walk has ended, or [`Stop::Paused`] if it has not.
    fn stop(&self) -> Stop;

    /// Returns the report so far.
    fn report(&self) -> Report;

    /// Returns the count so far.
    fn count(&self) -> Count;

    /// Calls `visit` with the nodes of the best solutions that earlier runs have found, one for
    /// each part of the tree. It returns their values.
    fn revisit_best(&mut self, visit: impl FnMut(&Node<'_, P>) -> String) {
        let _ = visit;
    }

    /// Returns the slot for the best solution, if the run keeps its path.
    fn best_slot(&self) -> Option<BestSlot<P::Choice>> {
        None
    }
}

/// Implements the methods of a [`Walk`] that only need its tree, fuel and tally:
/// `walk_methods!(self, base)`, where `base` is the expression with the fields `tree`, `fuel` and
/// `tally`.
macro_rules! walk_methods {
    ($self:ident, $base:expr) => {
        fn allow_nodes(&mut $self, nodes: u64) {
            let tree = &mut $base.tree;
            if tree.stopped.take().is_some() && tree.saves() {
                // The paths to what was saved at the limit are replayed.
                tree.walks += 1;
            }
            tree.meter.allow_nodes(std::mem::take(&mut $base.fuel), nodes);
        }

        fn reads(&mut $self) -> &mut crate::incumbent::reading::Reads {
            &mut $base.tree.reads
        }

        fn stop_mut(&mut $self) -> &mut Option<Stop> {
            &mut $base.tree.stopped
        }

        fn stop(&$self) -> Stop {
            $base.tree.stop()
        }

        fn count(&$self) -> Count {
            $base.tree.count_so_far(&$base.tally)
        }
    };
}
pub(crate) use walk_methods;

/// A walk that searches subtrees, and whose remaining work can be taken away as subtrees.
///
/// It is public because it bounds an associated type of [`Divisible`], but not exported.
pub trait DivisibleWalk<'p, P: Problem + 'p, B: Brancher<P>, H: Hooks<P>>: Walk<P> {
    /// Returns the tree.
    fn tree(&mut self) -> &mut SearchTree<'p, P, B, H>;

    /// Returns the count of this walk alone, or `None` after an overflow.
    fn own_count(&self) -> Option<Count>;

    /// Appends a subtree to those that are still to be searched.
    fn push_pending(&mut self, subtree: Subtree<P::Choice>);

    /// Takes all subtrees that are still to be searched, in the order of the walk.
    fn extract_frontier(&mut self) -> VecDeque<Subtree<P::Choice>>;

    /// Returns all subtrees that are still to be searched. The walk must get them
    /// [back](Self::take_back) before it continues.
    fn lend_frontier(&mut self) -> VecDeque<Subtree<P::Choice>>;

    /// Takes back what [`lend_frontier`](Self::lend_frontier) has returned.
    fn take_back(&mut self, rest: VecDeque<Subtree<P::Choice>>);

    /// Takes away a part of the remaining work for another walk: nothing if there is too little.
    fn donate(&mut self) -> VecDeque<Subtree<P::Choice>>
    where
        P::Choice: Clone;

    /// Gives unused fuel back to the meter, and publishes the progress.
    fn settle(&mut self);

    /// Formats the path to the current node, or to its parent; works after a panic, too.
    fn describe_path(&self) -> String
    where
        P::Choice: std::fmt::Debug;

    /// Saves the remaining subtrees if the run has a [`Saver`](super::frontier::resume::Saver).
    /// `stop` is the reason why the run has ended, or [`Stop::Paused`] if it continues afterwards.
    #[cold]
    fn save(&mut self, stop: Stop) {
        if !self.tree().saves() {
            return;
        }
        let continues = stop == Stop::Paused;
        let rest = if continues { self.lend_frontier() } else { self.extract_frontier() };
        // The saved report says that the run stopped here. The walk itself is marked as stopped
        // only if it really is.
        let stopped = self.tree().stopped.replace(stop);
        let (count, mut report) = (self.own_count(), self.report());
        let tree = self.tree();
        tree.stopped = stopped;
        let truncated = tree.truncated;
        let rest = match &mut tree.resume {
            Some(resume) => resume.save(rest, count, &mut report, truncated),
            None => rest,
        };
        if continues {
            self.take_back(rest);
            self.tree().walks += 1;
            self.tree().meter.record_save();
        } else {
            rest.into_iter().for_each(|subtree| self.push_pending(subtree));
        }
    }

    /// Gives the remaining subtrees back to the frontier that they came from, if there is one.
    fn give_back(&mut self) {
        if self.tree().resume.is_some() && self.tree().stop() != Stop::Interrupted {
            // Extracting comes before the report: it may read incumbents, which the report lists.
            let rest = self.extract_frontier();
            let (count, report) = (self.own_count(), self.report());
            let tree = self.tree();
            if let Some(resume) = &mut tree.resume {
                resume.give_back(rest, count, report, tree.truncated);
            }
        }
    }
}

/// An order in which the nodes of a tree are visited. Implemented by
/// [`DepthFirst`](super::DepthFirst), [`FromFrontier`](super::FromFrontier),
/// [`BreadthFirst`](super::BreadthFirst), [`Beam`](super::Beam), [`BestFirst`](super::BestFirst),
/// [`Restricted`](super::Restricted) and [`Diagrams`](super::Diagrams), and by no type outside this
/// crate.
#[diagnostic::on_unimplemented(
    message = "the strategy `{Self}` cannot search this problem with this brancher and these hooks",
    note = "breadth-first, best-first and beam search keep states: they need `State: Clone`"
)]
pub trait Strategy<P: Problem, B: Brancher<P>, H: Hooks<P>>: IntoWalk<P, B, H> {}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>, S: IntoWalk<P, B, H>> Strategy<P, B, H> for S {}

/// A strategy of a search without a frontier: all strategies but
/// [`FromFrontier`](super::FromFrontier). Only such a search accepts hooks and a brancher. They
/// must be the same in each run of a frontier, and `checkpoint` and `resume` have already used them
/// for the fingerprint of the file.
///
/// ```compile_fail
/// use secateurs::search::Frontier;
/// use secateurs::Search;
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(8)?.bits();
/// let mut frontier = Frontier::new();
/// let _ = Search::new(&queens).frontier(&mut frontier).hook(Queens::mirror()).count();
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "hooks and branchers cannot be set after `frontier`, `checkpoint` or `resume`",
    label = "called after the frontier was set",
    note = "set all hooks and the brancher first: they must be the same in each run of a frontier"
)]
pub trait WithoutFrontier {}

/// A strategy that can search a [`Frontier`](super::Frontier), and leave the rest of its work in
/// it: [`DepthFirst`](super::DepthFirst) and [`Diagrams`](super::Diagrams).
#[diagnostic::on_unimplemented(
    message = "the strategy `{Self}` cannot search a frontier",
    note = "depth-first search and search by diagrams can"
)]
pub trait Resumable {}

/// A strategy that visits nodes in tree order. It is not exported, which seals it.
#[diagnostic::on_unimplemented(
    message = "the strategy `{Self}` does not visit nodes in tree order",
    note = "only the solutions of a depth-first search can be put in order"
)]
pub trait InTreeOrder {}

/// A strategy that can be divided among threads: each has a walk of its own. It is not exported,
/// which seals it.
#[diagnostic::on_unimplemented(
    message = "a search by the strategy `{Self}` cannot be divided among threads",
    note = "depth-first search can, and search by diagrams without a callback for bounds"
)]
pub trait Divisible<P: Problem, B: Brancher<P>, H: Hooks<P>>:
    IntoWalk<P, B, H> + Clone + Send
{
    /// The walk of a thread.
    type DivisibleWalk<'p>: DivisibleWalk<'p, P, B, H>
    where
        P: 'p;

    /// The knowledge that the walks of a run share. At the beginning, it is empty.
    type Shared: Clone + Default + Send;

    /// Creates a walk without subtrees.
    fn into_idle_walk<'p>(
        self,
        tree: SearchTree<'p, P, B, H>,
        shared: Self::Shared,
    ) -> Self::DivisibleWalk<'p>
    where
        P::Choice: Clone;
}

/// The implementation of a strategy. It is not exported, which seals [`Strategy`].
pub trait IntoWalk<P: Problem, B: Brancher<P>, H: Hooks<P>>: Sized {
    /// Whether nodes are visited in the order of a depth-first search.
    const IS_DEPTH_FIRST: bool = false;

    /// The walk in this order.
    type Walk<'p>: Walk<P>
    where
        P: 'p;

    /// Returns the claim about the solutions that the strategy loses by itself, if it does.
    fn loss(&self) -> Option<StrategyLoss> {
        None
    }

    /// Creates the walk.
    fn into_walk<'p>(self, tree: SearchTree<'p, P, B, H>) -> Self::Walk<'p>;
}

/// Ignores a solution and continues.
///
/// Operations that only count pass this function instead of a closure of their own, so that they
/// share one copy of the hot loop: two copies may differ in speed by several per cent.
pub(crate) fn ignore_solution<P: Problem>(_: &Node<'_, P>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
