//! What is left of a search, as data: [`Frontier`].

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHasher;

use super::extent::Extent;
use super::saver::Saver;
use super::subtree::{Subtree, deal};
use crate::hook::{Effect, Path};
use crate::limits::Stop;
use crate::outcome::Count;
use crate::report::Report;
#[cfg(feature = "serde")]
use crate::{checkpoint::LoadError, problem::Problem};

/// What is left of a search: the unexplored parts of its tree, with what the parts that are
/// explored came to.
///
/// See [`Search::frontier`](super::Search::frontier), which starts from one and leaves the rest in
/// it.
///
/// # If it is not given back
///
/// A run takes the subtrees out of the frontier, and gives the rest back when it ends. If it
/// cannot, because a panic went through it or its iterator was [forgotten](std::mem::forget), the
/// frontier is *lost*: a run that starts from it ends at once with [`Stop::Interrupted`]. Keep a
/// copy if panics are to be survived.
///
/// So is a frontier that was read from a file and has choices that the problem
/// [cannot make](crate::Problem::can_apply) where they stand.
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(serialize = "C: serde::Serialize", deserialize = "C: serde::Deserialize<'de>"))
)]
pub struct Frontier<C> {
    /// In the order of the tree.
    pub(crate) subtrees: VecDeque<Subtree<C>>,
    /// The paths of the best solutions that were found, each in some part of the tree.
    #[cfg_attr(feature = "serde", serde(with = "super::data::paths"))]
    pub(crate) best: Vec<Vec<C>>,
    /// `None` is too many to be counted.
    counted: Option<Count>,
    report: Option<Report>,
    /// Whether there are nodes that were not expanded because of a depth limit: they are not among
    /// the subtrees.
    truncated: bool,
    /// Whether a run has the subtrees.
    lost: bool,
    /// The share of the tree that it was when it was new, or dealt out.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "super::data::share"))]
    whole: f64,
    /// Which part of the tree it is, with what was explored.
    extent: Extent,
    /// What the runs so far have asked.
    asked: Asked,
    /// Whether the subtrees are in the order of the tree: a depth-first search visits them as it
    /// would visit the whole.
    ordered: bool,
    /// Whether it was read from a file, and not yet compared with a problem.
    #[cfg_attr(feature = "serde", serde(skip, default = "super::data::unchecked"))]
    unchecked: bool,
}

/// The question that runs have asked of the solutions in this part of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Asked {
    /// Nothing yet.
    Nothing,
    /// To visit each of them, or some: no objective has compared all that were visited.
    Visits,
    /// To compare all by the objective of this name.
    Best(String),
}

impl<C> Frontier<C> {
    /// The frontier of a search that has not begun: the whole tree.
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
            asked: Asked::Nothing,
            ordered: true,
            unchecked: false,
        }
    }

    /// Whether nothing is left to be searched.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.subtrees.is_empty() && !self.truncated && !self.lost
    }

    /// The unexplored parts of the tree, in its order.
    pub fn subtrees(&self) -> impl ExactSizeIterator<Item = &Subtree<C>> {
        self.subtrees.iter()
    }

    /// The share of the tree that it was when it was new or dealt out, and the share that is left.
    pub(crate) fn shares(&self) -> (f64, f64) {
        (self.whole, self.subtrees.iter().map(Subtree::share).sum())
    }

    /// The share that is done of what it was when it was new, or when it was [dealt
    /// out](Frontier::split): see [`Progress::fraction`](super::Progress::fraction).
    #[must_use]
    pub fn fraction(&self) -> f64 {
        let (whole, left) = self.shares();
        if whole > 0.0 { (1.0 - left / whole).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// Whether it is the whole tree, with what was explored, and not a part of it that was [dealt
    /// out](Frontier::split): only then does a run make claims about the whole.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.extent.is_whole()
    }

    /// Whether a depth-first search of it meets nodes in the order of the tree.
    pub(crate) fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// Notes that the subtrees that are left may be in any order.
    pub(crate) fn mix_order(&mut self) {
        self.ordered = false;
    }

    /// Adds another part of the same tree: what is left of it and what was found there.
    ///
    /// When all parts of a frontier that was divided have been merged, in any order, it [is
    /// whole](Self::is_whole) again. A part that is merged twice counts twice, and leaves the
    /// frontier a part for ever.
    pub fn merge(&mut self, mut other: Frontier<C>) {
        self.extent.merge(std::mem::replace(&mut other.extent, Extent::whole()));
        self.absorb(other);
        if let Some(report) = &mut self.report {
            report.part = !self.extent.is_whole();
        }
    }

    /// Adds what was found in, and what is left of, a part that is known not to overlap with this
    /// one.
    pub(crate) fn absorb(&mut self, other: Frontier<C>) {
        self.ordered &= other.ordered && (self.subtrees.is_empty() || other.subtrees.is_empty());
        if self.asked == Asked::Nothing {
            self.asked = other.asked;
        } else if other.asked != Asked::Nothing && other.asked != self.asked {
            // Some of the solutions were only visited: no objective has seen all of them.
            self.asked = Asked::Visits;
        }
        self.subtrees.extend(other.subtrees);
        self.best.extend(other.best);
        self.counted = match (self.counted, other.counted) {
            (Some(one), Some(other)) => one.plus(other),
            _ => None,
        };
        self.report = match (self.report.take(), other.report) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        self.truncated |= other.truncated;
        self.lost |= other.lost;
        self.unchecked |= other.unchecked;
        self.whole += other.whole;
    }

    /// Compares a frontier that was read from a file with the problem. One with choices that the
    /// problem cannot make is lost.
    #[cfg(feature = "serde")]
    pub(crate) fn check_once(
        &mut self,
        problem: &impl Problem<Choice = C>,
    ) -> Result<(), LoadError> {
        if !std::mem::take(&mut self.unchecked) {
            return Ok(());
        }
        self.check(problem).inspect_err(|_| self.lost = true)
    }

    /// Whether a run has the subtrees, and has not given back what it has left of them.
    #[cfg(feature = "serde")]
    pub(crate) fn is_lost(&self) -> bool {
        self.lost
    }

    /// What is left, and what was explored as a frontier that has nothing left.
    #[cfg(feature = "timely")]
    pub(crate) fn part(mut self) -> (VecDeque<Subtree<C>>, Frontier<C>) {
        let left = std::mem::take(&mut self.subtrees);
        self.whole = 0.0;
        (left, self)
    }

    /// Subtrees that nothing is known of.
    #[cfg(feature = "timely")]
    pub(crate) fn of(subtrees: VecDeque<Subtree<C>>) -> Self {
        let whole = subtrees.iter().map(Subtree::share).sum();
        Frontier { subtrees, whole, ordered: false, ..Frontier::new() }
    }

    /// What all solutions counted so far come to.
    #[cfg(feature = "timely")]
    pub(crate) fn counted(&self) -> Option<Count> {
        self.counted
    }

    /// Whether nodes were not expanded because of a depth limit.
    #[cfg(feature = "timely")]
    pub(crate) fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The account of what has been explored; `None` if nothing has.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }
}

impl<C: Clone> Frontier<C> {
    /// Divides what is left into `parts` frontiers of about the same size, as far as that can be
    /// told from the number of siblings that are still untried along each path; the first of them
    /// also gets what was found so far. Of 0 parts, there is one. A part [claims
    /// nothing](crate::Report::is_part) about the whole, until all of them have been
    /// [merged](Self::merge) again.
    ///
    /// Siblings are dealt out, but not opened: if there are fewer than parts, some parts are
    /// exhausted from the start, and of more than 65 536 parts those are left out.
    /// [`Search::split`](super::Search::split) opens nodes until there are enough.
    ///
    /// ```
    /// use secateurs::problems::queens::Queens;
    /// use secateurs::search::Frontier;
    /// use secateurs::{Limits, Search};
    ///
    /// let queens = Queens::new(9)?.bits();
    /// let mut frontier = Frontier::new();
    /// let _ = Search::new(&queens).limits(Limits::new().nodes(100)).frontier(&mut frontier).count();
    ///
    /// let mut whole = Frontier::new();
    /// for (index, mut part) in frontier.split(3).into_iter().enumerate() {
    ///     let _ = Search::new(&queens).frontier(&mut part).count();
    ///     if index == 0 { whole = part } else { whole.merge(part) }
    /// }
    /// assert!(whole.is_exhausted());
    /// assert_eq!(Search::new(&queens).frontier(&mut whole).count().exact(), Some(352));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn split(mut self, parts: usize) -> Vec<Frontier<C>> {
        let dealt = deal(std::mem::take(&mut self.subtrees), parts.max(1));
        let extents = self.extent.clone().divided(division(&dealt), dealt.len());
        let mut frontiers = Vec::with_capacity(dealt.len());
        for (subtrees, extent) in dealt.into_iter().zip(extents) {
            let Frontier { truncated, lost, ordered, unchecked, .. } = self;
            let asked = self.asked.clone();
            let earlier = std::mem::replace(
                &mut self,
                Frontier { subtrees: VecDeque::new(), ..Frontier::new() },
            );
            let whole = subtrees.iter().map(Subtree::share).sum();
            self.truncated = truncated;
            self.lost = lost;
            self.ordered = ordered;
            self.unchecked = unchecked;
            self.asked.clone_from(&asked);
            frontiers.push(Frontier {
                subtrees,
                truncated,
                lost,
                whole,
                extent,
                asked,
                ordered,
                unchecked,
                ..earlier
            });
        }
        frontiers
    }
}

impl<C> Default for Frontier<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C> fmt::Debug for Frontier<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frontier")
            .field("subtrees", &self.subtrees)
            .field("counted", &self.counted)
            .field("lost", &self.lost)
            .finish_non_exhaustive()
    }
}

/// Tells a division of a frontier from others of the same one, which deal out other parts: a digest
/// of their shapes.
fn division<C>(dealt: &[VecDeque<Subtree<C>>]) -> u64 {
    let mut hasher = FxHasher::default();
    for subtrees in dealt {
        subtrees.len().hash(&mut hasher);
        for subtree in subtrees {
            (subtree.path.len(), subtree.solution).hash(&mut hasher);
            for untried in &subtree.untried {
                (untried.choices.len(), untried.barren, untried.share.to_bits()).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

/// Keeps the path of the best solution so far, as soon as it is found.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct Keeper<C> {
    path: fn(&Path<'_, C>) -> Vec<C>,
    kept: Arc<Mutex<Option<Vec<C>>>>,
}

impl<C> Keeper<C> {
    pub(crate) fn keep(&self, path: &Path<'_, C>) {
        *self.lock() = Some((self.path)(path));
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<C>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C> Clone for Keeper<C> {
    fn clone(&self) -> Self {
        Keeper { path: self.path, kept: Arc::clone(&self.kept) }
    }
}

/// A frontier that a run has taken up.
pub struct Resume<'p, C> {
    pub(crate) frontier: &'p mut Frontier<C>,
    pub(crate) keeper: Keeper<C>,
    pub(crate) saver: Option<Saver<'p, C>>,
    /// Why the last attempt to save came to nothing, if so.
    unsaved: Option<String>,
    /// Why this run proves nothing of what it asks, if so.
    mismatch: Option<String>,
    /// The effect of all runs, whatever they asked.
    effect: Cell<Effect>,
}

impl<'p, C: Clone> Resume<'p, C> {
    pub(crate) fn new(frontier: &'p mut Frontier<C>, saver: Option<Saver<'p, C>>) -> Self {
        let keeper = Keeper { path: |path| path.to_vec(), kept: Arc::default() };
        Resume {
            frontier,
            keeper,
            saver,
            unsaved: None,
            mismatch: None,
            effect: Cell::new(Effect::Lossy),
        }
    }
}

impl<C> Resume<'_, C> {
    /// Takes the subtrees out.
    pub(crate) fn take(&mut self) -> Result<VecDeque<Subtree<C>>, Stop> {
        if self.frontier.lost {
            return Err(Stop::Interrupted);
        }
        self.frontier.lost = true;
        Ok(std::mem::take(&mut self.frontier.subtrees))
    }

    /// Notes what this run asks. If earlier ones have asked something else, what they have found or
    /// cut off may be no answer to it: then this run claims nothing, for that reason.
    pub(crate) fn ask(&mut self, asked: Asked) {
        let frontier = &mut *self.frontier;
        let is_other = frontier.asked != Asked::Nothing && frontier.asked != asked;
        if let (Asked::Best(name), Some(earlier)) = (&asked, &frontier.report)
            && (earlier.read_incumbent
                || is_other && (earlier.solutions() > 0 || earlier.has_lost_to_incumbent()))
        {
            self.mismatch = Some(format!("earlier runs did not compare solutions by `{name}`"));
            // Nor does the objective of the earlier runs see those that this run visits.
            frontier.asked = Asked::Visits;
        } else {
            frontier.asked = asked;
        }
    }

    /// Takes out of the report what holds for the question of this run only.
    fn without_mismatch(&self, mut report: Report) -> Report {
        if let Some(reason) = &self.mismatch {
            report.conflicts.retain(|conflict| conflict != reason);
            report.effect = self.effect.get();
        }
        report
    }

    /// Adds the path of a solution to those of the best that were found by runs before this one.
    pub(crate) fn keep_earlier(&mut self, path: &Path<'_, C>) {
        self.frontier.best.push((self.keeper.path)(path));
    }

    /// Takes over the best solution of this run.
    fn settle_best(&mut self) {
        if let Some(path) = self.keeper.lock().take() {
            self.frontier.best = vec![path];
        }
    }

    pub(crate) fn give_back(
        &mut self,
        rest: VecDeque<Subtree<C>>,
        own: Count,
        report: Report,
        truncated: bool,
    ) {
        self.settle_best();
        let report = self.without_mismatch(report);
        let frontier = &mut *self.frontier;
        frontier.subtrees = rest;
        frontier.counted = frontier.counted.and_then(|counted| counted.plus(own));
        frontier.report = Some(report);
        frontier.truncated |= truncated;
        frontier.lost = false;
    }

    /// Saves what is left in `rest` of a run that has counted `own` so far, if it is to be saved;
    /// `report` is the account of earlier runs and this one, and is told if that fails. Gives
    /// `rest` back.
    pub(crate) fn save(
        &mut self,
        rest: VecDeque<Subtree<C>>,
        own: Count,
        report: &mut Report,
        truncated: bool,
    ) -> VecDeque<Subtree<C>> {
        self.settle_best();
        let saved = self.without_mismatch(report.clone());
        let Some(saver) = &mut self.saver else { return rest };
        let frontier = &mut *self.frontier;
        let mut snapshot = Frontier {
            subtrees: rest,
            best: std::mem::take(&mut frontier.best),
            counted: frontier.counted.and_then(|counted| counted.plus(own)),
            report: Some(saved),
            truncated: frontier.truncated || truncated,
            lost: false,
            whole: frontier.whole,
            extent: frontier.extent.clone(),
            asked: frontier.asked.clone(),
            ordered: frontier.ordered,
            unchecked: false,
        };
        self.unsaved = (saver.save)(&snapshot).err();
        report.unsaved.clone_from(&self.unsaved);
        frontier.best = std::mem::take(&mut snapshot.best);
        snapshot.subtrees
    }

    /// What earlier runs and this one have counted.
    pub(crate) fn count(&self, own: Count) -> Count {
        self.frontier.counted.and_then(|counted| counted.plus(own)).unwrap_or(Count::TOO_MANY)
    }

    /// The account of earlier runs and this one.
    pub(crate) fn report(&self, own: Report, counted: Count) -> Report {
        let mut whole = match &self.frontier.report {
            None => own,
            Some(earlier) => earlier.clone().followed_by(&own),
        };
        whole.unsaved.clone_from(&self.unsaved);
        whole.part = !self.frontier.extent.is_whole();
        self.effect.set(whole.effect);
        if let Some(reason) = &self.mismatch {
            whole.effect = Effect::Lossy;
            whole.add_conflict(reason.clone());
        }
        if self.frontier.counted.and_then(|earlier| earlier.plus(counted)).is_none() {
            whole.stop = Stop::CountOverflow;
        } else if whole.stop == Stop::Exhausted && self.frontier.truncated {
            whole.stop = Stop::DepthLimit;
        }
        whole
    }
}
