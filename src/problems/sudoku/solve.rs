//! Sudoku as a constraint network and as an exact cover; solving, counting and estimating with
//! either.

use super::board::Sudoku;
use crate::cover::{Cover, CoverError};
use crate::csp::{
    Ascending, Assignment, Branching, Domains, Model, ModelError, Network, Propagate, Propagator,
    PropagatorScratch, SmallestDomain, Variable, Wipeout,
};
use crate::hook::Node;
use crate::limits::Limits;
use crate::outcome::{Count, Found, Outcome};
use crate::search::{Estimate, Search};

/// The model that a board is solved with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// As a [constraint network](Sudoku::network), with full propagation and the smallest domain
    /// first.
    Network,
    /// As an [exact cover](Sudoku::cover), with the smallest item first.
    Cover,
}

impl Sudoku {
    /// Returns the first solution found. [`count`](Self::count) tells whether it is unique.
    ///
    /// ```
    /// use secateurs::Limits;
    /// use secateurs::problems::sudoku::{Family, Sudoku};
    ///
    /// let sudoku: Sudoku = concat!(
    ///     "8..........36......7..9.2...5...7...",
    ///     "....457.....1...3...1....68..85...1..9....4.."
    /// )
    /// .parse()?;
    /// for family in [Family::Network, Family::Cover] {
    ///     let outcome = sudoku.solve(family, &Limits::new());
    ///     let solved = outcome.solution();
    ///     assert!(solved.is_some_and(|solved| solved.is_solved() && solved.completes(&sudoku)));
    ///     assert_eq!(sudoku.count(family, &Limits::new()).exact(), Some(1));
    /// }
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn solve(&self, family: Family, limits: &Limits) -> Outcome<Found<Sudoku>> {
        // Every solution of a correct model is a solution of the board.
        let expect_solved = |solved: Option<Sudoku>| {
            solved.unwrap_or_else(|| unreachable!("a solution of the model solves the board"))
        };
        match family {
            Family::Network => {
                let network = self.network();
                let extract =
                    |node: &Node<'_, Network>| expect_solved(self.completed(&Assignment::of(node)));
                as_network(&network, limits).extract(extract).first()
            }
            Family::Cover => {
                let cover = self.cover();
                let extract = |node: &Node<'_, Cover>| {
                    expect_solved(self.covered(&cover, &node.path().to_vec()))
                };
                Search::new(&cover).limits(limits.clone()).extract(extract).first()
            }
        }
    }

    /// Counts the solutions, one by one. Boards with few given numbers have too many for this: the
    /// blank board of side 9 has 6 670 903 752 021 072 936 960 (Felgenhauer and Jarvis 2005). Set a
    /// limit for unknown boards.
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn count(&self, family: Family, limits: &Limits) -> Outcome<Count> {
        match family {
            Family::Network => as_network(&self.network(), limits).count(),
            Family::Cover => Search::new(&self.cover()).limits(limits.clone()).count(),
        }
    }

    /// Estimates the size of the tree that [`count`](Self::count) searches from a number of random
    /// probes: see [`Search::estimate`](crate::Search::estimate).
    ///
    /// ```
    /// use secateurs::Limits;
    /// use secateurs::problems::sudoku::{Family, Sudoku};
    ///
    /// let sudoku: Sudoku = concat!(
    ///     "8..........36......7..9.2...5...7...",
    ///     "....457.....1...3...1....68..85...1..9....4.."
    /// )
    /// .parse()?;
    /// let nodes = sudoku.count(Family::Cover, &Limits::new()).report().nodes() as f64;
    /// let estimate = sudoku.estimate(Family::Cover, &Limits::new(), 10_000, 1);
    /// let estimated = estimate.nodes().ok_or("no probe")?.mean;
    /// assert!((0.5..2.0).contains(&(estimated / nodes)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn estimate(&self, family: Family, limits: &Limits, probes: u64, seed: u64) -> Estimate {
        match family {
            Family::Network => as_network(&self.network(), limits).estimate(probes, seed),
            Family::Cover => {
                Search::new(&self.cover()).limits(limits.clone()).estimate(probes, seed)
            }
        }
    }
}

fn as_network<'n>(
    network: &'n Network,
    limits: &Limits,
) -> Search<'n, Network, Branching<SmallestDomain, Ascending>, (Propagate,)> {
    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    Search::new(network).hooks((Propagate::full(),)).brancher(order).limits(limits.clone())
}

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

/// The constraint that each number from 1 to the number of cells is in at least one of them.
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

impl Sudoku {
    /// Returns the board as an exact cover (Knuth 2000). There is an item for each cell, and one
    /// for each number in each row, each column and each box. An option puts a number into a cell
    /// and covers four items.
    ///
    /// Options that a given number excludes are left out. Branching on the smallest item means to
    /// branch on the cell with the fewest candidates or the number with the fewest places,
    /// whichever is smaller.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::sudoku::Sudoku;
    ///
    /// let sudoku: Sudoku = "1...\n..1.\n.4..\n...2\n".parse()?;
    /// let cover = sudoku.cover();
    /// let outcome = Search::new(&cover).first();
    /// let options = outcome.solution().ok_or("no solution")?;
    /// let solved = sudoku.covered(&cover, options).ok_or("not a solution of this board")?;
    /// assert_eq!(solved.to_string(), "1324\n4213\n2431\n3142\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cover(&self) -> Cover {
        match self.try_cover() {
            Ok(cover) => cover,
            // The largest board has 64³ options of four items.
            Err(error) => unreachable!("a board is never too large for a cover: {error}"),
        }
    }

    fn try_cover(&self) -> Result<Cover, CoverError> {
        let side = self.side();
        let mut builder = Cover::builder();
        for cell in 0..side * side {
            builder.primary(&format!("r{}c{}", cell / side + 1, cell % side + 1))?;
        }
        for unit in ["r", "c", "b"] {
            for index in 0..side * side {
                builder.primary(&format!("{unit}{}={}", index / side + 1, index % side + 1))?;
            }
        }
        // The number of times that each number is given in each row, column and box.
        let mut given = vec![0_u32; 3 * side * side];
        let items = |cell: usize, number: usize| {
            let of = self.units(cell);
            [of.row, side + of.column, 2 * side + of.r#box].map(|unit| unit * side + number - 1)
        };
        for (row, column, number) in self.numbers() {
            items(row * side + column, number).into_iter().for_each(|item| given[item] += 1);
        }
        for cell in 0..side * side {
            let own = self.number(cell / side, cell % side);
            for number in 1..=side {
                let items = items(cell, number);
                // No other cell of its units may have the number.
                let allowed = u32::from(own == Some(number));
                if own.is_none_or(|own| own == number)
                    && items.iter().all(|&item| given[item] == allowed)
                {
                    let members = [cell].into_iter().chain(items.map(|item| side * side + item));
                    builder.option_of(members.map(|item| (item, None)))?;
                }
            }
        }
        Ok(builder.build())
    }

    /// Returns the solved board that a solution of its [cover](Self::cover) represents; `None` if
    /// the options are not a solution of that cover.
    #[must_use]
    pub fn covered(&self, cover: &Cover, options: &[usize]) -> Option<Sudoku> {
        let side = self.side();
        let mut numbers = vec![0; side * side];
        for &option in options.iter().filter(|&&option| option < cover.options()) {
            // The first two items of an option: its cell, and its number in the row.
            let mut members = cover.members(option).map(|member| member.item);
            let (cell, item) = (members.next()?, members.next()?);
            *numbers.get_mut(cell)? = item.checked_sub(side * side)? % side + 1;
        }
        self.filled(&numbers)
    }
}
