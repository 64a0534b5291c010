//! Static symmetry breaking: representatives of the first choices, each with the number that it
//! stands for.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;

use crate::digest::Digest;
use crate::hook::{Effect, Hook, Node, Path, Verdict};
use crate::problem::Problem;

/// A hook that takes only representatives of the first choices, and knows how many choices each one
/// stands for.
///
/// At the first `levels` choices of a path it asks a closure for the *factor* of a choice, given
/// the problem and the path before it: 0 cuts the choice off, since a choice that is kept stands
/// for it; a factor k keeps the choice and says that it stands for k choices, itself included. The
/// product of the factors along a path is the size of the orbit of every solution below, so that
/// the outcome's [`exact`](crate::Outcome::exact) is the full count. Below its levels the hook
/// costs one comparison a choice.
///
/// [`Queens::mirror`](crate::problems::queens::Queens::mirror) is one ready made.
///
/// ```
/// use secateurs::Search;
/// use secateurs::hook::FirstChoices;
/// use secateurs::problems::queens::{BitQueens, Queens, RowByRow};
///
/// // On a board of even size, a queen in the left half of the first row stands for one in the right half too.
/// let queens = Queens::new(8)?.bits();
/// let left_half = FirstChoices::new("left half", 1, |queens: &BitQueens, _, choice| {
///     if BitQueens::column(choice) < queens.size() / 2 { 2 } else { 0 }
/// });
/// let outcome = Search::new(&queens).hooks((left_half,)).count();
/// assert_eq!(outcome.exact(), Some(92));
/// assert_eq!(outcome.representatives(), Some(46));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
///
/// # What the closure must keep to
///
/// At every node of the first levels that is reached, there has to be a way to assign each choice
/// of factor 0 to one that is kept, such that just k choices, itself included, are assigned to one
/// of factor k, and that the subtrees below a choice and below the one it is assigned to have
/// equally many solutions. The usual reason is a symmetry that fixes the path so far. If it does
/// not hold, the count is wrong and the outcome cannot tell.
///
/// If the run is for the [`best`](crate::Search::best) solution, those below must have equal best
/// values as well.
///
/// The factor must depend on its arguments only. A product past 2⁶⁴ − 1 makes the orbit unknown,
/// and the outcome says so.
#[derive(Clone)]
pub struct FirstChoices<F> {
    name: Cow<'static, str>,
    levels: usize,
    factor: F,
    parameters: Option<Digest>,
}

impl<F> FirstChoices<F> {
    /// Asks `factor` for the factor of each of the first `levels` choices.
    pub fn new<P>(name: impl Into<Cow<'static, str>>, levels: usize, factor: F) -> Self
    where
        P: Problem,
        F: Fn(&P, Path<'_, P::Choice>, &P::Choice) -> u64,
    {
        let parameters = Digest::of_unit(&factor);
        FirstChoices { name: name.into(), levels, factor, parameters }
    }

    /// States the data that the closure has captured: see [`Hook::parameters`]. Closures that
    /// capture nothing have no parameters.
    #[must_use]
    pub fn parameters(mut self, data: &(impl Hash + ?Sized)) -> Self {
        self.parameters = Some(Digest::of(data));
        self
    }
}

impl<P, F> Hook<P> for FirstChoices<F>
where
    P: Problem,
    F: Fn(&P, Path<'_, P::Choice>, &P::Choice) -> u64,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.parameters, Some(Digest::of(&self.levels))])
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    #[inline]
    fn first_choices(&self) -> usize {
        self.levels
    }

    fn admit_first(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        Verdict::prune_if((self.factor)(node.problem(), node.path(), choice) == 0)
    }

    fn follows_path(&self) -> bool {
        false
    }

    #[inline]
    fn orbit(&self, node: &Node<'_, P>) -> Option<u64> {
        orbit(&self.factor, self.levels, node.problem(), node.path())
    }
}

/// The product of the factors along a path. Apart from the hook, so that only copies leave the
/// kernel: what has its address taken cannot stay in a register.
#[inline(never)]
fn orbit<P, F>(factor: &F, levels: usize, problem: &P, path: Path<'_, P::Choice>) -> Option<u64>
where
    P: Problem,
    F: Fn(&P, Path<'_, P::Choice>, &P::Choice) -> u64,
{
    (path.iter().take(levels).enumerate())
        .map(|(depth, choice)| factor(problem, path.prefix(depth), choice))
        .try_fold(1, u64::checked_mul)
}

impl<F> fmt::Debug for FirstChoices<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FirstChoices")
            .field("name", &self.name)
            .field("levels", &self.levels)
            .finish_non_exhaustive()
    }
}
