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
    /// Whether the node is no solution and none of its children has been kept yet. Then what becomes of it is known only
    /// when the last of them has been tried, and they stay together.
    pub(crate) barren: bool,
    /// The share of the tree that each of them is taken for: see [`Progress::fraction`](super::Progress::fraction).
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

    /// Takes away the last half, rounded up.
    fn take_half(&mut self) -> Self {
        Untried { choices: self.choices.split_off(self.choices.len() / 2), ..*self }
    }
}

/// An unexplored part of a tree: a path from the root down, and the siblings that are still untried along it.
///
/// It is what is left of a depth-first search that was stopped: the path to the node where it stood, whose nodes have been
/// visited, and at each of them the children that have not. A subtree holds no state: it is revived by taking the steps
/// of the path again.
pub struct Subtree<C> {
    /// The choices from the root to the deepest node with untried children.
    pub(crate) path: Vec<C>,
    /// At each node of the path, the root first: one more than choices, unless the root itself is still to be visited.
    pub(crate) untried: Vec<Untried<C>>,
    /// Whether the node at the end of the path is a solution that is still to be counted and visited.
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

    /// Takes away half of the untried children of the shallowest of `nodes` that may be divided, if there is anything else
    /// to do or there are several; `path` are the first choices of the path there.
    pub(crate) fn divide<'a>(
        nodes: impl ExactSizeIterator<Item = &'a mut Untried<C>>,
        busy: bool,
        path: impl FnOnce(usize) -> Vec<C>,
    ) -> Option<Self>
    where
        C: 'a,
    {
        let mut nodes = nodes.enumerate();
        let (depth, node) = nodes.find(|(_, node)| node.is_divisible())?;
        let alone = !busy && node.choices.len() == 1 && !nodes.any(|(_, node)| !node.choices.is_empty());
        if alone {
            return None;
        }
        let mut untried: Vec<_> = (0..depth).map(|_| Untried::none()).collect();
        untried.push(node.take_half());
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
            units.push(Unit { subtree: index, depth, child: None, weight: share * children as f64 });
        } else {
            let unit = |child| Unit { subtree: index, depth, child: Some(child), weight: share };
            units.extend((0..children).map(unit));
        }
    }
}

/// More parts than this are made only if there is something for each of them.
const PARTS: usize = 1 << 16;

/// Deals subtrees out to `parts`: the largest first, each to the part that has least.
pub(crate) fn deal<C: Clone>(subtrees: VecDeque<Subtree<C>>, parts: usize) -> Vec<VecDeque<Subtree<C>>> {
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
        Owners { children: subtree.untried.iter().map(|untried| vec![0; untried.choices.len()]).collect(), together: 0 }
    }
}

impl<C> fmt::Debug for Subtree<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let untried: usize = self.untried.iter().map(|untried| untried.choices.len()).sum();
        f.debug_struct("Subtree").field("depth", &self.path.len()).field("untried", &untried).finish_non_exhaustive()
    }
}
