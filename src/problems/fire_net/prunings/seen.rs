//! How far an inference has looked at the trail, node by node.

/// By depth, along the path: the length of the trail that an inference had dealt with when it was
/// done with the node.
///
/// What came later (a choice, or what other hooks inferred) is all that is new at the next node
/// below. Leaving a node need not be told, since the marks of nodes at the same depth or deeper are
/// dropped when a node is entered.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    marks: Vec<usize>,
}

impl Seen {
    /// From where on the trail is new at a node of this depth, or `None` if everything is.
    pub(super) fn by_parent(&self, depth: usize) -> Option<usize> {
        self.marks.get(depth.checked_sub(1)?).copied()
    }

    /// At a node of this depth the trail has been dealt with up to `length`.
    pub(super) fn set(&mut self, depth: usize, length: usize) {
        self.marks.truncate(depth);
        if self.marks.len() == depth {
            self.marks.push(length);
        }
    }
}
