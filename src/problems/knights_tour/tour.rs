//! A tour that was found: checked, numbered, drawn.

use std::error::Error;
use std::fmt;

use super::board::{Board, Square};
use crate::problems::picture::Picture;

/// A knight's tour: every square of the board once, each a knight's move from the one before.
///
/// `Display` prints the board with the number of each square's step, from 1, in aligned columns.
///
/// ```
/// use secateurs::problems::knights_tour::{Answer, Board, TourSearch};
///
/// let solved = TourSearch::new(Board::new(5, 5)?).solve();
/// let Answer::Tour(tour) = solved.answer() else { panic!("there is one") };
/// assert_eq!(tour.steps().len(), 25);
/// assert_eq!(tour.to_string().lines().count(), 5);
/// # Ok::<(), secateurs::problems::knights_tour::BoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tour {
    board: Board,
    squares: Vec<Square>,
}

/// Why a list of squares is not a tour. Steps count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TourError {
    /// Not as many squares as the board has.
    Length {
        /// How many squares there are.
        found: usize,
        /// How many the board has.
        expected: usize,
    },
    /// A square that was visited before, or that does not belong to the board.
    NotFree {
        /// The step.
        step: usize,
    },
    /// A square that is not a knight's move from the one before.
    NotAMove {
        /// The step.
        step: usize,
    },
}

impl fmt::Display for TourError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TourError::Length { found, expected } => {
                write!(f, "{found} squares; expected all {expected} of the board")
            }
            TourError::NotFree { step } => {
                write!(
                    f,
                    "step {step} is on a square that was visited before; expected a free square of the board"
                )
            }
            TourError::NotAMove { step } => {
                write!(f, "step {step} is not next to the one before; expected a knight's move")
            }
        }
    }
}

impl Error for TourError {}

impl Tour {
    /// A tour of `board` along `squares`, checked.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn new(board: Board, squares: Vec<Square>) -> Result<Self, TourError> {
        if squares.len() != board.len() {
            return Err(TourError::Length { found: squares.len(), expected: board.len() });
        }
        let mut visited = vec![false; board.len()];
        for (index, &square) in squares.iter().enumerate() {
            let (row, column) = (board.row(square), board.column(square));
            if !board.holds(square)
                || std::mem::replace(&mut visited[row * board.columns() + column], true)
            {
                return Err(TourError::NotFree { step: index + 1 });
            }
            if index > 0 && !board.is_move(squares[index - 1], square) {
                return Err(TourError::NotAMove { step: index + 1 });
            }
        }
        Ok(Tour { board, squares })
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The squares in the order in which they are visited.
    #[must_use]
    pub fn steps(&self) -> &[Square] {
        &self.squares
    }

    /// Whether the last square is a knight's move from the first.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        match (self.squares.first(), self.squares.last()) {
            (Some(&first), Some(&last)) => self.board.is_move(first, last),
            _ => false,
        }
    }

    /// The same closed tour, started from another square; an open tour, or one without that square,
    /// stays as it is.
    #[must_use]
    pub fn started_from(mut self, start: Square) -> Self {
        if self.is_closed()
            && let Some(index) = self.squares.iter().position(|&square| square == start)
        {
            self.squares.rotate_left(index);
        }
        self
    }

    /// The numbers of the steps, from 1, row by row.
    #[must_use]
    pub fn numbers(&self) -> Vec<usize> {
        let mut numbers = vec![0; self.board.len()];
        for (index, &square) in self.squares.iter().enumerate() {
            numbers[self.board.row(square) * self.board.columns() + self.board.column(square)] =
                index + 1;
        }
        numbers
    }

    /// The tour as the text of an SVG file: the line of the knight over the board, which starts on
    /// a disc; of boards with a side above 60 the line alone. About 12 bytes a square for those,
    /// 150 for smaller ones.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let (rows, columns) = (self.board.rows(), self.board.columns());
        let kind = if self.is_closed() { "Closed" } else { "Open" };
        let mut picture = Picture::new(
            rows,
            columns,
            format_args!("{kind} knight's tour of a {} board", self.board),
        );
        let in_full = !picture.is_large();
        let place = |&square: &Square| (self.board.row(square), self.board.column(square));
        if in_full {
            for square in self.board.squares() {
                let (row, column) = place(&square);
                picture.square(row, column, if self.board.is_dark(square) { "dark" } else { "" });
            }
        }
        let back = self.squares.first().filter(|_| self.is_closed());
        picture.path(self.squares.iter().chain(back).map(place));
        if let Some((row, column)) = self.squares.first().map(place) {
            picture.disc(row, column);
        }
        if in_full {
            for (index, (row, column)) in self.squares.iter().map(place).enumerate() {
                picture.text(row, column, index + 1);
            }
        }
        picture.finish()
    }
}

impl fmt::Display for Tour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.board.len().to_string().len();
        for row in self.numbers().chunks(self.board.columns()) {
            for (column, number) in row.iter().enumerate() {
                let gap = if column == 0 { "" } else { " " };
                write!(f, "{gap}{number:>width$}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
