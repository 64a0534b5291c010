//! Ready-made hooks without closures: [`ForwardChecking`] and [`Discrepancies`].
//!
//! Limited discrepancy search (Harvey and Ginsberg 1995): a good order of children is right at
//! nearly every node. Where it is wrong near the root, depth-first search corrects it last. Limited
//! discrepancy search visits the leaves in another order: first the leaf to which the order leads,
//! then those whose path deviates from it once, then twice. Such a deviation is a *discrepancy*.

use super::{Effect, Hook, HookMemory, Node, NodeMut, Verdict};
use crate::digest::Digest;
use crate::problem::Problem;
use crate::variables::Variables;

/// A hook that prunes a node if an undecided variable has no value left (*forward checking*;
/// Haralick and Elliott 1980).
///
/// The problem must keep the [values that are left](Variables::values_left) up to date: each choice
/// removes the values that it excludes from the other variables. The hook looks at all of them,
/// whereas the problem itself sees an empty domain only when it branches on that variable. Every
/// cut preserves all solutions. The time per node is linear in the number of undecided variables.
///
/// To decide a variable at once that has a single value left, use the order
/// [`ForcedFirst`](crate::brancher::ForcedFirst) beside this hook.
///
/// See [`Variables`] for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForwardChecking;

impl<P: Variables> Hook<P> for ForwardChecking {
    fn name(&self) -> &str {
        "forward checking"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let (problem, state) = (node.problem(), node.state());
        let mut undecided = problem.undecided(state);
        Verdict::prune_if(undecided.any(|variable| problem.values_left(state, variable) == 0))
    }
}

/// A hook that prunes every path with more than a given number of discrepancies.
///
/// A choice is a *discrepancy* if it does not lead to the first child *tried* at its node, which is
/// the first child that this hook has entered there. Every later child counts as one discrepancy,
/// the third as much as the second: one discrepancy is one node at which the order is not followed.
/// Children that hooks before this one prune have not been tried. Put this hook last, so that a
/// value that forward checking removes, or a child that wipes out a domain, does not count as a
/// mistake of the order.
///
/// # What a run proves
///
/// The effect is [`Effect::Lossy`]. But a run in which this hook pruned nothing has searched the
/// whole tree: `report.hook("discrepancies")` then has no [cuts](crate::HookReport::cuts).
/// [`LimitedDiscrepancy`] raises the limit until the hook prunes nothing, and returns an outcome
/// that is proven then.
///
/// One depth-first run keeps exactly the paths within the limit. When paths are replayed
/// (breadth-first, in parts, and with several threads), children that were tried before are not
/// tried again. The hook may then count too few discrepancies and prune less, but never more, as
/// long as the children of a node are different choices. If several walks share the run, the report
/// lists the hook among its [nondeterministic
/// parts](crate::Report::nondeterministic_parts).
///
/// Cost: a copy of the choice per node, and one comparison per choice.
///
/// ```
/// use secateurs::Search;
/// use secateurs::hook::Discrepancies;
/// use secateurs_problems::queens::Queens;
///
/// // No solution always takes the first free square, and none does so with one exception.
/// let queens = Queens::new(8)?.bits();
/// let within = |k| Search::new(&queens).hooks((Discrepancies::at_most(k),)).count();
/// let solutions: Vec<u128> = (0..=8).map(|k| within(k).at_least()).collect();
/// assert_eq!(solutions[..2], [0, 0]);
/// assert_eq!(solutions[8], 92);
/// assert_eq!(within(8).report().hook("discrepancies").map(|hook| hook.cuts()), Some(0));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
///
/// [`LimitedDiscrepancy`]: crate::search::LimitedDiscrepancy
#[derive(Clone)]
pub struct Discrepancies<C> {
    limit: usize,
    /// The nodes of the path, the root first.
    nodes: Vec<PathNode<C>>,
}

/// A node of the path, with the child that was tried first.
#[derive(Clone)]
struct PathNode<C> {
    /// The discrepancies on the path to it.
    discrepancies: usize,
    /// Its first child that was entered.
    first: Option<C>,
}

/// The name of the hook in reports.
pub(crate) const DISCREPANCIES: &str = "discrepancies";

impl<C> Discrepancies<C> {
    /// Creates a hook that keeps paths of at most `limit` discrepancies. With 0, only the path of
    /// first children remains.
    #[must_use]
    pub fn at_most(limit: usize) -> Self {
        Discrepancies { limit, nodes: Vec::new() }
    }

    /// Returns the largest number of discrepancies of a path.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }
}

impl<C: PartialEq> PathNode<C> {
    /// Returns the number of discrepancies on the path extended by `choice`.
    #[inline]
    fn discrepancies_with(&self, choice: &C) -> usize {
        self.discrepancies + usize::from(self.first.as_ref().is_some_and(|first| first != choice))
    }
}

impl<P: Problem<Choice: Clone + PartialEq>> Hook<P> for Discrepancies<P::Choice> {
    fn name(&self) -> &str {
        DISCREPANCIES
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.limit))
    }

    fn effect(&self) -> Effect {
        Effect::Lossy
    }

    /// Includes visited nodes: the cuts depend on the child that was tried first at each node of
    /// the path.
    fn memory(&self) -> HookMemory {
        HookMemory::PathAndVisited
    }

    #[inline]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        let parent = self.nodes.get(node.depth());
        Verdict::keep_if(
            parent.is_none_or(|parent| parent.discrepancies_with(choice) <= self.limit),
        )
    }

    /// Never prunes: `admit` decides, and replays do not call it.
    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let depth = node.depth();
        // Deeper entries are left over from finished nodes or from another run.
        self.nodes.truncate(depth);
        let mut discrepancies = 0;
        if let (Some(parent), Some(choice)) = (self.nodes.last_mut(), node.path().last()) {
            discrepancies = parent.discrepancies_with(choice);
            parent.first.get_or_insert_with(|| choice.clone());
        }
        self.nodes.push(PathNode { discrepancies, first: None });
        Verdict::Keep
    }
}

debug_fields!(impl[C] Discrepancies<C>: limit);
