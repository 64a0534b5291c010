//! Search strategies other than depth first, and searches that consist of several runs.
//!
//! - [`breadth_first`] (with beam search) and [`best_first`] visit nodes in an order in which
//!   successive nodes need not be neighbours in the tree. Read the parts that they share first:
//!   [`node_arena`] (the visited tree), [`navigator`] (moves hooks and a state between nodes), and
//!   [`noncontiguous`] (entering nodes and drawing children), [`open_levels`] and [`open_queue`]
//!   (open nodes by level, or by bound).
//! - [`restricted`] and [`diagrams`] unite equal states: breadth-first search with other
//!   [selections](open_levels) of the nodes that are expanded. That of `diagrams` is in
//!   [`cut_sets`]. [`level_subtrees`] resumes such walks, and divides them among threads.
//! - [`repeated_runs`] and [`anytime`] repeat searches under the common limits of a [`RunBudget`].

pub(super) mod anytime;
pub(super) mod best_first;
pub(super) mod breadth_first;
mod cut_sets;
pub(super) mod diagrams;
mod level_subtrees;
pub(super) mod navigator;
pub(super) mod node_arena;
mod noncontiguous;
mod open_levels;
mod open_queue;
pub(super) mod repeated_runs;
pub(super) mod restricted;

use crate::clock::Instant;
use crate::limits::{Limits, Stop};
use crate::outcome::{Count, Found, Optimum, Outcome};
use crate::report::Report;

/// Limits that apply to several runs together, and the sum of their reports: for questions that are
/// answered by several searches.
///
/// ```
/// use secateurs::search::RunBudget;
/// use secateurs::{Limits, Search, Stop, Successors};
///
/// // Words of n letters, for each n, as far as 100 nodes suffice.
/// let words = |n| {
///     let longer = move |k| vec![k + 1; if k < n { 2 } else { 0 }];
///     Successors::new(0, move |&k| k == n, longer)
/// };
/// let mut budget = RunBudget::new(Limits::new().nodes(100));
/// for n in 0.. {
///     if budget.used_up().is_some() {
///         break;
///     }
///     let (_, report) = Search::new(&words(n)).limits(budget.limits()).count().into_parts();
///     budget.add(report);
/// }
/// let report = budget.report().expect("several runs");
/// assert_eq!((report.nodes(), report.stop()), (100, Stop::NodeLimit));
/// ```
#[derive(Clone, Debug)]
pub struct RunBudget {
    limits: Limits,
    began: Instant,
    total: Option<Report>,
    /// The nodes in `total` that do not count towards the node limit: a run that continues from a
    /// frontier also reports the nodes of the earlier runs on it.
    earlier_nodes: u64,
}

impl RunBudget {
    /// Creates a budget, whose time runs from now on.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        RunBudget { limits, began: Instant::now(), total: None, earlier_nodes: 0 }
    }

    /// Returns the limits for the next run: what is left of nodes and time. All other limits are
    /// the same for each run.
    pub fn limits(&self) -> Limits {
        let mut limits = self.limits.clone();
        let used = self.total.as_ref().map_or(0, Report::nodes) - self.earlier_nodes;
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(used));
        limits.time = limits.time.map(|time| time.saturating_sub(self.began.elapsed()));
        limits
    }

    /// Returns why another run would stop at once: it was cancelled, or no time or nodes are left.
    #[must_use]
    pub fn used_up(&self) -> Option<Stop> {
        self.limits().used_up()
    }

    /// Adds the report of a run. The sum has the stop of this run.
    pub fn add(&mut self, report: Report) {
        self.total = Some(match self.total.take() {
            // The runs repeat each other: unlike a sum over parts of a tree, the total has as many
            // walks as the run that was divided most, and repeats no orbit that no run repeats.
            Some(total) => Report {
                stop: report.stop,
                walks: total.walks.max(report.walks),
                may_repeat_orbits: total.may_repeat_orbits || report.may_repeat_orbits,
                ..total + report
            },
            None => report,
        });
    }

    /// Returns the sum of the reports, or `None` before the first one.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        self.total.as_ref()
    }

    /// Returns the answer to the question whether there is a solution, given the solution that the
    /// last run found.
    ///
    /// All runs must be of the same problem, for example with other orders: that there is no
    /// solution is proven if the last run was exhausted, and the sum of the reports allows the
    /// proof. If the runs are of different problems, it is a false one. Without a run, nothing is
    /// proven.
    pub fn found<T>(self, solution: Option<T>) -> Outcome<Found<T>> {
        let sum = self.sum();
        Outcome::new(Found::new(solution, &sum), sum)
    }

    /// Returns the answer to the question for the number of solutions, given the count of a run:
    /// of the last one if it is complete, and otherwise of any run.
    ///
    /// All runs must be of the same problem and question, for example with other orders. The count
    /// is proven if the last run was exhausted, and the sum of the reports allows the proof. If it
    /// is the count of another run, it is a false one.
    pub fn count(self, count: Count) -> Outcome<Count> {
        Outcome::new(count, self.sum())
    }

    /// Returns the answer to the question for the best solution, given the best one that any run
    /// found, and a value that no solution beats, as text.
    ///
    /// `none_better` is a claim of the caller: proven answers of the runs imply that no solution is
    /// better than `best`, or that there is none if `best` is `None`. The report then counts as
    /// exhausted. If the claim is wrong, so is the proof of the answer.
    pub fn optimum<V, T>(
        self,
        best: Option<(V, T)>,
        none_better: bool,
        bound: Option<String>,
    ) -> Outcome<Optimum<V, T>> {
        let mut sum = self.sum();
        sum.bound = bound;
        if none_better {
            // Each run was stopped, or has searched its part of the values.
            sum.stop = Stop::Exhausted;
        }
        let best = best.map(|(value, solution)| (value, Some(solution)));
        Outcome::new(Optimum::new(best, none_better, &sum), sum)
    }

    fn sum(self) -> Report {
        self.total.unwrap_or_else(|| Report::without_runs(Stop::Paused))
    }
}
