//! What an estimate says: [`Estimate`].

use std::fmt;
use std::time::Duration;

use super::moments::{GROUPS, Group, Moments, Sums};
use crate::limits::Stop;

/// How the tree was sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sampling {
    /// By random ways down from the root: [`Search::estimate`](super::Search::estimate).
    Probes,
    /// By random ways down with one node of each stratum:
    /// [`Search::estimate_stratified`](super::Search::estimate_stratified).
    Strata,
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Sampling::Probes => "random probes (Knuth 1975)",
            Sampling::Strata => "stratified probes (Chen 1992)",
        })
    }
}

/// A number that is estimated: the mean over all probes, and how far it may be off.
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

    /// From two standard errors below the mean, but not below `least`, to two above. If probes were
    /// normally distributed, the true number would be in there 95 times of 100.
    fn interval(&self, least: f64) -> Option<(f64, f64)> {
        let error = self.standard_error?;
        Some(((self.mean - 2.0 * error).max(least), self.mean + 2.0 * error))
    }
}

/// The nodes and solutions at one depth of the tree, as estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EstimatedLevel {
    /// Nodes, as [`Level::nodes`](crate::Level::nodes) counts them.
    pub nodes: Estimated,
    /// Nodes that are solutions, as [`Level::solutions`](crate::Level::solutions) counts them.
    pub solutions: Estimated,
}

/// The size of a tree that has not been searched, estimated from random probes. `Display` prints it
/// as aligned tables.
///
/// It is of the tree that [`count`](super::Search::count) would visit with the same problem,
/// brancher, hooks and depth limit, nodes counted as [`Report::nodes`](crate::Report::nodes) does.
///
/// The mean is unbiased, and its [standard error](Estimated::standard_error) honest for many probes
/// of a tree whose subtrees are alike. Where a small part of the tree has most of its nodes, most
/// probes miss it: then both the mean and its error are too small, until a probe hits and both
/// jump. [`largest_share`](Estimate::largest_share) warns of the jump that has been;
/// [`at_least`](Estimate::at_least) is what can be said in spite of those that have not.
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
    /// The smallest mean of a group of probes, and how many groups there are.
    least_group: Option<(f64, u32)>,
    pub(super) left_out: Vec<String>,
    pub(super) unlearned: Vec<String>,
    pub(super) incumbent_hooks: Vec<String>,
}

/// An estimate is unreliable if one probe makes up more than this part of the sum of all probes.
const MOST_SHARE: f64 = 0.05;

impl Estimate {
    pub(super) fn new(
        sampling: Sampling,
        sums: &Sums,
        stop: Stop,
        visited: u64,
        elapsed: Duration,
    ) -> Self {
        let probes = sums.probes;
        let mut estimate = Estimate {
            sampling,
            stop,
            probes,
            visited,
            elapsed,
            nodes: None,
            solutions: None,
            levels: Vec::new(),
            largest_share: None,
            least_group: None,
            left_out: Vec::new(),
            unlearned: Vec::new(),
            incumbent_hooks: Vec::new(),
        };
        if stop == Stop::CountOverflow || probes == 0 {
            return estimate;
        }
        estimate.nodes = Estimated::new(sums.nodes);
        estimate.solutions = Estimated::new(sums.solutions());
        let level = |(nodes, solutions)| {
            Some(EstimatedLevel {
                nodes: Estimated::new(nodes)?,
                solutions: Estimated::new(solutions)?,
            })
        };
        estimate.levels = sums.levels().filter_map(level).collect();
        estimate.largest_share = estimate
            .nodes
            .filter(|_| probes > 1)
            .map(|nodes| sums.largest / nodes.mean / probes as f64);
        let groups = sums.groups.iter().filter_map(Group::mean);
        let least = groups.clone().min_by(f64::total_cmp);
        estimate.least_group = least.map(|least| (least, groups.count().min(GROUPS) as u32));
        estimate
    }

    /// How the tree was sampled.
    #[must_use]
    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// How many probes were made; one that a limit broke off does not count.
    #[must_use]
    pub fn probes(&self) -> u64 {
        self.probes
    }

    /// Why no more probes were made: [`Stop::Satisfied`] if there are as many as asked for,
    /// [`Stop::DepthLimit`] if there are but some of them would have gone deeper than the depth
    /// limit, [`Stop::CountOverflow`] if one came to more than 10¹⁴⁰ nodes; else the limit that was
    /// reached.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// Nodes of the tree, the root included. `None` if no probe was made, or one came to more than
    /// can be reckoned with.
    #[must_use]
    pub fn nodes(&self) -> Option<Estimated> {
        self.nodes
    }

    /// Solutions that would be visited: each counts once, whatever its orbit; those that hooks
    /// credit do not. Estimated worse than the nodes, as few probes come to a solution; 0 says only
    /// that none has. `None` as for [`nodes`](Self::nodes).
    #[must_use]
    pub fn solutions(&self) -> Option<Estimated> {
        self.solutions
    }

    /// The estimated profile of the tree: nodes and solutions by depth, the root's first.
    #[must_use]
    pub fn levels(&self) -> &[EstimatedLevel] {
        &self.levels
    }

    /// The number of nodes from two standard errors below the estimate to two above.
    ///
    /// The true number would be in there 95 times of 100 if the mean over the probes were normally
    /// distributed, as it is in the limit of many. Of few, or of an unbalanced tree, it is not: the
    /// interval then misses more often, and the tree is the larger one mostly. `None` of fewer than
    /// two probes.
    #[must_use]
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.nodes?.interval(1.0)
    }

    /// A number of nodes that the tree has at least, with the given confidence, a probability below
    /// 1: a statement that holds whatever the tree looks like, as long as the number of probes did
    /// not depend on what they came to.
    ///
    /// A mean over probes is expected to be the size of the tree, and is never negative; so it is
    /// `c` times the size with a probability of at most `1/c` (Markov's inequality). Ten such
    /// means, each over a tenth of the probes, are all that large with a probability of at most
    /// `1/c¹⁰`, and the least of them, divided by 1.35, is too large at most 5 times of
    /// 100. Gomes, Hoffmann, Sabharwal and Selman (2007) bound numbers of models so. There is no
    ///      such bound from above.
    ///
    /// `None` as for [`nodes`](Self::nodes), and if `confidence` is not from 0 to below 1.
    #[must_use]
    pub fn at_least(&self, confidence: f64) -> Option<f64> {
        let (least, groups) = self.least_group.filter(|_| (0.0..1.0).contains(&confidence))?;
        Some((least * (1.0 - confidence).powf(1.0 / f64::from(groups))).max(1.0))
    }

    /// The part of the sum of all probes that the largest one makes up, from 0 to 1. If it is more
    /// than a few hundredths, the estimate hangs on what few probes happened to come to, and the
    /// true number may well be much larger. `None` of fewer than two probes.
    #[must_use]
    pub fn largest_share(&self) -> Option<f64> {
        self.largest_share
    }

    /// Returns whether the mean is worth quoting as the size of the tree that a search would visit.
    ///
    /// It is not if there are fewer than two probes, if one probe makes up
    /// [more](Self::largest_share) than 5 % of the sum of all, or if the search would visit another
    /// tree: because hooks were [left out](Self::left_out) or [could not learn](Self::unlearned),
    /// or because they compare with an [incumbent](Self::incumbent_hooks). This test is a
    /// heuristic: an estimate that passes it may be too small nevertheless, if no probe came to the
    /// large part of the tree.
    #[must_use]
    pub fn is_reliable(&self) -> bool {
        self.is_of_same_tree()
            && self.incumbent_hooks.is_empty()
            && !self.depends_on_few_probes()
            && self.largest_share.is_some()
    }

    /// Returns whether a few probes decide on the mean. Probes that all come to the same number are
    /// exact.
    pub(super) fn depends_on_few_probes(&self) -> bool {
        let differ = self.nodes.is_some_and(|nodes| nodes.standard_error != Some(0.0));
        differ && self.largest_share.is_some_and(|share| share > MOST_SHARE)
    }

    /// Returns whether a search visits the tree that was estimated, if no incumbent improves.
    pub(crate) fn is_of_same_tree(&self) -> bool {
        self.left_out.is_empty() && self.unlearned.is_empty()
    }

    /// How long a search would take that visits so many nodes a second. `None` as for
    /// [`nodes`](Self::nodes), and if the rate is not positive. Times beyond what fits are
    /// [`Duration::MAX`].
    ///
    /// The rate is best measured by a search that a [limit](crate::Limits) breaks off: a probe
    /// takes longer over a node.
    #[must_use]
    pub fn time(&self, nodes_per_second: f64) -> Option<Duration> {
        let seconds = self.nodes.filter(|_| nodes_per_second > 0.0)?.mean / nodes_per_second;
        Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }

    /// Nodes that the probes have entered.
    #[must_use]
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Wall time of the probes.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The hooks that took no part, as they remember [what they have
    /// met](crate::hook::HookMemory::Visited): what they would cut off depends on all that was
    /// searched before, and no probe can tell. The tree is smaller than estimated.
    pub fn left_out(&self) -> impl Iterator<Item = &str> {
        self.left_out.iter().map(String::as_str)
    }

    /// The hooks that took part, but could not learn, as probes search nothing to its end: those
    /// that remember [what was searched](crate::hook::HookMemory::Searched); and [the
    /// brancher](crate::Report::BRANCHER), if it [remembers](crate::Brancher::memory) anything. The
    /// tree may be smaller than estimated.
    pub fn unlearned(&self) -> impl Iterator<Item = &str> {
        self.unlearned.iter().map(String::as_str)
    }

    /// The hooks that compare with an [incumbent](crate::Hook::incumbent). The probes compare with
    /// the value that it has; a search improves it on the way. The tree of a search is larger than
    /// estimated if that value is the optimum, and smaller if there is none yet.
    pub fn incumbent_hooks(&self) -> impl Iterator<Item = &str> {
        self.incumbent_hooks.iter().map(String::as_str)
    }
}
