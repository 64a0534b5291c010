//! Optimisation: the best solution, and the stream of improvements.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::ControlFlow;

use super::builder::Search;
use super::solutions::Extract;
use super::walk::{Strategy, Walk};
use crate::brancher::Brancher;
use crate::hook::Hooks;
use crate::incumbent::{Matching, Objective};
use crate::limits::Stop;
use crate::outcome::{Optimum, Outcome};
use crate::problem::Problem;
use crate::report::Report;

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X: Extract<P>, S: Strategy<P, B, H>>
    Search<'p, P, B, H, X, S>
{
    /// Searches for the best solution by `objective`. It is proven optimal if the tree is exhausted
    /// and no hook is lossy; otherwise it is the best so far. [`Objective`] has an example.
    ///
    /// Plug in [bounds](Objective::bound) of the same objective as hooks; without them every
    /// solution is visited. If the objective's incumbent has a value already, only better solutions
    /// are searched for.
    pub fn best<V, F>(self, objective: &Objective<P, V, F>) -> Outcome<Optimum<V, X::Output>>
    where
        V: Ord + Clone,
        F: Fn(&P, &P::State) -> V,
    {
        let mut improvements = self.improvements(objective);
        let mut best = improvements.earlier.take();
        let Improvements { walk, extract, .. } = &mut improvements;
        let best_path = walk.best_path();
        // A clone caches the value, and locks nothing until the value improves.
        let mut incumbent = objective.incumbent().clone().declared();
        walk.advance(|node| {
            let value = objective.value(node.problem(), node.state());
            if incumbent.is_beaten_by(&value) && objective.incumbent().offer(value.clone()) {
                if let Some(best_path) = &best_path {
                    best_path.record(&node.path());
                }
                best = Some((value, extract.extract(node)));
            }
            ControlFlow::Continue(())
        });
        let proven = improvements.is_proven();
        let best = with_solution(objective.incumbent().peek(), best);
        Outcome::new(Optimum::new(best, proven), improvements.report())
    }

    /// Returns an iterator over the improvements of the incumbent as they are found: better and
    /// better solutions with their values. It ends when the last one is proven optimal or a limit
    /// is reached.
    ///
    /// ```
    /// use secateurs::{Objective, Search};
    /// use secateurs::problems::fire_net::FireNetBoard;
    ///
    /// let board: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse()?;
    /// let placed = Objective::maximise(|_: &FireNetBoard, state: &_| FireNetBoard::placed(state));
    /// let mut improvements = Search::new(&board).improvements(&placed);
    /// let values: Vec<usize> = improvements.by_ref().map(|(value, _)| value).collect();
    /// assert_eq!(values.last(), Some(&5));
    /// assert!(improvements.is_proven());
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    pub fn improvements<'o, V, F>(
        self,
        objective: &'o Objective<P, V, F>,
    ) -> Improvements<'p, 'o, P, B, H, X, S, V, F>
    where
        V: Ord + Clone,
        F: Fn(&P, &P::State) -> V,
    {
        let (mut walk, mut extract) = self.walk(Some(objective.optimised()));
        let mut earlier = None;
        let matching = Matching::of(objective.incumbent());
        walk.revisit_best(|node| {
            let value = objective.value(node.problem(), node.state());
            let better = |(known, _): &(V, X::Output)| {
                objective.incumbent().direction().is_better(&value, known)
            };
            if earlier.as_ref().is_none_or(better) {
                objective.incumbent().offer(value.clone());
                earlier = Some((value, extract.extract(node)));
            }
        });
        drop(matching);
        Improvements { walk, extract, objective, earlier }
    }
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
    extract: X,
    objective: &'o Objective<P, V, F>,
    /// The best solution of earlier runs.
    pub(super) earlier: Option<(V, X::Output)>,
}

impl<'p, P, B, H, X, S, V, F> Improvements<'p, '_, P, B, H, X, S, V, F>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P>,
    S: Strategy<P, B, H>,
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

    /// Returns the report so far. Cost: proportional to the depth of the tree times the number of
    /// hooks.
    #[must_use]
    pub fn report(&self) -> Report {
        self.walk.report()
    }
}

impl<'p, P, B, H, X, S, V, F> Iterator for Improvements<'p, '_, P, B, H, X, S, V, F>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P>,
    S: Strategy<P, B, H>,
    V: Ord + Clone,
    F: Fn(&P, &P::State) -> V,
{
    type Item = (V, X::Output);

    fn next(&mut self) -> Option<(V, X::Output)> {
        let Self { walk, extract, objective, .. } = self;
        let best_path = walk.best_path();
        // A clone caches the value, and locks nothing until the value improves.
        let mut incumbent = objective.incumbent().clone().declared();
        let mut improvement = None;
        walk.advance(|node| {
            let value = objective.value(node.problem(), node.state());
            if !incumbent.is_beaten_by(&value) || !objective.incumbent().offer(value.clone()) {
                return ControlFlow::Continue(());
            }
            if let Some(best_path) = &best_path {
                best_path.record(&node.path());
            }
            improvement = Some((value, extract.extract(node)));
            ControlFlow::Break(())
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
    V: Ord + Clone,
    F: Fn(&P, &P::State) -> V,
{
}

impl<'p, P, B, H, X, S, V, F> fmt::Debug for Improvements<'p, '_, P, B, H, X, S, V, F>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P>,
    S: Strategy<P, B, H>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Improvements").field("stop", &self.stop()).finish_non_exhaustive()
    }
}
