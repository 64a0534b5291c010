//! What the state models have in common: the tree.

use crate::problem::Problem;
use crate::problems::picture::Picture;

/// A model of n-queens that places one queen a row, from the top down: the queen of row `d` is the
/// choice at depth `d`.
///
/// All models make the same tree, in the same order, and differ in what a state is and in what a
/// choice looks like. The number of queens placed in a run is the number of its
/// [nodes](crate::Report::nodes) less one, the root.
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

    /// The board with the queens of a path, one a row from the top, as the text of an SVG file;
    /// given queens stand on a ground of their own colour. A path below a node may be one of a
    /// state whose last rows are still empty.
    ///
    /// ```
    /// use secateurs::problems::queens::{Queens, RowByRow};
    ///
    /// let queens = Queens::new(4)?.lookback();
    /// assert_eq!(queens.svg(&[1, 3]).matches("<circle").count(), 2);
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
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
            let ground = |column| match () {
                () if given((row, column)) => "soft",
                () if (row + column) % 2 == 1 => "dark",
                () => "",
            };
            picture.row(row, &(0..size).map(ground).collect::<Vec<_>>());
        }
        // Those given below the path are there as well.
        let below = self.given().iter().copied().filter(|&(row, _)| row >= columns.len());
        for (row, column) in columns.iter().copied().enumerate().chain(below) {
            picture.disc(row, column);
        }
        picture.finish()
    }
}
