//! The board as a profile, swept column by column.

use super::block::Sides;
use super::board::{Board, Case, CaseError, Rotation};
use crate::plug::code::{Labels, Word};
use crate::plug::{ContourProblem, TooWide};

/// A case as a [`ContourProblem`] whose labels are the sides that the blocks are turned to, and
/// whose solutions are the rotations by which some rocket starts.
///
/// Cells are taken column by column, each from the top down, so that a contour has a plug more than
/// the board has rows, be the board as wide as it likes. Plug 0 leads down from the cell just
/// swept; plug r is that of row r, counted from 1. A contour is remembered as [`Labels`] of `BITS`
/// bits in a word `W`. Plugs that fire comes through are all connected by the matches, so to speak,
/// and have the [reserved label](Labels::RESERVED): they are *lit*.
///
/// | | rows at most |
/// |---|---|
/// | `Fuses<u64, 4>` | 13 |
/// | `Fuses<u128, 5>` | 24 |
///
/// For higher boards the sweep ends with [`Stop::StateTooWide`](crate::Stop::StateTooWide).
///
/// A block that is connected to nothing behind the contour gives rise to plugs only if it leads to
/// both sides ahead. A lone plug would tell the cells to come nothing that they do not know.
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
pub struct Fuses<'a, W = u64, const BITS: u32 = 4> {
    case: &'a Case,
    word: std::marker::PhantomData<W>,
}

impl<'a, W: Word, const BITS: u32> Fuses<'a, W, BITS> {
    /// The label of plugs that are lit.
    const LIT: u8 = Labels::<W, BITS>::RESERVED;

    /// The profile of a case.
    #[must_use]
    pub fn new(case: &'a Case) -> Self {
        Fuses { case, word: std::marker::PhantomData }
    }

    /// The case.
    #[must_use]
    pub fn case(&self) -> &'a Case {
        self.case
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

impl<W: Word, const BITS: u32> ContourProblem for Fuses<'_, W, BITS> {
    type State = Labels<W, BITS>;
    type Label = Sides;

    fn cells(&self) -> usize {
        self.case.board().blocks().len()
    }

    fn start(&self) -> Labels<W, BITS> {
        // Of more rows than fit nothing is asked but whether they do.
        let rows = if self.fits(0).is_ok() { self.case.board().rows() } else { 0 };
        let lit = (0..rows).filter(|&row| self.case.matches().is_lit(row));
        lit.fold(Labels::EMPTY, |contour, row| contour.with(row + 1, Self::LIT))
    }

    #[inline]
    fn step(
        &self,
        cell: usize,
        contour: Labels<W, BITS>,
        emit: &mut impl FnMut(Labels<W, BITS>, Sides),
    ) {
        let (row, column) = self.place(cell);
        let (above, beside) = (contour.get(0), contour.get(row + 1));
        for sides in self.case.board().block(row, column).turns() {
            let up = if sides.has(Sides::UP) { above } else { 0 };
            let left = if sides.has(Sides::LEFT) { beside } else { 0 };
            let down = sides.has(Sides::DOWN) && row + 1 < self.case.board().rows();
            let right = sides.has(Sides::RIGHT);
            // Lit is the greatest label: fire spreads to whatever it is connected with.
            let (own, other) = (up.max(left), up.min(left));
            let joined = if other != 0 { contour.relabelled(other, own) } else { contour };
            let next = match (down, right) {
                (true, true) if own == 0 => {
                    let begun = joined.without(row + 1).fresh(0);
                    begun.with(row + 1, begun.get(0))
                }
                _ => joined
                    .with(0, if down { own } else { 0 })
                    .with(row + 1, if right { own } else { 0 }),
            };
            emit(next.canonical(), sides);
        }
    }

    fn accept(&self, contour: Labels<W, BITS>) -> bool {
        contour.has(Self::LIT)
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        // Components may be as many as plugs, as far as labels are concerned: the one that is being
        // begun has a label that none of the others may have.
        let plugs = self.case.board().rows().saturating_add(1);
        Labels::<W, BITS>::fits(plugs, plugs)
    }
}
