//! Problems made from others: the pairs of solutions of two problems on the same cells, [`Both`],
//! and the solutions of a weight, [`OfWeight`].

use std::fmt;

use super::algebra::Weight;
use super::contour_problem::ContourProblem;
use crate::limits::TooWide;

/// Two problems on the same cells at once: its solutions are the pairs of a solution of each. With
/// [`ContourProblem::only`], the two are made to depend on each other.
///
/// The states are the pairs of states, at most as many as the product of the numbers of both. Of
/// problems with the same labels, the pairs of equal labels are the intersection.
///
/// There are no [dense tables](super::Sweep::dense) for pairs, even if each problem has them: ranks
/// of pairs would number the whole product, of which only few pairs occur once the two depend on
/// each other, and hash tables hold these alone.
///
/// ```
#[doc = include_str!("row.doctest")]
/// use secateurs::plug::{Both, Sweep};
///
/// // Two sets without neighbours, of which the second avoids the squares of the first.
/// let two = Both::new(Row(10), Row(10))?.only(|_, (one, other)| !(one && other));
/// assert_eq!(Sweep::new(&two).count().exact(), Some(8119));
/// # Ok::<(), secateurs::plug::DifferentCells>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Both<P, Q> {
    one: P,
    other: Q,
}

impl<P: ContourProblem, Q: ContourProblem> Both<P, Q> {
    /// Creates the problem of the pairs of solutions.
    ///
    /// # Errors
    /// Returns an error if the numbers of cells differ.
    pub fn new(one: P, other: Q) -> Result<Self, DifferentCells> {
        let cells = [one.cells(), other.cells()];
        if cells[0] == cells[1] { Ok(Both { one, other }) } else { Err(DifferentCells { cells }) }
    }

    /// Returns both problems.
    pub fn problems(&self) -> (&P, &Q) {
        (&self.one, &self.other)
    }
}

impl<P: ContourProblem, Q: ContourProblem> ContourProblem for Both<P, Q> {
    type State = (P::State, Q::State);
    type Label = (P::Label, Q::Label);

    fn cells(&self) -> usize {
        self.one.cells()
    }

    fn start(&self) -> Self::State {
        (self.one.start(), self.other.start())
    }

    #[inline]
    fn step(
        &self,
        cell: usize,
        (one, other): Self::State,
        emit: &mut impl FnMut(Self::State, Self::Label),
    ) {
        self.one.step(cell, one, &mut |one, label| {
            self.other.step(cell, other, &mut |other, other_label| {
                emit((one, other), (label, other_label));
            });
        });
    }

    fn accept(&self, (one, other): Self::State) -> bool {
        self.one.accept(one) && self.other.accept(other)
    }

    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.one.fits(cell).and_then(|()| self.other.fits(cell))
    }

    fn is_legal(&self, cell: usize, (one, other): Self::State) -> bool {
        self.one.is_legal(cell, one) && self.other.is_legal(cell, other)
    }

    /// The region of the first problem, which both states have; that of the second if the first has
    /// none.
    fn region(&self, cell: usize, (one, other): Self::State) -> Option<u64> {
        self.one.region(cell, one).or_else(|| self.other.region(cell, other))
    }
}

/// The error of two problems whose numbers of cells differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferentCells {
    /// The number of cells of each problem.
    pub cells: [usize; 2],
}

impl fmt::Display for DifferentCells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = self.cells;
        write!(f, "found problems on {one} and {other} cells, expected the same cells")
    }
}

impl std::error::Error for DifferentCells {}

/// The solutions of a contour problem that have a given weight, as a problem of their own: to draw,
/// list or sample them.
///
/// The weight so far is part of the state. States are dropped whose weight will exceed the given
/// one by the [bound](Weight::least_to_go) of the weight that they still gain. If weights are
/// negative, the bound must therefore be stated: its default of 0 would be too large, and
/// solutions would be lost. To count only, [`CountByWeight`](super::algebra::CountByWeight) takes
/// fewer states, and answers for all weights up to a limit at once.
///
/// In files, the weights and the given weight are part of the problem: its
/// [fingerprint](crate::checkpoint::Fingerprint) must contain them.
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
    /// The weight of the labels so far. It may exceed 64 bits although the total does not.
    pub weight: i128,
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
            // The sum of all labels and an end fits: a problem has less than 2⁶⁴ cells.
            let weight = from.weight + i128::from(self.weight.label(cell, label));
            let least = weight + i128::from(self.weight.least_to_go(cell, state));
            if least <= i128::from(self.total) {
                emit(Weighed { state, weight }, label);
            }
        });
    }

    fn accept(&self, Weighed { state, weight }: Self::State) -> bool {
        self.problem.accept(state)
            && weight + i128::from(self.weight.end(state)) == i128::from(self.total)
    }

    fn fits(&self, cell: usize) -> Result<(), TooWide> {
        self.problem.fits(cell)
    }

    fn is_legal(&self, cell: usize, state: Self::State) -> bool {
        // Greater weights could overflow in a step, and no path has them.
        state.weight.unsigned_abs() <= (cell as u128) << 63
            && self.problem.is_legal(cell, state.state)
    }

    fn region(&self, cell: usize, state: Self::State) -> Option<u64> {
        self.problem.region(cell, state.state)
    }
}
