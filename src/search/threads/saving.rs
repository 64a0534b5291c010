//! Saving a run of several threads while it goes on.
//!
//! What is left is known only where the workers stand. So all of them put their tasks back and
//! wait, until whoever receives solutions has taken those that were found before: then, and not
//! earlier, each solution that was counted was also seen.

use std::time::Duration;

use super::pool::Pool;
use super::work::Work;
use crate::clock::Instant;
use crate::limits::Stop;
use crate::outcome::Count;
use crate::report::Report;
use crate::search::frontier::Resume;

/// A run that can be saved.
pub(super) trait Saving {
    /// At least this long between two times.
    fn every(&self) -> Duration;

    /// Has all workers pause.
    fn pause(&mut self);

    /// Saves what is left, unless it is not `ready` for that, and has the workers go on.
    fn end_pause(&mut self, ready: bool);
}

/// The run whose tasks are in a pool; `best` says which path is that of the best solution so far,
/// if one was found.
pub(super) struct Saves<'r, 't, 'p, C, F> {
    pub(super) pool: &'r Pool<'t, C>,
    pub(super) resume: &'r mut Resume<'p, C>,
    pub(super) best: &'r F,
    pub(super) every: Duration,
    pub(super) start: Instant,
}

impl<C, F: Fn() -> Option<Vec<C>>> Saving for Saves<'_, '_, '_, C, F> {
    fn every(&self) -> Duration {
        self.every
    }

    fn pause(&mut self) {
        self.pool.pause();
    }

    fn end_pause(&mut self, ready: bool) {
        let Saves { pool, resume, best, start, .. } = self;
        pool.end_pause(|done, rest| {
            if !ready {
                return rest;
            }
            let truncated = done.truncated;
            let (own, report) = done.account(*start, |_| Stop::Paused);
            if let Some(path) = best() {
                resume.frontier.best = vec![path];
            }
            let mut report = resume.report(report, own);
            resume.save(rest, own, &mut report, truncated)
        });
    }
}

impl Work {
    /// What was counted, and the account of all workers together; `stop` says why they have
    /// stopped, of a count that may be too large.
    pub(super) fn account(
        self,
        start: Instant,
        stop: impl FnOnce(Option<Count>) -> Stop,
    ) -> (Count, Report) {
        let Work { count, report, .. } = self;
        let Some(mut report) = report else { unreachable!("there is at least one worker") };
        report.elapsed = start.elapsed();
        report.stop = stop(count);
        (count.unwrap_or(Count::TOO_MANY), report)
    }
}
