//! Several searches for the best, one after another, each of which begins with what those before it
//! have found.
//!
//! A search that is sure to end with the optimum may take for ever, and have nothing to show for a
//! long time; one that comes upon a good solution at once may prove nothing. So let the one go
//! first, and the other profit: what a bound cuts off depends on the incumbent, and
//! [incumbents](crate::Incumbent) are shared.
//!
//! Zhang (1998, "Complete anytime beam search") widens a [beam](Search::beam) until one drops
//! nothing, which has then searched all that can be better than the incumbent: good solutions
//! early, better ones later, and a proof at the end. Each beam begins anew. (Zhou and Hansen's
//! beam-stack search of 2005 goes back to what it has dropped instead, and visits no node twice;
//! that is not done here.) Walsh (1997) and Harvey and Ginsberg (1995) allow more and more
//! [discrepancies](crate::hook::Discrepancies) in the same way, and restarts take [another
//! order](crate::brancher::Shuffled) each time. All of them are phases of an [`Anytime`] search.

use std::fmt;
use std::time::Duration;

use super::limited_discrepancy::effect_if_none_was_cut;
use super::runs::Runs;
use super::{Extract, Search, Strategy};
use crate::brancher::Brancher;
use crate::hook::{Effect, Hooks};
use crate::incumbent::Objective;
use crate::limits::{Limits, Stop};
use crate::outcome::{Optimum, Outcome};
use crate::problem::Problem;
use crate::report::Report;

/// What is told of improvements.
type Watch<'o, V, T> = Box<dyn FnMut(&V, &T) + 'o>;

/// A search for the best in phases, each a [`Search`] of its own, until one of them proves that
/// nothing is better.
///
/// Each phase is run where it is named: [`then`](Self::then) runs one search, [`each`](Self::each)
/// one after another. They share an objective, and so its incumbent; the limits, which are for all
/// of them together; and a report, whose figures are sums. Limits that a search sets are for
/// itself. When the optimum is proven, or a limit of the whole is reached, the phases that are left
/// do nothing.
///
/// ```
/// use secateurs::problems::fire_net::{FireNetBoard, BoundKind, State};
/// use secateurs::search::Anytime;
/// use secateurs::{Limits, Objective, Search};
///
/// let board: FireNetBoard = "5\n.X...\n.....\nXX...\n...X.\n.....\n".parse()?;
/// let placed = Objective::maximise(|_: &FireNetBoard, state: &State| FireNetBoard::placed(state));
/// let bound = |board: &FireNetBoard, state: &State| BoundKind::Matching.at(board, state);
/// let search = || Search::new(&board).hooks((placed.bound("matching", bound),));
///
/// let mut steps = Vec::new();
/// let outcome = Anytime::new(&placed)
///     .limits(Limits::new().nodes(1_000_000))
///     .watch(|&value, _| steps.push(value))
///     // Beams of width 1, 4, 16, each for some nodes at most …
///     .each([1, 4, 16], |width| {
///         search().limits(Limits::new().nodes(10_000)).beam(width, |_, state| usize::MAX - FireNetBoard::placed(state))
///     })
///     // … and then all that may be better.
///     .then(Search::new(&board).best_first(&placed, bound))
///     .finish();
/// assert!(outcome.proven().is_some());
/// assert_eq!(outcome.proven(), steps.last());
/// assert!(steps.is_sorted());
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[must_use = "a search does nothing until it is run"]
pub struct Anytime<'o, P, V, F, T> {
    objective: &'o Objective<P, V, F>,
    limits: Limits,
    watch: Option<Watch<'o, V, T>>,
}

impl<'o, P, V, F, T> Anytime<'o, P, V, F, T>
where
    P: Problem,
    V: Ord + Clone,
    F: Fn(&P, &P::State) -> V,
{
    /// Without limits. If the objective's incumbent has a value already, only better solutions are
    /// looked for.
    pub fn new(objective: &'o Objective<P, V, F>) -> Self {
        Anytime { objective, limits: Limits::new(), watch: None }
    }

    /// Stops at the given limits, which are those of all phases together. (Of depth and solutions:
    /// of each. A switch takes the place of those that the phases have.)
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Calls `callback` with each improvement and its value, as soon as it is found.
    pub fn watch(mut self, callback: impl FnMut(&V, &T) + 'o) -> Self {
        self.watch = Some(Box::new(callback));
        self
    }

    fn start(self) -> Phases<'o, P, V, F, T> {
        let Anytime { objective, limits, watch } = self;
        Phases { objective, runs: Runs::new(limits), watch, best: None, report: None, proven: None }
    }

    /// Runs the first phase.
    pub fn then<B, H, X, S>(self, search: Search<'_, P, B, H, X, S>) -> Phases<'o, P, V, F, T>
    where
        B: Brancher<P>,
        H: Hooks<P>,
        X: Extract<P, Output = T>,
        S: Strategy<P, B, H>,
    {
        self.start().then(search)
    }

    /// Runs a first phase for each item: see [`Phases::each`].
    pub fn each<'p, I, B, H, X, S>(
        self,
        items: impl IntoIterator<Item = I>,
        search: impl FnMut(I) -> Search<'p, P, B, H, X, S>,
    ) -> Phases<'o, P, V, F, T>
    where
        P: 'p,
        B: Brancher<P>,
        H: Hooks<P>,
        X: Extract<P, Output = T>,
        S: Strategy<P, B, H>,
    {
        self.start().each(items, search)
    }
}

/// An [`Anytime`] search of which some phases have been run.
#[must_use = "its outcome is given by `finish`"]
pub struct Phases<'o, P, V, F, T> {
    objective: &'o Objective<P, V, F>,
    runs: Runs,
    watch: Option<Watch<'o, V, T>>,
    best: Option<(V, T)>,
    /// Of all phases so far.
    report: Option<Report>,
    /// The effect of the phase that proved the optimum, if one did.
    proven: Option<Effect>,
}

impl<P, V, F, T> Phases<'_, P, V, F, T>
where
    P: Problem,
    V: Ord + Clone,
    F: Fn(&P, &P::State) -> V,
{
    /// Runs one more phase, unless there is nothing left to do.
    ///
    /// It proves the optimum as [`Search::best`] does: if it has searched all that may be better
    /// than the incumbent with which it began. A phase with the hook
    /// [`Discrepancies`](crate::hook::Discrepancies) does as well if that has cut nothing off.
    pub fn then<B, H, X, S>(mut self, search: Search<'_, P, B, H, X, S>) -> Self
    where
        B: Brancher<P>,
        H: Hooks<P>,
        X: Extract<P, Output = T>,
        S: Strategy<P, B, H>,
    {
        self.run(search);
        self
    }

    /// Runs a phase for each item until there is nothing left to do: beams of growing width,
    /// discrepancies of growing number, budgets of nodes of a [`Schedule`](super::Schedule). Items
    /// may go on for ever if one of the searches is sure to prove the optimum, or there is a limit
    /// of nodes or time, or a switch.
    ///
    /// ```
    /// use secateurs::problems::clique::{CliqueState, Cliques, ColouringBound};
    /// use secateurs::plug::graph::Graph;
    /// use secateurs::search::Anytime;
    /// use secateurs::Search;
    ///
    /// // Complete anytime beam search: each beam is twice as wide as the one before, until none is too narrow.
    /// let graph = Graph::from_edges(6, [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5), (1, 3)])?;
    /// let cliques = Cliques::new(&graph)?;
    /// let size = Cliques::size();
    /// let largest = |_: &Cliques, state: &CliqueState| usize::MAX - state.size() - state.colours();
    /// let outcome = Anytime::new(&size)
    ///     .each((0..).map(|doubled| 1 << doubled), |width| {
    ///         Search::new(&cliques).hooks((ColouringBound::new(size.incumbent()),)).beam(width, largest)
    ///     })
    ///     .finish();
    /// assert_eq!(outcome.proven(), Some(&3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn each<'p, I, B, H, X, S>(
        mut self,
        items: impl IntoIterator<Item = I>,
        mut search: impl FnMut(I) -> Search<'p, P, B, H, X, S>,
    ) -> Self
    where
        P: 'p,
        B: Brancher<P>,
        H: Hooks<P>,
        X: Extract<P, Output = T>,
        S: Strategy<P, B, H>,
    {
        let mut items = items.into_iter();
        while !self.is_done()
            && let Some(item) = items.next()
        {
            self.run(search(item));
        }
        self
    }

    /// Whether the optimum is proven.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.proven.is_some()
    }

    /// Whether there is nothing left to do: the optimum is proven, or a limit of the whole is
    /// reached.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.is_proven() || self.runs.limits().used_up().is_some()
    }

    fn run<B, H, X, S>(&mut self, search: Search<'_, P, B, H, X, S>)
    where
        B: Brancher<P>,
        H: Hooks<P>,
        X: Extract<P, Output = T>,
        S: Strategy<P, B, H>,
    {
        if self.is_done() {
            return;
        }
        let brancher = search.brancher.effect();
        let limits = search.settings.limits.clone().within(self.runs.limits());
        let mut improvements = search.limits(limits).improvements(self.objective);
        // What a frontier has from earlier runs is no improvement if something as good is known.
        let known = self.best.as_ref().map(|(value, _)| value);
        let best = self.objective.incumbent().peek();
        let is_new = |(value, _): &(V, T)| best.as_ref() == Some(value) && known != Some(value);
        let earlier = improvements.earlier.take().filter(is_new);
        for (value, solution) in earlier.into_iter().chain(improvements.by_ref()) {
            if let Some(watch) = &mut self.watch {
                watch(&value, &solution);
            }
            self.best = Some((value, solution));
        }
        let report = improvements.report();
        self.proven = if improvements.is_proven() {
            Some(report.effect())
        } else if report.stop().is_exhausted() && report.credited() == 0 {
            let effect =
                effect_if_none_was_cut(&report, brancher).filter(|effect| effect.keeps_optimum());
            effect.map(|effect| effect.max(Effect::OptimumOnly))
        } else {
            None
        };
        let mut sum = self.runs.with(report);
        if let Some(effect) = self.proven {
            // What the phases before have lost, this one would have found.
            sum.effect = effect;
            sum.conflicts.clear();
        }
        self.runs.go_on(sum.clone());
        self.report = Some(sum);
    }

    /// The best solution that was found, proven if the last phase that was run has proven it; with
    /// the sums of all reports, and the stop of that phase, unless a limit of the whole is reached.
    /// Without any phase, the stop is [`Stop::Paused`].
    pub fn finish(self) -> Outcome<Optimum<V, T>> {
        let proven = self.is_proven();
        let Phases { objective, report, best, runs, .. } = self;
        let mut report = report.unwrap_or_else(|| {
            let effect = (Effect::Preserving, Vec::new());
            Report::new(Stop::Paused, effect, Vec::new(), Vec::new(), Vec::new(), 0, Duration::ZERO)
        });
        if let Some(stop) = runs.limits().used_up().filter(|_| !proven) {
            report.stop = stop;
        }
        // Somebody else may have offered a better value since: none of the phases has a solution of
        // that value then.
        let best = objective.incumbent().peek().map(|value| {
            let solution = best.and_then(|(own, solution)| (own == value).then_some(solution));
            (value, solution)
        });
        Outcome::new(Optimum::new(best, proven), report)
    }
}

impl<P, V, F, T> fmt::Debug for Anytime<'_, P, V, F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Anytime").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<P, V, F, T> fmt::Debug for Phases<'_, P, V, F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Phases").field("is_proven", &self.proven.is_some()).finish_non_exhaustive()
    }
}
