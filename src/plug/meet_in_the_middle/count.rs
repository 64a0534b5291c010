//! Counting Hamiltonian cycles by meeting in the middle: [`MeetInTheMiddle`].

use std::time::Duration;

use super::cycles::CycleJoint;
use super::dense_mates::{DenseMates, PositionMap};
use super::half::HalfCycle;
use super::half_hooks::{DegreeFilter, DegreesOnly, Mirrored};
use super::joint::join_within;
use super::split::MeetSplit;
use crate::clock::Instant;
use crate::limits::{Limits, Stop, thread_count};
use crate::memory::vec_bytes;
use crate::outcome::{Count, Outcome};
use crate::plug::algebra::{Counter, Counting, Feasible};
use crate::plug::contour_problem::ContourProblem;
use crate::plug::executor::Sweeper;
use crate::plug::layer::{Shards, count_bytes, first_layer};
use crate::plug::stats::{SweepProgress, SweepStats, SweepWatcher};
use crate::plug::step::{Clock, MAX_THREADS, Task};
use crate::plug::sweep::Sweep;
use crate::plug::sweep::questions::widen;
use crate::plug::sweep::run::{Local, Unsaved, accepted, joined};
use crate::plug::sweep::widening::{Ladder, SweepIn, Swept, UpTo128Bits, WideningSweep};
use crate::plug::widen::Widen;

impl MeetSplit {
    /// Prepares a count of the Hamiltonian cycles of the graph by sweeping the near half and
    /// joining it with its image.
    pub fn cycles(&self) -> MeetInTheMiddle<'_> {
        MeetInTheMiddle { split: self, limits: Limits::new(), threads: 1, watcher: None }
    }
}

/// The factor by which the state limit is raised for the sweep that builds the filter.
const FILTER_STATES_FACTOR: u64 = 8;

/// The builder of a count of Hamiltonian cycles by meeting in the middle. Made by
/// [`MeetSplit::cycles`].
#[derive(Debug)]
#[must_use = "nothing is counted until `count` is called"]
pub struct MeetInTheMiddle<'a> {
    split: &'a MeetSplit,
    limits: Limits,
    threads: usize,
    watcher: Option<SweepWatcher<'a>>,
}

impl<'a> MeetInTheMiddle<'a> {
    /// Sets the limits, which are those of [a sweep](Sweep::limits). The memory limit includes the
    /// filter, which takes up to a quarter of it, and the tables of the join. Nodes are the states
    /// of the half; those of the smaller sweep that makes the filter do not count.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of threads of the sweep and the join, 1 by default. 0 stands for the number
    /// of threads that the machine runs in parallel; numbers above 128 are reduced to 128.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = thread_count(threads, MAX_THREADS);
        self
    }

    /// Sets a callback for progress, called after a cell of the half sweep at about this interval.
    /// There are no calls during the join, which follows the last cell.
    pub fn progress(
        mut self,
        every: Duration,
        callback: impl FnMut(&SweepProgress) + Send + 'a,
    ) -> Self {
        self.watcher = Some(SweepWatcher { every, callback: Box::new(callback) });
        self
    }

    /// Counts the Hamiltonian cycles exactly; they are undirected, so that a cycle counts once. The
    /// report is that of the half sweep, with the time of the whole count.
    ///
    /// The paths of the half are counted in 64 bits. If a number overflows, the rest of the half is
    /// swept in 128 bits.
    // Inlined so that its sweeps are compiled only by callers.
    #[inline]
    pub fn count(self) -> Outcome<Count> {
        let start = Instant::now();
        let half = self.split.half();
        let Some(image) = self.split.image_of(half.boundary()).map(PositionMap::new) else {
            // The boundary is too wide for any state. The sweep stops with that reason at the first
            // cell with a frontier that is too wide.
            let sweep = Sweep::new(&half).limits(self.limits).threads(self.threads);
            return Outcome::new(
                Count::swept(0),
                sweep.ends(&Counting::<u128>::new()).into_parts().1,
            );
        };
        let mirrored = Mirrored::new(&half);
        let filter = self.degree_filter(&half, &mirrored, &image);
        let remaining_time = self.limits.time.map(|time| time.saturating_sub(start.elapsed()));
        let mut sweep = Sweep::new(&half)
            .hooks((filter.as_ref(), &mirrored))
            .limits(Limits { time: remaining_time, ..self.limits })
            .threads(self.threads);
        if let Some(SweepWatcher { every, callback }) = self.watcher {
            sweep = sweep.progress(every, callback);
        }
        let (half, hooks, threads, mut stats) = sweep.settings.start();
        let filter_bytes = filter.as_ref().map_or(0, DegreeFilter::held_bytes);
        let counted = stats.set_retained_bytes(filter_bytes, 0).and_then(|()| {
            let sweeper = Local { saver: Unsaved, threads };
            let mut count = HalfCount { half, hooks, image: &image, stats: &mut stats, sweeper };
            UpTo128Bits::climb(&mut count, None)
        });
        let stop = counted.err().unwrap_or(Stop::Exhausted);
        let mut report = stats.into_report(stop, false);
        report.elapsed = start.elapsed();
        Outcome::new(Count::swept(counted.unwrap_or(0)), report)
    }

    /// Makes the filter. Returns `None` if the boundary is too wide for a filter, if the filter
    /// needs more than a quarter of the memory limit, or if a limit stops its sweep. The count then
    /// runs without a filter.
    #[inline]
    fn degree_filter(
        &self,
        half: &HalfCycle,
        mirrored: &Mirrored,
        image: &PositionMap,
    ) -> Option<DegreeFilter> {
        if DegreeFilter::bytes(half)? > self.limits.max_bytes() / 4 {
            return None;
        }
        // The sweep that makes the filter has no filter itself. If the filter drops most states,
        // this sweep may therefore have larger layers than the half sweep.
        let states = self.limits.states.map(|states| states.saturating_mul(FILTER_STATES_FACTOR));
        let limits = Limits { nodes: None, depth: None, states, ..self.limits.clone() };
        let (degrees, clock) = (DegreesOnly(half), Clock::new(&limits));
        let sweep = Sweep::new(&degrees).hooks((mirrored,)).limits(limits).threads(self.threads);
        let (ends, report) = sweep.ends(&Feasible).into_parts();
        let used = vec_bytes(&ends).saturating_add(DegreeFilter::bytes(half)?);
        let remaining_bytes = self.limits.max_bytes().saturating_sub(used);
        report
            .stop()
            .is_exhausted()
            .then(|| {
                DegreeFilter::new(half, &ends, image, mirrored.last(), (&clock, remaining_bytes))
            })
            .flatten()
    }
}

/// The hooks of the half sweep: the filter, if there is one, and the mirror.
type HalfHooks<'a> = (Option<&'a DegreeFilter>, &'a Mirrored);

/// A half sweep followed by the join. Its numbers are widened like those of any count.
struct HalfCount<'a, 'p> {
    half: &'a HalfCycle,
    hooks: HalfHooks<'a>,
    image: &'a PositionMap,
    stats: &'a mut SweepStats<'p>,
    sweeper: Local<Unsaved>,
}

impl HalfCount<'_, '_> {
    /// Joins the last layer with its image.
    fn join<V: Copy + Into<u128> + Send + Sync>(
        &mut self,
        layer: Shards<DenseMates, V>,
    ) -> Result<u128, Stop> {
        let (ends, states) = accepted(self.half, self.stats.clock(), layer)?;
        let ends = joined(ends, 0, self.stats)?;
        let bytes = vec_bytes(&ends);
        let clock = self.stats.clock();
        let remaining_bytes = self.stats.max_bytes().saturating_sub(bytes);
        let (width, mirror) = (self.half.boundary().len(), self.hooks.1.last());
        let joint = CycleJoint::new(width, self.image.clone(), mirror, (clock, remaining_bytes));
        let whole = join_within(&joint, ends, self.sweeper.threads, (clock, joint.memory()));
        self.stats.record_accepted(states);
        self.stats.record_bytes(bytes.saturating_add(joint.memory().peak()));
        Ok(whole? / joint.copies())
    }
}

impl WideningSweep for HalfCount<'_, '_> {
    /// A complete layer, and the next cell.
    type Layer<V> = (Shards<DenseMates, V>, usize);
}

impl<V: Counter + Copy + Into<u128>> SweepIn<V, u128> for HalfCount<'_, '_> {
    fn set_width(&mut self) {}

    fn begin(&mut self) -> Result<Option<Self::Layer<V>>, Stop> {
        Ok(Some((first_layer(self.half.start(), V::one(), self.sweeper.threads), 0)))
    }

    fn sweep(
        &mut self,
        (mut layer, cell): Self::Layer<V>,
    ) -> Result<Swept<Self::Layer<V>, u128>, Stop> {
        let (problem, hooks) = (self.half, &self.hooks);
        let task = Task { problem, hooks, algebra: &Counting::<V>::new() };
        match self.sweeper.sweep(task, self.stats, &mut layer, cell) {
            Ok(()) => self.join(layer).map(Swept::Total),
            Err((cell, Stop::CountOverflow)) => Ok(Swept::TooNarrow((layer, cell))),
            Err((_, stop)) => Err(stop),
        }
    }

    fn widen<W: Counter>(&mut self, (layer, cell): Self::Layer<V>) -> Result<Self::Layer<W>, Stop>
    where
        V: Widen<W>,
    {
        self.stats.at_complete_layer();
        let mut bytes = count_bytes(&layer);
        let wider = widen(&layer, self.stats.max_bytes(), &mut bytes, self.stats.clock());
        self.stats.record_bytes(bytes);
        Ok((wider?, cell))
    }
}
