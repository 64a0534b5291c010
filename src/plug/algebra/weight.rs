//! What solutions are worth: [`Weight`], and the best one, [`Best`].

use std::borrow::Cow;

use super::{Algebra, Overflow};
use crate::hook::Effect;
use crate::incumbent::Direction;
use crate::plug::profile::ContourProblem;

/// What a solution is worth: the sum of what its labels are, and its end.
///
/// A closure of a cell and a label is a weight.
pub trait Weight<P: ContourProblem>: Sync {
    /// What it is worth that `label` was done in `cell`.
    fn label(&self, cell: usize, label: P::Label) -> i64;

    /// What it is worth to end in `state`, which is accepted. By default nothing.
    fn end(&self, state: P::State) -> i64 {
        let _ = state;
        0
    }
}

impl<P: ContourProblem, F: Fn(usize, P::Label) -> i64 + Sync> Weight<P> for F {
    #[inline]
    fn label(&self, cell: usize, label: P::Label) -> i64 {
        self(cell, label)
    }
}

/// The best weight of all solutions, the greatest or the least.
///
/// As an algebra this is the tropical semiring: merging takes the better value, extending adds.
/// Sums are checked. A dominated state is dropped only for one whose weight so far is at least as
/// good.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::Best;
///
/// let coins = [3, 5, 4, 1, 9];
/// let worth = |square: usize, taken: bool| if taken { coins[square] } else { 0 };
/// let outcome = Sweep::new(&Row(5)).run(&Best::maximise(worth));
/// assert_eq!(outcome.total(), Some(&16)); // 3 + 4 + 9
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Best<W> {
    direction: Direction,
    weight: W,
}

impl<W> Best<W> {
    /// The greatest weight, or the least.
    #[must_use]
    pub fn new(direction: Direction, weight: W) -> Self {
        Best { direction, weight }
    }

    /// The greatest weight.
    #[must_use]
    pub fn maximise(weight: W) -> Self {
        Self::new(Direction::Maximise, weight)
    }

    /// The least weight.
    #[must_use]
    pub fn minimise(weight: W) -> Self {
        Self::new(Direction::Minimise, weight)
    }

    /// Whether larger or smaller weights are better.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The weight.
    #[must_use]
    pub fn weight(&self) -> &W {
        &self.weight
    }
}

/// Which weight is best, in a word.
pub(super) fn extreme(direction: Direction) -> &'static str {
    match direction {
        Direction::Maximise => "greatest",
        Direction::Minimise => "least",
    }
}

pub(super) fn add(a: i64, b: i64) -> Result<i64, Overflow> {
    a.checked_add(b).ok_or(Overflow)
}

impl<P: ContourProblem, W: Weight<P>> Algebra<P> for Best<W> {
    type Value = i64;

    fn name(&self) -> Cow<'static, str> {
        format!("the {} weight", extreme(self.direction)).into()
    }
    #[inline]
    fn one(&self) -> i64 {
        0
    }
    #[inline]
    fn extend(&self, value: &i64, cell: usize, label: P::Label) -> Result<i64, Overflow> {
        add(*value, self.weight.label(cell, label))
    }
    #[inline]
    fn merge(&self, into: &mut i64, value: i64) -> Result<(), Overflow> {
        *into = match self.direction {
            Direction::Maximise => value.max(*into),
            Direction::Minimise => value.min(*into),
        };
        Ok(())
    }
    fn finish(&self, value: i64, state: P::State) -> Result<i64, Overflow> {
        add(value, self.weight.end(state))
    }
    fn tolerates(&self) -> Effect {
        Effect::OptimumOnly
    }
    #[inline]
    fn covers(&self, better: &i64, worse: &i64) -> bool {
        !self.direction.is_better(worse, better)
    }
}
