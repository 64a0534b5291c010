//! Several runs under the limits of one.

use crate::clock::Instant;
use crate::limits::Limits;
use crate::report::Report;

/// Runs one after another, whose figures add up, under limits that are for all of them together.
pub(crate) struct Runs {
    limits: Limits,
    began: Instant,
    total: Option<Report>,
}

impl Runs {
    pub(crate) fn new(limits: Limits) -> Self {
        Runs { limits, began: Instant::now(), total: None }
    }

    /// What is left of the limits for the next run. One of depth is the same for all.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = self.limits.clone();
        let used = self.total.as_ref().map_or(0, Report::nodes);
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(used));
        limits.time = limits.time.map(|time| time.saturating_sub(self.began.elapsed()));
        limits
    }

    /// The report of all runs so far with that of one more, which says where the whole stands.
    pub(crate) fn with(&mut self, report: Report) -> Report {
        let stop = report.stop();
        let mut sum = match self.total.take() {
            Some(total) => total + report,
            None => report,
        };
        sum.stop = stop;
        sum
    }

    /// Goes on from the report of all runs so far.
    pub(crate) fn go_on(&mut self, sum: Report) {
        self.total = Some(sum);
    }
}
