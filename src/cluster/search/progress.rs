//! Progress of all workers together.

use std::time::{Duration, Instant};

use super::messages::WorkDone;
use crate::search::Progress;
use crate::search::executor::Watcher;

/// A worker's knowledge of the progress of all workers, and the callback of its process.
pub(super) struct ProgressTracker<'w> {
    own: usize,
    /// The number of workers per process; the first of each calls the callback.
    local: usize,
    /// The last reported progress of each worker.
    done: Vec<WorkDone>,
    /// The interval between two reports; `None` without a callback.
    interval: Option<Duration>,
    /// The callback, in the first worker of each process.
    watcher: Option<Watcher<'w>>,
    began: Instant,
    reported: Instant,
}

/// The least interval between two progress messages, whatever interval was requested.
const LEAST_INTERVAL: Duration = Duration::from_millis(50);
/// With more workers than this, each reports proportionally less often.
const WORKERS_PER_INTERVAL: u32 = 16;

impl<'w> ProgressTracker<'w> {
    pub(super) fn new(
        (own, peers, local): (usize, usize, usize),
        interval: Option<Duration>,
        watcher: Option<Watcher<'w>>,
    ) -> Self {
        let now = Instant::now();
        let interval = interval.map(|interval| {
            interval.max(LEAST_INTERVAL * (peers as u32).div_ceil(WORKERS_PER_INTERVAL))
        });
        ProgressTracker {
            own,
            local,
            done: vec![WorkDone::default(); peers],
            interval,
            watcher,
            began: now,
            reported: now,
        }
    }

    /// Sets the share of the tree that is left when the run begins, in the worker that distributes
    /// it.
    pub(super) fn set_left(&mut self, left: f64) {
        self.done[self.own].share = 1.0 - left;
    }

    pub(super) fn interval(&self) -> Option<Duration> {
        self.interval
    }

    /// Returns the workers with a callback, one per process.
    pub(super) fn reporters(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.done.len()).step_by(self.local)
    }

    /// Returns the progress of this worker.
    pub(super) fn own(&self) -> WorkDone {
        self.done[self.own]
    }

    pub(super) fn add(&mut self, nodes: u64, solutions: u64, share: f64) {
        let done = &mut self.done[self.own];
        done.nodes += nodes;
        done.solutions += solutions;
        done.share += share;
    }

    pub(super) fn set(&mut self, from: usize, done: WorkDone) {
        self.done[from] = done;
    }

    /// Calls the callback if it is due. Returns the progress to send to other processes in that
    /// case.
    pub(super) fn report(&mut self) -> Option<WorkDone> {
        if self.reported.elapsed() < self.interval? {
            return None;
        }
        self.reported = Instant::now();
        self.call(false);
        Some(self.own())
    }

    /// Calls the callback with the final progress of all workers if the fraction was requested, so
    /// that the last reported fraction is 1.
    pub(super) fn finish(&mut self) {
        if self.watcher.as_ref().is_some_and(|watcher| watcher.fraction) {
            self.call(true);
        }
    }

    /// Removes the callback.
    pub(super) fn remove_callback(&mut self) {
        self.watcher = None;
    }

    fn call(&mut self, is_complete: bool) {
        let Some(watcher) = &mut self.watcher else { return };
        let sum = self.done.iter().fold(WorkDone::default(), |sum, done| WorkDone {
            nodes: sum.nodes + done.nodes,
            solutions: sum.solutions + done.solutions,
            share: sum.share + done.share,
        });
        let share = if is_complete { 1.0 } else { sum.share.clamp(0.0, 1.0) };
        watcher.call(Progress {
            nodes: sum.nodes,
            solutions: sum.solutions,
            depth: 0,
            elapsed: self.began.elapsed(),
            fraction: watcher.fraction.then_some(share),
            nodes_left: None,
        });
    }
}
