//! Sudoku as a constraint network.

use super::board::Sudoku;
use crate::csp::{
    Assignment, Domains, Model, ModelError, Network, Propagator, PropagatorScratch, Variable,
    Wipeout,
};

impl Sudoku {
    /// Returns the board as a network: one variable per cell, row by row, with the numbers as its
    /// values, and an all-different constraint for each row, column and box. A given number is the
    /// only value of its variable.
    ///
    /// Pairwise all-different constraints find *naked singles*: a cell gets its last candidate. A
    /// second, redundant constraint on each row, column and box finds *hidden singles*: a number
    /// goes to its last place. With [full](crate::csp::Propagate::full) propagation, hard boards of
    /// side 9 take some hundred nodes with the second constraint, and some thousands without.
    /// [Matching](crate::csp::Model::all_different_matching) in its place would prune more, but
    /// take longer in total.
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
    /// let solution = outcome.solution().ok_or("no solution")?;
    /// let solved = sudoku.completed(solution).ok_or("not a solution of this board")?;
    /// assert_eq!(solved.to_string(), "1324\n4213\n2431\n3142\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn network(&self) -> Network {
        match self.model() {
            Ok(model) => model.build(),
            // The largest board has 4096 variables of 64 values.
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
            model.propagator(Places { cells: unit })?;
        }
        Ok(model)
    }

    /// Returns the solved board that a solution of its [network](Self::network) represents; `None`
    /// if the assignment is not a solution of that network.
    #[must_use]
    pub fn completed(&self, solution: &Assignment) -> Option<Sudoku> {
        let numbers = solution.values().iter().map(|&value| usize::try_from(value).ok());
        self.filled(&numbers.collect::<Option<Vec<usize>>>()?)
    }

    /// Returns the board with these numbers in its cells, row by row; `None` if that does not solve
    /// it.
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

/// The constraint that each number from 1 to the number of cells stands in at least one of them.
///
/// It is implied by an all-different constraint, but its propagator finds hidden singles: if a
/// number has one place left, it goes there although the cell may have other candidates. Pairwise
/// all-different propagation does not find these.
#[derive(Debug)]
struct Places {
    /// At most 64, so that a set of numbers fits in a word.
    cells: Vec<Variable>,
}

impl Places {
    /// Returns the set of all numbers as bits.
    fn all(&self) -> u64 {
        match self.cells.len() {
            0 => 0,
            side => u64::MAX >> (64 - side),
        }
    }
}

impl Propagator for Places {
    fn name(&self) -> &str {
        "places"
    }

    fn scope(&self) -> &[Variable] {
        &self.cells
    }

    fn holds(&self, values: &[i32]) -> bool {
        let taken = values
            .iter()
            .filter(|&&value| (1..=64).contains(&value))
            .fold(0, |taken, &v| taken | 1 << (v - 1));
        taken & self.all() == self.all()
    }

    fn propagate(&self, domains: &mut Domains, _: &mut PropagatorScratch) -> Result<(), Wipeout> {
        let (mut once, mut twice, mut open) = (0, 0, 0);
        for &cell in &self.cells {
            let numbers = domains.mask_from(cell, 1);
            twice |= once & numbers;
            once |= numbers;
            open |= if numbers & numbers.wrapping_sub(1) == 0 { 0 } else { numbers };
        }
        if let Some(&cell) = self.cells.first().filter(|_| once & self.all() != self.all()) {
            return Err(Wipeout(cell));
        }
        // Numbers with one place, in a cell that has other candidates.
        let hidden = once & !twice & open & self.all();
        if hidden == 0 {
            return Ok(());
        }
        for &cell in &self.cells {
            let own = domains.mask_from(cell, 1) & hidden;
            if own != 0 {
                if own & (own - 1) != 0 {
                    return Err(Wipeout(cell));
                }
                domains.assign(cell, own.trailing_zeros() as i32 + 1)?;
            }
        }
        Ok(())
    }
}
