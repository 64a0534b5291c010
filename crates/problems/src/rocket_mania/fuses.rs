//! The contour problem [`Fuses`], which sweeps the board column by column; and [`Fire`], the blocks
//! that burn and the rockets that start once all blocks are turned.

use secateurs::plug::code::{Labels, Word};
use secateurs::plug::{ContourProblem, TooWide};

use super::board::{BlockSides, Case, Rotation, check_cells};
use crate::InstanceError;

/// A case as a [`ContourProblem`]: its labels are the sides to which each block leads once turned,
/// and its solutions are the rotations with which at least one rocket starts.
///
/// The sweep takes the cells column by column, each column from the top down. So a contour has one
/// plug more than the board has rows, however wide the board is. Plug 0 leads down from the cell
/// just processed; plug r is that of row r, counted from 1. A contour is stored as [`Labels`] of
/// `BITS` bits in a word `W`. All plugs that fire reaches are connected through the matches. They
/// have the [reserved label](Labels::RESERVED) and are called *lit*.
///
/// | type | maximal rows |
/// |---|---|
/// | `Fuses<u64, 4>` | 13 |
/// | `Fuses<u128, 5>` | 24 |
///
/// On taller boards the sweep ends with [`Stop::StateTooWide`](secateurs::Stop::StateTooWide).
///
/// A block that is connected to nothing behind the contour creates plugs only if it leads to both
/// sides ahead. A lone unlit plug would be redundant, since it connects nothing. Those that later
/// steps leave behind stay in the contour unless [`LonePlugs`](super::LonePlugs) deletes them.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs_problems::rocket_mania::{Fuses, Mode};
///
/// let case = &Mode::Single.cases("1\n-L\nLL\n")?[0];
/// let outcome = Sweep::new(&Fuses::<u64>::new(case)).count();
/// // `-` lies flat, the two `L` on the right lead to the lower rocket, the third one is free.
/// assert_eq!(outcome.exact(), Some(4));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fuses<'a, W = u64, const BITS: u32 = 4> {
    case: &'a Case,
    word: std::marker::PhantomData<W>,
}

impl<'a, W: Word, const BITS: u32> Fuses<'a, W, BITS> {
    /// The label of lit plugs.
    const LIT: u8 = Labels::<W, BITS>::RESERVED;

    /// Creates the contour problem of a case.
    #[must_use]
    pub fn new(case: &'a Case) -> Self {
        Fuses { case, word: std::marker::PhantomData }
    }

    /// Returns the case.
    #[must_use]
    pub fn case(&self) -> &'a Case {
        self.case
    }

    /// Returns the row and the column of a cell of the sweep.
    #[inline]
    #[must_use]
    pub fn place(&self, cell: usize) -> (usize, usize) {
        (cell % self.case.board().rows(), cell / self.case.board().rows())
    }

    /// Returns whether a cell of the sweep is in the last column.
    #[inline]
    pub(super) fn is_in_last_column(&self, cell: usize) -> bool {
        self.place(cell).1 + 1 == self.case.board().columns()
    }

    /// Returns the rotation that has these labels in the order of the sweep.
    ///
    /// # Errors
    ///
    /// If there is not one label per cell, or if a block cannot be turned to its label.
    pub fn rotation(&self, labels: &[BlockSides]) -> Result<Rotation, InstanceError> {
        let board = self.case.board();
        let (rows, columns) = (board.rows(), board.columns());
        check_cells(board, labels)?;
        let by_row = (0..rows * columns).map(|cell| labels[cell % columns * rows + cell / columns]);
        Rotation::new(board, by_row.collect())
    }
}

impl<W: Word, const BITS: u32> ContourProblem for Fuses<'_, W, BITS> {
    type State = Labels<W, BITS>;
    type Label = BlockSides;

    fn cells(&self) -> usize {
        self.case.board().blocks().len()
    }

    fn start(&self) -> Labels<W, BITS> {
        // A board with more rows than fit is never swept, but creating its start must not overflow.
        let rows = if self.fits(0).is_ok() { self.case.board().rows() } else { 0 };
        let lit = (0..rows).filter(|&row| self.case.matches().is_lit(row));
        lit.fold(Labels::EMPTY, |contour, row| contour.with(row + 1, Self::LIT))
    }

    #[inline]
    fn step(
        &self,
        cell: usize,
        contour: Labels<W, BITS>,
        emit: &mut impl FnMut(Labels<W, BITS>, BlockSides),
    ) {
        let (row, column) = self.place(cell);
        let (above, beside) = (contour.get(0), contour.get(row + 1));
        for sides in self.case.board().block(row, column).turns() {
            let up = if sides.has(BlockSides::UP) { above } else { 0 };
            let left = if sides.has(BlockSides::LEFT) { beside } else { 0 };
            let down = sides.has(BlockSides::DOWN) && row + 1 < self.case.board().rows();
            let right = sides.has(BlockSides::RIGHT);
            // The lit label is the greatest, so a component that is joined to it becomes lit.
            let (label, other) = (up.max(left), up.min(left));
            let joined = if other != 0 { contour.relabelled(other, label) } else { contour };
            let next = match (down, right) {
                (true, true) if label == 0 => {
                    let with_new = joined.without(row + 1).fresh(0);
                    with_new.with(row + 1, with_new.get(0))
                }
                _ => joined
                    .with(0, if down { label } else { 0 })
                    .with(row + 1, if right { label } else { 0 }),
            };
            emit(next.canonical(), sides);
        }
    }

    fn accept(&self, contour: Labels<W, BITS>) -> bool {
        contour.has(Self::LIT)
    }

    fn fits(&self, _: usize) -> Result<(), TooWide> {
        // Labels must suffice for as many components as plugs: a component that a step begins
        // needs a label that no other one has.
        let plugs = self.case.board().rows().saturating_add(1);
        Labels::<W, BITS>::fits(plugs, plugs)
    }

    fn is_legal(&self, _: usize, contour: Labels<W, BITS>) -> bool {
        contour.is_legal(self.case.board().rows().saturating_add(1))
    }
}

/// The blocks that burn and the rockets that start once the matches of a case light its fuses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fire {
    /// Whether each block burns, row by row.
    burning: Vec<bool>,
    /// Whether each rocket starts, from the top down.
    rockets: Vec<bool>,
}

impl Fire {
    /// Returns whether each block burns, row by row.
    #[must_use]
    pub fn burning(&self) -> &[bool] {
        &self.burning
    }

    /// Returns whether each rocket starts, from the top down.
    #[must_use]
    pub fn rockets(&self) -> &[bool] {
        &self.rockets
    }

    /// Returns the number of rockets that start.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rockets.iter().filter(|&&starts| starts).count()
    }
}

impl Case {
    /// Returns the blocks that burn and the rockets that start if the blocks are turned like this.
    ///
    /// Fire passes between two cells if the blocks of both lead to the side between them. It enters
    /// from a lit match if the block beside it leads to the left, and starts a rocket if the block
    /// beside it burns and leads to the right. Takes time linear in the cells.
    ///
    /// # Panics
    ///
    /// If `rotation` is that of a board with more or fewer cells.
    #[must_use]
    pub fn fire(&self, rotation: &Rotation) -> Fire {
        let (rows, columns) = (self.board().rows(), self.board().columns());
        let sides = rotation.sides();
        assert_eq!(sides.len(), rows * columns, "a rotation of another board");
        let mut burning = vec![false; sides.len()];
        let mut spreading: Vec<usize> = (0..rows)
            .filter(|&row| self.matches().is_lit(row) && sides[row * columns].has(BlockSides::LEFT))
            .map(|row| row * columns)
            .collect();
        spreading.iter().for_each(|&cell| burning[cell] = true);
        while let Some(cell) = spreading.pop() {
            let (row, column) = (cell / columns, cell % columns);
            let next = [
                (row > 0).then(|| (cell - columns, BlockSides::UP)),
                (column + 1 < columns).then(|| (cell + 1, BlockSides::RIGHT)),
                (row + 1 < rows).then(|| (cell + columns, BlockSides::DOWN)),
                (column > 0).then(|| (cell - 1, BlockSides::LEFT)),
            ];
            for (to, side) in next.into_iter().flatten() {
                if !burning[to] && sides[cell].has(side) && sides[to].has(side.turned(2)) {
                    burning[to] = true;
                    spreading.push(to);
                }
            }
        }
        let last = (0..rows).map(|row| row * columns + columns - 1);
        let rockets =
            last.map(|cell| burning[cell] && sides[cell].has(BlockSides::RIGHT)).collect();
        Fire { burning, rockets }
    }
}
