//! The marking model of n-queens: the state is a board on which every attacked square is marked.

use super::board::{Queens, QueensBoard};
use super::effort::Effort;
use super::given::Given;
use super::row_by_row::RowByRow;
use crate::memory::vec_bytes;
use crate::problem::{Branch, Problem};

/// The n-queens problem, row by row, marking attacked squares on a board.
///
/// A choice is a column, from 0. The test of a square is one memory access. A step is expensive: it
/// marks the squares that the new queen attacks in the rows below. Each mark identifies the queen
/// that made it first, so an undo removes the marks of the last queen and no board is ever copied.
/// Memory: two bytes per square.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::Queens;
///
/// assert_eq!(Search::new(&Queens::new(7)?.marks()).count().exact(), Some(40));
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MarkQueens {
    given: Given,
    effort: Option<Effort>,
}

/// A board with the attacked squares marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkState {
    size: usize,
    row: usize,
    /// Row by row: [`FREE`], [`NOT_OPEN`], or one more than the row of the queen that first
    /// attacked the square.
    marks: Vec<u16>,
}

const FREE: u16 = 0;
/// The mark of squares that the given queens exclude. It exceeds the number of rows of any board.
const NOT_OPEN: u16 = u16::MAX;

impl MarkState {
    /// Returns the number of queens placed, which is the row of the next one.
    #[must_use]
    pub fn row(&self) -> usize {
        self.row
    }

    /// Returns whether a queen, placed or given, attacks a square in the row of the next queen or
    /// below it. Returns `true` for squares outside the board.
    #[must_use]
    pub fn is_attacked(&self, row: usize, column: usize) -> bool {
        row >= self.size || column >= self.size || self.marks[row * self.size + column] != FREE
    }

    /// Replaces the mark `from` by `to` on the squares below that a queen in this column of the
    /// current row attacks.
    fn remark(&mut self, column: usize, from: u16, to: u16) {
        for (distance, row) in
            (1..).zip(self.marks[(self.row + 1) * self.size..].chunks_exact_mut(self.size))
        {
            let squares =
                [Some(column), column.checked_sub(distance), column.checked_add(distance)];
            for column in squares.into_iter().flatten() {
                if let Some(mark) = row.get_mut(column)
                    && *mark == from
                {
                    *mark = to;
                }
            }
        }
    }

    /// Returns the mark of the queen of the current row.
    fn own_mark(&self) -> u16 {
        // No truncation: `QueensBoard::MAX_SIZE` is less than `NOT_OPEN`.
        self.row as u16 + 1
    }
}

impl Queens {
    /// Returns the problem in the marking model.
    #[must_use]
    pub fn marks(self) -> MarkQueens {
        self.board().marks()
    }
}

impl QueensBoard {
    /// Returns the problem of completing this board, in the marking model.
    #[must_use]
    pub fn marks(&self) -> MarkQueens {
        MarkQueens { given: Given::new(self), effort: None }
    }
}

impl MarkQueens {
    /// Counts the squares tested in `effort`. Cost: a few memory accesses per queen placed.
    #[must_use]
    pub fn counting(mut self, effort: &Effort) -> Self {
        self.effort = Some(effort.clone());
        self
    }
}

impl RowByRow for MarkQueens {
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

impl Problem for MarkQueens {
    type State = MarkState;
    /// The column to try next.
    type Cursor = usize;
    type Choice = usize;
    type Undo = ();

    fn root(&self) -> MarkState {
        let size = self.given.size();
        let squares = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        let mark =
            |(row, column)| if self.given.leaves_open(row, column) { FREE } else { NOT_OPEN };
        MarkState { size, row: 0, marks: squares.map(mark).collect() }
    }

    #[inline]
    fn branch(&self, state: &MarkState) -> Branch<usize> {
        if self.given.is_contradictory() {
            Branch::DeadEnd
        } else if state.row == state.size {
            Branch::Solution
        } else {
            Branch::Inner(0)
        }
    }

    fn next(&self, state: &MarkState, cursor: &mut usize) -> Option<usize> {
        let row = &state.marks[state.row * state.size..(state.row + 1) * state.size];
        let start = *cursor;
        let found = (start..state.size).find(|&column| row[column] == FREE);
        *cursor = found.map_or(state.size, |column| column + 1);
        if let Some(effort) = &self.effort {
            effort.add(*cursor - start, 0);
        }
        found
    }

    fn can_apply(&self, state: &MarkState, &column: &usize) -> bool {
        let is_on_board = state.row < state.size && column < state.size;
        is_on_board && state.marks[state.row * state.size + column] == FREE
    }

    fn heap_bytes(&self, state: &MarkState) -> usize {
        vec_bytes(&state.marks)
    }

    #[inline]
    fn apply(&self, state: &mut MarkState, &column: &usize) {
        state.remark(column, FREE, state.own_mark());
        state.row += 1;
    }

    #[inline]
    fn undo(&self, state: &mut MarkState, &column: &usize, (): ()) {
        state.row -= 1;
        state.remark(column, state.own_mark(), FREE);
    }
}
