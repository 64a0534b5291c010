//! Sudoku, on boards with boxes of any size, up to 64 cells per side.
//!
//! A [`Sudoku`] is a board with its given numbers, read from text and written as text or as a
//! picture. It can be solved as a constraint network or as an exact cover:
//!
//! - [`Family::Network`] branches on the cell with the fewest candidates. It prunes all candidates
//!   that the numbers of a row, a column or a box rule out together.
//! - [`Family::Cover`] branches on the number of a cell or the place of a number, whichever has the
//!   fewest options. It does not propagate: a last candidate or place is a node with one child.
//!
//! The network has far fewer nodes, but each is more expensive. Both solve hard boards of side 9 in
//! less than a millisecond, including the construction of the model. On larger boards the network
//! is faster, by a factor of two on a hard board of side 16 and of four or more on one of side 25
//! (`cargo bench --bench csp -- Sudoku`), and it solves the blank board of side 64 in half a
//! second, while the cover finds no solution in reasonable time. Sudoku of any size is NP-complete
//! (Yato and Seta 2003).
//!
//! ```
//! use secateurs::Limits;
//! use secateurs_problems::sudoku::{Family, Sudoku};
//!
//! // Boxes need not be square.
//! let sudoku = Sudoku::from_text("1....6\n......\n..5...\n...2..\n......\n6....1\n", 2, 3)?;
//! let count = |family| sudoku.count(family, &Limits::new()).exact();
//! let counts = [Family::Network, Family::Cover].map(count);
//! assert_eq!(counts[0], counts[1]);
//! # Ok::<(), secateurs::ParseError>(())
//! ```

mod text;

use std::fmt;

use secateurs::hook::Node;
use secateurs::search::Search;
use secateurs::{Count, Found, Limits, Outcome, Uniqueness};
use secateurs_cover::{Cover, CoverError};
use secateurs_csp::{
    Ascending, Assignment, Branching, Consistency, Domains, Model, ModelError, Network, Propagate,
    SmallestDomain,
};

use crate::picture::Picture;
use crate::{InstanceError, check_cell};

/// A Sudoku board with numbers in some cells; the other cells are blank.
///
/// The board is divided into boxes of equal numbers of rows and columns. Its *side* is the number
/// of cells of a box, and the numbers are 1 to the side. A solution fills in the blank cells such
/// that each number occurs once in each row, column and box. Conflicting given numbers are
/// not an error: such a board has no solution, and [`conflict`](Self::conflict) returns two of
/// them.
///
/// [`parse`](str::parse) reads a board with square boxes in many layouts,
/// [`from_text`](Self::from_text) a board with boxes of any size, and
/// [`collection`](Self::collection) a file with a board per line. `Display` writes one row per
/// line: up to side 9 as digits, with `.` for a blank cell; above, as numbers separated by spaces.
///
/// ```
/// use secateurs_problems::sudoku::Sudoku;
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
    /// The number of each cell, row by row; 0 for a blank cell.
    cells: Vec<u8>,
}

impl Sudoku {
    /// The largest side.
    pub const MAX_SIDE: usize = 64;

    /// Creates a blank board from the numbers of rows and columns of its boxes: 3 and 3 for the
    /// usual board, 2 and 3 for one of side 6.
    ///
    /// # Errors
    ///
    /// Returns an error if a box has no cells, or more than [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn blank(box_rows: usize, box_columns: usize) -> Result<Self, InstanceError> {
        match box_rows.checked_mul(box_columns) {
            Some(side @ 1..=Self::MAX_SIDE) => {
                Ok(Sudoku { box_rows, box_columns, cells: vec![0; side * side] })
            }
            _ => Err(InstanceError::new(format_args!(
                "found boxes of {box_rows} × {box_columns} cells, expected 1 to {} cells",
                Self::MAX_SIDE
            ))),
        }
    }

    /// Returns the board with `number` in a cell, in place of its previous contents. Rows and
    /// columns count from 0.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such cell, or if the number is not from 1 to the side. The
    /// message counts rows and columns from 1.
    pub fn with_number(
        mut self,
        row: usize,
        column: usize,
        number: usize,
    ) -> Result<Self, InstanceError> {
        let side = self.side();
        check_cell(row, column, side)?;
        match u8::try_from(number) {
            Ok(small) if (1..=side).contains(&number) => {
                self.cells[row * side + column] = small;
                Ok(self)
            }
            _ => Err(InstanceError::new(format_args!(
                "found the number {number}, expected one from 1 to {side}"
            ))),
        }
    }

    /// Puts a number, or 0 for a blank, into a cell counted row by row. Both must be valid.
    fn put(&mut self, cell: usize, number: u8) {
        self.cells[cell] = number;
    }

    /// Returns the side: the number of rows, of columns, of boxes, and of cells in each of them.
    #[must_use]
    pub fn side(&self) -> usize {
        self.box_rows * self.box_columns
    }

    /// Returns the number of rows of a box.
    #[must_use]
    pub fn box_rows(&self) -> usize {
        self.box_rows
    }

    /// Returns the number of columns of a box.
    #[must_use]
    pub fn box_columns(&self) -> usize {
        self.box_columns
    }

    /// Returns the number in a cell; `None` if the cell is blank or not on the board.
    #[must_use]
    pub fn number(&self, row: usize, column: usize) -> Option<usize> {
        let side = self.side();
        let number = (row < side && column < side).then(|| self.cells[row * side + column])?;
        (number > 0).then_some(usize::from(number))
    }

    /// Returns the number of blank cells.
    #[must_use]
    pub fn blanks(&self) -> usize {
        self.cells.iter().filter(|&&number| number == 0).count()
    }

    /// Returns the cells that have a number as (row, column, number), row by row.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let side = self.side();
        let cells = self.cells.iter().enumerate().filter(|&(_, &number)| number > 0);
        cells.map(move |(cell, &number)| (cell / side, cell % side, usize::from(number)))
    }

    /// Returns the row, column and box of a cell counted row by row. All rows come first, then all
    /// columns, then all boxes.
    fn units(&self, cell: usize) -> [usize; 3] {
        let side = self.side();
        let (row, column) = (cell / side, cell % side);
        // Boxes are numbered row by row: side / box_columns = box_rows of them in each row.
        let own_box = row / self.box_rows * self.box_rows + column / self.box_columns;
        [row, side + column, 2 * side + own_box]
    }

    /// Returns two cells of one row, column or box with the same number, if there are any. Takes
    /// time linear in the number of cells.
    #[must_use]
    pub fn conflict(&self) -> Option<[(usize, usize); 2]> {
        let side = self.side();
        let mut holders = vec![None; 3 * side * side];
        for (row, column, number) in self.numbers() {
            for unit in self.units(row * side + column) {
                if let Some(other) = holders[unit * side + number - 1].replace((row, column)) {
                    return Some([other, (row, column)]);
                }
            }
        }
        None
    }

    /// Returns whether no cell is blank and no two numbers conflict.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.blanks() == 0 && self.conflict().is_none()
    }

    /// Returns whether this board has the same boxes as `given` and all of its numbers.
    #[must_use]
    pub fn completes(&self, given: &Sudoku) -> bool {
        (self.box_rows, self.box_columns) == (given.box_rows, given.box_columns)
            && given.numbers().all(|(row, column, number)| self.number(row, column) == Some(number))
    }
}

impl Sudoku {
    /// Returns the whole board as one line: its rows one after another, as `Display` writes them.
    /// [`parse`](str::parse) reads it if the boxes are square.
    #[must_use]
    pub fn line(&self) -> String {
        let gap = if self.side() <= 9 { "" } else { " " };
        self.to_string().lines().collect::<Vec<_>>().join(gap)
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

impl Sudoku {
    /// Returns a picture of the board as the text of an SVG file, with the boxes in two shades and
    /// the numbers of `given` on a third background.
    #[must_use]
    pub fn svg(&self, given: &Sudoku) -> String {
        let title = format!("A Sudoku of {0} × {0} cells, {1} blank", self.side(), self.blanks());
        let mut picture = given.background(&title);
        for (row, column, number) in self.numbers() {
            picture.text(row, column, number);
        }
        picture.finish()
    }

    /// Returns a picture of a state of a search of the board's [network](Self::network), as the
    /// text of an SVG file: the assigned numbers, and in small type the candidates of cells with
    /// two to four of them. A cell without candidates is marked with a disc.
    ///
    /// ```
    /// use secateurs::Problem;
    /// use secateurs_problems::sudoku::Sudoku;
    ///
    /// let sudoku: Sudoku = "1...\n..1.\n.4..\n...2\n".parse()?;
    /// let network = sudoku.network();
    /// let svg = sudoku.state_svg(&network, &network.root());
    /// assert_eq!(svg.matches("<text class=\"text\"").count(), 4); // the numbers given
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `domains` belongs to a network with fewer variables.
    #[must_use]
    pub fn state_svg(&self, network: &Network, domains: &Domains) -> String {
        let side = self.side();
        let open = network
            .variables()
            .take(side * side)
            .filter(|&cell| !domains.is_assigned(cell))
            .count();
        let mut picture =
            self.background(&format!("A Sudoku of {side} × {side} cells, {open} open"));
        for (cell, variable) in network.variables().take(side * side).enumerate() {
            let (row, column) = (cell / side, cell % side);
            let values: Vec<i32> = domains.values(variable).take(5).collect();
            match &values[..] {
                [] => picture.disc(row, column),
                [value] => picture.text(row, column, value),
                values if values.len() <= 4 => {
                    let candidates: Vec<String> = values.iter().map(i32::to_string).collect();
                    picture.hint(row, column, candidates.join(if side > 9 { " " } else { "" }));
                }
                _ => {}
            }
        }
        picture.finish()
    }

    /// Draws the board without numbers: the boxes in two shades, and the cells of the given numbers
    /// in a third.
    fn background(&self, title: &str) -> Picture {
        let side = self.side();
        let mut picture = Picture::new(side, side, title);
        for cell in 0..side * side {
            let (row, column) = (cell / side, cell % side);
            let is_dark = (row / self.box_rows() + column / self.box_columns()) % 2 == 1;
            let class = match self.number(row, column) {
                Some(_) => "soft",
                None if is_dark => "dark",
                None => "",
            };
            picture.square(row, column, class);
        }
        picture
    }
}

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
    /// Returns the first solution found. [`is_unique`](Self::is_unique) tells whether there is
    /// another one.
    ///
    /// ```
    /// use secateurs::Limits;
    /// use secateurs_problems::sudoku::{Family, Sudoku};
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
    ///     assert_eq!(sudoku.is_unique(family, &Limits::new()).is_unique(), Some(true));
    /// }
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn solve(&self, family: Family, limits: &Limits) -> Outcome<Found<Sudoku>> {
        const SOLVED: &str = "a solution of the model solves the board";
        match family {
            Family::Network => {
                let network = self.network();
                let extract =
                    |node: &Node<'_, Network>| self.completed(&Assignment::of(node)).expect(SOLVED);
                network_search(&network, limits).extract(extract).first()
            }
            Family::Cover => {
                let cover = self.cover();
                let extract = |node: &Node<'_, Cover>| {
                    self.covered(&cover, &node.path().to_vec()).expect(SOLVED)
                };
                Search::new(&cover).limits(limits.clone()).extract(extract).first()
            }
        }
    }

    /// Searches for two solutions, to decide whether there is none, exactly one, or more.
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn is_unique(&self, family: Family, limits: &Limits) -> Outcome<Uniqueness> {
        match family {
            Family::Network => network_search(&self.network(), limits).is_unique(),
            Family::Cover => Search::new(&self.cover()).limits(limits.clone()).is_unique(),
        }
    }

    /// Counts the solutions, one by one. Boards with few given numbers have too many for this: the
    /// blank board of side 9 has 6 670 903 752 021 072 936 960 (Felgenhauer and Jarvis 2005). Set a
    /// limit for unknown boards.
    // Inlined so that its search is compiled only in crates that call it.
    #[inline]
    pub fn count(&self, family: Family, limits: &Limits) -> Outcome<Count> {
        match family {
            Family::Network => network_search(&self.network(), limits).count(),
            Family::Cover => Search::new(&self.cover()).limits(limits.clone()).count(),
        }
    }
}

fn network_search<'n>(
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
    /// [Full](secateurs_csp::Propagate::full) propagation solves each row, column and box as a
    /// [matching](secateurs_csp::Consistency::Domain) of cells with numbers: it prunes
    /// every candidate with which the numbers of the other cells could not be different. This
    /// includes *naked* and *hidden singles*: the last candidate of a cell and the last place of a
    /// number. With singles alone, easy boards take about half the time; but there are boards
    /// without a solution that singles refute in five million nodes, and matching at the root.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Ascending, Assignment, Branching, Propagate, SmallestDomain};
    /// use secateurs_problems::sudoku::Sudoku;
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
        self.model().expect("the largest board has 4096 variables of 64 values").build()
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
            for unit in self.units(index) {
                units[unit].push(cell);
            }
        }
        for unit in units {
            model.all_different_with(&unit, Consistency::Domain)?;
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
    fn filled(&self, numbers: &[usize]) -> Option<Sudoku> {
        let side = self.side();
        let blank = (numbers.len() == side * side).then(|| self.clone())?;
        let mut cells = numbers.iter().enumerate();
        let filled = cells.try_fold(blank, |board, (cell, &number)| {
            board.with_number(cell / side, cell % side, number).ok()
        })?;
        (filled.completes(self) && filled.is_solved()).then_some(filled)
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
    /// use secateurs_problems::sudoku::Sudoku;
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
        self.try_cover().expect("the largest board has 64³ options of four items")
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
        let items =
            |cell: usize, number: usize| self.units(cell).map(|unit| unit * side + number - 1);
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
