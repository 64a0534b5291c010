//! The contents of a cell ([`Block`]), boards, [cases](Case), and the original format of cases.

use std::fmt;

use secateurs::ParseError;
use secateurs::text::{parse_number, read_grid};

use crate::InstanceError;

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
    ///
    /// If there is no cell, or if rows differ in length. The message counts rows from 1.
    pub fn new(rows: &[Vec<Block>]) -> Result<RocketBoard, InstanceError> {
        let columns = rows.first().map_or(0, Vec::len);
        if let Some((row, wrong)) = rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
            return Err(InstanceError::new(format_args!(
                "row {}: found {} cells, expected {columns} as in row 1",
                row + 1,
                wrong.len()
            )));
        }
        Self::from_cells(columns, rows.concat())
            .ok_or_else(|| InstanceError::new("found a board without cells, expected at least one"))
    }

    /// The largest number of cells of a random board: 2²⁴.
    pub const MAX_RANDOM_CELLS: usize = 1 << 24;

    /// Creates a random board: each cell is one of the five kinds of [`Block::EACH`], equally
    /// likely and independently of the others. The same arguments give the same board on every
    /// machine.
    ///
    /// ```
    /// use secateurs_problems::rocket_mania::RocketBoard;
    ///
    /// let board = RocketBoard::random(9, 6, 7)?;
    /// assert_eq!((board.rows(), board.columns()), (9, 6));
    /// assert_eq!(board, RocketBoard::random(9, 6, 7)?);
    /// # Ok::<(), secateurs_problems::InstanceError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the board would have no cell, or more than [`MAX_RANDOM_CELLS`](Self::MAX_RANDOM_CELLS).
    pub fn random(rows: usize, columns: usize, seed: u64) -> Result<RocketBoard, InstanceError> {
        let cells = rows.checked_mul(columns).filter(|&cells| cells <= Self::MAX_RANDOM_CELLS);
        let mut random = fastrand::Rng::with_seed(seed);
        let mut block = || Block::EACH[random.usize(..Block::EACH.len())].0;
        cells
            .and_then(|cells| Self::from_cells(columns, (0..cells).map(|_| block()).collect()))
            .ok_or_else(|| {
                InstanceError::new(format_args!(
                    "found {rows} rows and {columns} columns, expected from 1 to {} cells",
                    Self::MAX_RANDOM_CELLS
                ))
            })
    }

    /// Creates a board from its cells, row by row; `None` if there are none. The length of `blocks`
    /// must be a multiple of `columns`.
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
    ///
    /// If there is no such cell.
    #[must_use]
    pub fn block(&self, row: usize, column: usize) -> Block {
        assert!(
            row < self.rows && column < self.columns,
            "no cell in row {row}, column {column} (both from 0)"
        );
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
    ///
    /// If the board does not have the row of the match. The message counts rows from 1.
    pub fn new(board: RocketBoard, matches: Matches) -> Result<Case, InstanceError> {
        match matches {
            Matches::One(row) if row >= board.rows => Err(InstanceError::new(format_args!(
                "found a match in row {}, expected one from 1 to {}",
                row.saturating_add(1),
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
    ///
    /// If some block cannot be turned to its sides, or if `sides` does not have one set per cell.
    /// The message counts rows and columns from 1.
    pub fn new(board: &RocketBoard, sides: Vec<BlockSides>) -> Result<Rotation, InstanceError> {
        check_cells(board, &sides)?;
        for (cell, (&block, &found)) in board.blocks.iter().zip(&sides).enumerate() {
            if block.turns().all(|turn| turn != found) {
                let turns: Vec<BlockSides> = block.turns().collect();
                let message = format!(
                    "found a `{}` that leads {found:?}, expected one of its turns: {turns:?}",
                    block.to_char()
                );
                return Err(InstanceError::at(cell / board.columns, cell % board.columns, message));
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

/// A set of sides of a cell.
///
/// `Debug` writes them as arrows, clockwise from the top, such as `↑→`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockSides(u8);

impl BlockSides {
    /// The empty set.
    pub const NONE: BlockSides = BlockSides(0);
    /// The upper side.
    pub const UP: BlockSides = BlockSides(1);
    /// The right side.
    pub const RIGHT: BlockSides = BlockSides(2);
    /// The lower side.
    pub const DOWN: BlockSides = BlockSides(4);
    /// The left side.
    pub const LEFT: BlockSides = BlockSides(8);
    /// The four sides, each as a set of one side, clockwise from the top.
    pub const EACH: [BlockSides; 4] =
        [BlockSides::UP, BlockSides::RIGHT, BlockSides::DOWN, BlockSides::LEFT];

    /// Returns the union of both sets.
    #[must_use]
    pub const fn and(self, other: BlockSides) -> Self {
        BlockSides(self.0 | other.0)
    }

    /// Returns whether this set contains all sides of `other`.
    #[inline]
    #[must_use]
    pub const fn has(self, other: BlockSides) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the sides that these become by a number of quarter turns clockwise.
    #[must_use]
    pub const fn turned(self, quarters: usize) -> Self {
        let quarters = quarters % 4;
        BlockSides((self.0 << quarters | self.0 >> (4 - quarters)) & 15)
    }

    /// Returns the set as a number from 0 to 15, different for different sets.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for BlockSides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == BlockSides::NONE {
            return f.write_str("none");
        }
        let arrows = BlockSides::EACH.into_iter().zip("↑→↓←".chars());
        arrows.filter(|&(side, _)| self.has(side)).try_for_each(|(_, arrow)| write!(f, "{arrow}"))
    }
}

/// The contents of a cell: nothing, or a block of fuse that can be turned by quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// `.`: an empty cell.
    Empty,
    /// `-`: a fuse between two opposite sides, left and right if unturned.
    Straight,
    /// `L`: a fuse between two adjacent sides, up and right if unturned.
    Corner,
    /// `T`: a fuse to three sides, all but the upper one if unturned.
    Tee,
    /// `+`: a fuse to all four sides.
    Cross,
}

impl Block {
    /// All kinds of cells, each with its character in the text of a board.
    pub const EACH: [(Block, char); 5] = [
        (Block::Empty, '.'),
        (Block::Straight, '-'),
        (Block::Corner, 'L'),
        (Block::Tee, 'T'),
        (Block::Cross, '+'),
    ];

    /// Returns the block that a character in the text of a board denotes.
    #[must_use]
    pub fn from_char(found: char) -> Option<Block> {
        Block::EACH.into_iter().find(|&(_, character)| character == found).map(|(block, _)| block)
    }

    /// Returns the character that denotes the block.
    #[must_use]
    pub fn to_char(self) -> char {
        Block::EACH[self as usize].1
    }

    /// Returns the sides that the unturned block leads to.
    #[must_use]
    pub const fn sides(self) -> BlockSides {
        match self {
            Block::Empty => BlockSides::NONE,
            Block::Straight => BlockSides::RIGHT.and(BlockSides::LEFT),
            Block::Corner => BlockSides::UP.and(BlockSides::RIGHT),
            Block::Tee => BlockSides::RIGHT.and(BlockSides::DOWN).and(BlockSides::LEFT),
            Block::Cross => BlockSides(15),
        }
    }

    /// Returns the different sets of sides that the block can be turned to (one, two or four), in
    /// the order of the number of quarter turns clockwise.
    pub fn turns(self) -> impl ExactSizeIterator<Item = BlockSides> + Clone {
        let different = match self {
            Block::Empty | Block::Cross => 1,
            Block::Straight => 2,
            Block::Corner | Block::Tee => 4,
        };
        (0..different).map(move |quarters| self.sides().turned(quarters))
    }
}

/// The variant of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// *Rocket Mania*: one match is lit.
    Single,
    /// *Rocket Mania Plus*: all matches are lit.
    Plus,
}

impl Mode {
    /// Parses all cases of a text in the original format, generalised to boards of any size.
    ///
    /// In *Rocket Mania*, each case begins with a line with the number of the row whose match is
    /// lit, counted from 1. The rows of the board follow, up to the next number or the end. In
    /// *Rocket Mania Plus*, the boards follow one another with blank lines in between. Boards of
    /// the original size, 9 rows of 6 cells, may also follow without a blank line in the whole
    /// text: rows of 6 cells, if their number is a multiple of 9. If the first line of such a text
    /// is a number, it is read as a text of *Rocket Mania*, but all matches are lit; so a board of
    /// 18 rows of 6 cells needs a number.
    ///
    /// A row is a line of the characters `.` (empty), `-`, `L`, `T` and `+`. All rows of a case
    /// have the same length; cases may differ in size. Lines may end in CR LF, the last line needs
    /// no line break, and blank lines may precede and follow every case. A text of blank lines has
    /// no case.
    ///
    /// ```
    /// use secateurs_problems::rocket_mania::{Matches, Mode};
    ///
    /// let cases = Mode::Single.cases("2\n-L\nT+\n1\n---\n")?;
    /// assert_eq!(cases[0].matches(), Matches::One(1));
    /// assert_eq!((cases[1].board().rows(), cases[1].board().columns()), (1, 3));
    /// assert_eq!(Mode::Plus.cases("-L\r\nT+\r\n\r\n---")?.len(), 2);
    ///
    /// let error = Mode::Plus.cases("-L\nT+\n\n-o-\n").unwrap_err();
    /// let message = "line 4, column 2: found `o`, expected `.`, `-`, `L`, `T` or `+`";
    /// assert_eq!(error.to_string(), message);
    /// # Ok::<(), secateurs::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a case has no row, if its rows differ in length, if a character denotes no block, or if
    /// the match of a case is missing or not in a row of its board.
    pub fn cases(self, text: &str) -> Result<Vec<Case>, ParseError> {
        let text = text.trim_end();
        let line_after_end = text.lines().count() + 1;
        let mut lines = (1..).zip(text.lines()).peekable();
        let mut cases = Vec::new();
        while lines.next_if(is_blank).is_some() {}
        let has_numbers = self == Mode::Single || lines.peek().is_some_and(is_number);
        let (rows, columns) = ORIGINAL_SIZE;
        let are_original = lines.clone().count().is_multiple_of(rows)
            && lines.clone().all(|(_, row)| row.chars().count() == columns);
        let most_rows = if are_original && !has_numbers { rows } else { usize::MAX };
        while lines.peek().is_some() {
            let header = if has_numbers { lines.next() } else { None };
            if let Some((line, found)) = header.filter(|line| !is_number(line)) {
                let expected = "the number of the row whose match is lit";
                let message = format!("found {:?}, expected {expected}", beginning(found));
                return Err(ParseError::at(line, 1, message));
            }
            let rows = std::iter::from_fn(|| {
                lines.next_if(|line| !(is_blank(line) || has_numbers && is_number(line)))
            })
            .take(most_rows);
            let expected = "`.`, `-`, `L`, `T` or `+`";
            let (columns, blocks) = read_grid(rows, None, expected, Block::from_char)?;
            let next = lines.peek().map_or(line_after_end, |&(line, _)| line);
            let board = RocketBoard::from_cells(columns, blocks).ok_or_else(|| {
                ParseError::at(next, 1, "found no row, expected the first one of a board")
            })?;
            while lines.next_if(is_blank).is_some() {}
            let mut matches = Matches::All;
            if let Some((line, number)) = header {
                let rows = board.rows();
                // A number that is too large for `usize` is not a row either.
                let row = parse_number(number).filter(|row| (1..=rows).contains(row));
                let row = row.ok_or_else(|| {
                    let found = beginning(number);
                    let expected = format!("the number of a row, from 1 to {rows}");
                    let message = format!("found match {found}, expected {expected}");
                    ParseError::at(line, 1, message)
                })?;
                if self == Mode::Single {
                    matches = Matches::One(row - 1);
                }
            }
            cases.push(Case::new(board, matches)?);
        }
        Ok(cases)
    }
}

/// The numbers of rows and columns of the boards of the original task.
const ORIGINAL_SIZE: (usize, usize) = (9, 6);

fn is_blank((_, text): &(usize, &str)) -> bool {
    text.trim().is_empty()
}

/// Returns whether a line is a number of any size.
fn is_number((_, text): &(usize, &str)) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns as much of a line as an error message shows.
fn beginning(text: &str) -> String {
    text.chars().take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_lists_each_set_of_sides_once() {
        for (block, character) in Block::EACH {
            assert_eq!((Block::from_char(character), block.to_char()), (Some(block), character));
            let listed: Vec<BlockSides> = block.turns().collect();
            for quarters in 0..8 {
                let sides = block.sides().turned(quarters);
                let times = listed.iter().filter(|&&turn| turn == sides).count();
                assert_eq!(times, 1, "{block:?} {quarters}");
            }
        }
        let corner = Block::Corner.sides().turned(1);
        assert_eq!(format!("{corner:?} {:?}", BlockSides::NONE), "→↓ none");
    }
}
