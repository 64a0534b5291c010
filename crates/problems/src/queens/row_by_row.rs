//! [`RowByRow`], the interface of the state models, which share one search tree; the symmetries of
//! the square, as hooks for all of them; and [`Effort`], counters that are comparable with
//! published programs.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicU64};

use secateurs::Problem;
use secateurs::hook::{
    FirstChoices, Hook, LexLeader, Path, Permutation, SymmetryError, SymmetryGroup,
};

use super::board::{Queens, draw_queens};
use crate::picture::Picture;

/// A model of n-queens that places one queen per row, from the top down: the queen of row `d` is
/// the choice at depth `d`.
///
/// All models generate the same tree in the same order. They differ in the types of their states
/// and choices. A run places one queen per [node](secateurs::Report::nodes), except at the root.
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::queens::{BitQueens, LookBackQueens, Queens, RowByRow};
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
/// # Ok::<(), secateurs_problems::InstanceError>(())
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
    /// file. Given queens have a tinted square. The path may be shorter than the board: lines then
    /// mark the squares that the queens attack.
    ///
    /// ```
    /// use secateurs_problems::queens::{Queens, RowByRow};
    ///
    /// let queens = Queens::new(4)?.lookback();
    /// assert_eq!(queens.svg(&[1, 3]).matches("<use").count(), 2);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    #[must_use]
    fn svg<'a>(&self, path: impl IntoIterator<Item = &'a Self::Choice>) -> String
    where
        Self::Choice: 'a,
    {
        self.svgs()(Self::columns(path))
    }

    /// Returns a function that draws boards as [`svg`](Self::svg) does, from the column of the
    /// queen in each row of a path. The empty board is drawn once, so that many boards are drawn
    /// quickly.
    fn svgs(&self) -> impl Fn(Vec<usize>) -> String {
        let size = self.size();
        let mut empty = Picture::new(size, size, "");
        let given = self.given().to_vec();
        empty.chessboard(size, size, false);
        given.iter().for_each(|&(row, column)| empty.square(row, column, "soft"));
        empty.begin_queens(size);
        move |columns| {
            let mut picture = empty.titled(format_args!("{} of {size} queens", columns.len()));
            // The path does not contain the given queens of the rows below it.
            let below = given.iter().copied().filter(|&(row, _)| row >= columns.len());
            let queens: Vec<_> = columns.iter().copied().enumerate().chain(below).collect();
            draw_queens(&mut picture, size, &queens);
            picture.finish()
        }
    }
}

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
    /// use secateurs_problems::queens::Queens;
    ///
    /// let queens = Queens::new(9)?.bits();
    /// let outcome = Search::new(&queens).hooks((Queens::mirror(),)).count();
    /// assert_eq!(outcome.exact(), Some(352));
    /// assert_eq!(outcome.representatives(), Some(176));
    /// # Ok::<(), secateurs_problems::InstanceError>(())
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
    /// use secateurs_problems::queens::Queens;
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

/// A counter of the squares that a model tests and the pairs of queens that it compares; see
/// [`counting`](super::MarkQueens::counting).
///
/// The engine counts nodes, which are squares found free. Only the model can count the squares
/// tested to find them. Clones share one counter, and threads may share it: it holds their sums.
///
/// ```
/// use secateurs::Search;
/// use secateurs_problems::queens::{Effort, Queens};
///
/// let effort = Effort::new();
/// let queens = Queens::new(8)?.lookback().counting(&effort);
/// let outcome = Search::new(&queens).count();
/// assert_eq!(outcome.report().nodes() - 1, 2_056);
/// assert_eq!(effort.attempts(), 15_720);
/// assert_eq!(effort.pair_tests(), 46_752);
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Effort(Arc<Counters>);

// All accesses are relaxed: each counter is a sum of its own that orders no other memory. A caller
// that joins the threads of a search before it reads sees the final sums.
#[derive(Debug, Default)]
struct Counters {
    attempts: AtomicU64,
    pair_tests: AtomicU64,
    excludes: AtomicU64,
}

impl Effort {
    /// Creates counters that start at 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of squares tested, free or not.
    #[must_use]
    pub fn attempts(&self) -> u64 {
        self.0.attempts.load(atomic::Ordering::Relaxed)
    }

    /// Returns the number of pairs of queens compared: a queen placed, and a candidate for the next
    /// one. Only the [look-back model](super::LookBackQueens) compares pairs.
    #[must_use]
    pub fn pair_tests(&self) -> u64 {
        self.0.pair_tests.load(atomic::Ordering::Relaxed)
    }

    /// Returns the number of squares that square-by-square propagation would examine. The hook
    /// [`excludes_hook`](Effort::excludes_hook) (feature `networks`) counts them.
    #[must_use]
    pub fn excludes(&self) -> u64 {
        self.0.excludes.load(atomic::Ordering::Relaxed)
    }

    #[cfg(feature = "networks")]
    pub(super) fn add_excludes(&self, squares: u64) {
        self.0.excludes.fetch_add(squares, atomic::Ordering::Relaxed);
    }

    pub(super) fn add(&self, attempts: usize, pair_tests: usize) {
        self.0.attempts.fetch_add(attempts as u64, atomic::Ordering::Relaxed);
        self.0.pair_tests.fetch_add(pair_tests as u64, atomic::Ordering::Relaxed);
    }
}
