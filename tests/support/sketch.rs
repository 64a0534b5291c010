//! Small trees, listed node by node.

use secateurs::{Branch, CopyProblem, Node};

/// A node: its children, its value if it is a solution, and a label.
#[derive(Clone, Debug, Default)]
pub struct Sketched {
    pub children: Vec<usize>,
    pub value: Option<i64>,
    pub label: u32,
}

/// A tree of nodes, the root first. States and choices are indices of nodes.
#[derive(Clone, Debug)]
pub struct Sketch(pub Vec<Sketched>);

impl Sketch {
    /// Creates a tree from nodes given as (children, value, label).
    pub fn of(nodes: &[(&[usize], Option<i64>, u32)]) -> Self {
        let node = |&(children, value, label): &(&[usize], _, _)| Sketched {
            children: children.to_vec(),
            value,
            label,
        };
        Sketch(nodes.iter().map(node).collect())
    }

    /// Creates a root and leaves that are solutions, given as (value, label).
    pub fn leaves(leaves: &[(i64, u32)]) -> Self {
        let root = Sketched { children: (1..=leaves.len()).collect(), ..Sketched::default() };
        let leaf = |&(value, label): &(i64, u32)| Sketched {
            value: Some(value),
            label,
            ..Sketched::default()
        };
        Sketch(std::iter::once(root).chain(leaves.iter().map(leaf)).collect())
    }

    /// Returns the value of a solution, and 0 for other nodes.
    pub fn value(&self, node: &usize) -> i64 {
        self.0[*node].value.unwrap_or(0)
    }

    pub fn label(&self, node: &usize) -> u32 {
        self.0[*node].label
    }

    /// Returns the index of the current node of a walk.
    pub fn at(node: &Node<'_, Sketch>) -> usize {
        *node.state()
    }
}

impl CopyProblem for Sketch {
    type State = usize;
    type Cursor = usize;
    type Choice = usize;

    fn root(&self) -> usize {
        0
    }
    fn branch(&self, &node: &usize) -> Branch<usize> {
        match (self.0[node].value.is_some(), self.0[node].children.is_empty()) {
            (true, true) => Branch::Solution,
            (true, false) => Branch::SolutionInner(0),
            (false, true) => Branch::DeadEnd,
            (false, false) => Branch::Inner(0),
        }
    }
    fn next(&self, &node: &usize, cursor: &mut usize) -> Option<usize> {
        *cursor += 1;
        self.0[node].children.get(*cursor - 1).copied()
    }
    fn apply(&self, _: usize, &child: &usize) -> usize {
        child
    }
}
