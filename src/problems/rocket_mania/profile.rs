//! The board as a profile, swept column by column.

use super::block::Sides;
use super::board::{Board, Case, CaseError, Rotation};
use super::contour::Contour;
use crate::plug::code::Word;
use crate::plug::{Profile, TooWide};

/// A case as a [`Profile`] whose labels are the sides that the blocks are turned to, and whose solutions are the rotations
/// by which some rocket starts.
///
/// Cells are taken column by column, each from the top down, so that a contour has a plug more than the board has rows, be
/// the board as wide as it likes. (Boards that are wider than high have shorter contours than the other way round.) The
/// word `W` holds [contours](Contour) of up to 13 rows if it is a `u64`, of 24 if it is a `u128`; for higher boards the
/// sweep ends with [`Stop::StateTooWide`](crate::Stop::StateTooWide).
///
/// A block that is connected to nothing behind the contour gives rise to plugs only if it leads to both sides ahead. A lone
/// plug would tell the cells to come nothing that they do not know.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::rocket_mania::{Fuses, Mode};
///
/// let case = &Mode::Single.cases("1\n-L\nLL\n")?[0];
/// let outcome = Sweep::new(&Fuses::<u64>::new(case)).count();
/// assert_eq!(outcome.exact(), Some(4)); // `-` lies, `L` bends down and the one below to the right: 1 × 1 × 4 × 1
/// # Ok::<(), secateurs::problems::rocket_mania::ParseCasesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fuses<'a, W = u64> {
    case: &'a Case,
    word: std::marker::PhantomData<W>,
}

impl<'a, W: Word> Fuses<'a, W> {
    /// The profile of a case.
    #[must_use]
    pub fn new(case: &'a Case) -> Self {
        Fuses { case, word: std::marker::PhantomData }
    }

    /// The row and the column of a cell of the sweep.
    #[inline]
    #[must_use]
    pub fn place(&self, cell: usize) -> (usize, usize) {
        (cell % self.case.board().rows(), cell / self.case.board().rows())
    }

    /// Whether a cell of the sweep is in the last column.
    #[inline]
    pub(super) fn is_last(&self, cell: usize) -> bool {
        self.place(cell).1 + 1 == self.case.board().columns()
    }

    /// How many plugs contours have.
    #[inline]
    pub(super) fn plugs(&self) -> usize {
        self.case.board().rows() + 1
    }

    /// The rotation that labels in the order of the sweep stand for.
    ///
    /// # Errors
    /// If there are too many of them or too few, or if a block cannot be turned so.
    pub fn rotation(&self, labels: &[Sides]) -> Result<Rotation, CaseError> {
        let board: &Board = self.case.board();
        let (rows, columns) = (board.rows(), board.columns());
        if labels.len() != rows * columns {
            return Err(CaseError::Cells { found: labels.len(), expected: rows * columns });
        }
        let by_row = (0..rows * columns).map(|cell| labels[cell % columns * rows + cell / columns]);
        Rotation::new(board, by_row.collect())
    }
}

impl<W: Word> Profile for Fuses<'_, W> {
    type State = Contour<W>;
    type Label = Sides;

    fn cells(&self) -> usize {
        self.case.board().blocks().len()
    }

    fn start(&self) -> Contour<W> {
        // Of more rows than fit nothing is asked but whether they do.
        let rows = if Contour::<W>::fits(self.plugs() - 1).is_ok() { self.plugs() - 1 } else { 0 };
        let lit = |row| if self.case.matches().is_lit(row) { Contour::<W>::LIT } else { 0 };
        let labels: Vec<u8> = std::iter::once(0).chain((0..rows).map(lit)).collect();
        Contour::pack(&labels)
    }

    #[inline]
    fn step(&self, cell: usize, contour: Contour<W>, emit: &mut impl FnMut(Contour<W>, Sides)) {
        let (row, column) = self.place(cell);
        let plugs = self.plugs();
        let before = contour.labels();
        let (above, beside) = (before[0], before[row + 1]);
        for sides in self.case.board().block(row, column).turns() {
            let mut labels = before;
            let up = if sides.has(Sides::UP) { above } else { 0 };
            let left = if sides.has(Sides::LEFT) { beside } else { 0 };
            let down = sides.has(Sides::DOWN) && row + 2 < plugs;
            let right = sides.has(Sides::RIGHT);
            let own = match (up, left) {
                (0, 0) if down && right => Contour::<W>::FRESH,
                (0, 0) => 0,
                // Lit is the greatest label: fire spreads to whatever it is connected with.
                _ => up.max(left),
            };
            let (joined, other) = (up != 0 && left != 0 && up != left, up.min(left));
            if joined {
                labels[..plugs].iter_mut().filter(|label| **label == other).for_each(|label| *label = own);
            }
            labels[0] = if down { own } else { 0 };
            labels[row + 1] = if right { own } else { 0 };
            emit(Contour::pack(&labels[..plugs]), sides);
        }
    }

    fn accept(&self, contour: Contour<W>) -> bool {
        contour.is_lit()
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        Contour::<W>::fits(self.plugs() - 1)
    }
}
