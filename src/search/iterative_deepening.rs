//! Iterative deepening: depth-first search with the memory of a path and the answer of
//! breadth-first search.

use super::runs::Runs;
use super::{Extract, Search};
use crate::brancher::Brancher;
use crate::hook::Hooks;
use crate::limits::{Limits, Stop};
use crate::outcome::{Found, Outcome};
use crate::problem::Problem;

/// Looks for a solution down to depth 0, then 1, then 2, …, until one is found or a run has come to
/// the end of the tree: the solution is one of the shallowest (Slate and Atkin 1977; Korf 1985).
///
/// Each run visits again what those before it visited. Where nodes have b children on average, that
/// is 1 / (b − 1) of the last run's nodes: little in bushy trees, and as many times the tree as it
/// is deep in one that hardly branches. Memory is that of depth-first search, and states need not
/// be `Clone`; [`breadth_first`](Search::breadth_first) visits each node once, and keeps them all.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::maze::Maze;
/// use secateurs::search::IterativeDeepening;
///
/// let maze: Maze = "S..\n.#.\n..G\n".parse()?;
/// let outcome = IterativeDeepening::new().first(|| Search::new(&maze));
/// assert_eq!(outcome.solution().map(Vec::len), Some(4));
///
/// // What has no solution is proven to have none by a run that no limit of depth has cut short.
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
    /// Without limits, and one level deeper in each run.
    pub fn new() -> Self {
        IterativeDeepening { step: 1, limits: Limits::new() }
    }

    /// Goes down by so many levels in each run, from that depth on; 0 is taken for 1. Of more than
    /// one, the solution may be up to `step - 1` levels deeper than the shallowest.
    pub fn step(mut self, step: usize) -> Self {
        self.step = step.max(1);
        self
    }

    /// Stops at the given limits, which are those of all runs together; one of depth is the depth
    /// of the last run.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The first solution that is found.
    ///
    /// `search` sets up the search of each run, with new hooks each time: a memory of failed states
    /// would take for failed what was below the depth of an earlier run. Limits that it sets are
    /// replaced.
    ///
    /// Within a run, too, a [memory](crate::hook::Memo) takes a state for failed of which it has
    /// seen no more than the depth allowed. If it comes again nearer to the root, where more would
    /// be seen of it, it is cut off all the same. That there is no solution is still proven by none
    /// but a run that was cut short nowhere, in which all that is remembered is true; and what one
    /// run misses for that, a deeper one finds. But the solution may then be deeper than the
    /// shallowest. Have the depth, or the steps that are left, as a part of the key, so that a
    /// state is known only for where it was met.
    ///
    /// In the outcome, figures of the report are sums over all runs, and the stop is that of the
    /// last one.
    pub fn first<'p, P, B, H, X>(
        &self,
        mut search: impl FnMut() -> Search<'p, P, B, H, X>,
    ) -> Outcome<Found<X::Output>>
    where
        P: Problem + 'p,
        B: Brancher<P>,
        H: Hooks<P>,
        X: Extract<P>,
    {
        let mut runs = Runs::new(self.limits.clone());
        let deepest = self.limits.depth.unwrap_or(usize::MAX);
        let mut depth = if self.step == 1 { 0 } else { self.step };
        loop {
            let within = depth.min(deepest);
            let (found, report) = search().limits(runs.limits().depth(within)).first().into_parts();
            let deeper = report.stop() == Stop::DepthLimit && within < deepest;
            let sum = runs.with(report);
            if !deeper {
                return Outcome::new(found, sum);
            }
            runs.go_on(sum);
            depth = depth.saturating_add(self.step);
        }
    }
}
