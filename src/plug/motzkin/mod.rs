//! Paths and loops on planar boards: states are Motzkin words, and layers can be tables without
//! hashing.
//!
//! The ends of paths that cross the contour of a planar board pair off like parentheses. So a state
//! is a *Motzkin word*: a sequence of `.` (no plug), `(` and `)` with matching parentheses
//! ([`Parentheses`](super::code::Parentheses)), except that the loose end of a path that entered
//! from outside is a `(` without a mate; there may be any number of loose ends. A cell of any such
//! problem does one of a few things with the two neighbouring plugs that it reads: [`CellRule`]
//! states which are allowed, and [`step`] performs them. A contour problem of this kind is a
//! [`MotzkinProblem`]; all problems of paths and loops in the
//! catalogue of [`secateurs-problems`](https://docs.rs/secateurs-problems) are.
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
//!
//! let cycles = hamiltonian_cycles(&Grid::new(12, 12)?);
//! let outcome = Sweep::new(&cycles).dense().count();
//! assert_eq!(outcome.exact(), Some(1_076_226_888_605_605_706));
//! // Hashing gives the same count and takes several times as long.
//! assert_eq!(outcome.exact(), Sweep::new(&cycles).count().exact());
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```
//!
//! The files, in the order in which to read them: `problem` (rules and steps), `contour` (the
//! possible words of a layer), `ranking` (their ranks), `cell_plan` and `plan_cache` (the
//! computation of a layer from the previous one), `fill_layer` (its execution), `numbers`
//! (tables and their values), `cell_job` (the threads that fill them), `dense_run` (the loop over
//! the cells), `dense` and `saved` (the public sweeps).
//!
//! # Dense layers
//!
//! A hash table spends most of its time on finding states. But Motzkin words can be *ranked*, and
//! almost all words that obey a few simple rules occur. So
//! [`Sweep::dense`](crate::plug::Sweep::dense) stores a layer as a plain table of numbers, indexed
//! by the rank of the word in lexicographic order. (Ranks of Motzkin words as indices: Iwashita,
//! Nakazawa, Kawahara, Uno and Minato, *Efficient computation of the number of paths in a grid
//! graph with minimal perfect hash functions*, 2013.) Three techniques make it fast:
//!
//! - **Words are cut in two.** The rank of a word is the number of words with an earlier left half,
//!   plus the rank of its right half among those that match the left half; the set of matching
//!   right halves depends only on the *height* at the cut: the number of `(` before it minus the
//!   number of `)` before it. A cell reads two neighbouring plugs, and the cut can be placed so
//!   that both are in one half. The effect of the cell on that half is computed once, with
//!   [`step`], and holds for all other halves. So no word is decoded or looked up. If the cell is
//!   in the left half, whole runs of consecutive numbers are added; if it is in the right half,
//!   each run is computed from the run of the same left half. A parenthesis of the other half flips
//!   only if two `(` or two `)` with mates there are joined; that leads to another run.
//! - **Impossible words are not numbered.** Two plugs that one cell wrote are never `((`, `))` or
//!   `)(`; plugs that lead into an obstacle or off the board are empty. If every free cell is
//!   visited and cells are coloured like a chessboard, so that each plug connects two colours, then
//!   the number of taken plugs from black cells exceeds the number from white cells by twice the
//!   excess of processed black cells. With these rules, the table for Hamiltonian cycles has no
//!   word that does not occur, and a fifth of all words.
//! - **Twins share a number.** A path that enters a cell by one plug may leave it by either. The
//!   two words differ only in which of the two plugs that the cell wrote is taken, and have the
//!   same value. So the table has only the first of them, and the next cell reads its value for
//!   both.
//! - **Numbers are as wide as necessary.** A sweep begins with 64-bit numbers. If a number
//!   overflows, the cell is processed again with wider numbers, from the previous layer, which
//!   still exists. So no bound on the count need be known in advance, and the count is exact.
//! - **Memory is reused within a cell.** A layer is divided into blocks of consecutive words. The
//!   new blocks are filled from the last to the first, and depend only on old blocks of about the
//!   same ranks or lower ones, since a parenthesis that flips makes a word earlier. So old blocks
//!   become free one after the other, from the last one on, and new ones take their place while
//!   they are in the cache. The old layer is kept only if it may be needed again: to be saved, or
//!   if a number might overflow, which is known from the largest number before the cell.
//!
//! The set of possible words changes from cell to cell, so the tables before and after a cell
//! differ in size. Threads live for the whole sweep, and each fills blocks of its own share of the
//! table before it helps others.
//!
//! A dense sweep can be saved while it runs, and resumed (with the feature `serde`:
//! `DenseSweep::checkpoint`).
//!
//! The memory consists of the tables, 8 bytes per state and limb each, and of the plans, a few
//! megabytes for each row of different cells. Modulo a number of at most 32 bits, a state takes 4
//! bytes in each table. Counts [by residues](crate::plug::motzkin::DenseSweep::count_by_residues)
//! use such numbers if the memory limit leaves no room for 64 bits. In
//! [`Report::levels`](crate::Report::levels), `nodes` is the number of words with a value above 0,
//! twins included, which are the states that hashing finds. (For counts modulo a number, words with
//! a multiple of it as their value do not count, so there may be fewer.) Transitions are not
//! counted.

mod cell_job;
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
#[cfg(test)]
mod test_boards;

pub use dense::DenseSweep;
pub use problem::{CellRule, Closing, FINISHED, MotzkinProblem, PathPiece, Side, finished, step};
