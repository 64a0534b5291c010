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
use crate::plug::algebra::{Counter, Counting, Feasible, Storable, Widen};
use crate::plug::executor::{InMemory, LayerAndCell, Question, SweepRun};
use crate::plug::layer::Shards;
use crate::plug::stats::{SweepProgress, SweepWatcher};
use crate::plug::step::{Clock, MAX_THREADS};
use crate::plug::sweep::Sweep;
use crate::plug::sweep::run::{accepted, execute_here, joined};
use crate::plug::sweep::widening::{Ladder, SweepIn, Swept, Types, UpTo128Bits, WideningSweep};

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
        let filter_bytes = filter.as_ref().map_or(0, DegreeFilter::held_bytes);
        let question = Question::count("Hamiltonian cycles", UpTo128Bits::TYPES);
        let (counted, mut report, _) = execute_here(sweep.settings, InMemory, &question, |run| {
            run.stats.set_retained_bytes(filter_bytes, 0)?;
            UpTo128Bits::climb(&mut HalfCount { run, image: &image }, None)
        });
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
    run: SweepRun<'a, 'p, HalfCycle, HalfHooks<'a>, InMemory>,
    image: &'a PositionMap,
}

impl WideningSweep for HalfCount<'_, '_> {
    type Layer<V> = LayerAndCell<DenseMates, V>;
}

impl<V: Counter + Copy + Into<u128>> SweepIn<V, u128> for HalfCount<'_, '_> {
    fn sweep(
        &mut self,
        layer: Option<Self::Layer<V>>,
    ) -> Result<Swept<Self::Layer<V>, u128>, Stop> {
        let image = self.image;
        self.run.count(layer, |run, layer| join(run, image, layer))
    }

    fn widen<W: Storable>(&mut self, layer: Self::Layer<V>) -> Result<Self::Layer<W>, Stop>
    where
        V: Widen<W>,
    {
        self.run.widen(layer)
    }
}

/// Joins the last layer of a half with its image.
fn join<V: Copy + Into<u128> + Send + Sync>(
    run: &mut SweepRun<'_, '_, HalfCycle, HalfHooks<'_>, InMemory>,
    image: &PositionMap,
    layer: Shards<DenseMates, V>,
) -> Result<u128, Stop> {
    let SweepRun { problem: half, hooks: (_, mirrored), stats, .. } = run;
    let (ends, states) = accepted(*half, stats.clock(), layer)?;
    let ends = joined(ends, 0, stats)?;
    let bytes = vec_bytes(&ends);
    let clock = stats.clock();
    let remaining_bytes = stats.max_bytes().saturating_sub(bytes);
    let (width, mirror) = (half.boundary().len(), mirrored.last());
    let joint = CycleJoint::new(width, image.clone(), mirror, (clock, remaining_bytes));
    let whole = join_within(&joint, ends, stats.threads(), (clock, joint.memory()));
    stats.record_accepted(states);
    stats.record_bytes(bytes.saturating_add(joint.memory().peak()));
    Ok(whole? / joint.copies())
}
