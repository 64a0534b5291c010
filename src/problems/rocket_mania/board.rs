//! Boards, cases (a board with its lit matches), and rotations of the blocks of a board.

use std::fmt;

use super::block::{Block, BlockSides};
use crate::problems::InstanceError;

/// A rectangle of blocks with at least one row and one column.
///
/// `Display` writes one line per row, in the format in which boards are read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RocketBoard {
    rows: usize,
    columns: usize,
    /// Row by row; never empty.
    blocks: Vec<Block>,
}

impl RocketBoard {
    /// Creates a board from its rows, from the top down.
    ///
    /// # Errors
    /// If there is no cell, or if rows differ in length.
    pub fn new(rows: &[Vec<Block>]) -> Result<RocketBoard, InstanceError> {
        let columns = rows.first().map_or(0, Vec::len);
        if let Some((row, wrong)) = rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
            return Err(InstanceError::new(format_args!(
                "row {row}: found {} cells, expected {columns} as in row 0",
                wrong.len()
            )));
        }
        Self::from_cells(columns, rows.concat())
            .ok_or_else(|| InstanceError::new("found a board without cells, expected at least one"))
    }

    /// Creates a board from its cells, row by row; `None` if there are none.
    pub(super) fn from_cells(columns: usize, blocks: Vec<Block>) -> Option<RocketBoard> {
        let rows = blocks.len().checked_div(columns).filter(|&rows| rows > 0)?;
        Some(RocketBoard { rows, columns, blocks })
    }

    /// Returns the number of rows, at least 1.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns, at least 1.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the block in a cell; rows and columns count from 0, from the top left corner.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn block(&self, row: usize, column: usize) -> Block {
        assert!(row < self.rows && column < self.columns, "no cell in row {row}, column {column}");
        self.blocks[row * self.columns + column]
    }

    /// Returns all blocks, row by row.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl fmt::Display for RocketBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.blocks.chunks(self.columns);
        lines
            .map(|row| row.iter().map(|block| block.to_char()).collect::<String>())
            .try_for_each(|row| writeln!(f, "{row}"))
    }
}

/// The matches that are lit. Each row has one match, on the left of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Matches {
    /// Only the match in this row, counted from 0: *Rocket Mania*.
    One(usize),
    /// All matches: *Rocket Mania Plus*.
    All,
}

impl Matches {
    /// Returns whether the match in this row is lit.
    #[inline]
    #[must_use]
    pub fn is_lit(self, row: usize) -> bool {
        match self {
            Matches::One(lit) => row == lit,
            Matches::All => true,
        }
    }
}

/// An instance of the problem: a board, and the matches that are lit beside it.
///
/// `Display` writes it in the format in which cases are read: the row of the match, counted from 1,
/// unless all matches are lit, and then the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    board: RocketBoard,
    matches: Matches,
}

impl Case {
    /// Creates a case from a board and its lit matches.
    ///
    /// # Errors
    /// If the board does not have the row of the match.
    pub fn new(board: RocketBoard, matches: Matches) -> Result<Case, InstanceError> {
        match matches {
            Matches::One(row) if row >= board.rows => Err(InstanceError::new(format_args!(
                "found a match in row {row}, expected one of {} rows",
                board.rows
            ))),
            _ => Ok(Case { board, matches }),
        }
    }

    /// Returns the same board with all matches lit.
    #[must_use]
    pub fn with_all_matches(self) -> Case {
        Case { matches: Matches::All, ..self }
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &RocketBoard {
        &self.board
    }

    /// Returns the matches that are lit.
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

/// A turn for each block of a board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rotation {
    /// The sides that each block leads to, row by row.
    sides: Vec<BlockSides>,
}

impl Rotation {
    /// Creates the rotation that leaves all blocks as the board shows them.
    #[must_use]
    pub fn unturned(board: &RocketBoard) -> Rotation {
        Rotation { sides: board.blocks.iter().map(|block| block.sides()).collect() }
    }

    /// Creates the rotation by which the blocks lead to these sides, row by row.
    ///
    /// # Errors
    /// If some block cannot be turned to its sides, or if `sides` does not have one set per cell.
    pub fn new(board: &RocketBoard, sides: Vec<BlockSides>) -> Result<Rotation, InstanceError> {
        check_cells(board, &sides)?;
        for (cell, (&block, &found)) in board.blocks.iter().zip(&sides).enumerate() {
            if block.turns().all(|turn| turn != found) {
                return Err(InstanceError::new(format_args!(
                    "row {}, column {}: found a `{}` that leads {found:?}, \
                     expected one of its turns: {:?}",
                    cell / board.columns,
                    cell % board.columns,
                    block.to_char(),
                    block.turns().collect::<Vec<_>>()
                )));
            }
        }
        Ok(Rotation { sides })
    }

    /// Returns the sides that each block leads to, row by row.
    #[must_use]
    pub fn sides(&self) -> &[BlockSides] {
        &self.sides
    }

    /// Returns the number of quarter turns clockwise of each block of `board`, row by row: from 0
    /// to 3, and as few as possible.
    pub fn quarters<'a>(&'a self, board: &'a RocketBoard) -> impl Iterator<Item = usize> + 'a {
        let cells = board.blocks.iter().zip(&self.sides);
        cells.map(|(block, &sides)| block.turns().position(|turn| turn == sides).unwrap_or(0))
    }

    pub(super) fn sides_mut(&mut self) -> &mut [BlockSides] {
        &mut self.sides
    }
}

/// Checks that there is one set of sides per cell of the board.
pub(super) fn check_cells(board: &RocketBoard, sides: &[BlockSides]) -> Result<(), InstanceError> {
    let (found, expected) = (sides.len(), board.blocks.len());
    if found == expected {
        return Ok(());
    }
    Err(InstanceError::new(format_args!(
        "found the sides of {found} blocks, expected those of {expected}"
    )))
}
