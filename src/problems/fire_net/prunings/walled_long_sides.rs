//! Pruning 8: a rectangle walled along both long sides.

use super::{Rectangle, RectangleRule, Scope};

/// Pruning 8: in a [rectangle](Rectangle) of n walled lines and m crossing lines, m ≤ n, place m
/// bunkers, one on each crossing line, in any way in which they do not see each other.
///
/// What lies beyond the two short sides may be anything; and of the cells of the rectangle only the
/// m chosen ones need to be candidates.
///
/// *Statement.* Let C be the crossing lines and let the m = |C| bunkers stand on different walled
/// lines W' ⊆ W. Some largest placement on the candidates has them all. *Proof.* The candidates of
/// W' all lie on lines of C. Take a largest placement and remove its bunkers on lines of C: at most
/// m of them, and afterwards the lines of C and those of W' are free. So the m bunkers can be
/// placed. ∎ (The crown rule for vertex cover, Abu-Khzam, Collins, Fellows et al. 2004, read for
/// matchings.)
#[must_use]
pub fn walled_long_sides(scope: Scope) -> RectangleRule {
    RectangleRule::new("8: walled long sides", scope, saturating)
}

/// A bunker on each crossing line, if the walled lines are as many.
pub(super) fn saturating(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    if rectangle.crossing() > rectangle.walled() {
        return None;
    }
    rectangle.bunkers(&rectangle.all_lines(), rectangle.crossing())
}
