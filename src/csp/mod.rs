//! Constraint networks: state a problem as variables and constraints, and plug together how it is
//! searched.
//!
//! A [`Model`] is what is stated: variables, each with a finite set of integers it may be, and
//! constraints on them. It is built into a [`Network`], which is a [`Problem`](crate::Problem): its
//! solutions are the assignments for which all constraints hold, and no tree has to be written. How
//! that tree is walked is plugged in, as ever:
//!
//! ```
//! use secateurs::Search;
//! use secateurs::csp::{Ascending, Assignment, Branching, Model, Propagate, SmallestDomain};
//!
//! // Eight queens, one a row; the variable of a row is the column of its queen.
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
//! // The first one, propagating all that can be.
//! let outcome = Search::new(&network).hooks((Propagate::full(),)).extract(Assignment::of).first();
//! let solution = outcome.solution().ok_or("there is one")?;
//! assert_eq!(solution.values(), [0, 4, 7, 5, 2, 6, 1, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | say what must not go together | the methods of [`Model`]: different values, predicates, pairs, tables, all different, sums, circuits |
//! | state a constraint of your own | a [`Propagator`] |
//! | say how far a decision is followed up | [`Propagate`], a hook, at one of four levels |
//! | say what is decided next | [`Branching`] with a [`VariableOrder`] and a [`ValueOrder`], or [`Halves`] |
//! | begin with what is hard, or with the value that leaves most | [`DomainOverDegree`] with [`Weights`] learnt from conflicts, [`least_constraining`] |
//! | read a solution | [`Assignment::of`], for [`Search::extract`](crate::Search::extract) |
//! | start over without searching anything twice | [`Restarts`] |
//! | trust a heuristic but for a few mistakes | [`hook::Discrepancies`](crate::hook::Discrepancies) |
//! | search one solution of each orbit | the hooks of [`symmetry`] |
//! | make a variable as small or as large as can be | [`minimise`], [`maximise`] |
//!
//! # What is a node
//!
//! A node is a decision about one variable. All values that are left lie in one array of words, and
//! everything that a decision and its propagation take away is written on one trail, from which it
//! comes back: in time proportional to what was taken away. Memory is proportional to the model: a
//! bit for each value from the smallest to the largest of each variable, and the constraints as
//! they were stated; and to what is taken away on the path from the root: 16 bytes for each word
//! that a step changes, 32 in domains of several words, which are counted as well. Only where all
//! domains are single words are constraints on pairs written out, as rows of masks of two megabytes
//! at most.
//!
//! Under forward checking a variable with one value left still takes a node of its own, as in the
//! programs of the textbooks, so that trees can be compared with theirs; arc consistency and full
//! propagation decide such variables at once.
//!
//! # Without propagation, and with hooks of your own
//!
//! A network that is searched without [`Propagate`] is generate and test, and finds the same.
//! Whatever hooks take away from the [`Domains`], and in whatever order they come, a leaf is a
//! solution only if propagation has followed up every change there was, or if all constraints are
//! checked there and hold.

mod branching;
mod constraint;
mod decision;
mod domains;
mod error;
mod global;
mod layout;
mod model;
mod network;
mod no_goods;
mod optimise;
mod problem;
mod propagate;
mod restarts;
pub mod symmetry;
mod trail;
mod variable;
mod weights;

pub use branching::{
    Ascending, Branching, CentreOut, DomainOverDegree, DomainSplit, Halves, InputOrder,
    LeastConstraining, SmallestDomain, SwappedOrder, ValueOrder, Values, VariableOrder,
    least_constraining,
};
pub use constraint::{Propagator, PropagatorScratch, Wake};
pub use decision::Decision;
pub use domains::{Domains, Wipeout};
pub use error::ModelError;
pub use model::Model;
pub use network::{Assignment, Network};
pub use no_goods::NoGoods;
pub use optimise::{Better, ValueOf, maximise, minimise};
pub use propagate::Propagate;
pub use restarts::{Attempt, Restarts};
pub use trail::{Mark, Propagation};
pub use variable::{Domain, Variable};
pub use weights::Weights;
