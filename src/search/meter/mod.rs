//! Limits, cancellation and progress of a run, behind one counter.
//!
//! The files: this one has the [`Meter`] of a walk; [`shared`] has what the walks of several
//! threads share; [`alarm`] has the watchdog thread; [`pace`] estimates what is left.
//!
//! The kernel gets *fuel*, one unit per node, and returns when it is used up. The node limit is
//! therefore exact, and the clock, the cancel switch and the progress callback together cost one
//! comparison per node.

mod alarm;
mod pace;
pub(super) mod shared;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::clock::Instant;
use crate::limits::{Cancel, Limits, Stop};
use alarm::Alarm;
pub use pace::Remaining;
use pace::{NORMAL, Pace, Uncertain};
use shared::SharedMeter;

/// The state of a run, as passed to a progress callback.
///
/// The default is that of a run that has not begun.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Nodes visited so far. With several threads, it includes nodes that threads have reserved and
    /// not visited yet, at most 8192 per thread.
    pub nodes: u64,
    /// Solutions visited so far. With several threads, the latest ones may be missing.
    pub solutions: u64,
    /// Depth of the current node; 0 with several threads.
    pub depth: usize,
    /// Time since the start of the run.
    pub elapsed: Duration,
    /// The share of the tree that is done, from 0 to 1, under the assumption that siblings have
    /// subtrees of equal size. It never decreases, and is 1 in the last report of an exhausted
    /// search. Where the subtrees of siblings differ much in size, it does not predict the
    /// remaining time. For a search that continues from a [`Frontier`](crate::search::Frontier), it
    /// is the share of the part that this frontier covered when it was created or divided.
    ///
    /// `None` unless it [was requested](crate::Search::fraction). It is also `None` in
    /// breadth-first and best-first search and in searches by diagrams, and in a single-threaded
    /// search with a hook that [remembers](crate::Hook::memory), because the walk computes it at
    /// the root, where such a hook may reset itself.
    pub fraction: Option<f64>,
    pub(crate) nodes_left: Option<Remaining<f64>>,
}

impl Progress {
    /// Returns the estimated number of nodes that are left, with a 90 % interval. `None` without a
    /// [fraction](Self::fraction), and, without estimates, in the first reports of a run.
    ///
    /// It follows from the nodes per explored share so far (the weighted backtrack estimator of
    /// Kilby et al. 2006), in the whole run and in its recent half, and from [estimates of the
    /// tree](crate::Search::estimated_size), weighted by their variances. Without such estimates,
    /// it assumes that the rest of the tree resembles the explored part. If it does not, both the
    /// estimate and the interval are wrong.
    #[must_use]
    pub fn nodes_left(&self) -> Option<Remaining<f64>> {
        self.nodes_left
    }

    /// Returns the estimated time that is left: the [nodes](Self::nodes_left) times the mean time
    /// per node so far. `None` also if the time exceeds 500 billion years.
    #[must_use]
    pub fn time_left(&self) -> Option<Remaining<Duration>> {
        let left = self.nodes_left?;
        let per_node = self.elapsed.as_secs_f64() / self.nodes.max(1) as f64;
        let time = |nodes: f64| Duration::try_from_secs_f64(nodes * per_node).ok();
        let (from, to) = left.interval;
        Some(Remaining { estimate: time(left.estimate)?, interval: (time(from)?, time(to)?) })
    }
}

/// The target interval between checks of the clock, whatever a node costs.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The most nodes between two checks of the clock. If nodes suddenly become expensive, the
/// [alarm](Alarm) interrupts the portion, if the platform has threads. Checking this often costs
/// 1 % where a node takes 6 ns, and less where it takes longer.
const LARGEST_PORTION: u64 = 8192;

/// A progress callback and the interval between its calls.
pub(crate) struct Watcher<'p> {
    pub(crate) every: Duration,
    pub(crate) callback: Box<dyn FnMut(&Progress) + Send + 'p>,
    /// Whether the share of the tree that is done is requested.
    pub(crate) fraction: bool,
    pace: Pace,
}

impl<'p> Watcher<'p> {
    /// Adds an estimate of the number of nodes, with the factor between it and the ends of its 90 %
    /// interval.
    pub(crate) fn expect(&mut self, nodes: f64, factor: f64) {
        let error = factor.ln() / NORMAL;
        self.pace.sizes.push(Uncertain { mean: nodes.ln(), variance: error * error });
    }

    pub(crate) fn new(
        every: Duration,
        callback: impl FnMut(&Progress) + Send + 'p,
        fraction: bool,
    ) -> Self {
        Watcher { every, callback: Box::new(callback), fraction, pace: Pace::default() }
    }

    /// Calls the callback, with an estimate of what is left.
    pub(crate) fn call(&mut self, mut progress: Progress) {
        let Progress { fraction, nodes, .. } = progress;
        progress.nodes_left = fraction.and_then(|share| self.pace.left(share, nodes));
        (self.callback)(&progress);
    }
}

debug_fields!(impl[] Watcher<'_>: every);

/// The task of the walk itself during a pause, before it continues.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PauseReason {
    /// Report the share of the tree that is done.
    Report,
    /// Save the frontier.
    Save,
}

/// The limits of a walk, what it has used of them, and its clock.
#[derive(Debug)]
pub(crate) struct Meter<'p> {
    limits: Limits,
    watcher: Option<Watcher<'p>>,
    start: Instant,
    /// The time when the last portion of fuel was granted, or of a later save.
    polled: Instant,
    /// The time of the last progress report.
    reported: Instant,
    /// Fuel granted so far: the number of visited nodes plus the fuel that the kernel has left.
    granted: u64,
    /// The fuel per grant, adapted to the cost of a node.
    portion: u64,
    /// The duration of the run, once it has ended.
    duration: Option<Duration>,
    /// The counters shared with the other workers of the run.
    shared: Option<Arc<SharedMeter>>,
    /// Whether the walk has been asked to pause, to donate work or to report its share, since it
    /// last got fuel.
    pause_requested: bool,
    /// Whether the walk can compute the share of the tree that is done.
    pub(crate) knows_fraction: bool,
    /// The share of the tree that was last reported as done.
    fraction: Option<f64>,
    /// The share of the tree and the number of solutions that have been added to the shared
    /// counters.
    published: (f64, u64),
    /// Rings at the time limit or when the run is cancelled, even in the middle of a portion.
    alarm: Alarm,
    /// The interval between saves, if the run is saved.
    save_every: Option<Duration>,
    /// The time of the last save, or of the start.
    saved: Instant,
    /// Whether the walk had to pause for a save when the clock was last checked.
    save_requested: bool,
    pause_reason: Option<PauseReason>,
}

impl<'p> Meter<'p> {
    pub(crate) fn new(limits: Limits, watcher: Option<Watcher<'p>>) -> Self {
        let now = Instant::now();
        let knows_fraction = watcher.as_ref().is_some_and(|watcher| watcher.fraction);
        Meter {
            limits,
            watcher,
            start: now,
            polled: now,
            reported: now,
            granted: 0,
            portion: 1,
            duration: None,
            shared: None,
            pause_requested: false,
            knows_fraction,
            fraction: None,
            published: (0.0, 0),
            alarm: Alarm::default(),
            save_every: None,
            saved: now,
            save_requested: false,
            pause_reason: None,
        }
    }

    /// Makes the walk pause at this interval, to be saved.
    pub(crate) fn save_every(&mut self, every: Duration) {
        self.save_every = Some(every);
    }

    /// Records that the run was saved just now.
    pub(crate) fn record_save(&mut self) {
        self.saved = Instant::now();
        // The time of the save must not count as time spent on nodes.
        self.polled = self.saved;
    }

    /// Creates the meter of one of several workers.
    pub(crate) fn with_shared(shared: Arc<SharedMeter>, limits: Limits, start: Instant) -> Self {
        Meter { shared: Some(shared), start, ..Meter::new(limits, None) }
    }

    /// Returns the flag that is set when the walk is to [answer the alarm](Meter::answer_alarm)
    /// before it visits another node.
    pub(crate) fn alarm(&self) -> Arc<AtomicBool> {
        self.alarm.flag()
    }

    /// Returns whether the alarm rings.
    #[inline]
    pub(crate) fn is_alarmed(&self) -> bool {
        self.alarm.rings()
    }

    /// Checks the clock and the cancel switch if the alarm rings.
    pub(crate) fn answer_alarm(
        &mut self,
        fuel: u64,
        solutions: u64,
        depth: usize,
    ) -> Result<(), Stop> {
        if !self.alarm.rings() {
            return Ok(());
        }
        self.check_clock(fuel, solutions, depth)?;
        self.alarm.reset();
        Ok(())
    }

    /// Returns whether something other than its own progress may end the run, so that it needs an
    /// alarm.
    pub(crate) fn is_timed(&self) -> bool {
        self.limits.time.is_some() || self.limits.cancel.is_some() || self.shared.is_some()
    }

    /// Sets the alarm for everything that may end the run.
    fn set_alarm(&mut self) {
        if !self.is_timed() {
            return;
        }
        let Limits { time, cancel, .. } = &self.limits;
        let (start, shared) = (self.start, &self.shared);
        self.alarm.set(|| {
            let (time, cancel, shared) = (*time, cancel.clone(), shared.clone());
            Box::new(move || {
                time.is_some_and(|time| start.elapsed() >= time)
                    || cancel.as_ref().is_some_and(Cancel::is_cancelled)
                    || shared.as_ref().is_some_and(|shared| shared.stopped().is_some())
            })
        });
    }

    /// Returns the most bytes that the run may use.
    pub(crate) fn max_bytes(&self) -> usize {
        self.limits.max_bytes()
    }

    pub(crate) fn depth_limit(&self) -> usize {
        self.limits.depth.unwrap_or(usize::MAX)
    }

    /// Returns the limit on solutions; [`u64::MAX`] stands for none, as no run visits that many.
    pub(crate) fn solution_limit(&self) -> u64 {
        self.limits.solutions.unwrap_or(u64::MAX)
    }

    /// Returns the time since the start of the run, or its duration if it has ended.
    pub(crate) fn elapsed(&self) -> Duration {
        self.duration.unwrap_or_else(|| self.start.elapsed())
    }

    /// Records that the run has ended.
    pub(crate) fn stop_clock(&mut self) {
        self.duration = Some(self.elapsed());
    }

    /// Grants more fuel, or returns the reason why there is none. Called when the fuel is used up.
    #[cold]
    #[inline(never)]
    pub(crate) fn refuel(&mut self, solutions: u64, depth: usize) -> Result<u64, Stop> {
        if let Some(shared) = &self.shared {
            if let Some(stop) = shared.stopped() {
                return Err(stop);
            }
            if shared.needs_attention() && !self.pause_requested {
                self.pause_requested = true;
                return Err(Stop::Paused);
            }
            self.pause_requested = false;
            let shared = Arc::clone(shared);
            let portion = self.portion(solutions, depth)?;
            let grant = shared.take_nodes(portion);
            self.granted += grant;
            return if grant == 0 { Err(Stop::NodeLimit) } else { Ok(grant) };
        }
        if self.solution_limit() <= solutions {
            return Err(Stop::SolutionLimit);
        }
        let left = self.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.granted));
        if left == 0 {
            return Err(Stop::NodeLimit);
        }
        let grant =
            if self.is_polling() { left.min(self.portion(solutions, depth)?) } else { left };
        self.pause_requested = false;
        self.granted = self.granted.saturating_add(grant);
        Ok(grant)
    }

    /// Adds the share of the tree that is done and the number of visited solutions to the shared
    /// counters, if there are any.
    pub(crate) fn publish(&mut self, done: f64, solutions: u64) {
        let Some(shared) = &self.shared else { return };
        let (published, visited) = &mut self.published;
        if done > *published {
            shared.add_share_done(done - *published);
            *published = done;
        }
        if solutions > *visited {
            shared.add_solutions(solutions - *visited);
            *visited = solutions;
        }
    }

    /// Takes back unused fuel, and replaces the node limit by that of the nodes visited so far and
    /// this many more. The clock runs again if it was stopped.
    pub(crate) fn allow_nodes(&mut self, unused: u64, nodes: u64) {
        self.take_back(unused);
        self.limits.nodes = Some(self.granted.saturating_add(nodes));
        self.duration = None;
    }

    /// Returns whether a node limit, the clock or a callback may interrupt the run.
    pub(crate) fn is_limited(&self) -> bool {
        self.limits.nodes.is_some() || self.is_polling()
    }

    /// Returns whether fuel is granted in portions, so that the clock is checked between them.
    fn is_polling(&self) -> bool {
        self.limits.time.is_some()
            || self.limits.cancel.is_some()
            || self.watcher.is_some()
            || self.shared.is_some()
            || self.save_every.is_some()
    }

    /// Returns the number of visited nodes, given the fuel that the walk has left.
    pub(crate) fn visited(&self, fuel: u64) -> u64 {
        self.granted - fuel
    }

    /// Takes back unused fuel.
    pub(crate) fn take_back(&mut self, fuel: u64) {
        self.granted -= fuel;
        if let Some(shared) = &self.shared {
            shared.give_back_nodes(fuel);
        }
    }

    /// Checks the clock and the cancel switch, and reports progress if it is due, between two
    /// portions of fuel.
    #[cold]
    #[inline(never)]
    pub(crate) fn check_clock(
        &mut self,
        fuel: u64,
        solutions: u64,
        depth: usize,
    ) -> Result<(), Stop> {
        if self.is_polling() {
            self.poll(Instant::now(), self.granted - fuel, solutions, depth)
        } else {
            Ok(())
        }
    }

    /// Checks the clock and the cancel switch, and reports progress if it is due, during work that
    /// cannot pause.
    pub(crate) fn check_clock_without_pause(
        &mut self,
        fuel: u64,
        solutions: u64,
        depth: usize,
    ) -> Result<(), Stop> {
        if !self.is_polling() {
            return Ok(());
        }
        let now = Instant::now();
        self.check_stop(now)?;
        if self.is_report_due(now) {
            self.report(now, self.granted - fuel, solutions, depth);
        }
        Ok(())
    }

    fn is_report_due(&self, now: Instant) -> bool {
        self.watcher.as_ref().is_some_and(|watcher| now - self.reported >= watcher.every)
    }

    /// Returns the reason why the run must end, if there is one.
    fn check_stop(&self, now: Instant) -> Result<(), Stop> {
        if let Some(stop) = self.shared.as_ref().and_then(|shared| shared.stopped()) {
            return Err(stop);
        }
        if self.limits.cancel.as_ref().is_some_and(|cancel| cancel.is_cancelled()) {
            return Err(Stop::Cancelled);
        }
        if self.limits.time.is_some_and(|time| now - self.start >= time) {
            return Err(Stop::TimeLimit);
        }
        Ok(())
    }

    /// Reports progress if it is due. Returns an error if the run must end, or pause for a report
    /// or a save.
    fn poll(&mut self, now: Instant, nodes: u64, solutions: u64, depth: usize) -> Result<(), Stop> {
        self.check_stop(now)?;
        if self.is_report_due(now) {
            if self.knows_fraction && !self.pause_requested {
                self.pause_requested = true;
                self.pause_reason = Some(PauseReason::Report);
                return Err(Stop::Paused);
            }
            self.report(now, nodes, solutions, depth);
        }
        // Not twice in a row: the run continues at least until the next check, so that it makes
        // progress however short the interval is.
        let due = self.save_every.is_some_and(|every| now - self.saved >= every);
        self.save_requested = due && !self.save_requested;
        if self.save_requested {
            self.pause_reason = Some(PauseReason::Save);
            return Err(Stop::Paused);
        }
        Ok(())
    }

    /// Takes the reason of a pause after which the walk continues by itself.
    pub(crate) fn take_pause_reason(&mut self) -> Option<PauseReason> {
        self.pause_reason.take()
    }

    /// Reports progress with the share of the tree that is done.
    pub(crate) fn report_fraction(
        &mut self,
        fraction: f64,
        fuel: u64,
        solutions: u64,
        depth: usize,
    ) {
        // Sums of shares are rounded: never report a decrease, or more than 1.
        let fraction = fraction.clamp(self.fraction.unwrap_or(0.0), 1.0);
        self.fraction = Some(fraction);
        self.report(Instant::now(), self.granted - fuel, solutions, depth);
    }

    /// Calls the progress callback, if there is one.
    fn report(&mut self, now: Instant, nodes: u64, solutions: u64, depth: usize) {
        let (elapsed, fraction) = (now - self.start, self.fraction);
        if let Some(watcher) = &mut self.watcher {
            self.reported = now;
            let nodes_left = None;
            watcher.call(Progress { nodes, solutions, depth, elapsed, fraction, nodes_left });
        }
    }

    /// Polls, and returns the next portion of fuel, adapted to the duration of the last one.
    fn portion(&mut self, solutions: u64, depth: usize) -> Result<u64, Stop> {
        let now = Instant::now();
        self.poll(now, self.granted, solutions, depth)?;
        let since = now - self.polled;
        self.polled = now;
        self.set_alarm();
        if since < POLL_INTERVAL / 2 {
            self.portion = (2 * self.portion).min(LARGEST_PORTION);
        } else if since > POLL_INTERVAL * 2 {
            self.portion = (self.portion / 2).max(1);
        }
        Ok(self.portion)
    }
}
