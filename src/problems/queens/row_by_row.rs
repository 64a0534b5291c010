//! What the state models have in common: the tree.

use crate::problem::Problem;

/// A model of n-queens that places one queen a row, from the top down: the queen of row `d` is the choice at depth `d`.
///
/// All models make the same tree, in the same order, and differ in what a state is and in what a choice looks like.
/// The number of queens placed in a run is the number of its [nodes](crate::Report::nodes) less one, the root.
///
/// ```
/// use secateurs::Search;
/// use secateurs::problems::queens::{BitQueens, LookBackQueens, Queens, RowByRow};
///
/// let queens = Queens::new(6)?;
/// let (bits, lookback) = (queens.bits(), queens.lookback());
/// let masks = Search::new(&bits).first();
/// let columns = Search::new(&lookback).first();
/// assert_eq!(masks.solution(), Some(&vec![2, 8, 32, 1, 4, 16]));
/// assert_eq!(columns.solution(), Some(&vec![1, 3, 5, 0, 2, 4]));
/// assert_eq!(masks.solution().map(BitQueens::columns), columns.solution().map(LookBackQueens::columns));
/// assert_eq!(masks.report().nodes(), columns.report().nodes());
/// # Ok::<(), secateurs::problems::queens::QueensError>(())
/// ```
pub trait RowByRow: Problem<Choice: Clone> {
    /// The number of rows, of columns and of queens.
    fn size(&self) -> usize;

    /// The squares of the queens that are given, as row and column from 0, from the top left.
    fn given(&self) -> &[(usize, usize)];

    /// The column, from 0, of a choice.
    fn column(choice: &Self::Choice) -> usize;

    /// The column, from 0, of each choice of a path: one a row, from the top.
    fn columns<'a>(path: impl IntoIterator<Item = &'a Self::Choice>) -> Vec<usize>
    where
        Self::Choice: 'a,
    {
        path.into_iter().map(Self::column).collect()
    }
}
