//! n-queens as a constraint network: a variable a row, whose value is the column of its queen.

use super::Board;
use super::given::Given;
use crate::csp::{Assignment, Model, ModelError, Network, Variable};

impl Board {
    /// The problem of completing this board, as a constraint network: the variable of each row is
    /// the column of its queen, and there are three all-different constraints, on columns and on
    /// both kinds of diagonals. What the given queens attack is left out of the domains from the
    /// beginning, so that every order sees it, at every level of propagation.
    ///
    /// The network says nothing of how it is searched: see [`csp`](crate::csp) for propagation and
    /// orders, and [`completed`](Board::completed) for what to do with a solution.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Ascending, Branching, Propagate, SmallestDomain};
    /// use secateurs::problems::queens::Board;
    ///
    /// let network = Board::new(8)?.with_queen(0, 0)?.network();
    /// let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    /// let outcome = Search::new(&network).hooks((Propagate::forward(),)).brancher(order).count();
    /// assert_eq!(outcome.exact(), Some(4));
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
    /// ```
    #[must_use]
    pub fn network(&self) -> Network {
        match self.model() {
            Ok(model) => model.build(),
            // The largest board takes 4096 variables of 4096 values.
            Err(error) => unreachable!("a board is never too large for a model: {error}"),
        }
    }

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

    /// The board that a solution of its [network](Board::network) stands for; `None` if the
    /// assignment is no solution of that: not a queen in each row, or without one of those given,
    /// or with queens that attack each other.
    #[must_use]
    pub fn completed(&self, solution: &Assignment) -> Option<Board> {
        let columns: Option<Vec<usize>> =
            solution.values().iter().map(|&column| usize::try_from(column).ok()).collect();
        let columns = columns.filter(|columns| columns.len() == self.size())?;
        let keeps_given = self.queens().iter().all(|&(row, column)| columns[row] == column);
        Board::from_columns(&columns).ok().filter(|board| keeps_given && board.attack().is_none())
    }
}

fn shifted(rows: &[Variable], sign: i32) -> impl Iterator<Item = (Variable, i32)> + '_ {
    rows.iter().zip(0..).map(move |(&row, index)| (row, sign * index))
}
