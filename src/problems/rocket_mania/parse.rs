//! Reading cases in the original format.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::block::Block;
use super::board::{Board, Case, Matches};

/// Which of the two games is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// *Rocket Mania*: one match is lit.
    Single,
    /// *Rocket Mania Plus*: all matches are lit.
    Plus,
}

impl Mode {
    /// Reads all cases of a text, in the format of the original input but for boards of any size.
    ///
    /// Of *Rocket Mania*, each case begins with a line with the number of the row whose match is
    /// lit, counted from 1. Rows of the board follow, up to the next number or the end. Of *Rocket
    /// Mania Plus*, the boards come one after another with a blank line in between; if the first
    /// line is a number, the text is read as one of *Rocket Mania*, and all matches are lit
    /// nevertheless.
    ///
    /// A row is a line of the characters `.` (empty), `-`, `L`, `T` and `+`, all rows of a case
    /// being of the same length; cases may differ in size. Lines may end in CR LF, the last one
    /// need not end, and blank lines may follow. A text of blank lines has no case.
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
    /// assert_eq!(error.to_string(), "case 2, line 4, column 2: found 'o', expected '.', '-', 'L', 'T' or '+'");
    /// # Ok::<(), secateurs::problems::rocket_mania::ParseCasesError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParseCasesError`], which says the case, line and column, what was found there and what was
    /// expected.
    pub fn cases(self, text: &str) -> Result<Vec<Case>, ParseCasesError> {
        let text = text.trim_end_matches(['\n', '\r']);
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(index, text)| Line { number: index + 1, text })
            .peekable();
        let mut cases = Vec::new();
        if text.is_empty() {
            return Ok(cases);
        }
        let last = text.lines().count();
        let has_numbers = self == Mode::Single || lines.peek().is_some_and(|line| line.is_number());
        while lines.peek().is_some() {
            let case = cases.len() + 1;
            let fail = |line, column, problem| Err(ParseCasesError { case, line, column, problem });
            let mut header = None;
            if has_numbers && let Some(line) = lines.next() {
                if !line.is_number() {
                    return fail(line.number, 1, Problem::NoMatch { found: line.beginning() });
                }
                header = Some(line);
            }
            let mut rows: Vec<Vec<Block>> = Vec::new();
            while let Some(line) = lines
                .next_if(|line| if has_numbers { !line.is_number() } else { !line.text.is_empty() })
            {
                let row = line.row().map_err(|(column, problem)| ParseCasesError {
                    case,
                    line: line.number,
                    column,
                    problem,
                })?;
                if let Some(first) = rows.first()
                    && row.len() != first.len()
                {
                    let (found, expected) = (row.len(), first.len());
                    let column = found.min(expected) + 1;
                    return fail(line.number, column, Problem::RowLength { found, expected });
                }
                rows.push(row);
            }
            // The blank line between two boards; in front of the next number there is none.
            let next = if has_numbers { lines.peek().copied() } else { lines.next() };
            let rows_read = rows.len();
            let Ok(board) = Board::new(&rows) else {
                return fail(next.map_or(last + 1, |line| line.number), 1, Problem::NoRow);
            };
            let read = match header {
                None => Some(Matches::All),
                Some(line) => usize::from_str(line.text)
                    .ok()
                    .and_then(|row| row.checked_sub(1))
                    .map(Matches::One),
            };
            let Some(read) = read.and_then(|matches| Case::new(board, matches).ok()) else {
                let (line, found) =
                    header.map_or((last, String::new()), |line| (line.number, line.beginning()));
                return fail(line, 1, Problem::Match { found, rows: rows_read });
            };
            let read = if self == Mode::Plus { read.with_all_matches() } else { read };
            cases.push(read);
        }
        Ok(cases)
    }
}

/// A line of the text and its number.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl Line<'_> {
    /// Whether it is the number of a row, of whatever size.
    fn is_number(self) -> bool {
        !self.text.is_empty() && self.text.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// As much of it as a message shows.
    fn beginning(self) -> String {
        self.text.chars().take(20).collect()
    }

    /// The blocks of a row, or the column of what is wrong.
    fn row(self) -> Result<Vec<Block>, (usize, Problem)> {
        if self.text.is_empty() {
            return Err((1, Problem::BlankLine));
        }
        let blocks = self.text.chars().enumerate().map(|(index, found)| {
            Block::from_char(found).ok_or((index + 1, Problem::UnknownCharacter { found }))
        });
        blocks.collect()
    }
}

/// Why a text is not a list of cases, and where. Everything is counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseCasesError {
    /// The case.
    pub case: usize,
    /// The line of the text.
    pub line: usize,
    /// The column of the line.
    pub column: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a text that should be a list of cases.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The case does not begin with the number of a row.
    NoMatch {
        /// The beginning of the line.
        found: String,
    },
    /// The number of the match is not that of a row of the board.
    Match {
        /// The beginning of the number.
        found: String,
        /// How many rows the board has.
        rows: usize,
    },
    /// The case ends, or has a blank line, where its first row should be.
    NoRow,
    /// A blank line in the midst of cases that are not separated by blank lines.
    BlankLine,
    /// A row is shorter or longer than the first one of its case.
    RowLength {
        /// Its cells.
        found: usize,
        /// Those of the first row.
        expected: usize,
    },
    /// A character that stands for no block.
    UnknownCharacter {
        /// The character.
        found: char,
    },
}

impl fmt::Display for ParseCasesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "case {}, line {}, column {}: {}",
            self.case, self.line, self.column, self.problem
        )
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NoMatch { found } => {
                write!(f, "found {found:?}, expected the number of the row whose match is lit")
            }
            Problem::Match { found, rows } => {
                write!(f, "found match {found}, expected the number of a row, from 1 to {rows}")
            }
            Problem::NoRow => f.write_str("found no row, expected the first one of a board"),
            Problem::BlankLine => {
                f.write_str("found a blank line, expected a row or the match of the next case")
            }
            Problem::RowLength { found, expected } => {
                write!(
                    f,
                    "found a row of {found} cells, expected {expected} as in the first row of the board"
                )
            }
            Problem::UnknownCharacter { found } => {
                write!(f, "found {found:?}, expected '.', '-', 'L', 'T' or '+'")
            }
        }
    }
}

impl Error for ParseCasesError {}
