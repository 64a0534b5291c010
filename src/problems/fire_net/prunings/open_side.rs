//! Pruning 9: a rectangle walled on three sides, open on any.

use super::open_ends::on_closed_lines;
use super::{Rectangle, RectangleRule, Scope};

/// Pruning 9: in a full [rectangle](Rectangle) walled on three sides let K be the lines that cross
/// the open side and have no candidate beyond it; place min(|K|, m) bunkers on lines of K, where m
/// is the number of lines that run along the open side, in any rows in which they do not see each
/// other.
///
/// It is *wrong* to place on other lines than those of K, or more than |K| bunkers.
///
/// *Statement and proof.* The lines along the open side run from one walled side to the opposite
/// one: they are the walled lines. This is [pruning 10](super::open_ends) with one of the open
/// sides walled, and the same proof. How long the open side is does not matter. ∎
#[must_use]
pub fn open_side(scope: Scope) -> RectangleRule {
    RectangleRule::new("9: open side", scope, bunkers)
}

fn bunkers(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    // The third wall is asked for last: it costs most.
    on_closed_lines(rectangle).filter(|_| rectangle.has_third_wall())
}
