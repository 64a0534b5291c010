//! Optimisation: the best solution, and the stream of improvements.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::ControlFlow;

use super::builder::{Extract, Search};
use super::frontier::resume::BestSlot;
use super::walk::{Strategy, Walk};
use crate::brancher::Brancher;
use crate::hook::{Hooks, Node};
use crate::incumbent::{AcceptTies, Incumbent, Objective, ObjectiveValue, ValueText};
use crate::limits::Stop;
use crate::outcome::{Optimum, Outcome};
use crate::problem::Problem;
use crate::report::Report;

impl<'p, P: Problem, B, H, X, S> Search<'p, P, B, H, X, S> {
    /// Searches for the best solution by `objective`. It is [proven](Outcome::proven) optimal if
    /// the tree is exhausted, no hook is lossy, and no hook has credited solutions, whose values
    /// are unknown; otherwise it is the best so far. [`Objective`] has an example.
    ///
    /// Plug in [bounds](Objective::bound) of the same objective as hooks; without them every
    /// solution is visited. If the objective's incumbent has a value already, only better solutions
    /// are searched for.
    pub fn best<V, F, T>(self, objective: &Objective<P, V, F>) -> Outcome<Optimum<V, T>>
    where
        B: Brancher<P>,
        H: Hooks<P>,
        X: Extract<P, Output = T>,
        S: Strategy<P, B, H>,
        V: ObjectiveValue,
        F: Fn(&P, &P::State) -> V,
    {
        let mut improvements = self.improvements(objective);
        let Improvements { walk, improver, earlier: best, .. } = &mut improvements;
        walk.advance(|node| {
            if let Some(improvement) = improver.improve(node) {
                // Replaces the best solution of earlier runs.
                *best = Some(improvement);
            }
            ControlFlow::Continue(())
        });
        let report = improvements.report();
        optimum(objective, improvements.earlier, report)
    }

    /// Returns an iterator over the improvements of the incumbent as they are found: better and
    /// better solutions with their values. It ends when the tree is exhausted or a limit is
    /// reached; [`is_proven`](Improvements::is_proven) returns whether the last one is then
    /// optimal.
    ///
    /// On a [frontier](Search::frontier), the first item is the best solution of the earlier runs,
    /// unless the incumbent has a better value.
    ///
    /// ```
    /// use secateurs::{Objective, Search};
    /// use secateurs_problems::fire_net::FireNetBoard;
    ///
    /// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
    /// let mut improvements = Search::new(&board).improvements(&placed);
    /// let values: Vec<usize> = improvements.by_ref().map(|(value, _)| value).collect();
    /// assert_eq!(values.last(), Some(&5));
    /// assert!(improvements.is_proven());
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    pub fn improvements<'o, V: ObjectiveValue, F: Fn(&P, &P::State) -> V>(
        self,
        objective: &'o Objective<P, V, F>,
    ) -> Improvements<'p, 'o, P, B, H, X, S, V, F>
    where
        B: Brancher<P>,
        H: Hooks<P>,
        X: Extract<P>,
        S: Strategy<P, B, H>,
    {
        let id = objective.id();
        let first_incumbent = id.latest_value();
        let (mut walk, mut extract) = self.walk(Some(id));
        let earlier = earlier_best(objective, &mut extract, |visit| walk.revisit_best(visit))
            // Dropped if the incumbent had a better value already.
            .filter(|(value, _)| objective.incumbent().peek().as_ref() == Some(value));
        let improver = Improver::new(objective, extract, walk.best_slot());
        Improvements { walk, improver, earlier, first_incumbent }
    }
}

/// Finds the solutions that improve the incumbent of an objective.
pub(super) struct Improver<'o, P: Problem, V, F, X> {
    objective: &'o Objective<P, V, F>,
    /// A clone of the objective's incumbent. It caches the value, and takes no lock until the value
    /// improves.
    incumbent: Incumbent<V>,
    extract: X,
    best_slot: Option<BestSlot<P::Choice>>,
}

impl<'o, P: Problem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V, X: Extract<P>>
    Improver<'o, P, V, F, X>
{
    /// If the run keeps the path of its best solution, `best_slot` is the slot that receives it.
    pub(super) fn new(
        objective: &'o Objective<P, V, F>,
        extract: X,
        best_slot: Option<BestSlot<P::Choice>>,
    ) -> Self {
        let incumbent = objective.incumbent().clone().unrecorded();
        Improver { objective, incumbent, extract, best_slot }
    }

    /// Offers a solution to the incumbent. Returns it with its value if it is better.
    #[inline]
    pub(super) fn improve(&mut self, node: &Node<'_, P>) -> Option<(V, X::Output)> {
        let value = self.objective.value(node.problem(), node.state());
        if !self.incumbent.is_beaten_by(&value) || !self.incumbent.offer(value.clone()) {
            return None;
        }
        if let Some(best_slot) = &self.best_slot {
            best_slot.record(&node.path(), &value, self.incumbent.id());
        }
        Some((value, self.extract.extract(node)))
    }
}

/// Returns the best solution of earlier runs with its value, and offers the value to the incumbent.
/// `revisit` calls its argument with the nodes of the best solutions of those runs.
///
/// Ties are accepted meanwhile: the incumbent may have the value of these solutions already, and
/// bounds must not prune them when their paths are replayed.
pub(super) fn earlier_best<P, V, F, X>(
    objective: &Objective<P, V, F>,
    extract: &mut X,
    revisit: impl FnOnce(&mut dyn FnMut(&Node<'_, P>) -> String),
) -> Option<(V, X::Output)>
where
    P: Problem,
    V: ObjectiveValue,
    F: Fn(&P, &P::State) -> V,
    X: Extract<P>,
{
    let direction = objective.incumbent().direction();
    let mut best: Option<(V, X::Output)> = None;
    let ties = AcceptTies::of(objective.incumbent());
    revisit(&mut |node| {
        let value = objective.value(node.problem(), node.state());
        if best.as_ref().is_none_or(|(known, _)| direction.is_better(&value, known)) {
            // The result is ignored: if the objective was used before, its incumbent may have
            // this value already.
            objective.incumbent().offer(value.clone());
            best = Some((value.clone(), extract.extract(node)));
        }
        ValueText::of(&value)
    });
    drop(ties);
    best
}

/// Returns the outcome of a search for an optimum, given the best solution found.
pub(crate) fn optimum<P: Problem, V: ObjectiveValue, F: Fn(&P, &P::State) -> V, T>(
    objective: &Objective<P, V, F>,
    best: Option<(V, T)>,
    report: Report,
) -> Outcome<Optimum<V, T>> {
    let best = with_solution(objective.incumbent().peek(), best);
    Outcome::new(Optimum::new(best, report.proves_optimum(), &report), report)
}

/// Returns the value of the incumbent with the solution of that value. There is no solution if
/// another search has offered a better value than the `best` of this one.
pub(super) fn with_solution<V: PartialEq, T>(
    incumbent: Option<V>,
    best: Option<(V, T)>,
) -> Option<(V, Option<T>)> {
    incumbent.map(|value| {
        let solution = best.and_then(|(own, solution)| (own == value).then_some(solution));
        (value, solution)
    })
}

/// An iterator over better and better solutions, made by [`Search::improvements`].
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Improvements<'p, 'o, P, B, H, X, S, V, F>
where
    P: Problem + 'p,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P>,
    S: Strategy<P, B, H>,
{
    walk: S::Walk<'p>,
    improver: Improver<'o, P, V, F, X>,
    /// The best solution of earlier runs, until it is taken. The incumbent had its value.
    pub(super) earlier: Option<(V, X::Output)>,
    /// The value of the incumbent at the beginning, as text.
    first_incumbent: Option<String>,
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X: Extract<P>, S: Strategy<P, B, H>, V, F>
    Improvements<'p, '_, P, B, H, X, S, V, F>
{
    /// Returns the reason why the iterator has ended, or [`Stop::Paused`] if it has not.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.walk.stop()
    }

    /// Returns whether it is proven that nothing is better than the incumbent. It is not if hooks
    /// have [credited](crate::NodeMut::credit) solutions, whose values are unknown.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.walk.report().proves_optimum()
    }

    /// Continues the search for up to `nodes` more nodes, and passes the improvements to `visit`
    /// until it breaks off, like [`Solutions::advance`](super::Solutions::advance). `visit` does
    /// not get the best solution of earlier runs on a frontier.
    pub fn advance(
        &mut self,
        nodes: u64,
        mut visit: impl FnMut((V, X::Output)) -> ControlFlow<()>,
    ) -> Stop
    where
        V: ObjectiveValue,
        F: Fn(&P, &P::State) -> V,
    {
        let Self { walk, improver, .. } = self;
        walk.advance_by(nodes, |node| match improver.improve(node) {
            Some(improvement) => visit(improvement),
            None => ControlFlow::Continue(()),
        });
        self.stop()
    }

    /// Returns the report so far. Cost: proportional to the depth of the tree times the number of
    /// hooks.
    #[must_use]
    pub fn report(&self) -> Report {
        Report { first_incumbent: self.first_incumbent.clone(), ..self.walk.report() }
    }
}

impl<'p, P, B, H, X, S, V, F> Iterator for Improvements<'p, '_, P, B, H, X, S, V, F>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P>,
    S: Strategy<P, B, H>,
    V: ObjectiveValue,
    F: Fn(&P, &P::State) -> V,
{
    type Item = (V, X::Output);

    fn next(&mut self) -> Option<(V, X::Output)> {
        let Self { walk, improver, earlier, .. } = self;
        if earlier.is_some() {
            return earlier.take();
        }
        let mut improvement = None;
        walk.advance(|node| {
            improvement = improver.improve(node);
            if improvement.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        improvement
    }
}

impl<'p, P, B, H, X, S, V, F> FusedIterator for Improvements<'p, '_, P, B, H, X, S, V, F>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P>,
    S: Strategy<P, B, H>,
    V: ObjectiveValue,
    F: Fn(&P, &P::State) -> V,
{
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X: Extract<P>, S: Strategy<P, B, H>, V, F>
    fmt::Debug for Improvements<'p, '_, P, B, H, X, S, V, F>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Improvements").field("stop", &self.stop()).finish_non_exhaustive()
    }
}
