//! Branching: which cells are tried at a node, and in which order.

use super::board::Board;
use super::problem::Choice;
use super::smallest::Smallest;
use crate::brancher::Brancher;
use crate::digest::Digest;
use crate::hook::Node;
use crate::problem::Branch;

/// Branching cell by cell, as the article does, with or without prunings 1 and 2.
///
/// *Pruning 1*: the candidates are drawn from a list (here a set) rather than found by looking at
/// every cell of the board and at its two segments. The tree is the same, since both give the cells
/// that no bunker controls in the order of their numbers; a node is cheaper.
///
/// *Pruning 2*: cells are chosen in increasing order only. The order in which bunkers are placed
/// does not matter, so each set of k bunkers is met once rather than k! times: of the k! orders
/// exactly one is increasing, and it is not cut, for every subset of a placement is a placement.
/// The tree shrinks from Σ k!·r_k to Σ r_k nodes, r_k being the number of placements of k bunkers.
///
/// Every node is a solution. Without pruning 2 a count is therefore of ordered placements.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::fire_net::{Board, Cells, ParseBoardError};
///
/// let board: Board = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let nodes = |cells| Search::new(&board).brancher(cells).count().report().nodes();
/// assert_eq!(nodes(Cells { listed: false, increasing: false }), 1844); // Σ k!·r_k
/// assert_eq!(nodes(Cells { listed: true, increasing: false }), 1844);
/// assert_eq!(nodes(Cells { listed: true, increasing: true }), 175); // Σ r_k
/// # Ok::<(), ParseBoardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cells {
    /// Pruning 1.
    pub listed: bool,
    /// Pruning 2.
    pub increasing: bool,
}

impl Cells {
    /// The first cell from `from` on that may be chosen.
    fn find(self, node: &Node<'_, Board>, from: usize) -> Option<usize> {
        let (board, state) = (node.problem(), node.state());
        if self.listed {
            return state.next_candidate(from);
        }
        // What the article's first program does: is the cell empty, and does no bunker stand in its
        // row or column?
        (from..board.cells()).find(|&cell| {
            board
                .segments()
                .of(cell)
                .is_some_and(|both| !both.iter().any(|&segment| state.is_held(segment)))
                && state.is_candidate(cell)
        })
    }
}

impl Brancher<Board> for Cells {
    type Cursor = usize;

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::of(self))
    }

    fn follows_path(&self) -> bool {
        false
    }

    fn branch(&mut self, node: &Node<'_, Board>) -> Branch<usize> {
        let from = if self.increasing { node.state().from() } else { 0 };
        match self.find(node, from) {
            Some(cell) => Branch::SolutionInner(cell),
            None => Branch::Solution,
        }
    }

    fn next(&mut self, node: &Node<'_, Board>, cursor: &mut usize) -> Option<Choice> {
        let cell = self.find(node, *cursor)?;
        *cursor = cell + 1;
        Some(if self.increasing { Choice::Next(cell) } else { Choice::Place(cell) })
    }
}

/// Branching on the segment with the fewest candidates: a bunker on each of them in turn, or none
/// in the segment.
///
/// Exactly one of these is true of every placement, so each placement is met once, at a leaf; inner
/// nodes are no solutions. The fewer candidates, the fewer children: first-fail (Haralick and
/// Elliott 1980). The cells of the segment are tried in the order of the candidates that their
/// other segments have, fewest first: such a placement gives up least. Of several smallest segments
/// the one of the smallest number is taken, whatever happened before, so that the tree does not
/// depend on how the search came to a node. Cost: the logarithm of the number of segments for each
/// that has changed.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::fire_net::{Board, ParseBoardError, SmallestSegment};
///
/// let board: Board = "4\n.X..\n....\nXX..\n....\n".parse()?;
/// let outcome = Search::new(&board).brancher(SmallestSegment::new()).count();
/// assert_eq!(outcome.exact(), Some(175)); // the same placements as cell by cell
/// # Ok::<(), ParseBoardError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SmallestSegment {
    smallest: Smallest,
}

impl SmallestSegment {
    /// The brancher. One serves one search at a time.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// Where a node stands in its segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InSegment {
    segment: usize,
    /// The first key that has not been tried; past all keys comes leaving the segment empty, and
    /// then nothing.
    next: Option<Key>,
}

/// The order of the cells of a segment: candidates in the crossing segment, then place in this one.
type Key = (usize, usize);

impl Brancher<Board> for SmallestSegment {
    type Cursor = InSegment;

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    fn enter(&mut self, node: &Node<'_, Board>) {
        self.smallest.enter(node);
    }

    fn branch(&mut self, _: &Node<'_, Board>) -> Branch<InSegment> {
        match self.smallest.first() {
            Some(segment) => Branch::Inner(InSegment { segment, next: Some((0, 0)) }),
            None => Branch::Solution,
        }
    }

    fn next(&mut self, node: &Node<'_, Board>, cursor: &mut InSegment) -> Option<Choice> {
        let from = cursor.next?;
        let (segments, state) = (node.problem().segments(), node.state());
        let cells = segments.get(cursor.segment);
        let candidates = (0..cells.len()).filter(|&offset| state.is_candidate(cells.cell(offset)));
        let keys = candidates.map(|offset| {
            (state.degree(segments.other(cursor.segment, cells.cell(offset))), offset)
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

/// One way of branching or the other, for choosing at run time.
#[derive(Clone, Debug)]
pub enum BranchOn {
    /// Cell by cell.
    Cells(Cells),
    /// On the smallest segment.
    Segments(SmallestSegment),
}

/// Where a node stands among its children, whatever is [branched on](BranchOn).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The cell to be tried next.
    AtCell(usize),
    /// In a segment.
    InSegment(InSegment),
}

impl Brancher<Board> for BranchOn {
    type Cursor = Place;

    fn parameters(&self) -> Option<Digest> {
        match self {
            BranchOn::Cells(cells) => Some(Digest::of(cells)),
            BranchOn::Segments(_) => Some(Digest::NONE),
        }
    }

    fn follows_path(&self) -> bool {
        match self {
            BranchOn::Cells(cells) => cells.follows_path(),
            BranchOn::Segments(segments) => segments.follows_path(),
        }
    }

    #[inline]
    fn enter(&mut self, node: &Node<'_, Board>) {
        match self {
            BranchOn::Cells(cells) => cells.enter(node),
            BranchOn::Segments(segments) => segments.enter(node),
        }
    }

    #[inline]
    fn branch(&mut self, node: &Node<'_, Board>) -> Branch<Place> {
        match self {
            BranchOn::Cells(cells) => cells.branch(node).map(Place::AtCell),
            BranchOn::Segments(segments) => segments.branch(node).map(Place::InSegment),
        }
    }

    #[inline]
    fn next(&mut self, node: &Node<'_, Board>, place: &mut Place) -> Option<Choice> {
        match (self, place) {
            (BranchOn::Cells(cells), Place::AtCell(cell)) => cells.next(node, cell),
            (BranchOn::Segments(segments), Place::InSegment(place)) => segments.next(node, place),
            _ => None,
        }
    }

    #[inline]
    fn leave(&mut self, node: &Node<'_, Board>) {
        match self {
            BranchOn::Cells(cells) => cells.leave(node),
            BranchOn::Segments(segments) => segments.leave(node),
        }
    }
}
