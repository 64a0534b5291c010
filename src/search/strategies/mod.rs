//! Search strategies other than depth first, and searches that consist of several runs.
//!
//! - [`breadth_first`] (with beam search) and [`best_first`] visit nodes in an order in which
//!   successive nodes need not be neighbours in the tree. Read the parts that they share first:
//!   [`node_arena`] (the visited tree), [`navigator`] (moves hooks and a state between nodes), and
//!   [`noncontiguous`] (entering nodes and drawing children), [`open_levels`] (open nodes by
//!   level).
//! - [`restricted`] and [`diagrams`] unite equal states: breadth-first search with other
//!   [selections](open_levels) of the nodes that are expanded. That of `diagrams` is in
//!   [`cut_sets`]. [`level_subtrees`] resumes such walks, and divides them among threads.
//! - [`iterative_deepening`], [`limited_discrepancy`] and [`anytime`] repeat searches under the
//!   common limits of a [`RunBudget`]. [`restarts`] has schedules of node budgets.

pub(super) mod anytime;
pub(super) mod best_first;
pub(super) mod breadth_first;
mod cut_sets;
pub(super) mod diagrams;
pub(super) mod iterative_deepening;
mod level_subtrees;
pub(super) mod limited_discrepancy;
pub(super) mod navigator;
pub(super) mod node_arena;
mod noncontiguous;
mod open_levels;
pub(super) mod restarts;
pub(super) mod restricted;

use crate::clock::Instant;
use crate::limits::Limits;
use crate::report::Report;

/// Limits that apply to several runs together, and the sum of their reports.
pub(crate) struct RunBudget {
    limits: Limits,
    began: Instant,
    total: Option<Report>,
    /// The nodes in `total` that do not count towards the node limit: a run that continues from a
    /// frontier also reports the nodes of the earlier runs on it.
    earlier_nodes: u64,
}

impl RunBudget {
    pub(crate) fn new(limits: Limits) -> Self {
        RunBudget { limits, began: Instant::now(), total: None, earlier_nodes: 0 }
    }

    /// Returns the limits for the next run: what is left of each. A depth limit is the same for all
    /// runs.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = self.limits.clone();
        let used = self.total.as_ref().map_or(0, Report::nodes) - self.earlier_nodes;
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(used));
        limits.time = limits.time.map(|time| time.saturating_sub(self.began.elapsed()));
        limits
    }

    /// Excludes nodes of earlier runs from the node limit. The next report includes them.
    pub(crate) fn exclude(&mut self, earlier_nodes: u64) {
        self.earlier_nodes += earlier_nodes;
    }

    /// Takes the sum of the reports so far, and returns it with `report` added and the stop of
    /// `report`.
    pub(crate) fn total_with(&mut self, report: Report) -> Report {
        let stop = report.stop();
        let mut sum = match self.total.take() {
            Some(total) => total + report,
            None => report,
        };
        sum.stop = stop;
        sum
    }

    /// Sets the sum of the reports so far.
    pub(crate) fn set_total(&mut self, sum: Report) {
        self.total = Some(sum);
    }
}
