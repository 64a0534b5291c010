//! Four prunings, each a hook. None of them prunes a tour, so any combination is sound.
//!
//! | hook | prunes | cost per node |
//! |---|---|---|
//! | [`Parity`] | starts on the wrong colour; with a side of 4, also some moves | constant |
//! | [`DeadEnds`] | a free square without exits that is not the last | constant |
//! | [`OneExit`] | two squares that would both have to be last, or both next | constant |
//! | [`DisconnectedRest`] | disconnected free squares | at most the number of squares |
//!
//! ```
//! use secateurs::Search;
//! use secateurs_problems::knights_tour::{
//!     DeadEnds, DisconnectedRest, KnightsTour, OneExit, Parity, TourBoard,
//! };
//!
//! let tour = KnightsTour::open(TourBoard::new(4, 5)?);
//! let hooks = (Parity, DeadEnds, OneExit, DisconnectedRest::default());
//! let plain = Search::new(&tour).count();
//! let pruned = Search::new(&tour).hooks(hooks).count();
//! assert_eq!(plain.exact(), Some(164));
//! assert_eq!(pruned.exact(), Some(164));
//! assert!(10 * pruned.report().nodes() < plain.report().nodes());
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```

use secateurs::Digest;
use secateurs::hook::{Hook, HookMemory, Node, NodeMut, Verdict};

use super::board::Square;
use super::existence::is_inner;
use super::problem::{KnightsTour, Position};

/// A hook that prunes starts for which the colours of the squares do not balance, and, on boards
/// with a side of 4, moves for which the inner and outer lines do not balance.
///
/// *Proof.* Squares visited alternate in colour. On a board with an even side there are as many
/// dark squares as light ones. If both sides are odd, the corners are dark and there is one more
/// dark square than light ones. A tour then starts and ends on a dark square, and it is not closed,
/// because no move leads from dark to dark.
///
/// *A side of 4*, say 4 rows and n columns. Call the rows 1 and 4 outer, 2 and 3 inner. Every move
/// from an outer square leads to an inner one, and there are 2n of each. At least 2n − 1 inner
/// squares separate the 2n outer squares of a tour, so at most one inner square is left over: at
/// the beginning, at the end, or where two inner squares are consecutive. In the first two cases
/// outer and inner squares alternate along the whole tour, as do the colours, so all outer squares
/// would have the same colour, which is false. The same holds for a closed tour. Hence there is no
/// closed tour, an open one starts and ends on outer squares, and it has exactly one move from
/// inner to inner. All outer squares before that move have the colour of the start, all after it
/// the other colour, and there are n of each. It is therefore the move from square number 2n to the
/// next. The hook prunes any other move from inner to inner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parity;

impl Parity {
    /// Returns whether a tour may start on `square`.
    fn allows_start(problem: &KnightsTour, square: Square) -> bool {
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

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn admit(&mut self, node: &Node<'_, KnightsTour>, &square: &Square) -> Verdict {
        let (position, board) = (node.state(), node.problem().board());
        let Some(knight) = position.knight() else {
            return Verdict::keep_if(Self::allows_start(node.problem(), square));
        };
        let is_between_inner_lines = is_inner(board, knight) && is_inner(board, square);
        Verdict::keep_if(!is_between_inner_lines || 2 * position.visited() == board.len())
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, KnightsTour>) -> Verdict {
        // If the start is given, it is visited at the root already and `admit` has not seen it.
        if node.state().visited() != 1 {
            return Verdict::Keep;
        }
        Verdict::keep_if(
            node.state().start().is_none_or(|start| Self::allows_start(node.problem(), start)),
        )
    }
}

/// A hook that prunes a node with a free square without exits, unless that is the last square.
///
/// *Proof, open tours.* A free square without exits has no free neighbour, so only the square of
/// the knight can precede it and no square can follow it: it is the next and the last square, hence
/// the only free one.
///
/// *Closed tours.* The start counts as an exit, so even the last square has one, and the knight
/// cannot leave a free square without exits. Likewise, the knight cannot return to a start without
/// free neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeadEnds;

impl Hook<KnightsTour> for DeadEnds {
    fn name(&self) -> &str {
        "dead ends"
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, KnightsTour>) -> Verdict {
        let position = node.state();
        if position.free() == 0 {
            return Verdict::Keep;
        }
        let stuck = position.free_with_exits(0);
        if !node.problem().is_closed() {
            return Verdict::prune_if(stuck > 0 && position.free() > 1);
        }
        let cut_off = position.start().is_some_and(|start| position.exits(start) == 0);
        Verdict::prune_if(stuck > 0 || cut_off)
    }
}

/// A hook that prunes a node with too many free squares that have exactly one exit.
///
/// *Proof, open tours.* Every free square but the last is entered by one move and left by another.
/// The neighbours in the tour are free squares or, for the next square, the square of the knight. A
/// free square with one exit has only one free neighbour, so it is the next square or the last one.
/// At most one square is the next, and at most one is the last. Three such squares are therefore
/// too many, and so are two if neither is a knight's move from the knight.
///
/// *Closed tours.* The last square is left as well, to the start, which counts as an exit. Every
/// free square with one exit must therefore be the next. Two are too many, and so is one that is
/// not a knight's move from the knight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneExit;

impl Hook<KnightsTour> for OneExit {
    fn name(&self) -> &str {
        "one exit"
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, KnightsTour>) -> Verdict {
        let (problem, position) = (node.problem(), node.state());
        let with_one_exit = position.free_with_exits(1);
        // One such square may be the next, and in an open tour another one may be the last. While
        // there are no more than may be last, none of them need be near the knight.
        let may_be_last = usize::from(!problem.is_closed());
        if with_one_exit <= may_be_last {
            return Verdict::Keep;
        }
        let Some(knight) = position.knight() else {
            return Verdict::prune_if(with_one_exit > 2);
        };
        if with_one_exit > may_be_last + 1 {
            return Verdict::Prune;
        }
        if problem.is_closed() && position.visited() == 1 {
            // The knight still stands on the start, which already counts as an exit.
            return Verdict::Keep;
        }
        Verdict::keep_if(
            problem.free_around(position, knight).any(|next| position.exits(next) == 1),
        )
    }
}

/// A hook that prunes a node whose free squares are not connected by knight's moves among
/// themselves, or where the knight can reach none of them.
///
/// *Proof.* The remainder of a tour is a walk over exactly the free squares, and it starts a
/// knight's move from the knight.
///
/// If the free squares were connected before the last step, then every component that the step has
/// created has a square that is a knight's move from the knight. It is therefore enough to search
/// from one of the free squares around the knight until the others are reached, usually after a few
/// squares. At the root all squares are searched. Below a node that is replayed although this hook
/// prunes it, the hook may prune less, but never more.
///
/// The memory is four bytes per square for the marks, and up to four more for the queue.
#[derive(Clone, Debug, Default)]
pub struct DisconnectedRest {
    /// By square: the number of the last search that reached it.
    reached: Vec<u32>,
    /// The number of the last search.
    search: u32,
    queue: Vec<Square>,
}

impl DisconnectedRest {
    /// Searches breadth first from `from` over free squares. Returns whether it reaches `wanted`
    /// squares for which `marked` holds, `from` included.
    fn reaches(
        &mut self,
        problem: &KnightsTour,
        position: &Position,
        from: Square,
        wanted: usize,
        marked: impl Fn(Square) -> bool,
    ) -> bool {
        if self.search == u32::MAX || self.reached.len() != problem.board().len_with_border() {
            self.reached = vec![0; problem.board().len_with_border()];
            self.search = 0;
        }
        self.search += 1;
        self.queue.clear();
        self.queue.push(from);
        self.reached[from.index()] = self.search;
        let mut found = usize::from(marked(from));
        let mut head = 0;
        while found < wanted {
            let Some(&square) = self.queue.get(head) else { return false };
            head += 1;
            for next in problem.free_around(position, square) {
                if self.reached[next.index()] != self.search {
                    self.reached[next.index()] = self.search;
                    found += usize::from(marked(next));
                    self.queue.push(next);
                }
            }
        }
        true
    }
}

impl Hook<KnightsTour> for DisconnectedRest {
    fn name(&self) -> &str {
        "disconnected rest"
    }

    fn parameters(&self) -> Option<Digest> {
        Some(Digest::NONE)
    }

    /// Returns nothing: the fields are scratch memory. That the parent was connected follows from
    /// the fact that this hook kept it.
    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    fn enter(&mut self, node: &mut NodeMut<'_, KnightsTour>) -> Verdict {
        let (problem, position) = (node.problem(), node.state());
        if position.free() == 0 {
            return Verdict::Keep;
        }
        let Some(knight) = position.knight() else {
            let connected =
                problem.board().squares().next().is_none_or(|any| {
                    self.reaches(problem, position, any, position.free(), |_| true)
                });
            return Verdict::keep_if(connected);
        };
        let Some(any) = problem.free_around(position, knight).next() else { return Verdict::Prune };
        let connected = if node.depth() == 0 {
            self.reaches(problem, position, any, position.free(), |_| true)
        } else {
            let around = problem.free_around(position, knight).count();
            self.reaches(problem, position, any, around, |square| problem.is_move(knight, square))
        };
        Verdict::keep_if(connected)
    }
}
