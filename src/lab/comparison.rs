//! What a comparison came to: [`Comparison`].

use std::time::Duration;

use super::answer::Answer;
use super::quantiles::Quantiles;
use crate::report::Report;
use crate::search::estimate::Estimated;

/// One strategy on one instance.
#[derive(Clone, Debug)]
pub struct Measured {
    pub(super) answer: Answer,
    pub(super) report: Report,
    pub(super) times: Vec<Duration>,
    pub(super) estimate: Option<Estimated>,
}

impl Measured {
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

    /// Nodes that were visited; of a sweep, states. Of a run that came to a limit, fewer than there are.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.report.nodes()
    }

    /// Whether the run came to a limit, so that there may be more nodes than were visited.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        !matches!(self.report.stop(), crate::Stop::Exhausted | crate::Stop::Satisfied)
    }

    /// The estimated number of nodes, of a run that came to a limit and whose strategy can be estimated.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimated> {
        self.estimate
    }

    /// Nodes, or the estimate of them if the run came to a limit; `None` if they are not known.
    #[must_use]
    pub fn size(&self) -> Option<f64> {
        if self.is_limited() { self.estimate.map(|nodes| nodes.mean) } else { Some(self.nodes() as f64) }
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

/// One strategy on all instances.
#[derive(Clone, Debug)]
pub struct Compared {
    pub(super) name: String,
    pub(super) runs: Vec<Measured>,
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

    /// [Sizes](Measured::size) over the instances of which they are known; `None` if there are none.
    #[must_use]
    pub fn sizes(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().filter_map(Measured::size))
    }

    /// Median times over the instances, in seconds; `None` if there are no instances.
    #[must_use]
    pub fn seconds(&self) -> Option<Quantiles> {
        Quantiles::of(self.runs.iter().map(|run| run.seconds().median))
    }

    /// Of how many instances the run came to a limit.
    #[must_use]
    pub fn limited(&self) -> usize {
        self.runs.iter().filter(|run| run.is_limited()).count()
    }
}

/// What [`Compare`](super::Compare) came to. `Display` prints it as an aligned table.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub(super) instances: Vec<String>,
    pub(super) strategies: Vec<Compared>,
}

impl Comparison {
    /// The names of the instances.
    #[must_use]
    pub fn instances(&self) -> &[String] {
        &self.instances
    }

    /// The strategies, in the order in which they were given.
    #[must_use]
    pub fn strategies(&self) -> &[Compared] {
        &self.strategies
    }

    /// The strategy of this name; the first of several.
    #[must_use]
    pub fn strategy(&self, name: &str) -> Option<&Compared> {
        self.strategies.iter().find(|strategy| strategy.name == name)
    }

    /// How many times as large a strategy's tree is as that of the first one: the geometric mean over the instances
    /// of which both sizes are known. `None` if there are none.
    #[must_use]
    pub fn ratio(&self, strategy: &Compared) -> Option<f64> {
        let base = self.strategies.first()?;
        geometric_mean(base.runs.iter().zip(&strategy.runs).filter_map(|(base, own)| Some(own.size()? / base.size()?)))
    }

    /// How many times as long a strategy took as the first one: the geometric mean over the instances on which neither
    /// came to a limit. `None` if there are none.
    #[must_use]
    pub fn time_ratio(&self, strategy: &Compared) -> Option<f64> {
        let base = self.strategies.first()?;
        let both = base.runs.iter().zip(&strategy.runs).filter(|(base, own)| !base.is_limited() && !own.is_limited());
        geometric_mean(both.map(|(base, own)| own.seconds().median / base.seconds().median.max(f64::MIN_POSITIVE)))
    }
}

/// `None` of no numbers.
fn geometric_mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for number in numbers {
        sum += number.max(f64::MIN_POSITIVE).ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}
