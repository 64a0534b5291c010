//! Parsing boards.

use std::str::FromStr;

use super::board::Sudoku;
use crate::text::{ParseError, tokens};

impl Sudoku {
    /// Parses a board from the numbers of rows and columns of its boxes; see
    /// [`FromStr`](#impl-FromStr-for-Sudoku) for the format.
    ///
    /// ```
    /// use secateurs::problems::sudoku::Sudoku;
    ///
    /// let sudoku = Sudoku::from_text("1....6\n......\n......\n......\n......\n6....1\n", 2, 3)?;
    /// assert_eq!((sudoku.side(), sudoku.blanks()), (6, 32));
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the boxes are too small or too large, or if the text is not in the format.
    pub fn from_text(text: &str, box_rows: usize, box_columns: usize) -> Result<Self, ParseError> {
        let blank = Sudoku::blank(box_rows, box_columns)?;
        read(text, |_, _| Ok(blank))
    }
}

impl FromStr for Sudoku {
    type Err = ParseError;

    /// Parses a board with square boxes: 1, 4, 9, 16, 25, 36, 49 or 64 cells per side.
    ///
    /// Each line is a row; each cell is a digit, or `.` or `0` if it is blank. If the cells of the
    /// first line are separated by spaces, the cells of all lines are numbers separated by spaces,
    /// as is necessary above side 9. A text of one line may also be a whole board, row after row.
    /// Lines may end in CR LF and in spaces, the last line need not end, and empty lines may
    /// follow.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text, |cells, is_only_line| {
            let whole = || {
                let side = cells.isqrt();
                box_side(side).filter(|_| is_only_line && side.pow(2) == cells)
            };
            let side = whole().or_else(|| box_side(cells)).ok_or_else(|| {
                let message = format!(
                    "found {cells} cells, expected a row of 1, 4, 9, 16, 25, 36, 49 or 64 cells, \
                     or a whole board in one line (a board whose boxes are not square needs their \
                     size)"
                );
                ParseError::in_line(1, message)
            })?;
            Ok(Sudoku::blank(side, side)?)
        })
    }
}

/// Returns the side of the boxes of a board with square boxes, if there is one of this side.
fn box_side(side: usize) -> Option<usize> {
    let root = side.isqrt();
    (root * root == side && (1..=Sudoku::MAX_SIDE).contains(&side)).then_some(root)
}

/// Parses a board. `blank` creates an empty one from the number of cells in the first line, and
/// from whether that is the only line.
fn read(
    text: &str,
    blank: impl FnOnce(usize, bool) -> Result<Sudoku, ParseError>,
) -> Result<Sudoku, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let are_tokens = lines.first().is_some_and(|line| tokens(line).nth(1).is_some());
    let first = lines.first().map_or(0, |line| cells(line, are_tokens).len());
    if first == 0 {
        let message = "found no cell, expected the first row of a board";
        return Err(ParseError::at(1, 1, message));
    }
    let mut board = blank(first, lines.len() == 1)?;
    let side = board.side();
    // One row per line, or all rows in one line.
    let is_whole = lines.len() == 1 && first == side * side && side > 1;
    let (rows, columns) = if is_whole { (1, first) } else { (side, side) };
    for (row, text) in lines.iter().enumerate().take(rows) {
        let line = row + 1;
        let found = cells(text, are_tokens);
        if found.len() != columns {
            let end = text.trim_end().chars().count() + 1;
            let column = found.get(columns).map_or(end, |&(column, _)| column);
            let message = format!("found a row of {} cells, expected {columns}", found.len());
            return Err(ParseError::at(line, column, message));
        }
        for (index, (column, cell)) in found.into_iter().enumerate() {
            let number = number(cell).filter(|&number| usize::from(number) <= side);
            let number = number.ok_or_else(|| {
                let expected = format!("1 to {side}, or `.` or `0` for a blank");
                ParseError::at(line, column, format_args!("found {cell:?}, expected {expected}"))
            })?;
            board.put(row * columns + index, number);
        }
    }
    if lines.len() < rows {
        let next = lines.len() + 1;
        let message = format!("found the end of the text, expected row {next} of {rows}");
        return Err(ParseError::in_line(next, message));
    }
    if lines.len() > rows {
        let message = format!("found one more row, expected only {rows}");
        return Err(ParseError::in_line(rows + 1, message));
    }
    Ok(board)
}

/// Returns the cells of a line, each with its column: tokens, or single characters.
fn cells(line: &str, are_tokens: bool) -> Vec<(usize, &str)> {
    if are_tokens {
        return tokens(line).collect();
    }
    let characters = |(column, token): (usize, _)| {
        let token: &str = token;
        let cells =
            token.char_indices().map(|(begin, cell)| &token[begin..begin + cell.len_utf8()]);
        cells.enumerate().map(move |(index, cell)| (column + index, cell))
    };
    tokens(line).flat_map(characters).collect()
}

/// Returns the number in a cell, 0 for a blank.
fn number(cell: &str) -> Option<u8> {
    // `str::parse` alone would also accept a sign.
    let is_number = cell.bytes().all(|digit| digit.is_ascii_digit());
    if cell == "." { Some(0) } else { cell.parse().ok().filter(|_| is_number) }
}
