//! Magic squares: the numbers 1 to n² in a square, such that all rows, all columns and both
//! diagonals have the same sum.
//!
//! The square of order 3 appears in the Chinese legend of the Luo river, and one of order 4 in
//! Dürer's *Melencolia I* (1514). There are magic squares of every order but 2, and simple rules
//! construct one. The numbers of squares of orders 1 to 5 are 1, 0, 8, 7040 and 2202441792
//! (Schroeppel 1973; sequence A006052 of the OEIS counts a square with its rotations and
//! reflections once, so that it has an eighth of these from order 3 on).
//!
//! | order | all | up to symmetry |
//! |---|---|---|
//! | 1 | 1 | 1 |
//! | 2 | 0 | 0 |
//! | 3 | 8 | 1 |
//! | 4 | 7040 | 880 (Frénicle de Bessy 1693) |
//!
//! [`MagicSquares`] is the problem as a [constraint network](secateurs_csp) with one all-different
//! constraint and 2n + 2 sums.
//!
//! ```
//! use secateurs::Search;
//! use secateurs_csp::{Ascending, Assignment, Branching, Propagate, SmallestDomain};
//! use secateurs_problems::magic_square::MagicSquares;
//!
//! let squares = MagicSquares::new(3)?;
//! let network = squares.network();
//! let search = || {
//!     let order = Branching::new(SmallestDomain::first_tie(), Ascending);
//!     Search::new(&network).hooks((Propagate::full(),)).brancher(order)
//! };
//! assert_eq!(search().count().exact(), Some(8));
//!
//! let outcome = search().extract(Assignment::of).first();
//! let square = squares.square(outcome.solution().ok_or("no square")?)?;
//! assert_eq!(square.to_string(), "2 7 6\n9 5 1\n4 3 8\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use secateurs_csp::{Assignment, Model, ModelError, Network};

use super::picture::Picture;
use crate::{InstanceError, write_numbers};

/// A square of the numbers 1 to n² whose rows, columns and diagonals have the same sum.
///
/// `Display` writes one row per line, in aligned columns.
///
/// ```
/// use secateurs_problems::magic_square::MagicSquare;
///
/// let luo_shu = MagicSquare::new(3, vec![4, 9, 2, 3, 5, 7, 8, 1, 6])?;
/// assert_eq!(luo_shu.sum(), 15);
///
/// let error = MagicSquare::new(2, vec![1, 4, 2, 3]).unwrap_err();
/// assert_eq!(error.to_string(), "column 1: found the sum 3, expected 5");
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MagicSquare {
    order: usize,
    numbers: Vec<usize>,
}

impl MagicSquare {
    /// The largest order.
    pub const MAX_ORDER: usize = 64;

    /// Creates a magic square from its numbers, row by row.
    ///
    /// # Errors
    ///
    /// Returns an error if the order is not from 1 to [`MAX_ORDER`](Self::MAX_ORDER), if `numbers`
    /// does not have each number from 1 to n² once, or if a row, column or diagonal has a wrong
    /// sum. Rows and columns in the message count from 1.
    pub fn new(order: usize, numbers: Vec<usize>) -> Result<Self, InstanceError> {
        check_order(order)?;
        let expected = magic_sum(order);
        if numbers.len() != order * order {
            return Err(InstanceError::new(format_args!(
                "found {} numbers, expected {}, one per cell",
                numbers.len(),
                order * order
            )));
        }
        let mut is_used = vec![false; numbers.len()];
        for (cell, &number) in numbers.iter().enumerate() {
            let is_new = (1..=is_used.len()).contains(&number)
                && !std::mem::replace(&mut is_used[number - 1], true);
            if !is_new {
                let expected = format!("each number from 1 to {} once", numbers.len());
                let message = format!("found {number}, expected {expected}");
                return Err(InstanceError::at(cell / order, cell % order, message));
            }
        }
        for (index, line) in lines(order).into_iter().enumerate() {
            let sum: usize = line.iter().map(|&cell| numbers[cell]).sum();
            if sum != expected {
                let line = match index {
                    _ if index < order => format!("row {}", index + 1),
                    _ if index < 2 * order => format!("column {}", index - order + 1),
                    _ if index == 2 * order => "the diagonal from the top left".to_owned(),
                    _ => "the diagonal from the top right".to_owned(),
                };
                return Err(InstanceError::new(format_args!(
                    "{line}: found the sum {sum}, expected {expected}"
                )));
            }
        }
        Ok(MagicSquare { order, numbers })
    }

    /// Returns the number of rows and of columns.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the numbers, row by row.
    #[must_use]
    pub fn numbers(&self) -> &[usize] {
        &self.numbers
    }

    /// Returns the sum of each row, column and diagonal: n(n² + 1) / 2.
    #[must_use]
    pub fn sum(&self) -> usize {
        self.numbers[..self.order].iter().sum()
    }

    /// Returns a picture of the square as the text of an SVG file: its numbers, and a line through
    /// them from 1 to n².
    #[must_use]
    pub fn to_svg(&self) -> String {
        let title = format!("Magic square of order {}, with the sum {}", self.order, self.sum());
        let mut picture = Picture::new(self.order, self.order, title);
        let position = |cell: usize| (cell / self.order, cell % self.order);
        picture.chessboard(self.order, self.order, true);
        let mut in_order = vec![0; self.numbers.len()];
        for (cell, &number) in self.numbers.iter().enumerate() {
            in_order[number - 1] = cell;
        }
        picture.path(in_order.into_iter().map(position));
        for (cell, number) in self.numbers.iter().enumerate() {
            let (row, column) = position(cell);
            picture.text(row, column, number);
        }
        picture.finish()
    }
}

impl fmt::Display for MagicSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_numbers(f, &self.numbers, self.order)
    }
}

/// The problem of all magic squares of an order, as a network with one variable per cell, row by
/// row: the number in the cell.
///
/// All numbers are different, and each line has the [same sum](MagicSquare::sum). With [full
/// propagation](secateurs_csp::Propagate::full), sums propagate the bounds of all cells of a line.
/// At the lower levels, they propagate only when a single cell of the line is unassigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MagicSquares {
    order: usize,
    up_to_symmetry: bool,
}

impl MagicSquares {
    /// Creates the problem for squares of this order, the number of rows and of columns.
    ///
    /// # Errors
    ///
    /// Returns an error if the order is not from 1 to [`MagicSquare::MAX_ORDER`].
    pub fn new(order: usize) -> Result<Self, InstanceError> {
        check_order(order)?;
        Ok(MagicSquares { order, up_to_symmetry: false })
    }

    /// Restricts the problem to one square of each orbit under rotations and reflections, whose
    /// size is eight beyond order 1: the square whose smallest corner is at the top left, and whose
    /// top right corner is smaller than the bottom left one (Frénicle de Bessy 1693).
    ///
    /// All corners are different, so exactly one square of each orbit satisfies this.
    #[must_use]
    pub fn up_to_symmetry(mut self) -> Self {
        self.up_to_symmetry = true;
        self
    }

    /// Returns the network. It takes n⁴ bits, and for orders up to 8 a small table of forbidden
    /// pairs.
    #[must_use]
    pub fn network(self) -> Network {
        self.model().expect("the largest square has 4096 variables of 4096 values").build()
    }

    fn model(self) -> Result<Model, ModelError> {
        let order = self.order;
        let mut model = Model::new();
        let cells = model.variables(order * order, 1..=(order * order) as i32)?;
        model.all_different(&cells)?;
        let sum = magic_sum(order) as i64;
        for line in lines(order) {
            let line: Vec<_> = line.into_iter().map(|cell| cells[cell]).collect();
            model.sum(&line, sum..=sum)?;
        }
        if self.up_to_symmetry && order > 1 {
            let last = order - 1;
            let [top_left, top_right, bottom_left, bottom_right] =
                [0, last, order * last, order * order - 1].map(|cell| cells[cell]);
            for (less, more) in
                [(top_left, top_right), (top_right, bottom_left), (top_left, bottom_right)]
            {
                model.require(less.at_most(more - 1))?;
            }
        }
        Ok(model)
    }

    /// Returns the magic square of a solution of the network.
    ///
    /// # Errors
    ///
    /// Returns an error if the values are not those of a magic square of this order. Each square of
    /// an orbit is accepted, also by a problem [up to symmetry](Self::up_to_symmetry).
    pub fn square(self, solution: &Assignment) -> Result<MagicSquare, InstanceError> {
        let numbers = solution.values().iter().map(|&number| usize::try_from(number).unwrap_or(0));
        MagicSquare::new(self.order, numbers.collect())
    }
}

fn check_order(order: usize) -> Result<(), InstanceError> {
    if !(1..=MagicSquare::MAX_ORDER).contains(&order) {
        return Err(InstanceError::new(format_args!(
            "found the order {order}, expected one from 1 to {}",
            MagicSquare::MAX_ORDER
        )));
    }
    Ok(())
}

/// Returns the sum of each line of a square of this order.
fn magic_sum(order: usize) -> usize {
    order * (order * order + 1) / 2
}

/// Returns the cells of each line of a square: all rows, all columns, the diagonal from the top
/// left and the diagonal from the top right.
fn lines(order: usize) -> Vec<Vec<usize>> {
    let line = |start: usize, step: usize| (0..order).map(|index| start + index * step).collect();
    let rows = (0..order).map(|row| line(row * order, 1));
    let columns = (0..order).map(|column| line(column, order));
    rows.chain(columns).chain([line(0, order + 1), line(order - 1, order - 1)]).collect()
}
