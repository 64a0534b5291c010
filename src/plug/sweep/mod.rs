//! Sweeps: the builder [`Sweep`] and its terminal operations.
//!
//! Read in this order:
//!
//! - this file: the builder, and its execution in this process;
//! - `run`: the loop over the layers in this process, and the evaluation of the last one;
//! - `widening`: counting in numbers that grow;
//! - `questions`: the terminal operations, for any [executor](super::executor);
//! - `passes`: counting in several sweeps modulo primes; `by_residues`, with hash tables.

#[cfg(feature = "bigint")]
pub(crate) mod by_residues;
#[cfg(feature = "bigint")]
pub(crate) mod passes;
pub(crate) mod questions;
pub(crate) mod run;
pub(crate) mod widening;

use std::convert::Infallible;
use std::time::Duration;

use self::run::{Local, Unsaved};
use crate::limits::{Limits, Stop};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{Executor, QuestionId};
use crate::plug::hook::SweepHooks;
use crate::plug::stats::{SweepProgress, SweepStats, SweepWatcher};
use crate::plug::step::MAX_THREADS;
use crate::report::Report;

/// The builder of a sweep: a contour problem, and optionally hooks, limits and threads.
///
/// ```
/// use secateurs::plug::Sweep;
/// # use secateurs::plug::ContourProblem;
/// # struct Row(usize);
/// # impl ContourProblem for Row {
/// #     type State = bool;
/// #     type Label = bool;
/// #     fn cells(&self) -> usize { self.0 }
/// #     fn start(&self) -> bool { false }
/// #     fn step(&self, _: usize, last: bool, emit: &mut impl FnMut(bool, bool)) {
/// #         emit(false, false);
/// #         if !last { emit(true, true) }
/// #     }
/// #     fn accept(&self, _: bool) -> bool { true }
/// # }
/// let row = Row(10);
/// let outcome = Sweep::new(&row).count();
/// assert_eq!(outcome.exact(), Some(144));
/// assert_eq!(outcome.report().nodes(), 1 + 10 * 2); // states of all layers
/// ```
///
/// A sweep holds two layers in memory. A state takes its own size, that of its value, and 3 to 6
/// bytes of an index on average (only the layer under construction has one). Most of the time goes
/// into finding states in the index and, from some million states on, into waiting for memory.
/// Hooks get a copy of the states of each complete layer, with one more byte for each. A [memory
/// limit](Limits::memory) counts all of that, and the heap that values own.
#[derive(Debug)]
#[must_use = "a sweep does nothing until one of its terminal operations is called"]
pub struct Sweep<'p, P, H = ()> {
    pub(crate) problem: &'p P,
    pub(crate) hooks: H,
    pub(crate) limits: Limits,
    pub(crate) threads: usize,
    pub(crate) watcher: Option<SweepWatcher<'p>>,
}

impl<'p, P: ContourProblem> Sweep<'p, P> {
    /// Creates a sweep with one thread, without hooks and without limits.
    pub fn new(problem: &'p P) -> Self {
        Sweep { problem, hooks: (), limits: Limits::new(), threads: 1, watcher: None }
    }
}

impl<'p, P: ContourProblem, H> Sweep<'p, P, H> {
    /// Sets the hooks, replacing earlier ones: a tuple, called from left to right.
    pub fn hooks<I: SweepHooks<P>>(self, hooks: I) -> Sweep<'p, P, I> {
        Sweep {
            problem: self.problem,
            hooks,
            limits: self.limits,
            threads: self.threads,
            watcher: self.watcher,
        }
    }

    /// Sets the limits of the sweep.
    ///
    /// A layer is computed completely or not at all. The limit of [nodes](Limits::nodes) bounds the
    /// states that are expanded; the sweep ends before the layer that would exceed it. The limit of
    /// [depth](Limits::depth) bounds the processed cells. The clock is checked about every thousand
    /// states, and about every millisecond if steps are expensive.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of threads: 0 is treated as 1, and more than 128 as 128.
    ///
    /// Each layer is sharded among the threads by the hash of its states or of their
    /// [regions](ContourProblem::region). Layers of a few thousand states are left to one thread.
    /// The answer and the number of states do not depend on the number of threads.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.clamp(1, MAX_THREADS);
        self
    }

    /// Sets a callback for progress, called after a cell at about this interval, and after the last
    /// cell.
    ///
    /// ```no_run
    /// # use secateurs::plug::{ContourProblem, Sweep};
    /// # fn show(problem: &impl ContourProblem) {
    /// use std::time::Duration;
    ///
    /// let outcome = Sweep::new(problem)
    ///     .progress(Duration::from_secs(1), |progress| {
    ///         eprintln!("{:.0} %", 100.0 * progress.fraction());
    ///     })
    ///     .count();
    /// # }
    /// ```
    pub fn progress(
        mut self,
        every: Duration,
        callback: impl FnMut(&SweepProgress) + Send + 'p,
    ) -> Self {
        self.watcher = Some(SweepWatcher { every, callback: Box::new(callback) });
        self
    }
}

impl<'p, P: ContourProblem, H: SweepHooks<P>> Sweep<'p, P, H> {
    /// Returns the problem, the hooks and the threads of this sweep, and its statistics.
    pub(crate) fn start(self) -> (&'p P, H, usize, SweepStats<'p>) {
        let stats =
            SweepStats::new(self.limits, self.watcher, self.problem.cells(), self.hooks.claims());
        (self.problem, self.hooks, self.threads, stats)
    }

    /// Runs `work` in this process. Returns its result, the report, and `saver`.
    pub(crate) fn execute_saved<T, K>(
        self,
        saver: K,
        reads_labels: bool,
        work: impl Fn(&P, &H, &mut SweepStats<'_>, &mut Local<K>) -> Result<T, Stop>,
    ) -> (Result<T, Stop>, Report, K) {
        let (problem, hooks, threads, mut stats) = self.start();
        let mut local = Local { saver, threads };
        let result = work(problem, &hooks, &mut stats, &mut local);
        let stop = result.as_ref().err().copied().unwrap_or(Stop::Exhausted);
        (result, stats.into_report(stop, reads_labels), local.saver)
    }
}

impl<P: ContourProblem, H: SweepHooks<P>> Executor<P, H> for Sweep<'_, P, H> {
    type Sweeper = Local<Unsaved>;
    type Error = Infallible;

    fn execute<T: Send>(
        self,
        _: &QuestionId,
        reads_labels: bool,
        work: impl Fn(&P, &H, &mut SweepStats<'_>, &mut Local<Unsaved>) -> Result<T, Stop> + Sync,
    ) -> Result<(Result<T, Stop>, Report), Infallible> {
        let (result, report, Unsaved) = self.execute_saved(Unsaved, reads_labels, work);
        Ok((result, report))
    }
}
