//! Iterative deepening: the answers of breadth-first search with the memory of depth-first search.

use super::RunBudget;
use crate::brancher::Brancher;
use crate::hook::Hooks;
use crate::limits::{Limits, Stop};
use crate::outcome::{Found, Outcome};
use crate::problem::Problem;
use crate::report::Report;
use crate::search::builder::Search;
use crate::search::solutions::Extract;

/// Searches down to depth 0, then 1, then 2, …, until a solution is found or a run has exhausted
/// the tree. The solution is one of the shallowest (Slate and Atkin 1977; Korf 1985).
///
/// Each run repeats the previous ones. If nodes have b children on average, all repetitions
/// together are 1 / (b − 1) of the last run's nodes: little in bushy trees; but in a tree that
/// hardly branches, the repetitions multiply the work by its depth. Memory is that of depth-first
/// search, and states need not be `Clone`. [`breadth_first`](Search::breadth_first) visits each
/// node once, but stores the open ones.
///
/// ```
/// use secateurs::Search;
/// use secateurs::search::IterativeDeepening;
/// use secateurs_problems::maze::Maze;
///
/// let maze: Maze = "S..\n.#.\n..G\n".parse()?;
/// let outcome = IterativeDeepening::new().first(|| Search::new(&maze));
/// assert_eq!(outcome.solution().map(Vec::len), Some(4));
///
/// // Without a solution, a run that no depth limit has cut short proves that there is none.
/// let maze: Maze = "S#G\n".parse()?;
/// assert!(IterativeDeepening::new().first(|| Search::new(&maze)).is_proven_none());
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a search does nothing until it is run"]
pub struct IterativeDeepening {
    step: usize,
    limits: Limits,
}

impl Default for IterativeDeepening {
    fn default() -> Self {
        Self::new()
    }
}

impl IterativeDeepening {
    /// Creates a search without limits, with runs that are each one level deeper than the last.
    pub fn new() -> Self {
        IterativeDeepening { step: 1, limits: Limits::new() }
    }

    /// Sets the increment of the depth per run; 0 is treated as 1. The first run searches down to
    /// depth 0 if the step is 1, and otherwise to the depth of one step. With a step above 1, the
    /// solution may be up to `step - 1` levels deeper than the shallowest.
    pub fn step(mut self, step: usize) -> Self {
        self.step = step.max(1);
        self
    }

    /// Stops at the given limits, which apply to all runs together. A depth limit is the depth of
    /// the last run.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Searches for a solution, and returns the first that is found.
    ///
    /// `search` sets up the search of each run, with new hooks each time: a memory of failed states
    /// from an earlier run would treat everything below the depth of that run as failed. Limits
    /// that it sets are replaced.
    ///
    /// Even within a run, a [memory](crate::hook::Memo) records a state as failed when its subtree
    /// was searched only to the depth limit. If the state occurs again closer to the root, where
    /// more of its subtree is within the limit, it is cut off nevertheless. The proof that there is
    /// no solution remains valid: it comes only from a run that was cut short nowhere, whose memory
    /// is exact. A solution that one run misses is found by a deeper one. But it may then be deeper
    /// than the shallowest. To avoid this, include the depth, or the remaining number of steps, in
    /// the key.
    ///
    /// The numbers in the report are sums over all runs; the stop is that of the last run.
    pub fn first<'p, P: Problem + 'p, B: Brancher<P>, H: Hooks<P>, X: Extract<P>>(
        &self,
        mut search: impl FnMut() -> Search<'p, P, B, H, X>,
    ) -> Outcome<Found<X::Output>> {
        let mut budget = RunBudget::new(self.limits.clone());
        let deepest = self.limits.depth.unwrap_or(usize::MAX);
        let mut depth = if self.step == 1 { 0 } else { self.step };
        loop {
            let depth_limit = depth.min(deepest);
            let (found, report) =
                search().limits(budget.limits().depth(depth_limit)).first().into_parts();
            let deeper = report.stop() == Stop::DepthLimit && depth_limit < deepest;
            // The last run has searched everything that earlier ones have, by its own hooks.
            let (effect, conflicts) = (report.effect, report.conflicts.clone());
            let sum = budget.total_with(report);
            if !deeper {
                return Outcome::new(found, Report { effect, conflicts, ..sum });
            }
            budget.set_total(sum);
            depth = depth.saturating_add(self.step);
        }
    }
}
