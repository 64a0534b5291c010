//! The contents of a cell: [`Block`], and the [`BlockSides`] that its fuse leads to.

use std::fmt;

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
    /// The four sides as sets of one, clockwise from the top.
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

    /// Returns the sides after a number of quarter turns clockwise.
    #[must_use]
    pub const fn turned(self, quarters: usize) -> Self {
        let quarters = quarters % 4;
        BlockSides((self.0 << quarters | self.0 >> (4 - quarters)) & 15)
    }

    /// Returns the number of sides in the set.
    #[must_use]
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
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
        match self {
            Block::Empty => '.',
            Block::Straight => '-',
            Block::Corner => 'L',
            Block::Tee => 'T',
            Block::Cross => '+',
        }
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
