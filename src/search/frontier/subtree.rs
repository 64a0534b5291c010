//! The parts of a frontier, as data: unexplored subtrees, best solutions, and the values of
//! incumbents that none of these solutions has.
//!
//! A run leaves out what is not better than its incumbent. If the incumbent's value is that of a
//! solution in the frontier, a later run visits that solution again and knows the value. Otherwise
//! the value was [offered](crate::Incumbent::offer) by other code or found on another frontier, and
//! a later run that does not know it could call a worse solution optimal.

use std::collections::VecDeque;
use std::fmt;

use crate::incumbent::{IncumbentId, ObjectiveId};

/// A function that copies a choice.
pub(crate) type CopyChoice<C> = fn(&C) -> C;

/// The untried children of a node.
#[derive(Clone)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(serialize = "C: serde::Serialize", deserialize = "C: serde::Deserialize<'de>"))
)]
pub(crate) struct Untried<C> {
    /// In tree order.
    #[cfg_attr(feature = "serde", serde(with = "super::files::choices"))]
    pub(crate) choices: VecDeque<C>,
    /// Whether the node is no solution and none of its children has been kept yet. Whether it is a
    /// dead end is known only when its last child has been tried, so its children must stay
    /// together.
    pub(crate) barren: bool,
    /// The share of the tree below each of these children: see
    /// [`Progress::fraction`](crate::search::Progress::fraction).
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::files::share"))]
    pub(crate) share: f64,
}

impl<C> Untried<C> {
    /// Returns an empty list of children.
    pub(crate) fn none() -> Self {
        Untried { choices: VecDeque::new(), barren: false, share: 0.0 }
    }

    /// Returns whether the node may be left out of a subtree.
    pub(crate) fn is_redundant(&self) -> bool {
        self.choices.is_empty() && !self.barren
    }

    /// Returns whether some of the children may be taken away.
    pub(crate) fn is_divisible(&self) -> bool {
        !self.barren && !self.choices.is_empty()
    }

    /// Takes the last `count` children.
    fn take_last(&mut self, count: usize) -> Self {
        Untried { choices: self.choices.split_off(self.choices.len() - count), ..*self }
    }
}

/// An unexplored part of a tree: a path from the root, and the untried siblings along it.
///
/// It is what a stopped depth-first search has not explored: the path to its current node, whose
/// nodes have been visited, and the unvisited children of each of these nodes. A subtree has no
/// state; replaying the steps of the path restores it.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "C: serde::Serialize"))
)]
pub struct Subtree<C> {
    /// The choices from the root to the deepest node with untried children.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::files::choices::serialize"))]
    pub(crate) path: Vec<C>,
    /// The untried children of the last nodes of the path, in the order of the path. The nodes
    /// before them have none. The list is empty only if the root itself is still to be visited.
    ///
    /// A search by levels leaves a subtree for each open node, so an entry for every node of the
    /// path would take most of its memory.
    pub(crate) untried: Vec<Untried<C>>,
    /// Whether the node at the end of the path is a solution that is still to be counted and
    /// visited.
    pub(crate) solution: bool,
}

impl<C> Subtree<C> {
    /// Returns a copy. The type is not `Clone`, because a part that is searched twice counts twice.
    pub(crate) fn copy(&self) -> Self
    where
        C: Clone,
    {
        let Subtree { path, untried, solution } = self;
        Subtree { path: path.clone(), untried: untried.clone(), solution: *solution }
    }

    /// Returns the whole tree, including the root.
    #[must_use]
    pub fn whole() -> Self {
        Subtree { path: Vec::new(), untried: Vec::new(), solution: false }
    }

    /// Creates a subtree that consists of the solution at the end of a path.
    pub(crate) fn solution(path: Vec<C>) -> Self {
        Subtree { path, untried: vec![Untried::none()], solution: true }
    }

    /// Creates the subtree of what is left along a path; `None` if nothing is. `untried` has the
    /// children of the last nodes of the path.
    pub(crate) fn new(mut path: Vec<C>, mut untried: Vec<Untried<C>>) -> Option<Self> {
        let end = untried.iter().rposition(|node| !node.is_redundant())? + 1;
        path.truncate(path.len() - (untried.len() - end));
        untried.truncate(end);
        let start = untried.iter().take_while(|node| node.is_redundant()).count();
        Some(Subtree { path, untried: untried.split_off(start), solution: false })
    }

    /// Returns about how many bytes a subtree takes whose only untried children are those of its
    /// last node. `choices` is the number of choices of its path and of these children.
    pub(crate) const fn bytes(choices: usize) -> usize {
        let allocations = 3 * size_of::<[usize; 2]>();
        size_of::<Subtree<C>>() + size_of::<Untried<C>>() + choices * size_of::<C>() + allocations
    }

    /// Returns the depth of the first node in `untried`.
    pub(crate) fn first_depth(&self) -> usize {
        (self.path.len() + 1).saturating_sub(self.untried.len())
    }

    /// Returns the untried children of the node at this depth, if the subtree has that node.
    #[cfg(feature = "serde")]
    pub(crate) fn node(&self, depth: usize) -> Option<&Untried<C>> {
        self.untried.get(depth.checked_sub(self.first_depth())?)
    }

    /// Returns the path, and the untried children of each of its nodes, the root's first.
    pub(crate) fn into_nodes(self) -> (Vec<C>, impl Iterator<Item = Untried<C>>) {
        let before = (0..self.first_depth()).map(|_| Untried::none());
        (self.path, before.chain(self.untried))
    }

    /// Takes about half of the untried work below `nodes`, the nodes of a path from depth `first`.
    /// It takes the last half in tree order, that is, children of the shallowest nodes. `weights`
    /// gives the weight of a child by its depth; `busy` is the weight of work that is kept in any
    /// case; `path(n)` returns the first n choices of the path.
    pub(crate) fn divide<'a>(
        nodes: impl Iterator<Item = &'a mut Untried<C>>,
        first: usize,
        busy: Option<f64>,
        weights: &Weights,
        path: impl FnOnce(usize) -> Vec<C>,
    ) -> Option<Self>
    where
        C: 'a,
    {
        let mut nodes: Vec<_> = nodes.collect();
        let open: f64 = (first..).zip(&nodes).map(|(depth, node)| weights.below(depth, node)).sum();
        let mut goal = (busy.unwrap_or(0.0) + open) / 2.0;
        let children: usize = nodes.iter().map(|node| node.choices.len()).sum();
        // If there is no other work, at least one child is kept.
        let mut most = if busy.is_some() { children } else { children.saturating_sub(1) };
        let mut untried = Vec::new();
        let mut given = false;
        for (depth, node) in (first..).zip(&mut nodes) {
            if goal <= 0.0 || most == 0 || (!node.is_divisible() && !node.choices.is_empty()) {
                break;
            }
            let each = weights.of(depth + 1);
            let wanted = node.choices.len().min((goal / each).ceil() as usize).min(most);
            // An excess of half a child is acceptable. More is not, unless nothing would be taken
            // otherwise.
            let wanted = if given { wanted.min((goal / each).round() as usize) } else { wanted };
            let whole = wanted == node.choices.len();
            given |= wanted > 0;
            goal -= each * wanted as f64;
            most -= wanted;
            untried.push(node.take_last(wanted));
            if !whole {
                break;
            }
        }
        while untried.last().is_some_and(|node: &Untried<C>| node.choices.is_empty()) {
            untried.pop();
        }
        let depth = first + untried.len().checked_sub(1)?;
        Subtree::new(path(depth), untried)
    }

    /// Returns the share of the tree in this subtree.
    pub(crate) fn share(&self) -> f64 {
        if self.is_whole() {
            return 1.0;
        }
        self.untried.iter().map(|untried| untried.share * untried.choices.len() as f64).sum()
    }

    /// Returns the choices from the root to the deepest node with untried children.
    #[must_use]
    pub fn path(&self) -> &[C] {
        &self.path
    }

    /// Sets the share of the tree in this subtree, whose only untried children are those of its
    /// last node.
    pub(crate) fn set_share(&mut self, share: f64) {
        if let Some(last) = self.untried.last_mut() {
            last.share = share / last.choices.len().max(1) as f64;
        }
    }

    /// Returns whether this is the whole tree, whose root has not been visited.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.untried.is_empty()
    }
}

/// Estimates of the number of nodes below a child by its depth, from the numbers of nodes that a
/// walk has visited at each depth.
///
/// In most trees, deeper nodes have smaller subtrees. In some, such as those of branching
/// processes, all subtrees have the same expected size. Half of the work in such a tree is then
/// spread over many depths.
pub(crate) struct Weights(Vec<f64>);

/// The largest weight at depths without visited nodes. There, a node weighs twice as much as one a
/// level deeper, up to this limit.
const MAX_WEIGHT: f64 = (1_u64 << 40) as f64;

impl Weights {
    /// Computes weights from the numbers of visited nodes by depth, the root's first.
    pub(crate) fn new(nodes: impl DoubleEndedIterator<Item = u64>) -> Self {
        let (mut below, mut weight) = (0.0, 0.5);
        let weigh = |nodes: u64| {
            below += nodes as f64;
            weight =
                if nodes == 0 { f64::min(2.0 * weight, MAX_WEIGHT) } else { below / nodes as f64 };
            weight
        };
        let mut weights: Vec<_> = nodes.rev().map(weigh).collect();
        weights.reverse();
        Weights(weights)
    }

    /// Returns the weight of a node at this depth: at least 1, for the node itself.
    pub(crate) fn of(&self, depth: usize) -> f64 {
        self.0.get(depth).map_or(1.0, |&weight| weight.max(1.0))
    }

    /// Returns the total weight of the untried children of a node at this depth.
    pub(crate) fn below<C>(&self, depth: usize, untried: &Untried<C>) -> f64 {
        self.of(depth + 1) * untried.choices.len() as f64
    }
}

impl<C> fmt::Debug for Subtree<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let untried: usize = self.untried.iter().map(|untried| untried.choices.len()).sum();
        f.debug_struct("Subtree")
            .field("depth", &self.path.len())
            .field("untried", &untried)
            .finish_non_exhaustive()
    }
}

/// A solution that is the best one of some part of the tree.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(serialize = "C: serde::Serialize", deserialize = "C: serde::Deserialize<'de>"))
)]
pub(crate) struct BestSolution<C> {
    #[cfg_attr(feature = "serde", serde(with = "super::files::choices"))]
    pub(crate) path: Vec<C>,
    /// Its value; without a text if there is no objective.
    pub(crate) value: KnownValue,
}

/// Values that were offered to the incumbents of earlier runs, and that no solution of the frontier
/// is known to have.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct OfferedValues(Vec<KnownValue>);

/// A value that an incumbent had.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct KnownValue {
    /// The type of the value is not known here.
    pub(super) text: String,
    /// In this process, it still has a value at least as good.
    #[cfg_attr(feature = "serde", serde(skip, default = "IncumbentId::foreign"))]
    pub(super) incumbent: IncumbentId,
}

impl KnownValue {
    /// The value of a solution that no objective has evaluated.
    #[cfg(feature = "timely")]
    pub(crate) fn none() -> Self {
        KnownValue { text: String::new(), incumbent: IncumbentId::foreign() }
    }
}

impl OfferedValues {
    /// Adds the value of an objective's incumbent, if it has one.
    pub(crate) fn insert_latest(&mut self, objective: &ObjectiveId) {
        if let Some(text) = objective.latest_value() {
            self.insert(KnownValue { text, incumbent: objective.incumbent() });
        }
    }

    pub(super) fn insert(&mut self, value: KnownValue) {
        if !self.0.contains(&value) {
            self.0.push(value);
        }
    }

    /// Returns whether `value` is one of these.
    pub(super) fn contains(&self, value: &KnownValue) -> bool {
        self.0.contains(value)
    }

    /// Adds the values of `others`.
    pub(crate) fn merge(&mut self, others: OfferedValues) {
        others.0.into_iter().for_each(|value| self.insert(value));
    }

    /// Removes the values that the incumbent of `objective` is known to have reached.
    pub(crate) fn remove_known(&mut self, objective: &ObjectiveId) {
        let latest = objective.latest_value();
        self.0.retain(|value| {
            let same = value.incumbent == objective.incumbent() && latest.is_some();
            !same && latest.as_ref() != Some(&value.text)
        });
    }

    /// Returns the values that none of these solutions has.
    #[must_use]
    pub(crate) fn without<C>(mut self, solutions: &[BestSolution<C>]) -> Self {
        self.0.retain(|value| solutions.iter().all(|known| known.value.text != value.text));
        self
    }

    /// Removes the values of `known`.
    #[cfg(feature = "timely")]
    pub(crate) fn remove_all(&mut self, known: &OfferedValues) {
        self.0.retain(|value| known.0.iter().all(|other| other.text != value.text));
    }

    /// Returns why a run without these values proves nothing; `None` if there are none.
    pub(crate) fn conflict(&self) -> Option<String> {
        let KnownValue { text, .. } = self.0.first()?;
        Some(format!(
            "earlier runs pruned by the value {text}, which this run does not know: offer it to \
             the incumbent"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn untried(choices: u32, barren: bool) -> Untried<u32> {
        Untried { choices: (0..choices).collect(), barren, share: 0.1 }
    }

    #[test]
    fn the_children_of_a_node_that_may_be_a_dead_end_stay_together() {
        let weights = Weights::new([1, 4, 16].into_iter());
        for busy in [None, Some(2.0)] {
            let mut nodes = [untried(4, true), untried(4, false)];
            let taken = Subtree::divide(nodes.iter_mut(), 0, busy, &weights, |_| Vec::new());
            assert!(taken.is_none());
            assert_eq!(nodes.map(|node| node.choices.len()), [4, 4]);

            let mut nodes = [untried(4, false), untried(4, true)];
            let taken = Subtree::divide(nodes.iter_mut(), 0, busy, &weights, |_| Vec::new());
            let taken = taken.expect("children of the first node").untried;
            assert!((1..=4).contains(&taken[0].choices.len()) && taken.len() == 1);
            assert_eq!(nodes[1].choices.len(), 4);
        }
    }
}
