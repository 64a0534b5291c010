//! Sudoku as a constraint network.

use super::board::Sudoku;
use super::places::Places;
use crate::csp::{Assignment, Model, Network, Variable};

impl Sudoku {
    /// The board as a network: a variable for each cell, row by row, with a domain of numbers, and an all-different
    /// constraint for each row, column and box. A given number is the one value of its variable.
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
    ///     .hooks((Propagate::arc_consistency(),))
    ///     .brancher(order)
    ///     .extract(Assignment::of)
    ///     .first();
    /// let solved = outcome.solution().map(|assignment| sudoku.filled_with(assignment)).ok_or("no solution")?;
    /// assert_eq!(solved.to_string(), "1324\n4213\n2431\n3142\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn network(&self) -> Network {
        let side = self.side();
        let mut model = Model::new();
        let numbers = 1..=side as i32;
        let cells = model.variables(side * side, numbers).expect("at most 64² domains of one word");
        for (row, column, number) in self.numbers() {
            model
                .restrict(cells[row * side + column], |value| value == number as i32)
                .expect("a variable of the model");
        }
        for unit in 0..side {
            for cells in self.members(unit, &cells) {
                model.all_different(&cells).expect("variables of the model");
                model.propagator(Places::new(cells)).expect("variables of the model");
            }
        }
        model.build()
    }

    /// The cells of a row, of a column and of a box, all of this number.
    fn members(&self, unit: usize, cells: &[Variable]) -> [Vec<Variable>; 3] {
        let all = |is_in: &dyn Fn(usize) -> bool| {
            (0..cells.len()).filter(|&cell| is_in(cell)).map(|cell| cells[cell]).collect()
        };
        [
            all(&|cell| self.units(cell).row == unit),
            all(&|cell| self.units(cell).column == unit),
            all(&|cell| self.units(cell).r#box == unit),
        ]
    }

    /// The board with the numbers that the variables of its [network](Self::network) have in a solution. What is no number
    /// of the board leaves a blank.
    #[must_use]
    pub fn filled_with(&self, assignment: &Assignment) -> Sudoku {
        let mut filled = self.clone();
        let numbers = 1..=self.side();
        for (cell, &value) in assignment.values().iter().enumerate().take(self.side().pow(2)) {
            let number = usize::try_from(value).ok().filter(|number| numbers.contains(number)).unwrap_or(0);
            filled.put(cell, number as u8);
        }
        filled
    }
}
