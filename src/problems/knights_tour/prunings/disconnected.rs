//! Disconnected rest: free squares that cannot be reached from one another.

use crate::digest::Digest;
use crate::hook::{Hook, NodeMut, Verdict};
use crate::problems::knights_tour::{KnightsTour, Position, Square};

/// Cuts off a node whose free squares are not connected by knight's moves, with where the knight
/// stands.
///
/// *Proof.* What is left of a tour is a walk over just the free squares, that starts a move from
/// the knight.
///
/// If the free squares were connected before the last step, then every part into which that step
/// broke them has a square next to the knight; so it is enough to search from one of the free
/// squares around the knight until the others are met, which is mostly over after a few squares. At
/// the root all squares are searched. (Below a node that was replayed although this hook cuts it
/// off, less may be cut off, never more.)
///
/// Memory: four bytes a square.
#[derive(Clone, Debug, Default)]
pub struct DisconnectedRest {
    /// By square: the number of the search that saw it last.
    seen: Vec<u32>,
    search: u32,
    queue: Vec<Square>,
}

impl DisconnectedRest {
    /// Searches from `from` over free squares until `wanted` of those have been met that are marked
    /// as such, or there are none left; gives how many of all and how many of the marked ones were
    /// met, `from` included.
    fn reach(
        &mut self,
        problem: &KnightsTour,
        position: &Position,
        from: Square,
        wanted: usize,
        marked: impl Fn(Square) -> bool,
    ) -> bool {
        if self.search == u32::MAX || self.seen.len() != problem.board().bordered() {
            self.seen = vec![0; problem.board().bordered()];
            self.search = 0;
        }
        self.search += 1;
        self.queue.clear();
        self.queue.push(from);
        self.seen[from.index()] = self.search;
        let mut met = usize::from(marked(from));
        let mut head = 0;
        while met < wanted {
            let Some(&square) = self.queue.get(head) else { return false };
            head += 1;
            for next in problem.free_around(position, square) {
                if self.seen[next.index()] != self.search {
                    self.seen[next.index()] = self.search;
                    met += usize::from(marked(next));
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

    /// What it keeps is scratch paper: that the parent was connected, it knows from having kept it.
    fn follows_path(&self) -> bool {
        false
    }

    fn enter(&mut self, node: &mut NodeMut<'_, KnightsTour>) -> Verdict {
        let (problem, position) = (node.problem(), node.state());
        if position.free() == 0 {
            return Verdict::Keep;
        }
        let Some(knight) = position.knight() else {
            let connected =
                problem.board().squares().next().is_none_or(|any| {
                    self.reach(problem, position, any, position.free(), |_| true)
                });
            return Verdict::keep_if(connected);
        };
        let Some(any) = problem.free_around(position, knight).next() else { return Verdict::Prune };
        let connected = if node.depth() == 0 {
            self.reach(problem, position, any, position.free(), |_| true)
        } else {
            let around = problem.free_around(position, knight).count();
            self.reach(problem, position, any, around, |square| problem.is_move(knight, square))
        };
        Verdict::keep_if(connected)
    }
}
