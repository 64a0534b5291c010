//! [`FireNetBoard`]: walls, empty cells and given bunkers, and its text format.

use std::fmt::{self, Write};
use std::str::FromStr;

use bitvec::vec::BitVec;

use secateurs::ParseError;
use secateurs::text::{parse_number, read_grid};

use super::segments::Segments;
use crate::InstanceError;

/// A fire-net board of any size, and the [`Problem`](secateurs::Problem) of placing bunkers on it.
///
/// Cells are numbered row by row from 0; [`cell`](FireNetBoard::cell) and
/// [`position`](FireNetBoard::position) translate between numbers and coordinates. A board may have
/// *given* bunkers, which are part of every placement. A solution is therefore a board too (see
/// [`with_bunkers`](FireNetBoard::with_bunkers)): it is printed in the format that is
/// [read](#impl-FromStr-for-FireNetBoard), and can be completed further.
///
/// ```
/// use secateurs_problems::fire_net::FireNetBoard;
///
/// let board: FireNetBoard = "2 3\n.X.\n..X\n".parse()?;
/// assert_eq!((board.rows(), board.columns()), (2, 3));
/// assert!(board.is_wall(board.cell(0, 1)));
/// let solved = board.with_bunkers([0, 2, 4])?;
/// assert_eq!(solved.to_string(), "2 3\nBXB\n.BX\n");
/// assert!(solved.with_bunkers([3]).is_err()); // it would see the bunker at (0, 0)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FireNetBoard {
    rows: usize,
    columns: usize,
    walls: BitVec,
    bunkers: Vec<usize>,
    segments: Segments,
}

impl FireNetBoard {
    /// Creates a board without bunkers. `is_wall` is called with each row and column, row by row.
    /// Takes time linear in the number of cells.
    ///
    /// # Panics
    ///
    /// Panics if the number of cells does not fit into a `usize`.
    #[must_use]
    pub fn new(rows: usize, columns: usize, mut is_wall: impl FnMut(usize, usize) -> bool) -> Self {
        let Some(cells) = rows.checked_mul(columns) else {
            panic!("a board of {rows} rows and {columns} columns has too many cells");
        };
        let mut walls = BitVec::repeat(false, cells);
        for cell in 0..cells {
            if is_wall(cell / columns, cell % columns) {
                walls.set(cell, true);
            }
        }
        let segments = Segments::new(rows, columns, |cell| walls[cell]);
        FireNetBoard { rows, columns, walls, bunkers: Vec::new(), segments }
    }

    /// Creates a board without walls.
    ///
    /// # Panics
    ///
    /// Panics if the number of cells does not fit into a `usize`.
    #[must_use]
    pub fn empty(rows: usize, columns: usize) -> Self {
        FireNetBoard::new(rows, columns, |_, _| false)
    }

    /// Returns the same board with more bunkers on it.
    ///
    /// # Errors
    ///
    /// Returns an error if a cell is not on the board, is a wall, holds a bunker or is seen by one.
    /// The message counts rows and columns from 1.
    pub fn with_bunkers(
        &self,
        cells: impl IntoIterator<Item = usize>,
    ) -> Result<FireNetBoard, InstanceError> {
        self.try_with_bunkers(cells).map_err(|(cell, seen_by)| {
            if cell >= self.cells() {
                let cells = self.cells();
                return InstanceError::new(format_args!(
                    "found a bunker on cell {cell}, expected a cell below {cells}"
                ));
            }
            let (row, column) = self.position(cell);
            let reason = match seen_by.map(|other| self.position(other)) {
                None => "found a bunker on a wall, expected an empty cell".to_owned(),
                Some((by_row, by_column)) => format!(
                    "found a bunker that sees the one in row {}, column {}, expected no two that \
                     see each other",
                    by_row + 1,
                    by_column + 1
                ),
            };
            InstanceError::at(row, column, reason)
        })
    }

    /// Returns the same board with more bunkers, or the first cell that cannot hold one, together
    /// with the bunker that sees it (`None` if the cell is a wall or not on the board).
    fn try_with_bunkers(
        &self,
        cells: impl IntoIterator<Item = usize>,
    ) -> Result<FireNetBoard, (usize, Option<usize>)> {
        let mut board = self.clone();
        let mut holder = vec![None; self.segments.len()];
        for &cell in &self.bunkers {
            for segment in self.segments.both(cell) {
                holder[segment] = Some(cell);
            }
        }
        for cell in cells {
            let on_board = (cell < self.cells()).then_some(cell);
            let both = on_board.and_then(|cell| self.segments.of(cell)).ok_or((cell, None))?;
            if let Some(other) = both.into_iter().find_map(|segment| holder[segment]) {
                return Err((cell, Some(other)));
            }
            for segment in both {
                holder[segment] = Some(cell);
            }
            board.bunkers.push(cell);
        }
        board.bunkers.sort_unstable();
        Ok(board)
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of cells, walls included.
    #[must_use]
    #[inline]
    pub fn cells(&self) -> usize {
        self.walls.len()
    }

    /// Returns the number of the cell in a row and a column, both counted from 0.
    ///
    /// # Panics
    ///
    /// Panics if there is no such cell.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> usize {
        assert!(
            row < self.rows && column < self.columns,
            "no cell ({row}, {column}) on a board of {} rows and {} columns",
            self.rows,
            self.columns
        );
        row * self.columns + column
    }

    /// Returns the row and the column of a cell, both counted from 0.
    ///
    /// # Panics
    ///
    /// Panics if there is no such cell.
    #[must_use]
    pub fn position(&self, cell: usize) -> (usize, usize) {
        assert!(cell < self.cells(), "no cell {cell} on a board of {} cells", self.cells());
        (cell / self.columns, cell % self.columns)
    }

    /// Returns whether a cell is a wall.
    ///
    /// # Panics
    ///
    /// Panics if there is no such cell.
    #[must_use]
    #[inline]
    pub fn is_wall(&self, cell: usize) -> bool {
        self.walls[cell]
    }

    /// Returns the cells of the given bunkers, in increasing order.
    #[must_use]
    pub fn bunkers(&self) -> &[usize] {
        &self.bunkers
    }

    /// Returns the segments of the board.
    #[must_use]
    #[inline]
    pub fn segments(&self) -> &Segments {
        &self.segments
    }

    /// Returns whether each segment has a bunker.
    pub(super) fn held_segments(&self) -> Vec<bool> {
        let mut held = vec![false; self.segments.len()];
        for segment in self.bunkers.iter().flat_map(|&cell| self.segments.both(cell)) {
            held[segment] = true;
        }
        held
    }
}

/// Prints the board in the format in which it is read: the side of a square or `rows columns`, then
/// the rows of `.`, `X` and `B`.
impl fmt::Display for FireNetBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows == self.columns {
            writeln!(f, "{}", self.rows)?;
        } else {
            writeln!(f, "{} {}", self.rows, self.columns)?;
        }
        let mut bunkers = self.bunkers.iter().peekable();
        // Rows without cells are not printed: there may be any number of them, and the parser
        // rejects blank lines.
        let rows = if self.columns == 0 { 0 } else { self.rows };
        for row in 0..rows {
            for column in 0..self.columns {
                let cell = row * self.columns + column;
                f.write_char(match () {
                    () if bunkers.next_if_eq(&&cell).is_some() => 'B',
                    () if self.walls[cell] => 'X',
                    () => '.',
                })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Reads a board: a line with its side `n`, or with `rows columns`, then its rows, of `.` (empty),
/// `X` (wall) and `B` (given bunker).
///
/// Lines may end in CR LF, the end of the last line is optional, and blank lines may follow it. The
/// Cyrillic letter `Х` is a wall as well, and a final Ctrl-Z (U+001A) is ignored. Takes time linear
/// in the length of the text, even if the first line states a larger size.
///
/// ```
/// use secateurs_problems::fire_net::FireNetBoard;
///
/// let board: FireNetBoard = "4\r\n.X..\r\n....\r\nXX..\r\n....".parse()?;
/// assert_eq!(board.rows(), 4);
/// let error = "4\n.X..\n..o.\nXX..\n....\n".parse::<FireNetBoard>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 3, column 3: found `o`, expected `.` (empty), `X` (wall) or `B` (bunker)",
/// );
/// # Ok::<(), secateurs::ParseError>(())
/// ```
impl FromStr for FireNetBoard {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<FireNetBoard, ParseError> {
        const SIZE: &str = "expected the size of the board, `n` or `rows columns`";
        if text.trim().is_empty() {
            return Err(ParseError::at(1, 1, format_args!("the text is empty, {SIZE}")));
        }
        // Old files end with Ctrl-Z.
        let text = text.strip_suffix('\u{1a}').unwrap_or(text);
        let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let mut lines = (1..).zip(lines);
        let (_, header) = lines.next().unwrap_or((1, ""));
        let (rows, columns) = parse_size(header).ok_or_else(|| {
            let found: String = header.chars().take(40).collect();
            ParseError::at(1, 1, format_args!("found {found:?}, {SIZE}"))
        })?;
        let (_, cells) = read_grid(
            lines.by_ref().take(rows).take_while(|(_, row)| !row.is_empty()),
            Some(columns),
            "`.` (empty), `X` (wall) or `B` (bunker)",
            |found| match found {
                '.' | 'X' | 'B' => Some(found as u8),
                CYRILLIC_HA => Some(b'X'),
                _ => None,
            },
        )?;
        let found = cells.len().checked_div(columns).unwrap_or(0);
        if found < rows {
            let message = format!("found a board of height {found}, expected {rows}");
            return Err(ParseError::at(found + 2, 1, message));
        }
        if let Some((line, _)) = lines.find(|(_, line)| !line.is_empty()) {
            let message = format!("found text after the last row, expected {rows} rows");
            return Err(ParseError::at(line, 1, message));
        }
        let is_wall = |row, column| cells[row * columns + column] == b'X';
        let board = FireNetBoard::new(rows, columns, is_wall);
        let bunkers = (0..cells.len()).filter(|&cell| cells[cell] == b'B');
        board.try_with_bunkers(bunkers).map_err(|(cell, seen_by)| {
            // The cells come from the text, are on the board and are not walls: another bunker is
            // in sight. The first row is in line 2.
            let (row, column) = board.position(cell);
            let (by_row, by_column) = board.position(seen_by.unwrap_or(cell));
            // Cells may be separated by spaces.
            let column_in_text = |row: usize, column: usize| {
                let cells = text.lines().nth(row + 1).unwrap_or_default().chars().enumerate();
                cells
                    .filter(|(_, cell)| !cell.is_whitespace())
                    .nth(column)
                    .map_or(column, |at| at.0)
                    + 1
            };
            let message = format!(
                "found a bunker that sees the one in line {}, column {}, expected no two that see \
                 each other",
                by_row + 2,
                column_in_text(by_row, by_column)
            );
            ParseError::at(row + 2, column_in_text(row, column), message)
        })
    }
}

/// The Cyrillic letter `Х`, which looks like `X` and stands for it in some files.
const CYRILLIC_HA: char = '\u{425}';

/// Reads one or two whole numbers: the side of a square, or rows and columns.
fn parse_size(header: &str) -> Option<(usize, usize)> {
    let mut numbers = header.split_ascii_whitespace().map(parse_number);
    let rows = numbers.next()??;
    let columns = match numbers.next() {
        Some(columns) => columns?,
        None => rows,
    };
    // A board without columns must have no rows: no line of the text would stand for a row, so the
    // length of the text would not bound the work.
    (numbers.next().is_none() && (columns > 0 || rows == 0)).then_some((rows, columns))
}

impl FireNetBoard {
    /// The largest number of cells of a random board: 2²⁴.
    pub const MAX_RANDOM_CELLS: usize = 1 << 24;

    /// Creates a random board: each cell is empty with probability `empty`, else a wall,
    /// independently of the others.
    ///
    /// The same arguments give the same board on every machine. The article's generator does the
    /// same on squares; its argument is the probability of an *empty* cell as well.
    ///
    /// ```
    /// use secateurs_problems::fire_net::FireNetBoard;
    ///
    /// let board = FireNetBoard::random(10, 20, 0.8, 7)?;
    /// assert_eq!(board, FireNetBoard::random(10, 20, 0.8, 7)?);
    /// assert_eq!(FireNetBoard::random(3, 3, 1.0, 7)?, FireNetBoard::empty(3, 3));
    /// assert!(FireNetBoard::random(3, 3, 1.5, 7).is_err());
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if `empty` is not between 0 and 1, or if the board would have more than
    /// [`MAX_RANDOM_CELLS`](Self::MAX_RANDOM_CELLS) cells.
    pub fn random(
        rows: usize,
        columns: usize,
        empty: f64,
        seed: u64,
    ) -> Result<FireNetBoard, InstanceError> {
        if !(0.0..=1.0).contains(&empty) {
            return Err(InstanceError::new(format_args!(
                "found {empty} as the probability of an empty cell, expected a number from 0 to 1"
            )));
        }
        if rows.checked_mul(columns).is_none_or(|cells| cells > Self::MAX_RANDOM_CELLS) {
            return Err(InstanceError::new(format_args!(
                "found {rows} rows and {columns} columns, expected at most {} cells",
                Self::MAX_RANDOM_CELLS
            )));
        }
        let mut random = fastrand::Rng::with_seed(seed);
        Ok(FireNetBoard::new(rows, columns, |_, _| random.f64() >= empty))
    }

    /// Returns the same board with up to `count` more bunkers, each on a random cell that no other
    /// bunker sees.
    ///
    /// There are fewer if no such cell is left. Takes time linear in the number of cells.
    ///
    /// ```
    /// use secateurs_problems::fire_net::FireNetBoard;
    ///
    /// assert_eq!(FireNetBoard::empty(4, 4).with_random_bunkers(3, 1).bunkers().len(), 3);
    /// assert_eq!(FireNetBoard::empty(4, 4).with_random_bunkers(9, 1).bunkers().len(), 4);
    /// ```
    #[must_use]
    pub fn with_random_bunkers(&self, count: usize, seed: u64) -> FireNetBoard {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut cells: Vec<usize> = (0..self.cells()).collect();
        random.shuffle(&mut cells);
        let mut held = self.held_segments();
        let mut hold_if_unseen = |&cell: &usize| {
            let Some(both) = self.segments.of(cell) else { return false };
            let unseen = both.iter().all(|&segment| !held[segment]);
            if unseen {
                both.iter().for_each(|&segment| held[segment] = true);
            }
            unseen
        };
        let cells = cells.into_iter().filter(|cell| hold_if_unseen(cell)).take(count);
        // This cannot fail: no two bunkers share a segment.
        self.with_bunkers(cells).unwrap_or_else(|_| self.clone())
    }
}
