//! [`Sweep`]: a sweep is built, and run by one of its terminal operations.

pub(crate) mod counting;
pub(crate) mod run;
pub(crate) mod saving;
pub(crate) mod sweeper;
mod widening;

use std::time::Duration;

use self::run::{accepted, sweep, total};
use self::saving::{LayerSaver, Question, Resumed, Unsaved};
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Total};
use crate::plug::algebra::Algebra;
use crate::plug::contour_problem::ContourProblem;
use crate::plug::hook::SweepHooks;
use crate::plug::layer::first_layer;
use crate::plug::stats::{SweepProgress, SweepStats, SweepWatcher};
use crate::plug::step::{Clock, MAX_THREADS, Task};

/// A sweep that is being set up: a profile, and optionally hooks, limits and threads.
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
/// Memory is that of two layers: of each state the state, its value, and 3 to 6 bytes of an index.
/// Time goes into finding states in the index, and from some million states on into waiting for
/// memory. Hooks are shown a copy of the states of each complete layer, with a byte more for each.
/// A [limit of memory](Limits::memory) counts all of that, and the heap that values own.
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
    /// A sweep in one thread, without hooks and without limits.
    pub fn new(problem: &'p P) -> Self {
        Sweep { problem, hooks: (), limits: Limits::new(), threads: 1, watcher: None }
    }
}

impl<'p, P: ContourProblem, H> Sweep<'p, P, H> {
    /// Plugs in hooks, in place of those there were: a tuple of them, asked from left to right.
    pub fn hooks<I: SweepHooks<P>>(self, hooks: I) -> Sweep<'p, P, I> {
        Sweep {
            problem: self.problem,
            hooks,
            limits: self.limits,
            threads: self.threads,
            watcher: self.watcher,
        }
    }

    /// Stops the sweep at the given limits. A layer is made whole or not at all: the limit of
    /// [nodes](Limits::nodes) is one of states taken through a cell, and ends the sweep before the
    /// layer with which it would be passed; of [depth](Limits::depth), so many cells are swept. The
    /// clock is looked at every thousand states or so.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Splits each layer by the hash of its states, or of their [regions](ContourProblem::region),
    /// among so many threads (0 counts as 1, and more than 128 as 128). Layers of a few thousand
    /// states are left to one. The answer and the number of states are the same.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.clamp(1, MAX_THREADS);
        self
    }

    /// Calls `callback` after a cell, about every so often, and at the end.
    ///
    /// ```no_run
    /// # use secateurs::plug::{ContourProblem, Sweep};
    /// # fn show(profile: &impl ContourProblem) {
    /// use std::time::Duration;
    ///
    /// let outcome = Sweep::new(profile)
    ///     .progress(Duration::from_secs(1), |progress| eprintln!("{:.0} %", 100.0 * progress.fraction()))
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
    /// The profile, the hooks and the threads of this sweep, and its account.
    pub(crate) fn start(self) -> (&'p P, H, usize, SweepStats<'p>) {
        let stats =
            SweepStats::new(self.limits, self.watcher, self.problem.cells(), self.hooks.claims());
        (self.problem, self.hooks, self.threads, stats)
    }

    /// What `algebra` makes of all ways together.
    pub fn run<A: Algebra<P>>(self, algebra: &A) -> Outcome<Total<A::Value>> {
        self.run_saved(algebra, &mut Unsaved)
    }

    pub(crate) fn run_saved<A: Algebra<P>>(
        self,
        algebra: &A,
        saver: &mut impl LayerSaver<P::State, A::Value>,
    ) -> Outcome<Total<A::Value>> {
        let clock = Clock::new(&self.limits);
        let (ends, mut report) = self.ends_saved(algebra, saver).into_parts();
        let sum = total(algebra, &clock, ends).unwrap_or_else(|stop| {
            report.stop = stop;
            None
        });
        Outcome::new(Total::new(sum, algebra.tolerates(), &report), report)
    }

    /// The states that are accepted after the last cell, each with its worth, in no particular
    /// order. Empty also if the sweep has stopped before: see [`Outcome::complete`].
    pub fn ends<A: Algebra<P>>(self, algebra: &A) -> Outcome<Vec<(P::State, A::Value)>> {
        self.ends_saved(algebra, &mut Unsaved)
    }

    pub(crate) fn ends_saved<A: Algebra<P>>(
        self,
        algebra: &A,
        saver: &mut impl LayerSaver<P::State, A::Value>,
    ) -> Outcome<Vec<(P::State, A::Value)>> {
        let (problem, hooks, threads, mut stats) = self.start();
        let task = Task { problem, hooks: &hooks, algebra };
        let question = Question { name: algebra.name(), widths: 1 };
        let swept = saver.resume(&question, &mut stats, threads).and_then(|taken| {
            let (mut layer, cell) = match taken {
                Resumed::Layer(layer, cell) => (layer, cell),
                Resumed::Nothing | Resumed::Later => {
                    (first_layer(problem.start(), algebra.one(), threads), 0)
                }
            };
            sweep(task, &mut stats, &mut layer, cell, saver).map_err(|(_, stop)| stop)?;
            let ends = accepted(problem, stats.clock(), layer)?;
            stats.accepted(ends.len() as u64);
            Ok(ends)
        });
        let (ends, stop) = match swept {
            Ok(ends) => (ends, Stop::Exhausted),
            Err(stop) => (Vec::new(), stop),
        };
        Outcome::new(ends, stats.into_report(stop, algebra.reads_labels()))
    }
}
