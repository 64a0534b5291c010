//! Limited discrepancy search as a whole: run after run with more discrepancies, until none is
//! needed any more.

use super::runs::Runs;
use super::{Extract, Search};
use crate::brancher::Brancher;
use crate::hook::{DISCREPANCIES, Discrepancies};
use crate::hook::{Effect, Hooks};
use crate::limits::{Limits, Stop};
use crate::outcome::{Found, Outcome};
use crate::problem::Problem;
use crate::report::{HookReport, Report};

/// Looks for a solution within 0, then 1, then 2, … [discrepancies](Discrepancies), until one is
/// found or a run has cut nothing off for having too many (Harvey and Ginsberg 1995).
///
/// Each run visits again what those before it visited. As most paths of a tree have many
/// discrepancies, all runs together take little longer than the last one, as long as that is far
/// from the whole tree; if the whole tree has to be searched, they may take as many times longer as
/// there are runs. [`doubling`](Self::doubling) the number of discrepancies makes few runs. (Korf's
/// improvement of 1996 visits each leaf in one run only. It has to know beforehand how deep the
/// tree is below each node, which a [`Problem`] does not say.)
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::Queens;
/// use secateurs::search::LimitedDiscrepancy;
///
/// let queens = Queens::new(16)?.bits();
/// let outcome = LimitedDiscrepancy::new().first(|within| Search::new(&queens).hooks((within,)));
/// assert!(outcome.solution().is_some());
///
/// // What has no solution takes a last run that is complete, and is proven then.
/// let queens = Queens::new(3)?.bits();
/// let outcome = LimitedDiscrepancy::new().first(|within| Search::new(&queens).hooks((within,)));
/// assert!(outcome.is_proven_none());
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a search does nothing until it is run"]
pub struct LimitedDiscrepancy {
    doubling: bool,
    limits: Limits,
}

impl LimitedDiscrepancy {
    /// Without limits, and with one discrepancy more in each run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows 0, 1, 2, 4, 8, … discrepancies, in place of 0, 1, 2, 3, 4, …
    pub fn doubling(mut self) -> Self {
        self.doubling = true;
        self
    }

    /// Stops at the given limits, which are those of all runs together. (A limit of depth holds in
    /// each run.)
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The first solution that is found.
    ///
    /// `search` sets up the search of each run: it gets the hook, and plugs it in behind the other
    /// hooks, which must be new ones in each run (a memory of failed states would take what was cut
    /// off for failed). Limits that it sets are replaced.
    ///
    /// In the outcome, figures of the report are sums over all runs. If the last run cut nothing
    /// off for having too many discrepancies, effect and stop are those of that run without this
    /// hook; the search has then proved what one without it would have, and
    /// [`Outcome::is_proven_none`] may hold. If a limit is reached first, the outcome is unknown,
    /// and the stop says which one it was.
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
        let mut runs = Runs::new(self.limits.clone());
        let mut allowed = 0;
        loop {
            let run = search(Discrepancies::at_most(allowed)).limits(runs.limits());
            let brancher = run.brancher.effect();
            let (found, report) = run.first().into_parts();

            let last = Complete::of(&report, brancher, allowed);
            let mut sum = runs.with(report);
            if let (Found::Solution(_), _) | (_, Complete::Ends) = (&found, last) {
                return Outcome::new(found, sum);
            }
            if let Complete::Proves(effect) = last {
                sum.effect = effect;
                return Outcome::new(Found::new(None, &sum), sum);
            }
            runs.go_on(sum);
            allowed = if self.doubling { (2 * allowed).max(1) } else { allowed + 1 };
        }
    }
}

/// What a run without a solution leaves to do.
#[derive(Clone, Copy)]
enum Complete {
    /// More discrepancies.
    Not,
    /// Nothing: it is as good as a run without the hook, and has this effect.
    Proves(Effect),
    /// Nothing: a limit is reached, or more discrepancies would change nothing.
    Ends,
}

impl Complete {
    fn of(report: &Report, brancher: Effect, allowed: usize) -> Self {
        // At the limit of depth it may still be too few discrepancies that hide a solution.
        if !matches!(report.stop(), Stop::Exhausted | Stop::DepthLimit) {
            return Complete::Ends;
        }
        if let Some(effect) = effect_if_none_was_cut(report, brancher) {
            return Complete::Proves(effect);
        }
        // No path has more discrepancies than steps: somebody else's hook of the same name would
        // keep this going.
        if allowed > report.depth() { Complete::Ends } else { Complete::Not }
    }
}

/// The effect that a run would have had without the hook of this name, if that has cut nothing off;
/// `brancher` is that of the brancher.
pub(super) fn effect_if_none_was_cut(report: &Report, brancher: Effect) -> Option<Effect> {
    // Which of several hooks of this name is ours, nobody can tell: one is, and all of them must
    // have cut nothing off.
    let (named, others): (Vec<&HookReport>, Vec<&HookReport>) =
        report.hooks().iter().partition(|hook| hook.name() == DISCREPANCIES);
    let others = others.into_iter().chain(named.iter().copied().skip(1)).map(HookReport::effect);
    let sound = if report.conflicts().is_empty() { Effect::Preserving } else { Effect::Lossy };
    named.iter().all(|hook| hook.cuts() == 0).then(|| others.fold(brancher.max(sound), Effect::max))
}
