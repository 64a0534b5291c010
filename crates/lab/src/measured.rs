//! Results: the [`Trial`] of one run, [`Measured`] for one contender on one instance,
//! [`Quantiles`] of many numbers, and [`MemoryMeter`].

use std::fmt::{self, Display};
use std::time::Duration;

use secateurs::search::Estimate;
use secateurs::search::estimate::Estimated;
use secateurs::{Count, Found, Optimum, Outcome, Report, Stop, Total};

/// The answer of a run, as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Answer {
    /// An answer that is proven.
    Proven(String),
    /// A partial answer or a bound.
    Partial(String),
}

impl Answer {
    /// Returns the answer if it is proven.
    #[must_use]
    pub fn proven(&self) -> Option<&str> {
        match self {
            Answer::Proven(answer) => Some(answer),
            Answer::Partial(_) => None,
        }
    }

    /// Returns the text of the answer, proven or not.
    #[must_use]
    pub fn text(&self) -> &str {
        let (Answer::Proven(answer) | Answer::Partial(answer)) = self;
        answer
    }
}

impl Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// The result of one contender on one instance, made from the [`Outcome`] of a search or a sweep.
///
/// ```
/// use secateurs::Search;
/// use secateurs_lab::Trial;
/// use secateurs_problems::queens::{Effort, Queens};
///
/// let effort = Effort::new();
/// let queens = Queens::new(6)?.lookback().counting(&effort);
/// let trial = Trial::from(Search::new(&queens).count()).stat("pair tests", effort.pair_tests());
/// assert_eq!(trial.answer().proven(), Some("4"));
/// assert_eq!(trial.stats(), [("pair tests".to_owned(), 2016)]);
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trial {
    pub(super) answer: Answer,
    pub(super) report: Report,
    pub(super) stats: Vec<(String, u64)>,
}

impl Trial {
    /// Creates a trial from an answer that is not an [`Outcome`] of this crate, such as that of
    /// several runs together, with the sum of their reports.
    #[must_use]
    pub fn new(answer: Answer, report: Report) -> Self {
        Trial { answer, report, stats: Vec::new() }
    }

    /// Adds a statistic that only the contender knows, such as the number of squares tested. The
    /// [statistics of hooks](secateurs::Hook::stats) need not be added.
    #[must_use]
    pub fn stat(mut self, name: impl Into<String>, value: u64) -> Self {
        self.stats.push((name.into(), value));
        self
    }

    /// Returns the answer.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// Returns the report of the run.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Returns the statistics that were added.
    #[must_use]
    pub fn stats(&self) -> &[(String, u64)] {
        &self.stats
    }

    /// Returns whether the run reached a limit, so that the tree may have more nodes than were
    /// visited.
    pub(super) fn is_limited(&self) -> bool {
        !matches!(self.report.stop(), Stop::Exhausted | Stop::Satisfied)
    }
}

impl From<Outcome<Count>> for Trial {
    fn from(outcome: Outcome<Count>) -> Self {
        let answer = match (outcome.exact(), outcome.representatives()) {
            (Some(count), _) => Answer::Proven(count.to_string()),
            (None, Some(representatives)) => {
                Answer::Partial(format!("{representatives} representatives"))
            }
            (None, None) => Answer::Partial(format!("at least {}", outcome.at_least())),
        };
        Trial::new(answer, outcome.into_parts().1)
    }
}

impl<V: Display, T> From<Outcome<Optimum<V, T>>> for Trial {
    fn from(outcome: Outcome<Optimum<V, T>>) -> Self {
        let answer = match outcome.value() {
            Optimum::Proven { value, .. } => Answer::Proven(value.to_string()),
            Optimum::NoneBetter { value } => Answer::Partial(format!("none better than {value}")),
            Optimum::BestSoFar { value, .. } => Answer::Partial(format!("best so far {value}")),
            Optimum::Infeasible => Answer::Proven("none".to_owned()),
            Optimum::Unknown => Answer::Partial("unknown".to_owned()),
        };
        Trial::new(answer, outcome.into_parts().1)
    }
}

impl<T> From<Outcome<Found<T>>> for Trial {
    fn from(outcome: Outcome<Found<T>>) -> Self {
        let answer = match outcome.value() {
            Found::Solution(_) => Answer::Proven("some".to_owned()),
            Found::None => Answer::Proven("none".to_owned()),
            Found::Unknown => Answer::Partial("unknown".to_owned()),
        };
        Trial::new(answer, outcome.into_parts().1)
    }
}

impl<V: Display> From<Outcome<Total<V>>> for Trial {
    fn from(outcome: Outcome<Total<V>>) -> Self {
        let answer = match (outcome.total(), outcome.unproven()) {
            (Some(total), _) => Answer::Proven(total.to_string()),
            (None, _) if outcome.is_proven_empty() => Answer::Proven("none".to_owned()),
            (None, Some(sum)) => Answer::Partial(format!("unproven {sum}")),
            (None, None) => Answer::Partial("unknown".to_owned()),
        };
        Trial::new(answer, outcome.into_parts().1)
    }
}

/// The confidence level of lower bounds from estimates.
const CONFIDENCE: f64 = 0.95;

/// The estimated size of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizeEstimate {
    nodes: Estimated,
    is_reliable: bool,
    /// A lower bound of the size, with confidence [`CONFIDENCE`].
    at_least: Option<f64>,
}

impl SizeEstimate {
    /// Returns `None` if there is no estimate of the number of nodes.
    pub(super) fn new(estimate: &Estimate, knows_optimum: bool) -> Option<Self> {
        // If hooks compare with an incumbent and the estimate does not know the optimum, the tree
        // of the search may be smaller than the estimated one.
        let is_of_same_tree =
            estimate.left_out().next().is_none() && estimate.unlearned().next().is_none();
        let is_bound =
            is_of_same_tree && (knows_optimum || estimate.incumbent_hooks().next().is_none());
        Some(SizeEstimate {
            nodes: estimate.nodes()?,
            is_reliable: estimate.is_reliable(),
            at_least: estimate.at_least(CONFIDENCE).filter(|_| is_bound),
        })
    }

    /// Returns whether the search has already `visited` more nodes than were estimated.
    pub(super) fn is_refuted(&self, visited: u64) -> bool {
        self.nodes.mean < visited as f64
    }
}

/// The results of one contender on one instance.
#[derive(Clone, Debug)]
pub struct Measured {
    pub(super) trial: Trial,
    pub(super) times: Vec<Duration>,
    /// Whether a run of any round reached a limit.
    pub(super) is_limited: bool,
    /// The peak memory over all rounds, if there is a meter.
    pub(super) metered: Option<u64>,
    pub(super) estimate: Option<SizeEstimate>,
    /// For each tally, whether its test holds.
    pub(super) tallies: Vec<bool>,
}

impl Measured {
    pub(super) fn new(trial: Trial, time: Duration, metered: Option<u64>) -> Self {
        let is_limited = trial.is_limited();
        let times = vec![time];
        Measured { trial, times, is_limited, metered, estimate: None, tallies: Vec::new() }
    }

    /// Adds the run of a later round: only its time and memory, and whether it reached a limit.
    pub(super) fn repeat(&mut self, again: Measured) {
        self.times.extend(again.times);
        self.is_limited |= again.is_limited;
        self.metered = self.metered.max(again.metered);
    }

    /// Returns the answer.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.trial.answer
    }

    /// Returns the report of the first run.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.trial.report
    }

    /// Returns the number of visited nodes, or of states for a sweep. For a run that reached a
    /// limit, the tree may have more.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.trial.report.nodes()
    }

    /// Returns whether a run reached a limit, in any round: a complete run may have taken longer.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// Returns the estimated number of nodes, if the run reached a limit and its contender has an
    /// estimator.
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

    /// Returns the size of the tree: the number of visited nodes, or, if the first run reached a
    /// limit, a reliable estimate. `None` if there is neither.
    #[must_use]
    pub fn size(&self) -> Option<f64> {
        match self.estimate {
            _ if !self.trial.is_limited() => Some(self.nodes() as f64),
            Some(SizeEstimate { nodes, is_reliable: true, .. }) => Some(nodes.mean),
            _ => None,
        }
    }

    /// Returns the [size](Self::size) of the tree if it is known, and otherwise a lower bound: the
    /// number of visited nodes, or the [lower bound of the estimate](Estimate::at_least) with a
    /// confidence of 95 %, whichever is larger.
    #[must_use]
    pub fn at_least(&self) -> f64 {
        self.size().unwrap_or_else(|| self.lower_bound())
    }

    /// Returns the number of visited nodes, or the lower bound of the estimate, reliable or not, if
    /// that is larger.
    pub(super) fn lower_bound(&self) -> f64 {
        let bound = self.estimate.and_then(|estimate| estimate.at_least).unwrap_or(0.0);
        bound.max(self.nodes() as f64)
    }

    /// Returns the total number of cuts of all hooks.
    #[must_use]
    pub fn cuts(&self) -> u64 {
        self.trial.report.hooks().iter().map(|hook| hook.cuts()).sum()
    }

    /// Returns the statistics of the [trial](Trial::stat), followed by those of the
    /// [hooks](secateurs::Hook::stats), which are prefixed with the name of the hook, as in `memo:
    /// evictions`.
    pub fn stats(&self) -> impl Iterator<Item = (String, u64)> {
        let hooks = self.trial.report.hooks().iter();
        let of_hooks = hooks.flat_map(|hook| {
            hook.stats().iter().map(|(name, value)| (format!("{}: {name}", hook.name()), *value))
        });
        self.trial.stats.iter().cloned().chain(of_hooks)
    }

    /// Returns a statistic by its name.
    #[must_use]
    pub fn stat(&self, name: &str) -> Option<u64> {
        self.stats().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns the peak memory in bytes: the maximum over all rounds if there is a
    /// [meter](super::Compare::memory), and otherwise the peak size of the layers of a sweep.
    /// `None` for a search without a meter.
    #[must_use]
    pub fn peak_bytes(&self) -> Option<u64> {
        self.metered.or(self.trial.report.peak_bytes())
    }

    /// Returns the time of each run.
    #[must_use]
    pub fn times(&self) -> &[Duration] {
        &self.times
    }

    /// Returns the quantiles of the times of all runs, in seconds.
    #[must_use]
    pub fn seconds(&self) -> Quantiles {
        let seconds = self.times.iter().map(Duration::as_secs_f64);
        Quantiles::of(seconds).expect("there is at least one run")
    }

    /// Returns the time per node in nanoseconds: the median time divided by the number of visited
    /// nodes.
    #[must_use]
    pub fn nanoseconds_per_node(&self) -> f64 {
        1e9 * self.seconds().median / self.nodes().max(1) as f64
    }

    /// Returns the ratio of the sizes of the trees, if both are known.
    pub(super) fn size_ratio(&self, base: &Measured) -> Option<f64> {
        Some(self.size()? / base.size()?)
    }

    /// Returns the ratio of the median times.
    pub(super) fn time_ratio(&self, base: &Measured) -> f64 {
        self.seconds().median / base.seconds().median.max(f64::MIN_POSITIVE)
    }
}

/// Quantiles of a set of numbers.
///
/// A quantile between two of the numbers is interpolated linearly (definition 7 of Hyndman and Fan
/// 1996), so the median of two numbers is their mean.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(any(feature = "pages", feature = "serde"), derive(serde::Serialize))]
#[non_exhaustive]
pub struct Quantiles {
    /// The minimum.
    pub least: f64,
    /// The 25 % quantile.
    pub lower_quartile: f64,
    /// The 50 % quantile.
    pub median: f64,
    /// The 75 % quantile.
    pub upper_quartile: f64,
    /// The 90 % quantile.
    pub upper_decile: f64,
    /// The maximum.
    pub greatest: f64,
}

impl Quantiles {
    /// Returns the quantiles of some numbers, or `None` if there are none. No number may be a NaN.
    #[must_use]
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let at = |share: f64| {
            let position = share * last as f64;
            let (below, above) =
                (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
            // Interpolation from an infinite number gives a NaN: infinity minus infinity.
            if position.fract() == 0.0 || below.is_infinite() {
                below
            } else {
                below + (above - below) * position.fract()
            }
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

    /// Returns all of them, in ascending order.
    #[cfg(feature = "pages")]
    pub(crate) fn numbers(&self) -> [f64; 6] {
        let Quantiles { least, lower_quartile, median, upper_quartile, upper_decile, greatest } =
            *self;
        [least, lower_quartile, median, upper_quartile, upper_decile, greatest]
    }
}

/// A meter of the memory in use, which is [added to a comparison](super::Compare::memory), such as
/// an allocator that records its peak.
///
/// The lab has no meter of its own: a library cannot set the global allocator of the program that
/// uses it, and measuring slows down every allocation. With the crate `peak_alloc`, a meter takes a
/// few lines:
///
/// ```standalone_crate
/// use peak_alloc::PeakAlloc;
/// use secateurs::Search;
/// use secateurs_lab::{Compare, MemoryMeter, Contender};
/// use secateurs_problems::queens::{BitQueens, Queens};
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
///     let all = Contender::new("all", |queens: &BitQueens, limits| {
///         Search::new(queens).limits(limits).count()
///     });
///     let compare = Compare::of("6 queens", Queens::new(6)?.bits()).contender(all);
///     let comparison = compare.memory(Meter).run()?;
///     assert!(comparison.contenders()[0].runs()[0].peak_bytes() > Some(0));
///     Ok(())
/// }
/// ```
///
/// The [size of the layers](secateurs::Report::peak_bytes) of a [sweep](secateurs::plug::Sweep) is
/// known without a meter.
pub trait MemoryMeter {
    /// Returns the number of bytes in use now.
    fn current(&self) -> u64;

    /// Returns the peak number of bytes in use since the last
    /// [`reset_peak`](MemoryMeter::reset_peak).
    fn peak(&self) -> u64;

    /// Sets the peak to the number of bytes in use now.
    fn reset_peak(&self);
}

/// Calls `run`. Returns its value, and its peak memory minus the memory in use before it.
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
