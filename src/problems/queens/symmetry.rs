//! The symmetries of the square, as hooks for every state model.

use std::cmp::Ordering;
use std::fmt;

use super::{Queens, RowByRow};
use crate::hook::{FirstChoices, LexLeader, Permutation, SymmetryError, SymmetryGroup};
use crate::hook::{Hook, Path};

impl Queens {
    /// A hook that searches one of each pair of mirror images, left to right, and counts it twice.
    ///
    /// The first queen stays in the left half of its row. On a board of odd size it may stand in
    /// the middle as well; the mirror then turns the first row into itself, and the second queen
    /// stays in the left half. The tree is about halved, and below the second row it costs one
    /// comparison a choice.
    ///
    /// It fits every model. Where queens are given, mirror images are no solutions, and it keeps
    /// everything.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(9)?.bits();
    /// let outcome = Search::new(&queens).hooks((Queens::mirror(),)).count();
    /// assert_eq!(outcome.exact(), Some(352));
    /// assert_eq!(outcome.representatives(), Some(176));
    /// # Ok::<(), secateurs::problems::queens::QueensError>(())
    /// ```
    #[must_use]
    pub fn mirror<P: RowByRow>() -> impl Hook<P> + Clone + Send + fmt::Debug + use<P> {
        FirstChoices::new(
            "mirror",
            2,
            |queens: &P, path: Path<'_, P::Choice>, choice: &P::Choice| {
                let mirrored = queens.size() - 1 - P::column(choice);
                match P::column(choice).cmp(&mirrored) {
                    _ if !queens.given().is_empty() => 1,
                    // The first queen stands on one side, and the mirror is used up.
                    _ if path
                        .last()
                        .is_some_and(|first| 2 * P::column(first) + 1 != queens.size()) =>
                    {
                        1
                    }
                    Ordering::Less => 2,
                    Ordering::Equal => 1,
                    Ordering::Greater => 0,
                }
            },
        )
    }

    /// A hook that finds each *fundamental* solution once, and counts it as many times as turning
    /// and flipping the board makes different solutions of it.
    ///
    /// It fits every model. Where queens are given, the symmetries are those that turn the given
    /// queens into themselves. Of each orbit it keeps the solution whose list of columns is
    /// smallest.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(8)?.lookback();
    /// let outcome = Search::new(&queens).hooks((Queens::lex_leader(&queens)?,)).count();
    /// assert_eq!(outcome.representatives(), Some(12));
    /// assert_eq!(outcome.exact(), Some(92));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// None on the boards that there are; [`SymmetryError::TooManyPairs`] if a model of another's
    /// making is larger.
    pub fn lex_leader<P: RowByRow>(
        queens: &P,
    ) -> Result<impl Hook<P> + Clone + Send + fmt::Debug + use<P>, SymmetryError> {
        let group = square(queens.size(), queens.given())?;
        Ok(LexLeader::new(group, |_: &P, path: Path<'_, P::Choice>, choice: &P::Choice| {
            (path.len(), P::column(choice))
        }))
    }
}

/// The symmetries of a square board that turn the given queens into themselves: row and column are
/// variable and value.
fn square(size: usize, given: &[(usize, usize)]) -> Result<SymmetryGroup, SymmetryError> {
    let mut symmetries = Vec::new();
    for (transposed, upside_down, flipped) in
        (0..8).map(|bits: u8| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0))
    {
        let image = |row, column| {
            let (row, column) = if transposed { (column, row) } else { (row, column) };
            let turn = |index: usize, turned| if turned { size - 1 - index } else { index };
            (turn(row, upside_down), turn(column, flipped))
        };
        if given.iter().all(|&(row, column)| given.contains(&image(row, column))) {
            symmetries.push(Permutation::new(size, size, image)?);
        }
    }
    // A subgroup of the eight already; on the smallest boards some of the eight are the same.
    SymmetryGroup::generate(size, size, &symmetries, 8)
}
