//! The results of a comparison: [`Comparison`].

use secateurs::Effect;

use super::contender::Reference;
use super::measured::{Measured, Quantiles};

/// The results of one contender on all instances.
#[derive(Clone, Debug)]
pub struct Compared {
    pub(super) name: String,
    pub(super) references: Vec<Reference>,
    pub(super) runs: Vec<Measured>,
    /// The names of the tallies.
    pub(super) tallies: Vec<String>,
}

impl Compared {
    /// Returns the name of the contender.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the results by instance.
    #[must_use]
    pub fn runs(&self) -> &[Measured] {
        &self.runs
    }

    /// Returns what the cuts of its hooks preserve on all instances: the weakest effect of its
    /// runs.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.runs.iter().map(|run| run.report().effect()).max().unwrap_or(Effect::Preserving)
    }

    /// Returns the published figures that are shown next to the measured ones.
    #[must_use]
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// Returns the quantiles of the tree [sizes](Measured::size) over the instances. Where a size
    /// is unknown, because a run reached a limit and there is no reliable estimate, its [lower
    /// bound](Measured::at_least) is used. [`unknown_sizes`](Self::unknown_sizes) counts these
    /// instances.
    #[must_use]
    pub fn sizes(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().map(Measured::at_least))
    }

    /// Returns the number of instances whose tree size is unknown, even by a reliable estimate.
    #[must_use]
    pub fn unknown_sizes(&self) -> usize {
        self.runs.iter().filter(|run| run.size().is_none()).count()
    }

    /// Returns [`sizes`](Self::sizes) with unknown sizes treated as infinite. A quantile that both
    /// agree on is exact.
    pub(super) fn upper_sizes(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().map(|run| run.size().unwrap_or(f64::INFINITY)))
    }

    /// Returns the quantiles of the median times over the instances, in seconds. The time of a run
    /// that reached a limit is a lower bound.
    #[must_use]
    pub fn seconds(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().map(|run| run.seconds().median))
    }

    /// Returns [`seconds`](Self::seconds) with the times of limited runs treated as infinite. A
    /// quantile that both agree on is exact.
    pub(super) fn upper_seconds(&self) -> Option<Quantiles> {
        let time =
            |run: &Measured| if run.is_limited() { f64::INFINITY } else { run.seconds().median };
        Quantiles::of(self.runs.iter().map(time))
    }

    /// Returns the quantiles of the time per node over the instances, in nanoseconds.
    #[must_use]
    pub fn nanoseconds_per_node(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().map(Measured::nanoseconds_per_node))
    }

    /// Returns the quantiles of the peak memory in bytes, over the instances for which it is known.
    #[must_use]
    pub fn peak_bytes(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().filter_map(Measured::peak_bytes).map(|bytes| bytes as f64))
    }

    /// Returns the number of instances on which a run reached a limit, in any round.
    #[must_use]
    pub fn limited(&self) -> usize {
        self.runs.iter().filter(|run| run.is_limited()).count()
    }

    /// Returns the number of instances whose tree size is a reliable estimate.
    #[must_use]
    pub fn estimated(&self) -> usize {
        self.runs.iter().filter(|run| run.estimate_is_reliable() == Some(true)).count()
    }

    /// Returns the number of instances whose estimate is not reliable, so that their tree size is
    /// unknown.
    #[must_use]
    pub fn unreliably_estimated(&self) -> usize {
        self.runs.iter().filter(|run| run.estimate_is_reliable() == Some(false)).count()
    }

    /// Returns the number of instances on which the test of this [tally](super::Compare::tally)
    /// holds; `None` if there is no tally of this name.
    #[must_use]
    pub fn tally(&self, name: &str) -> Option<usize> {
        let index = self.tallies.iter().position(|known| known == name)?;
        Some(self.runs.iter().filter(|run| run.tallies[index]).count())
    }
}

/// The parameters of a comparison.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) title: Option<String>,
    /// An explanation of the tables.
    pub(super) note: Option<String>,
    pub(super) rounds: usize,
    /// Descriptions of the limits.
    pub(super) limits: Vec<String>,
    /// The names of the tallies.
    pub(super) tallies: Vec<String>,
    /// The planned number of instances, if the comparison was cancelled.
    pub(super) planned_if_cancelled: Option<usize>,
}

/// The results of a comparison, returned by [`Compare::run`](super::Compare::run).
///
/// `Display` prints aligned tables: a summary of each contender, its results on each instance if
/// there are few instances, and the cuts of each hook. [`section`](Comparison::section) returns a
/// single table, including those that `Display` omits. [`markdown`](Comparison::markdown) returns
/// Markdown. With the feature `pages` there are also `csv`, `json` and `html`.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub(super) setup: Setup,
    pub(super) instances: Vec<String>,
    pub(super) contenders: Vec<Compared>,
}

impl Comparison {
    /// Returns the title.
    #[must_use]
    pub fn title(&self) -> &str {
        self.setup.title.as_deref().unwrap_or("comparison")
    }

    /// Returns whether the comparison was cancelled. The instances on which not every contender was
    /// run are then missing, and so are later runs and estimates of the others.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.setup.planned_if_cancelled.is_some()
    }

    /// Returns the number of runs of each contender on each instance; the maximal number if the
    /// comparison was [cancelled](Self::is_cancelled).
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.setup.rounds
    }

    /// Returns the names of the instances.
    #[must_use]
    pub fn instances(&self) -> &[String] {
        &self.instances
    }

    /// Returns the contenders in the given order. The first is the base.
    #[must_use]
    pub fn contenders(&self) -> &[Compared] {
        &self.contenders
    }

    /// Returns the contender of this name.
    #[must_use]
    pub fn contender(&self, name: &str) -> Option<&Compared> {
        self.contenders.iter().find(|contender| contender.name == name)
    }

    /// Returns the names of the [tallies](super::Compare::tally).
    #[must_use]
    pub fn tallies(&self) -> &[String] {
        &self.setup.tallies
    }

    /// Returns the tree size of a contender relative to the base: the geometric mean of the ratios
    /// over the instances on which both sizes are known, possibly by a reliable estimate. `None` if
    /// there is no such instance.
    #[must_use]
    pub fn ratio(&self, contender: &Compared) -> Option<f64> {
        geometric_mean(self.size_ratios(contender))
    }

    pub(super) fn size_ratios(&self, contender: &Compared) -> impl Iterator<Item = f64> {
        let both = self.contenders[0].runs.iter().zip(&contender.runs);
        both.filter_map(|(base, own)| own.size_ratio(base))
    }

    /// Returns whether [`ratio`](Self::ratio) depends on an estimate.
    #[must_use]
    pub fn ratio_is_estimated(&self, contender: &Compared) -> bool {
        self.contenders.first().is_some_and(|base| base.estimated() > 0)
            || contender.estimated() > 0
    }

    /// Returns the time of a contender relative to the base: the geometric mean of the ratios over
    /// the instances on which neither reached a limit. `None` if there is no such instance.
    #[must_use]
    pub fn time_ratio(&self, contender: &Compared) -> Option<f64> {
        geometric_mean(self.time_ratios(contender))
    }

    pub(super) fn time_ratios(&self, contender: &Compared) -> impl Iterator<Item = f64> {
        let both = self.contenders[0].runs.iter().zip(&contender.runs);
        let unlimited = both.filter(|(base, own)| !base.is_limited() && !own.is_limited());
        unlimited.map(|(base, own)| own.time_ratio(base))
    }
}

/// Returns the geometric mean, or `None` if there are no numbers.
pub(super) fn geometric_mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for number in numbers {
        sum += number.max(f64::MIN_POSITIVE).ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}
