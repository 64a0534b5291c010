//! Pruning 10: a rectangle walled on two opposite sides.

use super::{Rectangle, RectangleRule, Scope};

/// Pruning 10: in a full [rectangle](Rectangle) let K be the crossing lines that have no candidate
/// outside, at either end; place min(|K|, |W|) bunkers on lines of K, W being the walled lines, in
/// any way in which they do not see each other.
///
/// It is *wrong* to count lines that are walled at one end only.
///
/// *Statement.* Any k = min(|K|, |W|) bunkers inside the rectangle on lines of K that do not see
/// each other are part of some largest placement on the candidates. *Proof.* If k = |W|, the k
/// lines used have candidates on W only: as in [pruning 8](super::walled_long_sides), with rows and
/// columns exchanged, remove the at most |W| bunkers on lines of W from a largest placement and
/// place the k instead.
///
/// If k = |K| < |W|, let A be the k walled lines used. Every bunker on a line of W or K stands
/// inside the rectangle, on a line of W. In a largest placement let s of these stand on lines of K
/// and t on other crossing lines; s ≤ |K| and s + t ≤ |W|. Remove them, place the k bunkers, and
/// then on min(t, |W| − k) of the t other crossing lines, which are free again, a bunker each on a
/// line of W outside A; the rectangle is full, so these are candidates. That makes min(k + t, |W|)
/// ≥ s + t bunkers. ∎
#[must_use]
pub fn open_ends(scope: Scope) -> RectangleRule {
    RectangleRule::new("10: open ends", scope, on_closed_lines)
}

/// Bunkers on the closed crossing lines of a full rectangle, as many as fit.
pub(super) fn on_closed_lines(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    let lines = rectangle.closed_lines();
    if lines.is_empty() || !rectangle.is_full() {
        return None;
    }
    rectangle.bunkers(&lines, lines.len().min(rectangle.walled()))
}
