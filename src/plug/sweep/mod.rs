//! Sweeps: the builder [`Sweep`] and its terminal operations.
//!
//! Read in this order:
//!
//! - this file: the builder;
//! - `run`: sweeps in this process, and the evaluation of the last layer;
//! - `widening`: counting in numbers that grow;
//! - `passes`: counting in several sweeps modulo primes;
//! - `questions`: the terminal operations, for any [executor](super::executor).

#[cfg(feature = "bigint")]
pub(crate) mod passes;
pub(crate) mod questions;
pub(crate) mod run;
pub(crate) mod widening;

use std::time::Duration;

use crate::hook::Append;
use crate::limits::{Limits, thread_count};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::{InMemory, SweepSettings};
use crate::plug::hook::{SweepHook, SweepHooks};
use crate::plug::stats::{SweepProgress, SweepWatcher};
use crate::plug::step::MAX_THREADS;

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
pub struct Sweep<'p, P, H = (), E = InMemory> {
    pub(crate) settings: SweepSettings<'p, P, H>,
    pub(crate) executor: E,
}

impl<'p, P: ContourProblem> Sweep<'p, P> {
    /// Creates a sweep with one thread, without hooks and without limits.
    pub fn new(problem: &'p P) -> Self {
        let limits = Limits::new();
        let settings = SweepSettings { problem, hooks: (), limits, threads: 1, watcher: None };
        Sweep { settings, executor: InMemory }
    }
}

impl<'p, P: ContourProblem, H> Sweep<'p, P, H> {
    /// Appends a hook, which is called after the others.
    ///
    /// ```
    #[doc = include_str!("../row.doctest")]
    /// use secateurs::plug::{Sweep, SweepHook};
    /// use secateurs::{Effect, Verdict};
    ///
    /// /// Keeps the sets without the first square.
    /// struct WithoutFirst;
    ///
    /// impl SweepHook<Row> for WithoutFirst {
    ///     fn name(&self) -> &str {
    ///         "without the first square"
    ///     }
    ///     fn effect(&self) -> Effect {
    ///         Effect::Lossy
    ///     }
    ///     fn enter(&self, _: &Row, cell: usize, is_taken: &mut bool) -> Verdict {
    ///         Verdict::prune_if(cell == 0 && *is_taken)
    ///     }
    /// }
    ///
    /// let outcome = Sweep::new(&Row(10)).hook(WithoutFirst).count();
    /// assert_eq!((outcome.exact(), outcome.at_least()), (None, 89));
    /// ```
    pub fn hook<I: SweepHook<P>, A>(self, hook: I) -> Sweep<'p, P, A>
    where
        H: Append<I, Appended = A>,
    {
        self.with_hooks(|hooks| hooks.append(hook))
    }

    /// Sets the hooks, replacing earlier ones: a tuple or a vector, called in order.
    pub fn hooks<I: SweepHooks<P>>(self, hooks: I) -> Sweep<'p, P, I> {
        self.with_hooks(|_| hooks)
    }

    fn with_hooks<I>(self, change: impl FnOnce(H) -> I) -> Sweep<'p, P, I> {
        let SweepSettings { problem, hooks, limits, threads, watcher } = self.settings;
        let hooks = change(hooks);
        let settings = SweepSettings { problem, hooks, limits, threads, watcher };
        Sweep { settings, executor: InMemory }
    }

    /// Sets the limits of the sweep.
    ///
    /// A layer is computed completely or not at all. The limit of [nodes](Limits::nodes) bounds the
    /// states that are expanded; the sweep ends before the layer that would exceed it. The limit of
    /// [depth](Limits::depth) bounds the processed cells. The clock is checked about every thousand
    /// states, and about every millisecond if steps are expensive.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Sets the number of threads, 1 by default. 0 stands for the number of threads that the
    /// machine runs in parallel; numbers above 128 are reduced to 128.
    ///
    /// Each layer is sharded among the threads by the hash of its states or of their
    /// [regions](ContourProblem::region). Layers of a few thousand states are left to one thread.
    /// The answer and the number of states do not depend on the number of threads.
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = thread_count(threads, MAX_THREADS);
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
        self.settings.watcher = Some(SweepWatcher { every, callback: Box::new(callback) });
        self
    }
}
