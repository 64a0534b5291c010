//! The segment with the fewest candidates, kept up to date as nodes come and go.

use super::board::Board;
use super::state::State;
use crate::hook::Node;

/// Stands above every number of candidates, for segments that have none.
const NONE: u32 = u32::MAX;

/// A winner tree over the segments: each inner entry is the smaller of its two children.
///
/// It is a function of the numbers of candidates and nothing else. That is why it is not a heap or
/// a list of buckets, whose order would depend on what happened before and would not come back with
/// an undo.
#[derive(Clone, Debug, Default)]
pub(super) struct Smallest {
    /// Leaves from the middle on, the winner at 1.
    tree: Vec<u32>,
    /// The cells that disappeared at the nodes of the path, and by depth where they begin and how
    /// long the trail was.
    log: Vec<usize>,
    frames: Vec<(usize, usize)>,
}

impl Smallest {
    /// To be told of every node that is entered. Leaving need not be told.
    pub(super) fn enter(&mut self, node: &Node<'_, Board>) {
        let (board, state, depth) = (node.problem(), node.state(), node.depth());
        if depth == 0 {
            return self.build(state, board.segments().len());
        }
        // What came back below the parent since it was entered …
        if let Some(&(start, _)) = self.frames.get(depth) {
            for index in start..self.log.len() {
                self.refresh(board, state, self.log[index]);
            }
            self.log.truncate(start);
            self.frames.truncate(depth);
        }
        // … and what disappears now.
        let (_, seen) = self.frames[depth - 1];
        for &cell in &state.trail()[seen..] {
            self.refresh(board, state, cell);
        }
        self.frames.push((self.log.len(), state.trail().len()));
        self.log.extend_from_slice(&state.trail()[seen..]);
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

    fn refresh(&mut self, board: &Board, state: &State, cell: usize) {
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

    /// The segment of the fewest candidates, the first of them if there are several; `None` if no
    /// candidate is left.
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

fn rank(state: &State, segment: usize) -> u32 {
    match state.degree(segment) {
        0 => NONE,
        degree => u32::try_from(degree).unwrap_or(NONE - 1),
    }
}
