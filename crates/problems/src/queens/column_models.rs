//! The two models of n-queens whose choices are columns. The state of the *look-back* model is the
//! list of queens, and each new queen is compared with all earlier ones. The state of the *marking*
//! model is a board on which every attacked square is marked.

use secateurs::{Branch, Problem, vec_bytes};

use super::board::{Given, Queens, QueensBoard};
use super::row_by_row::{Effort, RowByRow};

/// The n-queens problem, row by row, comparing each square with the queens placed.
///
/// A choice is a column, from 0. The state is minimal, and a step costs almost nothing. The test of
/// a square is expensive: it compares the square with the queens placed, from the top row down,
/// until one attacks it. This is the program of most textbooks (Wirth 1971 derives it by stepwise
/// refinement).
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::queens::Queens;
///
/// assert_eq!(Search::new(&Queens::new(7)?.lookback()).count().exact(), Some(40));
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LookBackQueens {
    given: Given,
    effort: Option<Effort>,
}

/// Implements the constructors, the method `counting` and [`RowByRow`] for a model whose choices
/// are columns.
macro_rules! column_model {
    ($model:ident, $constructor:ident, $name:literal, $counting:literal) => {
        impl Queens {
            #[doc = concat!("Returns the problem in the ", $name, " model.")]
            #[must_use]
            pub fn $constructor(self) -> $model {
                self.board().$constructor()
            }
        }

        impl QueensBoard {
            #[doc = concat!("Returns the problem to complete this board: the ", $name, " model.")]
            #[must_use]
            pub fn $constructor(&self) -> $model {
                $model { given: Given::new(self), effort: None }
            }
        }

        impl $model {
            #[doc = $counting]
            #[must_use]
            pub fn counting(mut self, effort: &Effort) -> Self {
                self.effort = Some(effort.clone());
                self
            }
        }

        impl RowByRow for $model {
            #[inline]
            fn size(&self) -> usize {
                self.given.size()
            }

            #[inline]
            fn given(&self) -> &[(usize, usize)] {
                self.given.queens()
            }

            #[inline]
            fn column(choice: &usize) -> usize {
                *choice
            }
        }
    };
}

column_model!(
    LookBackQueens,
    lookback,
    "look-back",
    "Counts the squares tested and the pairs of queens compared in `effort`. The counting takes \
     about as long as one more pair test per queen placed."
);
column_model!(
    MarkQueens,
    marks,
    "marking",
    "Counts the squares tested in `effort`. The counting takes a few memory accesses per queen \
     placed."
);

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

    #[inline]
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

    fn accepts_saved(&self, queens: &Vec<usize>, &column: &usize) -> bool {
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

/// The n-queens problem, row by row, marking attacked squares on a board.
///
/// A choice is a column, from 0. The test of a square is one memory access. A step is expensive: it
/// marks the squares that the new queen attacks in the rows below. Each mark identifies the queen
/// that made it first, so an undo removes the marks of the last queen and no board is ever copied.
/// The state takes two bytes per square.
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::queens::Queens;
///
/// assert_eq!(Search::new(&Queens::new(7)?.marks()).count().exact(), Some(40));
/// # Ok::<(), secateurs_problems::InstanceError>(())
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
    /// Replaces the mark `from` by `to` on the squares below that a queen in this column of the
    /// current row attacks.
    #[inline]
    fn replace_marks(&mut self, column: usize, from: u16, to: u16) {
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
    #[inline]
    fn own_mark(&self) -> u16 {
        // No truncation: `QueensBoard::MAX_SIZE` is less than `NOT_OPEN`.
        self.row as u16 + 1
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

    #[inline]
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

    fn accepts_saved(&self, state: &MarkState, &column: &usize) -> bool {
        let is_on_board = state.row < state.size && column < state.size;
        is_on_board && state.marks[state.row * state.size + column] == FREE
    }

    fn heap_bytes(&self, state: &MarkState) -> usize {
        vec_bytes(&state.marks)
    }

    #[inline]
    fn apply(&self, state: &mut MarkState, &column: &usize) {
        state.replace_marks(column, FREE, state.own_mark());
        state.row += 1;
    }

    #[inline]
    fn undo(&self, state: &mut MarkState, &column: &usize, (): ()) {
        state.row -= 1;
        state.replace_marks(column, state.own_mark(), FREE);
    }
}
