//! Shapes made of squares: [`Polyomino`].

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::{Board, PackingError};

/// A shape made of squares of a grid, put into the corner: usually connected, but it need not be.
///
/// As text it has a line a row, of `#` for its squares and `.` for others; it is parsed from that
/// with [`parse`](str::parse) and printed so by `Display`. Shapes that turning and flipping makes
/// of one another are different here; [`orientations`](Self::orientations) lists them.
///
/// ```
/// use secateurs::problems::packing::Polyomino;
///
/// let l: Polyomino = "#.\n#.\n##\n".parse()?;
/// assert_eq!(l.cells().len(), 4);
/// assert_eq!(l.orientations().len(), 8);
/// assert_eq!(Polyomino::free(5)?.len(), 12);
/// # Ok::<(), secateurs::problems::packing::PackingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Polyomino {
    /// Row and column, sorted.
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
    /// The most squares of a shape.
    pub const MAX_CELLS: usize = 1000;

    /// The most squares for which [`free`](Self::free) lists all shapes: 4655 of ten.
    pub const MAX_FREE: usize = 10;

    /// A shape of these squares, given as row and column; they are moved into the corner.
    ///
    /// # Errors
    ///
    /// [`PackingError::NoCells`], [`PackingError::TooManyCells`] if there are more than
    /// [`MAX_CELLS`](Self::MAX_CELLS), and [`PackingError::TooLarge`] if they extend over so many
    /// rows and columns that no board has room for them.
    pub fn new(cells: impl IntoIterator<Item = (usize, usize)>) -> Result<Self, PackingError> {
        let cells: Vec<(usize, usize)> = cells.into_iter().take(Self::MAX_CELLS + 1).collect();
        if cells.is_empty() {
            return Err(PackingError::NoCells);
        }
        if cells.len() > Self::MAX_CELLS {
            return Err(PackingError::TooManyCells { most: Self::MAX_CELLS });
        }
        // One more than the largest difference, which may be as large as a number can be.
        let extent = |side: fn(&(usize, usize)) -> usize| {
            let (least, most) = (cells.iter().map(side).min(), cells.iter().map(side).max());
            most.unwrap_or(0).saturating_sub(least.unwrap_or(0)).saturating_add(1)
        };
        Board::check_extent(extent(|cell| cell.0), extent(|cell| cell.1))?;
        Ok(Self::cornered(cells))
    }

    /// `cells` must not be empty.
    fn cornered(mut cells: Vec<(usize, usize)>) -> Self {
        let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        for cell in &mut cells {
            *cell = (cell.0 - top, cell.1 - left);
        }
        cells.sort_unstable();
        cells.dedup();
        Polyomino { cells }
    }

    /// Row and column of each square, in order; the topmost row is 0, and so is the leftmost
    /// column.
    #[must_use]
    pub fn cells(&self) -> &[(usize, usize)] {
        &self.cells
    }

    /// The number of rows and of columns that it extends over.
    #[must_use]
    pub fn extent(&self) -> (usize, usize) {
        let rows = self.cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
        (rows, self.cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(0))
    }

    /// The different shapes that turning and flipping makes of this one, itself included: 1, 2, 4
    /// or 8, in order.
    #[must_use]
    pub fn orientations(&self) -> Vec<Self> {
        let (rows, columns) = self.extent();
        let turned = |bits: u8| {
            let image = |&(row, column): &(usize, usize)| {
                let row = if bits & 1 != 0 { rows - 1 - row } else { row };
                let column = if bits & 2 != 0 { columns - 1 - column } else { column };
                if bits & 4 != 0 { (column, row) } else { (row, column) }
            };
            Self::cornered(self.cells.iter().map(image).collect())
        };
        (0..8).map(turned).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// All connected shapes of so many squares, one of those that turning and flipping makes of one
    /// another: 1, 1, 2, 5, 12, 35, 108, 369, … (sequence A000105 of the OEIS).
    ///
    /// # Errors
    ///
    /// [`PackingError::TooManyCells`] if there are more squares than [`MAX_FREE`](Self::MAX_FREE),
    /// and [`PackingError::NoCells`] if there are none.
    pub fn free(cells: usize) -> Result<Vec<Self>, PackingError> {
        if cells > Self::MAX_FREE {
            return Err(PackingError::TooManyCells { most: Self::MAX_FREE });
        }
        if cells == 0 {
            return Err(PackingError::NoCells);
        }
        let mut shapes = BTreeSet::from([Polyomino { cells: vec![(0, 0)] }]);
        for _ in 1..cells {
            shapes = shapes.iter().flat_map(Self::larger).collect();
        }
        Ok(shapes.into_iter().collect())
    }

    /// The shapes of one square more, the first orientation of each.
    fn larger(&self) -> Vec<Self> {
        let mut larger = Vec::new();
        // Moved by one, so that there is room above and to the left.
        let cells: Vec<(usize, usize)> =
            self.cells.iter().map(|&(row, column)| (row + 1, column + 1)).collect();
        for &(row, column) in &cells {
            for next in [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
            {
                if !cells.contains(&next) {
                    let mut cells = cells.clone();
                    cells.push(next);
                    larger.extend(Self::cornered(cells).orientations().into_iter().next());
                }
            }
        }
        larger
    }

    /// The twelve pentominoes by the letters that Golomb named them by (1953), from F to Z.
    #[must_use]
    pub fn pentominoes() -> Vec<(&'static str, Self)> {
        let shape = |text: &str| match text.parse() {
            Ok(shape) => shape,
            Err(error) => unreachable!("the pentominoes are well formed: {error}"),
        };
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
    type Err = PackingError;

    /// Reads lines of `#` and `.`, which may be of different lengths. Line ends may be `\r\n`, the
    /// last one may be missing.
    fn from_str(text: &str) -> Result<Self, PackingError> {
        let mut cells = Vec::new();
        for (row, line) in text.trim_end_matches(['\n', '\r']).lines().enumerate() {
            for (column, found) in line.chars().enumerate() {
                match found {
                    '#' => cells.push((row, column)),
                    '.' => {}
                    found => {
                        return Err(PackingError::Character {
                            line: row + 1,
                            column: column + 1,
                            found,
                        });
                    }
                }
            }
        }
        Polyomino::new(cells)
    }
}
