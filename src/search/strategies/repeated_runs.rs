//! Searches that repeat runs with higher limits: [`IterativeDeepening`], [`LimitedDiscrepancy`],
//! and restarts.
//!
//! A randomised search may find a solution at once, or make a mistake near the root that
//! backtracking does not revise in reasonable time. The distribution of its run times has a *heavy
//! tail* (Gomes, Selman and Kautz 1998). The search is therefore given a node budget, and restarts
//! with other random choices when that is used up. A [`Schedule`] defines the budgets:
//!
//! - [`luby`](Schedule::luby): 1, 1, 2, 1, 1, 2, 4, 1, … units. Among schedules that know nothing
//!   about the search, none is better by more than a constant factor; and the best fixed budget for
//!   a known run-time distribution is better by at most a logarithmic factor (Luby, Sinclair and
//!   Zuckerman 1993).
//! - [`geometric`](Schedule::geometric): each budget is the previous one times a factor. Long runs
//!   come earlier, which suits structured problems (Walsh 1999). With a factor above 1, budgets
//!   outgrow every tree, so the tree is exhausted in the end.
//!
//! A schedule only produces numbers. Pass them to [`Limits::nodes`](crate::Limits::nodes), one run
//! after another.

use std::iter::FusedIterator;

use super::RunBudget;
use crate::brancher::Brancher;
use crate::hook::{DISCREPANCIES, Discrepancies, Effect, Hooks};
use crate::limits::{Limits, Stop};
use crate::outcome::{Found, Outcome};
use crate::problem::Problem;
use crate::report::{HookReport, Report};
use crate::search::builder::{Extract, Search};

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
#[derive(Clone, Debug, Default)]
#[must_use = "a search does nothing until it is run"]
pub struct IterativeDeepening {
    /// 0 is treated as 1.
    step: usize,
    limits: Limits,
}

impl IterativeDeepening {
    /// Creates a search without limits, with runs that are each one level deeper than the last.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the increment of the depth per run; 0 is treated as 1. The runs search down to the
    /// depths 0, 1, 2, … with step 1, and s, 2s, 3s, … with a larger step s. With a step above 1,
    /// the solution may be up to `step - 1` levels deeper than the shallowest.
    pub fn step(mut self, step: usize) -> Self {
        self.step = step;
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
        let step = self.step.max(1);
        let mut depth = if step == 1 { 0 } else { step };
        loop {
            let depth_limit = depth.min(deepest);
            let (found, report) =
                search().limits(budget.limits().depth(depth_limit)).first().into_parts();
            let deeper = report.stop() == Stop::DepthLimit && depth_limit < deepest;
            let (effect, conflicts) = (report.effect, report.conflicts.clone());
            budget.add(report);
            if !deeper {
                // The claim is that of the last run alone: it has searched all that earlier runs
                // have.
                return Outcome::new(found, Report { effect, conflicts, ..budget.sum() });
            }
            depth = depth.saturating_add(step);
        }
    }
}

/// Searches with 0, then 1, then 2, … [discrepancies](Discrepancies), until a solution is found or
/// a run has cut off nothing for having too many (Harvey and Ginsberg 1995).
///
/// Each run repeats the previous ones. As most paths of a tree have many discrepancies, all runs
/// together take little longer than the last one, as long as that covers a small part of the tree.
/// If the whole tree has to be searched, they may multiply the work by the number of runs.
/// [`doubling`](Self::doubling) the number of discrepancies reduces the number of runs. (Korf's
/// improvement of 1996 visits each leaf in one run only. It needs to know the depth of the tree
/// below each node, which a [`Problem`] does not provide.)
///
/// ```
/// use secateurs::Search;
/// use secateurs::search::LimitedDiscrepancy;
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(16)?.bits();
/// let outcome = LimitedDiscrepancy::new().first(|within| Search::new(&queens).hooks((within,)));
/// assert!(outcome.solution().is_some());
///
/// // Without a solution, the last run is complete and proves that there is none.
/// let queens = Queens::new(3)?.bits();
/// let outcome = LimitedDiscrepancy::new().first(|within| Search::new(&queens).hooks((within,)));
/// assert!(outcome.is_proven_none());
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a search does nothing until it is run"]
pub struct LimitedDiscrepancy {
    doubling: bool,
    limits: Limits,
}

impl LimitedDiscrepancy {
    /// Creates a search without limits, with one more discrepancy in each run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows 0, 1, 2, 4, 8, … discrepancies instead of 0, 1, 2, 3, 4, …
    pub fn doubling(mut self) -> Self {
        self.doubling = true;
        self
    }

    /// Stops at the given limits, which apply to all runs together. A depth limit applies to each
    /// run.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Searches for a solution, and returns the first that is found.
    ///
    /// `search` sets up the search of each run. It gets the discrepancy hook and has to plug it in
    /// after the other hooks, which must be new in each run: a memory of failed states would record
    /// what was cut off as failed. Limits that it sets are replaced.
    ///
    /// The numbers in the report are sums over all runs. If the last run cut off nothing for having
    /// too many discrepancies, effect and stop are those of that run without this hook, except that
    /// the effect is not preserving if any incumbent was read. The search has then proved the same
    /// as one without the hook, and [`Outcome::is_proven_none`] may hold.
    /// If a limit is reached first, the outcome is unknown, and the stop names the limit.
    pub fn first<'p, P, B, H, X>(
        &self,
        mut search: impl FnMut(Discrepancies<P::Choice>) -> Search<'p, P, B, H, X>,
    ) -> Outcome<Found<X::Output>>
    where
        P: Problem<Choice: Clone + PartialEq> + 'p,
        B: Brancher<P>,
        H: Hooks<P>,
        X: Extract<P>,
    {
        let mut budget = RunBudget::new(self.limits.clone());
        let mut allowed = 0;
        loop {
            let run = search(Discrepancies::at_most(allowed)).limits(budget.limits());
            let brancher_effect = run.brancher.effect();
            let (found, report) = run.first().into_parts();

            let effect = effect_if_none_was_cut(&report, brancher_effect);
            // No path has more discrepancies than steps. Without this check, a hook of the user
            // with the same name could keep the runs going forever.
            let allows_all = allowed > report.depth();
            // After a stop at the depth limit, a solution may still need more discrepancies.
            let is_searched = !matches!(found, Found::Solution(_))
                && matches!(report.stop(), Stop::Exhausted | Stop::DepthLimit);
            budget.add(report);
            match effect {
                Some(effect) if is_searched => {
                    let sum = Report { effect, ..budget.sum() };
                    return Outcome::new(Found::new(None, &sum), sum);
                }
                None if is_searched && !allows_all => {}
                _ => return Outcome::new(found, budget.sum()),
            }
            allowed = if self.doubling { (2 * allowed).max(1) } else { allowed + 1 };
        }
    }
}

/// Returns the effect that a run would have had without the discrepancy hook, if that hook has cut
/// off nothing; that of the run itself if there is no such hook.
pub(super) fn effect_if_none_was_cut(report: &Report, brancher_effect: Effect) -> Option<Effect> {
    // Several hooks may have this name, and it is unknown which of them is the discrepancy hook.
    // All of them must therefore have cut off nothing, and the effects of all but one count.
    let (named, others): (Vec<&HookReport>, Vec<&HookReport>) =
        report.hooks().iter().partition(|hook| hook.name() == DISCREPANCIES);
    if named.is_empty() {
        // An earlier run of the same frontier may have had another brancher.
        return Some(report.effect);
    }
    let others = others.into_iter().chain(named.iter().copied().skip(1)).map(HookReport::effect);
    let at_least = match (report.conflicts().is_empty(), report.read_incumbent) {
        (false, _) => Effect::Lossy,
        (true, true) => Effect::OptimumOnly,
        (true, false) => Effect::Preserving,
    };
    let is_uncut = named.iter().all(|hook| hook.cuts() == 0);
    is_uncut.then(|| others.fold(brancher_effect.max(at_least), Effect::max))
}

/// An infinite sequence of node budgets, one for each attempt of a search with restarts.
///
/// The iterator never ends: bound the attempts with [`take`](Iterator::take), or stop when an
/// attempt has found a solution or exhausted its tree. No budget is 0. Budgets saturate at 2⁶⁴ − 1.
///
/// ```
/// use secateurs::brancher::Shuffled;
/// use secateurs::search::Schedule;
/// use secateurs::{Limits, Search};
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(40)?.bits();
/// let solved = Schedule::luby(500).enumerate().find_map(|(attempt, nodes)| {
///     let order = Shuffled::new(attempt as u64); // other random choices at each attempt
///     let limits = Limits::new().nodes(nodes);
///     let outcome = Search::new(&queens).brancher(order).limits(limits).first();
///     outcome.solution().cloned()
/// });
/// assert_eq!(solved.map(|path| path.len()), Some(40));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a schedule is an iterator, and does nothing unless its budgets are taken"]
pub struct Schedule {
    first: u64,
    growth: Growth,
}

/// The rule by which budgets follow from the first one, and its state.
#[derive(Clone, Debug, PartialEq)]
enum Growth {
    /// The next budget is `power` times the first. `sequence` is the number, from 1 on, of the
    /// ascending sequence 1, 2, 4, … that `power` belongs to.
    Luby { sequence: u64, power: u64 },
    /// The next budget is `scale` times the first.
    Geometric { factor: f64, scale: f64 },
}

impl Schedule {
    /// Creates the schedule of `unit` times 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, …: a
    /// budget of twice the size comes half as often (Luby, Sinclair and Zuckerman 1993). A unit of
    /// 0 is treated as 1.
    ///
    /// ```
    /// use secateurs::search::Schedule;
    ///
    /// let budgets: Vec<u64> = Schedule::luby(100).take(8).collect();
    /// assert_eq!(budgets, [100, 100, 200, 100, 100, 200, 400, 100]);
    /// ```
    pub fn luby(unit: u64) -> Self {
        Schedule { first: unit.max(1), growth: Growth::Luby { sequence: 1, power: 1 } }
    }

    /// Creates the schedule of `first`, then each budget `factor` times the one before, rounded
    /// down (Walsh 1999, with factors of 1.2 to 2).
    ///
    /// A first budget of 0 is treated as 1. A factor below 1 or NaN is treated as 1, which makes
    /// all budgets equal.
    ///
    /// ```
    /// use secateurs::search::Schedule;
    ///
    /// assert_eq!(Schedule::geometric(100, 1.5).take(4).collect::<Vec<_>>(), [100, 150, 225, 337]);
    /// assert_eq!(Schedule::geometric(7, 1.0).take(3).collect::<Vec<_>>(), [7, 7, 7]);
    /// ```
    pub fn geometric(first: u64, factor: f64) -> Self {
        // `max` also replaces NaN by 1.
        Schedule {
            first: first.max(1),
            growth: Growth::Geometric { factor: factor.max(1.0), scale: 1.0 },
        }
    }
}

impl Iterator for Schedule {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let budget = match &mut self.growth {
            Growth::Luby { sequence, power } => {
                let budget = self.first.saturating_mul(*power);
                // Knuth's "reluctant doubling": the powers rise to the largest power of 2 that
                // divides the number of the ascending sequence.
                if *sequence & sequence.wrapping_neg() == *power {
                    (*sequence, *power) = (*sequence + 1, 1);
                } else {
                    *power *= 2;
                }
                budget
            }
            Growth::Geometric { scale, factor } => {
                // A conversion to `u64` rounds down and saturates. The first budget is not
                // converted, as it could lose its last bits.
                let budget =
                    if *scale == 1.0 { self.first } else { (self.first as f64 * *scale) as u64 };
                *scale *= *factor;
                budget
            }
        };
        Some(budget)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }
}

impl FusedIterator for Schedule {}
