//! The results of workers: counts and reports, which add up.

use crate::brancher::Brancher;
use crate::clock::Instant;
use crate::hook::Hooks;
use crate::limits::Stop;
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::Report;
use crate::search::depth_first::walk::DepthFirstWalk;
use crate::search::walk::Walk;

/// The results of a worker, or the sum over several workers.
#[derive(Clone)]
pub(super) struct WorkerResults {
    /// `None` after an overflow.
    pub(super) count: Option<Count>,
    pub(super) report: Option<Report>,
    pub(super) truncated: bool,
}

impl WorkerResults {
    pub(super) fn none() -> Self {
        WorkerResults { count: Some(Count::NONE), report: None, truncated: false }
    }

    pub(super) fn add(&mut self, other: WorkerResults) {
        self.count = self.count.and_then(|count| count.plus(other.count?));
        self.report = match (self.report.take(), other.report) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        self.truncated |= other.truncated;
    }

    /// Returns the sum of this and the results of `walk` so far.
    pub(super) fn with_walk<P: Problem, B: Brancher<P>, H: Hooks<P>>(
        mut self,
        walk: &DepthFirstWalk<'_, P, B, H>,
    ) -> Self {
        let mut report = walk.report();
        // The reason of the stop is known only when all workers have stopped.
        report.stop = Stop::Exhausted;
        self.add(WorkerResults {
            count: Some(walk.count()),
            report: Some(report),
            truncated: walk.tree.truncated,
        });
        self
    }

    /// Returns the count and the report of all workers together. `stop` gets the count, or `None`
    /// after an overflow, and returns the reason of the stop.
    pub(super) fn into_totals(
        self,
        start: Instant,
        stop: impl FnOnce(Option<Count>) -> Stop,
    ) -> (Count, Report) {
        let WorkerResults { count, report, .. } = self;
        let Some(mut report) = report else { unreachable!("there is at least one worker") };
        report.elapsed = start.elapsed();
        report.stop = stop(count);
        (count.unwrap_or(Count::TOO_MANY), report)
    }
}
