//! Maximum matchings: of a board, independent of the search, and of the candidates of a search,
//! repaired from node to node.

use super::board::FireNetBoard;
use super::segments::Axis;
use super::state::State;

/// The mate or partner of a segment that has none, and the layer of a row segment that was not
/// reached.
const FREE: usize = usize::MAX;

/// Returns a largest placement, found without a search: cells in increasing order, given bunkers
/// included.
///
/// Segments are vertices, empty cells are edges and a placement is a matching, so the optimum is a
/// maximum matching of a bipartite graph (König 1931). The algorithm is that of Hopcroft and Karp
/// (1973): each phase finds a maximal set of disjoint shortest augmenting paths. It takes time
/// O(cells · √segments).
///
/// The function uses neither the state nor the prunings of the search, so it can serve as an oracle
/// for the search.
///
/// ```
/// use secateurs_problems::fire_net::{FireNetBoard, maximum_matching};
///
/// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let cells = maximum_matching(&board);
/// assert_eq!(cells.len(), 5);
/// assert!(board.with_bunkers(cells).is_ok()); // no two see each other
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[must_use]
pub fn maximum_matching(board: &FireNetBoard) -> Vec<usize> {
    let mut graph = Graph::new(board);
    while graph.build_layers() {
        for row in 0..graph.row_segments {
            if graph.mate[row] == FREE {
                graph.augment(row);
            }
        }
    }
    let mut cells: Vec<usize> =
        graph.mate[..graph.row_segments].iter().copied().filter(|&cell| cell != FREE).collect();
    cells.extend_from_slice(board.bunkers());
    cells.sort_unstable();
    cells
}

/// The bipartite graph of a board: the vertices are its segments, numbered as in
/// [`Segments`](super::Segments), row segments first; the edges are its cells.
struct Graph {
    row_segments: usize,
    /// The edges of the row segments, segment by segment, as cell and column segment.
    edges: Vec<(usize, usize)>,
    /// By row segment: the index of its first edge. One more entry marks the end of the last.
    first_edge: Vec<usize>,
    /// By segment: the cell that matches it.
    mate: Vec<usize>,
    /// By column segment: the row segment that it is matched with.
    partner: Vec<usize>,
    /// By row segment: its distance from a free one.
    layer: Vec<usize>,
    /// By row segment: the next edge to try.
    next_edge: Vec<usize>,
}

impl Graph {
    fn new(board: &FireNetBoard) -> Self {
        let segments = board.segments();
        let row_segments = segments.along(Axis::Row);
        let held = board.held_segments();
        let mut edges = Vec::new();
        let mut first_edge = vec![0];
        for row in 0..row_segments {
            if !held[row] {
                let columns = segments
                    .get(row)
                    .cells()
                    .filter_map(|cell| segments.of(cell).map(|of| (cell, of[1])));
                edges.extend(columns.filter(|&(_, column)| !held[column]));
            }
            first_edge.push(edges.len());
        }
        let vertices = segments.len();
        Graph {
            row_segments,
            edges,
            first_edge,
            mate: vec![FREE; vertices],
            partner: vec![FREE; vertices],
            layer: vec![0; row_segments],
            next_edge: vec![0; row_segments],
        }
    }

    /// Computes the layers breadth first from the free row segments. Returns whether a free column
    /// segment can be reached.
    fn build_layers(&mut self) -> bool {
        let mut queue: Vec<usize> =
            (0..self.row_segments).filter(|&row| self.mate[row] == FREE).collect();
        self.layer.fill(FREE);
        self.next_edge.copy_from_slice(&self.first_edge[..self.row_segments]);
        for &row in &queue {
            self.layer[row] = 0;
        }
        let mut reached = false;
        let mut head = 0;
        while let Some(&row) = queue.get(head) {
            head += 1;
            for &(_, column) in &self.edges[self.first_edge[row]..self.first_edge[row + 1]] {
                match self.partner[column] {
                    FREE => reached = true,
                    other if self.layer[other] == FREE => {
                        self.layer[other] = self.layer[row] + 1;
                        queue.push(other);
                    }
                    _ => {}
                }
            }
        }
        reached
    }

    /// Searches depth first along the layers for an augmenting path, and augments by it if there is
    /// one. There is no recursion, because a path may be as long as there are segments.
    fn augment(&mut self, start: usize) {
        let mut path: Vec<usize> = vec![start];
        while let Some(&row) = path.last() {
            let edge = self.next_edge[row];
            if edge == self.first_edge[row + 1] {
                self.layer[row] = FREE; // No augmenting path goes through this row in this phase.
                path.pop();
                continue;
            }
            self.next_edge[row] += 1;
            match self.partner[self.edges[edge].1] {
                FREE => {
                    for &row in &path {
                        let (cell, column) = self.edges[self.next_edge[row] - 1];
                        self.mate[row] = cell;
                        self.mate[column] = cell;
                        self.partner[column] = row;
                    }
                    return;
                }
                other if self.layer[other] != FREE && self.layer[other] == self.layer[row] + 1 => {
                    path.push(other)
                }
                _ => {}
            }
        }
    }
}

/// A maximum matching of the candidates of the node entered last, with a log that restores the
/// matchings of its ancestors.
///
/// From a node to its child, candidates are only removed. Removing them from the parent's matching
/// leaves some segments without a mate. A path that augments the remaining matching must begin or
/// end in such a segment, otherwise it would have augmented the parent's matching, which was
/// maximum. One search from each of these segments is therefore enough (Berge 1957). No child has a
/// better optimum than its parent, so the repair ends as soon as bunkers and matching together
/// reach the parent's bound.
#[derive(Clone, Debug, Default)]
pub(super) struct IncrementalMatching {
    /// By segment: the cell that matches it.
    mate: Vec<usize>,
    /// The number of cells in the matching.
    len: usize,
    /// The overwritten entries of `mate`, as segment and mate, restored in reverse order.
    log: Vec<(usize, usize)>,
    /// By depth: the nodes of the path.
    frames: Vec<Frame>,
    buffers: SearchBuffers,
}

/// A node of the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The length of the log on entering the node.
    log: usize,
    /// The size of the matching on entering the node.
    len: usize,
    /// The length of the state's trail when the matching was repaired.
    trail: usize,
    /// The bunkers placed and the size of the matching together.
    bound: usize,
}

/// Buffers of the searches for augmenting paths.
#[derive(Clone, Debug, Default)]
struct SearchBuffers {
    /// By segment: the cell by which it was reached, valid if it was reached in this round.
    via: Vec<usize>,
    /// By segment: the last round in which it was reached.
    reached: Vec<u32>,
    round: u32,
    /// The segments to be scanned, each with the start of its search. Empty between searches.
    queue: Vec<(usize, usize)>,
    /// The segments that have lost their mate.
    freed: Vec<usize>,
}

impl IncrementalMatching {
    /// Computes the maximum matching of the candidates of a state.
    pub(super) fn of(board: &FireNetBoard, state: &State) -> Self {
        let mut matching = IncrementalMatching::default();
        matching.start(board, state);
        matching
    }

    /// Returns the number of cells in the matching.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the cell that matches a segment, if there is one.
    pub(super) fn mate(&self, segment: usize) -> Option<usize> {
        Some(self.mate[segment]).filter(|&cell| cell != FREE)
    }

    /// Returns the size of the maximum matching of the candidates at a node of the given depth,
    /// whose parent was entered before.
    ///
    /// Leaving a node needs no call, because entering a node drops the earlier nodes below its
    /// parent.
    pub(super) fn enter(&mut self, board: &FireNetBoard, state: &State, depth: usize) -> usize {
        if depth == 0 {
            self.start(board, state);
        } else {
            self.restore_parent(depth);
            let parent = self.frames[depth - 1];
            let (log, len) = (self.log.len(), self.len);
            self.repair(board, state, parent);
            let bound = state.placed() + self.len;
            self.frames.push(Frame { log, len, trail: state.trail().len(), bound });
        }
        self.len
    }

    /// Computes the matching of the root from scratch.
    fn start(&mut self, board: &FireNetBoard, state: &State) {
        let segments = board.segments();
        self.mate = vec![FREE; segments.len()];
        self.buffers.via = vec![FREE; segments.len()];
        self.buffers.reached = vec![0; segments.len()];
        self.buffers.round = 0;
        self.len = 0;
        let row_segments = segments.along(Axis::Row);
        // A greedy matching first: few segments are then left to augment.
        for row in 0..row_segments {
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
        loop {
            let free = (0..row_segments).filter(|&row| self.mate[row] == FREE);
            self.buffers.queue.extend(free.map(|row| (row, row)));
            if self.augment(board, state) == 0 {
                break;
            }
        }
        self.log.clear();
        self.frames.clear();
        let bound = state.placed() + self.len;
        self.frames.push(Frame { log: 0, len: self.len, trail: state.trail().len(), bound });
    }

    /// Restores the matching of the parent of the nodes at this depth.
    fn restore_parent(&mut self, depth: usize) {
        if let Some(frame) = self.frames.get(depth) {
            for (segment, mate) in self.log.drain(frame.log..).rev() {
                self.mate[segment] = mate;
            }
            self.len = frame.len;
            self.frames.truncate(depth);
        }
    }

    fn set_mate(&mut self, segment: usize, mate: usize) {
        self.log.push((segment, self.mate[segment]));
        self.mate[segment] = mate;
    }

    /// Restricts the parent's matching to the candidates of this state, and augments it to a
    /// maximum matching.
    fn repair(&mut self, board: &FireNetBoard, state: &State, parent: Frame) {
        let segments = board.segments();
        let mut freed = std::mem::take(&mut self.buffers.freed);
        for &cell in &state.trail()[parent.trail..] {
            let both = segments.both(cell);
            if self.mate[both[0]] == cell {
                self.len -= 1;
                for segment in both {
                    self.set_mate(segment, FREE);
                    freed.push(segment);
                }
            }
        }
        // A segment that an earlier augmentation has matched again needs no search.
        for segment in freed.drain(..) {
            if state.placed() + self.len >= parent.bound {
                break;
            }
            if self.mate[segment] == FREE && state.degree(segment) > 0 {
                self.buffers.queue.push((segment, segment));
                self.augment(board, state);
            }
        }
        self.buffers.freed = freed;
    }

    /// Searches breadth first for disjoint augmenting paths from free segments of one axis, and
    /// augments by each. Returns their number, which is 0 only if no path begins in any of them.
    ///
    /// The searches share one queue and visit each segment once (Azad, Buluç and Pothen 2015). The
    /// starts are those in `queue`.
    fn augment(&mut self, board: &FireNetBoard, state: &State) -> usize {
        let segments = board.segments();
        self.buffers.round = self.buffers.round.wrapping_add(1);
        if self.buffers.round == 0 {
            self.buffers.reached.fill(0);
            self.buffers.round = 1;
        }
        let starts = self.buffers.queue.len();
        let mut augmented = 0;
        let mut head = 0;
        while let Some(&(segment, start)) = self.buffers.queue.get(head) {
            head += 1;
            if self.mate[start] != FREE {
                continue; // The path from this start was found.
            }
            let cells = segments.get(segment);
            for offset in 0..cells.len() {
                let cell = cells.cell(offset);
                if !state.is_candidate(cell) {
                    continue;
                }
                let other = segments.other(segment, cell);
                if self.buffers.reached[other] == self.buffers.round {
                    continue;
                }
                self.buffers.reached[other] = self.buffers.round;
                self.buffers.via[other] = cell;
                match self.mate[other] {
                    FREE => {
                        self.flip(board, other);
                        augmented += 1;
                        break;
                    }
                    mate => self.buffers.queue.push((segments.other(other, mate), start)),
                }
            }
            if augmented == starts {
                break;
            }
        }
        self.buffers.queue.clear();
        self.len += augmented;
        augmented
    }

    /// Augments along the path that was found, from `end` back to its start.
    fn flip(&mut self, board: &FireNetBoard, mut end: usize) {
        loop {
            let cell = self.buffers.via[end];
            let segment = board.segments().other(end, cell);
            let old_mate = self.mate[segment];
            self.set_mate(end, cell);
            self.set_mate(segment, cell);
            if old_mate == FREE {
                return;
            }
            end = board.segments().other(segment, old_mate);
        }
    }
}
