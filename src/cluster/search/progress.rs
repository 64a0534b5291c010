//! How far all workers together have come.

use std::time::{Duration, Instant};

use super::messages::WorkDone;
use crate::search::Frontier;
use crate::search::meter::{Progress, Watcher};

/// What a worker knows of what all have done, and who is told.
pub(super) struct ProgressTracker<'w> {
    own: usize,
    /// How many workers a process has: the first of each is told.
    local: usize,
    /// Of each worker, as far as it has said.
    done: Vec<WorkDone>,
    /// How often anybody is told, if at all.
    every: Option<Duration>,
    /// Who is told by this worker: one in each process tells.
    watcher: Option<Watcher<'w>>,
    began: Instant,
    told: Instant,
}

/// Letters about it are not sent more often, whatever is asked for.
const OFTEN: Duration = Duration::from_millis(50);
/// Of more workers than this, each says less often what it has done.
const WORKERS: u32 = 16;

impl<'w> ProgressTracker<'w> {
    pub(super) fn new(
        (own, peers, local): (usize, usize, usize),
        every: Option<Duration>,
        watcher: Option<Watcher<'w>>,
    ) -> Self {
        let now = Instant::now();
        let every = every.map(|every| every.max(OFTEN * (peers as u32).div_ceil(WORKERS)));
        ProgressTracker {
            own,
            local,
            done: vec![WorkDone::default(); peers],
            every,
            watcher,
            began: now,
            told: now,
        }
    }

    /// So much of the tree is left when the run begins, as the worker knows who begins.
    pub(super) fn begin(&mut self, left: f64) {
        self.done[self.own].share = 1.0 - left;
    }

    pub(super) fn every(&self) -> Option<Duration> {
        self.every
    }

    /// Who has somebody to tell: one in each process.
    pub(super) fn watchers(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.done.len()).step_by(self.local)
    }

    /// What this worker has done.
    pub(super) fn own(&self) -> WorkDone {
        self.done[self.own]
    }

    pub(super) fn done_here(&mut self, nodes: u64, solutions: u64, share: f64) {
        let done = &mut self.done[self.own];
        done.nodes += nodes;
        done.solutions += solutions;
        done.share += share;
    }

    pub(super) fn handle_broadcast(&mut self, from: usize, done: WorkDone) {
        self.done[from] = done;
    }

    /// Tells who wants to know, if it is time to; what others are to be told, if so.
    pub(super) fn look(&mut self) -> Option<WorkDone> {
        if self.told.elapsed() < self.every? {
            return None;
        }
        self.told = Instant::now();
        self.tell(false);
        Some(self.own())
    }

    /// Tells that all is done, whose results are these, if shares of the tree are asked for.
    pub(super) fn all_done<C>(&mut self, results: &[Option<Frontier<C>>]) {
        if self.watcher.as_ref().is_some_and(|watcher| watcher.fraction) {
            for (done, report) in
                self.done.iter_mut().zip(results.iter().map(|results| results.as_ref()?.report()))
            {
                let figures = report.map_or((0, 0), |report| (report.nodes(), report.solutions()));
                (done.nodes, done.solutions) = figures;
            }
            self.tell(true);
        }
    }

    /// Nobody is told any more by this worker.
    pub(super) fn dismiss(&mut self) {
        self.watcher = None;
    }

    fn tell(&mut self, all: bool) {
        let Some(watcher) = &mut self.watcher else { return };
        let sum = self.done.iter().fold(WorkDone::default(), |sum, done| WorkDone {
            nodes: sum.nodes + done.nodes,
            solutions: sum.solutions + done.solutions,
            share: sum.share + done.share,
        });
        let share = if all { 1.0 } else { sum.share.clamp(0.0, 1.0) };
        (watcher.callback)(&Progress {
            nodes: sum.nodes,
            solutions: sum.solutions,
            depth: 0,
            elapsed: self.began.elapsed(),
            fraction: watcher.fraction.then_some(share),
        });
    }
}
