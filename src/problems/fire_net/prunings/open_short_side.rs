//! Pruning 7: a rectangle walled on three sides, open on a short one.

use super::walled_long_sides::saturating;
use super::{Rectangle, RectangleRule, Scope};

/// Pruning 7: in a [rectangle](Rectangle) whose long sides and one of whose short sides, of length
/// m, are walled, place m bunkers, in any way in which they do not see each other.
///
/// *Statement and proof.* The wall on the third side is not needed: this is a special case of
/// [pruning 8](super::walled_long_sides), with the same count m of crossing lines that have a
/// candidate, and the same proof. ∎
#[must_use]
pub fn open_short_side(scope: Scope) -> RectangleRule {
    RectangleRule::new("7: open short side", scope, bunkers)
}

fn bunkers(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    // The cheap condition first.
    let short = rectangle.crossing() <= rectangle.walled();
    if short && rectangle.has_third_wall() { saturating(rectangle) } else { None }
}
