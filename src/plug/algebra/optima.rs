//! The best weight and how many solutions have it: [`Optima`].

use std::borrow::Cow;

use super::weight::{Weight, add, extreme};
use super::{Algebra, Overflow};
use crate::incumbent::Direction;
use crate::plug::profile::ContourProblem;

/// A weight and the number of ways that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tied {
    /// The best weight.
    pub weight: i64,
    /// How many ways have it.
    pub ways: u128,
}

/// The best weight of all solutions, and how many solutions have it.
///
/// As an algebra this is the tropical semiring with multiplicities: of two weights the better one
/// is kept, with its number of ways; if they are equal, the numbers add up. Both are checked. Hooks
/// that keep but one optimum make the number wrong, and so are not tolerated.
///
/// ```
#[doc = include_str!("../row.doctest")]
/// use secateurs::plug::Sweep;
/// use secateurs::plug::algebra::{Optima, Tied};
///
/// let taken = |_: usize, taken: bool| i64::from(taken);
/// let outcome = Sweep::new(&Row(10)).run(&Optima::maximise(taken));
/// assert_eq!(outcome.total(), Some(&Tied { weight: 5, ways: 6 }));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Optima<W> {
    direction: Direction,
    weight: W,
}

impl<W> Optima<W> {
    /// The solutions of the greatest weight, or of the least.
    #[must_use]
    pub fn new(direction: Direction, weight: W) -> Self {
        Optima { direction, weight }
    }

    /// The solutions of the greatest weight.
    #[must_use]
    pub fn maximise(weight: W) -> Self {
        Self::new(Direction::Maximise, weight)
    }

    /// The solutions of the least weight.
    #[must_use]
    pub fn minimise(weight: W) -> Self {
        Self::new(Direction::Minimise, weight)
    }
}

impl<P: ContourProblem, W: Weight<P>> Algebra<P> for Optima<W> {
    type Value = Tied;

    fn name(&self) -> Cow<'static, str> {
        format!("the ways to the {} weight", extreme(self.direction)).into()
    }
    fn one(&self) -> Tied {
        Tied { weight: 0, ways: 1 }
    }
    #[inline]
    fn extend(&self, value: &Tied, cell: usize, label: P::Label) -> Result<Tied, Overflow> {
        Ok(Tied { weight: add(value.weight, self.weight.label(cell, label))?, ..*value })
    }
    #[inline]
    fn merge(&self, into: &mut Tied, value: Tied) -> Result<(), Overflow> {
        if value.weight == into.weight {
            into.ways = into.ways.checked_add(value.ways).ok_or(Overflow)?;
        } else if self.direction.is_better(&value.weight, &into.weight) {
            *into = value;
        }
        Ok(())
    }
    fn finish(&self, value: Tied, state: P::State) -> Result<Tied, Overflow> {
        Ok(Tied { weight: add(value.weight, self.weight.end(state))?, ..value })
    }
    /// Only what is strictly worse has no part in the optima.
    fn covers(&self, better: &Tied, worse: &Tied) -> bool {
        self.direction.is_better(&better.weight, &worse.weight)
    }
}
