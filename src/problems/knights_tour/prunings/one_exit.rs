//! Two squares of one exit: both would have to be the last, or both the next.

use crate::hook::{Hook, NodeMut, Verdict};
use crate::problems::knights_tour::KnightsTour;

/// Cuts off a node with too many free squares of one exit.
///
/// *Proof, open tours.* Every square but the last is entered by one move and left by another, to or
/// from a free square or from where the knight stands. A free square with one exit has only one
/// neighbour among the free ones: unless it is the last, the knight must come to it at once from
/// where it stands. So of such squares, at most one is the next and at most one the last: three are
/// too many, and so are two that are not next to the knight.
///
/// *Closed tours.* The last square is left as well, to the start, which counts as an exit. So every
/// free square of one exit must be the next: two are too many, and so is one that is not next to
/// the knight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneExit;

impl Hook<KnightsTour> for OneExit {
    fn name(&self) -> &str {
        "one exit"
    }

    fn follows_path(&self) -> bool {
        false
    }

    #[inline]
    fn enter(&mut self, node: &mut NodeMut<'_, KnightsTour>) -> Verdict {
        let (problem, position) = (node.problem(), node.state());
        let single = position.free_with_exits(1);
        // Closed tours have a place for one, open ones for two; and where the knight stands, for
        // one of them.
        let last = usize::from(!problem.is_closed());
        if single <= last {
            return Verdict::Keep;
        }
        let Some(knight) = position.knight() else {
            return Verdict::prune_if(single > 2);
        };
        if single > last + 1 {
            return Verdict::Prune;
        }
        if problem.is_closed() && position.visited() == 1 {
            // The knight stands on the start, which is counted already.
            return Verdict::Keep;
        }
        Verdict::keep_if(
            problem.free_around(position, knight).any(|next| position.exits(next) == 1),
        )
    }
}
