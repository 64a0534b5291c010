//! Search strategies other than depth first, and searches that consist of several runs.
//!
//! - [`breadth_first`] (with beam search) and [`best_first`] visit nodes in an order in which
//!   successive nodes need not be neighbours in the tree. Read the parts that they share first:
//!   [`node_arena`] (the visited tree), [`navigator`] (moves hooks and a state between nodes), and
//!   [`noncontiguous`] (entering nodes and drawing children).
//! - [`iterative_deepening`], [`limited_discrepancy`] and [`anytime`] repeat searches under the
//!   common limits of a [`run_budget`]. [`restarts`] has schedules of node budgets.

pub(super) mod anytime;
pub(super) mod best_first;
pub(super) mod breadth_first;
pub(super) mod iterative_deepening;
pub(super) mod limited_discrepancy;
pub(super) mod navigator;
pub(super) mod node_arena;
mod noncontiguous;
pub(super) mod restarts;
mod run_budget;
