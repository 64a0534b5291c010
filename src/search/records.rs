//! The tree as walks remember it that jump from node to node: nodes as their parent and the choice
//! that leads to them.
//!
//! A record is kept as long as somebody needs it: an open node, or the record of a child. The
//! ancestors of all open nodes are shared by them, and what has no open node below it any more is
//! forgotten, and its place used again.

use std::cell::OnceCell;

use crate::hook::Steps;
use crate::limits::Stop;
use crate::memory::grown;

/// The number of the root, for which there is no record: records are numbered from 1.
pub(crate) const ROOT: usize = 0;

/// A node that was entered and kept, and has children.
enum Record<C> {
    Kept {
        parent: usize,
        choice: C,
        /// Its children's records, and those who hold it.
        holders: usize,
    },
    /// Its place is free, and so is that of the record with this number, unless that is the root's.
    Free { next: usize },
}

/// All of them.
pub(crate) struct Records<C> {
    records: Vec<Record<C>>,
    /// The first one whose place is free, or the root.
    free: usize,
}

impl<C> Records<C> {
    pub(crate) fn new() -> Self {
        Records { records: Vec::new(), free: ROOT }
    }

    /// Makes room for one more record, if that takes no more than the limit of memory allows.
    pub(crate) fn make_room(&mut self, used: usize, max_bytes: usize) -> Result<(), Stop> {
        let len = self.records.len();
        if self.free != ROOT || len < self.records.capacity() {
            return Ok(());
        }
        let capacity = grown::<Record<C>>(len, used, max_bytes).ok_or(Stop::MemoryLimit)?;
        self.records.try_reserve_exact(capacity - len).map_err(|_| Stop::MemoryLimit)
    }

    /// Bytes that the records take up.
    pub(crate) fn bytes(&self) -> usize {
        self.records.capacity() * size_of::<Record<C>>()
    }

    /// Records a child of `parent`, held once, and gives its number.
    pub(crate) fn push(&mut self, parent: usize, choice: C) -> usize {
        self.hold(parent);
        let record = Record::Kept { parent, choice, holders: 1 };
        if self.free == ROOT {
            self.records.push(record);
            return self.records.len();
        }
        let number = self.free;
        if let Record::Free { next } = std::mem::replace(&mut self.records[number - 1], record) {
            self.free = next;
        }
        number
    }

    /// Holds a record once more.
    fn hold(&mut self, record: usize) {
        if record != ROOT
            && let Record::Kept { holders, .. } = &mut self.records[record - 1]
        {
            *holders += 1;
        }
    }

    /// Holds a record once less: if nobody holds it, it is forgotten, and its parent held once
    /// less.
    pub(crate) fn release(&mut self, mut record: usize) {
        while record != ROOT {
            let place = &mut self.records[record - 1];
            let Record::Kept { parent, holders, .. } = place else { return };
            *holders -= 1;
            if *holders > 0 {
                return;
            }
            let parent = *parent;
            *place = Record::Free { next: self.free };
            self.free = record;
            record = parent;
        }
    }

    /// Forgets all nodes but the root.
    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.free = ROOT;
    }

    /// How many records there are room for.
    #[cfg(test)]
    pub(crate) fn places(&self) -> usize {
        self.records.len()
    }

    fn kept(&self, record: usize) -> (usize, &C) {
        match &self.records[record - 1] {
            Record::Kept { parent, choice, .. } => (*parent, choice),
            Record::Free { .. } => unreachable!("a record that is held has not been forgotten"),
        }
    }

    /// The parent of a node other than the root.
    pub(crate) fn parent(&self, record: usize) -> usize {
        self.kept(record).0
    }

    /// The choice that leads to a node other than the root from its parent.
    pub(crate) fn choice(&self, record: usize) -> &C {
        self.kept(record).1
    }

    /// The choices that lead to a node, whose depth must be given.
    pub(crate) fn chain(&self, record: usize, depth: usize) -> Chain<'_, C> {
        Chain { records: self, record, depth, path: OnceCell::new() }
    }
}

/// The choices that lead to a recorded node. They are gathered when somebody asks for any but the
/// last, once a node: nobody does so at most nodes.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_is_forgotten_with_its_ancestors() {
        let mut records = Records::new();
        let trunk = records.push(ROOT, 'a');
        let left = records.push(trunk, 'b');
        let right = records.push(trunk, 'c');
        records.release(trunk); // it is expanded, and its children hold it
        assert_eq!((records.parent(left), *records.choice(right)), (trunk, 'c'));
        records.release(left);
        let again = records.push(right, 'd');
        assert_eq!((again, records.parent(again)), (left, right));
        records.release(right);
        records.release(again);
        // All places are free, and are used again before there are more.
        let places: Vec<_> = (0..3).map(|_| records.push(ROOT, 'e')).collect();
        assert_eq!(records.places(), 3);
        assert_eq!(places.iter().max(), Some(&3));
    }

    #[test]
    fn a_chain_of_any_length_is_forgotten() {
        let mut records = Records::new();
        let mut last = ROOT;
        for _ in 0..1_000_000 {
            let next = records.push(last, ());
            records.release(last);
            last = next;
        }
        records.release(last);
        records.push(ROOT, ());
        assert_eq!(records.places(), 1_000_000);
    }
}
