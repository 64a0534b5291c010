//! The plans of a sweep, made when they are needed and kept for cells that have them in common:
//! [`PlanCache`].

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cell_plan::{CellPlan, CellPlanKey, RankingCache};
use super::contour::Contour;
use super::problem::MotzkinProblem;
use crate::memory::is_available;
use crate::plug::TooWide;

/// PlanCache that are kept. On a board without obstacles there are four rows of different ones: the
/// first one, the last one, and one for each direction.
const MAX_CACHED_PLANS: usize = 128;

/// The system is asked for plans that take up more bytes than this.
const LARGE: usize = 1 << 16;

/// A plan is expected to take up so many bytes at least.
const SMALL: usize = 1 << 12;

/// The longest words for which plans are made: one plug fewer than a machine word holds.
pub(super) const MAX_PLUGS: usize = 31;

/// There is no plan, as the table would have so many words.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoPlan {
    pub(super) words: usize,
}

#[derive(Debug)]
pub(super) struct PlanCache<'p, P> {
    profile: &'p P,
    plans: FxHashMap<CellPlanKey, Arc<CellPlan>>,
    rankings: RankingCache,
    /// Bytes of all plans and rankings.
    bytes: usize,
    /// Bytes of the plan that was given last, with its rankings. It stays while others are dropped.
    in_use: usize,
    /// Bytes of the plan that was made last, with its rankings.
    last: usize,
}

impl<'p, P: MotzkinProblem> PlanCache<'p, P> {
    pub(super) fn new(profile: &'p P) -> Self {
        PlanCache {
            profile,
            plans: FxHashMap::default(),
            rankings: RankingCache::default(),
            bytes: 0,
            in_use: 0,
            last: SMALL,
        }
    }

    /// Bytes that the plans take up.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Drops all plans but the one in use.
    pub(super) fn drop_unused(&mut self) {
        self.plans.clear();
        self.rankings.clear();
        self.bytes = self.in_use;
    }

    /// Whether words after a cell fit into the state, and are short enough for plans. To be asked
    /// before anything else.
    pub(super) fn check(&self, cell: usize) -> Result<(), TooWide> {
        TooWide::check(2 * self.profile.plugs(), 2 * MAX_PLUGS)?;
        self.profile.fits(cell)
    }

    /// What is known of the words after a cell, from what was known before.
    pub(super) fn after(&self, cell: usize, contour: &Contour) -> Contour {
        let next = Some(cell + 1).filter(|&next| next < self.profile.cells());
        let next = next.map(|next| self.profile.low(next));
        contour.after(self.profile.low(cell), self.profile.rule(cell), next)
    }

    /// The plan for a cell, made unless it is there, for a table of at most so many words.
    ///
    /// All plans take up to about `most_bytes`: others are dropped if need be. How much the one
    /// takes that is made is known only afterwards; it is about as large as the last one, with as
    /// much that is needed on the way.
    pub(super) fn get(
        &mut self,
        cell: usize,
        old: &Contour,
        new: &Contour,
        (most_words, most_bytes): (usize, usize),
    ) -> Result<Arc<CellPlan>, NoPlan> {
        let key = self.key(cell, old, new);
        if let Some(plan) = self.plans.get(&key) {
            return Ok(Arc::clone(plan));
        }
        // A plan takes memory and time as the square root of the table: none is made for a table
        // that cannot be.
        let words = usize::try_from(key.new.count(new.target)).unwrap_or(usize::MAX);
        if words > most_words {
            return Err(NoPlan { words });
        }
        let expected = 2 * self.last + self.last / 2;
        if self.plans.len() >= MAX_CACHED_PLANS || self.bytes + expected > most_bytes {
            self.drop_unused();
        }
        if self.bytes + expected > most_bytes || (expected > LARGE && !is_available(expected)) {
            return Err(NoPlan { words });
        }
        let before = self.rankings.bytes();
        let plan = Arc::new(CellPlan::new(&key, &mut self.rankings));
        self.last = SMALL.max(plan.bytes_with_rankings());
        self.bytes += plan.bytes + (self.rankings.bytes() - before);
        self.plans.insert(key, Arc::clone(&plan));
        Ok(plan)
    }

    /// This plan is carried out from now on.
    pub(super) fn put_to_use(&mut self, plan: &CellPlan) {
        self.in_use = plan.bytes_with_rankings();
    }

    /// Whether there is nothing to [prepare](PlanCache::prepare).
    pub(super) fn is_prepared(&self, cell: usize, new: &Contour) -> bool {
        cell + 1 >= self.profile.cells()
            || self.plans.contains_key(&self.key(cell + 1, new, &self.after(cell + 1, new)))
    }

    fn key(&self, cell: usize, old: &Contour, new: &Contour) -> CellPlanKey {
        CellPlanKey {
            old: old.shape,
            new: new.shape,
            low: self.profile.low(cell),
            rule: self.profile.rule(cell),
        }
    }

    /// Makes the plan for the cell after this one, if there is one, so that it is there when it is
    /// needed.
    pub(super) fn prepare(&mut self, cell: usize, new: &Contour, most: (usize, usize)) {
        if cell + 1 < self.profile.cells() {
            let after = self.after(cell + 1, new);
            // If there is none, that will be found out again.
            let _ = self.get(cell + 1, new, &after, most);
        }
    }

    /// How many words the largest table will have, of those after this cell and about two rows
    /// more.
    pub(super) fn most_words(&self, cell: usize, contour: &Contour) -> usize {
        let (mut contour, mut most) = (*contour, 0);
        for cell in (cell..self.profile.cells()).take(2 * contour.shape.plugs) {
            contour = self.after(cell, &contour);
            most = most.max(contour.shape.count(contour.target));
        }
        usize::try_from(most).unwrap_or(usize::MAX)
    }
}
