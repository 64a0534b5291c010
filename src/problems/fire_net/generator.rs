//! Random boards, drawn like those of the article.

use super::board::FireNetBoard;
use super::state::State;
use crate::problems::error::InstanceError;

/// The most cells of a random board. More would hardly fit into memory.
const MOST_CELLS: u64 = 1 << 32;

impl FireNetBoard {
    /// Creates a random board: each cell is empty with probability `empty`, else a wall,
    /// independently of the others.
    ///
    /// The same arguments give the same board on every machine. The article's generator does the
    /// same on squares; its argument, too, is the probability of an *empty* cell.
    ///
    /// ```
    /// use secateurs::problems::fire_net::FireNetBoard;
    ///
    /// let board = FireNetBoard::random(10, 20, 0.8, 7)?;
    /// assert_eq!(board, FireNetBoard::random(10, 20, 0.8, 7)?);
    /// assert_eq!(FireNetBoard::random(3, 3, 1.0, 7)?, FireNetBoard::empty(3, 3));
    /// assert!(FireNetBoard::random(3, 3, 1.5, 7).is_err());
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if `empty` is not between 0 and 1, or if the board would have more than 2³²
    /// cells.
    pub fn random(
        rows: usize,
        columns: usize,
        empty: f64,
        seed: u64,
    ) -> Result<FireNetBoard, InstanceError> {
        if !(0.0..=1.0).contains(&empty) {
            return Err(InstanceError::new(format_args!(
                "found {empty} as the probability of an empty cell, expected a number from 0 to 1"
            )));
        }
        if rows.checked_mul(columns).is_none_or(|cells| cells as u64 > MOST_CELLS) {
            return Err(InstanceError::new(format_args!(
                "found {rows} rows and {columns} columns, expected at most 2^32 cells"
            )));
        }
        let mut random = fastrand::Rng::with_seed(seed);
        Ok(FireNetBoard::new(rows, columns, |_, _| random.f64() >= empty))
    }

    /// Returns the same board with up to `count` more bunkers, each on a random cell that no other
    /// bunker sees.
    ///
    /// There are fewer if no such cell is left. Cost: the number of cells.
    ///
    /// ```
    /// use secateurs::problems::fire_net::FireNetBoard;
    ///
    /// assert_eq!(FireNetBoard::empty(4, 4).with_random_bunkers(3, 1).bunkers().len(), 3);
    /// assert_eq!(FireNetBoard::empty(4, 4).with_random_bunkers(9, 1).bunkers().len(), 4);
    /// ```
    #[must_use]
    pub fn with_random_bunkers(&self, count: usize, seed: u64) -> FireNetBoard {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut cells: Vec<usize> = (0..self.cells()).collect();
        random.shuffle(&mut cells);
        let mut state = State::new(self);
        let before = state.placed();
        for cell in cells {
            if state.placed() - before == count {
                break;
            }
            state.place(self, cell);
        }
        // This cannot fail: bunkers are placed on candidates only, which no bunker sees.
        self.with_bunkers(state.bunkers()[before..].iter().copied())
            .unwrap_or_else(|_| self.clone())
    }
}
