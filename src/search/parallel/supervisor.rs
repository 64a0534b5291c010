//! Periodic duties of the receiving thread while the workers run: progress reports and checkpoints.
//!
//! The frontier of a run is known only while the workers do not search. For a checkpoint, all of
//! them lend what is left of their tasks and wait until the receiving thread has taken the
//! solutions that were found before. Only then has each counted solution also been received.

use std::time::Duration;

use super::pool::Pool;
use crate::clock::Instant;
use crate::limits::Stop;
use crate::search::frontier::resume::Resume;
use crate::search::meter::shared::SharedMeter;
use crate::search::meter::{Progress, Watcher};

/// The minimum interval between progress reports, whatever was requested, so that the receiving
/// thread does not keep a processor busy.
const MIN_REPORT_INTERVAL: Duration = Duration::from_millis(1);

/// With frequent checkpoints, workers search at least as long as the last pause took, up to this
/// limit. Otherwise a worker could be interrupted again while it wakes up, and never get anything
/// done.
const MAX_WORK_GUARANTEE: Duration = Duration::from_secs(1);

/// Reports progress and requests checkpoints while the receiving thread waits for messages.
pub(super) struct Supervisor<'r> {
    watcher: Option<Watcher<'r>>,
    checkpoint: Option<CheckpointTimer<'r>>,
    shared: &'r SharedMeter,
    /// The share of the whole tree that the run covers, and the part of it that was left at the
    /// start.
    shares: (f64, f64),
    start: Instant,
    reported: Instant,
}

/// A run that is saved, with the times of its checkpoints.
struct CheckpointTimer<'r> {
    every: Duration,
    /// Requests that all workers pause.
    pause: Box<dyn Fn() + 'r>,
    /// Ends the pause. Before that, saves the frontier if the receiver is ready: if no solution
    /// that it has received waits for its turn.
    end_pause: Box<dyn FnMut(bool) + 'r>,
    saved: Instant,
    /// The time of the request to pause, during a pause.
    pausing: Option<Instant>,
    /// The duration of the last pause.
    last_pause: Duration,
}

impl<'r> Supervisor<'r> {
    pub(super) fn new(
        watcher: Option<Watcher<'r>>,
        shared: &'r SharedMeter,
        shares: (f64, f64),
    ) -> Self {
        let now = Instant::now();
        Supervisor { watcher, checkpoint: None, shared, shares, start: now, reported: now }
    }

    /// Makes the supervisor save `resume` whenever `every` has passed since the last time. The
    /// tasks of the run, which began at `start`, are in `pool`.
    pub(super) fn save_every<C>(
        &mut self,
        every: Duration,
        start: Instant,
        pool: &'r Pool<'_, C>,
        resume: &'r mut Resume<'_, C>,
    ) {
        let end_pause = move |ready: bool| {
            pool.end_pause(|done, rest| {
                if !ready {
                    return rest;
                }
                let truncated = done.truncated;
                let (own, report) = done.into_totals(start, |_| Stop::Paused);
                let mut report = resume.report(report, own);
                resume.save(rest, own, &mut report, truncated)
            });
        };
        self.checkpoint = Some(CheckpointTimer {
            every,
            pause: Box::new(|| pool.pause()),
            end_pause: Box::new(end_pause),
            saved: self.start,
            pausing: None,
            last_pause: Duration::ZERO,
        });
    }

    /// Performs the duties that are due, and returns the time until the next one.
    pub(super) fn check_clock(&mut self) -> Option<Duration> {
        let now = Instant::now();
        let save = self.checkpoint.as_mut().and_then(|checkpoint| checkpoint.check_clock(now));
        let report = self.watcher.as_ref().map(|watcher| watcher.every.max(MIN_REPORT_INTERVAL));
        let report = report.map(|every| match (now - self.reported).checked_sub(every) {
            None => every - (now - self.reported),
            Some(_) => {
                self.report(now, false);
                every
            }
        });
        match (save, report) {
            (Some(save), Some(report)) => Some(save.min(report)),
            (save, report) => save.or(report),
        }
    }

    /// Calls the progress callback, if there is one; `is_complete` refers to the search.
    fn report(&mut self, now: Instant, is_complete: bool) {
        let Supervisor { watcher, shared, shares: (whole, left), start, reported, .. } = self;
        let Some(watcher) = watcher else { return };
        *reported = now;
        // A share below the smallest positive `f64` is 0.
        let done = if *whole > 0.0 {
            ((*whole - *left + shared.share_done()) / *whole).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let fraction = watcher.fraction.then_some(if is_complete { 1.0 } else { done });
        let (nodes, solutions) = (shared.nodes(), shared.solutions());
        watcher.call(Progress {
            nodes,
            solutions,
            depth: 0,
            elapsed: now - *start,
            fraction,
            nodes_left: None,
        });
    }

    /// Reports that the search is complete, if shares are reported.
    pub(super) fn report_completion(&mut self) {
        if self.watcher.as_ref().is_some_and(|watcher| watcher.fraction) {
            self.report(Instant::now(), true);
        }
    }

    /// Ends the pause, after saving the run if the receiver is `ready`.
    pub(super) fn end_pause(&mut self, ready: bool) {
        if let Some(checkpoint) = &mut self.checkpoint {
            (checkpoint.end_pause)(ready);
            checkpoint.saved = Instant::now();
            checkpoint.last_pause =
                checkpoint.pausing.take().map_or(Duration::ZERO, |since| checkpoint.saved - since);
        }
    }
}

impl CheckpointTimer<'_> {
    /// Requests a pause if a checkpoint is due. Returns the time until the next checkpoint, or
    /// `None` during a pause.
    fn check_clock(&mut self, now: Instant) -> Option<Duration> {
        if self.pausing.is_some() {
            return None;
        }
        let every = self.every.max(self.last_pause.min(MAX_WORK_GUARANTEE));
        match every.checked_sub(now - self.saved) {
            Some(wait) if !wait.is_zero() => Some(wait),
            _ => {
                (self.pause)();
                self.pausing = Some(now);
                None
            }
        }
    }
}
