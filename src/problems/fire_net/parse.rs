//! Reading boards in the original format.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::board::{Board, BunkerError};

/// Reads a board: a line with its side `n`, or with `rows columns`, then its rows, of `.` (empty),
/// `X` (wall) and `B` (a bunker that stands from the beginning).
///
/// Lines may end in CR LF; the last one need not end at all, and blank lines may follow it. Cost:
/// the length of the text, whatever the first line promises.
///
/// ```
/// use secateurs::problems::fire_net::{Board, ParseBoardError};
///
/// let board: Board = "4\r\n.X..\r\n....\r\nXX..\r\n....".parse()?;
/// assert_eq!(board.rows(), 4);
/// let error = "4\n.X..\n..o.\nXX..\n....\n".parse::<Board>().unwrap_err();
/// assert_eq!(error.to_string(), "line 3, column 3: found `o`, expected `.` (empty), `X` (wall) or `B` (bunker)");
/// # Ok::<(), ParseBoardError>(())
/// ```
impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Board, ParseBoardError> {
        let mut lines =
            text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).enumerate();
        let (_, header) = lines.next().unwrap_or((0, ""));
        if text.trim().is_empty() {
            return Err(ParseBoardError::Empty);
        }
        let (rows, columns) = size(header)
            .ok_or_else(|| ParseBoardError::Header { found: header.chars().take(40).collect() })?;
        let mut walls = Vec::new();
        let mut bunkers = Vec::new();
        for row in 0..rows {
            let line = lines.next().filter(|&(_, line)| columns == 0 || !line.is_empty());
            let Some((_, line)) = line else {
                return Err(ParseBoardError::MissingRow {
                    line: row.saturating_add(2),
                    found: row,
                    expected: rows,
                });
            };
            read_row(line, row, columns, &mut walls, &mut bunkers)?;
        }
        if let Some((index, _)) = lines.find(|(_, line)| !line.is_empty()) {
            return Err(ParseBoardError::ExtraLine { line: index + 1, expected: rows });
        }
        let board = Board::new(rows, columns, |row, column| walls[row * columns + column]);
        board.with_bunkers(bunkers).map_err(ParseBoardError::Bunker)
    }
}

/// One or two whole numbers.
fn size(header: &str) -> Option<(usize, usize)> {
    let mut words = header.split_ascii_whitespace().map(|word| {
        // `parse` would take a sign, too.
        word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse::<usize>().ok()).flatten()
    });
    let rows = words.next()??;
    let columns = match words.next() {
        Some(columns) => columns?,
        None => rows,
    };
    // A board of no columns has no rows to count in the text, so that the text would not limit the
    // work.
    (words.next().is_none() && (columns > 0 || rows == 0)).then_some((rows, columns))
}

fn read_row(
    line: &str,
    row: usize,
    columns: usize,
    walls: &mut Vec<bool>,
    bunkers: &mut Vec<usize>,
) -> Result<(), ParseBoardError> {
    let number = row + 2;
    let mut length = 0;
    for (column, found) in line.chars().enumerate() {
        if column >= columns {
            let found = line.chars().count();
            return Err(ParseBoardError::LongRow { line: number, found, expected: columns });
        }
        match found {
            '.' | 'X' => {}
            'B' => bunkers.push(walls.len()),
            _ => {
                return Err(ParseBoardError::UnknownCharacter {
                    line: number,
                    column: column + 1,
                    found,
                });
            }
        }
        walls.push(found == 'X');
        length += 1;
    }
    if length < columns {
        return Err(ParseBoardError::ShortRow { line: number, found: length, expected: columns });
    }
    Ok(())
}

/// Why a text is not a board. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseBoardError {
    /// There is nothing but white space.
    Empty,
    /// The first line is not a size.
    Header {
        /// The line, or its beginning.
        found: String,
    },
    /// The text ends, or has a blank line, where a row should be.
    MissingRow {
        /// Where the row should be.
        line: usize,
        /// Rows before it.
        found: usize,
        /// Rows that the first line promises.
        expected: usize,
    },
    /// A row has too few cells.
    ShortRow {
        /// The line.
        line: usize,
        /// Its cells.
        found: usize,
        /// The cells that it should have.
        expected: usize,
    },
    /// A row has too many cells.
    LongRow {
        /// The line.
        line: usize,
        /// Its cells.
        found: usize,
        /// The cells that it should have.
        expected: usize,
    },
    /// A character that does not stand for a cell.
    UnknownCharacter {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The character.
        found: char,
    },
    /// There is more after the last row.
    ExtraLine {
        /// The line.
        line: usize,
        /// The rows that the first line promises.
        expected: usize,
    },
    /// A bunker is seen by another one. Its line is its row plus 1.
    Bunker(BunkerError),
}

impl fmt::Display for ParseBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseBoardError::Empty => f.write_str(
                "line 1, column 1: the text is empty, expected the size of the board, `n` or `rows columns`",
            ),
            ParseBoardError::Header { found } => {
                write!(f, "line 1, column 1: found {found:?}, expected the size of the board, `n` or `rows columns`")
            }
            ParseBoardError::MissingRow { line, found, expected } => {
                write!(f, "line {line}, column 1: found {found} rows, expected {expected}")
            }
            ParseBoardError::ShortRow { line, found, expected } => {
                let column = found + 1;
                write!(f, "line {line}, column {column}: the row ends after {found} cells, expected {expected}")
            }
            ParseBoardError::LongRow { line, found, expected } => {
                let column = expected + 1;
                write!(f, "line {line}, column {column}: the row goes on to {found} cells, expected {expected}")
            }
            ParseBoardError::UnknownCharacter { line, column, found } => write!(
                f,
                "line {line}, column {column}: found `{}`, expected `.` (empty), `X` (wall) or `B` (bunker)",
                found.escape_debug()
            ),
            ParseBoardError::ExtraLine { line, expected } => {
                write!(f, "line {line}, column 1: found text after the last row, expected {expected} rows")
            }
            ParseBoardError::Bunker(BunkerError::Seen { row, column, by }) => write!(
                f,
                "line {}, column {}: the bunker sees the one in line {}, column {}, expected none to see another",
                row + 2,
                column + 1,
                by.0 + 2,
                by.1 + 1
            ),
            ParseBoardError::Bunker(error) => error.fmt(f),
        }
    }
}

impl Error for ParseBoardError {}
