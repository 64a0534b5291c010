//! Paths and loops on planar boards: states are Motzkin words, and layers can do without hashing.
//!
//! Ends of paths that cross the contour of a planar board pair off like parentheses. So a state is
//! a *Motzkin word*: a sequence of `.` (no plug), `(` and `)` whose parentheses match
//! ([`Parentheses`]), or nearly so: the loose end of a path that came in from outside is a `(`
//! without a mate, and there may be any number of them. Whatever the problem, a cell does one of a
//! few things with the two neighbouring plugs that it reads: [`CellRule`] says which are allowed,
//! and [`step`] does them. A profile of this kind is a [`MotzkinProblem`]; all problems of paths
//! and loops in the [catalogue](crate::problems::catalogue) are.
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs::problems::catalogue::{Grid, hamiltonian_cycles};
//!
//! let cycles = hamiltonian_cycles(&Grid::new(12, 12)?);
//! let outcome = Sweep::new(&cycles).dense().count();
//! assert_eq!(outcome.exact(), Some(1_076_226_888_605_605_706));
//! assert_eq!(outcome.exact(), Sweep::new(&cycles).count().exact()); // the same, by hashing, in several times the time
//! # Ok::<(), secateurs::problems::catalogue::GridError>(())
//! ```
//!
//! # Dense layers
//!
//! A hash table spends its time on finding states. But Motzkin words can be *numbered*, and almost
//! all of them occur: so [`Sweep::dense`](crate::plug::Sweep::dense) keeps a layer as a bare table
//! of numbers, addressed by the rank of the word in lexicographic order. (Ranks of Motzkin words as
//! addresses: Iwashita, Nakazawa, Kawahara, Uno and Minato, *Efficient computation of the number of
//! paths in a grid graph with minimal perfect hash functions*, 2013.) Three things make it fast:
//!
//! - **Words are cut in two.** A word's rank is the number of words whose left half comes before,
//!   and the rank of its right half among those that go with the left one; which these are depends
//!   on the height at the cut only. A cell reads two neighbouring plugs, so it is in one half, and
//!   the cut can be laid so that it is. What it does to that half is found out once, with [`step`],
//!   and holds for all halves on the other side. So no word is taken apart, and none looked up. If
//!   the cell is to the left, whole runs of neighbouring numbers are added at a time; if it is to
//!   the right, each run is made from the one of the same left half. Only where two `(` or two `)`
//!   are joined and their mates are in the other half, a parenthesis flips there, which leads to
//!   another run.
//! - **Words that cannot be are not numbered.** Two plugs that one cell wrote are not `((`, `))` or
//!   `)(`; plugs that lead into an obstacle or off the board are empty. And if every free cell is
//!   visited and cells have two colours like those of a chessboard, so that a plug leads from one
//!   colour to the other, then the plugs from black cells are as many as those from white ones, and
//!   twice the excess of black cells swept. With these, a table for Hamiltonian cycles has no word
//!   that does not occur, less than a third of all.
//! - **Numbers are as wide as they need to be.** A sweep begins with one machine word a state. When
//!   a number does not fit, the cell is swept again with wider ones, for the layer before it is
//!   still there. So no bound need be known beforehand, and the count is exact.
//!
//! As words are ruled out cell by cell, the tables before and after a cell are not of one size, and
//! so they are two: each is made from the other, in turns, and threads can share out the new one
//! without getting in each other's way. A table of all words could be updated in place instead. Of
//! Hamiltonian cycles, the two take about 0.6 times the memory of that one; of simple paths, of
//! which fewer words are ruled out, about 1.4 times.
//!
//! A dense sweep can be saved while it runs, and resumed (with the feature `serde`:
//! `DenseSweep::checkpoint`).
//!
//! Memory is that of the two tables, 8 bytes a state and limb each, and of the plans, a few
//! megabytes for each row of different cells. [`Report::levels`](crate::Report::levels) has, as
//! `nodes`, the words worth more than 0: the same states that hashing finds. (Modulo a number,
//! words worth a multiple of it count as none, so there may be fewer.) There are no figures of
//! transitions.

mod contour;
mod dense;
mod execute;
mod layout;
mod numbers;
mod plan;
mod plans;
mod rule;
mod run;
#[cfg(feature = "serde")]
mod saved;
mod saving;

pub use dense::DenseSweep;
pub use rule::{CellRule, Closing, FINISHED, Piece, Side, step};
#[cfg(feature = "serde")]
pub use saved::SavedDenseSweep;

use super::code::Parentheses;
use super::contour_problem::ContourProblem;

/// A profile whose states are Motzkin words, and whose steps are those of [`step`].
///
/// It tells for each cell which two plugs are read and what may happen there, so that the layers
/// need not be found by hashing: see the [module](self).
///
/// ```
/// use secateurs::plug::code::Parentheses;
/// use secateurs::plug::motzkin::{CellRule, Closing, MotzkinProblem, Piece, step};
/// use secateurs::plug::{ContourProblem, Sweep};
///
/// /// Sets of loops that visit all cells of a board of two rows, swept column by column, down and up in turns.
/// struct Ladder(usize);
///
/// impl ContourProblem for Ladder {
///     type State = Parentheses;
///     type Label = Piece;
///     fn cells(&self) -> usize {
///         2 * self.0
///     }
///     fn start(&self) -> Parentheses {
///         Parentheses::EMPTY
///     }
///     fn step(&self, cell: usize, word: Parentheses, emit: &mut impl FnMut(Parentheses, Piece)) {
///         step(self.rule(cell), self.low(cell), word, emit);
///     }
///     fn accept(&self, word: Parentheses) -> bool {
///         word.is_empty()
///     }
/// }
///
/// impl MotzkinProblem for Ladder {
///     fn plugs(&self) -> usize {
///         3
///     }
///     fn low(&self, cell: usize) -> usize {
///         [0, 1, 1, 0][cell % 4] // the cells' places in their columns, as there are two
///     }
///     fn rule(&self, cell: usize) -> CellRule {
///         // Whether there are a cell in the next column, and another one in this column.
///         let (ahead, along) = (cell / 2 + 1 < self.0, cell % 2 == 0);
///         let [low, high] = if cell % 4 < 2 { [ahead, along] } else { [along, ahead] };
///         CellRule { closing: Closing::Any, ..CellRule::visited(low, high) }
///     }
/// }
///
/// // Fibonacci numbers: the columns are cut into runs of two or more, each with a loop around it.
/// assert_eq!(Sweep::new(&Ladder(10)).dense().count().exact(), Some(34));
/// assert_eq!(Sweep::new(&Ladder(10)).count().exact(), Some(34));
/// ```
///
/// # If an implementation lies
///
/// [`ContourProblem::step`] must be [`step`] with the same rule and plug, or the two tables give
/// different answers, and [`ContourProblem::start`] must be the empty word, or a dense sweep
/// panics. A cell whose plugs are not among those of the contour makes a dense sweep panic or give
/// a wrong answer. An [entrance](CellRule::entrance) by a plug that a pair encloses makes both
/// tables give the same wrong answer, as parentheses cannot tell which ends belong together then.
pub trait MotzkinProblem: ContourProblem<State = Parentheses> {
    /// How many plugs the contour has: the length of the words, at most 31 for a dense sweep.
    fn plugs(&self) -> usize;

    /// The lower one of the two plugs, neighbours on the contour, that the cell reads and replaces.
    fn low(&self, cell: usize) -> usize;

    /// What may happen in the cell.
    fn rule(&self, cell: usize) -> CellRule;
}
