//! The spread of fire over turned blocks: which blocks burn, and which rockets start.

use super::block::BlockSides;
use super::board::{Case, Rotation};

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
