//! The plug-DP engine: broken-profile dynamic programming over a contour, cell by cell, for any
//! [`ContourProblem`] under any [`Algebra`].
//!
//! # Should I use this engine?
//!
//! Yes, if you have a board, or a graph that is long and narrow, and want to count, optimise, list
//! or draw at random what can be placed in it: paths, cycles, trees, tilings, regions, colourings.
//! There are often far more of those than any search could visit, but few contour states: ways in
//! which the processed part *matters* to the rest. A sweep keeps only these, and so counts the 6.6
//! · 10³⁴ Hamiltonian cycles of a 16 × 16 board in seconds.
//!
//! No, if the board is wide in both directions (the number of states grows exponentially with the
//! shorter side, about threefold for each column of a board of paths), if the constraints do not
//! pass through a narrow contour (a Latin square, a knapsack), or if one solution suffices and a
//! [search](crate::Search) finds it.
//!
//! # Contents
//!
//! - [`algebra`]: what a sweep computes;
//! - [`code`]: contour states for connections;
//! - [`motzkin`]: dense tables instead of hash tables;
//! - [`retained`]: solutions, by retaining all layers;
//! - [`family`]: the solutions as a family of sets, to be restricted and combined;
//! - [`meet_in_the_middle`]: half a sweep joined with its own image.
//!
//! # The idea
//!
//! The board is swept cell by cell. At any time the cells before the current one are processed and
//! the others untouched, and between them runs the *contour*, the thick line here, just before cell
//! 8:
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
//! An edge or a piece that crosses the contour is a *plug*. The unprocessed cells need to know
//! little of the processed ones: where there are plugs, and perhaps which of them are connected.
//! That is the *contour state*, packed into a machine word. All states that can arise just before a
//! cell are a *layer*. The *transitions* of the cell lead from each of them to states of the next
//! layer; each has a *label* that says what was done in the cell. Paths that lead to the same state
//! have the same future, and so they are *merged*: instead of the paths, a layer holds one value
//! for each state, such as the number of paths that lead to it.
//!
//! # A first contour problem
//!
//! The example paves a terrace with slabs. A double slab that crosses the contour is a plug. Run it
//! with `cargo run --release --example your_contour_problem`.
//!
#![doc = concat!("```\n", include_str!("../../examples/your_contour_problem.rs"), "```")]
//!
//! # Questions
//!
//! The problem defines the solutions, and the operation the question about them. Values along the
//! paths are computed under an [algebra]; operations that return solutions walk through [retained]
//! layers.
//!
//! | question | operation | layers in memory |
//! |---|---|---|
//! | How many solutions? | [`Sweep::count`] to 2¹²⁸ − 1, `count_natural` beyond | two |
//! | How many, in little memory? | [`Sweep::count_by_residues`], in several sweeps | two |
//! | How many, modulo m? | [`Sweep::count_modulo`] | two |
//! | How many, modulo m, on 10¹⁸ rows? | [`Sweep::repeated`] | the states of a row |
//! | By which recurrence? | [`Repetition::generating_function`] | the states of a row |
//! | Is there one? | [`Sweep::exists`] | two, of states only |
//! | What is the best weight? | [`Sweep::run`] with [`Best`](algebra::Best) | two |
//! | How many have it? | [`Sweep::run`] with [`Optima`](algebra::Optima), of any counts | two |
//! | How many by weight? | [`Sweep::run`] with [`CountByWeight`](algebra::CountByWeight) | two |
//! | What are the k best weights? | [`Sweep::run`] with [`BestK`](algebra::BestK) | two |
//! | Two of these at once? | [`Sweep::run`] with a pair of algebras | two |
//! | Anything else? | [`Sweep::run`] with an [`Algebra`] of your own | two |
//! | In which states do solutions end? | [`Sweep::ends`] | two |
//! | Which solution? | [`Sweep::first`], [`Sweep::best`] | all |
//! | All solutions? | [`Sweep::solutions`], [`Sweep::for_each`] | all |
//! | The k best solutions? | [`Sweep::ranked`] | all |
//! | A random solution? | [`Sweep::samples`], uniformly distributed | all |
//! | Families of sets, to be combined? | [`Sweep::family`] | all |
//! | Any of these, for one weight? | the operations on [`OfWeight`] | as above |
//! | Several of these? | [`Sweep::retain_layers`], then its operations | all |
//! | The best under further constraints? | a search of the [`ContourTree`] | all, for a bound |
//! | Bounds of the best weight? | diagrams of the [`ContourTree`] | of limited width |
//!
//! `count_natural`, `count_by_residues`, `repeated` and `CountByWeight` need the feature `bigint`.
//!
//! # Which state?
//!
//! The state determines the number of states, and so the cost. If it remembers something
//! irrelevant, states multiply; if it forgets something relevant, the answer is wrong. Plain masks
//! in a `u32`, as above, are fine. For connections, the [codes](code) pack, join, close and
//! renumber plugs, each in one machine word and in canonical form: [`Bits`](code::Bits),
//! [`Parentheses`](code::Parentheses) for paths and loops on boards, [`Labels`](code::Labels) for
//! any connected parts, [`Coloured`](code::Coloured) labels, and [`Mates`](code::Mates) for paths
//! in any graph.
//!
//! Sweep a board along its *shorter* side: the contour has the length of one line.
//!
//! # Solutions
//!
//! Two layers suffice for a number. Operations that return solutions (one, a best one, the k best,
//! random ones or all) retain all layers: see [`retained`].
//!
//! # Searches
//!
//! A [`ContourTree`] is the tree of all paths, as a problem for [searches](crate::Search). They can
//! have constraints that do not pass through the contour, as hooks, and
//! [`RetainedLayers::bound`] makes a sweep without these constraints their bound. If layers are too
//! large for a sweep, but states can be [merged](MergeStates), [diagrams](crate::diagram) of
//! limited width bound the optimum on both sides, and `Search::diagrams` finds it.
//!
//! # Hooks: filters, canonicalisers, dominance
//!
//! States that lead to no solution, that are equivalent to others, or that are no better than
//! others need not be kept. A [`SweepHook`] drops or replaces a state as it arises, or examines a
//! complete layer. [`BestState`] and [`Antichain`] are ready-made, for any dominance relation of
//! states ([`StateDominance`]). The report counts the cuts of each hook layer by layer, and the
//! [`Effect`](crate::Effect) of the hooks is part of the answer, as in a search: a count under
//! dominance is only a lower bound, and its report says so. Rocket Mania, in
//! [`secateurs-problems`](https://docs.rs/secateurs-problems), has a hook of every kind, and
//! measures them.
//!
//! # Without hashing
//!
//! Most of the time of a sweep goes into looking up states. Words of parentheses have a rank among
//! all words of their length, so that a layer can be a plain table of numbers, computed from that
//! of the layer before: [`Sweep::dense`], for any [`MotzkinProblem`](motzkin::MotzkinProblem).
//! Paths and loops on boards are all of that kind; one rule for each cell distinguishes them. The
//! answers are the same, several times faster and with less memory; but every word has an entry,
//! reachable or not, and there are no hooks.
//!
//! # Graphs
//!
//! A graph is swept edge by edge, in any order; the contour consists of the vertices that have
//! edges on both sides. That covers moves of knights and kings, grids of more dimensions, and edge
//! lists from a file: see the module `graph` of
//! [`secateurs-problems`](https://docs.rs/secateurs-problems), which has the graphs, their orders
//! and the plans of such sweeps.
//!
//! The contour is widest in the middle. A board with a symmetry that swaps its halves need only be
//! swept to the middle: half a sweep is joined with its own image. See [`meet_in_the_middle`], with
//! closed knight's tours of the chessboard as the example.
//!
//! # Limits, threads, and what is proven
//!
//! A sweep is exhaustive: there is either an exact, proven answer or none. A sweep that stops early
//! has processed only the first part of every solution, so that there is no meaningful partial
//! count. [`Limits`](crate::Limits) of time, [memory](crate::Limits::memory) and [states per
//! layer](crate::Limits::states) end it with a [`Stop`](crate::Stop), as do a number too large for
//! its type and states that do not fit theirs ([`ContourProblem::fits`]).
//! [`Outcome::complete`](crate::Outcome::complete) turns that into an error that names the cell,
//! the number of states reached, and what to try:
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs::{Limits, Stop};
//! use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
//!
//! let cycles = hamiltonian_cycles(&Grid::new(10, 10)?);
//! let limits = Limits::new().states(1000);
//! let error = Sweep::new(&cycles).limits(limits).count().complete().unwrap_err();
//! assert_eq!(error.stop(), Stop::StateLimit);
//! println!("{error}");
//! # Ok::<(), secateurs_problems::InstanceError>(())
//! ```
//!
//! [`Sweep::threads`] divides each layer among threads by the hash of its states, or by their rank.
//! The answer and the number of states do not depend on it.
//!
//! # Long sweeps
//!
//! A wide board takes hours and gigabytes. Four features help:
//!
//! - **Saving and resuming.** The state of a sweep is its last complete layer and its statistics.
//!   With the feature `serde`, `Sweep::checkpoint` writes them to a file now and then while it
//!   runs, and `Sweep::resume` goes on from it after the process was killed at any moment, with the
//!   answer and the report of an uninterrupted sweep; a [dense](Sweep::dense) sweep does the same.
//!   `SweepCheckpoint` documents the guarantees and the cost.
//! - **Layers on disk.** With the feature `serde`, `Sweep::spill` keeps layers that exceed the
//!   memory limit in files, with the same answer: see `Spilled`.
//! - **Stopping.** [`Cancel`](crate::Cancel), from another thread, and the time limit are checked
//!   about every thousand states, every millisecond if steps are expensive, and in every other long
//!   operation on a layer: while its table grows, in hooks that compare its states
//!   ([`Thinning::is_stopping`] is for your own), in backward passes over retained layers, and in a
//!   join. So a sweep stops within some milliseconds, unless a step of the problem itself takes
//!   longer. If steps suddenly become expensive, the sweep notices it after up to 64 of them. Two
//!   things cannot be interrupted: releasing the memory, which takes the system 0.1 to 0.2 seconds
//!   for each gigabyte, and saving the last layer, if there is a checkpoint. (`cargo test --release
//!   --test search -- --ignored --nocapture cancel::` measures the time to stop and the time to
//!   release memory.)
//! - **Watching.** [`Sweep::progress`] reports cells, states and bytes. A [`SweepObserver`] sees
//!   the states of each layer.
//!
//! [Retained](retained) layers and counts that [meet in the middle](meet_in_the_middle) are not
//! saved.
//!
//! # Variants of a problem
//!
//! [`ContourProblem::only`] restricts a problem to certain labels: forced cells, forbidden pieces,
//! a given first piece. [`Both`] is the product of two problems on the same cells, such as a path
//! and a colouring.
//!
//! # Further examples
//!
//! The catalogue of [`secateurs-problems`](https://docs.rs/secateurs-problems) has about thirty
//! contour problems to read: from domino tilings, with a mask, to Black & White, with coloured
//! labels. The command `secateurs count` counts, draws and samples most of them.
//!
//! # References
//!
//! - Physicists counted on lattices by *transfer matrices*, row by row. Sweeping cell by cell, and
//!   remembering connections, is due to Enting (1980, *Generating functions for enumerating
//!   self-avoiding rings on the square lattice*), with the finite-lattice method. Jensen (2003, *A
//!   parallel algorithm for the enumeration of self-avoiding polygons on the square lattice*)
//!   pruned states and distributed layers over machines.
//! - For graphs, Sekine, Imai and Tani (1995, *Computing the Tutte polynomial of a graph of
//!   moderate size*) pushed a frontier through the edges. Knuth's Simpath (*The Art of Computer
//!   Programming* 4A, 7.1.4, 2011) builds a decision diagram of all simple paths in the same way,
//!   which Kawahara, Inoue, Iwashita and Minato (2017) generalised to *frontier-based search*.
//! - Chen Danqi (2008, *Dynamic programming over compressed connectivity states*) brought it to
//!   programming contests as *plug DP*, with the parentheses, labels and prunings of states that
//!   are used here.

// Reading order of the engine itself: `contour_problem`, `algebra`, `hook`, `dominance`, `step`,
// `stats`, `layer`, `executor`, `sweep`, `retained`, `family`, `repetition`, `contour_tree`,
// `derived`, `checkpoint`, `spill`.
pub mod algebra;
#[cfg(feature = "serde")]
pub(crate) mod checkpoint;
pub mod code;
pub(crate) mod contour_problem;
mod contour_tree;
mod derived;
mod dominance;
pub(crate) mod executor;
pub mod family;
pub(crate) mod hook;
pub(crate) mod layer;
pub mod meet_in_the_middle;
pub mod motzkin;
#[cfg(feature = "bigint")]
mod repetition;
pub mod retained;
mod sorting;
#[cfg(feature = "serde")]
mod spill;
pub(crate) mod stats;
pub(crate) mod step;
pub(crate) mod sweep;

pub use self::algebra::{Algebra, Overflow};
#[cfg(feature = "serde")]
pub use self::checkpoint::{Saved, SweepCheckpoint};
pub use self::contour_problem::{ContourProblem, Only};
pub use self::contour_tree::{
    ContourObjective, ContourPosition, ContourStep, ContourSteps, ContourTree, MergeStates,
    NoWeight,
};
pub use self::derived::{Both, DifferentCells, OfWeight, Weighed};
pub use self::dominance::{Antichain, BestState, StateDominance};
pub use self::executor::{Executor, InMemory};
pub use self::family::{Family, FamilyError, RandomSets, RankedSets, Sets};
pub use self::hook::{ObservedSweep, SweepHook, SweepHooks, SweepObserver, Thinning};
#[cfg(feature = "bigint")]
pub use self::repetition::{GeneratingFunction, Repetition, RepetitionError};
pub use self::retained::{Ranked, RetainedBound, RetainedLayers, RetainedSolutions, Samples};
#[cfg(feature = "serde")]
pub use self::spill::{SpillError, Spilled};
pub use self::stats::SweepProgress;
pub use self::sweep::Sweep;
pub use crate::limits::TooWide;
