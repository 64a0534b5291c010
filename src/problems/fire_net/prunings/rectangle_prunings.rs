//! Prunings 6 to 10: bunkers in rectangles.
//!
//! Each pruning is a [`Rule`](super::rectangle::Rule) for the hook [`RectangleRule`]. All five
//! speak of the walled lines and the crossing lines that [`Rectangle`] defines.

use super::inference::Scope;
use super::rectangle::Rectangle;
use super::rectangle_rule::RectangleRule;

/// Creates pruning 6: in a full m×n [rectangle](Rectangle) walled on four sides, places min(m, n)
/// bunkers, in any way in which they do not see each other.
///
/// *Statement.* Let m and n be the numbers of rows and columns with candidates in the rectangle.
/// Any min(m, n) bunkers in it that do not see each other are part of some largest placement on the
/// candidates. *Proof.* No line of the rectangle has a candidate outside, so the rectangle is a
/// component: a placement consists of a placement inside and an independent one outside. No more
/// than min(m, n) bunkers fit inside. ∎
#[must_use]
pub fn closed_rectangle(scope: Scope) -> RectangleRule {
    RectangleRule::new("6: closed rectangle", scope, closed)
}

fn closed(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    let lines = rectangle.closed_lines();
    if lines.len() < rectangle.crossing() || !rectangle.is_full() {
        return None;
    }
    rectangle.bunkers(&lines, lines.len().min(rectangle.walled()))
}

/// Creates pruning 7: in a [rectangle](Rectangle) walled on both long sides and on one short side,
/// of length m, places m bunkers, in any way in which they do not see each other.
///
/// *Statement and proof.* The wall on the third side is not needed: this is a special case of
/// [pruning 8](walled_long_sides), with the same number m of crossing lines that have a candidate,
/// and the same proof. ∎
#[must_use]
pub fn open_short_side(scope: Scope) -> RectangleRule {
    RectangleRule::new("7: open short side", scope, saturating_with_third_wall)
}

fn saturating_with_third_wall(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    // The cheap condition comes first.
    let short = rectangle.crossing() <= rectangle.walled();
    if short && rectangle.has_third_wall() { saturating(rectangle) } else { None }
}

/// Creates pruning 8: in a [rectangle](Rectangle) of n walled lines and m crossing lines, m ≤ n,
/// places m bunkers, one on each crossing line, in any way in which they do not see each other.
///
/// There is no condition on the cells beyond the two short sides. Inside the rectangle, only the m
/// chosen cells must be candidates.
///
/// *Statement.* Let C be the crossing lines and let the m = |C| bunkers stand on different walled
/// lines W' ⊆ W. Some largest placement on the candidates has them all. *Proof.* The candidates of
/// W' all lie on lines of C. Take a largest placement and remove its bunkers on lines of C. These
/// are at most m, and afterwards the lines of C and of W' are free, so the m bunkers can be placed.
/// ∎ (This is the crown rule for vertex cover, Abu-Khzam, Collins, Fellows et al. 2004, applied to
/// matchings.)
#[must_use]
pub fn walled_long_sides(scope: Scope) -> RectangleRule {
    RectangleRule::new("8: walled long sides", scope, saturating)
}

/// Returns a bunker on each crossing line, if there are at least as many walled lines.
fn saturating(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    if rectangle.crossing() > rectangle.walled() {
        return None;
    }
    rectangle.bunkers(&rectangle.all_lines(), rectangle.crossing())
}

/// Creates pruning 9: in a full [rectangle](Rectangle) walled on three sides, places min(|K|, m)
/// bunkers on lines of K, in any way in which they do not see each other. Here K are the lines that
/// cross the open side and have no candidate beyond it, and m is the number of lines that run along
/// the open side.
///
/// It is *wrong* to place bunkers on lines outside K, or more than |K| bunkers.
///
/// *Statement and proof.* The lines along the open side run from one walled side to the opposite
/// one: they are the walled lines. This is [pruning 10](open_ends) with one of the open sides
/// walled, and the same proof. The length of the open side does not matter. ∎
#[must_use]
pub fn open_side(scope: Scope) -> RectangleRule {
    RectangleRule::new("9: open side", scope, on_closed_lines_with_third_wall)
}

fn on_closed_lines_with_third_wall(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    // The test for the third wall is the most expensive and comes last.
    on_closed_lines(rectangle).filter(|_| rectangle.has_third_wall())
}

/// Creates pruning 10: in a full [rectangle](Rectangle), places min(|K|, |W|) bunkers on lines of
/// K, in any way in which they do not see each other. Here K are the crossing lines that have no
/// candidate outside, at either end, and W are the walled lines.
///
/// It is *wrong* to count lines that are walled at one end only.
///
/// *Statement.* Any k = min(|K|, |W|) bunkers inside the rectangle on lines of K that do not see
/// each other are part of some largest placement on the candidates. *Proof.* If k = |W|, the k
/// lines used have candidates on W only. As in [pruning 8](walled_long_sides), with rows and
/// columns exchanged, remove the bunkers on lines of W from a largest placement, which are at most
/// |W|, and place the k instead.
///
/// If k = |K| < |W|, let A be the k walled lines used. Every bunker on a line of W or K stands
/// inside the rectangle, on a line of W. In a largest placement let s of these stand on lines of K
/// and t on other crossing lines, so that s ≤ |K| and s + t ≤ |W|. Remove them and place the k
/// bunkers. The t other crossing lines are free again: on min(t, |W| − k) of them place a bunker
/// each, on lines of W outside A. These cells are candidates because the rectangle is full. The
/// result has min(k + t, |W|) ≥ s + t bunkers in place of the s + t. ∎
#[must_use]
pub fn open_ends(scope: Scope) -> RectangleRule {
    RectangleRule::new("10: open ends", scope, on_closed_lines)
}

/// Returns bunkers on the closed crossing lines of a full rectangle, as many as fit.
fn on_closed_lines(rectangle: &Rectangle<'_>) -> Option<Vec<usize>> {
    let lines = rectangle.closed_lines();
    if lines.is_empty() || !rectangle.is_full() {
        return None;
    }
    rectangle.bunkers(&lines, lines.len().min(rectangle.walled()))
}
