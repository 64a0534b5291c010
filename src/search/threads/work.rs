//! What workers have done.

use crate::brancher::Brancher;
use crate::hook::Hooks;
use crate::limits::Stop;
use crate::outcome::Count;
use crate::problem::Problem;
use crate::report::Report;
use crate::search::kernel::DepthFirstWalk;
use crate::search::tree::Walk;

/// What a worker has done, or several together.
#[derive(Clone)]
pub(super) struct Work {
    /// `None` is too many.
    pub(super) count: Option<Count>,
    pub(super) report: Option<Report>,
    pub(super) truncated: bool,
}

impl Work {
    pub(super) fn none() -> Self {
        Work { count: Some(Count::NONE), report: None, truncated: false }
    }

    pub(super) fn add(&mut self, other: Work) {
        self.count = self.count.and_then(|count| count.plus(other.count?));
        self.report = match (self.report.take(), other.report) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        self.truncated |= other.truncated;
    }

    /// The sum of this and what `walk` has done so far.
    pub(super) fn with_walk<P: Problem, B: Brancher<P>, H: Hooks<P>>(
        mut self,
        walk: &DepthFirstWalk<'_, P, B, H>,
    ) -> Self {
        let mut report = walk.report();
        // Where all of them have stopped is known when all have.
        report.stop = Stop::Exhausted;
        self.add(Work {
            count: Some(walk.count()),
            report: Some(report),
            truncated: walk.tree.truncated,
        });
        self
    }
}
