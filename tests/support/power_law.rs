//! Trees whose subtrees have sizes of a power law: P(size > x) = x^-α. Their size is known without
//! a search.

use secateurs::{Branch, CopyProblem};

/// A distribution of the sizes of subtrees.
#[derive(Clone, Copy, Debug)]
pub enum Law {
    /// The descendants of each node are divided among up to `breadth` children, in proportion to
    /// Pareto weights.
    Shares { breadth: u64 },
    /// Below a complete tree of `levels` levels with eight children per node, each node of the last
    /// level has a binary tree of Pareto size, at most `most`.
    Leaves { levels: u32, most: u64 },
    /// The root has 300 children, each with a complete binary tree of Pareto size.
    Depths,
}

/// A node: what determines everything below it.
#[derive(Clone, Copy, Debug)]
pub struct Subtree {
    key: u64,
    /// The number of its nodes; 0 if it is not known yet.
    pub size: u64,
    depth: u32,
}

/// A random tree.
#[derive(Clone, Copy, Debug)]
pub struct PowerLawTree {
    law: Law,
    alpha: f64,
    root: Subtree,
}

/// Mixes two numbers (the finaliser of SplitMix64).
fn mix(key: u64, number: u64) -> u64 {
    let mut mixed = key ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl PowerLawTree {
    /// Creates a tree; one of [`Law::Shares`] has 50,000 nodes.
    pub fn new(law: Law, alpha: f64, seed: u64) -> Self {
        let root = Subtree { key: mix(seed, 1), size: 50_000, depth: 0 };
        let mut tree = PowerLawTree { law, alpha, root };
        tree.root.size = tree.count(&root);
        tree
    }

    /// Returns the number of its nodes.
    pub fn size(&self) -> u64 {
        self.root.size
    }

    fn pareto(&self, key: u64) -> f64 {
        let unit = ((mix(key, 7) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
        unit.powf(-1.0 / self.alpha)
    }

    fn count(&self, node: &Subtree) -> u64 {
        let levels = match self.law {
            Law::Shares { .. } => 0,
            Law::Leaves { levels, .. } => levels,
            Law::Depths => 1,
        };
        if node.depth == levels {
            return node.size;
        }
        let children = self.children(node);
        1 + (0..children).map(|child| self.count(&self.child(node, child))).sum::<u64>()
    }

    fn children(&self, node: &Subtree) -> u64 {
        let rest = node.size.saturating_sub(1);
        match self.law {
            Law::Shares { breadth } => rest.min(2 + mix(node.key, 3) % (breadth - 1)),
            Law::Leaves { levels, .. } if node.depth < levels => 8,
            Law::Depths if node.depth == 0 => 300,
            Law::Leaves { .. } | Law::Depths => rest.min(2),
        }
    }

    fn child(&self, node: &Subtree, child: u64) -> Subtree {
        let key = |child| mix(node.key, 100 + child);
        let (own, depth) = (key(child), node.depth + 1);
        let rest = node.size.saturating_sub(1);
        let size = match self.law {
            Law::Shares { .. } => {
                // Each child gets one node, and its part of the others.
                let children = self.children(node);
                let before = |end: u64| (0..end).map(|child| self.pareto(key(child))).sum::<f64>();
                let all = before(children);
                let others = (rest - children) as f64;
                let place = |end: u64| (others * (before(end) / all)).round() as u64;
                let end = if child + 1 == children { others as u64 } else { place(child + 1) };
                1 + end - place(child)
            }
            Law::Leaves { levels, .. } if depth < levels => 0,
            Law::Leaves { levels, most } if depth == levels => (self.pareto(own) as u64).min(most),
            Law::Depths if depth == 1 => {
                let height = self.pareto(own).log2().min(15.0) as u32;
                (2 << height) - 1
            }
            Law::Leaves { .. } | Law::Depths => {
                if child == 0 {
                    rest.div_ceil(2)
                } else {
                    rest / 2
                }
            }
        };
        Subtree { key: own, size, depth }
    }
}

impl CopyProblem for PowerLawTree {
    type State = Subtree;
    type Cursor = (u64, u64);
    type Choice = u64;

    fn root(&self) -> Subtree {
        self.root
    }
    fn branch(&self, node: &Subtree) -> Branch<(u64, u64)> {
        match self.children(node) {
            0 => Branch::DeadEnd,
            children => Branch::Inner((0, children)),
        }
    }
    fn next(&self, _: &Subtree, (next, children): &mut (u64, u64)) -> Option<u64> {
        let child = *next;
        *next += 1;
        (child < *children).then_some(child)
    }
    fn apply(&self, node: Subtree, &child: &u64) -> Subtree {
        self.child(&node, child)
    }
}
