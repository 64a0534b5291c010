//! What a comparison came to: [`Comparison`].

use super::measured::{Measured, Quantiles};
use super::reference::Reference;
use crate::hook::Effect;

/// One contender on all instances.
#[derive(Clone, Debug)]
pub struct Compared {
    pub(super) name: String,
    pub(super) references: Vec<Reference>,
    pub(super) runs: Vec<Measured>,
    /// The names of the tallies.
    pub(super) tallies: Vec<String>,
}

impl Compared {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it came to, instance by instance.
    #[must_use]
    pub fn runs(&self) -> &[Measured] {
        &self.runs
    }

    /// What its hooks' cuts preserve, on all instances.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.runs.iter().map(|run| run.report().effect()).max().unwrap_or(Effect::Preserving)
    }

    /// Figures from elsewhere.
    #[must_use]
    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// [Sizes](Measured::size) over the instances. Where one is not known, as a run came to a limit
    /// and there is no reliable estimate, its [lower bound](Measured::at_least) counts, and
    /// [`unknown_sizes`](Self::unknown_sizes) says of how many instances.
    #[must_use]
    pub fn sizes(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().map(Measured::at_least))
    }

    /// Of how many instances the size is not known, not even by a reliable estimate.
    #[must_use]
    pub fn unknown_sizes(&self) -> usize {
        self.runs.iter().filter(|run| run.size().is_none()).count()
    }

    /// [`sizes`](Self::sizes) with those that are not known taken for infinite: a quantile that is
    /// the same is exact.
    pub(super) fn greatest_sizes(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().map(|run| run.size().unwrap_or(f64::INFINITY)))
    }

    /// Median times over the instances, in seconds. A run that came to a limit would have taken
    /// longer.
    #[must_use]
    pub fn seconds(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().map(|run| run.seconds().median))
    }

    /// [`seconds`](Self::seconds) with those of runs that came to a limit taken for infinite: a
    /// quantile that is the same is one of whole runs.
    pub(super) fn greatest_seconds(&self) -> Option<Quantiles> {
        let whole =
            |run: &Measured| if run.is_limited() { f64::INFINITY } else { run.seconds().median };
        Quantiles::of(self.runs.iter().map(whole))
    }

    /// Time a node over the instances, in nanoseconds.
    #[must_use]
    pub fn nanoseconds_a_node(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().map(Measured::nanoseconds_a_node))
    }

    /// The most bytes in use over the instances of which that is known.
    #[must_use]
    pub fn peak_bytes(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().filter_map(Measured::peak_bytes).map(|bytes| bytes as f64))
    }

    /// Of how many instances the run came to a limit.
    #[must_use]
    pub fn limited(&self) -> usize {
        self.runs.iter().filter(|run| run.is_limited()).count()
    }

    /// Of how many instances the size is a reliable estimate.
    #[must_use]
    pub fn estimated(&self) -> usize {
        self.runs.iter().filter(|run| run.estimate_is_reliable() == Some(true)).count()
    }

    /// Of how many instances there is an estimate, but no reliable one, so that their sizes are not
    /// known.
    #[must_use]
    pub fn unreliably_estimated(&self) -> usize {
        self.runs.iter().filter(|run| run.estimate_is_reliable() == Some(false)).count()
    }

    /// On how many instances the test of this [name](super::Compare::tally) holds; `None` if there
    /// is none.
    #[must_use]
    pub fn tally(&self, name: &str) -> Option<usize> {
        let index = self.tallies.iter().position(|known| known == name)?;
        Some(self.runs.iter().filter(|run| run.tallied[index]).count())
    }
}

/// How a comparison was made.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) title: Option<String>,
    /// What one should know to read the tables.
    pub(super) note: Option<String>,
    pub(super) rounds: usize,
    /// What was limited, in words.
    pub(super) limits: Vec<String>,
    /// The names of the tallies.
    pub(super) tallies: Vec<String>,
}

/// What [`Compare`](super::Compare) came to.
///
/// `Display` prints it as aligned tables: what each contender came to, what it came to on each
/// instance if these are few, and what each hook cut. [`section`](Comparison::section) gives these
/// one by one, and others; [`markdown`](Comparison::markdown) the same as Markdown. With the
/// feature `pages` there are `csv`, `json` and `html` as well.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub(super) setup: Setup,
    pub(super) instances: Vec<String>,
    pub(super) contenders: Vec<Compared>,
}

impl Comparison {
    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &str {
        self.setup.title.as_deref().unwrap_or("comparison")
    }

    /// How often each contender was run on each instance.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.setup.rounds
    }

    /// The names of the instances.
    #[must_use]
    pub fn instances(&self) -> &[String] {
        &self.instances
    }

    /// The contenders, in the order in which they were given. The first is the base.
    #[must_use]
    pub fn contenders(&self) -> &[Compared] {
        &self.contenders
    }

    /// The contender of this name.
    #[must_use]
    pub fn contender(&self, name: &str) -> Option<&Compared> {
        self.contenders.iter().find(|contender| contender.name == name)
    }

    /// The names of the [tallies](super::Compare::tally).
    #[must_use]
    pub fn tallies(&self) -> &[String] {
        &self.setup.tallies
    }

    /// How many times as large a contender's tree is as that of the base: the geometric mean over
    /// the instances of which both sizes are known, be it as a reliable estimate. `None` if there
    /// are none.
    #[must_use]
    pub fn ratio(&self, contender: &Compared) -> Option<f64> {
        let base = self.contenders.first()?;
        geometric_mean(
            base.runs
                .iter()
                .zip(&contender.runs)
                .filter_map(|(base, own)| Some(own.size()? / base.size()?)),
        )
    }

    /// Whether [`ratio`](Self::ratio) rests on an estimate.
    #[must_use]
    pub fn ratio_is_estimated(&self, contender: &Compared) -> bool {
        self.contenders.first().is_some_and(|base| base.estimated() > 0)
            || contender.estimated() > 0
    }

    /// How many times as long a contender took as the base: the geometric mean over the instances
    /// on which neither came to a limit. `None` if there are none.
    #[must_use]
    pub fn time_ratio(&self, contender: &Compared) -> Option<f64> {
        let base = self.contenders.first()?;
        let both = base
            .runs
            .iter()
            .zip(&contender.runs)
            .filter(|(base, own)| !base.is_limited() && !own.is_limited());
        geometric_mean(
            both.map(|(base, own)| {
                own.seconds().median / base.seconds().median.max(f64::MIN_POSITIVE)
            }),
        )
    }
}

/// `None` of no numbers.
pub(super) fn geometric_mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for number in numbers {
        sum += number.max(f64::MIN_POSITIVE).ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}
