//! The board to be filled, [`PackingBoard`]; and shapes made of squares, [`Polyomino`].

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use secateurs::ParseError;
use secateurs::text::read_grid;

use crate::InstanceError;

/// A rectangular board, possibly with holes, to be filled with pieces.
///
/// Its text has one line per row, all of the same length, with `.` for a square to be filled and
/// `#` for a hole. [`parse`](str::parse) reads this format and `Display` writes it.
///
/// ```
/// use secateurs_problems::packing::PackingBoard;
///
/// let board: PackingBoard = "....\n.##.\n....\n".parse()?;
/// assert_eq!((board.rows(), board.columns(), board.squares()), (3, 4, 10));
/// assert_eq!(PackingBoard::rectangle(2, 3)?.to_string(), "...\n...\n");
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PackingBoard {
    rows: usize,
    columns: usize,
    /// Whether each square is to be filled, row by row.
    open: Vec<bool>,
}

impl PackingBoard {
    /// The largest number of squares, holes included.
    pub const MAX_SQUARES: usize = 10_000;

    /// Creates a board without holes.
    ///
    /// # Errors
    ///
    /// If it has more than [`MAX_SQUARES`](Self::MAX_SQUARES) squares, rows or columns.
    pub fn rectangle(rows: usize, columns: usize) -> Result<Self, InstanceError> {
        let squares = Self::check_extent(rows, columns)?;
        Ok(PackingBoard { rows, columns, open: vec![true; squares] })
    }

    /// Returns the number of squares of a rectangle, unless it is larger than a board may be.
    pub(super) fn check_extent(rows: usize, columns: usize) -> Result<usize, InstanceError> {
        // Rows without columns are limited as well, since printing them takes time.
        let squares =
            rows.max(1).checked_mul(columns.max(1)).filter(|&squares| squares <= Self::MAX_SQUARES);
        squares.map(|_| rows * columns).ok_or_else(|| {
            InstanceError::new(format_args!(
                "found {rows} rows and {columns} columns, \
                 expected a board or shape of at most {} squares",
                Self::MAX_SQUARES
            ))
        })
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

    /// Returns the number of squares to be filled.
    #[must_use]
    pub fn squares(&self) -> usize {
        self.open.iter().filter(|&&open| open).count()
    }

    /// Returns whether a square, given by row and column from 0, is to be filled; squares outside
    /// the board are not.
    #[must_use]
    pub fn is_open(&self, row: usize, column: usize) -> bool {
        row < self.rows && column < self.columns && self.open[row * self.columns + column]
    }

    /// Returns the squares to be filled as (row, column), row by row.
    pub fn open_squares(&self) -> impl Iterator<Item = (usize, usize)> {
        let columns = self.columns;
        let open = self.open.iter().enumerate().filter(|(_, open)| **open);
        open.map(move |(square, _)| (square / columns, square % columns))
    }
}

impl fmt::Display for PackingBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows {
            for column in 0..self.columns {
                f.write_str(if self.is_open(row, column) { "." } else { "#" })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl FromStr for PackingBoard {
    type Err = ParseError;

    /// Reads the format described at [`PackingBoard`]. Lines may end in CR LF, the last line need
    /// not end, and empty lines may follow. A text without squares is a board without rows.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let text = text.trim_end_matches(['\n', '\r']);
        let lines = (1..).zip(text.lines());
        let (columns, open) = read_grid(lines, None, "`.` or `#`", |found| match found {
            '.' => Some(true),
            '#' => Some(false),
            _ => None,
        })?;
        let board = PackingBoard::rectangle(text.lines().count(), columns)?;
        Ok(PackingBoard { open, ..board })
    }
}

/// A shape made of squares of a grid, not necessarily connected. Its bounding box begins at row 0
/// and column 0.
///
/// Its text has one line per row, with `#` for its squares and `.` for others.
/// [`parse`](str::parse) reads this format and `Display` writes it. Rotated and reflected copies of
/// a shape are different values; [`orientations`](Self::orientations) lists them.
///
/// ```
/// use secateurs_problems::packing::Polyomino;
///
/// let l: Polyomino = "#.\n#.\n##\n".parse()?;
/// assert_eq!(l.cells().len(), 4);
/// assert_eq!(l.orientations().len(), 8);
/// assert_eq!(Polyomino::free(5)?.len(), 12);
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Polyomino {
    /// The row and column of each square, sorted.
    cells: Vec<(usize, usize)>,
}

const PENTOMINOES: [(&str, &str); 12] = [
    ("F", ".##\n##.\n.#."),
    ("I", "#####"),
    ("L", "####\n#..."),
    ("N", "###.\n..##"),
    ("P", "##\n##\n#."),
    ("T", "###\n.#.\n.#."),
    ("U", "#.#\n###"),
    ("V", "#..\n#..\n###"),
    ("W", "#..\n##.\n.##"),
    ("X", ".#.\n###\n.#."),
    ("Y", "####\n.#.."),
    ("Z", "##.\n.#.\n.##"),
];

impl Polyomino {
    /// The largest number of squares.
    pub const MAX_CELLS: usize = 1000;

    /// The largest number of squares for which [`free`](Self::free) lists all shapes: there are
    /// 4655 shapes of ten squares.
    pub const MAX_FREE: usize = 10;

    /// Creates a shape from its squares, given as row and column, and moves it to row 0 and
    /// column 0.
    ///
    /// # Errors
    ///
    /// If there are no squares or more than [`MAX_CELLS`](Self::MAX_CELLS), or if the bounding box
    /// of the shape has more squares than a board may have.
    pub fn new(cells: impl IntoIterator<Item = (usize, usize)>) -> Result<Self, InstanceError> {
        let cells: Vec<(usize, usize)> = cells.into_iter().take(Self::MAX_CELLS + 1).collect();
        if cells.is_empty() {
            return Err(no_cells());
        }
        if cells.len() > Self::MAX_CELLS {
            return Err(too_many_cells(Self::MAX_CELLS));
        }
        // The largest difference may be `usize::MAX`; one more must not overflow.
        let extent = |coordinate: fn(&(usize, usize)) -> usize| {
            let least = cells.iter().map(coordinate).min().unwrap_or(0);
            let most = cells.iter().map(coordinate).max().unwrap_or(0);
            most.saturating_sub(least).saturating_add(1)
        };
        PackingBoard::check_extent(extent(|cell| cell.0), extent(|cell| cell.1))?;
        Ok(Self::moved_to_origin(cells))
    }

    /// Creates a shape from `cells`, which must not be empty.
    fn moved_to_origin(mut cells: Vec<(usize, usize)>) -> Self {
        let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        for cell in &mut cells {
            *cell = (cell.0 - top, cell.1 - left);
        }
        cells.sort_unstable();
        cells.dedup();
        Polyomino { cells }
    }

    /// Returns the row and column of each square, in ascending order. The topmost row and the
    /// leftmost column are 0.
    #[must_use]
    pub fn cells(&self) -> &[(usize, usize)] {
        &self.cells
    }

    /// Returns the numbers of rows and of columns of the bounding box.
    #[must_use]
    pub fn extent(&self) -> (usize, usize) {
        let rows = self.cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
        (rows, self.cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(0))
    }

    /// Returns the different rotations and reflections of the shape, itself included, in ascending
    /// order: 1, 2, 4 or 8 of them.
    #[must_use]
    pub fn orientations(&self) -> Vec<Self> {
        let (rows, columns) = self.extent();
        let orientation = |bits: u8| {
            let image = |&(row, column): &(usize, usize)| {
                let row = if bits & 1 != 0 { rows - 1 - row } else { row };
                let column = if bits & 2 != 0 { columns - 1 - column } else { column };
                if bits & 4 != 0 { (column, row) } else { (row, column) }
            };
            Self::moved_to_origin(self.cells.iter().map(image).collect())
        };
        (0..8).map(orientation).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns all connected shapes of a number of squares, one of each set of rotations and
    /// reflections: 1, 1, 2, 5, 12, 35, 108, 369, … shapes (sequence A000105 of the OEIS).
    ///
    /// # Errors
    ///
    /// If `cells` is 0 or more than [`MAX_FREE`](Self::MAX_FREE).
    pub fn free(cells: usize) -> Result<Vec<Self>, InstanceError> {
        if cells > Self::MAX_FREE {
            return Err(too_many_cells(Self::MAX_FREE));
        }
        if cells == 0 {
            return Err(no_cells());
        }
        let mut shapes = BTreeSet::from([Polyomino { cells: vec![(0, 0)] }]);
        for _ in 1..cells {
            shapes = shapes.iter().flat_map(Self::larger).collect();
        }
        Ok(shapes.into_iter().collect())
    }

    /// Returns the shapes that result from adding an adjacent square, each in its first
    /// orientation. A shape may be repeated.
    fn larger(&self) -> Vec<Self> {
        let mut larger = Vec::new();
        // Moved by one, so that no row or column becomes negative.
        let cells: Vec<(usize, usize)> =
            self.cells.iter().map(|&(row, column)| (row + 1, column + 1)).collect();
        for &(row, column) in &cells {
            for next in [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
            {
                if !cells.contains(&next) {
                    let mut cells = cells.clone();
                    cells.push(next);
                    larger.extend(Self::moved_to_origin(cells).orientations().into_iter().next());
                }
            }
        }
        larger
    }

    /// Returns the twelve pentominoes with their letters by Golomb (1953), from F to Z.
    #[must_use]
    pub fn pentominoes() -> Vec<(&'static str, Self)> {
        let shape = |text: &str| text.parse().expect("the pentominoes are well formed");
        PENTOMINOES.iter().map(|&(name, text)| (name, shape(text))).collect()
    }
}

impl fmt::Display for Polyomino {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, columns) = self.extent();
        for row in 0..rows {
            for column in 0..columns {
                f.write_str(if self.cells.contains(&(row, column)) { "#" } else { "." })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl FromStr for Polyomino {
    type Err = ParseError;

    /// Reads lines of `#` and `.`, which may have different lengths. Lines may end in CR LF, and
    /// the last line break is optional.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut cells = Vec::new();
        for (row, line) in text.trim_end_matches(['\n', '\r']).lines().enumerate() {
            for (column, found) in line.chars().enumerate() {
                match found {
                    '#' => cells.push((row, column)),
                    '.' => {}
                    found => {
                        let found = found.escape_debug();
                        let message = format!("found `{found}`, expected `.` or `#`");
                        return Err(ParseError::at(row + 1, column + 1, message));
                    }
                }
            }
        }
        Ok(Polyomino::new(cells)?)
    }
}

fn no_cells() -> InstanceError {
    InstanceError::new("found a shape without squares, expected at least one")
}

fn too_many_cells(most: usize) -> InstanceError {
    InstanceError::new(format_args!(
        "found a shape of more than {most} squares, expected at most {most}"
    ))
}
