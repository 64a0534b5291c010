//! [`Sweep`]: a sweep is built, and run by one of its terminal operations.

use std::time::Duration;

use super::account::{Account, SweepProgress, SweepWatcher};
use super::algebra::Algebra;
use super::forward::{Shards, Task, advance, first_layer};
use super::hook::SweepHooks;
use super::layer::Layer;
use super::profile::Profile;
use crate::limits::{Limits, Stop};
use crate::outcome::{Outcome, Total};

/// Each thread has a part of every layer, and keeps what it is to send to each of the others: far more threads than there are
/// processors would only take memory, or could not be started.
const MOST_THREADS: usize = 256;

/// A sweep that is being set up: a profile, and optionally hooks, limits and threads.
///
/// ```
/// use secateurs::plug::Sweep;
/// # use secateurs::plug::Profile;
/// # struct Row(usize);
/// # impl Profile for Row {
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
/// Memory is that of two layers: of each state the state, its value, and 3 to 6 bytes of an index. Time goes into
/// finding states in the index, and from some million states on into waiting for memory.
#[derive(Debug)]
#[must_use = "a sweep does nothing until one of its terminal operations is called"]
pub struct Sweep<'p, P, H = ()> {
    pub(crate) profile: &'p P,
    pub(crate) hooks: H,
    pub(crate) limits: Limits,
    pub(crate) threads: usize,
    pub(crate) watcher: Option<SweepWatcher<'p>>,
}

impl<'p, P: Profile> Sweep<'p, P> {
    /// A sweep in one thread, without hooks and without limits.
    pub fn new(profile: &'p P) -> Self {
        Sweep { profile, hooks: (), limits: Limits::new(), threads: 1, watcher: None }
    }
}

impl<'p, P: Profile, H> Sweep<'p, P, H> {
    /// Plugs in hooks, in place of those there were: a tuple of them, asked from left to right.
    pub fn hooks<I: SweepHooks<P>>(self, hooks: I) -> Sweep<'p, P, I> {
        Sweep { profile: self.profile, hooks, limits: self.limits, threads: self.threads, watcher: self.watcher }
    }

    /// Stops the sweep at the given limits. A layer is made whole or not at all: the limit of [nodes](Limits::nodes) is
    /// one of states taken through a cell, and ends the sweep before the layer with which it would be passed; of
    /// [depth](Limits::depth), so many cells are swept. The clock is looked at every few thousand states.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Splits each layer by the hash of its states among so many threads (0 counts as 1, and more than 256 as
    /// 256). Layers of a few thousand states are left to one. The answer and the number of states are the same.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.clamp(1, MOST_THREADS);
        self
    }

    /// Calls `callback` after a cell, about every so often, and at the end.
    ///
    /// ```no_run
    /// # use secateurs::plug::{Profile, Sweep};
    /// # fn show(profile: &impl Profile) {
    /// use std::time::Duration;
    ///
    /// let outcome = Sweep::new(profile)
    ///     .progress(Duration::from_secs(1), |progress| eprintln!("{:.0} %", 100.0 * progress.fraction()))
    ///     .count();
    /// # }
    /// ```
    pub fn progress(mut self, every: Duration, callback: impl FnMut(&SweepProgress) + Send + 'p) -> Self {
        self.watcher = Some(SweepWatcher { every, callback: Box::new(callback) });
        self
    }
}

impl<'p, P: Profile, H: SweepHooks<P>> Sweep<'p, P, H> {
    /// The profile, the hooks and the threads of this sweep, and its account.
    pub(crate) fn start(self) -> (&'p P, H, usize, Account<'p>) {
        let account = Account::new(self.limits, self.watcher, self.profile.cells(), self.hooks.claims());
        (self.profile, self.hooks, self.threads, account)
    }

    /// What `algebra` makes of all ways together.
    pub fn run<A: Algebra<P>>(self, algebra: &A) -> Outcome<Total<A::Value>> {
        let (ends, mut report) = self.ends(algebra).into_parts();
        let mut sum: Option<A::Value> = None;
        for (state, value) in ends {
            let merged = algebra.finish(value, state).and_then(|value| match &mut sum {
                Some(sum) => algebra.merge(sum, value),
                None => {
                    sum = Some(value);
                    Ok(())
                }
            });
            if merged.is_err() {
                report.stop = Stop::CountOverflow;
            }
        }
        Outcome::new(Total::new(sum, algebra.tolerates(), &report), report)
    }

    /// The states that are accepted after the last cell, each with its worth, in no particular order. Empty also if the sweep
    /// has stopped before: see [`Outcome::complete`].
    pub fn ends<A: Algebra<P>>(self, algebra: &A) -> Outcome<Vec<(P::State, A::Value)>> {
        let (profile, hooks, threads, mut account) = self.start();
        let task = Task { profile, hooks: &hooks, algebra };
        let mut layer = first_layer(profile.start(), algebra.one(), threads);
        match sweep(task, &mut account, &mut layer, 0) {
            Ok(()) => {
                let ends = accepted(profile, &mut account, layer);
                Outcome::new(ends, account.into_report(Stop::Exhausted, false))
            }
            Err((_, stop)) => Outcome::new(Vec::new(), account.into_report(stop, false)),
        }
    }
}

/// What is accepted of the last layer.
pub(crate) fn accepted<P: Profile, V>(
    profile: &P,
    account: &mut Account<'_>,
    layer: Shards<P::State, V>,
) -> Vec<(P::State, V)> {
    let mut parts = layer.into_iter().map(Layer::into_entries).map(|mut part| {
        part.retain(|&(state, _)| profile.accept(state));
        part
    });
    // In place as far as possible: this is the largest vector of many a sweep.
    let mut ends = parts.next().unwrap_or_default();
    let others: Vec<_> = parts.collect();
    ends.reserve_exact(others.iter().map(Vec::len).sum());
    others.into_iter().for_each(|part| ends.extend(part));
    account.accepted(ends.len() as u64);
    ends
}

/// Sweeps from `cell` to the end, with two layers alive. If it fails, `layer` is the last that was complete; the cell that
/// it stands before is given with the reason.
pub(crate) fn sweep<P: Profile, H: SweepHooks<P>, A: Algebra<P>>(
    task: Task<'_, P, H, A>,
    account: &mut Account<'_>,
    layer: &mut Shards<P::State, A::Value>,
    cell: usize,
) -> Result<(), (usize, Stop)> {
    let mut next: Shards<P::State, A::Value> = layer.iter().map(|_| Layer::new()).collect();
    for cell in cell..task.profile.cells() {
        advance(task, account, cell, layer, &mut next).map_err(|stop| (cell, stop))?;
        std::mem::swap(layer, &mut next);
    }
    Ok(())
}
