//! Magic squares as a constraint network.

use super::square::{lines, magic_sum};
use super::{MagicSquare, MagicSquareError};
use crate::csp::{Assignment, Model, ModelError, Network};

/// All magic squares of an order, as a network: the variable of each cell, row by row, is the
/// number in it.
///
/// All numbers are different, and each line has the [same sum](MagicSquare::sum). With [full
/// propagation](crate::csp::Propagate::full) sums are followed up as soon as the bounds of a number
/// say something; at the levels below, when one cell of a line is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MagicSquares {
    order: usize,
    up_to_symmetry: bool,
}

impl MagicSquares {
    /// Magic squares with so many rows and columns.
    ///
    /// # Errors
    ///
    /// [`MagicSquareError::Order`], if it is not from 1 to [`MagicSquare::MAX_ORDER`].
    pub fn new(order: usize) -> Result<Self, MagicSquareError> {
        magic_sum(order)?;
        Ok(MagicSquares { order, up_to_symmetry: false })
    }

    /// Of each square and its turned and mirrored images, which are eight beyond order 1, only one:
    /// the one with the smallest corner at the top left, and of the corners beside it the smaller
    /// one at the top right (Frénicle de Bessy 1693).
    ///
    /// Corners are different, and so the orders of corners that a square's images have are all
    /// different: this leaves one of them.
    #[must_use]
    pub fn up_to_symmetry(mut self) -> Self {
        self.up_to_symmetry = true;
        self
    }

    /// The number of rows and of columns.
    #[must_use]
    pub fn order(self) -> usize {
        self.order
    }

    /// The network. Memory: n⁴ bits, and a small table of forbidden pairs for orders up to 8.
    #[must_use]
    pub fn network(self) -> Network {
        match self.model() {
            Ok(model) => model.build(),
            Err(error) => {
                unreachable!("the largest square takes 4096 variables of 4096 values: {error}")
            }
        }
    }

    fn model(self) -> Result<Model, ModelError> {
        let order = self.order;
        let mut model = Model::new();
        let cells = model.variables(order * order, 1..=(order * order) as i32)?;
        model.all_different(&cells)?;
        let sum = (order * (order * order + 1) / 2) as i64;
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
                model.binary(less, more, |less, more| less < more)?;
            }
        }
        Ok(model)
    }

    /// The magic square that a solution of the network stands for.
    ///
    /// # Errors
    ///
    /// What is wrong with it, if the assignment is not a solution of this network.
    pub fn square(self, solution: &Assignment) -> Result<MagicSquare, MagicSquareError> {
        let numbers = solution.values().iter().map(|&number| usize::try_from(number).unwrap_or(0));
        MagicSquare::new(self.order, numbers.collect())
    }
}
