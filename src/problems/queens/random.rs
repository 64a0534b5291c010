//! Random boards to be completed.

use fastrand::Rng;

use super::{Board, QueensError};

/// After so many squares in a row that turned out to be attacked, those that are free are listed.
const PATIENCE: u32 = 32;

impl Board {
    /// A board with up to `count` queens on random squares, none of which attacks another; the same
    /// one for the same seed.
    ///
    /// One queen after the other is put on a square that is drawn from all those no queen attacks,
    /// each as likely as the other. If none is left, the board has fewer queens than asked for.
    /// Whether such a board can be completed is what Gent, Jefferson and Nightingale (2017) ask;
    /// with a few queens nearly all can, with many nearly none, and the expensive ones lie between.
    ///
    /// Cost: the size a queen; where free squares have become rare, also a look at the squares of
    /// all free rows and columns, once, and at those still free a queen.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Ascending, Branching, Propagate, SmallestDomain};
    /// use secateurs::problems::queens::Board;
    ///
    /// let board = Board::random(30, 8, 1)?;
    /// assert_eq!((board.queens().len(), board.attack()), (8, None));
    /// let network = board.network();
    /// let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    /// let outcome = Search::new(&network).hooks((Propagate::arc_consistency(),)).brancher(order).exists();
    /// assert_eq!(outcome.exists(), Some(true));
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`QueensError::TooLarge`] if `size` is above [`MAX_SIZE`](Self::MAX_SIZE).
    pub fn random(size: usize, count: usize, seed: u64) -> Result<Self, QueensError> {
        let mut board = Board::new(size)?;
        let mut random = Rng::with_seed(seed);
        let mut lines = Lines::new(size);
        for _ in 0..count {
            match lines.free_square(&mut random) {
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

/// What is still free.
struct Lines {
    size: usize,
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// Whether a queen stands on it, by row + column.
    rising: Vec<bool>,
    /// By size + row - column.
    falling: Vec<bool>,
    /// The squares that no queen attacks, once they have become rare.
    listed: Option<Vec<(usize, usize)>>,
}

impl Lines {
    fn new(size: usize) -> Self {
        Lines {
            size,
            rows: (0..size).collect(),
            columns: (0..size).collect(),
            rising: vec![false; 2 * size],
            falling: vec![false; 2 * size],
            listed: None,
        }
    }

    fn is_free(&self, &(row, column): &(usize, usize)) -> bool {
        !self.rising[row + column] && !self.falling[self.size + row - column]
    }

    /// A square on a free row, column and diagonals, each as likely as the other.
    fn free_square(&mut self, random: &mut Rng) -> Option<(usize, usize)> {
        if self.listed.is_none() {
            for _ in 0..PATIENCE {
                let square = (*random.choice(&self.rows)?, *random.choice(&self.columns)?);
                if self.is_free(&square) {
                    return Some(square);
                }
            }
            let squares = self
                .rows
                .iter()
                .flat_map(|&row| self.columns.iter().map(move |&column| (row, column)));
            self.listed = Some(squares.filter(|square| self.is_free(square)).collect());
        }
        random.choice(self.listed.as_deref()?).copied()
    }

    /// Puts a queen on a free square.
    fn take(&mut self, row: usize, column: usize) {
        self.rows.retain(|&free| free != row);
        self.columns.retain(|&free| free != column);
        self.rising[row + column] = true;
        self.falling[self.size + row - column] = true;
        if let Some(mut listed) = self.listed.take() {
            listed.retain(|square| square.0 != row && square.1 != column && self.is_free(square));
            self.listed = Some(listed);
        }
    }
}
