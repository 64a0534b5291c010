//! n-queens as a constraint network: a variable per row, whose value is the column of its queen.

use super::board::QueensBoard;
use super::given::Given;
use crate::csp::{Assignment, Model, ModelError, Network, Variable};

impl QueensBoard {
    /// Returns the problem of completing this board, as a constraint network: the variable of each
    /// row is the column of its queen, and there are three all-different constraints, on columns
    /// and on both kinds of diagonals. The initial domains exclude the squares that the given
    /// queens attack, so these are excluded at every level of propagation.
    ///
    /// See [`csp`](crate::csp) for the propagation and the orders of a search, and
    /// [`completed`](QueensBoard::completed) for the board of a solution.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Ascending, Branching, Propagate, SmallestDomain};
    /// use secateurs::problems::queens::QueensBoard;
    ///
    /// let network = QueensBoard::new(8)?.with_queen(0, 0)?.network();
    /// let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    /// let outcome = Search::new(&network).hooks((Propagate::forward(),)).brancher(order).count();
    /// assert_eq!(outcome.exact(), Some(4));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn network(&self) -> Network {
        match self.model() {
            Ok(model) => model.build(),
            // The largest board has 4096 variables of 4096 values.
            Err(error) => unreachable!("a board is never too large for a model: {error}"),
        }
    }

    /// Builds the model of the network.
    fn model(&self) -> Result<Model, ModelError> {
        let mut model = Model::new();
        let size = self.size() as i32;
        let rows = model.variables(self.size(), 0..size)?;
        let given = Given::new(self);
        if !given.queens().is_empty() {
            for (row, &variable) in rows.iter().enumerate() {
                let is_open = |column: i32| {
                    !given.is_contradictory() && given.leaves_open(row, column as usize)
                };
                model.restrict(variable, is_open)?;
            }
        }
        model.all_different(&rows)?;
        model.all_different_shifted(shifted(&rows, 1))?;
        model.all_different_shifted(shifted(&rows, -1))?;
        Ok(model)
    }

    /// Returns the board that a solution of its [network](QueensBoard::network) represents, or
    /// `None` if the assignment is not a solution: if it does not have a queen in each row, lacks a
    /// given queen, or has queens that attack each other.
    #[must_use]
    pub fn completed(&self, solution: &Assignment) -> Option<QueensBoard> {
        let columns: Option<Vec<usize>> =
            solution.values().iter().map(|&column| usize::try_from(column).ok()).collect();
        let columns = columns.filter(|columns| columns.len() == self.size())?;
        let keeps_given = self.queens().iter().all(|&(row, column)| columns[row] == column);
        QueensBoard::from_columns(&columns)
            .ok()
            .filter(|board| keeps_given && board.attack().is_none())
    }
}

/// Returns the variables with an offset that grows by `sign` per row: equal sums share a diagonal.
fn shifted(rows: &[Variable], sign: i32) -> impl Iterator<Item = (Variable, i32)> + '_ {
    rows.iter().zip(0..).map(move |(&row, index)| (row, sign * index))
}
