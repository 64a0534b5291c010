//! The frontier of a search as data: its unexplored subtrees, with the results of the explored
//! part.
//!
//! Read [`subtree`] first, then this file, which has [`Frontier`]. [`division`] divides frontiers,
//! and identifies the part of the tree that each covers. [`resume`] lends a frontier to a run. With
//! the feature `serde`, [`files`] writes and reads frontiers.

pub(crate) mod division;
#[cfg(feature = "serde")]
pub(crate) mod files;
pub(super) mod resume;
pub(crate) mod subtree;

use std::collections::VecDeque;

use crate::brancher::BrancherId;
use crate::effect::{Claim, have_equal_constraints};
use crate::incumbent::ObjectiveId;
use crate::limits::Stop;
use crate::outcome::Count;
use crate::report::Report;
use division::{Extent, deal, division_digest};
use subtree::{BestSolution, OfferedValues, Subtree};

/// The frontier of a search: the unexplored parts of its tree, with the results of the explored
/// parts.
///
/// [`Search::frontier`](crate::Search::frontier) continues a search from a frontier and leaves the
/// remaining frontier in it.
///
/// # Lost frontiers
///
/// A run takes the subtrees out of the frontier and gives the remaining ones back when it ends. If
/// it cannot, because it panicked or its iterator was [forgotten](std::mem::forget), the frontier
/// is *lost*: a run that starts from it ends at once with
/// [`Stop::Interrupted`]. Keep a copy if you have to survive panics.
///
/// A frontier that was read from a file is also lost if it has choices that the problem [cannot
/// make](crate::Problem::accepts_saved) at their place.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(serialize = "C: serde::Serialize", deserialize = "C: serde::Deserialize<'de>"))
)]
pub struct Frontier<C> {
    /// In tree order, if `ordered`.
    pub(crate) subtrees: VecDeque<Subtree<C>>,
    /// The best solutions found so far, at most one for each part that was merged.
    pub(crate) best: Vec<BestSolution<C>>,
    /// The count of all solutions so far; `None` after an overflow.
    pub(crate) counted: Option<Count>,
    report: Option<Report>,
    /// Whether nodes were not expanded because of a depth limit. They are not among the subtrees.
    pub(crate) truncated: bool,
    /// Whether a run has taken the subtrees.
    lost: bool,
    /// The share of the tree that this frontier covered when it was created or divided.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "files::share"))]
    whole: f64,
    /// The part of the tree that this frontier covers, including what was explored.
    extent: Extent,
    /// The question of the runs so far.
    asked: Question,
    /// The values of incumbents with which earlier runs may have pruned, and which no solution of
    /// this frontier is known to have.
    pub(crate) offered: OfferedValues,
    /// The brancher of the runs so far. The user may have made the fingerprint of a file without
    /// it.
    brancher: Option<BrancherId>,
    /// The constraints of the first run. The subtrees are those of the tree that they define.
    constraints: Option<Vec<Claim>>,
    /// Whether the subtrees are in tree order, so that a depth-first search visits them in the
    /// order in which it would visit the whole tree.
    pub(crate) ordered: bool,
    /// Whether it was made by runs, or was checked against the problem after it was read from a
    /// file.
    #[cfg_attr(feature = "serde", serde(skip))]
    is_checked: bool,
}

/// The question that runs have asked about the solutions in this part of the tree.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Question {
    /// No question yet.
    #[default]
    Nothing,
    /// To visit some or all solutions. No objective has compared all that were visited.
    Visits,
    /// To compare all solutions by this objective.
    Best(ObjectiveId),
}

impl Question {
    /// Returns whether both are known to be the same question.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Question::Best(one), Question::Best(other)) => one.is_same(other),
            (Question::Nothing, Question::Nothing) | (Question::Visits, Question::Visits) => true,
            _ => false,
        }
    }
}

impl<C> Frontier<C> {
    /// Returns the frontier of a search that has not begun: the whole tree.
    #[must_use]
    pub fn new() -> Self {
        Frontier {
            subtrees: VecDeque::from([Subtree::whole()]),
            best: Vec::new(),
            counted: Some(Count::NONE),
            report: None,
            truncated: false,
            lost: false,
            whole: 1.0,
            extent: Extent::whole(),
            asked: Question::Nothing,
            offered: OfferedValues::default(),
            brancher: None,
            constraints: None,
            ordered: true,
            is_checked: true,
        }
    }

    /// Returns whether nothing is left to be searched.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.subtrees.is_empty() && !self.truncated && !self.lost
    }

    /// Returns the unexplored subtrees, in tree order unless several threads have searched them.
    pub fn subtrees(&self) -> impl ExactSizeIterator<Item = &Subtree<C>> {
        self.subtrees.iter()
    }

    /// Returns the share of the tree that this frontier covered when it was created or divided, and
    /// the share that is left.
    pub(crate) fn shares(&self) -> (f64, f64) {
        (self.whole, self.subtrees.iter().map(Subtree::share).sum())
    }

    /// Returns the share that is done of what this frontier covered when it was created or
    /// [divided](Frontier::split): see [`Progress::fraction`](super::Progress::fraction).
    #[must_use]
    pub fn fraction(&self) -> f64 {
        let (whole, left) = self.shares();
        // A share is 0 if it is below the smallest positive `f64`.
        if self.subtrees.is_empty() {
            1.0
        } else if whole > 0.0 {
            (1.0 - left / whole).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// Returns whether this frontier covers the whole tree, including what was explored, and not
    /// only a part that resulted from [dividing](Frontier::split) it. Only then does a run make
    /// claims about the whole tree.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.extent.is_whole()
    }

    /// Adds another part of the same tree: its remaining subtrees and its results.
    ///
    /// When all parts of a divided frontier have been merged, in any order, it [is
    /// whole](Self::is_whole) again. A part that is merged twice counts twice: the frontier can
    /// then never be whole, and at most one solution is known.
    pub fn merge(&mut self, mut other: Frontier<C>) {
        self.extent.merge(std::mem::replace(&mut other.extent, Extent::whole()));
        self.absorb(other);
        if let Some(report) = &mut self.report {
            report.part = !self.extent.is_whole();
        }
    }

    /// Adds the subtrees and the results of a part that is known not to overlap with this one.
    pub(crate) fn absorb(&mut self, other: Frontier<C>) {
        self.ordered &= other.ordered && (self.subtrees.is_empty() || other.subtrees.is_empty());
        self.asked = match (std::mem::take(&mut self.asked), other.asked) {
            (Question::Nothing, asked) | (asked, Question::Nothing) => asked,
            (one, other) if one.is_same(&other) => one,
            // Some of the solutions were only visited, so no objective has compared all of them.
            _ => Question::Visits,
        };
        self.subtrees.extend(other.subtrees);
        self.best.extend(other.best);
        self.offered.merge(other.offered);
        // One part may have known the value of a solution in another one.
        self.offered = std::mem::take(&mut self.offered).without(&self.best);
        self.counted = match (self.counted, other.counted) {
            (Some(one), Some(other)) => one.plus(other),
            _ => None,
        };
        self.report = match (self.report.take(), other.report) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        if let Some(brancher) = other.brancher {
            self.record_brancher(brancher);
        }
        if let Some(constraints) = other.constraints {
            self.record_constraints(&constraints);
        }
        if let Some(report) = self.report.as_mut().filter(|_| !self.subtrees.is_empty())
            && report.stop == Stop::Exhausted
        {
            report.stop = Stop::Paused;
        }
        self.truncated |= other.truncated;
        self.lost |= other.lost;
        self.is_checked &= other.is_checked;
        self.whole += other.whole;
    }

    /// Records the brancher of a run. If another run had another brancher, the subtrees belong to
    /// different trees, and nothing is proven any more.
    pub(crate) fn record_brancher(&mut self, brancher: BrancherId) {
        if self.brancher.as_ref().is_some_and(|known| !known.may_be_same(&brancher)) {
            let report = self.report.get_or_insert_with(|| Report::without_runs(Stop::Paused));
            report.add_conflict(
                "parts of the run had different branchers: search all with the same one",
            );
        }
        self.brancher = Some(brancher);
    }

    /// Records the hooks of a run. If another run had other constraints, what it has found and left
    /// out belongs to another question, and nothing is proven any more.
    pub(crate) fn record_constraints(&mut self, claims: &[Claim]) {
        let known = self.constraints.get_or_insert_with(|| {
            let constraints = claims.iter().filter(|claim| claim.constraint.is_some());
            constraints.cloned().collect()
        });
        if !have_equal_constraints(&known[..], claims) {
            let report = self.report.get_or_insert_with(|| Report::without_runs(Stop::Paused));
            report.mix_constraints();
            self.best.clear();
        }
    }

    /// Removes one visit from the count, of a solution that will be visited again.
    pub(crate) fn forget_a_visit(&mut self) {
        self.counted = self.counted.map(Count::without_one);
    }

    /// Returns whether solutions were compared by an objective that no other process can recognise.
    #[cfg(feature = "serde")]
    pub(crate) fn is_unnamed(&self) -> bool {
        matches!(&self.asked, Question::Best(objective) if objective.name().is_none())
    }

    /// Splits this into its remaining subtrees and an exhausted frontier with the results. All
    /// workers of a cluster have the same brancher, so it is left out of these.
    #[cfg(feature = "timely")]
    pub(crate) fn part(mut self) -> (VecDeque<Subtree<C>>, Frontier<C>) {
        let left = std::mem::take(&mut self.subtrees);
        (self.whole, self.brancher) = (0.0, None);
        (left, self)
    }

    /// Creates a frontier of subtrees without results.
    #[cfg(feature = "timely")]
    pub(crate) fn of(subtrees: VecDeque<Subtree<C>>) -> Self {
        let whole = subtrees.iter().map(Subtree::share).sum();
        Frontier { subtrees, whole, ordered: false, ..Frontier::new() }
    }

    /// Returns the report of the explored part; `None` if nothing has been explored.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }
}

impl<C: Clone> Frontier<C> {
    /// Divides this into `parts` frontiers of about the same size, estimated from the numbers of
    /// untried siblings along each path. The first part also gets the results so far. 0 is treated
    /// as 1. A part [claims nothing](crate::Report::is_part) about the whole tree until all parts
    /// have been [merged](Self::merge) again.
    ///
    /// The parts get untried siblings; no nodes are opened. If there are fewer siblings than parts,
    /// some parts are exhausted from the start, and beyond 65,536 parts those are omitted.
    /// [`Search::split`](crate::Search::split) opens nodes until there are enough.
    ///
    /// ```
    /// use secateurs::search::Frontier;
    /// use secateurs::{Limits, Search};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(9)?.bits();
    /// let mut frontier = Frontier::new();
    /// let limits = Limits::new().nodes(100);
    /// let _ = Search::new(&queens).limits(limits).frontier(&mut frontier).count();
    ///
    /// let mut whole = Frontier::new();
    /// for (index, mut part) in frontier.split(3).into_iter().enumerate() {
    ///     let _ = Search::new(&queens).frontier(&mut part).count();
    ///     if index == 0 { whole = part } else { whole.merge(part) }
    /// }
    /// assert!(whole.is_exhausted());
    /// assert_eq!(Search::new(&queens).frontier(&mut whole).count().exact(), Some(352));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn split(mut self, parts: usize) -> Vec<Frontier<C>> {
        let dealt = deal(std::mem::take(&mut self.subtrees), parts.max(1));
        let explored = self.report.as_ref().map_or(&[][..], Report::levels);
        let digest = division_digest(&dealt, explored, self.brancher.as_ref());
        let extents = self.extent.clone().divided(digest, dealt.len());
        let Frontier { truncated, lost, ordered, is_checked, .. } = self;
        let (asked, brancher) = (self.asked.clone(), self.brancher.clone());
        let constraints = self.constraints.clone();
        let mut results = Some(self);
        let part = |(subtrees, extent): (VecDeque<_>, _)| Frontier {
            whole: subtrees.iter().map(Subtree::share).sum(),
            subtrees,
            extent,
            truncated,
            lost,
            ordered,
            is_checked,
            asked: asked.clone(),
            brancher: brancher.clone(),
            constraints: constraints.clone(),
            // The first part gets the results so far, the others have none.
            ..results.take().unwrap_or_default()
        };
        dealt.into_iter().zip(extents).map(part).collect()
    }
}

impl<C> Default for Frontier<C> {
    fn default() -> Self {
        Self::new()
    }
}

debug_fields!(impl[C] Frontier<C>: subtrees, counted, lost);
