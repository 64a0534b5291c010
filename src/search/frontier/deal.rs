//! Distributing the untried children of subtrees among several parts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::subtree::{Subtree, Untried};
use crate::brancher::BrancherId;
use crate::report::Level;

/// The smallest unit that can be distributed: an untried child; or all untried children of a barren
/// node, which must stay together.
struct Unit {
    subtree: usize,
    /// The index of the node in the subtree's list.
    node: usize,
    /// The index of the child; `None` stands for everything that must stay together.
    child: Option<usize>,
    weight: f64,
}

/// Collects the units of a subtree, each with its share of the tree.
fn collect_units<C>(index: usize, subtree: &Subtree<C>, units: &mut Vec<Unit>) {
    if subtree.is_whole() {
        units.push(Unit { subtree: index, node: 0, child: None, weight: 1.0 });
    }
    if subtree.solution {
        units.push(Unit { subtree: index, node: 0, child: None, weight: 0.0 });
    }
    for (node, untried) in subtree.untried.iter().enumerate() {
        let (children, share) = (untried.choices.len(), untried.share);
        if untried.barren {
            units.push(Unit { subtree: index, node, child: None, weight: share * children as f64 });
        } else {
            let unit = |child| Unit { subtree: index, node, child: Some(child), weight: share };
            units.extend((0..children).map(unit));
        }
    }
}

/// More parts than this are made only if each of them gets a unit.
const MAX_EMPTY_PARTS: usize = 1 << 16;

/// Distributes subtrees among `parts` (longest processing time first, Graham 1969): the units with
/// the largest shares first, each to the part with the smallest sum of shares so far.
pub(crate) fn deal<C: Clone>(
    subtrees: VecDeque<Subtree<C>>,
    parts: usize,
) -> Vec<VecDeque<Subtree<C>>> {
    let mut all = Vec::new();
    for (index, subtree) in subtrees.iter().enumerate() {
        collect_units(index, subtree, &mut all);
    }
    all.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    let parts = parts.min(all.len().max(MAX_EMPTY_PARTS));
    // The bits of the sums of shares, which order numbers that are not negative, and the parts.
    let mut loads: BinaryHeap<Reverse<(u64, usize)>> =
        (0..parts).map(|part| Reverse((0, part))).collect();
    let mut owners: Vec<Owners> = subtrees.iter().map(Owners::of).collect();
    for unit in all {
        let Some(mut load) = loads.peek_mut() else { break };
        let Reverse((sum, lightest)) = *load;
        load.0.0 = (f64::from_bits(sum) + unit.weight).to_bits();
        drop(load);
        let owners = &mut owners[unit.subtree];
        match unit.child {
            None => owners.together = lightest,
            Some(child) => owners.children[unit.node][child] = lightest,
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
        let nodes = untried.len();
        let mut divided: BTreeMap<usize, Vec<Untried<C>>> = BTreeMap::new();
        for (node, (untried, children)) in untried.into_iter().zip(owners.children).enumerate() {
            let nothing = || (0..nodes).map(|_| Untried::none()).collect();
            if untried.barren {
                divided.entry(owners.together).or_insert_with(nothing)[node] = untried;
                continue;
            }
            for (choice, part) in untried.choices.into_iter().zip(children) {
                let own = &mut divided.entry(part).or_insert_with(nothing)[node];
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

/// The parts that get the units of a subtree.
struct Owners {
    /// By node and child.
    children: Vec<Vec<usize>>,
    /// The part that gets everything that must stay together.
    together: usize,
}

impl Owners {
    /// Creates an assignment of everything to the first part, to be overwritten.
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

/// Returns a digest of the shapes of all parts, of what has been explored, given as the counts of
/// each depth, and of the brancher. It tells this division of a frontier from divisions of the same
/// frontier at other moments, which have other parts, and from those of the trees of other
/// branchers.
pub(super) fn division_digest<C>(
    dealt: &[VecDeque<Subtree<C>>],
    explored: &[Level],
    brancher: Option<&BrancherId>,
) -> u64 {
    let mut hasher = FxHasher::default();
    brancher.hash(&mut hasher);
    for level in explored {
        (level.nodes, level.solutions).hash(&mut hasher);
    }
    for subtrees in dealt {
        subtrees.len().hash(&mut hasher);
        for subtree in subtrees {
            (subtree.path.len(), subtree.solution).hash(&mut hasher);
            for untried in &subtree.untried {
                (untried.choices.len(), untried.barren, untried.share.to_bits()).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}
