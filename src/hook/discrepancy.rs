//! Limited discrepancy search: trusting the order of the children, all but a few times.
//!
//! A good order of children is right nearly everywhere, and where it is wrong depth-first search
//! finds out last of all about the mistakes near the root. Harvey and Ginsberg (1995) take the
//! leaves in another order: first the one to which the order leads, then those for which one step
//! of the path goes against it, then two. A step against the order is a *discrepancy*.

use std::fmt;

use crate::digest::Digest;
use crate::hook::{Effect, Hook, HookMemory, Node, NodeMut, Verdict};
use crate::problem::Problem;

/// Cuts off every choice whose path would have more than so many discrepancies.
///
/// A step is a *discrepancy* if it does not lead to the first child *tried* at its node, which is
/// the first one that this hook has entered there. Every later child counts as one discrepancy, the
/// third as much as the second: where nodes are wide, one discrepancy is one place at which the
/// order is given up, whatever is then taken instead. What hooks before this one cut off has not
/// been tried. So put it last: a value that forward checking strikes or a child that wipes out a
/// domain is not a mistake of the order, and then does not count.
///
/// # What a run proves
///
/// The effect is [`Effect::Lossy`]. But a run in which this hook cut nothing has searched all there
/// is: `report.hook("discrepancies")` has no [cuts](crate::HookReport::cuts) then.
/// [`LimitedDiscrepancy`] runs with more and more discrepancies until that is so, and gives the
/// outcome that it then has the right to.
///
/// In one depth-first run, just the paths of at most so many discrepancies are left. Where paths
/// are replayed (breadth-first, in parts, and with several threads), the children that were tried
/// before are not tried again, and so the hook may count too few discrepancies and cut off less,
/// but never more, as long as the children of a node are different choices. The report of a run
/// that is not depth-first names it among the conflicts.
///
/// Cost: a copy of the choice a node, and one comparison a choice.
///
/// ```
/// use secateurs::Search;
/// use secateurs::hook::Discrepancies;
/// use secateurs::problems::queens::Queens;
///
/// // Nobody solves eight queens by always taking the first free square, nor with one exception.
/// let queens = Queens::new(8)?.bits();
/// let within = |k| Search::new(&queens).hooks((Discrepancies::at_most(k),)).count();
/// let solutions: Vec<u128> = (0..=8).map(|k| within(k).at_least()).collect();
/// assert_eq!(solutions[..2], [0, 0]);
/// assert_eq!(solutions[8], 92);
/// assert_eq!(within(8).report().hook("discrepancies").map(|hook| hook.cuts()), Some(0));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// [`LimitedDiscrepancy`]: crate::search::LimitedDiscrepancy
#[derive(Clone)]
pub struct Discrepancies<C> {
    limit: usize,
    /// For each node of the path, the root first, what was tried there.
    nodes: Vec<Tried<C>>,
}

/// A node of the path.
#[derive(Clone)]
struct Tried<C> {
    /// The discrepancies on the path to it.
    discrepancies: usize,
    /// The first of its children that was entered.
    first: Option<C>,
}

/// The name of the hook in reports.
pub(crate) const NAME: &str = "discrepancies";

impl<C> Discrepancies<C> {
    /// At most `limit` discrepancies on any path: with 0, the one path to which the order leads.
    #[must_use]
    pub fn at_most(limit: usize) -> Self {
        Discrepancies { limit, nodes: Vec::new() }
    }

    /// How many discrepancies a path may have.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }
}

impl<C: PartialEq> Tried<C> {
    /// The discrepancies on the path that goes on with `choice`.
    #[inline]
    fn with(&self, choice: &C) -> usize {
        self.discrepancies + usize::from(self.first.as_ref().is_some_and(|first| first != choice))
    }
}

impl<P: Problem<Choice: Clone + PartialEq>> Hook<P> for Discrepancies<P::Choice> {
    fn name(&self) -> &str {
        NAME
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(&self.limit))
    }

    fn effect(&self) -> Effect {
        Effect::Lossy
    }

    /// Which of the children was the first.
    fn memory(&self) -> HookMemory {
        HookMemory::Visited
    }

    #[inline]
    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        Verdict::keep_if(
            self.nodes.get(node.depth()).is_none_or(|tried| tried.with(choice) <= self.limit),
        )
    }

    /// Never prunes: on a replay, which does not ask whether to admit, there is nothing to decide.
    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, P>) -> Verdict {
        let depth = node.depth();
        // What is deeper than the parent is left over from nodes that are done, or from another
        // run.
        self.nodes.truncate(depth);
        let mut discrepancies = 0;
        if let (Some(parent), Some(choice)) = (self.nodes.last_mut(), node.path().last()) {
            discrepancies = parent.with(choice);
            parent.first.get_or_insert_with(|| choice.clone());
        }
        self.nodes.push(Tried { discrepancies, first: None });
        Verdict::Keep
    }
}

impl<C> fmt::Debug for Discrepancies<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Discrepancies").field("limit", &self.limit).finish_non_exhaustive()
    }
}
