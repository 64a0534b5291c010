//! Branchers: by cells, by the smallest segment, or by either, chosen at run time; and the winner
//! tree that finds the smallest segment.

use secateurs::brancher::Brancher;
use secateurs::hook::{HookMemory, Node};
use secateurs::{Branch, Digest};

use super::board::FireNetBoard;
use super::matching::IncrementalMatching;
use super::state::{Choice, State};

/// A brancher that tries cell by cell, as the article does, with or without prunings 1 and 2.
///
/// *Pruning 1*: the candidates come from a list (here a bit set) instead of a scan of every cell of
/// the board and of its two segments. The tree is the same, since both enumerate the cells that no
/// bunker sees in the order of their numbers, but a node is cheaper.
///
/// *Pruning 2*: cells are chosen in increasing order only. The order in which bunkers are placed
/// does not matter, so each set of k bunkers is visited once instead of k! times: exactly one of
/// the k! orders is increasing, and the tree contains it, because every subset of a placement is a
/// placement. The tree shrinks from Σ k!·r_k to Σ r_k nodes, where r_k is the number of placements
/// of k bunkers.
///
/// Every node is a solution. Without pruning 2 a count therefore counts ordered placements.
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::fire_net::{Cells, FireNetBoard};
///
/// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let nodes = |cells| Search::new(&board).brancher(cells).count().report().nodes();
/// assert_eq!(nodes(Cells { listed: false, increasing: false }), 1844); // Σ k!·r_k
/// assert_eq!(nodes(Cells { listed: true, increasing: false }), 1844);
/// assert_eq!(nodes(Cells { listed: true, increasing: true }), 175); // Σ r_k
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cells {
    /// Whether candidates come from a list: pruning 1.
    pub listed: bool,
    /// Whether cells are chosen in increasing order only: pruning 2.
    pub increasing: bool,
}

impl Cells {
    /// Returns the first cell at or after `from` that may be chosen.
    fn find(self, node: &Node<'_, FireNetBoard>, from: usize) -> Option<usize> {
        let (board, state) = (node.problem(), node.state());
        if self.listed {
            return state.next_candidate(from);
        }
        // As in the article's first program: test whether the cell is empty and whether a bunker
        // stands in one of its segments.
        (from..board.cells()).find(|&cell| {
            board
                .segments()
                .of(cell)
                .is_some_and(|both| !both.iter().any(|&segment| state.is_held(segment)))
                && state.is_candidate(cell)
        })
    }
}

impl Brancher<FireNetBoard> for Cells {
    type Cursor = usize;

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(self))
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    fn branch(&mut self, node: &Node<'_, FireNetBoard>) -> Branch<usize> {
        let from = if self.increasing { node.state().from() } else { 0 };
        match self.find(node, from) {
            Some(cell) => Branch::SolutionInner(cell),
            None => Branch::Solution,
        }
    }

    fn next(&mut self, node: &Node<'_, FireNetBoard>, cursor: &mut usize) -> Option<Choice> {
        let cell = self.find(node, *cursor)?;
        *cursor = cell + 1;
        Some(if self.increasing { Choice::Next(cell) } else { Choice::Place(cell) })
    }
}

/// A brancher on the segment with the fewest candidates. Its choices are a bunker on each of them
/// in turn, then no bunker in the segment.
///
/// Every placement satisfies exactly one of these choices, so each placement is visited once, at a
/// leaf; inner nodes are not solutions. Fewer candidates mean fewer children: this is the
/// *fail-first principle* (Haralick and Elliott 1980). The cells of the segment are ordered by the
/// number of candidates in their crossing segments, fewest first, because such a bunker removes the
/// fewest candidates. Ties between segments go to the smallest number, so the tree does not depend
/// on how the search reached a node. A node takes time logarithmic in the number of segments for
/// each segment that has changed.
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::fire_net::{FireNetBoard, SmallestSegment};
///
/// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let outcome = Search::new(&board).brancher(SmallestSegment::new()).count();
/// assert_eq!(outcome.exact(), Some(175)); // the same placements as cell by cell
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SmallestSegment {
    smallest: WinnerTree,
    /// The matching whose cells are tried first.
    matching: Option<Box<IncrementalMatching>>,
}

impl SmallestSegment {
    /// Creates a brancher for one search at a time.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a brancher that tries the cell of a maximum matching first.
    ///
    /// It maintains a maximum matching of the candidates. If the matching has a cell in the
    /// smallest segment, that cell comes before all others. The solutions and their number are the
    /// same, only the order of the children differs.
    ///
    /// *Statement.* Some largest placement below a node is at or below its first child.
    /// *Proof.* If the matching has a cell in the segment, the matching itself is a largest
    /// placement on the candidates that contains the cell. If it has none, place any candidate of
    /// the segment. Its crossing segment holds a cell of the matching, otherwise the matching could
    /// be extended. Replacing that cell by the candidate gives a matching of the same size. ∎
    ///
    /// The first solution of a depth-first search is therefore optimal, whichever hooks infer
    /// bunkers, and there are no failures to backtrack from. A bound that is exact at the root,
    /// [`BoundKind::Matching`](super::BoundKind::Matching), then proves the optimum at once. In the
    /// other order, a choice near the root that loses a bunker is only revised after all choices
    /// below it.
    ///
    /// The matching of a node is that of its parent, repaired. A first child needs no search for
    /// augmenting paths, so it takes time linear in the number of candidates removed.
    ///
    /// ```
    /// use secateurs::{Objective, Search};
    /// use secateurs_problems::fire_net::{BoundKind, FireNetBoard, SmallestSegment, UpperBound};
    ///
    /// let board = FireNetBoard::random(60, 60, 0.9, 1)?;
    /// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
    /// let bound = UpperBound::new(BoundKind::Matching, placed.incumbent().clone());
    /// let search = Search::new(&board).brancher(SmallestSegment::matched_first());
    /// let outcome = search.hooks((bound,)).best(&placed);
    /// assert_eq!(outcome.proven(), Some(&341));
    /// assert_eq!(outcome.report().nodes(), 342); // one dive
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn matched_first() -> Self {
        SmallestSegment { matching: Some(Box::default()), ..Self::default() }
    }
}

/// The cursor of [`SmallestSegment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentCursor {
    segment: usize,
    /// The cell that is tried before all others.
    first: Option<usize>,
    /// Candidates with a smaller key have been tried. `None` after the last choice, which leaves
    /// the segment empty.
    next: Option<CellKey>,
}

/// The order of the cells of a segment: number of candidates in the crossing segment, or 0 for the
/// cell that is tried first, then offset in this one.
type CellKey = (usize, usize);

impl Brancher<FireNetBoard> for SmallestSegment {
    type Cursor = SegmentCursor;

    fn parameters(&self) -> Option<Digest> {
        Some(match self.matching {
            Some(_) => Digest::of("matched first"),
            None => Digest::NONE,
        })
    }

    fn enter(&mut self, node: &Node<'_, FireNetBoard>) {
        self.smallest.enter(node);
        if let Some(matching) = &mut self.matching {
            matching.enter(node.problem(), node.state(), node.depth());
        }
    }

    fn branch(&mut self, _: &Node<'_, FireNetBoard>) -> Branch<SegmentCursor> {
        match self.smallest.first() {
            Some(segment) => {
                let first = self.matching.as_ref().and_then(|matching| matching.mate(segment));
                Branch::Inner(SegmentCursor { segment, first, next: Some((0, 0)) })
            }
            None => Branch::Solution,
        }
    }

    fn next(
        &mut self,
        node: &Node<'_, FireNetBoard>,
        cursor: &mut SegmentCursor,
    ) -> Option<Choice> {
        let from = cursor.next?;
        let (segments, state) = (node.problem().segments(), node.state());
        let cells = segments.get(cursor.segment);
        let candidates = (0..cells.len()).filter(|&offset| state.is_candidate(cells.cell(offset)));
        let keys = candidates.map(|offset| {
            let cell = cells.cell(offset);
            if cursor.first == Some(cell) {
                (0, offset)
            } else {
                (state.degree(segments.other(cursor.segment, cell)), offset)
            }
        });
        match keys.filter(|&key| key >= from).min() {
            Some((degree, offset)) => {
                cursor.next = Some((degree, offset + 1));
                Some(Choice::Place(cells.cell(offset)))
            }
            None => {
                cursor.next = None;
                Some(Choice::LeaveEmpty(cursor.segment))
            }
        }
    }
}

/// A brancher by cells or by segments, for a choice at run time.
#[derive(Clone, Debug)]
pub enum BranchOn {
    /// Branches cell by cell.
    Cells(Cells),
    /// Branches on the smallest segment.
    Segments(SmallestSegment),
}

/// The cursor of [`BranchOn`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchCursor {
    /// The cell to try next.
    Cell(usize),
    /// The cursor in a segment.
    Segment(SegmentCursor),
}

impl Brancher<FireNetBoard> for BranchOn {
    type Cursor = BranchCursor;

    fn parameters(&self) -> Option<Digest> {
        match self {
            BranchOn::Cells(cells) => Some(Digest::of(cells)),
            BranchOn::Segments(segments) => segments.parameters(),
        }
    }

    fn memory(&self) -> HookMemory {
        match self {
            BranchOn::Cells(cells) => cells.memory(),
            BranchOn::Segments(segments) => segments.memory(),
        }
    }

    #[inline]
    fn enter(&mut self, node: &Node<'_, FireNetBoard>) {
        match self {
            BranchOn::Cells(cells) => cells.enter(node),
            BranchOn::Segments(segments) => segments.enter(node),
        }
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, FireNetBoard>) -> Branch<BranchCursor> {
        match self {
            BranchOn::Cells(cells) => cells.branch(node).map(BranchCursor::Cell),
            BranchOn::Segments(segments) => segments.branch(node).map(BranchCursor::Segment),
        }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, FireNetBoard>, cursor: &mut BranchCursor) -> Option<Choice> {
        match (self, cursor) {
            (BranchOn::Cells(cells), BranchCursor::Cell(cell)) => cells.next(node, cell),
            (BranchOn::Segments(segments), BranchCursor::Segment(cursor)) => {
                segments.next(node, cursor)
            }
            _ => None,
        }
    }

    #[inline]
    fn leave(&mut self, node: &Node<'_, FireNetBoard>) {
        match self {
            BranchOn::Cells(cells) => cells.leave(node),
            BranchOn::Segments(segments) => segments.leave(node),
        }
    }
}

/// The rank of segments without a candidate, above all others.
const NO_CANDIDATE: u32 = u32::MAX;

/// A winner tree over the segments: each inner entry is the smaller of its two children.
///
/// Its contents depend only on the current numbers of candidates. The order in a heap or in a list
/// of buckets would depend on the history of the search, and an undo would not restore it.
#[derive(Clone, Debug, Default)]
struct WinnerTree {
    /// The leaves are in the upper half, the winner at index 1.
    tree: Vec<u32>,
    /// The candidates removed at the nodes of the path.
    log: Vec<usize>,
    /// By depth, for each node of the path: the length of the log before the candidates removed at
    /// the node, and the length of the state's trail after them.
    frames: Vec<(usize, usize)>,
}

impl WinnerTree {
    /// Updates the tree for a node that is entered. It must be called for every node on the path.
    /// It undoes the nodes that have been left since, so that leaving a node needs no call.
    fn enter(&mut self, node: &Node<'_, FireNetBoard>) {
        let (board, state, depth) = (node.problem(), node.state(), node.depth());
        if depth == 0 {
            return self.build(state, board.segments().len());
        }
        // Restores the candidates that earlier nodes below the parent removed.
        if let Some(&(start, _)) = self.frames.get(depth) {
            for index in start..self.log.len() {
                self.refresh(board, state, self.log[index]);
            }
            self.log.truncate(start);
            self.frames.truncate(depth);
        }
        // Removes those that this node has removed.
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
        self.tree.resize(2 * leaves, NO_CANDIDATE);
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
    fn first(&self) -> Option<usize> {
        let leaves = self.tree.len() / 2;
        let least = self.tree[1];
        if least == NO_CANDIDATE {
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

/// Returns the number of candidates of a segment, or [`NO_CANDIDATE`] if there are none.
fn rank(state: &State, segment: usize) -> u32 {
    match state.degree(segment) {
        0 => NO_CANDIDATE,
        degree => u32::try_from(degree).unwrap_or(NO_CANDIDATE - 1),
    }
}
