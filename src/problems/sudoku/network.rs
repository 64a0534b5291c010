//! Sudoku as a constraint network.

use super::board::Sudoku;
use super::places::Places;
use crate::csp::{Assignment, Model, ModelError, Network};

impl Sudoku {
    /// The board as a network: a variable for each cell, row by row, with a domain of numbers, and
    /// an all-different constraint for each row, column and box. A given number is the one value of
    /// its variable.
    ///
    /// With all-different pair by pair, a cell gets the last number that is left to it. For the
    /// other half of what people do by hand there is a second constraint on each row, column and
    /// box: a number goes to the last place that is left to it. At
    /// [full](crate::csp::Propagate::full) propagation, hard boards of side 9 take some hundred
    /// nodes with it, and some thousands without.
    /// [Matching](crate::csp::Model::all_different_matching) in place of it sees more and makes
    /// smaller trees still, but takes longer in all.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Ascending, Assignment, Branching, Propagate, SmallestDomain};
    /// use secateurs::problems::sudoku::Sudoku;
    ///
    /// let sudoku: Sudoku = "1...\n..1.\n.4..\n...2\n".parse()?;
    /// let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    /// let network = sudoku.network();
    /// let outcome = Search::new(&network)
    ///     .hooks((Propagate::full(),))
    ///     .brancher(order)
    ///     .extract(Assignment::of)
    ///     .first();
    /// let solved = outcome.solution().and_then(|solution| sudoku.completed(solution)).ok_or("no solution")?;
    /// assert_eq!(solved.to_string(), "1324\n4213\n2431\n3142\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn network(&self) -> Network {
        match self.model() {
            Ok(model) => model.build(),
            // The largest board takes 4096 variables of 64 values.
            Err(error) => unreachable!("a board is never too large for a model: {error}"),
        }
    }

    fn model(&self) -> Result<Model, ModelError> {
        let side = self.side();
        let mut model = Model::new();
        let cells = model.variables(side * side, 1..=side as i32)?;
        for (row, column, number) in self.numbers() {
            model.restrict(cells[row * side + column], |value| value == number as i32)?;
        }
        let mut units = vec![Vec::new(); 3 * side];
        for (index, &cell) in cells.iter().enumerate() {
            let of = self.units(index);
            for unit in [of.row, side + of.column, 2 * side + of.r#box] {
                units[unit].push(cell);
            }
        }
        for unit in units {
            model.all_different(&unit)?;
            model.propagator(Places::new(unit))?;
        }
        Ok(model)
    }

    /// The board that a solution of its [network](Self::network) stands for; `None` if the
    /// assignment is no solution of that.
    #[must_use]
    pub fn completed(&self, solution: &Assignment) -> Option<Sudoku> {
        let numbers = solution.values().iter().map(|&value| usize::try_from(value).ok());
        self.filled(&numbers.collect::<Option<Vec<usize>>>()?)
    }

    /// The board with these numbers in its cells, row by row; `None` if that is no solution of it.
    pub(super) fn filled(&self, numbers: &[usize]) -> Option<Sudoku> {
        let side = self.side();
        let blank = (numbers.len() == side * side).then(|| self.clone())?;
        let mut cells = numbers.iter().enumerate();
        let filled = cells.try_fold(blank, |board, (cell, &number)| {
            board.with_number(cell / side, cell % side, number).ok()
        })?;
        (filled.completes(self) && filled.is_solved()).then_some(filled)
    }
}
