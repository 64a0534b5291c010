//! [`Arcs`]: the directed graph whose Hamiltonian cycles are the tours.

use super::board::Square;
use super::problem::KnightsTour;
use super::tour::Tour;
use crate::problems::error::InstanceError;

/// The directed graph whose Hamiltonian cycles are the tours of a problem.
///
/// The nodes are the squares, row by row. For open tours there is one more node, off the board,
/// between the end and the start of the tour. A tour is thus always a cycle. A closed tour is one
/// cycle in each direction, an open tour one cycle in the direction of its moves. Arcs are numbered
/// from 0, those from the same node consecutively.
#[derive(Clone, Debug)]
pub(super) struct Arcs {
    problem: KnightsTour,
    /// By node: its square, except for the node off the board.
    squares: Vec<Square>,
    /// By node: the number of its first arc. One more entry marks the end of the last.
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

    /// Returns the number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the nodes that may follow a node.
    pub(super) fn successors(&self, node: usize) -> &[u32] {
        &self.heads[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// Returns the number of the arc from one node to another, if there is one.
    pub(super) fn arc(&self, from: usize, to: usize) -> Option<usize> {
        let index = self.successors(from).iter().position(|&head| head as usize == to)?;
        Some(self.starts[from] as usize + index)
    }

    /// Returns the first and the last node of an arc, if there is an arc of this number.
    pub(super) fn ends(&self, arc: usize) -> Option<(usize, usize)> {
        let head = *self.heads.get(arc)?;
        let from = self.starts.partition_point(|&start| start as usize <= arc) - 1;
        Some((from, head as usize))
    }

    /// Returns the tour that goes from each node to its successor, or an error if the successors do
    /// not form a tour.
    pub(super) fn tour(
        &self,
        successor: impl Fn(usize) -> Option<usize>,
    ) -> Result<Tour, InstanceError> {
        let off_board = self.squares.len();
        let origin = if self.problem.is_closed() { self.first() } else { off_board };
        let mut squares = Vec::with_capacity(off_board);
        let mut node = if self.problem.is_closed() { Some(origin) } else { successor(origin) };
        // If the path does not return to the origin, it stops after one square too many, and the
        // list is rejected below.
        while let Some(&square) = node.and_then(|node| self.squares.get(node))
            && squares.len() <= off_board
        {
            squares.push(square);
            node = node.and_then(&successor).filter(|&next| next != origin);
        }
        Tour::new(self.problem.board(), squares)
    }

    /// Returns the node with which the list of squares of a closed tour begins.
    fn first(&self) -> usize {
        let start = self.problem.start();
        start.and_then(|start| self.squares.iter().position(|&square| square == start)).unwrap_or(0)
    }
}
