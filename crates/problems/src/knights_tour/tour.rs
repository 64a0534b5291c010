//! [`Tour`], a valid tour of a board; and pictures of tours and of positions.

use std::fmt;

use super::board::{Square, TourBoard};
use super::problem::{KnightsTour, Position};
use crate::picture::Picture;
use crate::{InstanceError, write_numbers};

/// A knight's tour: every square of the board once, each a knight's move from the previous one.
///
/// `Display` prints the board with the number of the step at which each square is visited, from 1,
/// in aligned columns.
///
/// ```
/// use secateurs_problems::knights_tour::{TourAnswer, TourBoard, TourSearch};
///
/// let solved = TourSearch::new(TourBoard::new(5, 5)?).solve();
/// let TourAnswer::Tour(tour) = solved.answer() else { panic!("there is one") };
/// assert_eq!(tour.steps().len(), 25);
/// assert_eq!(tour.to_string().lines().count(), 5);
/// # Ok::<(), secateurs_problems::InstanceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tour {
    board: TourBoard,
    squares: Vec<Square>,
}

impl Tour {
    /// Creates a tour of `board` along `squares`.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too few or too many squares, if a square is not on the board
    /// or is visited twice, or if a step is not a knight's move.
    pub fn new(board: TourBoard, squares: Vec<Square>) -> Result<Self, InstanceError> {
        let (found, expected) = (squares.len(), board.len());
        if found != expected {
            return Err(InstanceError::new(format_args!(
                "found a list of length {found}, expected {expected}, all squares of the board"
            )));
        }
        let mut visited = vec![false; board.len()];
        for (index, &square) in squares.iter().enumerate() {
            let (row, column) = (board.row(square), board.column(square));
            if !board.holds(square)
                || std::mem::replace(&mut visited[row * board.columns() + column], true)
            {
                return Err(InstanceError::new(format_args!(
                    "step {} is on a square that was visited before or is not on the board; \
                     expected a free square",
                    index + 1
                )));
            }
            if index > 0 && !board.is_move(squares[index - 1], square) {
                return Err(InstanceError::new(format_args!(
                    "step {} is not next to the previous one; expected a knight's move",
                    index + 1
                )));
            }
        }
        Ok(Tour { board, squares })
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> TourBoard {
        self.board
    }

    /// Returns the squares in the order in which they are visited.
    #[must_use]
    pub fn steps(&self) -> &[Square] {
        &self.squares
    }

    /// Returns whether the last square is a knight's move from the first.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        match (self.squares.first(), self.squares.last()) {
            (Some(&first), Some(&last)) => self.board.is_move(first, last),
            _ => false,
        }
    }

    /// Returns the same closed tour, started from another square. An open tour, or a tour without
    /// that square, is returned unchanged.
    #[must_use]
    pub fn started_from(mut self, start: Square) -> Self {
        if self.is_closed()
            && let Some(index) = self.squares.iter().position(|&square| square == start)
        {
            self.squares.rotate_left(index);
        }
        self
    }

    /// Returns the number of the step, from 1, at which each square is visited, row by row.
    #[must_use]
    pub fn numbers(&self) -> Vec<usize> {
        let mut numbers = vec![0; self.board.len()];
        for (index, &square) in self.squares.iter().enumerate() {
            numbers[self.board.row(square) * self.board.columns() + self.board.column(square)] =
                index + 1;
        }
        numbers
    }
}

impl fmt::Display for Tour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_numbers(f, &self.numbers(), self.board.columns())
    }
}

impl KnightsTour {
    /// Draws a position as the text of an SVG file: the path of the knight, numbered from 1, with a
    /// disc at its start. Free squares with one exit are green, and those without exits are orange.
    /// On boards with a side longer than 60, the steps are not numbered.
    ///
    /// ```
    /// use secateurs::Problem;
    /// use secateurs_problems::knights_tour::{TourBoard, KnightsTour};
    ///
    /// let board = TourBoard::new(3, 4)?;
    /// let tour = KnightsTour::open(board);
    /// let mut position = tour.root();
    /// for (row, column) in [(0, 0), (1, 2), (2, 0)] {
    ///     tour.apply(&mut position, &board.square(row, column)?);
    /// }
    /// assert_eq!(tour.svg(&position).matches("<polyline").count(), 2);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
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
    /// The text has about 12 bytes per square for those boards, and 65 for smaller ones.
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
            picture.chessboard(rows, columns, true);
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
