//! [`RowByRow`]: the interface of the state models, which share one search tree.

use crate::problem::Problem;
use crate::problems::picture::Picture;

/// A model of n-queens that places one queen per row, from the top down: the queen of row `d` is
/// the choice at depth `d`.
///
/// All models generate the same tree in the same order. They differ in the types of their states
/// and choices. A run places one queen per [node](crate::Report::nodes), except at the root.
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
/// assert_eq!(
///     masks.solution().map(BitQueens::columns),
///     columns.solution().map(LookBackQueens::columns),
/// );
/// assert_eq!(masks.report().nodes(), columns.report().nodes());
/// # Ok::<(), secateurs::problems::InstanceError>(())
/// ```
pub trait RowByRow: Problem<Choice: Clone> {
    /// Returns the number of rows, which is also that of columns and of queens.
    fn size(&self) -> usize;

    /// Returns the squares of the given queens, as row and column, from 0 at the top left corner.
    fn given(&self) -> &[(usize, usize)];

    /// Returns the column, from 0, of a choice.
    fn column(choice: &Self::Choice) -> usize;

    /// Returns the column, from 0, of each choice of a path: one per row, from the top.
    fn columns<'a>(path: impl IntoIterator<Item = &'a Self::Choice>) -> Vec<usize>
    where
        Self::Choice: 'a,
    {
        path.into_iter().map(Self::column).collect()
    }

    /// Draws the board with the queens of a path, one per row from the top, as the text of an SVG
    /// file. Given queens have a tinted square. The path may be shorter than the board.
    ///
    /// ```
    /// use secateurs::problems::queens::{Queens, RowByRow};
    ///
    /// let queens = Queens::new(4)?.lookback();
    /// assert_eq!(queens.svg(&[1, 3]).matches("<circle").count(), 2);
    /// # Ok::<(), secateurs::problems::InstanceError>(())
    /// ```
    #[must_use]
    fn svg<'a>(&self, path: impl IntoIterator<Item = &'a Self::Choice>) -> String
    where
        Self::Choice: 'a,
    {
        let (size, columns) = (self.size(), Self::columns(path));
        let mut picture =
            Picture::new(size, size, format_args!("{} of {size} queens", columns.len()));
        let given = |square| self.given().contains(&square);
        for row in 0..size {
            let class = |column| match () {
                () if given((row, column)) => "soft",
                () if (row + column) % 2 == 1 => "dark",
                () => "",
            };
            picture.row(row, &(0..size).map(class).collect::<Vec<_>>());
        }
        // The path does not contain the given queens of the rows below it.
        let below = self.given().iter().copied().filter(|&(row, _)| row >= columns.len());
        for (row, column) in columns.iter().copied().enumerate().chain(below) {
            picture.disc(row, column);
        }
        picture.finish()
    }
}
