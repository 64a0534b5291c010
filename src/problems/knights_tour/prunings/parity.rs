//! Parity: a knight changes colour at every move.

use crate::hook::{Hook, Node, NodeMut, Verdict};
use crate::problems::knights_tour::existence::is_inner;
use crate::problems::knights_tour::{KnightsTour, Square};

/// Cuts off a start from which the colours cannot come out even; with a side of 4, also moves from
/// which the lines cannot.
///
/// *Proof.* Squares visited alternate in colour. On a board with an even side there are as many
/// dark squares as light ones. If both sides are odd, the corners are dark and there is one dark
/// square more than there are light ones: a tour starts and ends on a dark square, and, as no move
/// leads from dark to dark, none is closed.
///
/// *A side of 4*, say 4 rows and n columns. Call the rows 1 and 4 outer, 2 and 3 inner. Every move
/// from an outer square leads to an inner one, and there are 2n of each. The 2n outer squares of a
/// tour are kept apart by 2n − 1 inner ones at least, so at most one inner square is left over: at
/// the beginning, at the end, or where two inner squares follow one another. In the first two cases
/// outer and inner squares alternate all along, as do the colours, so that all outer squares have
/// the same colour, which is not so; and so they would all around a closed tour. Hence there is no
/// closed tour, an open one starts and ends on outer squares, and it has exactly one move from
/// inner to inner. All outer squares before that move have the colour of the start, all after it
/// the other colour, and there are n of each: it is the move from square number 2n to the next. Any
/// other move from inner to inner is cut off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parity;

impl Parity {
    /// Whether a tour may start on `square`.
    fn allows(problem: &KnightsTour, square: Square) -> bool {
        let board = problem.board();
        if problem.is_closed() {
            return !board.is_odd() && board.rows() != 4 && board.columns() != 4;
        }
        (!board.is_odd() || board.is_dark(square)) && !is_inner(board, square)
    }
}

impl Hook<KnightsTour> for Parity {
    fn name(&self) -> &str {
        "parity"
    }

    fn follows_path(&self) -> bool {
        false
    }

    #[inline]
    fn admit(&mut self, node: &Node<'_, KnightsTour>, &square: &Square) -> Verdict {
        let (position, board) = (node.state(), node.problem().board());
        let Some(knight) = position.knight() else {
            return Verdict::keep_if(Self::allows(node.problem(), square));
        };
        let crosses = is_inner(board, knight) && is_inner(board, square);
        Verdict::keep_if(!crosses || 2 * position.visited() == board.len())
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, KnightsTour>) -> Verdict {
        // Where the start is given, it has been visited at the root.
        if node.state().visited() != 1 {
            return Verdict::Keep;
        }
        Verdict::keep_if(
            node.state().start().is_none_or(|start| Self::allows(node.problem(), start)),
        )
    }
}
