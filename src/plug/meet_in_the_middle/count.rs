//! Counting Hamiltonian cycles by meeting in the middle: [`MeetInTheMiddle`].

use std::time::Duration;

use super::cycles::CycleJoint;
use super::degrees::{DegreeFilter, DegreesOnly};
use super::dense_mates::PositionMap;
use super::half::HalfCycle;
use super::joint::join_cancellable;
use super::mirror::Mirrored;
use super::split::MeetSplit;
use crate::clock::Instant;
use crate::limits::{Limits, Stop};
use crate::outcome::{Count, Outcome};
use crate::plug::algebra::{Counter, Counting, Feasible};
use crate::plug::stats::{SweepProgress, SweepWatcher};
use crate::plug::step::{Clock, MAX_THREADS};
use crate::plug::sweep::Sweep;
use crate::report::Report;

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
    /// Sets the limits, which are those of [a sweep](Sweep::limits). The memory limit is that of
    /// the two layers. The join takes the states of the last layer, which need no more than two
    /// layers did. A filter may take up to a quarter of the limit in addition. A limit of
    /// [nodes](Limits::nodes) applies to each sweep of the half with wider numbers separately.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the number of threads of the sweep and the join: 0 is treated as 1, and more than 128
    /// as 128.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.clamp(1, MAX_THREADS);
        self
    }

    /// Sets a callback for progress, called after a cell of the half sweep at about this interval.
    /// If the half is swept again with wider numbers, progress begins anew. The join comes after
    /// the last cell.
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
    /// The paths of the half are counted in 32 bits. If a number overflows, they are counted again
    /// in 64 bits, and then in 128.
    // Inlined so that its sweeps are compiled only by callers.
    #[inline]
    pub fn count(mut self) -> Outcome<Count> {
        let start = Instant::now();
        let half = self.split.half();
        let Some(image) = self.split.image_of(half.boundary()).map(PositionMap::new) else {
            // The boundary is too wide for any state: the sweep reports that in the cell where it
            // happens.
            let sweep = Sweep::new(&half).limits(self.limits).threads(self.threads);
            return Outcome::new(
                Count::swept(0),
                sweep.ends(&Counting::<u128>::new()).into_parts().1,
            );
        };
        let mirrored = Mirrored::new(&half);
        let live = self.live(&half, &mirrored, &image);
        let half_sweep =
            HalfSweep { half: &half, mirrored: &mirrored, live: live.as_ref(), image: &image };
        let mut counted = self.count_in::<u32>(&half_sweep, start);
        if counted.too_narrow {
            counted = self.count_in::<u64>(&half_sweep, start);
        }
        if counted.too_narrow {
            counted = self.count_in::<u128>(&half_sweep, start);
        }
        let HalfResult { count, mut report, .. } = counted;
        report.elapsed = start.elapsed();
        Outcome::new(Count::swept(count), report)
    }

    /// Makes the filter. Returns `None` if the boundary is too wide for a filter, if the filter
    /// needs more than a quarter of the memory limit, or if a limit stops its sweep. The count then
    /// runs without a filter.
    #[inline]
    fn live(
        &self,
        half: &HalfCycle,
        mirrored: &Mirrored,
        image: &PositionMap,
    ) -> Option<DegreeFilter> {
        if DegreeFilter::bytes(half)? > self.limits.max_bytes() / 4 {
            return None;
        }
        // If the filter drops most states, a layer of degrees may have more states than the
        // remaining layer.
        let states = self.limits.states.map(|states| states.saturating_mul(FILTER_STATES_FACTOR));
        let limits = Limits { nodes: None, depth: None, states, ..self.limits.clone() };
        let (degrees, clock) = (DegreesOnly(half), Clock::new(&limits));
        let sweep = Sweep::new(&degrees).hooks((mirrored,)).limits(limits).threads(self.threads);
        let (ends, report) = sweep.ends(&Feasible).into_parts();
        let ends: Vec<_> = ends.into_iter().map(|(degrees, ())| degrees).collect();
        report
            .stop()
            .is_exhausted()
            .then(|| DegreeFilter::new(half, &ends, image, mirrored.last(), &clock))
            .flatten()
    }

    /// Runs the half sweep with counters of type `V`, then the join.
    fn count_in<V: Counter + Copy + Into<u128>>(
        &mut self,
        half_sweep: &HalfSweep<'_>,
        start: Instant,
    ) -> HalfResult {
        let left = |limits: &Limits| Limits {
            time: limits.time.map(|time| time.saturating_sub(start.elapsed())),
            ..limits.clone()
        };
        let HalfSweep { half, mirrored, live, image } = *half_sweep;
        let mut sweep = Sweep::new(half)
            .hooks((live, mirrored))
            .limits(left(&self.limits))
            .threads(self.threads);
        if let Some(SweepWatcher { every, callback }) = &mut self.watcher {
            sweep = sweep.progress(*every, callback);
        }
        let (ends, mut report) = sweep.ends(&Counting::<V>::new()).into_parts();
        if !report.stop().is_exhausted() {
            return HalfResult {
                count: 0,
                too_narrow: report.stop() == Stop::CountOverflow,
                report,
            };
        }
        let clock = Clock::new(&left(&self.limits));
        let joint = CycleJoint::new(half.boundary().len(), image.clone(), mirrored.last(), &clock);
        let whole = join_cancellable(&joint, ends, self.threads, &clock);
        let count = whole.unwrap_or_else(|stop| {
            report.stop = stop;
            0
        });
        HalfResult { count: count / joint.copies(), too_narrow: false, report }
    }
}

/// The result of a half sweep and a join.
struct HalfResult {
    /// The count, or 0 if the report says that the run stopped.
    count: u128,
    /// Whether `V` was too narrow to count the paths of the half.
    too_narrow: bool,
    report: Report,
}

/// The data of a half sweep.
#[derive(Clone, Copy)]
struct HalfSweep<'a> {
    half: &'a HalfCycle,
    mirrored: &'a Mirrored,
    live: Option<&'a DegreeFilter>,
    image: &'a PositionMap,
}
