//! The state: which bunkers stand, which cells are candidates, and what follows from it segment by
//! segment.

use bitvec::vec::BitVec;

use super::board::Board;
use super::segments::Axis;
use crate::memory::{block_bytes, vec_bytes};

/// A position of a search: the bunkers placed and the *candidates* left.
///
/// A candidate is an empty cell whose two segments hold no bunker and which has not been excluded.
/// Everything is kept up to date cell by cell as candidates disappear (how many each segment has
/// left, and which one if it is the only one), and each candidate that disappears goes on a
/// *trail*. So a step costs what it changes, and so does taking it back.
///
/// The trail also tells a hook what is new since it last looked, which is how
/// [`DegreeOne`](super::DegreeOne) and the matching bound avoid looking at the whole board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    candidates: BitVec,
    left: usize,
    /// By segment: how many candidates it has, and the exclusive or of their numbers.
    degree: Vec<u32>,
    mixed: Vec<usize>,
    /// By segment: whether it holds a bunker.
    held: BitVec,
    /// By axis: how many segments have a candidate.
    open: [usize; 2],
    bunkers: Vec<usize>,
    trail: Vec<usize>,
    /// Cells of smaller number are no longer to be chosen, where cells are chosen in increasing
    /// order …
    from: usize,
    /// … and up to here they have been excluded one by one.
    passed: usize,
}

/// What it takes to go back to an earlier state of the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    bunkers: usize,
    trail: usize,
    from: usize,
    passed: usize,
}

impl State {
    /// Bytes of heap that the state owns.
    pub(super) fn heap_bytes(&self) -> usize {
        let sets =
            block_bytes(self.candidates.capacity() / 8) + block_bytes(self.held.capacity() / 8);
        let segments = vec_bytes(&self.degree) + vec_bytes(&self.mixed);
        sets + segments + vec_bytes(&self.bunkers) + vec_bytes(&self.trail)
    }

    /// The board's own bunkers placed, everything they do not control a candidate. Cost: the number
    /// of cells.
    pub(super) fn new(board: &Board) -> Self {
        let segments = board.segments();
        let mut state = State {
            candidates: BitVec::repeat(false, board.cells()),
            left: 0,
            degree: vec![0; segments.len()],
            mixed: vec![0; segments.len()],
            held: BitVec::repeat(false, segments.len()),
            open: [0; 2],
            bunkers: Vec::new(),
            trail: Vec::new(),
            from: 0,
            passed: 0,
        };
        for cell in 0..board.cells() {
            if !board.is_wall(cell) {
                state.restore(board, cell);
            }
        }
        for &cell in board.bunkers() {
            state.place(board, cell);
        }
        state
    }

    /// The number of bunkers placed, the board's own included.
    #[must_use]
    #[inline]
    pub fn placed(&self) -> usize {
        self.bunkers.len()
    }

    /// The cells of the bunkers: the board's own first, then in the order in which they were
    /// placed.
    #[must_use]
    pub fn bunkers(&self) -> &[usize] {
        &self.bunkers
    }

    /// The number of candidates left.
    #[must_use]
    #[inline]
    pub fn candidates(&self) -> usize {
        self.left
    }

    /// Whether the cell is a candidate.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    #[must_use]
    #[inline]
    pub fn is_candidate(&self, cell: usize) -> bool {
        self.candidates[cell]
    }

    /// The number of candidates in a segment.
    ///
    /// # Panics
    ///
    /// If there is no such segment.
    #[must_use]
    #[inline]
    pub fn degree(&self, segment: usize) -> usize {
        self.degree[segment] as usize
    }

    /// The only candidate of a segment, if it has just one.
    ///
    /// # Panics
    ///
    /// If there is no such segment.
    #[must_use]
    #[inline]
    pub fn only_candidate(&self, segment: usize) -> Option<usize> {
        (self.degree[segment] == 1).then(|| self.mixed[segment])
    }

    /// Whether a segment holds a bunker.
    ///
    /// # Panics
    ///
    /// If there is no such segment.
    #[must_use]
    #[inline]
    pub fn is_held(&self, segment: usize) -> bool {
        self.held[segment]
    }

    /// The number of segments along `axis` that have a candidate.
    #[must_use]
    #[inline]
    pub fn open_segments(&self, axis: Axis) -> usize {
        self.open[axis as usize]
    }

    /// The first candidate from cell `from` on.
    #[must_use]
    #[inline]
    pub fn next_candidate(&self, from: usize) -> Option<usize> {
        let rest = self.candidates.get(from..)?;
        rest.first_one().map(|offset| from + offset)
    }

    /// The first cell that may still be chosen where cells are chosen in increasing order; 0
    /// elsewhere.
    #[inline]
    pub(super) fn from(&self) -> usize {
        self.from
    }

    /// The cells that were candidates and are not any more, the last one last.
    #[inline]
    pub(super) fn trail(&self) -> &[usize] {
        &self.trail
    }

    /// Places a bunker on a candidate; false, and nothing happens, if `cell` is none.
    ///
    /// For hooks that infer: whatever is placed or excluded while a node is entered is taken back
    /// with its choice. Cost: the lengths of the two segments.
    ///
    /// # Panics
    ///
    /// If there is no such cell, or if `board` is not the state's own.
    pub fn place(&mut self, board: &Board, cell: usize) -> bool {
        if !self.candidates[cell] {
            return false;
        }
        for segment in board.segments().both(cell) {
            self.held.set(segment, true);
            self.exclude_segment(board, segment);
        }
        self.bunkers.push(cell);
        true
    }

    /// Makes a candidate a candidate no more, for what lies below this node; false if it was none.
    ///
    /// # Panics
    ///
    /// If there is no such cell, or if `board` is not the state's own.
    #[inline]
    pub fn exclude(&mut self, board: &Board, cell: usize) -> bool {
        if !self.candidates[cell] {
            return false;
        }
        self.candidates.set(cell, false);
        self.left -= 1;
        for (axis, segment) in board.segments().both(cell).into_iter().enumerate() {
            self.degree[segment] -= 1;
            self.mixed[segment] ^= cell;
            self.open[axis] -= usize::from(self.degree[segment] == 0);
        }
        self.trail.push(cell);
        true
    }

    /// Excludes every candidate of a segment.
    pub(super) fn exclude_segment(&mut self, board: &Board, segment: usize) {
        let cells = board.segments().get(segment);
        for offset in 0..cells.len() {
            if self.degree[segment] == 0 {
                return;
            }
            self.exclude(board, cells.cell(offset));
        }
    }

    /// Excludes, one by one, the cells that were passed over where cells are chosen in increasing
    /// order.
    ///
    /// The plain search does not need it, for it knows where to go on. Whoever counts candidates
    /// calls it first.
    pub fn exclude_passed(&mut self, board: &Board) {
        while self.passed < self.from {
            match self.next_candidate(self.passed) {
                Some(cell) if cell < self.from => {
                    self.exclude(board, cell);
                    self.passed = cell + 1;
                }
                _ => self.passed = self.from,
            }
        }
    }

    /// From now on cells are chosen from `cell` on only.
    #[inline]
    pub(super) fn pass(&mut self, cell: usize) {
        self.from = cell;
    }

    #[inline]
    pub(super) fn mark(&self) -> Undo {
        Undo {
            bunkers: self.bunkers.len(),
            trail: self.trail.len(),
            from: self.from,
            passed: self.passed,
        }
    }

    /// Takes back what has happened since `mark` was made.
    pub(super) fn back_to(&mut self, board: &Board, mark: Undo) {
        for &cell in &self.bunkers[mark.bunkers..] {
            for segment in board.segments().both(cell) {
                self.held.set(segment, false);
            }
        }
        self.bunkers.truncate(mark.bunkers);
        while self.trail.len() > mark.trail {
            if let Some(cell) = self.trail.pop() {
                self.restore(board, cell);
            }
        }
        self.from = mark.from;
        self.passed = mark.passed;
    }

    /// Makes a cell a candidate.
    #[inline]
    fn restore(&mut self, board: &Board, cell: usize) {
        self.candidates.set(cell, true);
        self.left += 1;
        for (axis, segment) in board.segments().both(cell).into_iter().enumerate() {
            self.open[axis] += usize::from(self.degree[segment] == 0);
            self.degree[segment] += 1;
            self.mixed[segment] ^= cell;
        }
    }
}
