//! Random instances of n-queens completion.

use fastrand::Rng;

use super::board::QueensBoard;
use crate::problems::error::InstanceError;

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
    /// Cost: the size per queen. Once free squares have become rare, all squares of free rows and
    /// columns are scanned once, and the free squares once per queen.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::csp::{Ascending, Branching, Propagate, SmallestDomain};
    /// use secateurs::problems::queens::QueensBoard;
    ///
    /// let board = QueensBoard::random(30, 8, 1)?;
    /// assert_eq!((board.queens().len(), board.attack()), (8, None));
    /// let network = board.network();
    /// let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    /// let search = Search::new(&network).hooks((Propagate::arc_consistency(),)).brancher(order);
    /// let outcome = search.exists();
    /// assert_eq!(outcome.exists(), Some(true));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if `size` is above [`MAX_SIZE`](Self::MAX_SIZE).
    pub fn random(size: usize, count: usize, seed: u64) -> Result<Self, InstanceError> {
        let mut board = QueensBoard::new(size)?;
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

/// The free lines of a board.
struct Lines {
    size: usize,
    /// The rows and the columns without a queen.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// Whether a diagonal has a queen, by row + column.
    rising: Vec<bool>,
    /// The same by size + row - column.
    falling: Vec<bool>,
    /// The squares that no queen attacks, listed only once they have become rare.
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

    /// Draws uniformly from the squares whose row, column and diagonals are free.
    fn free_square(&mut self, random: &mut Rng) -> Option<(usize, usize)> {
        if self.listed.is_none() {
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
            self.listed = Some(squares.filter(|square| self.is_free(square)).collect());
        }
        random.choice(self.listed.as_deref()?).copied()
    }

    /// Places a queen on a free square.
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
