//! Pruning 6: a rectangle walled on four sides.

use super::{Rectangle, RectangleRule, Scope};

/// Pruning 6: in a full m×n [rectangle](Rectangle) walled on four sides place min(m, n) bunkers, in
/// any way in which they do not see each other.
///
/// *Statement.* Some largest placement on the candidates has any given min(m, n) such bunkers,
/// where m and n count the rows and the columns with candidates in it. *Proof.* No line of the
/// rectangle has a candidate outside, so the rectangle is a component of its own: a placement is a
/// placement inside and one outside, independent of each other. Inside, more than min(m, n) bunkers
/// do not fit. ∎
#[must_use]
pub fn closed_rectangle(scope: Scope) -> RectangleRule {
    RectangleRule::new("6: closed rectangle", scope, bunkers)
}

fn bunkers(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    let lines = rectangle.closed_lines();
    if lines.len() < rectangle.crossing() || !rectangle.is_full() {
        return None;
    }
    rectangle.bunkers(&lines, lines.len().min(rectangle.walled()))
}
