//! A board with some numbers on it: what is to be filled in, and what comes out.

use std::error::Error;
use std::fmt;

/// A Sudoku board with some numbers given, blank in other cells.
///
/// The board is divided into boxes of so many rows and columns; its side is the number of cells of
/// a box, and the numbers are 1 to the side. To solve it is to fill in the blanks such that each
/// number stands once in each row, each column and each box. Two given numbers that clash are no
/// error: there is no solution then, and [`conflict`](Self::conflict) shows them.
///
/// It is read with [`parse`](str::parse), or with [`from_text`](Self::from_text) if boxes are not
/// square, and printed in the same form by `Display`: up to side 9 a line of digits a row, `.` for
/// a blank; above, numbers with blanks between them.
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
    /// Row by row; 0 is a blank.
    cells: Vec<u8>,
}

/// Where a cell stands: its row, its column and its box, each from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Units {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) r#box: usize,
}

impl Sudoku {
    /// The largest side.
    pub const MAX_SIDE: usize = 64;

    /// A blank board with boxes of so many rows and columns: 3 and 3 for the usual one, 2 and 3 for
    /// one of side 6.
    ///
    /// # Errors
    ///
    /// [`SudokuError::Boxes`] if there are no cells in a box, or more than
    /// [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn blank(box_rows: usize, box_columns: usize) -> Result<Self, SudokuError> {
        match box_rows.checked_mul(box_columns) {
            Some(side @ 1..=Self::MAX_SIDE) => {
                Ok(Sudoku { box_rows, box_columns, cells: vec![0; side * side] })
            }
            _ => Err(SudokuError::Boxes { rows: box_rows, columns: box_columns }),
        }
    }

    /// The board with `number` in this cell, in place of what was there. Rows and columns count
    /// from 0.
    ///
    /// # Errors
    ///
    /// [`SudokuError::OffTheBoard`] if there is no such cell, [`SudokuError::Number`] if there is
    /// no such number.
    pub fn with_number(
        mut self,
        row: usize,
        column: usize,
        number: usize,
    ) -> Result<Self, SudokuError> {
        let side = self.side();
        if row >= side || column >= side {
            return Err(SudokuError::OffTheBoard { row, column, side });
        }
        match u8::try_from(number) {
            Ok(small) if (1..=side).contains(&number) => self.cells[row * side + column] = small,
            _ => return Err(SudokuError::Number { number, side }),
        }
        Ok(self)
    }

    /// Puts a number, 0 for none, into a cell counted row by row: both must be on the board.
    pub(super) fn put(&mut self, cell: usize, number: u8) {
        self.cells[cell] = number;
    }

    /// The number of rows, of columns, of boxes, and of cells in each of them.
    #[must_use]
    pub fn side(&self) -> usize {
        self.box_rows * self.box_columns
    }

    /// How many rows a box has.
    #[must_use]
    pub fn box_rows(&self) -> usize {
        self.box_rows
    }

    /// How many columns a box has.
    #[must_use]
    pub fn box_columns(&self) -> usize {
        self.box_columns
    }

    /// The number in a cell; `None` if it is blank or not on the board.
    #[must_use]
    pub fn number(&self, row: usize, column: usize) -> Option<usize> {
        let side = self.side();
        let number = (row < side && column < side).then(|| self.cells[row * side + column])?;
        (number > 0).then_some(usize::from(number))
    }

    /// How many cells are blank.
    #[must_use]
    pub fn blanks(&self) -> usize {
        self.cells.iter().filter(|&&number| number == 0).count()
    }

    /// The cells that have a number, row by row: row, column and number.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let side = self.side();
        let cells = self.cells.iter().enumerate().filter(|&(_, &number)| number > 0);
        cells.map(move |(cell, &number)| (cell / side, cell % side, usize::from(number)))
    }

    /// Row, column and box of a cell counted row by row.
    pub(super) fn units(&self, cell: usize) -> Units {
        let (row, column) = (cell / self.side(), cell % self.side());
        // A box has as many columns as there are boxes on top of each other, and the other way
        // round.
        Units {
            row,
            column,
            r#box: row / self.box_rows * self.box_rows + column / self.box_columns,
        }
    }

    /// Two cells of one row, column or box with the same number, if there are any. Cost: linear in
    /// the cells.
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

    /// Whether no cell is blank and no two numbers clash.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.blanks() == 0 && self.conflict().is_none()
    }

    /// Whether this board has all the numbers of `given` in their places, and the same boxes.
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

/// What is wrong with a board or a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SudokuError {
    /// Boxes of no cells, or of more than a board may have a side.
    Boxes {
        /// The rows asked for.
        rows: usize,
        /// The columns asked for.
        columns: usize,
    },
    /// There is no such cell. Rows and columns count from 0.
    OffTheBoard {
        /// The row asked for.
        row: usize,
        /// The column asked for.
        column: usize,
        /// The number of rows and of columns.
        side: usize,
    },
    /// There is no such number.
    Number {
        /// The number asked for.
        number: usize,
        /// The largest one.
        side: usize,
    },
}

impl fmt::Display for SudokuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SudokuError::Boxes { rows, columns } => {
                write!(
                    f,
                    "boxes of {rows} × {columns} cells: expected 1 to {} cells",
                    Sudoku::MAX_SIDE
                )
            }
            SudokuError::OffTheBoard { row, column, side } => {
                write!(f, "row {row}, column {column}: expected both below {side}, counted from 0")
            }
            SudokuError::Number { number, side } => {
                write!(f, "the number {number}: expected one from 1 to {side}")
            }
        }
    }
}

impl Error for SudokuError {}
