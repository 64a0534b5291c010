//! Random trees that can be walked by hand: a node is known by its path.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use secateurs::{Branch, Problem};

/// A tree in which a node has up to `width` children, and none at `depth`; some of its nodes are solutions.
pub struct RandomTree {
    seed: u64,
    width: u32,
    depth: usize,
}

impl RandomTree {
    pub fn new(seed: u64, width: u32, depth: usize) -> Self {
        RandomTree { seed, width, depth }
    }

    /// A number drawn for the node, the same at every call.
    fn dice(&self, path: &[u32]) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one((self.seed, path))
    }

    pub fn children(&self, path: &[u32]) -> u32 {
        let dice = self.dice(path) >> 8;
        if path.len() == self.depth { 0 } else { (dice % u64::from(self.width + 1)) as u32 }
    }

    pub fn is_solution(&self, path: &[u32]) -> bool {
        self.dice(path).is_multiple_of(3)
    }
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
