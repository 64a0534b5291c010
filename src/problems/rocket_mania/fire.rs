//! Watching the fire: what burns, and which rockets start, once the blocks are turned.

use super::block::Sides;
use super::board::{Case, Rotation};

/// What burns when the matches of a case are held to its fuses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fire {
    /// Row by row: whether each block burns.
    burning: Vec<bool>,
    /// Row by row: whether each rocket starts.
    rockets: Vec<bool>,
}

impl Fire {
    /// Whether each block burns, row by row.
    #[must_use]
    pub fn burning(&self) -> &[bool] {
        &self.burning
    }

    /// Whether each rocket starts, from the top down.
    #[must_use]
    pub fn rockets(&self) -> &[bool] {
        &self.rockets
    }

    /// How many rockets start.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rockets.iter().filter(|&&starts| starts).count()
    }
}

impl Case {
    /// Lights the matches and lets the fire spread over the blocks as they are turned. Fire passes
    /// between two cells if the blocks of both lead to the side between them; it enters from a
    /// match where the block leads to the left, and starts a rocket where the block leads to the
    /// right.
    ///
    /// Cost: the cells.
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
            .filter(|&row| self.matches().is_lit(row) && sides[row * columns].has(Sides::LEFT))
            .map(|row| row * columns)
            .collect();
        spreading.iter().for_each(|&cell| burning[cell] = true);
        while let Some(cell) = spreading.pop() {
            let (row, column) = (cell / columns, cell % columns);
            let next = [
                (row > 0).then(|| (cell - columns, Sides::UP)),
                (column + 1 < columns).then(|| (cell + 1, Sides::RIGHT)),
                (row + 1 < rows).then(|| (cell + columns, Sides::DOWN)),
                (column > 0).then(|| (cell - 1, Sides::LEFT)),
            ];
            for (to, side) in next.into_iter().flatten() {
                if !burning[to] && sides[cell].has(side) && sides[to].has(side.turned(2)) {
                    burning[to] = true;
                    spreading.push(to);
                }
            }
        }
        let last = (0..rows).map(|row| row * columns + columns - 1);
        let rockets = last.map(|cell| burning[cell] && sides[cell].has(Sides::RIGHT)).collect();
        Fire { burning, rockets }
    }
}
