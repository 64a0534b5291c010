//! SVG pictures of tours and of positions.

use super::board::Square;
use super::problem::{KnightsTour, Position};
use super::tour::Tour;
use crate::problems::picture::Picture;

impl KnightsTour {
    /// Draws a position as the text of an SVG file: the path of the knight, numbered from 1, with a
    /// disc at its start. Free squares with one exit are tinted, and those without exits have a
    /// stronger tint.
    ///
    /// ```
    /// use secateurs::Problem;
    /// use secateurs::problems::knights_tour::{TourBoard, KnightsTour};
    ///
    /// let board = TourBoard::new(3, 4)?;
    /// let tour = KnightsTour::open(board);
    /// let mut position = tour.root();
    /// for (row, column) in [(0, 0), (1, 2), (2, 0)] {
    ///     tour.apply(&mut position, &board.square(row, column)?);
    /// }
    /// assert_eq!(tour.svg(&position).matches("<polyline").count(), 2);
    /// # Ok::<(), secateurs::problems::InstanceError>(())
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
        // One line per move, so that the picture of the next position only adds a line.
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

impl Tour {
    /// Draws the tour as the text of an SVG file: the path of the knight on the board, with a disc
    /// at its start. On boards with a side longer than 60, only the path and the disc are drawn.
    /// The size is about 12 bytes per square for those, and 150 for smaller ones.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let (rows, columns) = (self.board().rows(), self.board().columns());
        let kind = if self.is_closed() { "Closed" } else { "Open" };
        let mut picture = Picture::new(
            rows,
            columns,
            format_args!("{kind} knight's tour of a {} board", self.board()),
        );
        let in_full = !picture.is_large();
        let place = |&square: &Square| (self.board().row(square), self.board().column(square));
        if in_full {
            for square in self.board().squares() {
                let (row, column) = place(&square);
                picture.square(row, column, if self.board().is_dark(square) { "dark" } else { "" });
            }
        }
        let back = self.steps().first().filter(|_| self.is_closed());
        picture.path(self.steps().iter().chain(back).map(place));
        if let Some((row, column)) = self.steps().first().map(place) {
            picture.disc(row, column);
        }
        if in_full {
            for (index, (row, column)) in self.steps().iter().map(place).enumerate() {
                picture.text(row, column, index + 1);
            }
        }
        picture.finish()
    }
}
