//! The board: walls, empty cells, and the bunkers that stand from the beginning.

use std::error::Error;
use std::fmt::{self, Write};

use bitvec::vec::BitVec;

use super::segments::Segments;
use super::state::State;

/// A fire-net board of any size, and the [`Problem`](crate::Problem) of placing bunkers on it.
///
/// Cells are numbered row by row from 0; [`cell`](Board::cell) and [`position`](Board::position)
/// translate. A board may have bunkers on it from the beginning, which stay; so a solution is a
/// board as well ([`with_bunkers`](Board::with_bunkers)), is printed in the format that is
/// [read](#impl-FromStr-for-Board), and can be completed further.
///
/// ```
/// use secateurs::problems::fire_net::Board;
///
/// let board: Board = "2 3\n.X.\n..X\n".parse()?;
/// assert_eq!((board.rows(), board.columns()), (2, 3));
/// assert!(board.is_wall(board.cell(0, 1)));
/// let solved = board.with_bunkers([0, 2, 4])?;
/// assert_eq!(solved.to_string(), "2 3\nBXB\n.BX\n");
/// assert!(solved.with_bunkers([3]).is_err()); // it would see the bunker at (0, 0)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rows: usize,
    columns: usize,
    walls: BitVec,
    bunkers: Vec<usize>,
    segments: Segments,
}

impl Board {
    /// A board without bunkers; `is_wall` is asked for each row and column, row by row. Cost: the
    /// number of cells.
    ///
    /// # Panics
    ///
    /// If the number of cells does not fit into a `usize`.
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
        Board { rows, columns, walls, bunkers: Vec::new(), segments }
    }

    /// A board without walls.
    ///
    /// # Panics
    ///
    /// If the number of cells does not fit into a `usize`.
    #[must_use]
    pub fn empty(rows: usize, columns: usize) -> Self {
        Board::new(rows, columns, |_, _| false)
    }

    /// The same board with more bunkers on it.
    ///
    /// # Errors
    ///
    /// If a cell is not on the board, is a wall, or is seen by a bunker (or holds one).
    pub fn with_bunkers(
        &self,
        cells: impl IntoIterator<Item = usize>,
    ) -> Result<Board, BunkerError> {
        let mut board = self.clone();
        let mut holder = vec![None; self.segments.len()];
        for &cell in &self.bunkers {
            for segment in self.segments.both(cell) {
                holder[segment] = Some(cell);
            }
        }
        for cell in cells {
            if cell >= self.cells() {
                return Err(BunkerError::NotOnBoard { cell, cells: self.cells() });
            }
            let (row, column) = self.position(cell);
            let Some(both) = self.segments.of(cell) else {
                return Err(BunkerError::OnWall { row, column });
            };
            if let Some(other) = both.into_iter().find_map(|segment| holder[segment]) {
                return Err(BunkerError::Seen { row, column, by: self.position(other) });
            }
            for segment in both {
                holder[segment] = Some(cell);
            }
            board.bunkers.push(cell);
        }
        board.bunkers.sort_unstable();
        Ok(board)
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of cells, walls included.
    #[must_use]
    #[inline]
    pub fn cells(&self) -> usize {
        self.walls.len()
    }

    /// The number of the cell in a row and a column, both counted from 0.
    ///
    /// # Panics
    ///
    /// If there is none.
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

    /// The row and the column of a cell, both counted from 0.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    #[must_use]
    pub fn position(&self, cell: usize) -> (usize, usize) {
        assert!(cell < self.cells(), "no cell {cell} on a board of {}", self.cells());
        (cell / self.columns, cell % self.columns)
    }

    /// Whether a cell is a wall.
    ///
    /// # Panics
    ///
    /// If there is no such cell.
    #[must_use]
    #[inline]
    pub fn is_wall(&self, cell: usize) -> bool {
        self.walls[cell]
    }

    /// The cells of the bunkers that stand from the beginning, in increasing order.
    #[must_use]
    pub fn bunkers(&self) -> &[usize] {
        &self.bunkers
    }

    /// The segments of the board.
    #[must_use]
    #[inline]
    pub fn segments(&self) -> &Segments {
        &self.segments
    }

    /// The number of bunkers placed in a state: what is maximised.
    #[must_use]
    #[inline]
    pub fn placed(state: &State) -> usize {
        state.placed()
    }
}

/// The board in the format in which it is read: the side of a square or `rows columns`, then the
/// rows of `.`, `X` and `B`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows == self.columns {
            writeln!(f, "{}", self.rows)?;
        } else {
            writeln!(f, "{} {}", self.rows, self.columns)?;
        }
        let mut bunkers = self.bunkers.iter().peekable();
        // Nothing is printed of rows without cells, which could not be read back either.
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

/// Why a bunker cannot stand on a cell. Rows and columns are counted from 0 here, and from 1 in the
/// message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BunkerError {
    /// The board has no such cell.
    NotOnBoard {
        /// The number of the cell.
        cell: usize,
        /// How many there are.
        cells: usize,
    },
    /// The cell is a wall.
    OnWall {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// The cell holds a bunker or is seen by one.
    Seen {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// Row and column of the other bunker.
        by: (usize, usize),
    },
}

impl fmt::Display for BunkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BunkerError::NotOnBoard { cell, cells } => {
                write!(f, "no cell {cell} for a bunker on a board of {cells} cells")
            }
            BunkerError::OnWall { row, column } => {
                write!(f, "row {}, column {}: a bunker on a wall", row + 1, column + 1)
            }
            BunkerError::Seen { row, column, by } => {
                let (row, column, by) = (row + 1, column + 1, (by.0 + 1, by.1 + 1));
                write!(
                    f,
                    "row {row}, column {column}: the bunker sees the one in row {}, column {}",
                    by.0, by.1
                )
            }
        }
    }
}

impl Error for BunkerError {}
