//! The terminal operations that count and find solutions, and the iterator over solutions.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::ControlFlow;

use super::builder::{Choices, Extract, Search, Settings};
use super::depth_first::DepthFirst;
use super::meter::Meter;
use super::tree::SearchTree;
use super::walk::{Strategy, Walk, ignore_solution};
use crate::brancher::{Brancher, ProblemOrder};
use crate::hook::{Hooks, Node};
use crate::incumbent::ObjectiveId;
use crate::limits::Stop;
use crate::outcome::{Count, Found, Outcome, Uniqueness};
use crate::problem::Problem;
use crate::report::Report;

// The bounds are on the methods, so that a compiler error names the bound that does not hold. For
// the same reason `first` has the extracted type as a parameter `T`: if its return type contained
// `X::Output` and `X` did not implement `Extract`, the compiler would only report that it finds no
// method.
impl<'p, P: Problem, B, H, X, S> Search<'p, P, B, H, X, S> {
    /// Creates the walk, and returns it with the extractor of solutions. `objective` is the
    /// objective of the question, if it asks for the best solution.
    pub(crate) fn walk(mut self, objective: Option<ObjectiveId>) -> (S::Walk<'p>, X)
    where
        B: Brancher<P>,
        H: Hooks<P>,
        S: Strategy<P, B, H>,
    {
        let terms = self.settings.terms(objective, S::IS_DEPTH_FIRST, self.strategy.loss());
        let Settings { limits, watcher, resume, .. } = self.settings;
        let mut meter = Meter::new(limits, watcher);
        if let Some(saver) = resume.as_ref().and_then(|resume| resume.saver.as_ref()) {
            meter.save_every(saver.every);
        }
        let tree = SearchTree::new(self.problem, self.brancher, self.hooks, meter, terms, resume);
        (self.strategy.into_walk(tree), self.extract)
    }

    /// Counts the solutions. Cost: visits the whole tree.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(10)?.bits();
    /// let outcome = Search::new(&queens).count();
    /// assert_eq!(outcome.exact(), Some(724));
    /// assert_eq!(outcome.report().nodes(), 35_539);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn count(self) -> Outcome<Count>
    where
        B: Brancher<P>,
        H: Hooks<P>,
        S: Strategy<P, B, H>,
    {
        let (mut walk, _) = self.walk(None);
        walk.advance(ignore_solution);
        Outcome::new(walk.count(), walk.report())
    }

    /// Searches for any solution: the run ends at the first one with [`Stop::Satisfied`].
    ///
    /// ```
    /// use secateurs::{Limits, Search};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(3)?.bits();
    /// assert_eq!(Search::new(&queens).exists().exists(), Some(false)); // proven
    /// let stopped = Search::new(&queens).limits(Limits::new().nodes(3)).exists();
    /// assert_eq!(stopped.exists(), None); // not known
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn exists(self) -> Outcome<Found<()>>
    where
        B: Brancher<P>,
        H: Hooks<P>,
        S: Strategy<P, B, H>,
    {
        existence(self.extract(|_| ()).first())
    }

    /// Searches for two solutions, to decide whether there is none, exactly one, or more: the run
    /// ends at the second one with [`Stop::Satisfied`].
    ///
    /// ```
    /// use secateurs::{Search, Successors, Uniqueness};
    ///
    /// // Numbers of two digits that add up to `sum`.
    /// let numbers = |sum: u32| {
    ///     let digits = Successors::new(
    ///         (0, 0),
    ///         move |&(length, left): &(u32, u32)| length == 2 && left == sum,
    ///         |(length, sum)| (0..10 * u32::from(length < 2)).map(move |d| (length + 1, sum + d)),
    ///     );
    ///     *Search::new(&digits).is_unique().value()
    /// };
    /// assert_eq!(
    ///     [17, 18, 19].map(numbers),
    ///     [Uniqueness::Several, Uniqueness::One, Uniqueness::None]
    /// );
    /// ```
    pub fn is_unique(mut self) -> Outcome<Uniqueness>
    where
        B: Brancher<P>,
        H: Hooks<P>,
        S: Strategy<P, B, H>,
    {
        self.settings.limits = self.settings.limits.at_most_solutions(2);
        Outcome::of_count(self.count())
    }

    /// Calls `visit` at each solution until it returns [`ControlFlow::Break`]. The outcome then
    /// holds what `visit` returned, and the run ends with [`Stop::Satisfied`]. Solutions that hooks
    /// [credit](crate::NodeMut::credit) are not visited.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use secateurs::{Search, Stop};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let mut seen = 0;
    /// let outcome = Search::new(&queens).for_each(|node| {
    ///     seen += 1;
    ///     match seen {
    ///         10 => ControlFlow::Break(node.path().to_vec()),
    ///         _ => ControlFlow::Continue(()),
    ///     }
    /// });
    /// assert_eq!(outcome.stop(), Stop::Satisfied);
    /// assert!(outcome.value().is_break());
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn for_each<T>(
        self,
        mut visit: impl FnMut(&Node<'_, P>) -> ControlFlow<T>,
    ) -> Outcome<ControlFlow<T>>
    where
        B: Brancher<P>,
        H: Hooks<P>,
        S: Strategy<P, B, H>,
    {
        let (mut walk, _) = self.walk(None);
        let mut value = ControlFlow::Continue(());
        walk.advance(|node| match visit(node) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(broken) => {
                value = ControlFlow::Break(broken);
                ControlFlow::Break(())
            }
        });
        Outcome::new(value, satisfied(walk.report()))
    }

    /// Searches for the first solution in tree order: the run ends there with [`Stop::Satisfied`].
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.lookback();
    /// let outcome = Search::new(&queens).first();
    /// assert_eq!(outcome.solution().map(|path| path.len()), Some(8));
    /// assert_eq!(outcome.report().nodes(), 1 + 113);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn first<T>(self) -> Outcome<Found<T>>
    where
        B: Brancher<P>,
        H: Hooks<P>,
        X: Extract<P, Output = T>,
        S: Strategy<P, B, H>,
    {
        let (mut walk, mut extract) = self.walk(None);
        let mut solution = None;
        walk.advance(|node| {
            solution = Some(extract.extract(node));
            ControlFlow::Break(())
        });
        let report = satisfied(walk.report());
        Outcome::new(Found::new(solution, &report), report)
    }

    /// Returns a lazy iterator over the solutions in tree order. The walk advances only as far as
    /// solutions are requested.
    pub fn solutions(self) -> Solutions<'p, P, B, H, X, S>
    where
        B: Brancher<P>,
        H: Hooks<P>,
        X: Extract<P>,
        S: Strategy<P, B, H>,
    {
        let (walk, extract) = self.walk(None);
        Solutions { walk, extract }
    }
}

impl<P: Problem, B: Brancher<P>, H: Hooks<P>, X> Search<'_, P, B, H, X> {
    /// Calls `visit` with each solution at or below `state`, as if that were the root, and returns
    /// why the walk ended. Depths and paths begin at `state`, also for hooks and limits. A
    /// [watcher](Search::fraction) does not get the share that is done.
    ///
    /// ```
    /// use secateurs::{Problem, Search, Stop};
    /// use secateurs_problems::queens::Queens;
    ///
    /// // The solutions with the first queen in the first column.
    /// let queens = Queens::new(8)?.lookback();
    /// let (mut state, mut found) = (queens.root(), 0);
    /// queens.apply(&mut state, &0);
    /// let stop = Search::new(&queens).for_each_below(state, |_| found += 1);
    /// assert_eq!((stop, found), (Stop::Exhausted, 4));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn for_each_below(self, state: P::State, mut visit: impl FnMut(&Node<'_, P>)) -> Stop {
        let (mut walk, _) = self.walk(None);
        walk.replay.start = Some(state);
        // To report the share that is done, the walk would replay paths from the problem's root.
        walk.tree.meter.knows_fraction = false;
        walk.opens_large_nodes = false;
        walk.advance(|node| {
            visit(node);
            ControlFlow::Continue(())
        });
        walk.stop()
    }
}

/// Returns whether a solution exists according to a search for the first one. Credited solutions,
/// which are not visited, exist as well.
pub(crate) fn existence(first: Outcome<Found<()>>) -> Outcome<Found<()>> {
    first.map(|found, report| {
        let known = report.known_solutions(report.solutions().into(), report.credited());
        if known > 0 { Found::Solution(()) } else { found }
    })
}

/// Replaces [`Stop::Paused`] by [`Stop::Satisfied`]: a run whose visitor broke off has its answer
/// and is not continued.
fn satisfied(mut report: Report) -> Report {
    if report.stop == Stop::Paused {
        report.stop = Stop::Satisfied;
    }
    report
}

/// A lazy iterator over the solutions of a search, made by
/// [`Search::solutions`](crate::Search::solutions).
///
/// The end of the iterator does not imply that there are no more solutions:
/// [`stop`](Solutions::stop) returns the reason.
///
/// ```
/// use secateurs::{Limits, Search, Stop};
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(6)?.bits();
/// let mut solutions = Search::new(&queens).solutions();
/// assert_eq!(solutions.by_ref().count(), 4);
/// assert_eq!(solutions.stop(), Stop::Exhausted);
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Solutions<'p, P: Problem + 'p, B = ProblemOrder, H = (), X = Choices, S = DepthFirst>
where
    B: Brancher<P>,
    H: Hooks<P>,
    S: Strategy<P, B, H>,
{
    walk: S::Walk<'p>,
    extract: X,
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X, S: Strategy<P, B, H>>
    Solutions<'p, P, B, H, X, S>
{
    /// Returns the reason why the iterator has ended, or [`Stop::Paused`] if it has not.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.walk.stop()
    }

    /// Returns the report so far. Cost: proportional to the depth of the tree times the number of
    /// hooks.
    #[must_use]
    pub fn report(&self) -> Report {
        self.walk.report()
    }

    /// Returns the count of the solutions so far, as [`Search::count`](crate::Search::count)
    /// returns that of all: it is exact if the tree has been searched completely.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let mut solutions = Search::new(&queens).hook(Queens::mirror()).solutions();
    /// assert_eq!((solutions.by_ref().take(3).count(), solutions.counted().exact()), (3, None));
    /// assert_eq!((solutions.by_ref().count(), solutions.counted().exact()), (43, Some(92)));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn counted(&self) -> Outcome<Count> {
        Outcome::new(self.walk.count(), self.walk.report())
    }

    /// Continues the search for up to `nodes` more nodes, passes the solutions to `visit` until
    /// it breaks off, and returns the reason why the run has ended: [`Stop::NodeLimit`] if all
    /// these nodes were visited, [`Stop::Paused`] if `visit` broke off.
    ///
    /// This divides a run into steps, for a window or a server that has other work in between: no
    /// path is replayed, and hooks keep what they remember. It replaces the [node
    /// limit](crate::Limits::nodes) of the search; other limits remain, and the time of the report
    /// includes that between the steps. In the end, the report is that of a run without steps. A
    /// search that [saves](Search::checkpoint) what is left replays it after each step, and is
    /// reported as one in several parts.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use secateurs::{Search, Stop};
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.bits();
    /// let (mut search, mut found, mut steps) = (Search::new(&queens).solutions(), 0, 1);
    /// let mut count = |_| {
    ///     found += 1;
    ///     ControlFlow::Continue(())
    /// };
    /// while search.advance(100, &mut count) == Stop::NodeLimit {
    ///     steps += 1;
    /// }
    /// assert_eq!((search.stop(), search.report().nodes()), (Stop::Exhausted, 2_057));
    /// assert_eq!((found, steps), (92, 21));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    pub fn advance(
        &mut self,
        nodes: u64,
        mut visit: impl FnMut(X::Output) -> ControlFlow<()>,
    ) -> Stop
    where
        X: Extract<P>,
    {
        let Self { walk, extract } = self;
        walk.advance_by(nodes, |node| visit(extract.extract(node)));
        self.stop()
    }
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X: Extract<P>, S: Strategy<P, B, H>> Iterator
    for Solutions<'p, P, B, H, X, S>
{
    type Item = X::Output;

    fn next(&mut self) -> Option<X::Output> {
        let mut solution = None;
        let Self { walk, extract } = self;
        walk.advance(|node| {
            solution = Some(extract.extract(node));
            ControlFlow::Break(())
        });
        solution
    }

    /// Passes the remaining solutions to `f` without a pause of the walk at each of them.
    /// `for_each`, `count` and `sum` use it, also behind `map` and `filter`; `for` loops and
    /// `collect` call `next`.
    fn fold<T, F: FnMut(T, X::Output) -> T>(mut self, init: T, mut f: F) -> T {
        let Self { walk, extract } = &mut self;
        let mut folded = Some(init);
        walk.advance(|node| {
            folded = folded.take().map(|so_far| f(so_far, extract.extract(node)));
            ControlFlow::Continue(())
        });
        let Some(folded) = folded else { unreachable!("a panic of `f` unwinds past this") };
        folded
    }
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X: Extract<P>, S: Strategy<P, B, H>> FusedIterator
    for Solutions<'p, P, B, H, X, S>
{
}

impl<'p, P: Problem, B: Brancher<P>, H: Hooks<P>, X, S: Strategy<P, B, H>> fmt::Debug
    for Solutions<'p, P, B, H, X, S>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions").field("stop", &self.stop()).finish_non_exhaustive()
    }
}
