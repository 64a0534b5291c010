//! Lending a frontier to a run: [`Resume`] takes the subtrees out, gives them back, and saves them
//! in between.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::subtree::{BestSolution, CopyChoice, KnownValue, OfferedValues, Subtree};
use super::{Frontier, Question};
use crate::hook::{Effect, Path};
use crate::incumbent::{IncumbentId, ObjectiveId, ValueText};
use crate::limits::Stop;
use crate::outcome::Count;
use crate::report::Report;

/// Saves a frontier, or returns the reason why it could not.
type Save<'p, C> = Box<dyn FnMut(&Frontier<C>) -> Result<(), String> + Send + 'p>;

/// A function that saves the frontier of a run, and how often it is called.
#[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "created only with `serde`"))]
pub struct Saver<'p, C> {
    /// The minimum time between two saves.
    pub(crate) every: Duration,
    pub(crate) save: Save<'p, C>,
}

/// A shared slot for the best solution, filled as soon as the solution is found.
#[allow(missing_debug_implementations, reason = "never seen outside the crate")]
pub struct BestSlot<C> {
    path: fn(&Path<'_, C>) -> Vec<C>,
    /// Shared by the visitors of a run and the [`Resume`] that saves it. The lock is taken only
    /// when a solution improves and when the frontier is saved or given back.
    slot: Arc<Mutex<Option<BestSolution<C>>>>,
}

impl<C> BestSlot<C> {
    /// Replaces the solution. The incumbent has its value.
    pub(crate) fn record(&self, path: &Path<'_, C>, value: &impl Debug, incumbent: IncumbentId) {
        let value = KnownValue { text: ValueText::of(value), incumbent };
        *self.lock() = Some(BestSolution { path: (self.path)(path), value });
    }

    fn lock(&self) -> MutexGuard<'_, Option<BestSolution<C>>> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C> Clone for BestSlot<C> {
    fn clone(&self) -> Self {
        BestSlot { path: self.path, slot: Arc::clone(&self.slot) }
    }
}

/// A frontier that a run has taken.
pub struct Resume<'p, C> {
    pub(crate) frontier: &'p mut Frontier<C>,
    pub(crate) best_slot: BestSlot<C>,
    pub(crate) copy_choice: CopyChoice<C>,
    pub(crate) saver: Option<Saver<'p, C>>,
    /// The reason why the last attempt to save failed, if it did.
    unsaved: Option<String>,
    /// The reason why this run cannot prove anything about its question, if there is one.
    mismatch: Option<String>,
    /// The objective of this run, if it optimises and earlier runs are compatible with that.
    objective: Option<ObjectiveId>,
    /// The values that earlier runs knew and this one does not.
    missing: OfferedValues,
    /// The values that this run has found at the paths of solutions of other values.
    revisited: Vec<String>,
    /// The combined effect of all runs, regardless of a `mismatch`. Set by `report`, whose `&self`
    /// needs a cell.
    effect: Cell<Effect>,
}

impl<'p, C: Clone> Resume<'p, C> {
    pub(crate) fn new(frontier: &'p mut Frontier<C>, saver: Option<Saver<'p, C>>) -> Self {
        let best_slot = BestSlot { path: |path| path.to_vec(), slot: Arc::default() };
        Resume {
            frontier,
            best_slot,
            copy_choice: C::clone,
            saver,
            unsaved: None,
            mismatch: None,
            objective: None,
            missing: OfferedValues::default(),
            revisited: Vec::new(),
            effect: Cell::new(Effect::Lossy),
        }
    }
}

impl<C> Resume<'_, C> {
    /// Takes the subtrees out of the frontier.
    pub(crate) fn take(&mut self) -> Result<VecDeque<Subtree<C>>, Stop> {
        if self.frontier.lost {
            return Err(Stop::Interrupted);
        }
        self.frontier.lost = true;
        Ok(std::mem::take(&mut self.frontier.subtrees))
    }

    /// Records the question of this run. If earlier runs had another question, the solutions that
    /// they have found or cut off may be answers to this one. This run then proves nothing, and its
    /// report names that reason.
    pub(crate) fn ask(&mut self, objective: Option<ObjectiveId>) {
        let frontier = &mut *self.frontier;
        let asked = objective.clone().map_or(Question::Visits, Question::Best);
        let earlier_asked = std::mem::replace(&mut frontier.asked, asked);
        let Some(objective) = objective else { return };
        let is_other =
            !matches!(earlier_asked, Question::Nothing) && !earlier_asked.is_same(&frontier.asked);
        if frontier.report.as_ref().is_some_and(|earlier| {
            earlier.other_incumbents.has_other_than(objective.incumbent())
                || is_other && (earlier.solutions() > 0 || earlier.may_have_lost_to_incumbent())
        }) {
            let name = match objective.name() {
                Some(name) => format!("`{name}`"),
                None => "this objective, which has no name".to_owned(),
            };
            self.mismatch = Some(format!("earlier runs did not compare solutions by {name}"));
            // The objective of the earlier runs does not compare the solutions of this run either.
            frontier.asked = Question::Visits;
            return;
        }
        self.missing = frontier.offered.clone();
        self.missing.remove_known(&objective);
        self.objective = Some(objective);
        // This attempt fails, but before anything is searched that would be lost.
        #[cfg(feature = "serde")]
        if self.frontier.is_unnamed()
            && let Some(saver) = &mut self.saver
        {
            self.unsaved = (saver.save)(self.frontier).err();
        }
    }

    /// Records the values that earlier runs knew and this one does not, once the best solutions of
    /// those runs have been visited again. Without them, this run proves nothing.
    pub(crate) fn require_offered_values(&mut self) {
        if let Some(objective) = &self.objective {
            self.missing.remove_known(objective);
            self.mismatch = self.mismatch.take().or_else(|| self.missing.conflict());
        }
    }

    /// Returns the values that runs after this one must know. `report` covers all runs so far.
    fn offered_so_far(&self, report: &Report) -> OfferedValues {
        let Some(objective) = &self.objective else { return self.frontier.offered.clone() };
        let mut offered = self.missing.clone();
        if report.solutions() > 0 || report.may_have_lost_to_incumbent() {
            // A run that replays the path of a solution knows a value as good as that found there.
            let is_lasting = |text: &String| !self.revisited.contains(text);
            if objective.latest_value().as_ref().is_some_and(is_lasting) {
                offered.insert_latest(objective);
            }
        }
        offered.without(&self.frontier.best)
    }

    /// Removes from a report what holds only for the question of this run.
    fn without_mismatch(&self, mut report: Report) -> Report {
        if let Some(reason) = &self.mismatch {
            report.conflicts.retain(|conflict| conflict != reason);
            report.effect = self.effect.get();
        }
        report
    }

    /// Adds a solution to the best ones of earlier runs. `visited` is the value of the solution to
    /// which its path leads in this run, if it leads to one that has children. If that is another
    /// value, then a bound that infers choices may have been tighter in the earlier run: this run
    /// must know the value otherwise.
    pub(crate) fn add_earlier_best(
        &mut self,
        path: &Path<'_, C>,
        value: KnownValue,
        visited: Option<String>,
    ) {
        if let Some(visited) = visited.filter(|visited| *visited != value.text) {
            self.missing.insert(value.clone());
            self.revisited.push(visited);
        }
        self.frontier.best.push(BestSolution { path: (self.best_slot.path)(path), value });
    }

    /// Stores the best solution of this run in the frontier, beside those whose value it does not
    /// know.
    fn store_best(&mut self) {
        if let Some(best) = self.best_slot.lock().take() {
            self.frontier.best.retain(|known| self.missing.contains(&known.value));
            self.frontier.best.push(best);
        }
    }

    /// Gives the remaining subtrees `rest` back to the frontier, with the results of this run.
    pub(crate) fn give_back(
        &mut self,
        rest: VecDeque<Subtree<C>>,
        own: Option<Count>,
        report: Report,
        truncated: bool,
    ) {
        self.store_best();
        let report = self.without_mismatch(report);
        let offered = self.offered_so_far(&report);
        let frontier = &mut *self.frontier;
        frontier.offered = offered;
        frontier.subtrees = rest;
        frontier.counted = frontier.counted.and_then(|counted| counted.plus(own?));
        frontier.report = Some(report);
        frontier.truncated |= truncated;
        frontier.lost = false;
    }

    /// Saves the remaining subtrees `rest` of a run that has counted `own` so far, if the run has a
    /// saver, and returns `rest`. `report` covers the earlier runs and this one; a failure to save
    /// is noted in it.
    pub(crate) fn save(
        &mut self,
        rest: VecDeque<Subtree<C>>,
        own: Option<Count>,
        report: &mut Report,
        truncated: bool,
    ) -> VecDeque<Subtree<C>> {
        if self.saver.is_none() {
            self.store_best();
            return rest;
        }
        let Frontier { counted, report: earlier, truncated: was_truncated, offered, .. } =
            &*self.frontier;
        let earlier = (*counted, earlier.clone(), *was_truncated, offered.clone());
        // The frontier has the results of this run while it is written.
        self.give_back(rest, own, report.clone(), truncated);
        if let Some(saver) = &mut self.saver {
            self.unsaved = (saver.save)(self.frontier).err();
        }
        report.unsaved.clone_from(&self.unsaved);
        let frontier = &mut *self.frontier;
        (frontier.counted, frontier.report, frontier.truncated, frontier.offered) = earlier;
        frontier.lost = true;
        std::mem::take(&mut frontier.subtrees)
    }

    /// Returns the count of earlier runs and this one.
    pub(crate) fn count(&self, own: Option<Count>) -> Count {
        self.frontier.counted.and_then(|counted| counted.plus(own?)).unwrap_or(Count::TOO_MANY)
    }

    /// Returns the report of earlier runs and this one.
    pub(crate) fn report(&self, own: Report, counted: Option<Count>) -> Report {
        let mut whole = match &self.frontier.report {
            None => own,
            Some(earlier) => earlier.clone().followed_by(&own),
        };
        whole.unsaved.clone_from(&self.unsaved);
        whole.part = !self.frontier.extent.is_whole();
        whole.may_overlap = self.frontier.extent.may_overlap();
        self.effect.set(whole.effect);
        if let Some(reason) = &self.mismatch {
            whole.add_conflict(reason);
        }
        if self.frontier.counted.and_then(|earlier| earlier.plus(counted?)).is_none() {
            whole.stop = Stop::CountOverflow;
        } else if whole.stop == Stop::Exhausted && self.frontier.truncated {
            whole.stop = Stop::DepthLimit;
        }
        whole
    }
}
