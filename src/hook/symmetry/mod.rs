//! Symmetry: searching one solution of each orbit, and counting it with the size of the orbit.
//!
//! [`FirstChoices`] prunes symmetric choices at the first few levels and costs nothing below them.
//! [`LexLeader`] takes any [`SymmetryGroup`] and keeps exactly one solution per orbit.

mod group;
mod lex_leader;

pub use group::{Permutation, SymmetryError, SymmetryGroup};
pub use lex_leader::LexLeader;

use std::borrow::Cow;

use crate::digest::Digest;
use crate::hook::{Effect, Hook, HookMemory, Node, Path, Substitute, Verdict};
use crate::problem::Problem;

/// A hook that keeps only representatives of the first choices, and knows how many choices each one
/// represents.
///
/// For the first `levels` choices of a path, a closure returns the *factor* of a choice, given the
/// problem and the path before it. Factor 0 prunes the choice, because a kept choice represents it;
/// factor k keeps the choice as the representative of k choices, including itself. The product of
/// the factors along a path is the orbit size of every solution below, so the outcome's
/// [`exact`](crate::Outcome::exact) is the full count. Below its levels the hook costs one
/// comparison per choice.
///
/// `Queens::mirror` of [`secateurs-problems`](https://docs.rs/secateurs-problems) is a ready-made
/// one.
///
/// ```
/// use secateurs::Search;
/// use secateurs::hook::FirstChoices;
/// use secateurs_problems::queens::{BitQueens, Queens, RowByRow};
///
/// // On a board of even size, a queen in the left half of the first row represents its image.
/// let queens = Queens::new(8)?.bits();
/// let left_half = FirstChoices::new("left half", 1, |queens: &BitQueens, _, choice| {
///     if BitQueens::column(choice) < queens.size() / 2 { 2 } else { 0 }
/// });
/// let outcome = Search::new(&queens).hooks((left_half,)).count();
/// assert_eq!(outcome.exact(), Some(92));
/// assert_eq!(outcome.representatives(), Some(46));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
///
/// # Requirements on the closure
///
/// At every reached node of the first levels, each choice of factor 0 can be assigned to a kept
/// choice such that exactly k choices, including itself, are assigned to one of factor k, and the
/// subtrees of a choice and of the one it is assigned to have equally many solutions. The usual
/// reason is a symmetry that fixes the path so far. If this does not hold, the count is wrong and
/// the outcome does not show it.
///
/// For the [`best`](crate::Search::best) solution, these subtrees must have equal best values as
/// well.
///
/// The factor must depend on its arguments only. A product above 2⁶⁴ − 1 makes the orbit unknown,
/// which the outcome reports.
#[derive(Clone)]
pub struct FirstChoices<F> {
    name: Cow<'static, str>,
    levels: usize,
    factor: F,
    parameters: Option<Digest>,
}

impl<F> FirstChoices<F> {
    /// Creates a hook that calls `factor` for each of the first `levels` choices.
    pub fn new<P: Problem>(name: impl Into<Cow<'static, str>>, levels: usize, factor: F) -> Self
    where
        F: Fn(&P, Path<'_, P::Choice>, &P::Choice) -> u64,
    {
        let parameters = Digest::of_zero_sized(&factor);
        FirstChoices { name: name.into(), levels, factor, parameters }
    }

    crate::hook::parameters_of_captures!();
}

impl<P: Problem, F: Fn(&P, Path<'_, P::Choice>, &P::Choice) -> u64> Hook<P> for FirstChoices<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> Option<Digest> {
        Digest::all([self.parameters, Some(Digest::of(&self.levels))])
    }

    fn effect(&self) -> Effect {
        Effect::Representatives
    }

    /// The kept choice that a pruned one is assigned to leads to as many solutions.
    fn substitute(&self) -> Substitute {
        Substitute::Sibling
    }

    /// Returns a number below [`usize::MAX`], so that the compiler removes this hook from the hot
    /// loop.
    #[inline]
    fn admit_levels(&self) -> usize {
        self.levels.min(usize::MAX - 1)
    }

    fn admit(&mut self, node: &Node<'_, P>, choice: &P::Choice) -> Verdict {
        Verdict::prune_if((self.factor)(node.problem(), node.path(), choice) == 0)
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    #[inline]
    fn orbit(&self, node: &Node<'_, P>) -> Option<u64> {
        orbit(&self.factor, self.levels, node.problem(), node.path())
    }
}

/// Returns the product of the factors along a path. It is no method of the hook and takes the path
/// by value, so that the kernel passes on copies: a variable whose address is taken cannot stay in
/// a register.
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

debug_fields!(impl[F] FirstChoices<F>: name, levels);
