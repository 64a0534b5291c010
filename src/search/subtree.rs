//! An unexplored part of a tree, as data.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::fmt;

/// The children of a node that are still untried.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(serialize = "C: serde::Serialize", deserialize = "C: serde::Deserialize<'de>"))
)]
pub(crate) struct Untried<C> {
    /// In the order of the tree.
    #[cfg_attr(feature = "serde", serde(with = "super::data::choices"))]
    pub(crate) choices: VecDeque<C>,
    /// Whether the node is no solution and none of its children has been kept yet. Then what
    /// becomes of it is known only when the last of them has been tried, and they stay together.
    pub(crate) barren: bool,
    /// The share of the tree that each of them is taken for: see
    /// [`Progress::fraction`](super::Progress::fraction).
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::data::share"))]
    pub(crate) share: f64,
}

impl<C> Untried<C> {
    pub(crate) fn none() -> Self {
        Untried { choices: VecDeque::new(), barren: false, share: 0.0 }
    }

    /// Whether something may be taken away.
    pub(crate) fn is_divisible(&self) -> bool {
        !self.barren && !self.choices.is_empty()
    }

    /// Takes away the last `count` of them.
    fn take_last(&mut self, count: usize) -> Self {
        Untried { choices: self.choices.split_off(self.choices.len() - count), ..*self }
    }
}

/// An unexplored part of a tree: a path from the root down, and the siblings that are still untried
/// along it.
///
/// It is what is left of a depth-first search that was stopped: the path to the node where it
/// stood, whose nodes have been visited, and at each of them the children that have not. A subtree
/// holds no state: it is revived by taking the steps of the path again.
pub struct Subtree<C> {
    /// The choices from the root to the deepest node with untried children.
    pub(crate) path: Vec<C>,
    /// At each node of the path, the root first: one more than choices, unless the root itself is
    /// still to be visited.
    pub(crate) untried: Vec<Untried<C>>,
    /// Whether the node at the end of the path is a solution that is still to be counted and
    /// visited.
    pub(crate) solution: bool,
}

impl<C> Subtree<C> {
    /// The whole tree, the root included.
    #[must_use]
    pub fn whole() -> Self {
        Subtree { path: Vec::new(), untried: Vec::new(), solution: false }
    }

    /// A solution at the end of a path, and nothing else.
    pub(crate) fn solution(path: Vec<C>) -> Self {
        let untried = (0..=path.len()).map(|_| Untried::none()).collect();
        Subtree { path, untried, solution: true }
    }

    /// What is left along a path, if anything is.
    pub(crate) fn new(mut path: Vec<C>, mut untried: Vec<Untried<C>>) -> Option<Self> {
        while untried.last().is_some_and(|last| last.choices.is_empty() && !last.barren) {
            untried.pop();
        }
        path.truncate(untried.len().saturating_sub(1));
        (!untried.is_empty()).then_some(Subtree { path, untried, solution: false })
    }

    /// Takes away about half of what is untried below `nodes`, the nodes of a path from the root
    /// down: the last part of it in the order of the tree, which is the children of the shallowest
    /// nodes. `weights` says what a child counts by its depth, `busy` what the subtree counts that
    /// is kept in any case; `path` are the first choices of the path.
    pub(crate) fn divide<'a>(
        nodes: impl Iterator<Item = &'a mut Untried<C>>,
        busy: Option<f64>,
        weights: &Weights,
        path: impl FnOnce(usize) -> Vec<C>,
    ) -> Option<Self>
    where
        C: 'a,
    {
        let mut nodes: Vec<_> = nodes.collect();
        let open: f64 =
            nodes.iter().enumerate().map(|(depth, node)| weights.below(depth, node)).sum();
        let mut goal = (busy.unwrap_or(0.0) + open) / 2.0;
        let children: usize = nodes.iter().map(|node| node.choices.len()).sum();
        // With nothing else to do, something is kept.
        let mut most = if busy.is_some() { children } else { children.saturating_sub(1) };
        let mut untried = Vec::new();
        let mut given = false;
        for (depth, node) in nodes.iter_mut().enumerate() {
            if goal <= 0.0 || most == 0 || (!node.is_divisible() && !node.choices.is_empty()) {
                break;
            }
            let each = weights.of(depth + 1);
            let wanted = node.choices.len().min((goal / each).ceil() as usize).min(most);
            // Half of a child too much is no harm, more is, unless nothing were given.
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
        let depth = untried.len().checked_sub(1)?;
        Some(Subtree { path: path(depth), untried, solution: false })
    }

    /// The share of the tree that is left in it.
    pub(crate) fn share(&self) -> f64 {
        if self.is_whole() {
            return 1.0;
        }
        self.untried.iter().map(|untried| untried.share * untried.choices.len() as f64).sum()
    }

    /// Whether it is the whole tree, whose root has not been visited.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.untried.is_empty()
    }
}

/// How many nodes are below a child, as far as the numbers of nodes that a walk has visited at each
/// depth tell.
///
/// In most trees, the deeper a node is the less is below it; in some, such as those of branching
/// processes, what is below is as much everywhere, and whoever wants half of it has to take nodes
/// of many depths.
pub(crate) struct Weights(Vec<f64>);

/// Where nothing is known, nodes count twice what they do one deeper, but never more than this.
const HEAVIEST: f64 = (1_u64 << 40) as f64;

impl Weights {
    /// From the numbers of nodes by depth, the root's first.
    pub(crate) fn new(nodes: impl DoubleEndedIterator<Item = u64>) -> Self {
        let (mut below, mut weight) = (0.0, 0.5);
        let weigh = |nodes: u64| {
            below += nodes as f64;
            weight =
                if nodes == 0 { f64::min(2.0 * weight, HEAVIEST) } else { below / nodes as f64 };
            weight
        };
        let mut weights: Vec<_> = nodes.rev().map(weigh).collect();
        weights.reverse();
        Weights(weights)
    }

    /// What a node at this depth counts: at least 1, for itself.
    pub(crate) fn of(&self, depth: usize) -> f64 {
        self.0.get(depth).map_or(1.0, |&weight| weight.max(1.0))
    }

    /// What the untried children of a node at this depth count together.
    pub(crate) fn below<C>(&self, depth: usize, untried: &Untried<C>) -> f64 {
        self.of(depth + 1) * untried.choices.len() as f64
    }
}

/// A child that is still untried, or all of a barren node's together, which must not be parted.
struct Unit {
    subtree: usize,
    depth: usize,
    /// Which of the children; `None` is all of them.
    child: Option<usize>,
    weight: f64,
}

/// What may be dealt out of a subtree, with its share of the tree.
fn units<C>(index: usize, subtree: &Subtree<C>, units: &mut Vec<Unit>) {
    if subtree.is_whole() {
        units.push(Unit { subtree: index, depth: 0, child: None, weight: 1.0 });
    }
    if subtree.solution {
        units.push(Unit { subtree: index, depth: 0, child: None, weight: 0.0 });
    }
    for (depth, untried) in subtree.untried.iter().enumerate() {
        let (children, share) = (untried.choices.len(), untried.share);
        if untried.barren {
            units.push(Unit {
                subtree: index,
                depth,
                child: None,
                weight: share * children as f64,
            });
        } else {
            let unit = |child| Unit { subtree: index, depth, child: Some(child), weight: share };
            units.extend((0..children).map(unit));
        }
    }
}

/// More parts than this are made only if there is something for each of them.
const PARTS: usize = 1 << 16;

/// Deals subtrees out to `parts`: the largest first, each to the part that has least.
pub(crate) fn deal<C: Clone>(
    subtrees: VecDeque<Subtree<C>>,
    parts: usize,
) -> Vec<VecDeque<Subtree<C>>> {
    let mut all = Vec::new();
    for (index, subtree) in subtrees.iter().enumerate() {
        units(index, subtree, &mut all);
    }
    all.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    let parts = parts.min(all.len().max(PARTS));
    let mut loads: BinaryHeap<Load> = (0..parts).map(|part| Load { weight: 0.0, part }).collect();
    let mut owners: Vec<Owners> = subtrees.iter().map(Owners::of).collect();
    for unit in all {
        let Some(mut load) = loads.peek_mut() else { break };
        let lightest = load.part;
        load.weight += unit.weight;
        drop(load);
        let owners = &mut owners[unit.subtree];
        match unit.child {
            None => owners.together = lightest,
            Some(child) => owners.children[unit.depth][child] = lightest,
        }
    }
    let mut dealt: Vec<VecDeque<Subtree<C>>> = (0..parts).map(|_| VecDeque::new()).collect();
    for (subtree, owners) in subtrees.into_iter().zip(owners) {
        if subtree.is_whole() {
            dealt[owners.together].push_back(subtree);
            continue;
        }
        let Subtree { path, untried, solution } = subtree;
        if solution {
            dealt[owners.together].push_back(Subtree::solution(path.clone()));
        }
        let depths = untried.len();
        let mut divided: BTreeMap<usize, Vec<Untried<C>>> = BTreeMap::new();
        for (depth, (untried, children)) in untried.into_iter().zip(owners.children).enumerate() {
            let nothing = || (0..depths).map(|_| Untried::none()).collect();
            if untried.barren {
                divided.entry(owners.together).or_insert_with(nothing)[depth] = untried;
                continue;
            }
            for (choice, part) in untried.choices.into_iter().zip(children) {
                let own = &mut divided.entry(part).or_insert_with(nothing)[depth];
                own.choices.push_back(choice);
                own.share = untried.share;
            }
        }
        for (part, untried) in divided {
            dealt[part].extend(Subtree::new(path.clone(), untried));
        }
    }
    dealt
}

/// What a part has so far; the one that has least is the greatest.
#[derive(PartialEq)]
struct Load {
    weight: f64,
    part: usize,
}

impl Eq for Load {}

impl Ord for Load {
    fn cmp(&self, other: &Self) -> Ordering {
        other.weight.total_cmp(&self.weight).then_with(|| other.part.cmp(&self.part))
    }
}

impl PartialOrd for Load {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// To which parts the units of a subtree go.
struct Owners {
    /// By depth and child.
    children: Vec<Vec<usize>>,
    /// The part for what must not be parted.
    together: usize,
}

impl Owners {
    fn of<C>(subtree: &Subtree<C>) -> Self {
        Owners {
            children: subtree
                .untried
                .iter()
                .map(|untried| vec![0; untried.choices.len()])
                .collect(),
            together: 0,
        }
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
