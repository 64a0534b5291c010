//! Reading text formats: [`ParseError`], tokens with their positions, numbers, and grids of
//! characters.
//!
//! ```
//! use secateurs::ParseError;
//! use secateurs::text::{LineTokens, parse_number, read_grid};
//!
//! /// Reads a capacity, and below it a floor plan.
//! fn read(text: &str) -> Result<(u32, usize, Vec<bool>), ParseError> {
//!     let mut lines = (1..).zip(text.lines());
//!     let (line, first) = lines.next().ok_or_else(|| ParseError::new("expected a capacity"))?;
//!     let mut tokens = LineTokens::new(line, first);
//!     let capacity = tokens.read("a capacity", parse_number)?;
//!     tokens.end()?;
//!     let (columns, walls) = read_grid(lines, None, "`.` or `#`", |found| match found {
//!         '.' => Some(false),
//!         '#' => Some(true),
//!         _ => None,
//!     })?;
//!     Ok((capacity, columns, walls))
//! }
//!
//! assert_eq!(read("7\n.#\n..\n")?, (7, 2, vec![false, true, false, false]));
//! let error = read("7\n.#\n.x\n").expect_err("`x` is no cell");
//! assert_eq!(error.to_string(), "line 3, column 2: found `x`, expected `.` or `#`");
//! # Ok::<(), ParseError>(())
//! ```

use std::error::Error;
use std::fmt;

/// A text that is not in the expected format: where, what was found, and what was expected.
///
/// It is displayed as `line 3, column 7: found …, expected …`, without a position if the text as
/// a whole is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    line: Option<usize>,
    column: Option<usize>,
    message: Box<str>,
}

impl ParseError {
    /// Creates an error in the text as a whole.
    #[must_use]
    pub fn new(message: impl fmt::Display) -> Self {
        ParseError { line: None, column: None, message: message.to_string().into() }
    }

    /// Creates an error in a line; lines count from 1.
    #[must_use]
    pub fn in_line(line: usize, message: impl fmt::Display) -> Self {
        ParseError { line: Some(line), ..Self::new(message) }
    }

    /// Creates an error at a line and column; both count from 1.
    #[must_use]
    pub fn at(line: usize, column: usize, message: impl fmt::Display) -> Self {
        ParseError { column: Some(column), ..Self::in_line(line, message) }
    }

    /// Returns what was found and what was expected, without the position.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the error with more text behind its message.
    #[must_use]
    pub fn with_note(self, note: impl fmt::Display) -> Self {
        ParseError { message: format!("{} {note}", self.message).into(), ..self }
    }

    /// Returns the line, counted from 1, if the error has one.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// Returns the column, counted in characters from 1, if the error has one.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.column
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}")?;
            if let Some(column) = self.column {
                write!(f, ", column {column}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

impl Error for ParseError {}

/// Splits a line at white space into tokens, each with the column where it begins: from 1, in
/// characters.
pub fn tokens(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut tokens = LineTokens::new(1, line);
    std::iter::from_fn(move || Some(tokens.next()).filter(|(_, token)| !token.is_empty()))
}

/// The unread tokens of a line, with errors that name the line, the column and what was expected.
#[derive(Clone, Debug)]
pub struct LineTokens<'t> {
    line: usize,
    rest: &'t str,
    column: usize,
}
impl<'t> LineTokens<'t> {
    /// Creates the tokens of the line of this number, from 1.
    #[must_use]
    pub fn new(line: usize, text: &'t str) -> Self {
        LineTokens { line, rest: text.trim_end(), column: 1 }
    }

    /// Returns the column of the next token, and the token; it is empty at the end of the line.
    #[allow(clippy::should_implement_trait)] // an empty token ends the line
    pub fn next(&mut self) -> (usize, &'t str) {
        let trimmed = self.rest.trim_start();
        let column = self.column + self.rest[..self.rest.len() - trimmed.len()].chars().count();
        let token = &trimmed[..trimmed.find(char::is_whitespace).unwrap_or(trimmed.len())];
        self.rest = &trimmed[token.len()..];
        self.column = column + token.chars().count();
        (column, token)
    }

    /// Creates the error of a token, with its column, that is not the expected one.
    #[must_use]
    pub fn error(&self, (column, found): (usize, &str), expected: impl fmt::Display) -> ParseError {
        let found = match found {
            "" => "the end of the line".to_owned(),
            _ => format!("{found:?}"),
        };
        ParseError::at(self.line, column, format_args!("found {found}, expected {expected}"))
    }

    /// Returns the value that `read` makes of the next token.
    ///
    /// # Errors
    ///
    /// Returns an error that names `expected` if `read` returns `None`.
    pub fn read<T>(
        &mut self,
        expected: impl fmt::Display,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ParseError> {
        let token = self.next();
        read(token.1).ok_or_else(|| self.error(token, expected))
    }

    /// Checks that the line has no more tokens.
    ///
    /// # Errors
    ///
    /// Returns an error with the column of the next token if there is one.
    pub fn end(&mut self) -> Result<(), ParseError> {
        self.read("the end of the line", |token| token.is_empty().then_some(()))
    }
}

/// Reads a decimal number. Unlike [`str::parse`], it accepts no sign, only digits.
#[must_use]
pub fn parse_number<T: std::str::FromStr>(token: &str) -> Option<T> {
    token.bytes().all(|byte| byte.is_ascii_digit()).then(|| token.parse().ok()).flatten()
}

/// Reads numbered lines as rows of a grid, one cell per character, and returns the number of
/// columns and the cells row by row.
///
/// All rows must have `columns` cells, or as many as the first row if `columns` is `None`. `cell`
/// returns `None` for a character that is no cell; the error then names `expected`, a description
/// of the valid characters. White space between cells is ignored, unless a space is a cell: `cell`
/// is called with a space once, before anything is read.
///
/// # Errors
///
/// Returns an error with line and column for a character that is no cell, and for a row that is
/// too short or too long.
pub fn read_grid<'t, T>(
    lines: impl IntoIterator<Item = (usize, &'t str)>,
    mut columns: Option<usize>,
    expected: &str,
    mut cell: impl FnMut(char) -> Option<T>,
) -> Result<(usize, Vec<T>), ParseError> {
    let mut cells = Vec::new();
    let is_spaced = cell(' ').is_none();
    for (line, row) in lines {
        // The length of the row, and the column behind its last cell.
        let (mut length, mut end) = (0, 1);
        // The first cell that is one too many.
        let mut surplus = None;
        for (column, found) in (1..).zip(row.chars()) {
            let read = cell(found);
            if is_spaced && found.is_whitespace() {
                continue;
            }
            (length, end) = (length + 1, column + 1);
            if columns.is_some_and(|columns| length > columns) {
                surplus.get_or_insert(column);
                continue;
            }
            cells.push(read.ok_or_else(|| {
                let found = found.escape_debug();
                ParseError::at(line, column, format!("found `{found}`, expected {expected}"))
            })?);
        }
        if length == 0 && !row.is_empty() {
            let message = format!("found a row without cells, expected {expected}");
            return Err(ParseError::at(line, 1, message));
        }
        let columns = *columns.get_or_insert(length);
        if length != columns {
            let message = format!("found a row of length {length}, expected {columns}");
            return Err(ParseError::at(line, surplus.unwrap_or(end), message));
        }
    }
    Ok((columns.unwrap_or(0), cells))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str, columns: Option<usize>) -> Result<(usize, Vec<u32>), String> {
        let lines = (1..).zip(text.lines());
        let grid = read_grid(lines, columns, "a digit", |found| found.to_digit(10));
        grid.map_err(|error| error.to_string())
    }

    #[test]
    fn tokens_have_columns_in_characters() {
        assert_eq!(tokens("  ä b\tcd ").collect::<Vec<_>>(), [(3, "ä"), (5, "b"), (7, "cd")]);
        assert_eq!(tokens(" ").count(), 0);
    }

    #[test]
    fn numbers_have_digits_only() {
        assert_eq!(parse_number("007"), Some(7_u8));
        for text in ["", "+7", "-7", " 7", "7.", "256", "٧"] {
            assert_eq!(parse_number::<u8>(text), None, "{text:?}");
        }
    }

    #[test]
    fn grids_are_read_row_by_row() {
        assert_eq!(digits("12\n34\n", None), Ok((2, vec![1, 2, 3, 4])));
        assert_eq!(digits("1 2\n 3\t4 \n", None), Ok((2, vec![1, 2, 3, 4])));
        assert_eq!(digits("", None), Ok((0, vec![])));
    }

    #[test]
    fn errors_of_grids_name_the_position_and_what_was_expected() {
        let error = |text: &str, columns| digits(text, columns).expect_err("not a grid");
        assert_eq!(error("12\nä3", None), "line 2, column 1: found `ä`, expected a digit");
        assert_eq!(error("12\n3", None), "line 2, column 2: found a row of length 1, expected 2");
        assert_eq!(error("1 2\n3 ", None), "line 2, column 2: found a row of length 1, expected 2");
        assert_eq!(
            error(" ", None),
            "line 1, column 1: found a row without cells, expected a digit"
        );
        assert_eq!(error("1 x", None), "line 1, column 3: found `x`, expected a digit");
        assert_eq!(
            error("1 2 3", Some(2)),
            "line 1, column 5: found a row of length 3, expected 2"
        );
        assert_eq!(error("123", Some(2)), "line 1, column 3: found a row of length 3, expected 2");
    }
}
