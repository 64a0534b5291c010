//! The solutions of a weight, as a contour problem: [`OfWeight`].

use super::algebra::Weight;
use super::contour_problem::ContourProblem;
use crate::limits::TooWide;

/// The solutions of a contour problem that have a given weight, as a problem of their own: to draw,
/// list or sample them. Weights must not be negative.
///
/// The weight so far is part of the state. States are dropped whose weight exceeds the given one,
/// or will exceed it by the [bound](Weight::least_to_go) of the weight that they still gain. To
/// count only, [`CountByWeight`](super::algebra::CountByWeight) takes fewer states, and answers for
/// all weights up to a limit at once.
///
/// ```
#[doc = include_str!("row.doctest")]
/// use secateurs::plug::{OfWeight, Sweep};
///
/// // Sets of two squares of a row that are not neighbours.
/// let taken = |_: usize, taken: bool| i64::from(taken);
/// let row = Row(4);
/// let pairs = OfWeight::new(&row, taken, 2);
/// assert_eq!(Sweep::new(&pairs).count().exact(), Some(3));
/// let solutions = Sweep::new(&pairs).solutions()?;
/// assert!(solutions.into_iter().any(|labels| labels == [true, false, false, true]));
/// # Ok::<(), secateurs::Incomplete>(())
/// ```
#[derive(Clone, Debug)]
pub struct OfWeight<P, W> {
    problem: P,
    weight: W,
    total: u32,
}

/// The contour state of [`OfWeight`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Weighed<S> {
    /// The state of the underlying problem.
    pub state: S,
    /// The weight of the labels so far.
    pub weight: i64,
}

impl<P, W> OfWeight<P, W> {
    /// Creates the problem of the solutions of `problem` whose weight is `total`.
    #[must_use]
    pub fn new(problem: P, weight: W, total: u32) -> Self {
        OfWeight { problem, weight, total }
    }

    /// Returns the underlying problem.
    #[must_use]
    pub fn problem(&self) -> &P {
        &self.problem
    }
}

impl<P: ContourProblem, W: Weight<P>> ContourProblem for OfWeight<P, W> {
    type State = Weighed<P::State>;
    type Label = P::Label;

    fn cells(&self) -> usize {
        self.problem.cells()
    }

    fn start(&self) -> Self::State {
        Weighed { state: self.problem.start(), weight: 0 }
    }

    #[inline]
    fn step(
        &self,
        cell: usize,
        from: Self::State,
        emit: &mut impl FnMut(Self::State, Self::Label),
    ) {
        self.problem.step(cell, from.state, &mut |state, label| {
            // A sum that does not fit exceeds the total as well.
            let weight = from.weight.saturating_add(self.weight.label(cell, label));
            let least = weight.saturating_add(self.weight.least_to_go(cell, state));
            if least <= i64::from(self.total) {
                emit(Weighed { state, weight }, label);
            }
        });
    }

    fn accept(&self, Weighed { state, weight }: Self::State) -> bool {
        self.problem.accept(state)
            && weight.saturating_add(self.weight.end(state)) == i64::from(self.total)
    }

    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.problem.fits(cell)
    }

    fn is_legal(&self, cell: usize, state: Self::State) -> bool {
        (0..=i64::from(self.total)).contains(&state.weight)
            && self.problem.is_legal(cell, state.state)
    }

    fn region(&self, cell: usize, state: Self::State) -> Option<u64> {
        self.problem.region(cell, state.state)
    }
}
