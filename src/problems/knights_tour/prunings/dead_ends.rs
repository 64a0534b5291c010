//! Dead ends: a free square that can be entered but not left.

use crate::hook::{Hook, NodeMut, Verdict};
use crate::problems::knights_tour::KnightsTour;

/// Cuts off a node with a free square that has no exits, unless that square is the last one.
///
/// *Proof, open tours.* A free square without exits is a move from no other free square, so nothing
/// but the knight's square can come before it and nothing at all after it: it is the next and the
/// last square, hence the only one.
///
/// *Closed tours.* The start counts as an exit, so that even the last square has one: a free square
/// without exits has none to leave by. Likewise a start without free squares around it can no
/// longer be come back to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeadEnds;

impl Hook<KnightsTour> for DeadEnds {
    fn name(&self) -> &str {
        "dead ends"
    }

    fn follows_path(&self) -> bool {
        false
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
