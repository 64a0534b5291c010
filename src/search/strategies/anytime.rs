//! Optimisation in phases: several searches, one after another, that share an incumbent.
//!
//! A search that is sure to end with the optimum may take very long, and find good solutions only
//! late. A search that quickly finds a good solution may prove nothing. Run the second kind first:
//! a bound prunes more with a better incumbent, and [incumbents](crate::Incumbent) are shared.
//!
//! Zhang (1998, "Complete anytime beam search") widens a [beam](Search::beam) until one drops
//! nothing. That beam has searched everything that can be better than the incumbent. The method
//! finds good solutions early, better ones later, and ends with a proof. Each beam starts from the
//! root. (The beam-stack search of Zhou and Hansen, 2005, instead returns to the nodes that it has
//! dropped and visits none twice; it is not implemented here.) Walsh (1997) and Harvey and Ginsberg
//! (1995) increase the number of [discrepancies](crate::hook::Discrepancies) in the same way, and
//! restarts use [another order](crate::brancher::Shuffled) each time. Each of these searches can be
//! a phase of an [`Anytime`] search.

use super::RunBudget;
use super::repeated_runs::effect_if_none_was_cut;
use crate::brancher::Brancher;
use crate::clock::Instant;
use crate::hook::{Effect, Hooks};
use crate::incumbent::{Objective, ObjectiveValue};
use crate::limits::{Limits, Stop};
use crate::outcome::{Optimum, Outcome};
use crate::problem::Problem;
use crate::report::Report;
use crate::search::best::with_solution;
use crate::search::builder::{Extract, Search};
use crate::search::walk::Strategy;

/// A callback for improvements.
type OnImprovement<'o, V, T> = Box<dyn FnMut(&V, &T) + 'o>;

/// Optimisation in phases, each a [`Search`] of its own, until one of them proves that nothing is
/// better.
///
/// A phase runs as soon as it is added: [`then`](Self::then) runs one search, [`each`](Self::each)
/// several. The phases share an objective and its incumbent; the limits, which apply to all of them
/// together; and a report, whose numbers are sums. Limits that a search sets apply to that search.
/// When the optimum is proven or a common limit is reached, the remaining phases do nothing.
///
/// ```
/// use secateurs::search::Anytime;
/// use secateurs::{Limits, Objective, Search};
/// use secateurs_problems::fire_net::{FireNetBoard, BoundKind, State};
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
///         let key = |_: &FireNetBoard, state: &State| usize::MAX - state.placed();
///         search().limits(Limits::new().nodes(10_000)).beam(width, key)
///     })
///     // … and then all that may be better.
///     .then(Search::new(&board).best_first(&placed, bound))
///     .finish();
/// assert!(outcome.proven().is_some());
/// assert_eq!(outcome.proven(), steps.last());
/// assert!(steps.is_sorted());
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[must_use = "its outcome is given by `finish`"]
pub struct Anytime<'o, P, V, F, T> {
    objective: &'o Objective<P, V, F>,
    budget: RunBudget,
    watch: Option<OnImprovement<'o, V, T>>,
    best: Option<(V, T)>,
    is_proven: bool,
    /// Whether the report of the last phase [keeps the optimum](Report::keeps_optimum).
    keeps_optimum: bool,
}

/// An [`Anytime`] search that has begun.
pub type Phases<'o, P, V, F, T> = Anytime<'o, P, V, F, T>;

impl<'o, P: Problem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V, T> Anytime<'o, P, V, F, T> {
    /// Creates a search without limits, whose time runs from now on. If the objective's incumbent
    /// has a value already, only better solutions are searched for.
    pub fn new(objective: &'o Objective<P, V, F>) -> Self {
        let budget = RunBudget::new(Limits::new());
        Anytime {
            objective,
            budget,
            watch: None,
            best: None,
            is_proven: false,
            keeps_optimum: true,
        }
    }

    /// Stops at the given limits, which apply to all phases together, also to those that have run.
    /// Limits of depth and of solutions apply to each phase. A cancel switch replaces those of the
    /// phases.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.budget.limits = limits;
        self
    }

    /// Calls `callback` with each improvement and its value as soon as it is found.
    pub fn watch(mut self, callback: impl FnMut(&V, &T) + 'o) -> Self {
        self.watch = Some(Box::new(callback));
        self
    }

    /// Makes the time of the search run from now on, instead of from its creation, unless a phase
    /// has run.
    pub fn start(mut self) -> Self {
        if self.budget.report().is_none() {
            self.budget.began = Instant::now();
        }
        self
    }

    /// Runs one more phase, unless nothing is left to do.
    ///
    /// The phase proves the optimum like [`Search::best`]: if it has searched everything that may
    /// be better than the incumbent with which it began. A phase with the hook
    /// [`Discrepancies`](crate::hook::Discrepancies) also does if that hook has cut off nothing.
    pub fn then<B: Brancher<P>, H: Hooks<P>, X: Extract<P, Output = T>, S: Strategy<P, B, H>>(
        mut self,
        search: Search<'_, P, B, H, X, S>,
    ) -> Self {
        self.run(search);
        self
    }

    /// Runs a phase for each item until nothing is left to do. Items can be beam widths, numbers of
    /// discrepancies, or the node budgets of a [`Schedule`](super::repeated_runs::Schedule). The
    /// iterator may be infinite if one of the searches is sure to prove the optimum, or if there is
    /// a limit of nodes or time, or a cancel switch.
    ///
    /// ```
    /// use secateurs_problems::graph::Graph;
    /// use secateurs::search::Anytime;
    /// use secateurs::Search;
    /// use secateurs_problems::clique::{CliqueState, Cliques, ColouringBound};
    ///
    /// // Complete anytime beam search: each beam is twice as wide as the one before, until one
    /// // drops nothing.
    /// let edges = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5), (1, 3)];
    /// let graph = Graph::from_edges(6, edges)?;
    /// let cliques = Cliques::new(&graph)?;
    /// let size = Cliques::size();
    /// let largest = |_: &Cliques, state: &CliqueState| {
    ///     usize::MAX - state.size() - state.colours()
    /// };
    /// let outcome = Anytime::new(&size)
    ///     .each((0..).map(|doubled| 1 << doubled), |width| {
    ///         let bound = ColouringBound::new(size.incumbent());
    ///         Search::new(&cliques).hooks((bound,)).beam(width, largest)
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

    getters! {
        self;
        /// Returns whether the optimum is proven.
        is_proven -> bool: self.is_proven;
        /// Returns whether nothing is left to do: the optimum is proven, or a common limit is
        /// reached.
        is_done -> bool: self.is_proven || self.budget.used_up().is_some();
        /// Returns the reason why the last phase ended, or [`Stop::Paused`] before the first one.
        stop -> Stop: self.budget.report().map_or(Stop::Paused, Report::stop);
        /// Returns whether nothing in the part that the last phase has searched is better than the
        /// incumbent, according to [its report](Report::keeps_optimum); `true` before the first
        /// one.
        keeps_optimum -> bool: self.keeps_optimum;
        /// Returns the number of nodes of all phases so far.
        nodes -> u64: self.budget.report().map_or(0, Report::nodes);
    }

    /// Runs one phase, unless nothing is left to do, and adds its report to the sum.
    fn run<B: Brancher<P>, H: Hooks<P>, X: Extract<P, Output = T>, S: Strategy<P, B, H>>(
        &mut self,
        search: Search<'_, P, B, H, X, S>,
    ) {
        if self.is_done() {
            return;
        }
        let brancher_effect = search.brancher.effect();
        let limits = search.settings.limits.clone().within(self.budget.limits());
        let earlier_nodes = search.earlier_report().map_or(0, Report::nodes);
        let mut improvements = search.limits(limits).improvements(self.objective);
        // A solution of earlier runs in a frontier is no improvement if an equally good one is
        // known.
        let known = self.best.as_ref().map(|(value, _)| value);
        improvements.earlier.take_if(|(value, _)| known == Some(value));
        for (value, solution) in improvements.by_ref() {
            if let Some(watch) = &mut self.watch {
                watch(&value, &solution);
            }
            self.best = Some((value, solution));
        }
        let report = improvements.report();
        let proven_effect = if improvements.is_proven() {
            Some(report.effect())
        } else {
            effect_if_none_was_cut(&report, brancher_effect)
                .filter(|&effect| Report { effect, ..report.clone() }.proves_optimum())
                .map(|effect| effect.max(Effect::OptimumOnly))
        };
        self.keeps_optimum = report.keeps_optimum();
        self.budget.earlier_nodes += earlier_nodes;
        self.budget.add(report);
        self.is_proven = proven_effect.is_some();
        if let (Some(effect), Some(sum)) = (proven_effect, &mut self.budget.total) {
            // This phase has searched everything that earlier phases may have lost.
            sum.effect = effect;
            sum.conflicts.clear();
        }
    }

    /// Returns the best solution. It is proven if the last phase that ran has proven it. The report
    /// is the sum over all phases; its stop is that of the last phase, unless a common limit is
    /// reached. Without any phase, the stop is [`Stop::Paused`].
    pub fn finish(self) -> Outcome<Optimum<V, T>> {
        let Anytime { objective, best, budget, is_proven, .. } = self;
        let used_up = budget.used_up().filter(|_| !is_proven);
        let mut report = budget.sum();
        report.stop = used_up.unwrap_or(report.stop);
        let best = with_solution(objective.incumbent().peek(), best);
        Outcome::new(Optimum::new(best, is_proven, &report), report)
    }
}

debug_fields!(impl[P, V, F, T] Anytime<'_, P, V, F, T>: budget, is_proven);
