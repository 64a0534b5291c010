//! [`Queens`], the empty board; [`QueensBoard`], a board with given queens, its text format, its
//! picture and random boards; and [`Given`], an index of the given queens.

use std::fmt;
use std::str::FromStr;

use fastrand::Rng;

use secateurs::ParseError;
use secateurs::text::read_grid;

use crate::picture::Picture;
use crate::{InstanceError, check_cell};

/// Returns an error if a board of this size is larger than `max`.
pub(super) fn check_size(size: usize, max: usize) -> Result<(), InstanceError> {
    if size > max {
        return Err(InstanceError::new(format_args!(
            "a board of {size} rows and columns is too large: expected at most {max}"
        )));
    }
    Ok(())
}

/// Draws queens in the layer for queens and ends the layer. If there are fewer queens than `size`,
/// also draws the lines along which they attack.
pub(super) fn draw_queens(picture: &mut Picture, size: usize, queens: &[(usize, usize)]) {
    let are_missing = queens.len() < size;
    for &(row, column) in queens {
        if are_missing {
            picture.attacking_queen(row, column);
        } else {
            picture.disc(row, column);
        }
    }
    picture.end_queens();
}

/// The n-queens problem on an empty board of up to 64 columns. Each state model turns it into a
/// [`Problem`](secateurs::Problem).
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::queens::Queens;
///
/// let queens = Queens::new(8)?;
/// assert_eq!(Search::new(&queens.bits()).count().exact(), Some(92));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Queens {
    size: usize,
}

impl Queens {
    /// The largest size: a row is one machine word of the [bit-mask model](super::BitQueens).
    pub const MAX_SIZE: usize = 64;

    /// Creates the problem on a board of `size` rows and columns.
    ///
    /// The board of size 0 has one solution, the one without queens.
    ///
    /// # Errors
    ///
    /// Returns an error if `size` is above [`MAX_SIZE`](Self::MAX_SIZE).
    pub fn new(size: usize) -> Result<Self, InstanceError> {
        check_size(size, Self::MAX_SIZE)?;
        Ok(Queens { size })
    }

    /// Returns the number of rows, which is also that of columns and of queens.
    #[must_use]
    pub fn size(self) -> usize {
        self.size
    }

    /// Returns the empty board.
    #[must_use]
    pub fn board(self) -> QueensBoard {
        QueensBoard::empty(self.size)
    }
}

/// An n×n board with some queens on it, either given or found.
///
/// Its text format has a line per row, of `.` (or `_`) for an empty square and `Q` for a queen.
/// [`parse`](str::parse) reads it and `Display` prints it. Each state model turns a board into a
/// [`Problem`](secateurs::Problem): place a queen in every row that has no given one, such that no
/// two queens attack each other. Given queens may attack each other: the problem then has no
/// solution.
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::queens::{LookBackQueens, QueensBoard, RowByRow};
///
/// let board: QueensBoard = "......\n...Q..\n......\n......\n......\n......\n".parse()?;
/// let queens = board.lookback();
/// let outcome = Search::new(&queens).first();
/// let solution = outcome.solution().map(LookBackQueens::columns).ok_or("no solution")?;
/// assert_eq!(
///     QueensBoard::from_columns(&solution)?.to_string(),
///     ".Q....\n...Q..\n.....Q\nQ.....\n..Q...\n....Q.\n",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QueensBoard {
    size: usize,
    /// The row and the column of each queen, sorted.
    queens: Vec<(usize, usize)>,
}

impl QueensBoard {
    /// The largest size. The state of the marking model takes two bytes per square.
    pub const MAX_SIZE: usize = 4096;

    /// Creates an empty board of `size` rows and columns.
    ///
    /// # Errors
    ///
    /// Returns an error if `size` is above [`MAX_SIZE`](Self::MAX_SIZE).
    pub fn new(size: usize) -> Result<Self, InstanceError> {
        check_size(size, Self::MAX_SIZE)?;
        Ok(QueensBoard::empty(size))
    }

    /// Creates an empty board. `size` must be at most [`MAX_SIZE`](Self::MAX_SIZE).
    pub(super) fn empty(size: usize) -> Self {
        QueensBoard { size, queens: Vec::new() }
    }

    /// Creates a board with a queen in every row: `columns[row]` is its column, from 0.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is too large, or if a column is not on the board.
    pub fn from_columns(columns: &[usize]) -> Result<Self, InstanceError> {
        let empty = QueensBoard::new(columns.len())?;
        let mut queens = columns.iter().enumerate();
        queens.try_fold(empty, |board, (row, &column)| board.with_queen(row, column))
    }

    /// Returns the board with one more queen, or unchanged if the queen is on it already. Rows and
    /// columns count from 0, from the top left corner.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such square. The message counts rows and columns from 1.
    pub fn with_queen(mut self, row: usize, column: usize) -> Result<Self, InstanceError> {
        check_cell(row, column, self.size)?;
        if let Err(index) = self.queens.binary_search(&(row, column)) {
            self.queens.insert(index, (row, column));
        }
        Ok(self)
    }

    /// Returns the number of rows, which is also that of columns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the row and the column of each queen, row by row.
    #[must_use]
    pub fn queens(&self) -> &[(usize, usize)] {
        &self.queens
    }

    /// Returns two queens that attack each other, if there are any. Takes time linear in the size
    /// and in the number of queens.
    #[must_use]
    pub fn attack(&self) -> Option<[(usize, usize); 2]> {
        let mut holders = [
            vec![None; self.size],
            vec![None; self.size],
            vec![None; 2 * self.size],
            vec![None; 2 * self.size],
        ];
        for &(row, column) in &self.queens {
            let lines = [row, column, row + column, self.size + row - column];
            for (holders, line) in holders.iter_mut().zip(lines) {
                if let Some(other) = holders[line].replace((row, column)) {
                    return Some([other, (row, column)]);
                }
            }
        }
        None
    }

    /// Draws the board as the text of an SVG file. The queens of `given` have a tinted square. If
    /// the board has fewer queens than rows, lines mark the squares that its queens attack.
    #[must_use]
    pub fn svg(&self, given: &QueensBoard) -> String {
        let mut picture =
            Picture::new(self.size, self.size, format_args!("{} queens", self.queens.len()));
        picture.chessboard(self.size, self.size, false);
        given.queens.iter().for_each(|&(row, column)| picture.square(row, column, "soft"));
        picture.begin_queens(self.size);
        draw_queens(&mut picture, self.size, &self.queens);
        picture.finish()
    }
}

impl fmt::Display for QueensBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut queens = self.queens.iter().peekable();
        for row in 0..self.size {
            let mut line = ".".repeat(self.size);
            while let Some(&(_, column)) = queens.next_if(|queen| queen.0 == row) {
                line.replace_range(column..=column, "Q");
            }
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

impl FromStr for QueensBoard {
    type Err = ParseError;

    /// Reads a line per row, of `.` or `_` for empty squares and `Q` for queens, as many rows as
    /// columns. White space between squares is ignored. Lines may end in CR LF, the end of the last
    /// line is optional, and empty lines may follow it.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim_end_matches(['\n', '\r']);
        let rows = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let found = rows.clone().count();
        // A line that is too long for a board is rejected before it is read.
        let count_squares =
            |row: &str| row.chars().filter(|square| !square.is_whitespace()).count();
        let size = rows.clone().next().map_or(0, count_squares);
        if size == 0 {
            return Err(ParseError::at(1, 1, "found no squares, expected a row of `.` and `Q`"));
        }
        if size > Self::MAX_SIZE {
            let max = Self::MAX_SIZE;
            let message = format!("found a row of {size} squares, expected at most {max}");
            return Err(ParseError::in_line(1, message));
        }
        let (_, squares) = read_grid((1..).zip(rows), Some(size), "`.` or `Q`", |square| {
            matches!(square, '.' | '_' | 'Q').then_some(square == 'Q')
        })?;
        if found != size {
            let message = format!("found a board of height {found}, expected its width, {size}");
            // The first line that is missing, or the first one too many.
            return Err(ParseError::in_line(found.min(size) + 1, message));
        }
        let queens = (0..squares.len()).filter(|&square| squares[square]);
        let queens = queens.map(|square| (square / size, square % size)).collect();
        Ok(QueensBoard { size, queens })
    }
}

/// After this many consecutive draws of attacked squares, the free squares are listed.
const MAX_FAILED_DRAWS: u32 = 32;

impl QueensBoard {
    /// Creates a board with up to `count` queens on random squares, such that no two attack each
    /// other. The same seed gives the same board.
    ///
    /// The queens are placed one by one, each on a square drawn uniformly from those that no queen
    /// attacks. If there are none left, the board has fewer queens than requested. Gent, Jefferson
    /// and Nightingale (2017) study the completion of such boards: with few queens nearly all can
    /// be completed, with many nearly none, and the expensive instances lie in between.
    ///
    /// Each queen takes time linear in the size. Once free squares have become rare, all squares of
    /// free rows and columns are scanned once, and the free squares once per queen.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs_csp::{Ascending, Branching, Propagate, SmallestDomain};
    /// use secateurs_problems::queens::QueensBoard;
    ///
    /// let board = QueensBoard::random(30, 8, 1)?;
    /// assert_eq!((board.queens().len(), board.attack()), (8, None));
    /// let network = board.network();
    /// let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    /// let search = Search::new(&network).hooks((Propagate::arc_consistency(),)).brancher(order);
    /// let outcome = search.exists();
    /// assert_eq!(outcome.exists(), Some(true));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if `size` is above [`MAX_SIZE`](Self::MAX_SIZE).
    pub fn random(size: usize, count: usize, seed: u64) -> Result<Self, InstanceError> {
        let mut board = QueensBoard::new(size)?;
        let mut random = Rng::with_seed(seed);
        let mut lines = FreeLines::new(size);
        for _ in 0..count {
            match lines.draw_free_square(&mut random) {
                Some((row, column)) => {
                    lines.take(row, column);
                    board = board.with_queen(row, column)?;
                }
                None => break,
            }
        }
        Ok(board)
    }
}

/// The rows and columns without a queen, and the diagonals with one.
struct FreeLines {
    size: usize,
    /// The rows and the columns without a queen.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// Whether a diagonal has a queen, by row + column.
    rising: Vec<bool>,
    /// The same by size + row - column.
    falling: Vec<bool>,
    /// The squares that no queen attacks, listed only once they have become rare.
    free_squares: Option<Vec<(usize, usize)>>,
}

impl FreeLines {
    fn new(size: usize) -> Self {
        FreeLines {
            size,
            rows: (0..size).collect(),
            columns: (0..size).collect(),
            rising: vec![false; 2 * size],
            falling: vec![false; 2 * size],
            free_squares: None,
        }
    }

    fn is_free(&self, &(row, column): &(usize, usize)) -> bool {
        !self.rising[row + column] && !self.falling[self.size + row - column]
    }

    /// Draws uniformly from the squares whose row, column and diagonals are free.
    fn draw_free_square(&mut self, random: &mut Rng) -> Option<(usize, usize)> {
        if self.free_squares.is_none() {
            for _ in 0..MAX_FAILED_DRAWS {
                let square = (*random.choice(&self.rows)?, *random.choice(&self.columns)?);
                if self.is_free(&square) {
                    return Some(square);
                }
            }
            let squares = self
                .rows
                .iter()
                .flat_map(|&row| self.columns.iter().map(move |&column| (row, column)));
            self.free_squares = Some(squares.filter(|square| self.is_free(square)).collect());
        }
        random.choice(self.free_squares.as_deref()?).copied()
    }

    /// Places a queen on a free square.
    fn take(&mut self, row: usize, column: usize) {
        self.rows.retain(|&free| free != row);
        self.columns.retain(|&free| free != column);
        self.rising[row + column] = true;
        self.falling[self.size + row - column] = true;
        if let Some(mut free_squares) = self.free_squares.take() {
            free_squares
                .retain(|square| square.0 != row && square.1 != column && self.is_free(square));
            self.free_squares = Some(free_squares);
        }
    }
}

/// The given queens of a board, indexed such that each square is tested in constant time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given {
    size: usize,
    queens: Vec<(usize, usize)>,
    /// `None` if there is no given queen.
    lines: Option<HeldLines>,
    contradictory: bool,
}

/// The rows, columns and diagonals with a given queen, in memory linear in the size of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HeldLines {
    column_of_row: Vec<Option<usize>>,
    columns: Vec<bool>,
    /// By row + column.
    rising: Vec<bool>,
    /// By size + row - column.
    falling: Vec<bool>,
}

impl Given {
    pub(super) fn new(board: &QueensBoard) -> Self {
        let size = board.size();
        let queens = board.queens().to_vec();
        if queens.is_empty() {
            return Given { size, queens, lines: None, contradictory: false };
        }
        let mut lines = HeldLines {
            column_of_row: vec![None; size],
            columns: vec![false; size],
            rising: vec![false; 2 * size],
            falling: vec![false; 2 * size],
        };
        for &(row, column) in &queens {
            lines.column_of_row[row] = Some(column);
            lines.columns[column] = true;
            lines.rising[row + column] = true;
            lines.falling[size + row - column] = true;
        }
        Given { size, queens, lines: Some(lines), contradictory: board.attack().is_some() }
    }

    #[inline]
    pub(super) fn size(&self) -> usize {
        self.size
    }

    #[inline]
    pub(super) fn queens(&self) -> &[(usize, usize)] {
        &self.queens
    }

    /// Returns whether two of the given queens attack each other, so that there is no solution.
    #[inline]
    pub(super) fn is_contradictory(&self) -> bool {
        self.contradictory
    }

    /// Returns whether the queen of this row may be in this column: either it is given there, or
    /// the row has no given queen and no given queen attacks the square.
    #[inline]
    pub(super) fn leaves_open(&self, row: usize, column: usize) -> bool {
        let Some(lines) = &self.lines else { return true };
        match lines.column_of_row[row] {
            Some(given) => given == column,
            None => {
                !(lines.columns[column]
                    || lines.rising[row + column]
                    || lines.falling[self.size + row - column])
            }
        }
    }
}
