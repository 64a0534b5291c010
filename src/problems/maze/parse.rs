//! Reading mazes.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::Maze;

/// Why a text is not a maze. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseMazeError {
    /// There is no line, or the first one is empty.
    Empty,
    /// A character that is none of `#`, `.`, space, `S` and `G`.
    UnknownCharacter {
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
        /// The character.
        found: char,
    },
    /// A line that is shorter or longer than the first one.
    LineLength {
        /// The line.
        line: usize,
        /// Its length, in characters.
        found: usize,
        /// That of the first line.
        expected: usize,
    },
    /// A second start or goal.
    Second {
        /// `S` or `G`.
        mark: char,
        /// The line of the second one.
        line: usize,
        /// Its column.
        column: usize,
        /// Line and column of the first one.
        first: (usize, usize),
    },
    /// No start or no goal.
    Missing {
        /// `S` or `G`.
        mark: char,
        /// How many lines were read.
        lines: usize,
    },
}

/// What a mark stands for.
fn meaning(mark: char) -> &'static str {
    if mark == 'S' { "start" } else { "goal" }
}

impl fmt::Display for ParseMazeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ParseMazeError::Empty => {
                write!(f, "line 1, column 1: found nothing, expected the first row of a maze")
            }
            ParseMazeError::UnknownCharacter { line, column, found } => write!(
                f,
                "line {line}, column {column}: found {found:?}, expected '#' (wall), '.' or ' ' (open), 'S' (start) or \
                 'G' (goal)"
            ),
            ParseMazeError::LineLength { line, found, expected } => write!(
                f,
                "line {line}, column {}: found a row of {found} squares, expected {expected} as in the first row",
                found.min(expected) + 1
            ),
            ParseMazeError::Second { mark, line, column, first } => write!(
                f,
                "line {line}, column {column}: found a second {mark:?} ({}), expected only the one in line {}, column {}",
                meaning(mark),
                first.0,
                first.1
            ),
            ParseMazeError::Missing { mark, lines } => {
                write!(
                    f,
                    "line {lines}: found the end of the maze, expected one {mark:?} ({}) in it",
                    meaning(mark)
                )
            }
        }
    }
}

impl Error for ParseMazeError {}

impl FromStr for Maze {
    type Err = ParseMazeError;

    /// Reads a maze in the format described at [`Maze`]. Lines may end in CR LF, the last one need
    /// not end, and empty lines may follow.
    fn from_str(text: &str) -> Result<Self, ParseMazeError> {
        let text = text.trim_end_matches(['\n', '\r']);
        let mut columns = 0;
        let mut open = Vec::new();
        let mut start = None;
        let mut goal = None;
        let mut lines = 0;
        for (line, row) in text.lines().enumerate() {
            let line = line + 1;
            let before = open.len();
            for (column, found) in row.chars().enumerate() {
                let column = column + 1;
                let mark = match found {
                    'S' => Some(&mut start),
                    'G' => Some(&mut goal),
                    '#' | '.' | ' ' => None,
                    _ => return Err(ParseMazeError::UnknownCharacter { line, column, found }),
                };
                if let Some(place) = mark
                    && let Some((_, first)) = place.replace((open.len(), (line, column)))
                {
                    return Err(ParseMazeError::Second { mark: found, line, column, first });
                }
                open.push(found != '#');
            }
            let found = open.len() - before;
            if line == 1 {
                columns = found;
            }
            if columns == 0 {
                return Err(ParseMazeError::Empty);
            }
            if found != columns {
                return Err(ParseMazeError::LineLength { line, found, expected: columns });
            }
            lines = line;
        }
        if lines == 0 {
            return Err(ParseMazeError::Empty);
        }
        let Some((start, _)) = start else {
            return Err(ParseMazeError::Missing { mark: 'S', lines });
        };
        let Some((goal, _)) = goal else {
            return Err(ParseMazeError::Missing { mark: 'G', lines });
        };
        Ok(Maze { rows: lines, columns, open, start, goal })
    }
}
