//! Types shared by everything that takes part in a step of a sweep: the [`Task`], the [`Clock`],
//! the counters of a step and the errors that stop it.

use std::time::Duration;

use crate::clock::Instant;
use crate::limits::{Cancel, Limits, Stop};

/// The largest number of threads of a sweep. Each thread owns a shard of the layer, however small,
/// so that an absurd number of threads alone would exhaust the memory.
pub(crate) const MAX_THREADS: usize = 128;
/// The smallest number of states of a layer that is worth a second thread.
pub(crate) const MIN_STATES_FOR_THREADS: usize = 1 << 13;
/// Blocks of states between two checks of the clock, unless steps are slow.
pub(crate) const POLL: usize = 16;
/// A block that takes longer than this is too large.
const SLOW: Duration = Duration::from_millis(1);
/// States summed up or copied between two checks of the clock.
pub(crate) const POLL_STATES: usize = 1 << 14;

/// The parts of a sweep that do not change while it runs.
pub(crate) struct Task<'a, P, H, A> {
    pub(crate) problem: &'a P,
    pub(crate) hooks: &'a H,
    pub(crate) algebra: &'a A,
}

// Not derived: the derive would require `P`, `H` and `A` to be `Copy`.
impl<P, H, A> Clone for Task<'_, P, H, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, H, A> Copy for Task<'_, P, H, A> {}

/// The start of a run together with its time limit and cancellation flag; shared by its threads.
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    time: Option<Duration>,
    cancel: Option<Cancel>,
}

impl Clock {
    /// Creates a clock that starts now.
    pub(crate) fn new(limits: &Limits) -> Self {
        Clock { start: Instant::now(), time: limits.time, cancel: limits.cancel.clone() }
    }

    pub(crate) fn start(&self) -> Instant {
        self.start
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns whether the run has a time limit or a cancel switch.
    fn can_stop(&self) -> bool {
        self.time.is_some() || self.cancel.is_some()
    }

    /// Returns an error if the run was cancelled or its time is over.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        if self.cancel.as_ref().is_some_and(|cancel| cancel.is_cancelled()) {
            return Err(Stop::Cancelled);
        }
        match self.time {
            Some(time) if self.start.elapsed() >= time => Err(Stop::TimeLimit),
            _ => Ok(()),
        }
    }
}

/// Divides the states of a layer into blocks, and checks the clock now and then: about every
/// thousand states, and every millisecond if steps are expensive.
pub(crate) struct Blocks<'c, 's, T> {
    clock: &'c Clock,
    rest: &'s [T],
    /// The number of states of the next block.
    size: usize,
    largest: usize,
    /// When the last block began, if something besides the states can stop the step.
    began: Option<Instant>,
    /// Blocks until the clock is checked.
    left: usize,
}

impl<'c, 's, T> Blocks<'c, 's, T> {
    /// Divides `states` into blocks of `size` states, or fewer while steps are expensive, if the
    /// run has a time limit or a cancel switch.
    pub(crate) fn new(clock: &'c Clock, states: &'s [T], size: usize) -> Self {
        let began = clock.can_stop().then(Instant::now);
        Blocks { clock, rest: states, size, largest: size, began, left: 0 }
    }

    /// Does the same for a part of a layer that other workers can cancel as well.
    #[cfg(feature = "timely")]
    pub(crate) fn of_part(clock: &'c Clock, states: &'s [T], size: usize) -> Self {
        Blocks { began: Some(Instant::now()), ..Self::new(clock, states, size) }
    }

    /// Returns the next block, and whether the clock was checked; or the reason to stop.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<(&'s [T], bool)>, Stop> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let is_checked = self.adapt() || self.left == 0;
        if is_checked {
            self.clock.check()?;
            self.left = POLL;
        }
        self.left -= 1;
        let block;
        (block, self.rest) = self.rest.split_at(self.size.min(self.rest.len()));
        Ok(Some((block, is_checked)))
    }

    /// Adapts the size of the next block to the time that the last one took, and returns whether
    /// that was long.
    fn adapt(&mut self) -> bool {
        let Some(began) = &mut self.began else { return false };
        let now = Instant::now();
        let is_slow = now - std::mem::replace(began, now) > SLOW;
        self.size = if is_slow { 1 } else { self.largest.min(2 * self.size) };
        is_slow
    }
}

/// The counters of the step from one layer to the next.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct StepCount {
    pub(crate) transitions: u64,
    pub(crate) merged: u64,
    pub(crate) dead_ends: u64,
    /// For each hook, the states that its `enter` dropped.
    pub(crate) entered: Vec<u64>,
}

impl StepCount {
    pub(crate) fn new(hooks: usize) -> Self {
        StepCount { transitions: 0, merged: 0, dead_ends: 0, entered: vec![0; hooks] }
    }

    pub(crate) fn add(&mut self, other: &StepCount) {
        self.transitions += other.transitions;
        self.merged += other.merged;
        self.dead_ends += other.dead_ends;
        for (into, from) in self.entered.iter_mut().zip(&other.entered) {
            *into += from;
        }
    }
}

/// The reason why a state could not be inserted into a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InsertError {
    /// The table reached its memory limit, or an allocation failed.
    Memory,
    /// The layer has as many states as are allowed, or as an index can number.
    States,
    /// The sweep has to stop.
    Stopped(Stop),
}

impl From<Stop> for InsertError {
    fn from(stop: Stop) -> Self {
        InsertError::Stopped(stop)
    }
}

impl From<InsertError> for Stop {
    fn from(error: InsertError) -> Stop {
        match error {
            InsertError::Memory => Stop::MemoryLimit,
            InsertError::States => Stop::StateLimit,
            InsertError::Stopped(stop) => stop,
        }
    }
}

/// The errors of a step so far. The flags are checked once per block, which keeps the checks out of
/// the hot loop. After an overflow the loop carries on. After an insertion error it ends, because
/// the layer may have no index.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepError {
    pub(crate) overflow: bool,
    pub(crate) insert: Option<InsertError>,
}

impl StepError {
    /// Returns the errors of both. Of two insertion errors, the first remains.
    pub(crate) fn or(self, other: StepError) -> StepError {
        StepError { overflow: self.overflow | other.overflow, insert: self.insert.or(other.insert) }
    }

    /// Returns the reason to stop, if there is an error. An overflow takes precedence, because the
    /// sweep can go on from it with wider numbers.
    pub(crate) fn check(self) -> Result<(), Stop> {
        match self.insert {
            _ if self.overflow => Err(Stop::CountOverflow),
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }
}
