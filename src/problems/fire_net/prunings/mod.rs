//! The ten prunings of the article, each of which can be switched on separately.
//!
//! | # | rule | item |
//! |---|---|---|
//! | 1 | candidates from a list | [`Cells::listed`](super::Cells) |
//! | 2 | cells in increasing order | [`Cells::increasing`](super::Cells) |
//! | 3 | too few cells left | [`TooFewCells`] |
//! | 4 | as many bunkers as segments | [`EnoughBunkers`] |
//! | 5 | a segment with one candidate | [`DegreeOne`] |
//! | 6 | a rectangle walled on four sides | [`closed_rectangle`] |
//! | 7 | a rectangle walled on three sides, open on a short one | [`open_short_side`] |
//! | 8 | a rectangle walled along both long sides | [`walled_long_sides`] |
//! | 9 | a rectangle walled on three sides, open on any one | [`open_side`] |
//! | 10 | a rectangle walled on two opposite sides | [`open_ends`] |
//!
//! The documentation of each item states the pruning and proves it. Read the files in this order:
//! [`article_bounds`] has prunings 3 and 4, [`inference`] the common parts of the others,
//! [`degree_one`] pruning 5, [`rectangle_prunings`] prunings 6 to 10, [`rectangle`] their geometry,
//! and [`rectangle_rule`] their hook.
//!
//! Prunings 5 to 10 are *inferences*: they place bunkers that some optimal completion is proved to
//! have, and never prune a node. Each reports the number of bunkers that it has placed. All
//! prunings are stated in terms of candidates, not of empty cells, so they hold on boards with
//! given bunkers and in states with excluded cells.
//!
//! # Why all combinations are sound
//!
//! An inference preserves the optimum *of each subtree*, a bound prunes only subtrees that cannot
//! beat the incumbent, and the branchers visit every placement on the candidates. Therefore any
//! combination, in any order, either reaches some optimal placement or has an incumbent that is as
//! good.

mod article_bounds;
mod degree_one;
mod inference;
mod rectangle;
mod rectangle_prunings;
mod rectangle_rule;

pub use article_bounds::{EnoughBunkers, TooFewCells};
pub use degree_one::DegreeOne;
pub use inference::Scope;
pub use rectangle::Rectangle;
pub use rectangle_prunings::{
    closed_rectangle, open_ends, open_short_side, open_side, walled_long_sides,
};
pub use rectangle_rule::RectangleRule;

use crate::problems::selection::Selection;

/// A set of the ten prunings.
pub type FireNetPrunings = Selection<10>;
