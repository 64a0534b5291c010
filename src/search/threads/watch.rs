//! What is to be done every now and then while somebody waits for the workers: progress is
//! reported, the run is saved.

use std::time::Duration;

use super::saving::Saving;
use super::team::Team;
use crate::clock::Instant;
use crate::search::meter::{Progress, Watcher};

/// Progress is not reported more often, whatever is asked for: whoever waits must not keep a
/// processor busy.
const OFTEN: Duration = Duration::from_millis(1);

/// Workers that are to pause often work at least as long as the last pause took, if it was not
/// longer than this: whoever is called again while waking up gets nothing done.
const LONG: Duration = Duration::from_secs(1);

pub(super) struct Watch<'r> {
    watcher: Option<Watcher<'r>>,
    saver: Option<Saver<'r>>,
    team: &'r Team,
    /// The share of the whole tree that the run is about, and what was left of that.
    shares: (f64, f64),
    start: Instant,
    reported: Instant,
}

struct Saver<'r> {
    run: Box<dyn Saving + 'r>,
    saved: Instant,
    /// Since when all are to pause, if they are.
    pausing: Option<Instant>,
    /// How long the last pause took.
    took: Duration,
}

impl<'r> Watch<'r> {
    pub(super) fn new(watcher: Option<Watcher<'r>>, team: &'r Team, shares: (f64, f64)) -> Self {
        let now = Instant::now();
        Watch { watcher, saver: None, team, shares, start: now, reported: now }
    }

    pub(super) fn has_saved(&mut self, run: impl Saving + 'r) {
        self.saver = Some(Saver {
            run: Box::new(run),
            saved: self.start,
            pausing: None,
            took: Duration::ZERO,
        });
    }

    /// Does what is due; the time until something else is.
    pub(super) fn look(&mut self) -> Option<Duration> {
        let now = Instant::now();
        let save = self.saver.as_mut().and_then(|saver| saver.look(now));
        let report = self.watcher.as_ref().map(|watcher| watcher.every.max(OFTEN));
        let report = report.map(|every| match (now - self.reported).checked_sub(every) {
            None => every - (now - self.reported),
            Some(_) => {
                self.report(now, false);
                every
            }
        });
        match (save, report) {
            (Some(save), Some(report)) => Some(save.min(report)),
            (save, report) => save.or(report),
        }
    }

    fn report(&mut self, now: Instant, all: bool) {
        let Watch { watcher, team, shares: (whole, left), start, reported, .. } = self;
        let Some(watcher) = watcher else { return };
        *reported = now;
        // Shares below what a number can hold are 0.
        let done = if *whole > 0.0 {
            ((*whole - *left + team.done()) / *whole).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let fraction = watcher.fraction.then_some(if all { 1.0 } else { done });
        let (nodes, solutions) = (team.nodes(), team.solutions());
        (watcher.callback)(&Progress {
            nodes,
            solutions,
            depth: 0,
            elapsed: now - *start,
            fraction,
        });
    }

    /// Reports that the search has come to its end, if shares are reported.
    pub(super) fn all_done(&mut self) {
        if self.watcher.as_ref().is_some_and(|watcher| watcher.fraction) {
            self.report(Instant::now(), true);
        }
    }

    /// Has the run saved, if it is `ready`, and the workers go on.
    pub(super) fn end_pause(&mut self, ready: bool) {
        if let Some(saver) = &mut self.saver {
            saver.run.end_pause(ready);
            saver.saved = Instant::now();
            saver.took = saver.pausing.take().map_or(Duration::ZERO, |since| saver.saved - since);
        }
    }
}

impl Saver<'_> {
    /// Has all pause if it is time to save; the time until it is.
    fn look(&mut self, now: Instant) -> Option<Duration> {
        if self.pausing.is_some() {
            return None;
        }
        match self.run.every().max(self.took.min(LONG)).checked_sub(now - self.saved) {
            Some(wait) if !wait.is_zero() => Some(wait),
            _ => {
                self.run.pause();
                self.pausing = Some(now);
                None
            }
        }
    }
}
