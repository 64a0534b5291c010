//! [`Sweep`]: a sweep is built, and run by one of its terminal operations.

use std::time::Duration;

use super::account::{Account, Clock, SweepProgress, SweepWatcher};
use super::algebra::Algebra;
use super::forward::advance;
use super::hook::SweepHooks;
use super::layer::{Layer, retain_in_time};
use super::profile::ContourProblem;
use super::saving::{LayerSaver, Question, Taken, Unsaved};
use super::shards::{Shards, first_layer};
use super::task::Task;
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Total};

/// The most threads of a sweep. Each has a part of the layer, however small: with absurd numbers of
/// them, that alone would fill the memory.
pub(crate) const MAX_THREADS: usize = 128;

/// The clock is looked at after so many states were summed up or copied.
pub(crate) const SUMMED: usize = 1 << 14;

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
    pub(crate) profile: &'p P,
    pub(crate) hooks: H,
    pub(crate) limits: Limits,
    pub(crate) threads: usize,
    pub(crate) watcher: Option<SweepWatcher<'p>>,
}

impl<'p, P: ContourProblem> Sweep<'p, P> {
    /// A sweep in one thread, without hooks and without limits.
    pub fn new(profile: &'p P) -> Self {
        Sweep { profile, hooks: (), limits: Limits::new(), threads: 1, watcher: None }
    }
}

impl<'p, P: ContourProblem, H> Sweep<'p, P, H> {
    /// Plugs in hooks, in place of those there were: a tuple of them, asked from left to right.
    pub fn hooks<I: SweepHooks<P>>(self, hooks: I) -> Sweep<'p, P, I> {
        Sweep {
            profile: self.profile,
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
    pub(crate) fn start(self) -> (&'p P, H, usize, Account<'p>) {
        let account =
            Account::new(self.limits, self.watcher, self.profile.cells(), self.hooks.claims());
        (self.profile, self.hooks, self.threads, account)
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
        let (profile, hooks, threads, mut account) = self.start();
        let task = Task { profile, hooks: &hooks, algebra };
        let question = Question { name: algebra.name(), widths: 1 };
        let swept = saver.take_up(&question, &mut account, threads).and_then(|taken| {
            let (mut layer, cell) = match taken {
                Taken::Layer(layer, cell) => (layer, cell),
                Taken::Nothing | Taken::Later => {
                    (first_layer(profile.start(), algebra.one(), threads), 0)
                }
            };
            sweep(task, &mut account, &mut layer, cell, saver).map_err(|(_, stop)| stop)?;
            let ends = accepted(profile, account.clock(), layer)?;
            account.accepted(ends.len() as u64);
            Ok(ends)
        });
        let (ends, stop) = match swept {
            Ok(ends) => (ends, Stop::Exhausted),
            Err(stop) => (Vec::new(), stop),
        };
        Outcome::new(ends, account.into_report(stop, algebra.reads_labels()))
    }
}

/// What is accepted of the last layer.
pub(crate) fn accepted<P: ContourProblem, V>(
    profile: &P,
    clock: &Clock,
    layer: Shards<P::State, V>,
) -> Result<Vec<(P::State, V)>, Stop> {
    let mut parts = layer.into_iter().map(Layer::into_entries);
    // In place as far as possible: this is the largest vector of many a sweep.
    let mut ends = parts.next().unwrap_or_default();
    retain_in_time(&mut ends, clock, |&(state, _)| profile.accept(state))?;
    for mut part in parts {
        retain_in_time(&mut part, clock, |&(state, _)| profile.accept(state))?;
        ends.try_reserve_exact(part.len()).map_err(|_| Stop::MemoryLimit)?;
        for (index, end) in part.into_iter().enumerate() {
            if index % SUMMED == 0 {
                clock.check()?;
            }
            ends.push(end);
        }
    }
    Ok(ends)
}

/// What the algebra makes of the ends in the end, if there are any.
pub(crate) fn total<P: ContourProblem, A: Algebra<P>>(
    algebra: &A,
    clock: &Clock,
    ends: Vec<(P::State, A::Value)>,
) -> Result<Option<A::Value>, Stop> {
    let mut sum: Option<A::Value> = None;
    for (index, (state, value)) in ends.into_iter().enumerate() {
        if index % SUMMED == SUMMED - 1 {
            clock.check()?;
        }
        let merged = algebra.finish(value, state).and_then(|value| match &mut sum {
            Some(sum) => algebra.merge(sum, value),
            None => {
                sum = Some(value);
                Ok(())
            }
        });
        merged.map_err(|_| Stop::CountOverflow)?;
    }
    Ok(sum)
}

/// Sweeps from `cell` to the end, with two layers alive. If it fails, `layer` is the last that was
/// complete; the cell that it stands before is given with the reason.
pub(crate) fn sweep<P: ContourProblem, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    account: &mut Account<'_>,
    layer: &mut Shards<P::State, A::Value>,
    cell: usize,
    saver: &mut impl LayerSaver<P::State, A::Value>,
) -> Result<(), (usize, Stop)> {
    let mut next: Shards<P::State, A::Value> = layer.iter().map(|_| Layer::new()).collect();
    // Of the first layer, and of one that was read or widened, only the states were counted.
    layer.iter_mut().for_each(|part| part.recount_heap(|value| task.algebra.heap_bytes(value)));
    for cell in cell..task.profile.cells() {
        if let Err(stop) = advance(task, account, cell, layer, &mut next) {
            saver.save(account, layer, Some(stop));
            return Err((cell, stop));
        }
        std::mem::swap(layer, &mut next);
        let stop = (cell + 1 == task.profile.cells()).then_some(Stop::Exhausted);
        saver.save(account, layer, stop);
    }
    Ok(())
}
