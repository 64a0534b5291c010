//! Limited discrepancy search: repeated runs with increasing numbers of discrepancies.

use super::RunBudget;
use crate::brancher::Brancher;
use crate::hook::{DISCREPANCIES, Discrepancies, Effect, Hooks};
use crate::limits::{Limits, Stop};
use crate::outcome::{Found, Outcome};
use crate::problem::Problem;
use crate::report::{HookReport, Report};
use crate::search::builder::Search;
use crate::search::solutions::Extract;

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
            let brancher = run.brancher.effect();
            let (found, report) = run.first().into_parts();

            let effect = effect_if_none_was_cut(&report, brancher);
            // No path has more discrepancies than steps. Without this check, a hook of the user
            // with the same name could keep the runs going forever.
            let allows_all = allowed > report.depth();
            let sum = budget.total_with(report);
            // After a stop at the depth limit, a solution may still need more discrepancies.
            let is_searched = !matches!(found, Found::Solution(_))
                && matches!(sum.stop(), Stop::Exhausted | Stop::DepthLimit);
            match effect {
                Some(effect) if is_searched => {
                    let sum = Report { effect, ..sum };
                    return Outcome::new(Found::new(None, &sum), sum);
                }
                None if is_searched && !allows_all => budget.set_total(sum),
                _ => return Outcome::new(found, sum),
            }
            allowed = if self.doubling { (2 * allowed).max(1) } else { allowed + 1 };
        }
    }
}

/// Returns the effect that a run would have had without the discrepancy hook, if that hook has cut
/// off nothing; `brancher` is the effect of the brancher.
pub(super) fn effect_if_none_was_cut(report: &Report, brancher: Effect) -> Option<Effect> {
    // Several hooks may have this name, and it is unknown which of them is the discrepancy hook.
    // All of them must therefore have cut off nothing, and the effects of all but one count.
    let (named, others): (Vec<&HookReport>, Vec<&HookReport>) =
        report.hooks().iter().partition(|hook| hook.name() == DISCREPANCIES);
    let others = others.into_iter().chain(named.iter().copied().skip(1)).map(HookReport::effect);
    let at_least = match (report.conflicts().is_empty(), report.read_incumbent) {
        (false, _) => Effect::Lossy,
        (true, true) => Effect::OptimumOnly,
        (true, false) => Effect::Preserving,
    };
    let is_uncut = named.iter().all(|hook| hook.cuts() == 0);
    is_uncut.then(|| others.fold(brancher.max(at_least), Effect::max))
}
