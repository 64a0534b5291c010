//! How far a run may go before somebody looks at the clock: limits, cancellation and progress, all
//! behind one counter.
//!
//! The kernel gets *fuel*, one unit a node, and comes back when it is used up. So the node limit is
//! exact, and the clock, the cancel switch and the progress callback cost one comparison a node
//! together.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::alarm::Alarm;
use super::threads::Team;
use crate::clock::Instant;
use crate::limits::{Cancel, Limits, Stop};

/// How a run is going: what a progress callback gets.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// Nodes visited so far.
    pub nodes: u64,
    /// Solutions visited so far.
    pub solutions: u64,
    /// Depth of the node at which the run stands; of several threads, 0.
    pub depth: usize,
    /// Time since the start of the run.
    pub elapsed: Duration,
    /// The share of the tree that is done, from 0 to 1, if every child of a node is taken to have
    /// as much below it as another. It never falls, and a search that comes to its end ends with a
    /// report of 1; how fast it rises says little where siblings differ much. Of a search that goes
    /// on from a [`Frontier`](super::Frontier), the share of what that was a part of.
    ///
    /// `None` unless it [is asked for](super::Search::fraction), breadth-first, best-first, and in
    /// one thread of a search with a hook that [remembers](crate::Hook::memory), which would learn
    /// less for it.
    pub fraction: Option<f64>,
}

/// The clock is looked at about this often, whatever a node costs.
const POLL: Duration = Duration::from_millis(1);

/// No more nodes than this between two looks. Nodes that suddenly cost more are cut short by the
/// [alarm](Alarm), where there are threads. Looking this often costs 1 % where a node takes 6 ns,
/// and less where it takes longer.
const LARGEST_PORTION: u64 = 8192;

/// A callback and how often it is called.
pub(crate) struct Watcher<'p> {
    pub(crate) every: Duration,
    pub(crate) callback: Box<dyn FnMut(&Progress) + Send + 'p>,
    /// Whether the share of the tree that is done is asked for.
    pub(crate) fraction: bool,
}

impl fmt::Debug for Watcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher").field("every", &self.every).finish_non_exhaustive()
    }
}

/// What is to be done with a walk that has paused, before it goes on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Errand {
    /// Report what share of the tree is done.
    Report,
    /// Save what is left.
    Save,
}

#[derive(Debug)]
pub(crate) struct Meter<'p> {
    limits: Limits,
    watcher: Option<Watcher<'p>>,
    start: Instant,
    polled: Instant,
    reported: Instant,
    /// Fuel handed out so far: the nodes visited, less what the kernel still has.
    granted: u64,
    /// Fuel handed out at a time, adapted to the cost of a node.
    portion: u64,
    /// The length of the run, once it has ended.
    ended: Option<Duration>,
    /// Those with whom the run shares its nodes.
    team: Option<Arc<Team>>,
    /// Whether the walk has been asked to give some work away, or to say what it has done, since it
    /// got fuel.
    asked: bool,
    /// Whether the walk can say what share of the tree is done.
    pub(super) knows_fraction: bool,
    fraction: Option<f64>,
    /// The share of the tree and the solutions that the team has been told of.
    told: (f64, u64),
    /// Rings at the end of a time limit or when the run is cancelled, in the middle of a portion.
    alarm: Alarm,
    /// How often the run is to be saved, if it is.
    save_every: Option<Duration>,
    saved: Instant,
    /// Whether the walk had to pause to be saved when somebody last looked at the clock.
    saving: bool,
    errand: Option<Errand>,
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
            ended: None,
            team: None,
            asked: false,
            knows_fraction,
            fraction: None,
            told: (0.0, 0),
            alarm: Alarm::default(),
            save_every: None,
            saved: now,
            saving: false,
            errand: None,
        }
    }

    /// Has the walk paused about every so often, to be saved.
    pub(super) fn save_every(&mut self, every: Duration) {
        self.save_every = Some(every);
    }

    /// The run was saved just now.
    pub(super) fn was_saved(&mut self) {
        self.saved = Instant::now();
        // What that took is no measure of what nodes cost.
        self.polled = self.saved;
    }

    /// The meter of one of a team.
    pub(super) fn of(team: Arc<Team>, limits: Limits, start: Instant) -> Self {
        Meter { team: Some(team), start, ..Meter::new(limits, None) }
    }

    /// The flag that is set when the walk is to [answer the alarm](Meter::answer) before it visits
    /// another node.
    pub(super) fn alarm(&self) -> Arc<AtomicBool> {
        self.alarm.flag()
    }

    /// Looks at the clock and the switch if the alarm rings.
    pub(super) fn answer(&mut self, fuel: u64, solutions: u64, depth: usize) -> Result<(), Stop> {
        if !self.alarm.rings() {
            return Ok(());
        }
        self.look(fuel, solutions, depth)?;
        self.alarm.silence();
        Ok(())
    }

    /// Whether something else than its own progress may end the run: an alarm is set for it.
    pub(super) fn is_timed(&self) -> bool {
        self.limits.time.is_some() || self.limits.cancel.is_some() || self.team.is_some()
    }

    /// Sets the alarm for what may end the run.
    fn set_alarm(&mut self) {
        if !self.is_timed() {
            return;
        }
        let Limits { time, cancel, .. } = &self.limits;
        let (start, team) = (self.start, &self.team);
        self.alarm.set(|| {
            let (time, cancel, team) = (*time, cancel.clone(), team.clone());
            Box::new(move || {
                time.is_some_and(|time| start.elapsed() >= time)
                    || cancel.as_ref().is_some_and(Cancel::is_cancelled)
                    || team.as_ref().is_some_and(|team| team.stopped().is_some())
            })
        });
    }

    /// The most bytes that the run may take up.
    pub(super) fn max_bytes(&self) -> usize {
        self.limits.max_bytes()
    }

    pub(crate) fn depth_limit(&self) -> usize {
        self.limits.depth.unwrap_or(usize::MAX)
    }

    /// [`u64::MAX`] stands for none: no run visits that many.
    pub(crate) fn solution_limit(&self) -> u64 {
        self.limits.solutions.unwrap_or(u64::MAX)
    }

    /// Since the start of the run, to its end if it has ended.
    pub(crate) fn elapsed(&self) -> Duration {
        self.ended.unwrap_or_else(|| self.start.elapsed())
    }

    /// The run has ended.
    pub(crate) fn freeze(&mut self) {
        self.ended = Some(self.elapsed());
    }

    /// More fuel, or the reason why there is none. Called when all that was granted is used up.
    #[cold]
    #[inline(never)]
    pub(crate) fn refuel(&mut self, solutions: u64, depth: usize) -> Result<u64, Stop> {
        if let Some(team) = &self.team {
            if let Some(stop) = team.stopped() {
                return Err(stop);
            }
            if team.is_called() && !self.asked {
                self.asked = true;
                return Err(Stop::Paused);
            }
            self.asked = false;
            let team = Arc::clone(team);
            let portion = self.portion(solutions, depth)?;
            let grant = team.take_nodes(portion);
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
        self.asked = false;
        self.granted = self.granted.saturating_add(grant);
        Ok(grant)
    }

    /// Tells the team, if there is one, what share of the tree is done and how many solutions were
    /// visited.
    pub(super) fn tell(&mut self, done: f64, solutions: u64) {
        let Some(team) = &self.team else { return };
        let (told, visited) = &mut self.told;
        if done > *told {
            team.add_done(done - *told);
            *told = done;
        }
        if solutions > *visited {
            team.add_solutions(solutions - *visited);
            *visited = solutions;
        }
    }

    /// Whether there is anything that may end the run before its time.
    pub(super) fn is_limited(&self) -> bool {
        self.limits.nodes.is_some() || self.is_polling()
    }

    fn is_polling(&self) -> bool {
        self.limits.time.is_some()
            || self.limits.cancel.is_some()
            || self.watcher.is_some()
            || self.team.is_some()
            || self.save_every.is_some()
    }

    /// The nodes visited, if the walk still has so much fuel.
    pub(super) fn visited(&self, fuel: u64) -> u64 {
        self.granted - fuel
    }

    /// Takes back fuel that was not used.
    pub(super) fn take_back(&mut self, fuel: u64) {
        self.granted -= fuel;
        if let Some(team) = &self.team {
            team.give_back_nodes(fuel);
        }
    }

    /// Looks at the clock and the switch, and reports progress if it is due, between two portions
    /// of fuel.
    #[cold]
    #[inline(never)]
    pub(crate) fn look(&mut self, fuel: u64, solutions: u64, depth: usize) -> Result<(), Stop> {
        if self.is_polling() {
            self.poll(Instant::now(), self.granted - fuel, solutions, depth)
        } else {
            Ok(())
        }
    }

    fn poll(&mut self, now: Instant, nodes: u64, solutions: u64, depth: usize) -> Result<(), Stop> {
        if let Some(stop) = self.team.as_ref().and_then(|team| team.stopped()) {
            return Err(stop);
        }
        if self.limits.cancel.as_ref().is_some_and(|cancel| cancel.is_cancelled()) {
            return Err(Stop::Cancelled);
        }
        if self.limits.time.is_some_and(|time| now - self.start >= time) {
            return Err(Stop::TimeLimit);
        }
        if self.watcher.as_ref().is_some_and(|watcher| now - self.reported >= watcher.every) {
            if self.knows_fraction && !self.asked {
                self.asked = true;
                self.errand = Some(Errand::Report);
                return Err(Stop::Paused);
            }
            self.report(now, nodes, solutions, depth);
        }
        // Once, and then on at least to the next look: however short the time is, the run gets
        // somewhere.
        let due = self.save_every.is_some_and(|every| now - self.saved >= every);
        self.saving = due && !self.saving;
        if self.saving {
            self.errand = Some(Errand::Save);
            return Err(Stop::Paused);
        }
        Ok(())
    }

    /// For what the walk had to pause, if it is to go on by itself.
    pub(super) fn errand(&mut self) -> Option<Errand> {
        self.errand.take()
    }

    /// Reports progress, with the share of the tree that is done.
    pub(super) fn report_fraction(
        &mut self,
        fraction: f64,
        fuel: u64,
        solutions: u64,
        depth: usize,
    ) {
        // Sums of shares are rounded.
        let fraction = fraction.clamp(self.fraction.unwrap_or(0.0), 1.0);
        self.fraction = Some(fraction);
        self.report(Instant::now(), self.granted - fuel, solutions, depth);
    }

    fn report(&mut self, now: Instant, nodes: u64, solutions: u64, depth: usize) {
        let (elapsed, fraction) = (now - self.start, self.fraction);
        if let Some(watcher) = &mut self.watcher {
            self.reported = now;
            (watcher.callback)(&Progress { nodes, solutions, depth, elapsed, fraction });
        }
    }

    /// The next portion of fuel, adapted to how long the last one took.
    fn portion(&mut self, solutions: u64, depth: usize) -> Result<u64, Stop> {
        let now = Instant::now();
        self.poll(now, self.granted, solutions, depth)?;
        let since = now - self.polled;
        self.polled = now;
        self.set_alarm();
        if since < POLL / 2 {
            self.portion = (2 * self.portion).min(LARGEST_PORTION);
        } else if since > POLL * 2 {
            self.portion = (self.portion / 2).max(1);
        }
        Ok(self.portion)
    }
}
