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
//! # Ok::<(), secateurs::problems::InstanceError>(())
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

mod cell_plan;
mod contour;
mod dense;
mod dense_run;
mod fill_layer;
mod numbers;
mod plan_cache;
mod problem;
mod ranking;
#[cfg(feature = "serde")]
mod saved;

pub use dense::DenseSweep;
pub use problem::{CellRule, Closing, FINISHED, MotzkinProblem, PathPiece, Side, step};
#[cfg(feature = "serde")]
pub use saved::SavedDenseSweep;
