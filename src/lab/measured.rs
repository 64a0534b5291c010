//! One contender on one instance: [`Measured`].

use std::time::Duration;

use super::answer::{Answer, Trial};
use crate::report::Report;
use crate::search::Estimate;
use crate::search::estimate::Estimated;

/// The confidence in a lower bound that an estimate gives.
const CONFIDENCE: f64 = 0.95;

/// What an estimate says of the size of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizeEstimate {
    nodes: Estimated,
    is_reliable: bool,
    /// Holds with [`CONFIDENCE`].
    at_least: Option<f64>,
}

impl SizeEstimate {
    /// Returns `None` if nothing was estimated.
    pub(super) fn new(estimate: &Estimate, knows_optimum: bool) -> Option<Self> {
        // The tree of the search may be smaller than the one that was estimated.
        let is_bound = estimate.is_of_same_tree()
            && (knows_optimum || estimate.incumbent_hooks().next().is_none());
        Some(SizeEstimate {
            nodes: estimate.nodes()?,
            is_reliable: estimate.is_reliable(),
            at_least: estimate.at_least(CONFIDENCE).filter(|_| is_bound),
        })
    }

    /// Returns whether the tree was seen to be larger: `visited` nodes of it were visited.
    pub(super) fn is_refuted(&self, visited: u64) -> bool {
        self.nodes.mean < visited as f64
    }
}

/// One contender on one instance.
#[derive(Clone, Debug)]
pub struct Measured {
    pub(super) answer: Answer,
    pub(super) report: Report,
    pub(super) stats: Vec<(String, u64)>,
    pub(super) times: Vec<Duration>,
    pub(super) metered: Option<u64>,
    pub(super) estimate: Option<SizeEstimate>,
    /// Which of the tests of the tallies hold.
    pub(super) tallied: Vec<bool>,
}

impl Measured {
    pub(super) fn new(trial: Trial, time: Duration, metered: Option<u64>) -> Self {
        let Trial { answer, report, stats } = trial;
        Measured {
            answer,
            report,
            stats,
            times: vec![time],
            metered,
            estimate: None,
            tallied: Vec::new(),
        }
    }

    /// What it came to.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// The account of the first run.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Nodes that were visited; of a sweep, states. Of a run that came to a limit, fewer than there
    /// are.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.report.nodes()
    }

    /// Whether the run came to a limit, so that there may be more nodes than were visited.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        !matches!(self.report.stop(), crate::Stop::Exhausted | crate::Stop::Satisfied)
    }

    /// The estimated number of nodes, of a run that came to a limit and whose contender can be
    /// estimated.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimated> {
        self.estimate.map(|estimate| estimate.nodes)
    }

    /// Returns whether the [estimate](Self::estimate) is [reliable](Estimate::is_reliable); `None`
    /// if there is none.
    #[must_use]
    pub fn estimate_is_reliable(&self) -> Option<bool> {
        self.estimate.map(|estimate| estimate.is_reliable)
    }

    /// Nodes, or a reliable estimate of them if the run came to a limit; `None` if they are not
    /// known.
    #[must_use]
    pub fn size(&self) -> Option<f64> {
        match self.estimate {
            _ if !self.is_limited() => Some(self.nodes() as f64),
            Some(SizeEstimate { nodes, is_reliable: true, .. }) => Some(nodes.mean),
            _ => None,
        }
    }

    /// The [size](Self::size) of the tree if it is known, else a lower bound of it: the nodes
    /// visited, or the number that the tree has [at least](Estimate::at_least) with a confidence of
    /// 95 %, whichever is larger.
    #[must_use]
    pub fn at_least(&self) -> f64 {
        let bound = self.estimate.and_then(|estimate| estimate.at_least).unwrap_or(0.0);
        self.size().unwrap_or(bound.max(self.nodes() as f64))
    }

    /// Cuts of all hooks together.
    #[must_use]
    pub fn cuts(&self) -> u64 {
        self.report.hooks().iter().map(|hook| hook.cuts()).sum()
    }

    /// Figures beside nodes and cuts: those of the [trial](Trial::stat), and those of the
    /// [hooks](crate::Hook::stats) with the name of the hook before them, as in `memo: evictions`.
    pub fn stats(&self) -> impl Iterator<Item = (String, u64)> {
        let hooks = self.report.hooks().iter();
        let of_hooks = hooks.flat_map(|hook| {
            hook.stats().iter().map(|(name, value)| (format!("{}: {name}", hook.name()), *value))
        });
        self.stats.iter().cloned().chain(of_hooks)
    }

    /// A figure by its name.
    #[must_use]
    pub fn stat(&self, name: &str) -> Option<u64> {
        self.stats().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The most bytes in use at a time: by the [meter](super::Compare::memory) if there was one,
    /// the most of all rounds; else those of the layers of a sweep. `None` of a search without a
    /// meter.
    #[must_use]
    pub fn peak_bytes(&self) -> Option<u64> {
        self.metered.or(self.report.peak_bytes())
    }

    /// How long each run took.
    #[must_use]
    pub fn times(&self) -> &[Duration] {
        &self.times
    }

    /// How long a run took: the median over all, in seconds, with the quartiles for its spread.
    #[must_use]
    pub fn seconds(&self) -> Quantiles {
        let seconds = self.times.iter().map(Duration::as_secs_f64);
        match Quantiles::of(seconds) {
            Some(seconds) => seconds,
            None => unreachable!("there is at least one run"),
        }
    }

    /// Time a node, in nanoseconds: the median time by the nodes visited.
    #[must_use]
    pub fn nanoseconds_a_node(&self) -> f64 {
        1e9 * self.seconds().median / self.nodes().max(1) as f64
    }
}

/// The least, the quartiles and the greatest of some numbers.
///
/// A quantile between two of the numbers is interpolated between them (definition 7 of Hyndman and
/// Fan 1996), so the median of two is their mean.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(any(feature = "pages", feature = "serde"), derive(serde::Serialize))]
#[non_exhaustive]
pub struct Quantiles {
    /// The least.
    pub least: f64,
    /// A quarter is no greater.
    pub lower_quartile: f64,
    /// Half is no greater.
    pub median: f64,
    /// A quarter is no less.
    pub upper_quartile: f64,
    /// A tenth is no less.
    pub upper_decile: f64,
    /// The greatest.
    pub greatest: f64,
}

impl Quantiles {
    /// Of some numbers, none of which is a NaN; `None` of none.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let at = |share: f64| {
            let place = share * last as f64;
            let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
            // Not beside an infinite one, nor between two: that would be no number.
            if place.fract() == 0.0 { below } else { below + (above - below) * place.fract() }
        };
        Some(Quantiles {
            least: at(0.0),
            lower_quartile: at(0.25),
            median: at(0.5),
            upper_quartile: at(0.75),
            upper_decile: at(0.9),
            greatest: at(1.0),
        })
    }
}

/// A meter of the memory in use, to be [plugged into a comparison](super::Compare::memory): an
/// allocator that keeps its peak.
///
/// A crate cannot set the allocator of the program that uses it, and measuring costs every
/// allocation a little; so the lab has none of its own. In a program of yours it takes three lines,
/// here with the crate `peak_alloc`:
///
/// ```standalone_crate
/// use peak_alloc::PeakAlloc;
/// use secateurs::lab::{Compare, MemoryMeter, Contender};
/// use secateurs::problems::queens::{BitQueens, Queens};
/// use secateurs::Search;
///
/// #[global_allocator]
/// static PEAK: PeakAlloc = PeakAlloc;
///
/// struct Meter;
///
/// impl MemoryMeter for Meter {
///     fn current(&self) -> u64 { PEAK.current_usage() as u64 }
///     fn peak(&self) -> u64 { PEAK.peak_usage() as u64 }
///     fn reset_peak(&self) { PEAK.reset_peak_usage() }
/// }
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     let all = Contender::new("all", |queens: &BitQueens, limits| Search::new(queens).limits(limits).count());
///     let compare = Compare::of("6 queens", Queens::new(6)?.bits()).contender(all);
///     let comparison = compare.memory(Meter).run()?;
///     assert!(comparison.contenders()[0].runs()[0].peak_bytes() > Some(0));
///     Ok(())
/// }
/// ```
///
/// Of a [sweep](crate::plug::Sweep) the [bytes of its layers](crate::Report::peak_bytes) are known
/// without a meter.
pub trait MemoryMeter {
    /// Bytes in use now.
    fn current(&self) -> u64;

    /// The most bytes that have been in use since [`reset_peak`](MemoryMeter::reset_peak).
    fn peak(&self) -> u64;

    /// Begins anew: what is in use now is the peak from now on.
    fn reset_peak(&self);
}

/// What `run` gives, and the most bytes that it had in use beside those that were before.
pub(super) fn metered<T>(
    meter: Option<&dyn MemoryMeter>,
    run: impl FnOnce() -> T,
) -> (T, Option<u64>) {
    let Some(meter) = meter else { return (run(), None) };
    meter.reset_peak();
    let before = meter.current();
    let value = run();
    (value, Some(meter.peak().saturating_sub(before)))
}
