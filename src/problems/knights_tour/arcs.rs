//! A tour as one cycle: the nodes that it goes through, and the arcs that it may take.

use super::board::Square;
use super::problem::KnightsTour;
use super::tour::{Tour, TourError};

/// The arcs of a knight's tour that is stated as a cycle through all nodes, numbered from 0, those
/// of one node next to each other.
///
/// Nodes are the squares row by row; of an open tour, there is one more, off the board, from which
/// the knight comes to its start and to which it goes from its end. So a tour is always a cycle: a
/// closed one once in each direction, an open one as it is walked.
#[derive(Clone, Debug)]
pub(super) struct Arcs {
    problem: KnightsTour,
    squares: Vec<Square>,
    /// Where the arcs of each node begin, and where those of the last one end.
    starts: Vec<u32>,
    /// By arc: the node that it leads to.
    heads: Vec<u32>,
}

impl Arcs {
    pub(super) fn new(problem: &KnightsTour) -> Self {
        let board = problem.board();
        let squares: Vec<Square> = board.squares().collect();
        let number = |square| (board.row(square) * board.columns() + board.column(square)) as u32;
        let off_board = squares.len() as u32;
        let mut arcs =
            Arcs { problem: problem.clone(), squares, starts: vec![0], heads: Vec::new() };
        for &square in &arcs.squares {
            let on_board = problem.around(square).filter(|&next| board.holds(next)).map(number);
            arcs.heads.extend(on_board);
            if !problem.is_closed() {
                arcs.heads.push(off_board);
            }
            arcs.starts.push(arcs.heads.len() as u32);
        }
        if !problem.is_closed() {
            match problem.start() {
                Some(start) => arcs.heads.push(number(start)),
                None => arcs.heads.extend(0..off_board),
            }
            arcs.starts.push(arcs.heads.len() as u32);
        }
        arcs
    }

    /// The number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The nodes that may follow a node.
    pub(super) fn followers(&self, node: usize) -> &[u32] {
        &self.heads[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The number of the arc from one node to another, if there is one.
    pub(super) fn arc(&self, from: usize, to: usize) -> Option<usize> {
        let place = self.followers(from).iter().position(|&head| head as usize == to)?;
        Some(self.starts[from] as usize + place)
    }

    /// The nodes from and to which an arc leads, if it is one.
    pub(super) fn ends(&self, arc: usize) -> Option<(usize, usize)> {
        let head = *self.heads.get(arc)?;
        let from = self.starts.partition_point(|&start| start as usize <= arc) - 1;
        Some((from, head as usize))
    }

    /// The tour that goes from each node to its successor.
    pub(super) fn tour(
        &self,
        successors: impl Fn(usize) -> Option<usize>,
    ) -> Result<Tour, TourError> {
        let off_board = self.squares.len();
        let home = if self.problem.is_closed() { self.first() } else { off_board };
        let mut squares = Vec::with_capacity(off_board);
        let mut node = if self.problem.is_closed() { Some(home) } else { successors(home) };
        // One more than there should be, if they do not come back.
        while let Some(&square) = node.and_then(|node| self.squares.get(node))
            && squares.len() <= off_board
        {
            squares.push(square);
            node = node.and_then(&successors).filter(|&next| next != home);
        }
        Tour::new(self.problem.board(), squares)
    }

    /// The square from which a closed tour is told.
    fn first(&self) -> usize {
        let start = self.problem.start();
        start.and_then(|start| self.squares.iter().position(|&square| square == start)).unwrap_or(0)
    }
}
