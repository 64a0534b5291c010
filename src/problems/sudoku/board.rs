//! Boards, with given numbers or filled in: [`Sudoku`], its text format, and pictures of boards and
//! of the states of their search.

use std::fmt;
use std::str::FromStr;

use crate::csp::{Domains, Network};
use crate::problems::InstanceError;
use crate::problems::picture::Picture;
use crate::text::{ParseError, parse_number, tokens};

/// A Sudoku board with numbers in some cells; the other cells are blank.
///
/// The board is divided into boxes of equal numbers of rows and columns. Its *side* is the number
/// of cells of a box, and the numbers are 1 to the side. A solution fills in the blank cells such
/// that each number occurs once in each row, column and box. Conflicting given numbers are
/// not an error: such a board has no solution, and [`conflict`](Self::conflict) returns two of
/// them.
///
/// [`parse`](str::parse) reads a board with square boxes and [`from_text`](Self::from_text) any
/// board. `Display` writes the same format: one row per line; up to side 9 as digits, with `.` for
/// a blank cell; above, as numbers separated by spaces.
///
/// ```
/// use secateurs::problems::sudoku::Sudoku;
///
/// let sudoku: Sudoku = "1...\n..1.\n.4..\n...2\n".parse()?;
/// assert_eq!((sudoku.side(), sudoku.blanks()), (4, 12));
/// assert_eq!(sudoku.number(2, 1), Some(4));
/// assert_eq!(sudoku.conflict(), None);
/// assert_eq!(sudoku.with_number(0, 2, 1)?.conflict(), Some([(0, 0), (0, 2)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sudoku {
    box_rows: usize,
    box_columns: usize,
    /// The number of each cell, row by row; 0 for a blank cell.
    cells: Vec<u8>,
}

/// The row, column and box of a cell, each from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Units {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) r#box: usize,
}

impl Sudoku {
    /// The largest side.
    pub const MAX_SIDE: usize = 64;

    /// Creates a blank board from the numbers of rows and columns of its boxes: 3 and 3 for the
    /// usual board, 2 and 3 for one of side 6.
    ///
    /// # Errors
    ///
    /// If a box has no cells, or more than [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn blank(box_rows: usize, box_columns: usize) -> Result<Self, InstanceError> {
        match box_rows.checked_mul(box_columns) {
            Some(side @ 1..=Self::MAX_SIDE) => {
                Ok(Sudoku { box_rows, box_columns, cells: vec![0; side * side] })
            }
            _ => Err(InstanceError::new(format_args!(
                "found boxes of {box_rows} × {box_columns} cells, expected 1 to {} cells",
                Self::MAX_SIDE
            ))),
        }
    }

    /// Returns the board with `number` in a cell, in place of its previous contents. Rows and
    /// columns count from 0.
    ///
    /// # Errors
    ///
    /// If there is no such cell, or if the number is not from 1 to the side. The message counts
    /// rows and columns from 1.
    pub fn with_number(
        mut self,
        row: usize,
        column: usize,
        number: usize,
    ) -> Result<Self, InstanceError> {
        let side = self.side();
        if row >= side || column >= side {
            return Err(InstanceError::new(format_args!(
                "found row {}, column {}, expected both from 1 to {side}",
                row.saturating_add(1),
                column.saturating_add(1)
            )));
        }
        match u8::try_from(number) {
            Ok(small) if (1..=side).contains(&number) => self.cells[row * side + column] = small,
            _ => {
                return Err(InstanceError::new(format_args!(
                    "found the number {number}, expected one from 1 to {side}"
                )));
            }
        }
        Ok(self)
    }

    /// Puts a number, or 0 for a blank, into a cell counted row by row. Both must be valid.
    pub(super) fn put(&mut self, cell: usize, number: u8) {
        self.cells[cell] = number;
    }

    /// Returns the side: the number of rows, of columns, of boxes, and of cells in each of them.
    #[must_use]
    pub fn side(&self) -> usize {
        self.box_rows * self.box_columns
    }

    /// Returns the number of rows of a box.
    #[must_use]
    pub fn box_rows(&self) -> usize {
        self.box_rows
    }

    /// Returns the number of columns of a box.
    #[must_use]
    pub fn box_columns(&self) -> usize {
        self.box_columns
    }

    /// Returns the number in a cell; `None` if the cell is blank or not on the board.
    #[must_use]
    pub fn number(&self, row: usize, column: usize) -> Option<usize> {
        let side = self.side();
        let number = (row < side && column < side).then(|| self.cells[row * side + column])?;
        (number > 0).then_some(usize::from(number))
    }

    /// Returns the number of blank cells.
    #[must_use]
    pub fn blanks(&self) -> usize {
        self.cells.iter().filter(|&&number| number == 0).count()
    }

    /// Returns the cells that have a number as (row, column, number), row by row.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let side = self.side();
        let cells = self.cells.iter().enumerate().filter(|&(_, &number)| number > 0);
        cells.map(move |(cell, &number)| (cell / side, cell % side, usize::from(number)))
    }

    /// Returns the row, column and box of a cell counted row by row.
    pub(super) fn units(&self, cell: usize) -> Units {
        let (row, column) = (cell / self.side(), cell % self.side());
        // Boxes are numbered row by row: side / box_columns = box_rows of them in each row.
        Units {
            row,
            column,
            r#box: row / self.box_rows * self.box_rows + column / self.box_columns,
        }
    }

    /// Returns two cells of one row, column or box with the same number, if there are any. Takes
    /// time linear in the cells.
    #[must_use]
    pub fn conflict(&self) -> Option<[(usize, usize); 2]> {
        let side = self.side();
        let mut holders = vec![None; 3 * side * side];
        for (row, column, number) in self.numbers() {
            let units = self.units(row * side + column);
            for unit in [units.row, side + units.column, 2 * side + units.r#box] {
                if let Some(other) = holders[unit * side + number - 1].replace((row, column)) {
                    return Some([other, (row, column)]);
                }
            }
        }
        None
    }

    /// Returns whether no cell is blank and no two numbers conflict.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.blanks() == 0 && self.conflict().is_none()
    }

    /// Returns whether this board has the same boxes as `given` and all of its numbers.
    #[must_use]
    pub fn completes(&self, given: &Sudoku) -> bool {
        (self.box_rows, self.box_columns) == (given.box_rows, given.box_columns)
            && given.numbers().all(|(row, column, number)| self.number(row, column) == Some(number))
    }
}

impl fmt::Display for Sudoku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (gap, width) = if self.side() <= 9 { ("", 1) } else { (" ", 2) };
        for row in self.cells.chunks(self.side()) {
            for (column, &number) in row.iter().enumerate() {
                f.write_str(if column == 0 { "" } else { gap })?;
                match number {
                    0 => write!(f, "{:>width$}", '.')?,
                    number => write!(f, "{number:>width$}")?,
                }
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

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
    /// first line are separated by spaces, those of all lines must be, and their numbers may have
    /// several digits, as is necessary above side 9. A text of one line may also be a whole board,
    /// row after row. Lines may end in CR LF and in spaces, the end of the last line is optional,
    /// and empty lines may follow it.
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
    if cell == "." { Some(0) } else { parse_number(cell) }
}

impl Sudoku {
    /// Returns a picture of the board as the text of an SVG file, with the boxes in two shades and
    /// the numbers of `given` on a third background.
    #[must_use]
    pub fn svg(&self, given: &Sudoku) -> String {
        let title = format!("A Sudoku of {0} × {0} cells, {1} blank", self.side(), self.blanks());
        let mut picture = given.background(&title);
        for (row, column, number) in self.numbers() {
            picture.text(row, column, number);
        }
        picture.finish()
    }

    /// Returns a picture of a state of a search of the board's [network](Self::network), as the
    /// text of an SVG file: the assigned numbers, and in small type the candidates of cells with
    /// two to four of them. A cell without candidates is marked with a disc.
    ///
    /// ```
    /// use secateurs::Problem;
    /// use secateurs::problems::sudoku::Sudoku;
    ///
    /// let sudoku: Sudoku = "1...\n..1.\n.4..\n...2\n".parse()?;
    /// let network = sudoku.network();
    /// let svg = sudoku.state_svg(&network, &network.root());
    /// assert_eq!(svg.matches("<text class=\"text\"").count(), 4); // the numbers given
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If `domains` belongs to a network with fewer variables.
    #[must_use]
    pub fn state_svg(&self, network: &Network, domains: &Domains) -> String {
        let side = self.side();
        let open = network
            .variables()
            .take(side * side)
            .filter(|&cell| !domains.is_assigned(cell))
            .count();
        let mut picture =
            self.background(&format!("A Sudoku of {side} × {side} cells, {open} open"));
        for (cell, variable) in network.variables().take(side * side).enumerate() {
            let (row, column) = (cell / side, cell % side);
            let values: Vec<i32> = domains.values(variable).take(5).collect();
            match &values[..] {
                [] => picture.disc(row, column),
                [value] => picture.text(row, column, value),
                values if values.len() <= 4 => {
                    let candidates: Vec<String> = values.iter().map(i32::to_string).collect();
                    picture.hint(row, column, candidates.join(if side > 9 { " " } else { "" }));
                }
                _ => {}
            }
        }
        picture.finish()
    }

    /// Draws the board without numbers: the boxes in two shades, and the cells of the given numbers
    /// in a third.
    fn background(&self, title: &str) -> Picture {
        let side = self.side();
        let mut picture = Picture::new(side, side, title);
        for cell in 0..side * side {
            let (row, column) = (cell / side, cell % side);
            let is_dark = (row / self.box_rows() + column / self.box_columns()) % 2 == 1;
            let class = match self.number(row, column) {
                Some(_) => "soft",
                None if is_dark => "dark",
                None => "",
            };
            picture.square(row, column, class);
        }
        picture
    }
}
