//! The plug-DP engine: sweeps over a contour, cell by cell, for any [`ContourProblem`] under any
//! [`Algebra`].
//!
//! # Should I use this engine?
//!
//! Yes, if you have a board, or a graph that is long and narrow, and want to count, optimise, list
//! or draw at random what can be laid into it: paths, cycles, trees, tilings, regions, colourings.
//! There are often far more of those than any search could visit, but few ways in which what is
//! done already *matters* to what is still to do. A sweep keeps just these, and so counts the 6.6 ·
//! 10³⁴ Hamiltonian cycles of a 16 × 16 board in seconds.
//!
//! No, if the board is wide both ways (the number of states grows exponentially with the shorter
//! side, about threefold for each column of a board of paths), if what matters does not pass
//! through a narrow contour (a Latin square, a knapsack), or if one solution will do and a
//! [search](crate::Search) finds it.
//!
//! # The idea
//!
//! The board is swept cell by cell. At any time the cells behind are done, those ahead are
//! untouched, and between them runs the *contour*, the thick line here, just before cell 8:
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
//! Whatever crosses it, a piece that sticks out or an edge of a path, is a *plug*. What the cells
//! ahead need to know of those behind is small: where there are plugs, and perhaps which of them
//! belong together. That is the *profile state*, packed into a machine word. All states that can
//! arise just before a cell are a *layer*. The cell's *transitions* lead from each of them to
//! states of the next layer; each has a *label* that tells what was done in the cell. Ways that
//! lead to the same state have the same future, and so they are *merged*: instead of the ways, a
//! layer holds one value for each state, such as the number of ways that lead to it.
//!
//! # The first profile
//!
//! A double slab that is not yet laid to its end is a plug. Run it with `cargo run --release
//! --example your_profile`.
//!
#![doc = concat!("```\n", include_str!("../../examples/your_profile.rs"), "```")]
//!
//! # Ask what you like
//!
//! The profile says what a solution is; what is asked about the solutions is another matter. What
//! is computed along the way is an [algebra], and what has to look at solutions themselves goes
//! back through layers that were [kept].
//!
//! | question | operation | memory |
//! |---|---|---|
//! | How many? | [`Sweep::count`] to 2¹²⁸ − 1, `count_natural` beyond (with the feature `bigint`) | two layers |
//! | How many, modulo m? | [`Sweep::count_modulo`]; [`Residues`](algebra::Residues) puts several remainders together | two layers, a word a state |
//! | Is there any? | [`Sweep::exists`] | two layers, nothing but states |
//! | What is the best weight? How many have it? | [`Sweep::run`] with [`Best`](algebra::Best), [`Optima`](algebra::Optima), [`BestK`](algebra::BestK), or two at once as a pair | two layers |
//! | Anything else? | [`Sweep::run`] with an [`Algebra`] of your own; [`Sweep::ends`] for the last layer itself | two layers |
//! | What does one look like? | [`Sweep::first`], [`Sweep::best`] | all layers |
//! | All of them? The k best? | [`Sweep::solutions`] and [`Sweep::for_each`], [`Sweep::ranked`] | all layers |
//! | What does a typical one look like? | [`Sweep::samples`], each as likely as any other | all layers |
//! | All of this about the same board? | [`Sweep::keep`] once, then ask | all layers |
//!
//! # Which state?
//!
//! The state decides how many states there are, and that is all the cost there is. If it remembers
//! something that does not matter, states multiply; if it forgets something that does, the answer
//! is wrong. Plain masks in a `u32`, as above, are fine. For everything that has to do with
//! connections, the [codes](code) pack, join, close and renumber plugs, each in one machine word
//! and in canonical form: [`Bits`](code::Bits), [`Parentheses`](code::Parentheses) for paths and
//! loops on boards, [`Labels`](code::Labels) for whatever is connected,
//! [`Coloured`](code::Coloured) labels, and [`Mates`](code::Mates) for paths in any graph.
//!
//! A board should be swept along its *shorter* side: the contour crosses one line.
//!
//! # Solutions themselves
//!
//! Two layers do for a number. What solutions look like, one of them, a best one, the k best,
//! random ones or all, is known if all layers are kept: see [`kept`].
//!
//! # Hooks: filters, canonicalisers, dominance
//!
//! States that lead nowhere, that behave like others, or that are no better than others need not be
//! kept. A [`SweepHook`] drops or replaces a state as it arises, or looks at a layer as a whole
//! when it is complete; [`BestState`] and [`Antichain`] are ready-made, for any order of states by
//! what they can do ([`Dominance`]). What each hook cut is counted layer by layer, and its
//! [`Effect`](crate::Effect) is part of the answer, as in a search: a count under dominance is no
//! count, and says so. [Rocket Mania](crate::problems::rocket_mania) has a hook of every kind, and
//! measures them.
//!
//! # Without hashing
//!
//! Most of the time of a sweep goes into looking up states. Words of parentheses have a rank among
//! all words of their length, so that a layer can be a plain table of numbers, made from that of
//! the layer before: [`Sweep::dense`], for any [`MotzkinProblem`](motzkin::MotzkinProblem). Paths
//! and loops on boards are all of that kind, as one rule a cell tells them apart. Same answers,
//! several times faster, with less memory; but every word has its entry, whether the way leads
//! there or not, and there are no hooks.
//!
//! # Graphs
//!
//! Not everything is a board. In [`graph`] a graph is swept edge by edge, in any order, with the
//! vertices that have edges on both sides for a contour: moves of knights and kings, grids of more
//! dimensions, edge lists from a file.
//!
//! The widest contour is in the middle. A board that is the same upside down need be swept only so
//! far: half a sweep is joined with its own image. [`meet`] has the idea, and closed knight's tours
//! of the chessboard as the case in point.
//!
//! # Limits, threads, and what is proven
//!
//! A sweep is exhaustive: an answer is exact, and proven, or there is none. A sweep that stops
//! before its end has swept only the first part of every solution, so that there is no partial
//! count to speak of. [`Limits`](crate::Limits) of time, [memory](crate::Limits::memory) and
//! [states a layer](crate::Limits::states) end it with a [`Stop`](crate::Stop), as do a number too
//! large for its type, and states that do not fit theirs ([`ContourProblem::fits`]);
//! [`Outcome::complete`](crate::Outcome::complete) makes an error of that, which names the cell,
//! the number of states reached, and what to try:
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs::problems::catalogue::{Grid, hamiltonian_cycles};
//! use secateurs::{Limits, Stop};
//!
//! let cycles = hamiltonian_cycles(&Grid::new(10, 10)?);
//! let error = Sweep::new(&cycles).limits(Limits::new().states(1000)).count().complete().unwrap_err();
//! assert_eq!(error.stop(), Stop::StateLimit);
//! println!("{error}");
//! # Ok::<(), secateurs::problems::InstanceError>(())
//! ```
//!
//! [`Sweep::threads`] splits each layer by the hash of its states, or by their rank: same answer,
//! same number of states.
//!
//! # Sweeps that take hours
//!
//! A wide board takes hours, and gigabytes. Three things help:
//!
//! - **It can be saved, and go on.** All that a sweep knows is the last complete layer and its
//!   account. With the feature `serde`, `Sweep::checkpoint` writes them to a file now and then
//!   while it runs, and `Sweep::resume` goes on from it after a kill at any moment, with the answer
//!   and the report of a sweep that was left alone; a [dense](Sweep::dense) sweep does the same.
//!   `SweepCheckpoint` says what is promised, and what it costs.
//! - **It can be stopped.** [`Cancel`](crate::Cancel), from another thread, and the limit of time
//!   are looked at every thousand states or so, and wherever else a layer of millions takes its
//!   time: in the growth of its table, in hooks that compare its states ([`Thinning::is_stopping`]
//!   is for your own), on the way back through kept layers, in a join. So a sweep stops within some
//!   milliseconds, unless a step of the profile itself takes longer. What nothing can break off
//!   comes on top: giving back the memory that it had, which takes the system 0.1 to 0.2 seconds a
//!   gigabyte (`cargo test --release --test search -- --ignored --nocapture cancel::` measures
//!   both), and the last layer's being saved, if it is.
//! - **It can be watched.** [`Sweep::progress`] tells cells, states and bytes.
//!
//! [Kept](kept) layers and [meetings](meet) are not saved.
//!
//! # To go on from here
//!
//! [`problems::catalogue`](crate::problems::catalogue) has a score of profiles, each a small file
//! to read: from domino tilings, with a mask, to Black & White, with coloured labels. The example
//! `count` counts, draws and samples most of them.
//!
//! # Where this comes from
//!
//! - Physicists counted on lattices by *transfer matrices*, row by row; sweeping cell by cell, and
//!   remembering connections, is due to Enting (1980, *Generating functions for enumerating
//!   self-avoiding rings on the square lattice*), with the finite-lattice method. Jensen (2003, *A
//!   parallel algorithm for the enumeration of self-avoiding polygons on the square lattice*)
//!   pruned states and split layers among machines.
//! - For graphs, Sekine, Imai and Tani (1995, *Computing the Tutte polynomial of a graph of
//!   moderate size*) pushed a frontier through the edges; Knuth's Simpath (*The Art of Computer
//!   Programming* 4A, 7.1.4, 2011) builds a decision diagram of all simple paths the same way, and
//!   Kawahara, Inoue, Iwashita and Minato (2017) made *frontier-based search* of it.
//! - Chen Danqi (2008, *Dynamic programming over compressed connectivity states*) brought it, as
//!   *plug DP*, to programming contests, with parentheses, labels and prunings of states as they
//!   are used here.

pub(crate) mod account;
pub mod algebra;
pub(crate) mod arrivals;
#[cfg(feature = "serde")]
pub(crate) mod checkpoint;
pub mod code;
pub(crate) mod counting;
mod dominance;
mod forward;
pub mod graph;
pub(crate) mod hook;
pub mod kept;
pub(crate) mod layer;
#[cfg(feature = "problems")]
pub mod meet;
pub mod motzkin;
mod parallel;
pub(crate) mod profile;
pub(crate) mod saving;
pub(crate) mod shards;
mod sorting;
pub(crate) mod sweep;
pub(crate) mod sweeper;
pub(crate) mod task;
mod widening;

pub use crate::limits::TooWide;
#[cfg(feature = "lab")]
pub(crate) use account::Clock;
pub use account::SweepProgress;
pub use algebra::{Algebra, Overflow};
#[cfg(feature = "serde")]
pub use checkpoint::{SavedSweep, SweepCheckpoint};
pub use dominance::{Antichain, BestState, Dominance};
#[cfg(feature = "lab")]
pub(crate) use hook::{SweepClaim, sealed::Sealed};
pub use hook::{SweepHook, SweepHooks, Thinning};
pub use kept::{Kept, Ranked, Samples, Solutions};
pub use profile::ContourProblem;
pub use sweep::Sweep;
