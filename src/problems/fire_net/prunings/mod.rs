//! The ten prunings of the article, each on its own switch, each stated and proved in the docs of
//! its type.
//!
//! | # | what | where |
//! |---|---|---|
//! | 1 | candidates from a list | [`Cells::listed`](super::Cells) |
//! | 2 | cells in increasing order | [`Cells::increasing`](super::Cells) |
//! | 3 | too few cells left | [`TooFewCells`] |
//! | 4 | as many bunkers as segments | [`EnoughBunkers`] |
//! | 5 | a segment with one candidate | [`DegreeOne`] |
//! | 6 | a rectangle walled on four sides | [`closed_rectangle`] |
//! | 7 | walled on three sides, open on a short one | [`open_short_side`] |
//! | 8 | walled along both long sides | [`walled_long_sides`] |
//! | 9 | walled on three sides, open on any | [`open_side`] |
//! | 10 | walled on two opposite sides | [`open_ends`] |
//!
//! Prunings 5 to 10 *infer*: they place bunkers of which it is proved that some optimal completion
//! has them, and so never cut by themselves; the report has a figure of how many bunkers each has
//! placed. All of them speak of candidates, not of empty cells, so they hold with bunkers on the
//! board and with cells excluded.
//!
//! # Why they may be combined
//!
//! An inference leaves the optimum *of each subtree* what it was, a bound cuts only what cannot
//! beat the incumbent, and the branchers lose no placement on the candidates. So whatever is
//! plugged in, and in whatever order, either some optimal placement is met or the incumbent is as
//! good already.

mod closed_rectangle;
mod degree_one;
mod enough_bunkers;
mod open_ends;
mod open_short_side;
mod open_side;
mod rectangle;
mod rectangle_rule;
mod seen;
mod too_few_cells;
mod walled_long_sides;

pub use closed_rectangle::closed_rectangle;
pub use degree_one::DegreeOne;
pub use enough_bunkers::EnoughBunkers;
pub use open_ends::open_ends;
pub use open_short_side::open_short_side;
pub use open_side::open_side;
pub use rectangle::Rectangle;
pub use rectangle_rule::RectangleRule;
pub use too_few_cells::TooFewCells;
pub use walled_long_sides::walled_long_sides;

pub use crate::ParseError as ParsePruningsError;
use crate::problems::Selection;

/// A set of the ten prunings.
pub type Prunings = Selection<10>;

/// At which nodes an inference is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// At the root only, before the search proper begins, as in the article.
    Root,
    /// At every node.
    EveryNode,
}

impl Scope {
    pub(super) fn includes(self, depth: usize) -> bool {
        self == Scope::EveryNode || depth == 0
    }
}
