//! Reading boards.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::board::{Sudoku, SudokuError};
use crate::text::tokens;

/// What is wrong with the text of a board. Lines and columns are counted from 1, columns in
/// characters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseSudokuError {
    /// There is no cell in the text, or none in its first line.
    Empty,
    /// The boxes that were asked for are none.
    Boxes(SudokuError),
    /// The first line is no row of any board with square boxes, nor a whole board.
    Side {
        /// How many cells it has.
        found: usize,
    },
    /// A cell is neither a number of the board nor blank.
    Cell {
        /// Its line.
        line: usize,
        /// The column in which it begins.
        column: usize,
        /// What is there.
        found: String,
        /// The largest number.
        side: usize,
    },
    /// A line has more or fewer cells than a row.
    Columns {
        /// The line.
        line: usize,
        /// The column of the first cell too many, or of the end of the line.
        column: usize,
        /// How many cells it has.
        found: usize,
        /// How many a row has.
        expected: usize,
    },
    /// There are more or fewer rows than there must be.
    Rows {
        /// The number of rows.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
}

impl fmt::Display for ParseSudokuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseSudokuError::Empty => {
                write!(f, "line 1, column 1: found no cell, expected the first row of a board")
            }
            ParseSudokuError::Boxes(error) => error.fmt(f),
            ParseSudokuError::Side { found } => write!(
                f,
                "line 1: found {found} cells, expected a row of 1, 4, 9, 16, 25, 36, 49 or 64 cells, or a whole board in \
                 one line (boxes that are not square have to be asked for)"
            ),
            ParseSudokuError::Cell { line, column, found, side } => {
                write!(
                    f,
                    "line {line}, column {column}: found {found:?}, expected 1 to {side}, or `.` or `0` for a blank"
                )
            }
            ParseSudokuError::Columns { line, column, found, expected } => {
                write!(
                    f,
                    "line {line}, column {column}: found a row of {found} cells, expected {expected}"
                )
            }
            ParseSudokuError::Rows { found, expected } if found < expected => {
                write!(
                    f,
                    "line {}: found the end of the text, expected row {} of {expected}",
                    found + 1,
                    found + 1
                )
            }
            ParseSudokuError::Rows { expected, .. } => {
                write!(f, "line {}: found one more row, expected {expected} only", expected + 1)
            }
        }
    }
}

impl Error for ParseSudokuError {}

/// The cells of a line, each with its column: words, or characters.
fn cells(line: &str, in_words: bool) -> Vec<(usize, &str)> {
    if in_words {
        return tokens(line).collect();
    }
    let characters = |(column, word): (usize, _)| {
        let word: &str = word;
        let cells = word.char_indices().map(|(begin, cell)| &word[begin..begin + cell.len_utf8()]);
        cells.enumerate().map(move |(index, cell)| (column + index, cell))
    };
    tokens(line).flat_map(characters).collect()
}

/// The side of a board with square boxes, or `None`: a perfect square.
fn box_side(side: usize) -> Option<usize> {
    let root = side.isqrt();
    (root * root == side && (1..=Sudoku::MAX_SIDE).contains(&side)).then_some(root)
}

impl Sudoku {
    /// Reads a board with boxes of so many rows and columns; see
    /// [`FromStr`](#impl-FromStr-for-Sudoku) for the form.
    ///
    /// ```
    /// use secateurs::problems::sudoku::Sudoku;
    ///
    /// let sudoku = Sudoku::from_text("1....6\n......\n......\n......\n......\n6....1\n", 2, 3)?;
    /// assert_eq!((sudoku.side(), sudoku.blanks()), (6, 32));
    /// # Ok::<(), secateurs::problems::sudoku::ParseSudokuError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ParseSudokuError`], with the place.
    pub fn from_text(
        text: &str,
        box_rows: usize,
        box_columns: usize,
    ) -> Result<Self, ParseSudokuError> {
        let board = Sudoku::blank(box_rows, box_columns).map_err(ParseSudokuError::Boxes)?;
        read(text, |_, _| Ok(board))
    }
}

impl FromStr for Sudoku {
    type Err = ParseSudokuError;

    /// Reads a board with square boxes: 1, 4, 9, 16, 25, 36, 49 or 64 cells a side.
    ///
    /// A line a row; each cell a digit, or `.` or `0` if it is blank. Where there are blanks
    /// between the cells of the first line, cells are numbers with blanks between them in all
    /// lines, as they have to be above side 9. A text of one line may also be a whole board, row
    /// after row. Lines may end in CR LF and in blanks, the last one need not end, and empty lines
    /// may follow.
    fn from_str(text: &str) -> Result<Self, ParseSudokuError> {
        read(text, |cells, is_alone| {
            let whole =
                || box_side(cells.isqrt()).filter(|_| is_alone && cells.isqrt().pow(2) == cells);
            let side = whole()
                .or_else(|| box_side(cells))
                .ok_or(ParseSudokuError::Side { found: cells })?;
            Sudoku::blank(side, side).map_err(ParseSudokuError::Boxes)
        })
    }
}

/// Reads a board; `blank` makes an empty one from the number of cells in the first line, and
/// whether that is the only one.
fn read(
    text: &str,
    blank: impl FnOnce(usize, bool) -> Result<Sudoku, ParseSudokuError>,
) -> Result<Sudoku, ParseSudokuError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let in_words = lines.first().is_some_and(|line| tokens(line).nth(1).is_some());
    let first = lines.first().map_or(0, |line| cells(line, in_words).len());
    if first == 0 {
        return Err(ParseSudokuError::Empty);
    }
    let mut board = blank(first, lines.len() == 1)?;
    let side = board.side();
    // A row a line, or all of them in one.
    let (rows, columns) = if lines.len() == 1 && first == side * side && side > 1 {
        (1, first)
    } else {
        (side, side)
    };
    for (row, text) in lines.iter().enumerate().take(rows) {
        let line = row + 1;
        let found = cells(text, in_words);
        if found.len() != columns {
            let end = text.trim_end().chars().count() + 1;
            let column = found.get(columns).map_or(end, |&(column, _)| column);
            return Err(ParseSudokuError::Columns {
                line,
                column,
                found: found.len(),
                expected: columns,
            });
        }
        for (index, (column, word)) in found.into_iter().enumerate() {
            let is_number = word.chars().all(|digit| digit.is_ascii_digit());
            let number = match word {
                "." => Some(0),
                _ => word
                    .parse()
                    .ok()
                    .filter(|&number: &u8| is_number && usize::from(number) <= side),
            };
            let Some(number) = number else {
                return Err(ParseSudokuError::Cell { line, column, found: word.to_owned(), side });
            };
            board.put(row * columns + index, number);
        }
    }
    if lines.len() != rows {
        return Err(ParseSudokuError::Rows { found: lines.len(), expected: rows });
    }
    Ok(board)
}
