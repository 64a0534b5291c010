//! n-queens as an exact cover, in which each row and column is covered once and each diagonal at
//! most once; and as a constraint network, with a variable per row whose value is the column of its
//! queen.

use secateurs::hook::{Hook, HookMemory, NodeMut, Verdict};
use secateurs_cover::{Cover, CoverBuilder, CoverError};
use secateurs_csp::{Assignment, Decision, Model, ModelError, Network, Variable};

use super::board::{Given, Queens, QueensBoard, check_size};
use super::row_by_row::Effort;
use crate::InstanceError;

/// n-queens as an exact cover, created by [`Queens::cover`] and [`QueensBoard::cover`].
///
/// Rows and columns are primary items, diagonals of two or more squares are secondary items, and
/// the options are the squares, row by row. A node branches on the row or column with the fewest
/// free squares, whereas the [state models](super::RowByRow) proceed row by row. This takes far
/// fewer nodes, each at a higher cost.
///
/// Items are in *organ-pipe order* (Knuth 2022, 7.2.2.1): rows and columns in the middle come
/// first, because queens attack more squares from there, and ties between the smallest items go to
/// the first. From 13 queens on this order saves more than a third of the nodes.
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::queens::{Queens, QueensBoard};
///
/// let queens = Queens::new(8)?.cover();
/// assert_eq!(Search::new(queens.cover()).count().exact(), Some(92));
///
/// let board: QueensBoard = "......\n...Q..\n......\n......\n......\n......\n".parse()?;
/// let queens = board.cover()?;
/// let outcome = Search::new(queens.cover()).first();
/// let solution = outcome.solution().map(|options| queens.board(options)).ok_or("no solution")?;
/// assert_eq!(solution.to_string(), ".Q....\n...Q..\n.....Q\nQ.....\n..Q...\n....Q.\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverQueens {
    size: usize,
    cover: Cover,
    /// The row and the column of each option.
    squares: Vec<(usize, usize)>,
}

impl CoverQueens {
    /// The largest size. An empty board of this size has a quarter of a million options.
    pub const MAX_SIZE: usize = 512;

    fn new(given: &Given) -> Self {
        let size = given.size();
        let mut squares = Vec::new();
        if !given.is_contradictory() {
            let all = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
            squares.extend(all.filter(|&(row, column)| given.leaves_open(row, column)));
        }
        let cover = build(size, &squares).expect("item names are unique, and there are few items");
        CoverQueens { size, cover, squares }
    }

    /// Returns the cover, to be searched.
    #[must_use]
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// Returns the row and the column, from 0, of the queen that an option places.
    ///
    /// # Panics
    ///
    /// Panics if there is no option of this number.
    #[must_use]
    pub fn square(&self, option: usize) -> (usize, usize) {
        self.squares[option]
    }

    /// Returns the board with the queens of these options.
    ///
    /// # Panics
    ///
    /// Panics if there is no option of one of these numbers.
    #[must_use]
    pub fn board(&self, options: &[usize]) -> QueensBoard {
        let queens = options.iter().map(|&option| self.squares[option]);
        queens.fold(QueensBoard::empty(self.size), |board, (row, column)| {
            board.with_queen(row, column).expect("the squares of options are on the board")
        })
    }
}

/// Builds the cover of a board with these open squares.
fn build(size: usize, squares: &[(usize, usize)]) -> Result<Cover, CoverError> {
    let mut builder = CoverBuilder::new();
    let (mut rows, mut columns) = (vec![0; size], vec![0; size]);
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by_key(|&line| (2 * line + 1).abs_diff(size));
    for line in order {
        rows[line] = builder.primary(&format!("r{}", line + 1))?;
        columns[line] = builder.primary(&format!("c{}", line + 1))?;
    }
    // The first and the last diagonal are single squares, which constrain nothing.
    let diagonals = if size == 0 { 0..0 } else { 1..2 * size - 2 };
    let (mut rising, mut falling) = (vec![None; 2 * size], vec![None; 2 * size]);
    for line in diagonals {
        rising[line] = Some(builder.secondary(&format!("a{line}"))?);
        falling[line] = Some(builder.secondary(&format!("b{line}"))?);
    }
    for &(row, column) in squares {
        let diagonals = [rising[row + column], falling[size - 1 + row - column]];
        let items = [rows[row], columns[column]].into_iter().chain(diagonals.into_iter().flatten());
        builder.option_of(items.map(|item| (item, None)))?;
    }
    Ok(builder.build())
}

impl Queens {
    /// Returns the problem as an exact cover.
    #[must_use]
    pub fn cover(self) -> CoverQueens {
        CoverQueens::new(&Given::new(&self.board()))
    }
}

impl QueensBoard {
    /// Returns the problem of completing this board, as an exact cover.
    ///
    /// # Errors
    ///
    /// Returns an error if the board has more than [`CoverQueens::MAX_SIZE`] columns.
    pub fn cover(&self) -> Result<CoverQueens, InstanceError> {
        check_size(self.size(), CoverQueens::MAX_SIZE)?;
        Ok(CoverQueens::new(&Given::new(self)))
    }
}

impl QueensBoard {
    /// Returns the problem of completing this board, as a constraint network: the variable of each
    /// row is the column of its queen, and there are three all-different constraints, on columns
    /// and on both kinds of diagonals. The initial domains exclude the squares that the given
    /// queens attack, so these are excluded at every level of propagation.
    ///
    /// See [`csp`](secateurs_csp) for the propagation and the orders of a search, and
    /// [`completed`](QueensBoard::completed) for the board of a solution.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Ascending, Branching, Propagate, SmallestDomain};
    /// use secateurs_problems::queens::QueensBoard;
    ///
    /// let network = QueensBoard::new(8)?.with_queen(0, 0)?.network();
    /// let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    /// let outcome = Search::new(&network).hooks((Propagate::forward(),)).brancher(order).count();
    /// assert_eq!(outcome.exact(), Some(4));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn network(&self) -> Network {
        self.model().expect("the largest board has 4096 variables of 4096 values").build()
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

/// Returns each variable with an offset that changes by `sign` per row. Two queens share a diagonal
/// if the sums of column and offset are equal.
fn shifted(rows: &[Variable], sign: i32) -> impl Iterator<Item = (Variable, i32)> + '_ {
    rows.iter().zip(0..).map(move |(&row, index)| (row, sign * index))
}

impl Effort {
    /// Returns a hook that counts, in this counter, the squares that a square-by-square program
    /// examines when it places a queen: on each row without a queen, the squares of the queen's
    /// column and of its two diagonals, whether they are excluded already or not.
    ///
    /// Plugged in before [`Propagate::forward`](secateurs_csp::Propagate::forward), it reproduces
    /// the columns `excludes` of the [article's tables](super). The network itself excludes a whole
    /// set of squares at a time, so it cannot count single squares. The time per node is linear in
    /// the number of open rows.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Ascending, Branching, InputOrder, Propagate};
    /// use secateurs_problems::queens::{Effort, Queens};
    ///
    /// let network = Queens::new(8)?.board().network();
    /// let effort = Effort::new();
    /// let outcome = Search::new(&network)
    ///     .hooks((effort.excludes_hook(), Propagate::forward().without_wipe_out_test()))
    ///     .brancher(Branching::new(InputOrder, Ascending))
    ///     .count();
    /// assert_eq!(outcome.report().nodes() - 1, 2_056); // as many as by plain backtracking
    /// assert_eq!(effort.excludes(), 13_510);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    pub fn excludes_hook(&self) -> ExcludesHook {
        ExcludesHook { effort: self.clone() }
    }
}

/// The hook of [`Effort::excludes_hook`].
///
/// It assumes the network of a [board](super::QueensBoard::network): variables are rows, and values
/// are columns.
#[derive(Clone, Debug)]
pub struct ExcludesHook {
    effort: Effort,
}

impl Hook<Network> for ExcludesHook {
    fn name(&self) -> &str {
        "excludes"
    }

    fn memory(&self) -> HookMemory {
        HookMemory::Nothing
    }

    fn enter(&mut self, node: &mut NodeMut<'_, Network>) -> Verdict {
        if let Some(&Decision::Is(queen, column)) = node.path().last() {
            let columns = 0..node.problem().len() as i64;
            let squares = |row: usize| {
                let distance = row.abs_diff(queen.index()) as i64;
                let sides = [i64::from(column) - distance, i64::from(column) + distance];
                1 + sides.iter().filter(|side| columns.contains(side)).count() as u64
            };
            // The row of the new queen is not among the open ones.
            self.effort
                .add_excludes(node.state().open_variables().map(|row| squares(row.index())).sum());
        }
        Verdict::Keep
    }

    fn stats(&self) -> Vec<(String, u64)> {
        vec![("squares".to_owned(), self.effort.excludes())]
    }
}
