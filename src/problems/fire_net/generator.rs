//! Random boards, as the article's generator makes them.

use std::error::Error;
use std::fmt;

use super::board::Board;

/// More cells than this are refused: the memory for them would not be found.
const MOST_CELLS: u64 = 1 << 32;

impl Board {
    /// A random board: each cell is empty with probability `empty`, else a wall, independently of
    /// the others.
    ///
    /// The same arguments give the same board on every machine. The article's generator is this, on
    /// squares; note that its argument is the probability of an *empty* cell.
    ///
    /// ```
    /// use secateurs::problems::fire_net::Board;
    ///
    /// let board = Board::random(10, 20, 0.8, 7)?;
    /// assert_eq!(board, Board::random(10, 20, 0.8, 7)?);
    /// assert_eq!(Board::random(3, 3, 1.0, 7)?, Board::empty(3, 3));
    /// assert!(Board::random(3, 3, 1.5, 7).is_err());
    /// # Ok::<(), secateurs::problems::fire_net::GeneratorError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `empty` is not between 0 and 1, or if the board would have more than 2³² cells.
    pub fn random(
        rows: usize,
        columns: usize,
        empty: f64,
        seed: u64,
    ) -> Result<Board, GeneratorError> {
        if !(0.0..=1.0).contains(&empty) {
            return Err(GeneratorError::Probability { found: empty });
        }
        if rows.checked_mul(columns).is_none_or(|cells| cells as u64 > MOST_CELLS) {
            return Err(GeneratorError::TooLarge { rows, columns });
        }
        let mut random = fastrand::Rng::with_seed(seed);
        Ok(Board::new(rows, columns, |_, _| random.f64() >= empty))
    }

    /// The same board with up to `count` more bunkers, each on a random cell that is not seen by
    /// any.
    ///
    /// Fewer if no such cell is left. Cost: the cells of the board.
    ///
    /// ```
    /// use secateurs::problems::fire_net::Board;
    ///
    /// assert_eq!(Board::empty(4, 4).with_random_bunkers(3, 1).bunkers().len(), 3);
    /// assert_eq!(Board::empty(4, 4).with_random_bunkers(9, 1).bunkers().len(), 4);
    /// ```
    #[must_use]
    pub fn with_random_bunkers(&self, count: usize, seed: u64) -> Board {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut cells: Vec<usize> = (0..self.cells()).collect();
        random.shuffle(&mut cells);
        let mut state = super::state::State::new(self);
        let before = state.placed();
        for cell in cells {
            if state.placed() - before == count {
                break;
            }
            state.place(self, cell);
        }
        // Only candidates have been placed on, which see no bunker.
        self.with_bunkers(state.bunkers()[before..].iter().copied())
            .unwrap_or_else(|_| self.clone())
    }
}

/// Why no random board was made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum GeneratorError {
    /// A probability outside of 0 to 1.
    Probability {
        /// What was given.
        found: f64,
    },
    /// A board of more than 2³² cells.
    TooLarge {
        /// The rows.
        rows: usize,
        /// The columns.
        columns: usize,
    },
}

impl fmt::Display for GeneratorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GeneratorError::Probability { found } => {
                write!(
                    f,
                    "found {found} as the probability of an empty cell, expected a number from 0 to 1"
                )
            }
            GeneratorError::TooLarge { rows, columns } => {
                write!(f, "found {rows} rows and {columns} columns, expected at most 2^32 cells")
            }
        }
    }
}

impl Error for GeneratorError {}
