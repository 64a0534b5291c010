//! The picture of a tour that is under way.

use super::board::Square;
use super::problem::{KnightsTour, Position};
use crate::problems::picture::Picture;

impl KnightsTour {
    /// How far a tour has come, as the text of an SVG file: the way of the knight, numbered from 1,
    /// which starts on a disc. Free squares that have one exit are tinted, and those that have none
    /// stand out more.
    ///
    /// ```
    /// use secateurs::Problem;
    /// use secateurs::problems::knights_tour::{Board, KnightsTour};
    ///
    /// let board = Board::new(3, 4)?;
    /// let tour = KnightsTour::open(board);
    /// let mut position = tour.root();
    /// for (row, column) in [(0, 0), (1, 2), (2, 0)] {
    ///     tour.apply(&mut position, &board.square(row, column)?);
    /// }
    /// assert_eq!(tour.svg(&position).matches("<polyline").count(), 2);
    /// # Ok::<(), secateurs::problems::knights_tour::BoardError>(())
    /// ```
    #[must_use]
    pub fn svg(&self, position: &Position) -> String {
        let board = self.board();
        let (rows, columns) = (board.rows(), board.columns());
        let place = |square: Square| (board.row(square), board.column(square));
        let mut picture = Picture::new(
            rows,
            columns,
            format_args!("{} of {} squares visited", position.visited(), board.len()),
        );
        for square in board.squares() {
            let (row, column) = place(square);
            let class = match position.exits(square) {
                0 if position.is_free(square) => "tint",
                1 if position.is_free(square) => "soft",
                _ if board.is_dark(square) => "dark",
                _ => "",
            };
            picture.square(row, column, class);
        }
        let squares = position.squares();
        // A line a move, so that the next picture has them all, and one more.
        for step in squares.windows(2) {
            picture.path(step.iter().copied().map(place));
        }
        if let Some((row, column)) = position.start().map(place) {
            picture.disc(row, column);
        }
        if !picture.is_large() {
            for (index, (row, column)) in squares.into_iter().map(place).enumerate() {
                picture.text(row, column, index + 1);
            }
        }
        picture.finish()
    }
}
