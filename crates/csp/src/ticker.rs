//! The callbacks of a [`Solver`](super::Solver): [`SolverProgress`], and the [`Ticker`] that makes
//! each run report.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use secateurs::Instant;
use secateurs::search::{Progress, Search};

use super::Network;

/// The state of a [`Solver`](super::Solver), as passed to its callbacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolverProgress {
    /// The value of the best solution so far, if an optimum is searched for.
    pub best: Option<i32>,
    /// The value that no solution beats, if an optimum is searched for.
    pub bound: Option<i32>,
    /// The number of nodes of all runs. A report of an improvement leaves out the current run.
    pub nodes: u64,
    /// The time since [`Network::solver`] was called.
    pub elapsed: Duration,
}

/// Calls a callback at regular intervals, across runs that may each be shorter than an interval.
/// Clones share the callback. The lock lets the callbacks of all runs own it, one after another.
#[derive(Clone)]
pub(super) struct Ticker<'p>(Arc<Mutex<Ticks<'p>>>);

pub(super) struct Ticks<'p> {
    every: Duration,
    callback: Box<dyn FnMut(&SolverProgress) + Send + 'p>,
    began: Instant,
    reported: Instant,
    /// The state after the runs that have ended, with the latest improvements.
    pub(super) state: SolverProgress,
}

impl<'p> Ticker<'p> {
    /// Creates a ticker for runs that began at `began`.
    pub(super) fn new(
        every: Duration,
        began: Instant,
        callback: impl FnMut(&SolverProgress) + Send + 'p,
    ) -> Self {
        let (callback, state) = (Box::new(callback), SolverProgress::default());
        let ticks = Ticks { every, callback, began, reported: began, state };
        Ticker(Arc::new(Mutex::new(ticks)))
    }

    pub(super) fn ticks(&self) -> MutexGuard<'_, Ticks<'p>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a run report, after `nodes` nodes of the earlier runs for the same question.
    pub(super) fn attach<'q, B, H, X>(
        ticker: &Option<Self>,
        search: Search<'q, Network, B, H, X>,
        nodes: u64,
    ) -> Search<'q, Network, B, H, X>
    where
        'p: 'q,
    {
        let Some(ticker) = ticker.clone() else { return search };
        // The interval is measured here, because a run may be shorter.
        search.progress(Duration::ZERO, move |progress: &Progress| {
            let ticks = &mut *ticker.ticks();
            let now = Instant::now();
            if now - ticks.reported >= ticks.every {
                ticks.reported = now;
                let nodes = ticks.state.nodes + nodes + progress.nodes;
                (ticks.callback)(&SolverProgress {
                    nodes,
                    elapsed: now - ticks.began,
                    ..ticks.state
                });
            }
        })
    }
}
