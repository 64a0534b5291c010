//! Two problems on the same cells: [`Both`].

use std::fmt;

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
