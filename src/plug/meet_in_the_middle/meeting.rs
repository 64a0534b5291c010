//! The whole of it: [`MeetInTheMiddle`].

use std::time::Duration;

use super::cycles::CycleJoint;
use super::degrees::{DegreesOnly, Live};
use super::half::HalfCycle;
use super::joint::join_in_time;
use super::loose_ends::PositionMap;
use super::mirror::Mirrored;
use super::split::MeetSplit;
use crate::clock::Instant;
use crate::limits::{Limits, Stop};
use crate::outcome::{Count, Outcome};
use crate::plug::algebra::{Counter, Counting, Feasible};
use crate::plug::stats::SweepProgress;
use crate::plug::step::Clock;
use crate::plug::step::MAX_THREADS;
use crate::plug::sweep::Sweep;
use crate::report::Report;

impl MeetSplit {
    /// The Hamiltonian cycles of the graph, to be counted by sweeping the near half and joining it
    /// with its image.
    pub fn cycles(&self) -> MeetInTheMiddle<'_> {
        MeetInTheMiddle { split: self, limits: Limits::new(), threads: 1, watcher: None }
    }
}

/// The sweep that makes the filter may have so many times as many states in a layer as the limit
/// says.
const SPARE: u64 = 8;

/// How often, and whom, to tell how it goes.
type Watcher<'a> = (Duration, Box<dyn FnMut(&SweepProgress) + Send + 'a>);

/// A count of Hamiltonian cycles by meeting in the middle that is being set up. [`MeetSplit::cycles`]
/// makes it.
#[must_use = "nothing is counted until `count` is called"]
pub struct MeetInTheMiddle<'a> {
    split: &'a MeetSplit,
    limits: Limits,
    threads: usize,
    watcher: Option<Watcher<'a>>,
}

impl std::fmt::Debug for MeetInTheMiddle<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MeetInTheMiddle")
            .field("limits", &self.limits)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl<'a> MeetInTheMiddle<'a> {
    /// Stops at the given limits, which are those of [a sweep](Sweep::limits). That of memory is
    /// one of the two layers; the states of the last layer, handed over to be joined, take no more
    /// than two layers did, and a filter may take up to a quarter of the limit besides.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sweeps and joins in so many threads (0 counts as 1, and more than 128 as 128).
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.clamp(1, MAX_THREADS);
        self
    }

    /// Calls `callback` after a cell of the half sweep, about every so often. The join comes after
    /// the last one.
    pub fn progress(
        mut self,
        every: Duration,
        callback: impl FnMut(&SweepProgress) + Send + 'a,
    ) -> Self {
        self.watcher = Some((every, Box::new(callback)));
        self
    }

    /// How many Hamiltonian cycles there are (undirected: a cycle counts once), exactly. The report
    /// is that of the half sweep, with the time of all.
    ///
    /// Ways of the half are counted in 32 bits, if these turn out to be too few in 64, and then in
    /// 128.
    // Inlined so that its sweeps are compiled only for those who call it.
    #[inline]
    pub fn count(mut self) -> Outcome<Count> {
        let start = Instant::now();
        let half = self.split.half();
        let Some(image) = self.split.image_of(half.boundary()).map(PositionMap::new) else {
            // Too wide for any state: the sweep will say so, where it comes to it.
            let sweep = Sweep::new(&half).limits(self.limits).threads(self.threads);
            return Outcome::new(
                Count::swept(0),
                sweep.ends(&Counting::<u128>::new()).into_parts().1,
            );
        };
        let mirrored = Mirrored::new(&half);
        let live = self.live(&half, &mirrored, &image);
        let tools = Tools { half: &half, mirrored: &mirrored, live: live.as_ref(), image: &image };
        let mut counted = self.count_in::<u32>(&tools, start);
        if counted.too_narrow {
            counted = self.count_in::<u64>(&tools, start);
        }
        if counted.too_narrow {
            counted = self.count_in::<u128>(&tools, start);
        }
        let Counted { count, mut report, .. } = counted;
        report.elapsed = start.elapsed();
        Outcome::new(Count::swept(count), report)
    }

    /// The filter, unless the boundary is too wide for it, or a limit is in the way, which the
    /// sweep will come to as well.
    #[inline]
    fn live(&self, half: &HalfCycle, mirrored: &Mirrored, image: &PositionMap) -> Option<Live> {
        if Live::bytes(half)? > self.limits.max_bytes() / 4 {
            return None;
        }
        // Where the filter will drop most states, a layer of degrees may have more of them than the
        // layer that is left.
        let states = self.limits.states.map(|states| states.saturating_mul(SPARE));
        let limits = Limits { nodes: None, depth: None, states, ..self.limits.clone() };
        let (degrees, clock) = (DegreesOnly(half), Clock::new(&limits));
        let sweep = Sweep::new(&degrees).hooks((mirrored,)).limits(limits).threads(self.threads);
        let (ends, report) = sweep.ends(&Feasible).into_parts();
        let ends: Vec<_> = ends.into_iter().map(|(degrees, ())| degrees).collect();
        report
            .stop()
            .is_exhausted()
            .then(|| Live::new(half, &ends, image, mirrored.last(), &clock))
            .flatten()
    }

    /// The count, with ways of the half counted in `V`.
    fn count_in<V: Counter + Copy + Into<u128>>(
        &mut self,
        tools: &Tools<'_>,
        start: Instant,
    ) -> Counted {
        let left = |limits: &Limits| Limits {
            time: limits.time.map(|time| time.saturating_sub(start.elapsed())),
            ..limits.clone()
        };
        let Tools { half, mirrored, live, image } = *tools;
        let mut sweep = Sweep::new(half)
            .hooks((live, mirrored))
            .limits(left(&self.limits))
            .threads(self.threads);
        if let Some((every, callback)) = &mut self.watcher {
            sweep = sweep.progress(*every, callback);
        }
        let (ends, mut report) = sweep.ends(&Counting::<V>::new()).into_parts();
        if !report.stop().is_exhausted() {
            return Counted { count: 0, too_narrow: report.stop() == Stop::CountOverflow, report };
        }
        let clock = Clock::new(&left(&self.limits));
        let joint = CycleJoint::new(half.boundary().len(), image.clone(), mirrored.last(), &clock);
        let whole = join_in_time(&joint, ends, self.threads, &clock);
        let count = whole.unwrap_or_else(|stop| {
            report.stop = stop;
            0
        });
        Counted { count: count / joint.copies(), too_narrow: false, report }
    }
}

/// What a half sweep and a join came to.
struct Counted {
    /// 0 if the report says that it has stopped.
    count: u128,
    /// Whether numbers were too narrow to count the ways of the half.
    too_narrow: bool,
    report: Report,
}

/// What a half sweep needs.
#[derive(Clone, Copy)]
struct Tools<'a> {
    half: &'a HalfCycle,
    mirrored: &'a Mirrored,
    live: Option<&'a Live>,
    image: &'a PositionMap,
}
