//! Solutions one by one.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::ControlFlow;

use super::tree::Walk;
use super::{Choices, DepthFirst, Extract, Strategy};
use crate::brancher::{Brancher, ProblemOrder};
use crate::hook::Hooks;
use crate::limits::Stop;
use crate::problem::Problem;
use crate::report::Report;

/// A lazy iterator over the solutions of a search, made by
/// [`Search::solutions`](super::Search::solutions).
///
/// That it has ended does not say that there are no more solutions: [`stop`](Solutions::stop) says
/// why it has.
///
/// ```
/// use secateurs::{Limits, Search, Stop};
/// use secateurs::problems::queens::Queens;
///
/// let queens = Queens::new(6)?.bits();
/// let mut solutions = Search::new(&queens).solutions();
/// assert_eq!(solutions.by_ref().count(), 4);
/// assert_eq!(solutions.stop(), Stop::Exhausted);
/// # Ok::<(), secateurs::problems::InstanceError>(())
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

impl<'p, P, B, H, X, S> Solutions<'p, P, B, H, X, S>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    S: Strategy<P, B, H>,
{
    pub(crate) fn new(walk: S::Walk<'p>, extract: X) -> Self {
        Solutions { walk, extract }
    }

    /// Why the iterator has ended, or [`Stop::Paused`] if it has not.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.walk.stop()
    }

    /// The account so far. Cost: proportional to the depth of the tree times the number of hooks.
    #[must_use]
    pub fn report(&self) -> Report {
        self.walk.report()
    }
}

impl<'p, P, B, H, X, S> Iterator for Solutions<'p, P, B, H, X, S>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P>,
    S: Strategy<P, B, H>,
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
}

impl<'p, P, B, H, X, S> FusedIterator for Solutions<'p, P, B, H, X, S>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    X: Extract<P>,
    S: Strategy<P, B, H>,
{
}

impl<'p, P, B, H, X, S> fmt::Debug for Solutions<'p, P, B, H, X, S>
where
    P: Problem,
    B: Brancher<P>,
    H: Hooks<P>,
    S: Strategy<P, B, H>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions").field("stop", &self.stop()).finish_non_exhaustive()
    }
}
