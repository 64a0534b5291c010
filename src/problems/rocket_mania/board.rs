//! Boards, the matches that are lit beside them, and how the blocks are turned.

use std::error::Error;
use std::fmt;

use super::block::{Block, Sides};

/// A rectangle of blocks, of one row and one column at least.
///
/// `Display` writes it as it is read: a line a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rows: usize,
    columns: usize,
    /// Row by row.
    blocks: Vec<Block>,
}

impl Board {
    /// The board of these rows, from the top down.
    ///
    /// # Errors
    /// If there is no cell, or if rows differ in length.
    pub fn new(rows: &[Vec<Block>]) -> Result<Board, CaseError> {
        let columns = rows.first().map_or(0, Vec::len);
        if columns == 0 {
            return Err(CaseError::Empty);
        }
        if let Some((row, wrong)) = rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
            return Err(CaseError::RowLength { row, found: wrong.len(), expected: columns });
        }
        Ok(Board { rows: rows.len(), columns, blocks: rows.concat() })
    }

    /// How many rows there are: 1 at least.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are: 1 at least.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// What stands in a cell; rows and columns are counted from 0, from the top left.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn block(&self, row: usize, column: usize) -> Block {
        assert!(row < self.rows && column < self.columns, "no cell in row {row}, column {column}");
        self.blocks[row * self.columns + column]
    }

    /// All blocks, row by row.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.blocks.chunks(self.columns);
        lines
            .map(|row| row.iter().map(|block| block.to_char()).collect::<String>())
            .try_for_each(|row| writeln!(f, "{row}"))
    }
}

/// Which matches are lit. They are on the left of the board, one a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matches {
    /// Just the one in this row, counted from 0: *Rocket Mania*.
    One(usize),
    /// All of them: *Rocket Mania Plus*.
    All,
}

impl Matches {
    /// Whether the match in this row is lit.
    #[inline]
    #[must_use]
    pub fn is_lit(self, row: usize) -> bool {
        match self {
            Matches::One(lit) => row == lit,
            Matches::All => true,
        }
    }
}

/// A board and the matches that are lit beside it: what is to be solved.
///
/// `Display` writes it as it is read: the row of the match, counted from 1, unless all are lit, and
/// then the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    board: Board,
    matches: Matches,
}

impl Case {
    /// The case of this board and these matches.
    ///
    /// # Errors
    /// If the board does not have the row of the match.
    pub fn new(board: Board, matches: Matches) -> Result<Case, CaseError> {
        match matches {
            Matches::One(row) if row >= board.rows => {
                Err(CaseError::Match { row, rows: board.rows })
            }
            _ => Ok(Case { board, matches }),
        }
    }

    /// The case of the same board with all matches lit.
    #[must_use]
    pub fn with_all_matches(self) -> Case {
        Case { matches: Matches::All, ..self }
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The matches that are lit.
    #[must_use]
    pub fn matches(&self) -> Matches {
        self.matches
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Matches::One(row) = self.matches {
            writeln!(f, "{}", row + 1)?;
        }
        self.board.fmt(f)
    }
}

/// What does not make a case, or a way of turning its blocks. Rows and columns are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CaseError {
    /// The board has no cell.
    Empty,
    /// A row is shorter or longer than the first one.
    RowLength {
        /// The row.
        row: usize,
        /// Its cells.
        found: usize,
        /// Those of the first row.
        expected: usize,
    },
    /// The board does not have the row of the match.
    Match {
        /// The row of the match.
        row: usize,
        /// How many rows there are.
        rows: usize,
    },
    /// There are more or fewer sets of sides than cells.
    Cells {
        /// How many sets there are.
        found: usize,
        /// How many cells.
        expected: usize,
    },
    /// A block cannot be turned so.
    Turn {
        /// The row of the block.
        row: usize,
        /// Its column.
        column: usize,
        /// The block.
        block: Block,
        /// Where it was to lead.
        found: Sides,
    },
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            CaseError::Empty => f.write_str("found a board without cells, expected one at least"),
            CaseError::RowLength { row, found, expected } => {
                write!(f, "row {row}: found {found} cells, expected {expected} as in row 0")
            }
            CaseError::Match { row, rows } => {
                write!(f, "found a match in row {row}, expected one of {rows} rows")
            }
            CaseError::Cells { found, expected } => {
                write!(f, "found the sides of {found} blocks, expected those of {expected}")
            }
            CaseError::Turn { row, column, block, found } => write!(
                f,
                "row {row}, column {column}: found a `{}` that leads {found:?}, which no turn of it does",
                block.to_char()
            ),
        }
    }
}

impl Error for CaseError {}

/// How the blocks of a board are turned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rotation {
    /// Row by row: where each block leads.
    sides: Vec<Sides>,
}

impl Rotation {
    /// The blocks as the board shows them.
    #[must_use]
    pub fn unturned(board: &Board) -> Rotation {
        Rotation { sides: board.blocks.iter().map(|block| block.sides()).collect() }
    }

    /// The rotation by which the blocks lead to these sides, row by row.
    ///
    /// # Errors
    /// If some block cannot be turned so, or if there are too many or too few.
    pub fn new(board: &Board, sides: Vec<Sides>) -> Result<Rotation, CaseError> {
        if sides.len() != board.blocks.len() {
            return Err(CaseError::Cells { found: sides.len(), expected: board.blocks.len() });
        }
        for (cell, (&block, &found)) in board.blocks.iter().zip(&sides).enumerate() {
            if block.turns().all(|turn| turn != found) {
                return Err(CaseError::Turn {
                    row: cell / board.columns,
                    column: cell % board.columns,
                    block,
                    found,
                });
            }
        }
        Ok(Rotation { sides })
    }

    /// Where each block leads, row by row.
    #[must_use]
    pub fn sides(&self) -> &[Sides] {
        &self.sides
    }

    /// By how many quarters each block of `board` is turned clockwise, row by row: 0 to 3, and as
    /// few as will do.
    pub fn quarters<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = usize> + 'a {
        let cells = board.blocks.iter().zip(&self.sides);
        cells.map(|(block, &sides)| block.turns().position(|turn| turn == sides).unwrap_or(0))
    }

    pub(super) fn sides_mut(&mut self) -> &mut [Sides] {
        &mut self.sides
    }
}
