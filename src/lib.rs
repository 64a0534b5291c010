//! Exhaustive and optimal combinatorial search in which **pruning is a value that you plug in,
//! measure and check**.
//!
//! # Should I use this crate?
//!
//! Yes, if you have a tree of states to search to its end (to count, list, decide or optimise),
//! want the speed of a recursion that you would write by hand, and need to know *what the answer
//! proves* and *what each pruning did*. A run that was stopped, or whose prunings lose solutions,
//! cannot be mistaken for a complete one.
//!
//! If variables and constraints say all there is to your problem, or a choice among given options
//! does, [`csp`] and [`cover`] make the tree for you.
//!
//! No, if linear inequalities say all there is to your problem, or if it has millions of
//! constraints to be learnt from (use an integer programming or a satisfiability solver), if a good
//! answer will do without a proof (use local search), or if your graph fits into memory and you
//! look for a shortest way (use a path-finding library).
//!
//! # A problem in 25 lines, and a first hook
//!
//! Run it with `cargo run --release --example your_problem`.
//!
#![doc = concat!("```\n", include_str!("../examples/your_problem.rs"), "```")]
//!
//! # Counting what no search could visit
//!
//! Boards have often more solutions than any search could visit, and still they can be counted, the
//! best one found, a random one drawn: by a *sweep*, cell by cell, that counts all ways together
//! that leave the same to be done. [`plug`] begins with a profile of one's own, which is the
//! example `your_profile`. This one is ready-made:
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs::problems::catalogue::{Grid, hamiltonian_cycles};
//!
//! let cycles = hamiltonian_cycles(&Grid::new(12, 12)?);
//! assert_eq!(Sweep::new(&cycles).count().exact(), Some(1_076_226_888_605_605_706));
//!
//! let random = Sweep::new(&cycles).samples(1)?.next().ok_or("there is none")?;
//! println!("{}", cycles.draw(&random)); // one of these, each as likely as any other
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The optimum, and what is proven
//!
//! ```
//! use secateurs::problems::fire_net::{FireNetBoard, FireNetSettings};
//! use secateurs::{Limits, Stop};
//!
//! let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
//! let outcome = FireNetSettings::default().solve(&board);
//! assert_eq!(outcome.proven(), Some(&5));
//!
//! let hurried = FireNetSettings::default().limits(Limits::new().nodes(0)).solve(&board);
//! assert_eq!((hurried.proven(), hurried.stop()), (None, Stop::NodeLimit));
//! # Ok::<(), secateurs::ParseError>(())
//! ```
//!
//! # The words
//!
//! A [`Problem`] is the immutable instance; a *state* is the position in the tree, changed in
//! place; a *choice* is a step down and an *undo* takes it back; a *cursor* says where a node
//! stands among its children. A *node* is a state with its depth; a *solution* is a state that
//! counts as an answer, and may have children. A [`Hook`] is a plugged-in pruning, inference or
//! observer: it gives a [`Verdict`] and claims an [`Effect`]. A [`Brancher`] decides on the next
//! children and their order. A *bound* is an optimistic value of everything below a node, to be
//! compared with the [`Incumbent`], the best value so far. In a sweep, a *cell* is a step, a
//! [`ContourProblem`](plug::ContourProblem) the instance; its *states* are what the contour
//! remembers, all of them after a cell are a *layer*, and a *transition* leads through a cell; an
//! [`Algebra`](plug::Algebra) says what is computed. A [`Stop`] says why a run ended; an
//! [`Outcome`] is its answer with a [`Report`].
//!
//! # What is where
//!
//! - [`checkpoint`]: files of unexplored parts of a search and of layers of a sweep, and the checks
//!   when they are read.
//! - [`cluster`]: searches and sweeps in many processes, on one host or several, and journals that
//!   outlast them.
//! - [`search`]: [`Search`], its operations, limits, iterators, strategies, threads, and what a
//!   search leaves as data.
//! - [`hook`]: what a hook is; hooks from closures.
//! - [`hook`]: ready-made ones: bounds, symmetry, dominance, memory, orders.
//! - [`csp`]: constraint networks: variables, constraints, propagation as a hook, orders, restarts,
//!   symmetry.
//! - [`cover`]: exact cover with secondary items and colours.
//! - [`lab`]: prunings compared, audited and seen: tables and pages, unsound prunings found on the
//!   smallest instance, recorded trees and sweeps.
//! - [`plug`]: the contour engine: sweeps, algebras, state codes, hooks, kept layers, dense layers,
//!   graphs.
//! - [`problems`]: fire-net, n-queens, the knight's tour and a maze, Rocket Mania and a catalogue
//!   of contour problems, as models to learn from and to measure with; Sudoku, colouring, magic
//!   squares, Langford pairs and packings on the two families before; maximum clique, unbalanced
//!   trees and numerical semigroups, known yardsticks of tree searches.
//!
//! # Features
//!
//! Without any, the crate is both engines with their hooks, [`csp`] and [`cover`]. A feature adds
//! what its name says, and only those who ask for it compile it:
//!
//! | feature | adds | compiles besides |
//! |---|---|---|
//! | `bigint` | counts of any size: [`plug::algebra::Natural`] | num-bigint |
//! | `problems` | the model problems, and [`plug::meet`] | bitvec |
//! | `lab` | comparisons, audits and recordings; with `problems`, the bundled comparisons | |
//! | `pages` | the lab's results as CSV, JSON and HTML pages with charts | csv, flate2, maud, plotters, serde |
//! | `serde` | [`Frontier`](search::Frontier)s as data, [`checkpoint`] files; `Report`, state codes and values of algebras are `Serialize` and `Deserialize` | serde, postcard, crc32fast |
//! | `timely` | [`cluster`]: searches and sweeps on many machines | timely, and what `serde` needs |
//!
//! On `wasm32-unknown-unknown` everything but `timely` compiles. There is neither a clock nor a
//! thread there: elapsed times are zero, and a run with a [time limit](Limits::time) stops at once.
//!
//! # What it promises
//!
//! - No wrong answer is silent: limits, cancellation, overflow and prunings that do not go together
//!   show in the type of the answer or in the report.
//! - A node limit is exact. The same input gives the same answer and the same node counts.
//! - Depth is limited by memory, not by the call stack.
//! - Counts are exact to 2¹²⁸, and an overflow is a [`Stop`].
//! - Library code does not panic on data, print or exit; a panic names the mistake in the caller's
//!   trait implementation.
//! - Counting 14-queens on bit masks takes about as long as a hand-written recursion
//!   (`cargo bench --bench ratios -- kernel`).

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod brancher;
#[cfg(feature = "serde")]
pub mod checkpoint;
mod clock;
#[cfg(feature = "timely")]
pub mod cluster;
pub mod cover;
pub mod csp;
mod digest;
pub mod hook;
mod incumbent;
#[cfg(feature = "lab")]
pub mod lab;
mod limits;
mod memory;
mod outcome;
pub mod plug;
mod problem;
#[cfg(feature = "problems")]
pub mod problems;
mod proof;
mod report;
pub mod search;
mod text;

pub use brancher::{Brancher, ProblemOrder};
pub use digest::Digest;
pub use hook::{Effect, Hook, Hooks, Node, NodeMut, Path, Substitute, SubstituteOrder, Verdict};
pub use incumbent::{Direction, Incumbent, IncumbentId, Objective};
pub use limits::{Cancel, Limits, Stop};
pub use memory::block_bytes;
pub use outcome::{Count, Found, Incomplete, Optimum, Outcome, Total};
pub use problem::{Branch, Problem};
pub use report::{Cuts, HookReport, Level, Report, Summary};
pub use search::Search;
pub use text::ParseError;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeIsTrue;
