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
/// The number of blocks of states, or of other small batches of work, between two checks of the
/// clock, unless steps are expensive.
pub(crate) const POLL: usize = 16;
/// A block that takes longer than this is too large. If the last check of the clock is longer ago
/// than this, the next check is due.
const SLOW: Duration = Duration::from_millis(1);
/// The number of states that are summed up or copied between two checks of the clock.
pub(crate) const POLL_STATES: usize = 1 << 14;

/// The parts of a sweep that do not change while it runs.
#[expect(missing_debug_implementations, reason = "other crates cannot name it")]
pub struct Task<'a, P, H, A> {
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

/// The start of a run together with its time limit and cancel switch; shared by its threads.
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

/// Divides the states of a layer into blocks, and checks the clock between two blocks: every
/// [`POLL`] blocks, and every millisecond if steps are expensive.
pub(crate) struct Blocks<'c, 's, T> {
    clock: &'c Clock,
    remaining: &'s [T],
    /// The number of states of the last block, or of the next one after [`adapt`](Self::adapt). If
    /// blocks are timed, it is 0 before the first block.
    size: usize,
    max_size: usize,
    /// The number of blocks until the clock is checked, however little time they take.
    blocks_until_check: usize,
    /// Present if a time limit, a cancellation or another worker can stop the step.
    times: Option<Times>,
}

/// The times by which [`Blocks`] notices that steps are expensive.
struct Times {
    block_began: Instant,
    /// When a check of the clock was last due because of the time. Checks after [`POLL`] blocks do
    /// not change it, so a check may come early but never late.
    last_due: Instant,
}

impl<'c, 's, T> Blocks<'c, 's, T> {
    /// Divides `states` into blocks of `max_size` states, or fewer while steps are expensive.
    pub(crate) fn new(clock: &'c Clock, states: &'s [T], max_size: usize) -> Self {
        Self::timed_if(clock.can_stop(), clock, states, max_size)
    }

    /// Divides a part of a layer in the same way. Another worker can cancel the layer, even if this
    /// run has neither a time limit nor a cancel switch.
    #[cfg(feature = "timely")]
    pub(crate) fn of_part(clock: &'c Clock, states: &'s [T], max_size: usize) -> Self {
        Self::timed_if(true, clock, states, max_size)
    }

    fn timed_if(is_timed: bool, clock: &'c Clock, states: &'s [T], max_size: usize) -> Self {
        let times = is_timed.then(|| {
            let now = Instant::now();
            Times { block_began: now, last_due: now }
        });
        // The first steps of a layer may be expensive.
        let size = if is_timed { 0 } else { max_size };
        Blocks { clock, remaining: states, size, max_size, blocks_until_check: 0, times }
    }

    /// Returns the next block, and whether the clock was checked; or the reason to stop.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<(&'s [T], bool)>, Stop> {
        if self.remaining.is_empty() {
            return Ok(None);
        }
        let is_checked = self.adapt() || self.blocks_until_check == 0;
        if is_checked {
            self.clock.check()?;
            self.blocks_until_check = POLL;
        }
        self.blocks_until_check -= 1;
        let block;
        (block, self.remaining) = self.remaining.split_at(self.size.min(self.remaining.len()));
        Ok(Some((block, is_checked)))
    }

    /// Adapts the size of the next block to the time since the last one began, and returns whether
    /// a check of the clock is due.
    ///
    /// The time includes what the caller does between two blocks, such as merging the states of
    /// other threads. That only makes blocks smaller than they might be.
    fn adapt(&mut self) -> bool {
        let Some(Times { block_began, last_due }) = &mut self.times else { return false };
        let now = Instant::now();
        let is_slow = now - std::mem::replace(block_began, now) > SLOW;
        self.size = if is_slow { 1 } else { (2 * self.size).clamp(1, self.max_size) };
        let is_due = now - *last_due > SLOW;
        if is_due {
            *last_due = now;
        }
        is_due
    }
}

/// The counters of the step from one layer to the next.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct StepCount {
    pub(crate) transitions: u64,
    pub(crate) merged: u64,
    pub(crate) dead_ends: u64,
    /// For each hook, the number of states that its `enter` dropped.
    pub(crate) dropped_by_enter: Vec<u64>,
}

impl StepCount {
    pub(crate) fn new(hooks: usize) -> Self {
        StepCount { transitions: 0, merged: 0, dead_ends: 0, dropped_by_enter: vec![0; hooks] }
    }

    pub(crate) fn add(&mut self, other: &StepCount) {
        self.transitions += other.transitions;
        self.merged += other.merged;
        self.dead_ends += other.dead_ends;
        for (into, from) in self.dropped_by_enter.iter_mut().zip(&other.dropped_by_enter) {
            *into += from;
        }
    }
}

/// The errors of a step so far. The flags are checked once per block, which keeps the checks out of
/// the hot loop. After an overflow the loop carries on. After an insertion error it ends, because
/// a layer that fails to grow may have lost its index.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepError {
    pub(crate) overflow: bool,
    /// The reason why a state could not be inserted.
    pub(crate) insert: Option<Stop>,
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
            Some(stop) => Err(stop),
            None => Ok(()),
        }
    }
}
