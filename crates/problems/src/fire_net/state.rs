//! The search state, with counts of candidates by segment, and the search tree: its choices and the
//! [`Problem`] of a board.

use bitvec::vec::BitVec;

use secateurs::{Branch, Problem, block_bytes, vec_bytes};

use super::board::FireNetBoard;
use super::segments::Axis;

/// A state of a search: the bunkers placed and the *candidates* left.
///
/// A candidate is an empty cell whose two segments hold no bunker and which has not been excluded.
/// The state updates the number of candidates of each segment whenever a candidate is removed, and
/// pushes each removed candidate on a *trail*. The costs of a step and of its undo are therefore
/// proportional to what the step changes.
///
/// The trail also tells a hook what has changed since its last visit:
/// [`DegreeOne`](super::DegreeOne) and the matching bound use it to avoid scanning the whole board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    candidates: BitVec,
    candidate_count: usize,
    /// By segment: the number of its candidates.
    degree: Vec<u32>,
    /// By segment: the exclusive or of the numbers of its candidates. If there is only one, this is
    /// its number.
    candidate_xor: Vec<usize>,
    /// By segment: whether it holds a bunker.
    held: BitVec,
    /// By axis: the number of segments that have a candidate.
    open: [usize; 2],
    bunkers: Vec<usize>,
    trail: Vec<usize>,
    /// The first cell that may still be chosen if cells are chosen in increasing order, else 0.
    from: usize,
    /// The cells below `from` are excluded lazily. Those below `passed` are excluded already.
    passed: usize,
}

/// The data that reverts a [`State`] to an earlier one on the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    bunkers: usize,
    trail: usize,
    from: usize,
    passed: usize,
}

impl State {
    /// Creates the root state: the given bunkers are placed, and every empty cell that they do not
    /// see is a candidate. Takes time linear in the number of cells.
    pub(super) fn new(board: &FireNetBoard) -> Self {
        let segments = board.segments();
        let mut state = State {
            candidates: BitVec::repeat(false, board.cells()),
            candidate_count: 0,
            degree: vec![0; segments.len()],
            candidate_xor: vec![0; segments.len()],
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

    /// Returns the number of bunkers placed, given ones included.
    #[must_use]
    #[inline]
    pub fn placed(&self) -> usize {
        self.bunkers.len()
    }

    /// Returns the cells of the bunkers: first the given ones, then the others in the order in
    /// which they were placed.
    #[must_use]
    pub fn bunkers(&self) -> &[usize] {
        &self.bunkers
    }

    /// Returns the cells of the bunkers in increasing order.
    pub(super) fn sorted_bunkers(&self) -> Vec<usize> {
        let mut cells = self.bunkers.clone();
        cells.sort_unstable();
        cells
    }

    /// Returns the number of candidates left.
    #[must_use]
    #[inline]
    pub fn candidates(&self) -> usize {
        self.candidate_count
    }

    /// Returns whether the cell is a candidate.
    ///
    /// # Panics
    ///
    /// Panics if there is no such cell.
    #[must_use]
    #[inline]
    pub fn is_candidate(&self, cell: usize) -> bool {
        self.candidates[cell]
    }

    /// Returns the number of candidates in a segment.
    ///
    /// # Panics
    ///
    /// Panics if there is no such segment.
    #[must_use]
    #[inline]
    pub fn degree(&self, segment: usize) -> usize {
        self.degree[segment] as usize
    }

    /// Returns the candidate of a segment if it has exactly one.
    ///
    /// # Panics
    ///
    /// Panics if there is no such segment.
    #[must_use]
    #[inline]
    pub fn only_candidate(&self, segment: usize) -> Option<usize> {
        (self.degree[segment] == 1).then(|| self.candidate_xor[segment])
    }

    /// Returns whether a segment holds a bunker.
    ///
    /// # Panics
    ///
    /// Panics if there is no such segment.
    #[must_use]
    #[inline]
    pub fn is_held(&self, segment: usize) -> bool {
        self.held[segment]
    }

    /// Returns the number of segments along `axis` that have a candidate.
    #[must_use]
    #[inline]
    pub fn open_segments(&self, axis: Axis) -> usize {
        self.open[axis as usize]
    }

    /// Returns the first candidate at or after cell `from`.
    #[must_use]
    #[inline]
    pub fn next_candidate(&self, from: usize) -> Option<usize> {
        let rest = self.candidates.get(from..)?;
        rest.first_one().map(|offset| from + offset)
    }

    /// Returns the first cell that may still be chosen if cells are chosen in increasing order,
    /// else 0.
    #[inline]
    pub(super) fn from(&self) -> usize {
        self.from
    }

    /// Returns the cells that have ceased to be candidates, the most recent one last.
    #[inline]
    pub(super) fn trail(&self) -> &[usize] {
        &self.trail
    }

    /// Places a bunker on a candidate. Returns `false`, without a change, if `cell` is not a
    /// candidate.
    ///
    /// Hooks may call this to infer bunkers: all that is placed or excluded while a node is entered
    /// is reverted by the undo of its choice. Takes time linear in the lengths of the two segments.
    ///
    /// # Panics
    ///
    /// Panics if there is no such cell. May panic if the state belongs to another board.
    pub fn place(&mut self, board: &FireNetBoard, cell: usize) -> bool {
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

    /// Removes a cell from the candidates, for the subtree of this node. Returns `false` if it was
    /// not a candidate.
    ///
    /// # Panics
    ///
    /// Panics if there is no such cell. May panic if the state belongs to another board.
    #[inline]
    pub fn exclude(&mut self, board: &FireNetBoard, cell: usize) -> bool {
        if !self.candidates[cell] {
            return false;
        }
        self.candidates.set(cell, false);
        self.candidate_count -= 1;
        for (axis, segment) in board.segments().both(cell).into_iter().enumerate() {
            self.degree[segment] -= 1;
            self.candidate_xor[segment] ^= cell;
            self.open[axis] -= usize::from(self.degree[segment] == 0);
        }
        self.trail.push(cell);
        true
    }

    /// Excludes every candidate of a segment.
    pub(super) fn exclude_segment(&mut self, board: &FireNetBoard, segment: usize) {
        let cells = board.segments().get(segment);
        for offset in 0..cells.len() {
            if self.degree[segment] == 0 {
                return;
            }
            self.exclude(board, cells.cell(offset));
        }
    }

    /// Excludes the cells that were passed over, if cells are chosen in increasing order.
    ///
    /// The branchers do not need this, because they never look at cells that were passed over. A
    /// hook that counts candidates calls it first.
    pub fn exclude_passed(&mut self, board: &FireNetBoard) {
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

    /// Reverts all changes since `mark` was made.
    pub(super) fn revert(&mut self, board: &FireNetBoard, mark: Undo) {
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

    /// Adds a cell to the candidates.
    #[inline]
    fn restore(&mut self, board: &FireNetBoard, cell: usize) {
        self.candidates.set(cell, true);
        self.candidate_count += 1;
        for (axis, segment) in board.segments().both(cell).into_iter().enumerate() {
            self.open[axis] += usize::from(self.degree[segment] == 0);
            self.degree[segment] += 1;
            self.candidate_xor[segment] ^= cell;
        }
    }
}

/// A step down the search tree. Cells are numbered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Choice {
    /// Places a bunker on this cell, and excludes the cells of smaller number (pruning 2).
    Next(usize),
    /// Places a bunker on this cell.
    Place(usize),
    /// Leaves the segment of this number without a bunker.
    LeaveEmpty(usize),
}

impl FireNetBoard {
    /// Returns the number of bunkers placed in a state, which is the value to maximise.
    #[must_use]
    #[inline]
    pub fn placed(state: &State) -> usize {
        state.placed()
    }
}

/// Enumerates every placement once, its cells in increasing order: prunings 1 and 2.
///
/// Every node is a solution. A node at depth k is a placement of k bunkers, so the levels of a
/// count list the numbers r_k of placements of k bunkers:
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::fire_net::FireNetBoard;
///
/// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let outcome = Search::new(&board).count();
/// assert_eq!(outcome.exact(), Some(175));
/// let levels = outcome.report().levels().iter();
/// let placements: Vec<u64> = levels.map(|level| level.solutions).collect();
/// assert_eq!(placements, [1, 13, 51, 72, 34, 4]);
/// # Ok::<(), secateurs::ParseError>(())
/// ```
///
/// The branchers [`Cells`](super::Cells) and [`SmallestSegment`](super::SmallestSegment) generate
/// other trees.
impl Problem for FireNetBoard {
    type State = State;
    type Cursor = usize;
    type Choice = Choice;
    type Undo = Undo;

    fn root(&self) -> State {
        State::new(self)
    }

    fn branch(&self, state: &State) -> Branch<usize> {
        match state.next_candidate(state.from()) {
            Some(cell) => Branch::SolutionInner(cell),
            None => Branch::Solution,
        }
    }

    fn next(&self, state: &State, cursor: &mut usize) -> Option<Choice> {
        let cell = state.next_candidate(*cursor)?;
        *cursor = cell + 1;
        Some(Choice::Next(cell))
    }

    fn accepts_saved(&self, state: &State, choice: &Choice) -> bool {
        match *choice {
            Choice::Next(cell) | Choice::Place(cell) => {
                cell < self.cells() && state.is_candidate(cell)
            }
            Choice::LeaveEmpty(segment) => segment < self.segments().len(),
        }
    }

    fn heap_bytes(&self, state: &State) -> usize {
        let sets =
            block_bytes(state.candidates.capacity() / 8) + block_bytes(state.held.capacity() / 8);
        let segments = vec_bytes(&state.degree) + vec_bytes(&state.candidate_xor);
        sets + segments + vec_bytes(&state.bunkers) + vec_bytes(&state.trail)
    }

    fn apply(&self, state: &mut State, choice: &Choice) -> Undo {
        let undo = Undo {
            bunkers: state.bunkers.len(),
            trail: state.trail.len(),
            from: state.from,
            passed: state.passed,
        };
        match *choice {
            Choice::Next(cell) => {
                state.place(self, cell);
                state.from = cell + 1;
            }
            Choice::Place(cell) => {
                state.place(self, cell);
            }
            Choice::LeaveEmpty(segment) => state.exclude_segment(self, segment),
        }
        undo
    }

    fn undo(&self, state: &mut State, _: &Choice, undo: Undo) {
        state.revert(self, undo);
    }
}
