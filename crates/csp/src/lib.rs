//! Constraint networks for [`secateurs`]: problems stated as variables and constraints, and the
//! parts of a search of them.
//!
//! A [`Model`] states variables, each with a finite set of integers, and constraints on them. It is
//! built into a [`Network`], which is a [`Problem`](secateurs::Problem) whose solutions are the
//! assignments that satisfy all constraints. No tree has to be written; propagation, orders and
//! other parts of the search are plugged in:
//!
//! ```
//! use secateurs::Search;
//! use secateurs_csp::{Ascending, Assignment, Branching, Model, Propagate, SmallestDomain};
//!
//! // Eight queens, one in each row; the variable of a row is the column of its queen.
//! let mut model = Model::new();
//! let queens = model.variables(8, 0..8)?;
//! model.all_different(&queens)?;
//! model.all_different_shifted(queens.iter().zip(0..).map(|(&queen, row)| (queen, row)))?;
//! model.all_different_shifted(queens.iter().zip(0..).map(|(&queen, row)| (queen, -row)))?;
//! let network = model.build();
//!
//! // All solutions: forward checking, smallest domain first.
//! let order = Branching::new(SmallestDomain::first_tie(), Ascending);
//! let outcome = Search::new(&network).hooks((Propagate::forward(),)).brancher(order).count();
//! assert_eq!(outcome.exact(), Some(92));
//!
//! // The first one, with full propagation.
//! let outcome = Search::new(&network).hooks((Propagate::full(),)).extract(Assignment::of).first();
//! let solution = outcome.solution().ok_or("no solution")?;
//! assert_eq!(solution.values(), [0, 4, 7, 5, 2, 6, 1, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | state constraints | the methods of [`Model`] |
//! | state constraints under a condition | [`Model::reify`], [`Model::imply`] |
//! | state a constraint of your own | a [`Propagator`] |
//! | choose the level of propagation | [`Propagate`], a hook with four levels |
//! | choose the next variable and its values | the orders of [any problem](secateurs::brancher#variables), [`Ascending`], [`CentreOut`] |
//! | split domains instead of trying all values at a node | [`Halves`] |
//! | decide hard variables first | [`DomainOverDegree`], or [`weighted_degree`] with [`Weights`] learnt from conflicts |
//! | read a solution | [`Assignment::of`], for [`Search::extract`](secateurs::Search::extract) |
//! | search with settings that suit most models | [`Network::solver`] |
//! | restart without repeating work | [`Restarts`] |
//! | follow a heuristic except for a few mistakes | [`Discrepancies`](secateurs::hook::Discrepancies) |
//! | search one solution of each orbit | the hooks of [`symmetry`] |
//! | optimise the value of a variable | [`minimise`], [`maximise`] |
//!
//! # Nodes
//!
//! Each step down the tree is a decision about one variable. All remaining values are stored in one
//! array of words, and every change of a word is recorded on one trail. Backtracking restores the
//! words in time proportional to the number of changes. Memory is proportional to the model and to
//! the changes on the path from the root. The model takes one bit for each integer from the
//! smallest to the largest value of each variable, and the constraints as stated. A changed word
//! takes 12 bytes, or 24 in domains of several words, which also store their number of values. If
//! every domain fits into one word, constraints on pairs are expanded into a table of masks, of at
//! most two megabytes.
//!
//! Under forward checking, a variable with a single remaining value still takes a node of its own,
//! as in textbook programs, so that trees can be compared with theirs. Arc consistency and full
//! propagation decide such variables at once.
//!
//! # Without propagation, and with hooks of your own
//!
//! A search of a network without [`Propagate`] finds the same solutions by plain backtracking.
//! Hooks may prune values from the [`Domains`], in any order: a leaf counts as a solution only if
//! propagation has acted on every change, or if all constraints are checked at the leaf and hold.
//!
//! # Features
//!
//! `serde`: searches of networks in frontiers and checkpoints.
//!
//! # Reading the source
//!
//! 1. `variable`, `domains`, `trail`: variables, and the state with its memory layout and changes.
//! 2. `adjacency`, `binary`, `rows`, `possible_rows`, `propagator`, `model`, `expression`,
//!    `network`, `global`: constraints, and the construction of a network from them.
//! 3. `branching`, `variable_orders`: the search tree.
//! 4. `propagate`, `weights`, `no_goods`, `restarts`, `optimise`, `symmetry`: hooks and searches.
//! 5. `solver_order`, `ticker`, `race`, `solver`: a search without settings.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod adjacency;
mod binary;
mod branching;
mod domains;
mod expression;
mod global;
mod model;
mod network;
mod no_goods;
mod optimise;
mod possible_rows;
mod propagate;
mod propagator;
mod race;
mod restarts;
mod rows;
mod solver;
mod solver_order;
pub mod symmetry;
mod ticker;
mod trail;
mod variable;
mod variable_orders;
mod weights;

use domains::Pruned;

pub use branching::{Ascending, CentreOut, DomainSplit, Halves, Values};
pub use domains::{Decision, Domains, Wipeout};
pub use expression::{Comparison, Expression};
pub use global::{Automaton, Consistency, Task};
pub use model::{Model, ModelError};
pub use network::{Assignment, Network};
pub use no_goods::NoGoods;
pub use optimise::{BeatIncumbent, VariableValue, maximise, minimise};
pub use propagate::Propagate;
pub use propagator::{Propagator, PropagatorScratch, Wake};
pub use restarts::{Attempt, Restarts};
#[doc(no_inline)]
pub use secateurs::brancher::{
    Branching, DomainOverDegree, InputOrder, SmallestDomain, ValueOrder, VariableOrder,
    least_constraining,
};
pub use solver::Solver;
pub use solver_order::{SolverCursor, SolverOrder};
pub use ticker::SolverProgress;
pub use trail::{Mark, Propagation};
pub use variable::{Domain, Variable};
pub use variable_orders::{SizeOverWeightedDegree, SwappedOrder, WeightedDegree, weighted_degree};
pub use weights::Weights;

/// Runs the code of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
