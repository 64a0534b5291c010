//! Common parts of the inferences, prunings 5 to 10: [`Scope`] and [`TrailMarks`].

/// The nodes at which an inference is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// At the root only, before the search begins, as in the article.
    Root,
    /// At every node.
    EveryNode,
}

impl Scope {
    pub(super) fn includes(self, depth: usize) -> bool {
        self == Scope::EveryNode || depth == 0
    }
}

/// By depth, along the path: the length of the state's trail when an inference finished the node.
///
/// The entries of the trail after the mark of the parent (the choice, and inferences of other
/// hooks) are all that is new at a node. There is no call for leaving a node: entering a node drops
/// the marks of the same depth and below.
#[derive(Clone, Debug, Default)]
pub(super) struct TrailMarks {
    marks: Vec<usize>,
}

impl TrailMarks {
    /// Returns the index of the first new entry of the trail at a node of this depth, or `None` if
    /// the parent has no mark.
    pub(super) fn by_parent(&self, depth: usize) -> Option<usize> {
        self.marks.get(depth.checked_sub(1)?).copied()
    }

    /// Records that a node of this depth is finished up to this length of the trail.
    pub(super) fn set(&mut self, depth: usize, length: usize) {
        self.marks.truncate(depth);
        if self.marks.len() == depth {
            self.marks.push(length);
        }
    }
}
