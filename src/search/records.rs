//! The tree as breadth-first search remembers it: every inner node as its parent and the choice that leads to it.

use std::cell::OnceCell;

use crate::hook::Steps;

/// The number of the root, for which there is no record: records are numbered from 1.
pub(crate) const ROOT: usize = 0;

/// A node that was entered and kept, and has children.
struct Record<C> {
    parent: usize,
    choice: C,
}

/// All of them, in the order in which they were entered.
pub(crate) struct Records<C>(Vec<Record<C>>);

impl<C> Records<C> {
    pub(crate) fn new() -> Self {
        Records(Vec::new())
    }

    /// Records a child of `parent`, and gives its number.
    pub(crate) fn push(&mut self, parent: usize, choice: C) -> usize {
        self.0.push(Record { parent, choice });
        self.0.len()
    }

    /// Forgets all nodes but the root.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The parent of a node other than the root.
    pub(crate) fn parent(&self, record: usize) -> usize {
        self.0[record - 1].parent
    }

    /// The choice that leads to a node other than the root from its parent.
    pub(crate) fn choice(&self, record: usize) -> &C {
        &self.0[record - 1].choice
    }

    /// The choices that lead to a node, whose depth must be given.
    pub(crate) fn chain(&self, record: usize, depth: usize) -> Chain<'_, C> {
        Chain { records: self, record, depth, path: OnceCell::new() }
    }
}

/// The choices that lead to a recorded node. They are gathered when somebody asks for any but the last, once a node:
/// nobody does so at most nodes.
pub(crate) struct Chain<'a, C> {
    records: &'a Records<C>,
    record: usize,
    depth: usize,
    path: OnceCell<Vec<usize>>,
}

impl<C> Steps<C> for Chain<'_, C> {
    fn step(&self, index: usize) -> &C {
        if index + 1 == self.depth {
            return self.records.choice(self.record);
        }
        let path = self.path.get_or_init(|| {
            let mut path = vec![self.record; self.depth];
            let mut record = self.record;
            for place in path.iter_mut().rev() {
                *place = record;
                record = self.records.parent(record);
            }
            path
        });
        self.records.choice(path[index])
    }
}
