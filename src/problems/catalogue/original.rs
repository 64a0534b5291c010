//! Readers of the input formats of the original tasks: [`formula_1`] and [`tonys_tour`], and
//! [`Lines`], which the readers of the other tasks share.

use super::grid::Grid;
use crate::problems::InstanceError;
use crate::text::{ParseError, read_grid};

/// The size of a board: its numbers of rows and of columns.
pub(super) type Size = (usize, usize);

/// The lines of a text with their numbers, from 1. Empty lines at the end are left out.
pub(super) struct Lines<'t> {
    lines: std::str::Lines<'t>,
    next_number: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Lines { lines: text.trim_end_matches(['\n', '\r']).lines(), next_number: 1 }
    }

    /// Returns an error at the beginning of the next line.
    pub(super) fn error_at_next(&self, message: impl std::fmt::Display) -> ParseError {
        ParseError::at(self.next_number, 1, message)
    }

    /// Reads the next line; `expected` describes it in the error.
    ///
    /// # Errors
    ///
    /// Returns an error at the end of the text.
    pub(super) fn expect(&mut self, expected: &str) -> Result<(usize, &'t str), ParseError> {
        let line = self.next();
        line.ok_or_else(|| {
            self.error_at_next(format!("found the end of the text, expected {expected}"))
        })
    }

    /// Reads the header of a board, a line with two whole numbers, and returns its number and the
    /// size of the board.
    ///
    /// # Errors
    ///
    /// Returns an error at the end of the text and for any other line.
    pub(super) fn header(&mut self) -> Result<(usize, Size), ParseError> {
        let expected = "the numbers of rows and columns";
        let (line, text) = self.expect(expected)?;
        let mut numbers = text.split_ascii_whitespace().map(str::parse);
        match (numbers.next(), numbers.next(), numbers.next()) {
            (Some(Ok(rows)), Some(Ok(columns)), None) => Ok((line, (rows, columns))),
            _ => Err(ParseError::at(line, 1, format!("found {text:?}, expected {expected}"))),
        }
    }

    /// Reads the header of the next board of a list that ends with the text or with a header
    /// `0 0`, which must be the last line. Returns `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error for a line that is no header, and for text after `0 0`.
    pub(super) fn next_header(&mut self) -> Result<Option<(usize, Size)>, ParseError> {
        if self.lines.clone().next().is_none() {
            return Ok(None);
        }
        let header = self.header()?;
        if header.1 == (0, 0) {
            return self.end().map(|()| None);
        }
        Ok(Some(header))
    }

    /// Reads the rows of a board, one cell per character: see [`read_grid`].
    ///
    /// # Errors
    ///
    /// Returns an error if there are fewer rows, for a row of another length, and for a character
    /// that is no cell.
    pub(super) fn rows<T>(
        &mut self,
        (rows, columns): Size,
        expected: &str,
        cell: impl FnMut(char) -> Option<T>,
    ) -> Result<Vec<T>, ParseError> {
        let mut found = 0;
        let lines = self.by_ref().take(rows).inspect(|_| found += 1);
        let (_, cells) = read_grid(lines, Some(columns), expected, cell)?;
        if found < rows {
            return Err(self.missing_row(found, rows));
        }
        Ok(cells)
    }

    /// Returns the error of a text that ends after `found` rows of a board.
    pub(super) fn missing_row(&self, found: usize, rows: usize) -> ParseError {
        self.error_at_next(format!("found the end of the text after {found} rows, expected {rows}"))
    }

    /// Checks that there is no further line.
    ///
    /// # Errors
    ///
    /// Returns an error at the next line, if there is one.
    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        match self.next() {
            Some((line, _)) => {
                Err(ParseError::at(line, 1, "found more text, expected the end of the text"))
            }
            None => Ok(()),
        }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<(usize, &'t str)> {
        let line = (self.next_number, self.lines.next()?);
        self.next_number += 1;
        Some(line)
    }
}

/// Creates a board without obstacles of the size that is given in this line.
///
/// # Errors
///
/// Returns an error at the line if there is no board of this size.
pub(super) fn empty_grid(line: usize, (rows, columns): Size) -> Result<Grid, ParseError> {
    Grid::new(rows, columns).map_err(|error: InstanceError| ParseError::at(line, 1, error))
}

/// Reads a board of free cells (`.`) and obstacles, given its header.
fn board(lines: &mut Lines<'_>, header: (usize, Size), wall: char) -> Result<Grid, ParseError> {
    let (line, size) = header;
    let grid = empty_grid(line, size)?;
    let expected = format!("`.` (free cell) or `{wall}` (obstacle)");
    let free = lines
        .rows(size, &expected, |found| (found == '.' || found == wall).then_some(found == '.'))?;
    Ok(grid.with_free_cells(free))
}

/// Reads the input of *Formula 1* (Ural 1519): a line with the numbers of rows and columns, then
/// the rows, with `.` for a free cell and `*` for an obstacle. The task asks for the number of
/// [`hamiltonian_cycles`](super::hamiltonian_cycles()).
///
/// Lines may end in CR LF, the last line need not end, and empty lines may follow.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{formula_1, hamiltonian_cycles};
///
/// let grid = formula_1("4 4\n**..\n....\n....\n....\n")?;
/// assert_eq!(Sweep::new(&hamiltonian_cycles(&grid)).count().exact(), Some(2));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
///
/// # Errors
///
/// Returns an error with line and column if the text has another format.
pub fn formula_1(text: &str) -> Result<Grid, ParseError> {
    let mut lines = Lines::new(text);
    let header = lines.header()?;
    let grid = board(&mut lines, header, '*')?;
    lines.end()?;
    Ok(grid)
}

/// Reads the input of *Tony's tour* (POJ 1739): boards, each a line with the numbers of rows and
/// columns, then the rows, with `.` for a free cell and `#` for an obstacle. `0 0` or the end of
/// the text ends the list. The task asks for the Hamiltonian [`Paths`](super::Paths) from the lower
/// left corner to the lower right corner.
///
/// ```
/// use secateurs::plug::Sweep;
/// use secateurs::problems::catalogue::{Paths, tonys_tour};
///
/// let boards = tonys_tour("2 2\n..\n..\n2 3\n#..\n...\n3 4\n....\n....\n....\n0 0\n")?;
/// let counts = boards.iter().map(|grid| {
///     let below = grid.rows() - 1;
///     let paths = Paths::hamiltonian(grid).between((below, 0), (below, grid.columns() - 1));
///     Sweep::new(&paths).count().exact()
/// });
/// assert_eq!(counts.collect::<Vec<_>>(), [Some(1), Some(1), Some(4)]);
/// # Ok::<(), secateurs::ParseError>(())
/// ```
///
/// # Errors
///
/// Returns an error with line and column if the text has another format. Line ends and empty lines
/// at the end are as in [`formula_1`].
pub fn tonys_tour(text: &str) -> Result<Vec<Grid>, ParseError> {
    let mut lines = Lines::new(text);
    let mut grids = Vec::new();
    while let Some(header) = lines.next_header()? {
        grids.push(board(&mut lines, header, '#')?);
    }
    Ok(grids)
}
