//! Random trees for comparison with a hand-written walk: a node is identified by its path.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::ops::Range;

use proptest::prelude::*;
use secateurs::{Branch, Cuts, Digest, Effect, Hook, Node, NodeMut, Problem, Report, Verdict};

/// A random tree in which a node has up to `width` children, and none at `depth`. A third of the
/// nodes are solutions.
#[derive(Clone, Debug)]
pub struct RandomTree {
    seed: u64,
    width: u32,
    depth: usize,
}

impl RandomTree {
    pub fn new(seed: u64, width: u32, depth: usize) -> Self {
        RandomTree { seed, width, depth }
    }

    /// Returns the random number of a node, the same at every call.
    fn random(&self, path: &[u32]) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one((self.seed, path))
    }

    pub fn children(&self, path: &[u32]) -> u32 {
        let random = self.random(path) >> 8;
        if path.len() == self.depth { 0 } else { (random % u64::from(self.width + 1)) as u32 }
    }

    /// Returns the sum of the steps of a path.
    #[allow(clippy::ptr_arg, reason = "an objective gets a reference to the state")]
    pub fn sum(&self, path: &Vec<u32>) -> u64 {
        path.iter().map(|&step| u64::from(step)).sum()
    }

    /// Returns a bound of the sums at or below a path, if the tree has a depth of at most 8 and a
    /// width of at most 8.
    #[allow(clippy::ptr_arg, reason = "an objective gets a reference to the state")]
    pub fn largest_sum(&self, path: &Vec<u32>) -> u64 {
        self.sum(path) + 8 * (9 - path.len().min(9)) as u64
    }

    pub fn is_solution(&self, path: &[u32]) -> bool {
        self.random(path).is_multiple_of(3)
    }
}

/// Generates trees of these widths and depths.
pub fn trees_of(widths: Range<u32>, depths: Range<usize>) -> impl Strategy<Value = RandomTree> {
    (any::<u64>(), widths, depths)
        .prop_map(|(seed, width, depth)| RandomTree::new(seed, width, depth))
}

impl Problem for RandomTree {
    type State = Vec<u32>;
    type Cursor = u32;
    type Choice = u32;
    type Undo = ();

    fn root(&self) -> Vec<u32> {
        Vec::new()
    }
    fn branch(&self, path: &Vec<u32>) -> Branch<u32> {
        match (self.is_solution(path), self.children(path)) {
            (true, 0) => Branch::Solution,
            (false, 0) => Branch::DeadEnd,
            (true, _) => Branch::SolutionInner(0),
            (false, _) => Branch::Inner(0),
        }
    }
    fn next(&self, path: &Vec<u32>, cursor: &mut u32) -> Option<u32> {
        let child = *cursor;
        *cursor += 1;
        (child < self.children(path)).then_some(child)
    }
    fn apply(&self, path: &mut Vec<u32>, &child: &u32) {
        path.push(child);
    }
    fn undo(&self, path: &mut Vec<u32>, _: &u32, (): ()) {
        path.pop();
    }
}

/// Returns the parts of a report that are equal for one run and for a run in several parts.
pub fn tree_stats(report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let hooks = report.hooks().iter();
    let hooks: Vec<_> = hooks
        .map(|hook| {
            let trim = |cuts: &[Cuts]| {
                let used = cuts
                    .iter()
                    .rposition(|cuts| cuts.admit + cuts.enter > 0)
                    .map_or(0, |last| last + 1);
                cuts[..used].to_vec()
            };
            (hook.name().to_owned(), trim(hook.calls_by_depth()), trim(hook.cuts_by_depth()))
        })
        .collect();
    (report.levels().to_vec(), hooks, report.effect())
}

/// A hook that follows the path with a stack of marks, one per node, and prunes by them in `admit`
/// and in `enter`.
#[derive(Clone, Default)]
pub struct Trail {
    path: Vec<u64>,
}

impl Trail {
    /// Returns whether every node was left.
    pub fn is_at_the_root(&self) -> bool {
        self.path.is_empty()
    }
}

impl Hook<RandomTree> for Trail {
    fn name(&self) -> &str {
        "trail"
    }
    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }
    fn effect(&self) -> Effect {
        Effect::Lossy
    }
    fn admit(&mut self, node: &Node<'_, RandomTree>, choice: &u32) -> Verdict {
        assert_eq!(self.path.len(), node.depth() + 1);
        Verdict::prune_if((self.path[node.depth()] + u64::from(*choice)) % 7 == 3)
    }
    fn enter(&mut self, node: &mut NodeMut<'_, RandomTree>) -> Verdict {
        if node.depth() == 0 {
            self.path.clear();
        }
        assert_eq!(self.path.len(), node.depth());
        assert!(node.path().iter().eq(node.state()));
        let before = self.path.last().copied().unwrap_or(0);
        let mark = before * 3 + u64::from(node.path().last().copied().unwrap_or(0)) + 1;
        if mark % 11 == 5 {
            return Verdict::Prune;
        }
        self.path.push(mark);
        Verdict::Keep
    }
    fn leave(&mut self, node: &Node<'_, RandomTree>) {
        assert_eq!(self.path.len(), node.depth() + 1);
        assert!(node.path().iter().eq(node.state()));
        self.path.pop();
    }
}
