//! Boards, with given numbers or filled in: [`Sudoku`].

use std::fmt;

use crate::problems::InstanceError;

/// A Sudoku board with numbers in some cells; the other cells are blank.
///
/// The board is divided into boxes of equal numbers of rows and columns. Its *side* is the number
/// of cells of a box, and the numbers are 1 to the side. To solve the board means to fill in the
/// blank cells such that each number stands once in each row, each column and each box. Conflicting
/// given numbers are no error: such a board has no solution, and [`conflict`](Self::conflict)
/// returns two of them.
///
/// [`parse`](str::parse) reads a board with square boxes and [`from_text`](Self::from_text) any
/// board. `Display` writes the same format: one row per line; up to side 9 as digits, with `.` for
/// a blank cell; above, as numbers separated by spaces.
///
/// ```
/// use secateurs::problems::sudoku::Sudoku;
///
/// let sudoku: Sudoku = "1...\n..1.\n.4..\n...2\n".parse()?;
/// assert_eq!((sudoku.side(), sudoku.blanks()), (4, 12));
/// assert_eq!(sudoku.number(2, 1), Some(4));
/// assert_eq!(sudoku.conflict(), None);
/// assert_eq!(sudoku.with_number(0, 2, 1)?.conflict(), Some([(0, 0), (0, 2)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sudoku {
    box_rows: usize,
    box_columns: usize,
    /// The number of each cell, row by row; 0 for a blank cell.
    cells: Vec<u8>,
}

/// The row, column and box of a cell, each from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Units {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) r#box: usize,
}

impl Sudoku {
    /// The largest side.
    pub const MAX_SIDE: usize = 64;

    /// Creates a blank board from the numbers of rows and columns of its boxes: 3 and 3 for the
    /// usual board, 2 and 3 for one of side 6.
    ///
    /// # Errors
    ///
    /// If a box has no cells, or more than [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn blank(box_rows: usize, box_columns: usize) -> Result<Self, InstanceError> {
        match box_rows.checked_mul(box_columns) {
            Some(side @ 1..=Self::MAX_SIDE) => {
                Ok(Sudoku { box_rows, box_columns, cells: vec![0; side * side] })
            }
            _ => Err(InstanceError::new(format_args!(
                "found boxes of {box_rows} × {box_columns} cells, expected 1 to {} cells",
                Self::MAX_SIDE
            ))),
        }
    }

    /// Returns the board with `number` in a cell, in place of its previous contents. Rows and
    /// columns count from 0.
    ///
    /// # Errors
    ///
    /// If there is no such cell, or if the number is not from 1 to the side.
    pub fn with_number(
        mut self,
        row: usize,
        column: usize,
        number: usize,
    ) -> Result<Self, InstanceError> {
        let side = self.side();
        if row >= side || column >= side {
            return Err(InstanceError::new(format_args!(
                "found row {row}, column {column}, expected both below {side}, counted from 0"
            )));
        }
        match u8::try_from(number) {
            Ok(small) if (1..=side).contains(&number) => self.cells[row * side + column] = small,
            _ => {
                return Err(InstanceError::new(format_args!(
                    "found the number {number}, expected one from 1 to {side}"
                )));
            }
        }
        Ok(self)
    }

    /// Puts a number, or 0 for a blank, into a cell counted row by row. Both must be valid.
    pub(super) fn put(&mut self, cell: usize, number: u8) {
        self.cells[cell] = number;
    }

    /// Returns the side: the number of rows, of columns, of boxes, and of cells in each of them.
    #[must_use]
    pub fn side(&self) -> usize {
        self.box_rows * self.box_columns
    }

    /// Returns the number of rows of a box.
    #[must_use]
    pub fn box_rows(&self) -> usize {
        self.box_rows
    }

    /// Returns the number of columns of a box.
    #[must_use]
    pub fn box_columns(&self) -> usize {
        self.box_columns
    }

    /// Returns the number in a cell; `None` if the cell is blank or not on the board.
    #[must_use]
    pub fn number(&self, row: usize, column: usize) -> Option<usize> {
        let side = self.side();
        let number = (row < side && column < side).then(|| self.cells[row * side + column])?;
        (number > 0).then_some(usize::from(number))
    }

    /// Returns the number of blank cells.
    #[must_use]
    pub fn blanks(&self) -> usize {
        self.cells.iter().filter(|&&number| number == 0).count()
    }

    /// Returns the cells that have a number as (row, column, number), row by row.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let side = self.side();
        let cells = self.cells.iter().enumerate().filter(|&(_, &number)| number > 0);
        cells.map(move |(cell, &number)| (cell / side, cell % side, usize::from(number)))
    }

    /// Returns the row, column and box of a cell counted row by row.
    pub(super) fn units(&self, cell: usize) -> Units {
        let (row, column) = (cell / self.side(), cell % self.side());
        // Boxes are numbered row by row: side / box_columns = box_rows of them in each row.
        Units {
            row,
            column,
            r#box: row / self.box_rows * self.box_rows + column / self.box_columns,
        }
    }

    /// Returns two cells of one row, column or box with the same number, if there are any. Takes
    /// time linear in the cells.
    #[must_use]
    pub fn conflict(&self) -> Option<[(usize, usize); 2]> {
        let side = self.side();
        let mut holders = vec![None; 3 * side * side];
        for (row, column, number) in self.numbers() {
            let units = self.units(row * side + column);
            for unit in [units.row, side + units.column, 2 * side + units.r#box] {
                if let Some(other) = holders[unit * side + number - 1].replace((row, column)) {
                    return Some([other, (row, column)]);
                }
            }
        }
        None
    }

    /// Returns whether no cell is blank and no two numbers conflict.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.blanks() == 0 && self.conflict().is_none()
    }

    /// Returns whether this board has the same boxes as `given` and all of its numbers.
    #[must_use]
    pub fn completes(&self, given: &Sudoku) -> bool {
        (self.box_rows, self.box_columns) == (given.box_rows, given.box_columns)
            && given.numbers().all(|(row, column, number)| self.number(row, column) == Some(number))
    }
}

impl fmt::Display for Sudoku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (gap, width) = if self.side() <= 9 { ("", 1) } else { (" ", 2) };
        for row in self.cells.chunks(self.side()) {
            for (column, &number) in row.iter().enumerate() {
                f.write_str(if column == 0 { "" } else { gap })?;
                match number {
                    0 => write!(f, "{:>width$}", '.')?,
                    number => write!(f, "{number:>width$}")?,
                }
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
