//! A magic square that was found: checked, printed, drawn.

use std::error::Error;
use std::fmt;

use crate::problems::picture::Picture;

/// A square of the numbers 1 to n² whose rows, columns and diagonals have the same sum.
///
/// `Display` prints a row a line, in aligned columns.
///
/// ```
/// use secateurs::problems::magic_square::{MagicSquare, MagicSquareError};
///
/// let luo_shu = MagicSquare::new(3, vec![4, 9, 2, 3, 5, 7, 8, 1, 6])?;
/// assert_eq!(luo_shu.sum(), 15);
/// assert_eq!(MagicSquare::new(2, vec![1, 4, 2, 3]), Err(MagicSquareError::Column { column: 1, sum: 3, expected: 5 }));
/// # Ok::<(), MagicSquareError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MagicSquare {
    order: usize,
    numbers: Vec<usize>,
}

impl MagicSquare {
    /// The largest order.
    pub const MAX_ORDER: usize = 64;

    /// The square of these numbers, row by row, checked.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn new(order: usize, numbers: Vec<usize>) -> Result<Self, MagicSquareError> {
        let expected = magic_sum(order)?;
        if numbers.len() != order * order {
            return Err(MagicSquareError::Length { found: numbers.len(), expected: order * order });
        }
        let mut seen = vec![false; numbers.len()];
        for (cell, &number) in numbers.iter().enumerate() {
            let is_new = (1..=seen.len()).contains(&number)
                && !std::mem::replace(&mut seen[number - 1], true);
            if !is_new {
                let (row, column) = (cell / order + 1, cell % order + 1);
                return Err(MagicSquareError::Number { row, column, number, most: numbers.len() });
            }
        }
        for (index, line) in lines(order).into_iter().enumerate() {
            let sum: usize = line.iter().map(|&cell| numbers[cell]).sum();
            if sum != expected {
                return Err(match index {
                    _ if index < order => MagicSquareError::Row { row: index + 1, sum, expected },
                    _ if index < 2 * order => {
                        MagicSquareError::Column { column: index - order + 1, sum, expected }
                    }
                    _ => MagicSquareError::Diagonal { falling: index == 2 * order, sum, expected },
                });
            }
        }
        Ok(MagicSquare { order, numbers })
    }

    /// The number of rows and of columns.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// The numbers, row by row.
    #[must_use]
    pub fn numbers(&self) -> &[usize] {
        &self.numbers
    }

    /// The sum of each row, each column and each diagonal: n(n² + 1) / 2.
    #[must_use]
    pub fn sum(&self) -> usize {
        self.numbers[..self.order].iter().sum()
    }

    /// The square as the text of an SVG file: its numbers, and the line through them from 1 to n².
    #[must_use]
    pub fn to_svg(&self) -> String {
        let title = format!("Magic square of order {}, with the sum {}", self.order, self.sum());
        let mut picture = Picture::new(self.order, self.order, title);
        let place = |cell: usize| (cell / self.order, cell % self.order);
        let mut in_order = vec![0; self.numbers.len()];
        for (cell, &number) in self.numbers.iter().enumerate() {
            let (row, column) = place(cell);
            picture.square(row, column, if (row + column).is_multiple_of(2) { "dark" } else { "" });
            in_order[number - 1] = cell;
        }
        picture.path(in_order.into_iter().map(place));
        for (cell, number) in self.numbers.iter().enumerate() {
            let (row, column) = place(cell);
            picture.text(row, column, number);
        }
        picture.finish()
    }
}

impl fmt::Display for MagicSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.numbers.len().to_string().len();
        for row in self.numbers.chunks(self.order) {
            for (column, number) in row.iter().enumerate() {
                let gap = if column == 0 { "" } else { " " };
                write!(f, "{gap}{number:>width$}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The sum of each line of a square of this order.
pub(super) fn magic_sum(order: usize) -> Result<usize, MagicSquareError> {
    if !(1..=MagicSquare::MAX_ORDER).contains(&order) {
        return Err(MagicSquareError::Order { order, most: MagicSquare::MAX_ORDER });
    }
    Ok(order * (order * order + 1) / 2)
}

/// The cells of the lines of a square: of each row, of each column, of the falling and of the
/// rising diagonal.
pub(super) fn lines(order: usize) -> Vec<Vec<usize>> {
    let line = |start: usize, step: usize| (0..order).map(|index| start + index * step).collect();
    let rows = (0..order).map(|row| line(row * order, 1));
    let columns = (0..order).map(|column| line(column, order));
    rows.chain(columns).chain([line(0, order + 1), line(order - 1, order - 1)]).collect()
}

/// What is wrong with a magic square. Rows and columns are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MagicSquareError {
    /// An order of 0, or one that is too large.
    Order {
        /// The order.
        order: usize,
        /// The largest order.
        most: usize,
    },
    /// Not a number a cell.
    Length {
        /// How many numbers there are.
        found: usize,
        /// How many cells.
        expected: usize,
    },
    /// A number that is not from 1 to n², or that has been there before.
    Number {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The number.
        number: usize,
        /// The largest one, n².
        most: usize,
    },
    /// A row with another sum.
    Row {
        /// The row.
        row: usize,
        /// Its sum.
        sum: usize,
        /// The sum that it should have.
        expected: usize,
    },
    /// A column with another sum.
    Column {
        /// The column.
        column: usize,
        /// Its sum.
        sum: usize,
        /// The sum that it should have.
        expected: usize,
    },
    /// A diagonal with another sum.
    Diagonal {
        /// Whether it is the one from the top left to the bottom right.
        falling: bool,
        /// Its sum.
        sum: usize,
        /// The sum that it should have.
        expected: usize,
    },
}

impl fmt::Display for MagicSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MagicSquareError::Order { order, most } => {
                write!(f, "order {order}: expected an order from 1 to {most}")
            }
            MagicSquareError::Length { found, expected } => {
                write!(f, "{found} numbers: expected {expected}, one a cell")
            }
            MagicSquareError::Number { row, column, number, most } => {
                write!(
                    f,
                    "row {row}, column {column}: found {number}, expected each number from 1 to {most} once"
                )
            }
            MagicSquareError::Row { row, sum, expected } => {
                write!(f, "row {row}: the sum is {sum}, expected {expected}")
            }
            MagicSquareError::Column { column, sum, expected } => {
                write!(f, "column {column}: the sum is {sum}, expected {expected}")
            }
            MagicSquareError::Diagonal { falling, sum, expected } => {
                let which = if falling { "top left" } else { "top right" };
                write!(f, "the diagonal from the {which}: the sum is {sum}, expected {expected}")
            }
        }
    }
}

impl Error for MagicSquareError {}
