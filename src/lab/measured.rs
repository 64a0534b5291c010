//! One strategy on one instance: [`Measured`].

use std::time::Duration;

use super::answer::{Answer, Trial};
use super::quantiles::Quantiles;
use crate::report::Report;
use crate::search::estimate::Estimated;

/// One strategy on one instance.
#[derive(Clone, Debug)]
pub struct Measured {
    pub(super) answer: Answer,
    pub(super) report: Report,
    pub(super) figures: Vec<(String, u64)>,
    pub(super) times: Vec<Duration>,
    pub(super) metered: Option<u64>,
    pub(super) estimate: Option<Estimated>,
    /// Which of the tests of the tallies hold.
    pub(super) tallied: Vec<bool>,
}

impl Measured {
    pub(super) fn new(trial: Trial, time: Duration, metered: Option<u64>) -> Self {
        let Trial { answer, report, figures } = trial;
        Measured { answer, report, figures, times: vec![time], metered, estimate: None, tallied: Vec::new() }
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

    /// Cuts of all hooks together.
    #[must_use]
    pub fn cuts(&self) -> u64 {
        self.report.hooks().iter().map(|hook| hook.cuts()).sum()
    }

    /// Figures beside nodes and cuts: those of the [trial](Trial::figure), and those of the [hooks](crate::Hook::figures)
    /// with the name of the hook before them, as in `memo: evictions`.
    pub fn figures(&self) -> impl Iterator<Item = (String, u64)> {
        let hooks = self.report.hooks().iter();
        let of_hooks = hooks
            .flat_map(|hook| hook.figures().iter().map(|(name, value)| (format!("{}: {name}", hook.name()), *value)));
        self.figures.iter().cloned().chain(of_hooks)
    }

    /// A figure by its name.
    #[must_use]
    pub fn figure(&self, name: &str) -> Option<u64> {
        self.figures().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The most bytes in use at a time: by the [meter](super::Compare::memory) if there was one, the most of all rounds; else
    /// those of the layers of a sweep. `None` of a search without a meter.
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
