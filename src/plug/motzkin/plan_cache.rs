//! The plans of a sweep, made on demand and cached for cells with the same key: [`PlanCache`].

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cell_plan::{CellPlan, CellPlanKey, RankingCache};
use super::contour::LayerRules;
use super::problem::{MotzkinProblem, PathPiece};
use crate::memory::is_available;
use crate::plug::TooWide;

/// The maximal number of cached plans. A board without obstacles has four rows of different plans:
/// the first row, the last row, and one row for each direction.
const MAX_CACHED_PLANS: usize = 128;

/// Plans of more bytes than this are made only if the system has the memory available.
const CHECKED_BYTES: usize = 1 << 16;

/// The least expected size of a plan in bytes.
const MIN_PLAN_BYTES: usize = 1 << 12;

/// The maximal length of words in plans: one plug fewer than a machine word holds.
pub(super) const MAX_PLUGS: usize = 31;

/// The refusal of a plan because of its memory or the number of words of its table.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoPlan {
    pub(super) words: usize,
}

/// The plans of a sweep by their keys, within a limit of memory.
#[derive(Debug)]
pub(super) struct PlanCache<'p, P> {
    problem: &'p P,
    plans: FxHashMap<CellPlanKey, Arc<CellPlan>>,
    rankings: RankingCache,
    /// The size in bytes of all plans and rankings, and of right halves for the next plan.
    bytes: usize,
    /// The size in bytes of the segments of the plan in use.
    pub(super) segment_bytes: usize,
    /// The size in bytes of the plan that was made last, of its rankings, and of their right
    /// halves, which were needed to make it.
    last_plan_bytes: usize,
}

impl<'p, P: MotzkinProblem> PlanCache<'p, P> {
    pub(super) fn new(problem: &'p P) -> Self {
        PlanCache {
            problem,
            plans: FxHashMap::default(),
            rankings: RankingCache::default(),
            bytes: 0,
            segment_bytes: 0,
            last_plan_bytes: MIN_PLAN_BYTES,
        }
    }

    /// Returns the size of the plans in bytes, with the segments of the one in use and the right
    /// halves for the next one.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.segment_bytes
    }

    fn recount(&mut self) {
        let plans: usize = self.plans.values().map(|plan| plan.bytes).sum();
        self.bytes = plans + self.rankings.bytes();
    }

    /// Drops all plans except the one that a job holds.
    pub(super) fn drop_unused(&mut self) {
        self.plans.retain(|_, plan| Arc::strong_count(plan) > 1);
        self.rankings.drop_unused();
        self.recount();
    }

    /// Checks whether words after a cell fit into the state and are short enough for plans. Callers
    /// must check a cell before they pass it to another method.
    pub(super) fn check(&self, cell: usize) -> Result<(), TooWide> {
        TooWide::check(2 * self.problem.plugs(), 2 * MAX_PLUGS)?;
        self.problem.fits(cell)
    }

    /// Returns the rules of the layer after a cell, given those before it.
    pub(super) fn after(&self, cell: usize, rules: &LayerRules) -> LayerRules {
        let next = Some(cell + 1).filter(|&next| next < self.problem.cells());
        let next = next.map(|next| self.problem.low(next));
        let mut after = rules.after(self.problem.low(cell), self.problem.rule(cell), next);
        // Twins have the same value only if every way into the cell has both ways out.
        after.word_rules.twins &= PathPiece::kept(self.problem, cell) == PathPiece::EVERY;
        after
    }

    /// Returns the plan of a cell, from the cache or newly made, for a table of at most
    /// `most_words` words.
    ///
    /// All plans together take at most about `most_bytes`; others are dropped if necessary. The
    /// size of a new plan is known only afterwards. Making it is expected to take two and a half
    /// times the size of the last plan, temporary data included.
    pub(super) fn get(
        &mut self,
        cell: usize,
        old: &LayerRules,
        new: &LayerRules,
        (most_words, most_bytes): (usize, usize),
    ) -> Result<Arc<CellPlan>, NoPlan> {
        let key = self.key(cell, old, new);
        if let Some(plan) = self.plans.get(&key) {
            return Ok(Arc::clone(plan));
        }
        // The memory and time of a plan grow with the square root of the table. No plan is made for
        // a table that is too large.
        let words = usize::try_from(key.new.count(new.colour_balance)).unwrap_or(usize::MAX);
        if words > most_words {
            return Err(NoPlan { words });
        }
        let expected = 2 * self.last_plan_bytes + self.last_plan_bytes / 2;
        if self.plans.len() >= MAX_CACHED_PLANS || self.bytes() + expected > most_bytes {
            self.drop_unused();
        }
        if self.bytes() + expected > most_bytes
            || (expected > CHECKED_BYTES && !is_available(expected))
        {
            return Err(NoPlan { words });
        }
        let plan = Arc::new(CellPlan::new(&key, &mut self.rankings));
        let rankings =
            [&plan.old, &plan.new].map(|ranking| ranking.bytes() + ranking.rights_bytes());
        self.last_plan_bytes = MIN_PLAN_BYTES.max(plan.bytes + rankings.iter().sum::<usize>());
        self.plans.insert(key, Arc::clone(&plan));
        self.recount();
        Ok(plan)
    }

    /// Returns the key of the plan of the next cell, if there is one.
    pub(super) fn next_key(&self, cell: usize, new: &LayerRules) -> Option<CellPlanKey> {
        let next = Some(cell + 1).filter(|&next| next < self.problem.cells());
        next.map(|next| self.key(next, new, &self.after(next, new)))
    }

    fn key(&self, cell: usize, old: &LayerRules, new: &LayerRules) -> CellPlanKey {
        CellPlanKey {
            old: old.word_rules,
            new: new.word_rules,
            low: self.problem.low(cell),
            rule: self.problem.rule(cell),
            kept: PathPiece::kept(self.problem, cell),
        }
    }

    /// Returns the number of words of the largest table after this cell or one of the cells of
    /// about the next two rows.
    pub(super) fn most_words(&self, cell: usize, rules: &LayerRules) -> usize {
        let most = self.words_to_come(cell, rules).max();
        usize::try_from(most.unwrap_or(0)).unwrap_or(usize::MAX)
    }

    /// Returns the largest number of words of two consecutive tables, which exist at the same time,
    /// among the tables before and after the cells of about the next two rows.
    pub(super) fn most_words_of_two(&self, cell: usize, rules: &LayerRules) -> u64 {
        let mut before = rules.word_rules.count(rules.colour_balance);
        let sums = self.words_to_come(cell, rules).map(|words| {
            let sum = words.saturating_add(before);
            before = words;
            sum
        });
        sums.max().unwrap_or(0)
    }

    /// Returns the numbers of words of the tables after this cell and the cells of about the next
    /// two rows.
    fn words_to_come(&self, cell: usize, rules: &LayerRules) -> impl Iterator<Item = u64> {
        let mut rules = *rules;
        (cell..self.problem.cells()).take(2 * rules.word_rules.plugs).map(move |cell| {
            rules = self.after(cell, &rules);
            rules.word_rules.count(rules.colour_balance)
        })
    }
}
