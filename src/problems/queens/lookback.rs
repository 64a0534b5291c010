//! The look-back model of n-queens: the state is the list of queens, and each new queen is compared
//! with all earlier ones.

use super::board::{Queens, QueensBoard};
use super::effort::Effort;
use super::given::Given;
use super::row_by_row::RowByRow;
use crate::memory::vec_bytes;
use crate::problem::{Branch, Problem};

/// The n-queens problem, row by row, comparing each square with the queens placed.
///
/// A choice is a column, from 0. The state is minimal, and a step costs almost nothing. The test of
/// a square is expensive: it compares the square with the queens placed, from the top row down,
/// until one attacks it. This is the program of most textbooks (Wirth 1971 derives it by stepwise
/// refinement).
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::Queens;
///
/// assert_eq!(Search::new(&Queens::new(7)?.lookback()).count().exact(), Some(40));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LookBackQueens {
    given: Given,
    effort: Option<Effort>,
}

impl Queens {
    /// Returns the problem in the look-back model.
    #[must_use]
    pub fn lookback(self) -> LookBackQueens {
        self.board().lookback()
    }
}

impl QueensBoard {
    /// Returns the problem of completing this board, in the look-back model.
    #[must_use]
    pub fn lookback(&self) -> LookBackQueens {
        LookBackQueens { given: Given::new(self), effort: None }
    }
}

impl LookBackQueens {
    /// Counts the squares tested and the pairs of queens compared in `effort`. Cost: about one pair
    /// test per queen placed.
    #[must_use]
    pub fn counting(mut self, effort: &Effort) -> Self {
        self.effort = Some(effort.clone());
        self
    }
}

impl RowByRow for LookBackQueens {
    fn size(&self) -> usize {
        self.given.size()
    }
    fn given(&self) -> &[(usize, usize)] {
        self.given.queens()
    }
    #[inline]
    fn column(choice: &usize) -> usize {
        *choice
    }
}

impl Problem for LookBackQueens {
    /// The columns of the queens placed, row by row.
    type State = Vec<usize>;
    /// The column to try next.
    type Cursor = usize;
    type Choice = usize;
    type Undo = ();

    fn root(&self) -> Vec<usize> {
        Vec::with_capacity(self.given.size())
    }

    #[inline]
    fn branch(&self, queens: &Vec<usize>) -> Branch<usize> {
        if self.given.is_contradictory() {
            Branch::DeadEnd
        } else if queens.len() == self.given.size() {
            Branch::Solution
        } else {
            Branch::Inner(0)
        }
    }

    fn next(&self, queens: &Vec<usize>, cursor: &mut usize) -> Option<usize> {
        let row = queens.len();
        let start = *cursor;
        let mut pair_tests = 0;
        let found = (start..self.given.size()).find(|&column| {
            self.given.leaves_open(row, column)
                && queens.iter().enumerate().all(|(above, &queen)| {
                    pair_tests += 1;
                    queen != column && queen.abs_diff(column) != row - above
                })
        });
        *cursor = found.map_or(self.given.size(), |column| column + 1);
        if let Some(effort) = &self.effort {
            effort.add(*cursor - start, pair_tests);
        }
        found
    }

    fn can_apply(&self, queens: &Vec<usize>, &column: &usize) -> bool {
        let (row, size) = (queens.len(), self.given.size());
        let attacks = |(above, &queen): (usize, &usize)| {
            queen == column || queen.abs_diff(column) == row - above
        };
        let is_open = row < size && column < size && self.given.leaves_open(row, column);
        is_open && !queens.iter().enumerate().any(attacks)
    }

    fn heap_bytes(&self, queens: &Vec<usize>) -> usize {
        vec_bytes(queens)
    }

    #[inline]
    fn apply(&self, queens: &mut Vec<usize>, &column: &usize) {
        queens.push(column);
    }

    #[inline]
    fn undo(&self, queens: &mut Vec<usize>, _: &usize, (): ()) {
        queens.pop();
    }
}
