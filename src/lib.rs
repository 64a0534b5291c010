//! Exhaustive and optimal combinatorial search in which **pruning is a value that you plug in,
//! measure and check**.
//!
//! # Should I use this crate?
//!
//! Yes, if you search a tree of states exhaustively (to count, list, decide or optimise), want the
//! speed of a hand-written recursion, and need to know *what the answer proves* and *what each
//! pruning did*. A run that was stopped, or whose prunings lose solutions, cannot be mistaken for a
//! complete one.
//!
//! If variables and constraints fully describe your problem, or a choice among given options does,
//! the crates [`secateurs-csp`] and [`secateurs-cover`] build the tree for you.
//!
//! No, if linear inequalities fully describe your problem, or if it has millions of constraints and
//! needs clause learning (use an integer programming or a satisfiability solver); if a good answer
//! without a proof suffices (use local search); or if you need a shortest path in a graph that fits
//! into memory (use a path-finding library).
//!
//! # A problem in 25 lines, and a first hook
//!
//! Run it with `cargo run --release --example your_problem`. If the state is small and `Copy`,
//! [`CopyProblem`] needs no `undo`. The example `first_programs` writes five well-known problems
//! with [`Successors`], as short as a recursion.
//!
#![doc = concat!("```\n", include_str!("../examples/your_problem.rs"), "```")]
//!
//! # Counting more than a search can visit
//!
//! A board often has more solutions than any search could visit. A *sweep* can still count them,
//! find the best one, or draw a random one: it processes the board cell by cell and merges all ways
//! that have the same continuations. Module [`plug`] begins with a contour problem of your own, the
//! example `your_contour_problem`. This one is ready-made:
//!
//! ```
//! use secateurs::plug::Sweep;
//! use secateurs_problems::catalogue::{Grid, hamiltonian_cycles};
//!
//! let cycles = hamiltonian_cycles(&Grid::new(12, 12)?);
//! assert_eq!(Sweep::new(&cycles).count().exact(), Some(1_076_226_888_605_605_706));
//!
//! let random = Sweep::new(&cycles).samples(1)?.next().ok_or("there is none")?;
//! println!("{}", cycles.draw(&random)); // one of them, uniformly at random
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Optima and proofs
//!
//! ```
//! use secateurs::{Limits, Stop};
//! use secateurs_problems::fire_net::{FireNetBoard, FireNetSettings};
//!
//! let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
//! let outcome = FireNetSettings::default().solve(&board);
//! assert_eq!(outcome.proven(), Some(&5));
//!
//! let limits = Limits::new().nodes(0);
//! let stopped = FireNetSettings::default().limits(limits).solve(&board);
//! assert_eq!((stopped.proven(), stopped.stop()), (None, Stop::NodeLimit));
//! # Ok::<(), secateurs::ParseError>(())
//! ```
//!
//! # Vocabulary
//!
//! A [`Problem`] is the immutable instance. A *state* is the position in the tree, changed in
//! place; a *choice* is one step down, an *undo* reverts it, and a *cursor* is the position among a
//! node's children. A *node* is a state with its depth; a *solution* is a state that counts as an
//! answer, and may have children. A [`Hook`] is a plugged-in pruning, inference or observer: it
//! returns a [`Verdict`] and claims an [`Effect`]. A [`Brancher`] chooses the next variable and the
//! order of its values. A *bound* is an optimistic value of a subtree, compared with the
//! [`Incumbent`], the best value so far.
//!
//! In a sweep over a [`ContourProblem`](plug::ContourProblem), a *cell* is one step, the *contour*
//! is the boundary between processed and unprocessed cells, a *contour state* is what it must
//! remember, a *layer* is the set of all contour states after a cell, and an
//! [`Algebra`](plug::Algebra) decides what is computed.
//!
//! A [`Stop`] is the reason why a run ended; an [`Outcome`] is its answer with a [`Report`].
//!
//! # Modules
//!
//! - [`search`]: [`Search`], its questions, limits, iterators, strategies and threads, and the
//!   unexplored part of a search as data.
//! - [`hook`]: the trait, hooks from closures, and ready-made hooks: bounds, symmetry, dominance,
//!   memoisation.
//! - [`brancher`]: the order of children.
//! - [`diagram`]: decision diagrams: states that are compared and merged, for bounds and for branch
//!   and bound.
//! - [`plug`]: the contour engine: sweeps, algebras, state codes, hooks, retained layers, dense
//!   layers.
//! - [`checkpoint`]: files of searches and sweeps, checked when they are read.
//! - [`cluster`]: searches and sweeps in many processes, on one host or several, with journals that
//!   survive them.
//! - [`text`]: tokens, numbers and grids of characters, with errors that name the position.
//!
//! # Crates
//!
//! These crates build on the public interface of this one, as any other does:
//!
//! - [`secateurs-csp`]: constraint networks: variables, constraints, propagation as a hook, orders,
//!   restarts, symmetry.
//! - [`secateurs-cover`]: exact cover with secondary items and colours.
//! - [`secateurs-problems`]: fire-net, n-queens, the knight's tour, Rocket Mania and a catalogue of
//!   contour problems, as models to learn from and to measure with; Sudoku, colouring, magic
//!   squares, Langford pairs and packings as constraint networks and exact covers; knapsacks,
//!   independent sets, schedules of one machine and tours with time windows for decision diagrams;
//!   maximum clique, a known benchmark of tree search.
//! - [`secateurs-lab`] compares, audits and records prunings, as tables and pages, and runs the
//!   strategy of several that is predicted to be fastest.
//!
//! [`secateurs-csp`]: https://docs.rs/secateurs-csp
//! [`secateurs-cover`]: https://docs.rs/secateurs-cover
//! [`secateurs-problems`]: https://docs.rs/secateurs-problems
//! [`secateurs-lab`]: https://docs.rs/secateurs-lab
//!
//! # Features
//!
//! Without features, the crate is the engine [`search`] with its hooks and branchers.
//!
//! | feature | adds | enables; main dependencies |
//! |---|---|---|
//! | `plug` | the engine [`plug`] | |
//! | `bigint` | counts of any size: [`plug::algebra::Natural`] | `plug`; num-bigint |
//! | `serde` | [`checkpoint`] files; `Serialize` for frontiers and reports | serde, postcard |
//! | `timely` | [`cluster`] | `plug`, `serde`; timely |
//! | `tracing` | [events](crate#events) of runs for subscribers of `tracing` | tracing |
//!
//! On `wasm32-unknown-unknown` everything but `timely` compiles. That target has neither a clock
//! nor threads: elapsed times are zero, and a run with a [time limit](Limits::time) stops at once.
//!
//! # Events
//!
//! With the feature `tracing`, runs emit events of the target `secateurs`:
//!
//! | level | event | fields |
//! |---|---|---|
//! | warn | a checkpoint could not be saved during a run | `path`, `error` |
//! | debug | a run has ended | `stop`, `effect`, `nodes`, `solutions`, `elapsed` |
//! | debug | an incumbent has improved | |
//! | debug | a checkpoint was saved (before, during and after the run), or resumed | `path` |
//! | trace | a layer of a sweep is complete | `cells_done`, `states`, `bytes` |
//!
//! A question that takes several runs, such as a search with restarts, emits an event for each and
//! one for their sum. In a search on a cluster, each slice of work of a worker counts as a run.
//! Iterators have no event at their end, because they may be dropped at any time. The phases of a
//! [`search::Anytime`] are iterators and have none either; their sum has one.
//!
//! # Promises
//!
//! - No wrong answer is silent: limits, cancellation, overflow and prunings that cannot be combined
//!   show in the type of the answer or in its report.
//! - A node limit is exact. On a cluster, a run may stop before it but never exceeds it. A sweep,
//!   which completes layers or does not begin them, never expands more states. The same input gives
//!   the same answer and the same node counts; if parallel runs may differ in nodes, the report
//!   says so.
//! - Depth is limited by memory, not by the call stack.
//! - Counts are exact up to 2¹²⁸ − 1; an overflow is a [`Stop`].
//! - Library code neither prints nor exits, and does not panic on data. A panic names the mistake
//!   in the caller's trait implementation.
//! - Counting 14-queens on bit masks takes about as long as a hand-written recursion
//!   (`cargo bench --bench ratios -- kernel`).

#![cfg_attr(docsrs, feature(doc_cfg))]

#[macro_use]
mod macros;

pub mod brancher;
#[cfg(feature = "serde")]
pub mod checkpoint;
mod clock;
#[cfg(feature = "timely")]
pub mod cluster;
mod copy_problem;
pub mod diagram;
mod digest;
mod effect;
mod finite;
pub mod hook;
mod incumbent;
mod limits;
mod memory;
mod outcome;
#[cfg(feature = "plug")]
pub mod plug;
mod problem;
#[cfg(feature = "serde")]
mod refusal;
mod report;
pub mod search;
pub mod text;
mod variables;

pub use brancher::{Brancher, ProblemOrder};
pub use clock::Instant;
pub use copy_problem::{CopyProblem, Successors};
pub use digest::Digest;
pub use finite::{Finite, NotFinite};
pub use hook::{
    Constraint, Effect, Hook, Hooks, Node, NodeMut, Path, Substitute, SubstituteOrder, Verdict,
};
pub use incumbent::{Direction, Incumbent, IncumbentId, Objective, ObjectiveValue, ToBeat};
pub use limits::{Cancel, Limits, Stop};
pub use memory::{block_bytes, vec_bytes};
pub use outcome::{Count, Found, Incomplete, Optimum, Outcome, Total, Uniqueness};
pub use problem::{Branch, Problem};
pub use report::{Cuts, HookReport, Level, Report, Summary};
pub use search::Search;
pub use text::ParseError;
pub use variables::{Assignments, Variables};

/// Runs the code of the README and of the guide as tests.
#[cfg(doctest)]
mod guide {
    /// Defines an item whose documentation is the text of a page.
    macro_rules! pages {
        ($($name:ident $path:literal),+ $(,)?) => {
            $(#[doc = include_str!($path)] struct $name;)+
        };
    }

    pages! {
        Readme "../README.md",
        FirstProblem "../docs/first-problem.md",
        Hooks "../docs/hooks.md",
        FourKindsOfHooks "../docs/four-kinds-of-hooks.md",
        Proofs "../docs/proofs.md",
        ContourProblems "../docs/contour-problems.md",
        ContestClassics "../docs/contest-classics.md",
        Constraints "../docs/constraints.md",
        ComparingPrunings "../docs/comparing-prunings.md",
        LongRuns "../docs/long-runs.md",
    }
}
