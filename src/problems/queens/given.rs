//! The given queens of a board, and the squares that they leave open.

use super::board::QueensBoard;

/// The given queens of a board, indexed such that each square is tested in constant time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given {
    size: usize,
    queens: Vec<(usize, usize)>,
    lines: Option<Lines>,
    contradictory: bool,
}

/// The lines that the given queens hold. Size: O(n). It exists only if there is a given queen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lines {
    column_of_row: Vec<Option<usize>>,
    columns: Vec<bool>,
    /// By row + column.
    rising: Vec<bool>,
    /// By size + row - column.
    falling: Vec<bool>,
}

impl Given {
    pub(super) fn new(board: &QueensBoard) -> Self {
        let size = board.size();
        let queens = board.queens().to_vec();
        if queens.is_empty() {
            return Given { size, queens, lines: None, contradictory: false };
        }
        let mut lines = Lines {
            column_of_row: vec![None; size],
            columns: vec![false; size],
            rising: vec![false; 2 * size],
            falling: vec![false; 2 * size],
        };
        for &(row, column) in &queens {
            lines.column_of_row[row] = Some(column);
            lines.columns[column] = true;
            lines.rising[row + column] = true;
            lines.falling[size + row - column] = true;
        }
        Given { size, queens, lines: Some(lines), contradictory: board.attack().is_some() }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn queens(&self) -> &[(usize, usize)] {
        &self.queens
    }

    /// Returns whether two of the given queens attack each other, so that there is no solution.
    pub(super) fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// Returns whether the given queens allow the queen of this row in this column: either it is
    /// given there, or the row has no given queen and no given queen attacks the square.
    #[inline]
    pub(super) fn leaves_open(&self, row: usize, column: usize) -> bool {
        let Some(lines) = &self.lines else { return true };
        match lines.column_of_row[row] {
            Some(given) => given == column,
            None => {
                !(lines.columns[column]
                    || lines.rising[row + column]
                    || lines.falling[self.size + row - column])
            }
        }
    }
}
