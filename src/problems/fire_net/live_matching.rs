//! A maximum matching of the candidates that is repaired from node to node rather than computed
//! anew.

use super::board::Board;
use super::segments::Axis;
use super::state::State;

const FREE: usize = usize::MAX;

/// A maximum matching of the candidates of the node entered last, and what it takes to go back to
/// its ancestors'.
///
/// From a node to its child, candidates only disappear. Take those of them that were matched out of
/// the parent's matching: a path that augments the rest must begin or end in a segment that has
/// just lost its mate, for otherwise it would have augmented the parent's matching, which was
/// maximum. So it is enough to search once from each such segment (Berge 1957). And since no child
/// has a better optimum than its parent, the searching ends as soon as bunkers and matching
/// together reach the parent's bound; after a step that loses nothing, no search fails.
#[derive(Clone, Debug, Default)]
pub(super) struct LiveMatching {
    /// By segment: the cell that matches it.
    mate: Vec<usize>,
    len: usize,
    /// What was overwritten, segment and mate, to be put back in reverse order.
    log: Vec<(usize, usize)>,
    /// By depth, along the path.
    frames: Vec<Frame>,
    search: Search,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Lengths of the log and of the matching on entering the node.
    log: usize,
    len: usize,
    /// Length of the state's trail when the node was looked at, and the bound that was found.
    trail: usize,
    bound: usize,
}

/// What the search for augmenting paths needs, kept to be used again.
#[derive(Clone, Debug, Default)]
struct Search {
    /// By segment: the cell by which it was reached, valid if it was reached in this round.
    via: Vec<usize>,
    reached: Vec<u32>,
    round: u32,
    queue: Vec<usize>,
    freed: Vec<usize>,
}

impl LiveMatching {
    /// The maximum matching of the candidates of a state.
    pub(super) fn of(board: &Board, state: &State) -> Self {
        let mut matching = LiveMatching::default();
        matching.start(board, state);
        matching
    }

    /// The number of cells in the matching.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The size of the maximum matching of the candidates at a node of the given depth, whose
    /// parent was entered before.
    ///
    /// Leaving nodes need not be told: entering a node drops what was entered below its parent.
    pub(super) fn enter(&mut self, board: &Board, state: &State, depth: usize) -> usize {
        if depth == 0 {
            self.start(board, state);
        } else {
            self.leave_from(depth);
            let parent = self.frames[depth - 1];
            let (log, len) = (self.log.len(), self.len);
            self.repair(board, state, parent);
            let bound = state.placed() + self.len;
            self.frames.push(Frame { log, len, trail: state.trail().len(), bound });
        }
        self.len
    }

    fn start(&mut self, board: &Board, state: &State) {
        let segments = board.segments();
        self.mate = vec![FREE; segments.len()];
        self.search.via = vec![FREE; segments.len()];
        self.search.reached = vec![0; segments.len()];
        self.search.round = 0;
        self.len = 0;
        let in_rows = segments.along(Axis::Row);
        // Greedily first: what is left to augment is little.
        for row in 0..in_rows {
            let free = |&cell: &usize| {
                state.is_candidate(cell) && self.mate[segments.other(row, cell)] == FREE
            };
            let least = segments
                .get(row)
                .cells()
                .filter(free)
                .min_by_key(|&cell| state.degree(segments.other(row, cell)));
            if let Some(cell) = least {
                self.mate[row] = cell;
                self.mate[segments.other(row, cell)] = cell;
                self.len += 1;
            }
        }
        for row in 0..in_rows {
            if self.mate[row] == FREE && self.augment(board, state, row) {
                self.len += 1;
            }
        }
        self.log.clear();
        self.frames.clear();
        let bound = state.placed() + self.len;
        self.frames.push(Frame { log: 0, len: self.len, trail: state.trail().len(), bound });
    }

    /// Goes back to the matching of the node above `depth`.
    fn leave_from(&mut self, depth: usize) {
        if let Some(frame) = self.frames.get(depth) {
            for (segment, mate) in self.log.drain(frame.log..).rev() {
                self.mate[segment] = mate;
            }
            self.len = frame.len;
            self.frames.truncate(depth);
        }
    }

    fn set(&mut self, segment: usize, mate: usize) {
        self.log.push((segment, self.mate[segment]));
        self.mate[segment] = mate;
    }

    fn repair(&mut self, board: &Board, state: &State, parent: Frame) {
        let segments = board.segments();
        let mut freed = std::mem::take(&mut self.search.freed);
        for &cell in &state.trail()[parent.trail..] {
            let both = segments.both(cell);
            if self.mate[both[0]] == cell {
                self.len -= 1;
                for segment in both {
                    self.set(segment, FREE);
                    freed.push(segment);
                }
            }
        }
        // A segment that is matched again by an earlier augmentation needs none.
        for segment in freed.drain(..) {
            if state.placed() + self.len >= parent.bound {
                break;
            }
            if self.mate[segment] == FREE
                && state.degree(segment) > 0
                && self.augment(board, state, segment)
            {
                self.len += 1;
            }
        }
        self.search.freed = freed;
    }

    /// Searches breadth first for an augmenting path from a free segment, and augments by it if
    /// there is one.
    fn augment(&mut self, board: &Board, state: &State, start: usize) -> bool {
        let segments = board.segments();
        self.search.round = self.search.round.wrapping_add(1);
        if self.search.round == 0 {
            self.search.reached.fill(0);
            self.search.round = 1;
        }
        self.search.queue.clear();
        self.search.queue.push(start);
        let mut head = 0;
        while let Some(&segment) = self.search.queue.get(head) {
            head += 1;
            let cells = segments.get(segment);
            for offset in 0..cells.len() {
                let cell = cells.cell(offset);
                if !state.is_candidate(cell) {
                    continue;
                }
                let other = segments.other(segment, cell);
                if self.search.reached[other] == self.search.round {
                    continue;
                }
                self.search.reached[other] = self.search.round;
                self.search.via[other] = cell;
                match self.mate[other] {
                    FREE => {
                        self.flip(board, start, other);
                        return true;
                    }
                    mate => self.search.queue.push(segments.other(other, mate)),
                }
            }
        }
        false
    }

    /// Matches along the path from `end` back to `start`.
    fn flip(&mut self, board: &Board, start: usize, mut end: usize) {
        loop {
            let cell = self.search.via[end];
            let segment = board.segments().other(end, cell);
            let before = self.mate[segment];
            self.set(end, cell);
            self.set(segment, cell);
            if segment == start {
                return;
            }
            end = board.segments().other(segment, before);
        }
    }
}
