//! The plug-DP engine: sweeps over a contour, cell by cell, for any [`Profile`] under any [`Algebra`].
//!
//! # Should I use this engine?
//!
//! Yes, if you have a board, or a graph that is long and narrow, and want to count, optimise, list or draw at random what
//! can be laid into it: paths, cycles, trees, tilings, regions, colourings. There are often far more of those than any
//! search could visit, but few ways in which what is done already *matters* to what is still to do. A sweep keeps just
//! these, and so counts the 6.6 · 10³⁴ Hamiltonian cycles of a 16 × 16 board in seconds.
//!
//! No, if the board is wide both ways (the number of states grows exponentially with the shorter side, about threefold for
//! each column of a board of paths), if what matters does not pass through a narrow contour (a Latin square, a knapsack), or
//! if one solution will do and a [search](crate::Search) finds it.
//!
//! # The idea
//!
//! The board is swept cell by cell. At any time the cells behind are done, those ahead are untouched, and between them runs
//! the *contour*, the thick line here, just before cell 8:
//!
//! ```text
//!   ┌───┬───┬───┬───┬───┐
//!   │ 0 │ 1 │ 2 │ 3 │ 4 │
//!   ├───┼───┼───╆━━━╈━━━┪
//!   │ 5 │ 6 │ 7 ┃ 8 ┊ 9 │
//!   ┢━━━╈━━━╈━━━╃┄┄┄┼┄┄┄┤
//!   │10 ┊11 ┊12 ┊13 ┊14 │
//!   └┄┄┄┴┄┄┄┴┄┄┄┴┄┄┄┴┄┄┄┘
//! ```
//!
//! Whatever crosses it, a piece that sticks out or an edge of a path, is a *plug*. What the cells ahead need to know of those
//! behind is small: where there are plugs, and perhaps which of them belong together. That is the *profile state*, packed
//! into a machine word. All states that can arise just before a cell are a *layer*. The cell's *transitions* lead from
//! each of them to states of the next layer; each has a *label* that tells what was done in the cell. Ways that lead to the
//! same state have the same future, and so they are *merged*: instead of the ways, a layer holds one value for each state,
//! such as the number of ways that lead to it.
//!
//! # The first profile
//!
//! A double slab that is not yet laid to its end is a plug. Run it with `cargo run --release --example your_profile`.
//!
#![doc = concat!("```\n", include_str!("../../examples/your_profile.rs"), "```")]
//!
//! # If the answer is not a number
//!
//! What is computed along the way is up to the algebra: [`Sweep::run`] takes any, [`Sweep::count`] is the checked count in
//! 128 bits. See [`algebra`] for the laws.
//!
//! # Solutions themselves
//!
//! Two layers do for a number. What solutions look like, one of them, a best one, the k best, random ones or all, is known
//! if all layers are kept: see [`kept`].
//!
//! # Hooks: filters, canonicalisers, dominance
//!
//! States that lead nowhere, that behave like others, or that are no better than others need not be kept. A [`SweepHook`]
//! drops or replaces a state as it arises, or looks at a layer as a whole when it is complete. What each one cut is counted
//! layer by layer, and its [`Effect`](crate::Effect) is part of the answer, as in a search.
//!
//! # Limits, threads, and what is proven
//!
//! A sweep is exhaustive: an answer is exact, and proven, or there is none. A sweep that stops before its end has swept
//! only the first part of every solution, so that there is no partial count to speak of. [`Limits`](crate::Limits) of time,
//! [memory](crate::Limits::memory) and [states a layer](crate::Limits::states) end it with a [`Stop`](crate::Stop), as do
//! a number too large for its type, and states that do not fit theirs ([`Profile::fits`]);
//! [`Outcome::complete`](crate::Outcome::complete) makes an error of that, which names the cell, the number of states
//! reached, and what to try.
//!
//! [`Sweep::threads`] splits each layer by the hash of its states: same answer, same number of states.
//!
//! # Where this comes from
//!
//! - Physicists counted on lattices by *transfer matrices*, row by row; sweeping cell by cell, and remembering connections,
//!   is due to Enting (1980, *Generating functions for enumerating self-avoiding rings on the square lattice*), with the
//!   finite-lattice method. Jensen (2003, *A parallel algorithm for the enumeration of self-avoiding polygons on the square
//!   lattice*) pruned states and split layers among machines.
//! - For graphs, Sekine, Imai and Tani (1995, *Computing the Tutte polynomial of a graph of moderate size*) pushed a frontier
//!   through the edges; Knuth's Simpath (*The Art of Computer Programming* 4A, 7.1.4, 2011) builds a decision diagram of all
//!   simple paths the same way, and Kawahara, Inoue, Iwashita and Minato (2017) made *frontier-based search* of it.
//! - Chen Danqi (2008, *Dynamic programming over compressed connectivity states*) brought it, as *plug DP*, to programming
//!   contests, with parentheses, labels and prunings of states as they are used here.

mod account;
pub mod algebra;
mod arrivals;
pub mod code;
mod counting;
mod dominance;
mod forward;
pub mod graph;
mod hook;
pub mod kept;
mod layer;
pub mod meet;
pub mod motzkin;
mod parallel;
mod profile;
mod sweep;
mod widening;

pub use account::SweepProgress;
pub use algebra::{Algebra, Overflow};
pub use dominance::{Antichain, BestState, Dominance};
pub use hook::{SweepHook, SweepHooks, Thinning};
pub use kept::{Kept, Ranked, Samples, Solutions};
pub use profile::{Profile, TooWide};
pub use sweep::Sweep;
