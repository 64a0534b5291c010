//! Parsing cases in the original format.

use super::block::Block;
use super::board::{Case, Matches, RocketBoard};
use crate::text::{ParseError, read_grid};

/// The variant of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// *Rocket Mania*: one match is lit.
    Single,
    /// *Rocket Mania Plus*: all matches are lit.
    Plus,
}

impl Mode {
    /// Parses all cases of a text in the original format, generalised to boards of any size.
    ///
    /// In *Rocket Mania*, each case begins with a line with the number of the row whose match is
    /// lit, counted from 1. The rows of the board follow, up to the next number or the end. In
    /// *Rocket Mania Plus*, the boards follow one another with a blank line in between. If the
    /// first line is a number, the text is read as one of *Rocket Mania*, but all matches are lit.
    ///
    /// A row is a line of the characters `.` (empty), `-`, `L`, `T` and `+`. All rows of a case
    /// have the same length; cases may differ in size. Lines may end in CR LF, the last line need
    /// not end, and blank lines may follow. A text of blank lines has no case.
    ///
    /// ```
    /// use secateurs::problems::rocket_mania::{Matches, Mode};
    ///
    /// let cases = Mode::Single.cases("2\n-L\nT+\n1\n---\n")?;
    /// assert_eq!(cases[0].matches(), Matches::One(1));
    /// assert_eq!((cases[1].board().rows(), cases[1].board().columns()), (1, 3));
    /// assert_eq!(Mode::Plus.cases("-L\r\nT+\r\n\r\n---")?.len(), 2);
    ///
    /// let error = Mode::Plus.cases("-L\nT+\n\n-o-\n").unwrap_err();
    /// let message = "line 4, column 2: found `o`, expected `.`, `-`, `L`, `T` or `+`";
    /// assert_eq!(error.to_string(), message);
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// If a case has no row, if its rows differ in length, if a character denotes no block, or if
    /// the match of a case is missing or not in a row of its board.
    pub fn cases(self, text: &str) -> Result<Vec<Case>, ParseError> {
        let text = text.trim_end_matches(['\n', '\r']);
        let end = text.lines().count() + 1;
        let mut lines = (1..).zip(text.lines()).peekable();
        let mut cases = Vec::new();
        let has_numbers = self == Mode::Single || lines.peek().is_some_and(is_number);
        while lines.peek().is_some() {
            let header = if has_numbers { lines.next() } else { None };
            if let Some((line, found)) = header.filter(|line| !is_number(line)) {
                let expected = "the number of the row whose match is lit";
                let message = format!("found {:?}, expected {expected}", beginning(found));
                return Err(ParseError::at(line, 1, message));
            }
            let rows = std::iter::from_fn(|| {
                let ends =
                    |line: &(usize, &str)| line.1.is_empty() || has_numbers && is_number(line);
                lines.next_if(|line| !ends(line))
            });
            let expected = "`.`, `-`, `L`, `T` or `+`";
            let (columns, blocks) = read_grid(rows, None, expected, Block::from_char)?;
            // A blank line separates two boards unless numbers do.
            let next = if has_numbers { lines.peek().copied() } else { lines.next() };
            if let Some((line, "")) = next.filter(|_| has_numbers) {
                let message = "found a blank line, expected a row or the match of the next case";
                return Err(ParseError::at(line, 1, message));
            }
            let board = RocketBoard::from_cells(columns, blocks).ok_or_else(|| {
                let message = "found no row, expected the first one of a board";
                ParseError::at(next.map_or(end, |(line, _)| line), 1, message)
            })?;
            let mut matches = Matches::All;
            if let Some((line, number)) = header {
                let rows = board.rows();
                // A number that is too large for `usize` is no row either.
                let row = number.parse().ok().filter(|row| (1..=rows).contains(row));
                let row = row.ok_or_else(|| {
                    let found = beginning(number);
                    let expected = format!("the number of a row, from 1 to {rows}");
                    let message = format!("found match {found}, expected {expected}");
                    ParseError::at(line, 1, message)
                })?;
                if self == Mode::Single {
                    matches = Matches::One(row - 1);
                }
            }
            cases.push(Case::new(board, matches)?);
        }
        Ok(cases)
    }
}

/// Returns whether a line is a number of any size.
fn is_number((_, text): &(usize, &str)) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns as much of a line as an error message shows.
fn beginning(text: &str) -> String {
    text.chars().take(20).collect()
}
