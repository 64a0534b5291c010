//! The segment with the fewest candidates, updated incrementally along a search path.

use super::board::FireNetBoard;
use super::state::State;
use crate::hook::Node;

/// The rank of segments without a candidate, above all others.
const NONE: u32 = u32::MAX;

/// A winner tree over the segments: each inner entry is the smaller of its two children.
///
/// Its contents depend only on the current numbers of candidates. The order in a heap or in a list
/// of buckets would depend on the history of the search, and an undo would not restore it.
#[derive(Clone, Debug, Default)]
pub(super) struct Smallest {
    /// The leaves are in the upper half, the winner at index 1.
    tree: Vec<u32>,
    /// The candidates removed at the nodes of the path.
    log: Vec<usize>,
    /// By depth: the lengths of the log and of the state's trail when the node was entered.
    frames: Vec<(usize, usize)>,
}

impl Smallest {
    /// Updates the tree for a node that is entered. It must be called for every node on the path;
    /// there is no call for leaving a node.
    pub(super) fn enter(&mut self, node: &Node<'_, FireNetBoard>) {
        let (board, state, depth) = (node.problem(), node.state(), node.depth());
        if depth == 0 {
            return self.build(state, board.segments().len());
        }
        // Restore the candidates removed by earlier nodes below the parent …
        if let Some(&(start, _)) = self.frames.get(depth) {
            for index in start..self.log.len() {
                self.refresh(board, state, self.log[index]);
            }
            self.log.truncate(start);
            self.frames.truncate(depth);
        }
        // … and remove those that this node removes.
        let (_, parent_trail) = self.frames[depth - 1];
        for &cell in &state.trail()[parent_trail..] {
            self.refresh(board, state, cell);
        }
        self.frames.push((self.log.len(), state.trail().len()));
        self.log.extend_from_slice(&state.trail()[parent_trail..]);
    }

    fn build(&mut self, state: &State, segments: usize) {
        let leaves = segments.next_power_of_two();
        self.tree.clear();
        self.tree.resize(2 * leaves, NONE);
        for segment in 0..segments {
            self.tree[leaves + segment] = rank(state, segment);
        }
        for index in (1..leaves).rev() {
            self.tree[index] = self.tree[2 * index].min(self.tree[2 * index + 1]);
        }
        self.log.clear();
        self.frames.clear();
        self.frames.push((0, state.trail().len()));
    }

    /// Recomputes the leaves of the two segments of a cell, and their ancestors.
    fn refresh(&mut self, board: &FireNetBoard, state: &State, cell: usize) {
        for segment in board.segments().both(cell) {
            let mut index = self.tree.len() / 2 + segment;
            let mut value = rank(state, segment);
            while index > 0 && self.tree[index] != value {
                self.tree[index] = value;
                value = value.min(self.tree[index ^ 1]);
                index /= 2;
            }
        }
    }

    /// Returns the first of the segments with the fewest candidates, or `None` if no candidate is
    /// left.
    pub(super) fn first(&self) -> Option<usize> {
        let leaves = self.tree.len() / 2;
        let least = self.tree[1];
        if least == NONE {
            return None;
        }
        let mut index = 1;
        while index < leaves {
            index *= 2;
            index += usize::from(self.tree[index] != least);
        }
        Some(index - leaves)
    }
}

/// Returns the number of candidates of a segment, or [`NONE`] if there are none.
fn rank(state: &State, segment: usize) -> u32 {
    match state.degree(segment) {
        0 => NONE,
        degree => u32::try_from(degree).unwrap_or(NONE - 1),
    }
}
