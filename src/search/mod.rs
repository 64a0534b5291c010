//! The search engine. [`Search`] configures a search; one of its terminal operations runs it and
//! returns an [`Outcome`](crate::Outcome).
//!
//! - Number of solutions: [`count`](Search::count).
//! - Existence, or one solution: [`exists`](Search::exists), [`first`](Search::first).
//! - All solutions, one at a time: [`solutions`](Search::solutions) (an iterator),
//!   [`for_each`](Search::for_each) (a visitor).
//! - The best solution: [`best`](Search::best), [`improvements`](Search::improvements) (an
//!   iterator); in the fewest nodes: [`best_first`](Search::best_first).
//! - The best solution, if equal states are reached on many paths: [`diagrams`](Search::diagrams).
//! - Better and better solutions, and finally a proof: [`Anytime`], which runs searches in phases.
//! - A shallowest solution: [`IterativeDeepening`] (repeated runs),
//!   [`breadth_first`](Search::breadth_first).
//! - A good solution quickly, in a wide tree: [`beam`](Search::beam).
//! - A solution close to what the order of children suggests: [`LimitedDiscrepancy`] (repeated
//!   runs).
//! - Node budgets for restarts: [`Schedule`].
//! - Size of the tree, and duration of the search: [`estimate`](Search::estimate),
//!   [`estimate_stratified`](Search::estimate_stratified).
//! - A part of the search now, the rest later or elsewhere: [`frontier`](Search::frontier),
//!   [`split`](Search::split).
//! - Less elapsed time: [`threads`](Search::threads).
//!
//! # Strategies
//!
//! All strategies take the same hooks and limits, and return the same kinds of outcome and report.
//! Those that are settings of a [`Search`] have all of its terminal operations. Those that run
//! several searches have one: [`IterativeDeepening`] and [`LimitedDiscrepancy`] find a solution
//! (`first`), and [`Anytime`] an optimum. Unless stated otherwise, a run that exhausts the tree
//! proves its answer.
//!
//! - Depth first (the default): for all solutions and counts, and for an optimum if the bound and
//!   the order of children are good. Memory: one path.
//! - [`breadth_first`](Search::breadth_first): for a shallowest solution in a narrow tree. Memory:
//!   the widest level, with states.
//! - [`best_first`](Search::best_first): for an optimum in the fewest nodes, when the bound is
//!   expensive but tight. Memory: the open nodes and their ancestors, with an optional
//!   [limit](Search::open_nodes).
//! - [`beam`](Search::beam): for a good solution quickly, in a wide tree. Memory: width × depth.
//!   Proves its answer only if no node was dropped.
//! - [`restricted`](Search::restricted): a beam that unites equal states.
//! - [`diagrams`](Search::diagrams): for an optimum, if equal states are reached on many paths, and
//!   states can be merged. Memory: the open nodes and one diagram.
//! - [`IterativeDeepening`]: for a shallowest solution in a wide tree. Memory: one path. Proves its
//!   answer if no run was cut short.
//! - [`LimitedDiscrepancy`]: for a first solution, when the order of children is mostly right.
//!   Memory: one path. Proves its answer if one of the runs cuts off nothing.
//! - [`Schedule`] with [`Shuffled`](crate::brancher::Shuffled) children: for a first solution, when
//!   a wrong choice near the root is rarely revised in time. Memory: one path. Proves its answer if
//!   one of the runs is not stopped.
//! - [`Anytime`]: for an optimum, with intermediate results. Memory: that of its phases. Proves its
//!   answer if one of the phases does.
//! - [`threads`](Search::threads): any depth-first search, or one by diagrams, in less time.
//!   Memory: for each thread, that of its own search.
//!
//! # Checkpoints
//!
//! The unexplored part of a search is data, a [`Frontier`]. With the feature `serde` it can be
//! written to a file, and `Search::checkpoint` makes a search save itself while it runs. After a
//! kill at any moment, `Search::resume` continues from the file, to the answer of an uninterrupted
//! search. The numbers of nodes and cuts of a depth-first search are the same as well, unless a
//! hook [remembers](crate::Hook::memory) more than the path: it starts from scratch, and prunes
//! less. `Checkpoint` describes the guarantees.
//!
//! Running consumes the builder, so that no setting can be changed during a run.
//!
//! # Source files
//!
//! Read them in this order; each imports only files above it, and files of its own folder.
//!
//! 1. `meter`: limits, clock and progress behind one counter, the fuel.
//! 2. `frontier`: subtrees and frontiers as data, and their files.
//! 3. `tree`: entering, visiting and leaving a node, defined once for all strategies.
//! 4. `walk`: the interfaces between operations and strategies.
//! 5. `depth_first`: the kernel, the replay of subtrees, and taking the frontier out of a walk.
//! 6. `check_undo`, `builder`: a debugging aid; [`Search`], what it extracts from solutions, and
//!    the strategy that continues a frontier.
//! 7. `operations`, `best`, `split`, `checkpoint`: terminal operations, division, saving.
//! 8. `strategies`: breadth-first, best-first and beam search, diagrams; repeated searches.
//! 9. `parallel`: several threads; `executor`: the interface for a cluster.
//! 10. `estimate`: the size of a tree from random probes.

mod best;
mod builder;
mod check_undo;
#[cfg(feature = "serde")]
mod checkpoint;
mod depth_first;
pub mod estimate;
#[cfg(feature = "timely")]
pub(crate) mod executor;
mod frontier;
mod meter;
mod operations;
mod parallel;
mod split;
mod strategies;
mod tree;
mod walk;

pub use best::Improvements;
pub use builder::{Choices, Extract, FromFrontier, Search};
pub use check_undo::CheckUndo;
#[cfg(feature = "serde")]
pub use checkpoint::Checkpoint;
pub use depth_first::DepthFirst;
pub use estimate::Estimate;
pub use frontier::Frontier;
pub use frontier::subtree::Subtree;
pub use meter::{Progress, Remaining};
pub use operations::Solutions;
pub use parallel::Threads;
pub use parallel::solutions::ReceivedSolutions;
pub use strategies::RunBudget;
pub use strategies::anytime::{Anytime, Phases};
pub use strategies::best_first::BestFirst;
pub use strategies::breadth_first::{Beam, BreadthFirst};
pub use strategies::diagrams::Diagrams;
pub use strategies::repeated_runs::{IterativeDeepening, LimitedDiscrepancy, Schedule};
pub use strategies::restricted::Restricted;
pub use walk::{Resumable, Strategy, WithoutFrontier};
