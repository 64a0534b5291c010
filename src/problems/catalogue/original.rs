//! Boards in the form of the original tasks: [`formula_1`] and [`tonys_tour`].

use std::error::Error;
use std::fmt;

use super::lines::{Lines, size};
use super::{Grid, GridError};

/// Why a text is not the input of the task. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseOriginalError {
    /// A line that should be the numbers of rows and columns is not two whole numbers.
    Header {
        /// The line.
        line: usize,
        /// What it is; `None` if the text ends before.
        found: Option<String>,
    },
    /// There are no cells, or too many.
    Size {
        /// The line that says so.
        line: usize,
        /// What is wrong.
        error: GridError,
    },
    /// A character that is neither a free cell nor an obstacle.
    UnknownCharacter {
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
        /// The character.
        found: char,
        /// The character of an obstacle.
        obstacle: char,
    },
    /// A row that is shorter or longer than was said.
    RowLength {
        /// Its line.
        line: usize,
        /// Its length, in characters.
        found: usize,
        /// What was said.
        expected: usize,
    },
    /// The text ends before the last row of a board.
    MissingRow {
        /// The line where it should be.
        line: usize,
        /// Rows found.
        found: usize,
        /// Rows that there should be.
        expected: usize,
    },
    /// Something follows the last board.
    MoreText {
        /// Its line.
        line: usize,
    },
}

impl fmt::Display for ParseOriginalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseOriginalError::Header { line, found: Some(found) } => {
                write!(
                    f,
                    "line {line}, column 1: found {found:?}, expected two whole numbers, of rows and of columns"
                )
            }
            ParseOriginalError::Header { line, found: None } => write!(
                f,
                "line {line}, column 1: found the end of the text, expected two whole numbers, of rows and of columns"
            ),
            ParseOriginalError::Size { line, error } => write!(f, "line {line}, column 1: {error}"),
            ParseOriginalError::UnknownCharacter { line, column, found, obstacle } => write!(
                f,
                "line {line}, column {column}: found {found:?}, expected '.' (free cell) or {obstacle:?} (obstacle)"
            ),
            ParseOriginalError::RowLength { line, found, expected } => write!(
                f,
                "line {line}, column {}: found a row of {found} cells, expected {expected}",
                found.min(expected) + 1
            ),
            ParseOriginalError::MissingRow { line, found, expected } => {
                write!(
                    f,
                    "line {line}, column 1: found the end of the text after {found} rows, expected {expected}"
                )
            }
            ParseOriginalError::MoreText { line } => {
                write!(f, "line {line}, column 1: found more text, expected the end")
            }
        }
    }
}

impl Error for ParseOriginalError {}

/// Numbers of rows and of columns.
type Size = (usize, usize);

/// Boards as texts: a line with the numbers of rows and columns, then the rows.
struct Boards<'a> {
    lines: Lines<'a>,
    obstacle: char,
}

impl<'a> Boards<'a> {
    fn new(text: &'a str, obstacle: char) -> Self {
        Boards { lines: Lines::new(text), obstacle }
    }

    /// The numbers of rows and columns of the next board, if there is one, and the line they are
    /// in.
    fn header(&mut self) -> Result<Option<(usize, Size)>, ParseOriginalError> {
        let Some((line, text)) = self.lines.read() else { return Ok(None) };
        let size = size(text)
            .ok_or_else(|| ParseOriginalError::Header { line, found: Some(text.to_owned()) })?;
        Ok(Some((line, size)))
    }

    fn board(&mut self, line: usize, (rows, columns): Size) -> Result<Grid, ParseOriginalError> {
        let mut grid =
            Grid::new(rows, columns).map_err(|error| ParseOriginalError::Size { line, error })?;
        for row in 0..rows {
            let Some((line, text)) = self.lines.read() else {
                return Err(ParseOriginalError::MissingRow {
                    line: self.lines.next_number(),
                    found: row,
                    expected: rows,
                });
            };
            let mut found_columns = 0;
            for (column, found) in text.chars().enumerate() {
                found_columns += 1;
                if found == self.obstacle {
                    grid = grid.with_obstacle(row, column);
                } else if found != '.' {
                    let (column, obstacle) = (column + 1, self.obstacle);
                    return Err(ParseOriginalError::UnknownCharacter {
                        line,
                        column,
                        found,
                        obstacle,
                    });
                }
            }
            if found_columns != columns {
                return Err(ParseOriginalError::RowLength {
                    line,
                    found: found_columns,
                    expected: columns,
                });
            }
        }
        Ok(grid)
    }

    fn end(&mut self) -> Result<(), ParseOriginalError> {
        self.lines.read().map_or(Ok(()), |(line, _)| Err(ParseOriginalError::MoreText { line }))
    }
}

/// Reads the input of *Formula 1* (Ural 1519): a line with the numbers of rows and columns, then
/// the rows, of `.` for a free cell and `*` for an obstacle. Asked for are the
/// [`hamiltonian_cycles`](super::hamiltonian_cycles()).
///
/// Lines may end in CR LF, the last one need not end, and empty lines may follow.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{formula_1, hamiltonian_cycles};
///
/// let grid = formula_1("4 4\n**..\n....\n....\n....\n")?;
/// assert_eq!(Sweep::new(&hamiltonian_cycles(&grid)).count().exact(), Some(2));
/// # Ok::<(), secateurs::problems::catalogue::ParseOriginalError>(())
/// ```
///
/// # Errors
/// If the text is anything else; the error says where.
pub fn formula_1(text: &str) -> Result<Grid, ParseOriginalError> {
    let mut boards = Boards::new(text, '*');
    let (line, size) =
        boards.header()?.ok_or(ParseOriginalError::Header { line: 1, found: None })?;
    let grid = boards.board(line, size)?;
    boards.end()?;
    Ok(grid)
}

/// Reads the input of *Tony's tour* (POJ 1739): boards, each a line with the numbers of rows and
/// columns, then the rows, of `.` for a free cell and `#` for an obstacle; `0 0` or the end of the
/// text ends them. Asked for are the Hamiltonian [`Paths`](super::Paths) from the lower left corner
/// to the lower right one.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Paths, tonys_tour};
///
/// let boards = tonys_tour("2 2\n..\n..\n2 3\n#..\n...\n3 4\n....\n....\n....\n0 0\n")?;
/// let counts = boards.iter().map(|grid| {
///     let below = grid.rows() - 1;
///     Sweep::new(&Paths::hamiltonian(grid).between((below, 0), (below, grid.columns() - 1))).count().exact()
/// });
/// assert_eq!(counts.collect::<Vec<_>>(), [Some(1), Some(1), Some(4)]);
/// # Ok::<(), secateurs::problems::catalogue::ParseOriginalError>(())
/// ```
///
/// # Errors
/// If the text is anything else; the error says where. Line ends and empty lines at the end are as
/// in [`formula_1`].
pub fn tonys_tour(text: &str) -> Result<Vec<Grid>, ParseOriginalError> {
    let mut boards = Boards::new(text, '#');
    let mut grids = Vec::new();
    while let Some((line, size)) = boards.header()? {
        if size == (0, 0) {
            boards.end()?;
            break;
        }
        grids.push(boards.board(line, size)?);
    }
    Ok(grids)
}
