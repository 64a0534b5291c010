//! [`Estimate`]: the result of sampling a tree.

use std::fmt;
use std::time::Duration;

use super::moments::{GROUPS, Group, Moments, Sums, Tail};
use crate::limits::Stop;

/// The method by which the tree was sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sampling {
    /// Random paths from the root: [`Search::estimate`](crate::Search::estimate).
    Probes,
    /// Random descents with one node per stratum:
    /// [`Search::estimate_stratified`](crate::Search::estimate_stratified).
    Strata,
    /// Random descents with a limited number of nodes per level, chosen by expected size:
    /// [`Search::estimate_within`](crate::Search::estimate_within).
    Learned,
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Sampling::Probes => "random probes (Knuth 1975)",
            Sampling::Strata => "stratified probes (Chen 1992)",
            Sampling::Learned => "stratified sampling with learnt sizes",
        })
    }
}

/// An estimated number: the mean over all probes, and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimated {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean; `None` if there was only one probe.
    pub standard_error: Option<f64>,
}

impl Estimated {
    fn new(moments: Moments) -> Option<Self> {
        Some(Estimated { mean: moments.mean()?, standard_error: moments.standard_error() })
    }
}

/// Estimated numbers of nodes and solutions at one depth of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EstimatedLevel {
    /// Nodes, counted like [`Level::nodes`](crate::Level::nodes).
    pub nodes: Estimated,
    /// Nodes that are solutions, counted like [`Level::solutions`](crate::Level::solutions).
    pub solutions: Estimated,
}

/// The size of a tree that has not been searched, estimated from random probes. `Display` prints it
/// as aligned tables.
///
/// It refers to the tree that [`count`](crate::Search::count) would visit with the same problem,
/// brancher, hooks and depth limit. Nodes are counted like [`Report::nodes`](crate::Report::nodes).
///
/// The mean is unbiased. Its [standard error](Estimated::standard_error) is accurate for many
/// probes of a tree with similar subtrees. If a small part of the tree has most of its nodes, most
/// probes miss that part: both the mean and its error are then too small, until a probe hits and
/// both jump. [`largest_share`](Estimate::largest_share) shows that such a jump has happened;
/// [`at_least`](Estimate::at_least) gives a bound that holds even if none has.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Estimate {
    pub(super) sampling: Sampling,
    pub(super) stop: Stop,
    pub(super) probes: u64,
    pub(super) visited: u64,
    pub(super) elapsed: Duration,
    pub(super) nodes: Option<Estimated>,
    pub(super) solutions: Option<Estimated>,
    pub(super) levels: Vec<EstimatedLevel>,
    largest_share: Option<f64>,
    /// The smallest mean of a group of probes, and the number of groups.
    least_group: Option<(f64, u32)>,
    /// The factor between the mean and the ends of its interval, without what the tail adds.
    factor: Option<f64>,
    /// The tail of the probes; for learnt sizes, that of the subtrees for which others stand.
    tail: Option<Tail>,
    pub(super) left_out: Vec<String>,
    pub(super) unlearned: Vec<String>,
    pub(super) incumbent_hooks: Vec<String>,
}

/// The quantiles 0.95 of Student's t distribution with 1, 2, … degrees of freedom.
const STUDENT: [f64; GROUPS - 1] = [6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833];

/// Returns the factor between the mean over groups of probes and the ends of its 90 % interval, by
/// Cox's method for lognormal means (Olsson 2005).
fn interval_factor(groups: &[Group]) -> Option<f64> {
    let mut logarithms = Moments::default();
    for mean in groups.iter().filter_map(Group::mean) {
        logarithms.add(mean.max(1.0).ln(), 1);
    }
    let variance = logarithms.variance()?;
    let count = logarithms.count as f64;
    let error = (variance / count + variance * variance / (2.0 * (count - 1.0))).sqrt();
    Some((STUDENT[logarithms.count as usize - 2] * error).exp())
}

/// An estimate is unreliable if one probe contributes more than this part of the sum of all probes.
const MAX_SHARE: f64 = 0.05;

/// An estimate from learnt sizes is unreliable if the mean and an end of its interval differ by
/// more than this factor. It is made of few, large probes, so that the share of one says little.
const MAX_FACTOR: f64 = 2.0;

/// The largest index of a tail with a finite variance: 1/α for α = 2.
const MAX_TAIL_INDEX: f64 = 0.5;

/// The least number of values in a tail that tell its index.
const LEAST_TAIL: usize = 4;

/// The upper end of the interval leaves room for this many times the expected sum of what the
/// probes have not hit. A sum that is not negative exceeds three times its expected value with a
/// probability of at most 1/3 (Markov's inequality).
const BEYOND: f64 = 3.0;

impl Estimate {
    pub(super) fn new(
        sampling: Sampling,
        sums: &Sums,
        stop: Stop,
        visited: u64,
        elapsed: Duration,
    ) -> Self {
        let (probes, none) = (sums.probes, Sums::default());
        let sums = if stop == Stop::CountOverflow || probes == 0 { &none } else { sums };
        let nodes = Estimated::new(sums.nodes);
        let level = |(nodes, solutions)| {
            Some(EstimatedLevel {
                nodes: Estimated::new(nodes)?,
                solutions: Estimated::new(solutions)?,
            })
        };
        let groups = sums.groups.iter().filter_map(Group::mean);
        let least = groups.clone().min_by(f64::total_cmp);
        Estimate {
            sampling,
            stop,
            probes,
            visited,
            elapsed,
            nodes,
            solutions: Estimated::new(sums.solutions()),
            levels: sums.levels().filter_map(level).collect(),
            largest_share: nodes
                .filter(|_| probes > 1)
                .map(|nodes| sums.largest / nodes.mean / probes as f64),
            least_group: least.map(|least| (least, groups.count().min(GROUPS) as u32)),
            factor: interval_factor(&sums.groups),
            tail: match sampling {
                Sampling::Learned => sums.tail_of_drawn(),
                Sampling::Probes | Sampling::Strata => sums.tail(),
            },
            left_out: Vec::new(),
            unlearned: Vec::new(),
            incumbent_hooks: Vec::new(),
        }
    }

    getters! {
        self;
        /// Returns the method by which the tree was sampled.
        sampling -> Sampling: self.sampling;
        /// Returns the number of probes. A probe that was interrupted by a limit does not count.
        probes -> u64: self.probes;
        /// Returns the reason why no more probes were made: [`Stop::Satisfied`] if the requested
        /// number was made; [`Stop::DepthLimit`] if it was made but some probes ended at the depth
        /// limit; [`Stop::CountOverflow`] if a probe amounted to more than 10¹⁴⁰ nodes; otherwise
        /// the limit that was reached.
        stop -> Stop: self.stop;
        /// Returns the number of nodes of the tree, including the root. `None` if no probe was
        /// made, or one amounted to more than 10¹⁴⁰ nodes.
        nodes -> Option<Estimated>: self.nodes;
        /// Returns the number of solutions that would be visited. Each counts once, whatever its
        /// orbit; solutions that hooks credit do not count. It is less accurate than the number of
        /// nodes, as few probes reach a solution; 0 says only that none has. `None` like
        /// [`nodes`](Self::nodes).
        solutions -> Option<Estimated>: self.solutions;
        /// Returns the estimated profile of the tree: nodes and solutions by depth, the root's
        /// first.
        levels -> &[EstimatedLevel]: &self.levels;
        /// Returns the part of the sum of all probes that the largest probe contributes, from 0 to
        /// 1. If it is more than a few hundredths, the estimate depends on a few probes, and the
        /// true number may be much larger. `None` for fewer than two probes.
        largest_share -> Option<f64>: self.largest_share;
    }

    /// Returns an interval of the number of nodes, from
    /// [logarithms](crate::search::estimate#intervals) because probes have skewed distributions.
    ///
    /// If the estimate [is reliable](Self::is_reliable), it aims at 90 %, and the tests require
    /// that it contains the number in at least 85 % of the cases. Otherwise it promises nothing: if
    /// a tree has a large part that no probe has reached, the interval is too low, as is the mean.
    /// Only [`at_least`](Self::at_least) holds for every tree. `None` for fewer than two probes.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        let factor = self.factor?;
        let mean = self.nodes?.mean;
        Some(((mean / factor).max(1.0), mean * factor * (1.0 + self.part_beyond())))
    }

    /// Returns a lower bound on the number of nodes with the given confidence, which is a
    /// probability below one. It holds for every tree, as long as the number of probes did not
    /// depend on their results. If hooks compare with an [incumbent](Self::incumbent_hooks), it is
    /// a bound of the tree for its current value: a search that improves the value has a smaller
    /// tree.
    ///
    /// The expected value of a mean over probes is the size of the tree, and the mean is never
    /// negative. It is therefore at least `c` times the size with a probability of at most `1/c`
    /// (Markov's inequality). For ten such means, each over a tenth of the probes, the probability
    /// that all are that large is at most `1/c¹⁰`. The smallest of them, divided by 1.35, is
    /// therefore too large with a probability of at most 5 %. Gomes, Hoffmann, Sabharwal and Selman
    /// (2007) bound model counts this way. There is no such bound from above.
    ///
    /// `None` like [`nodes`](Self::nodes), and if `confidence` is not in `0.0..1.0`.
    #[must_use]
    pub fn at_least(&self, confidence: f64) -> Option<f64> {
        let (least, groups) = self.least_group.filter(|_| (0.0..1.0).contains(&confidence))?;
        Some((least * (1.0 - confidence).powf(1.0 / f64::from(groups))).max(1.0))
    }

    /// Returns whether the mean and the [interval](Self::interval) are worth quoting for the tree
    /// that a search would visit. They are not
    ///
    /// - if there are fewer than two probes;
    /// - if one probe contributes [more](Self::largest_share) than 5 % of the sum of all; for
    ///   [`Sampling::Learned`], if an end of the interval differs from the mean by more than a
    ///   factor of 2;
    /// - if the sizes of subtrees may follow a power law whose variance is infinite, or too few
    ///   were seen to tell: see [heavy tails](crate::search::estimate#heavy-tails);
    /// - if the search would visit another tree, because hooks were [left out](Self::left_out) or
    ///   [could not learn](Self::unlearned), or because they compare with an
    ///   [incumbent](Self::incumbent_hooks).
    ///
    /// In a tree that is a single path, each probe sees the whole tree, and the second and the
    /// third condition do not apply. An estimate that passes may still be too small: nothing shows
    /// a large part of the tree that no probe has reached and that is unlike all others.
    #[must_use]
    pub fn is_reliable(&self) -> bool {
        self.is_of_same_tree()
            && self.incumbent_hooks.is_empty()
            && !self.depends_on_few_probes()
            && !self.is_heavy_tailed()
            && self.largest_share.is_some()
    }

    /// Returns whether a few probes determine the mean, or differ too much.
    pub(super) fn depends_on_few_probes(&self) -> bool {
        if self.sampling == Sampling::Learned {
            let upper = self.factor.map(|factor| factor * (1.0 + self.part_beyond()));
            return upper.is_some_and(|factor| factor > MAX_FACTOR);
        }
        !self.is_path() && self.largest_share.is_some_and(|share| share > MAX_SHARE)
    }

    /// Returns whether the probes have seen a tree without branches. Each has then seen the whole
    /// tree, and a few are enough.
    fn is_path(&self) -> bool {
        let path = Estimated { mean: self.levels.len() as f64, standard_error: Some(0.0) };
        self.nodes == Some(path)
    }

    /// Returns whether the distribution of the sizes has a heavy tail, or is not known well enough.
    pub(super) fn is_heavy_tailed(&self) -> bool {
        let is_heavy = |tail: &Tail| tail.index > MAX_TAIL_INDEX || tail.values < LEAST_TAIL;
        !self.is_path() && self.tail.as_ref().is_some_and(is_heavy)
    }

    /// Returns the part of the mean that is added to the upper end of the interval, for what the
    /// probes have not hit. Nothing is added if the tail is so heavy that no end would do.
    fn part_beyond(&self) -> f64 {
        let Some(nodes) = self.nodes.filter(|_| !self.is_heavy_tailed()) else { return 0.0 };
        let beyond = self.tail.map_or(0.0, |tail| tail.beyond);
        BEYOND * beyond / (nodes.mean * self.probes as f64)
    }

    /// Returns whether a search visits the tree that was estimated, as long as no incumbent
    /// improves.
    fn is_of_same_tree(&self) -> bool {
        self.left_out.is_empty() && self.unlearned.is_empty()
    }

    /// Returns the number of nodes, and the factor between it and the ends of its interval, at
    /// least ten if it depends on few probes. `None` if a search visits another tree.
    pub(in crate::search) fn size_of_same_tree(&self) -> Option<(f64, f64)> {
        let nodes = self.nodes.filter(|_| self.is_of_same_tree())?.mean;
        let is_unsure = self.depends_on_few_probes() || self.is_heavy_tailed();
        let least = if is_unsure { 10.0 } else { 1.001 };
        Some((nodes.max(1.0), self.factor?.max(least)))
    }

    /// Returns how long a search takes that visits this many nodes per second. `None` like
    /// [`nodes`](Self::nodes), and if the rate is not positive. Saturates at [`Duration::MAX`].
    ///
    /// Measure the rate by a search that a [limit](crate::Limits) stops; a probe takes longer per
    /// node.
    #[must_use]
    pub fn time(&self, nodes_per_second: f64) -> Option<Duration> {
        let seconds = self.nodes.filter(|_| nodes_per_second > 0.0)?.mean / nodes_per_second;
        Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }

    getters! {
        self;
        /// Returns the number of nodes that the probes have entered.
        visited -> u64: self.visited;
        /// Returns the wall time of the probes.
        elapsed -> Duration: self.elapsed;
    }

    /// Returns the hooks that were left out because they remember [visited
    /// nodes](crate::hook::HookMemory::Visited). Their cuts depend on everything that was searched
    /// before, which no probe knows. The tree is smaller than estimated.
    pub fn left_out(&self) -> impl Iterator<Item = &str> {
        self.left_out.iter().map(String::as_str)
    }

    /// Returns the hooks that took part but could not learn, because probes exhaust no subtree:
    /// those that remember [searched nodes](crate::hook::HookMemory::Searched); and [the
    /// brancher](crate::Report::BRANCHER), if it [remembers](crate::Brancher::memory) anything. The
    /// tree may be smaller than estimated.
    pub fn unlearned(&self) -> impl Iterator<Item = &str> {
        self.unlearned.iter().map(String::as_str)
    }

    /// Returns the hooks that compare with an [incumbent](crate::Hook::incumbent), and `an
    /// undeclared read` if a hook, the brancher or the problem [read](crate::Incumbent::declared)
    /// one without saying so. The probes compare with its current value; a search improves it. If
    /// there is no value yet, the tree of a search is smaller than estimated. If the value is
    /// already the optimum, a search that has yet to find the optimum has a larger tree.
    pub fn incumbent_hooks(&self) -> impl Iterator<Item = &str> {
        self.incumbent_hooks.iter().map(String::as_str)
    }
}
