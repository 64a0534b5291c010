//! The symmetries of the square, as hooks for all state models.

use std::cmp::Ordering;
use std::fmt;

use super::board::Queens;
use super::row_by_row::RowByRow;
use crate::hook::{FirstChoices, Hook, LexLeader, Path, Permutation, SymmetryError, SymmetryGroup};

impl Queens {
    /// Returns a hook that searches one of each pair of left-right mirror images and counts it
    /// twice.
    ///
    /// It restricts the first queen to the left half of its row. On a board of odd size the middle
    /// is allowed as well; the reflection then maps the first row to itself, and the second queen
    /// is restricted to the left half. The hook about halves the tree. Below the second row it
    /// costs one comparison per choice.
    ///
    /// It works with every model. On boards with given queens it keeps everything, because a mirror
    /// image need not be a solution there.
    ///
    /// ```
    /// use secateurs::Search;
    /// use secateurs::problems::queens::Queens;
    ///
    /// let queens = Queens::new(9)?.bits();
    /// let outcome = Search::new(&queens).hooks((Queens::mirror(),)).count();
    /// assert_eq!(outcome.exact(), Some(352));
    /// assert_eq!(outcome.representatives(), Some(176));
    /// # Ok::<(), secateurs::problems::InstanceError>(())
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
                    // The first queen is off the middle, which breaks the symmetry.
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

    /// Returns a hook that finds each *fundamental* solution once, and counts it as often as there
    /// are different images under rotations and reflections of the board.
    ///
    /// It works with every model. On boards with given queens, it uses only the symmetries that map
    /// the set of given queens to itself. Of each orbit it keeps the solution with the
    /// lexicographically smallest list of columns.
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
    /// Returns [`SymmetryError::TooManyPairs`] if the board is too large. That is impossible for
    /// the models of this module, but possible for other implementations of [`RowByRow`].
    pub fn lex_leader<P: RowByRow>(
        queens: &P,
    ) -> Result<impl Hook<P> + Clone + Send + fmt::Debug + use<P>, SymmetryError> {
        let group = square_symmetries(queens.size(), queens.given())?;
        Ok(LexLeader::new(group, |_: &P, path: Path<'_, P::Choice>, choice: &P::Choice| {
            (path.len(), P::column(choice))
        }))
    }
}

/// Returns the symmetries of a square board that map the set of given queens to itself, with rows
/// as variables and columns as values.
fn square_symmetries(
    size: usize,
    given: &[(usize, usize)],
) -> Result<SymmetryGroup, SymmetryError> {
    let mut symmetries = Vec::new();
    for (transposed, upside_down, flipped) in
        (0..8).map(|bits: u8| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0))
    {
        let image = |row, column| {
            let (row, column) = if transposed { (column, row) } else { (row, column) };
            let reflect = |index: usize, yes| if yes { size - 1 - index } else { index };
            (reflect(row, upside_down), reflect(column, flipped))
        };
        if given.iter().all(|&(row, column)| given.contains(&image(row, column))) {
            symmetries.push(Permutation::new(size, size, image)?);
        }
    }
    // The symmetries are a subgroup already, but on the smallest boards some of them coincide.
    SymmetryGroup::generate(size, size, &symmetries, 8)
}
