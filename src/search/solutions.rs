//! Extracting solutions, and the iterator over them.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::ControlFlow;

use super::depth_first::DepthFirst;
use super::walk::{Strategy, Walk};
use crate::brancher::{Brancher, ProblemOrder};
use crate::hook::Hooks;
use crate::hook::Node;
use crate::limits::Stop;
use crate::outcome::{Count, Outcome};
use crate::problem::Problem;
use crate::report::Report;

/// A function that extracts a value from the node of a solution, to be kept when the walk
/// continues.
///
/// Implemented by closures `FnMut(&Node<P>) -> T`, and by [`Choices`], the default.
#[diagnostic::on_unimplemented(
    message = "`{Self}` extracts nothing from the solutions of the problem `{P}`",
    note = "the default, `Choices`, copies the choices of the path: derive `Clone` for `Choice`",
    note = "to keep something else, pass a closure to `Search::extract`, such as `|node| \
            node.depth()`"
)]
pub trait Extract<P: Problem> {
    /// The extracted value.
    type Output;

    /// Extracts the value from the node of a solution.
    fn extract(&mut self, node: &Node<'_, P>) -> Self::Output;
}

/// Extracts the choices that lead to a solution, from the root down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices;

impl<P: Problem<Choice: Clone>> Extract<P> for Choices {
    type Output = Vec<P::Choice>;

    #[inline]
    fn extract(&mut self, node: &Node<'_, P>) -> Vec<P::Choice> {
        node.path().to_vec()
    }
}

impl<P: Problem, T, F: FnMut(&Node<'_, P>) -> T> Extract<P> for F {
    type Output = T;

    #[inline]
    fn extract(&mut self, node: &Node<'_, P>) -> T {
        self(node)
    }
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
pub struct Solutions<'p, P, B = ProblemOrder, H = (), X = Choices, S = DepthFirst>
where
    P: Problem + 'p,
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
    pub(crate) fn new(walk: S::Walk<'p>, extract: X) -> Self {
        Solutions { walk, extract }
    }

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
    /// includes that between the steps. In the end, the report is that of a run without steps.
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
