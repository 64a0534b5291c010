//! What stands in a cell: [`Block`], and towards which [`Sides`] it leads.

use std::fmt;

/// Some of the four sides of a cell.
///
/// `Debug` writes them as arrows from the top clockwise, such as `↑→`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sides(u8);

impl Sides {
    /// None of them.
    pub const NONE: Sides = Sides(0);
    /// The upper side.
    pub const UP: Sides = Sides(1);
    /// The right side.
    pub const RIGHT: Sides = Sides(2);
    /// The lower side.
    pub const DOWN: Sides = Sides(4);
    /// The left side.
    pub const LEFT: Sides = Sides(8);
    /// Each of the four, from the top clockwise.
    pub const EACH: [Sides; 4] = [Sides::UP, Sides::RIGHT, Sides::DOWN, Sides::LEFT];

    /// These sides and those.
    #[must_use]
    pub const fn and(self, other: Sides) -> Self {
        Sides(self.0 | other.0)
    }

    /// Whether all sides of `other` are among these.
    #[inline]
    #[must_use]
    pub const fn has(self, other: Sides) -> bool {
        self.0 & other.0 == other.0
    }

    /// What these sides become by so many quarter turns clockwise.
    #[must_use]
    pub const fn turned(self, quarters: usize) -> Self {
        let quarters = quarters % 4;
        Sides((self.0 << quarters | self.0 >> (4 - quarters)) & 15)
    }

    /// How many there are.
    #[must_use]
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// A number from 0 to 15 that tells sets of sides apart.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Sides::NONE {
            return f.write_str("none");
        }
        let arrows = Sides::EACH.into_iter().zip("↑→↓←".chars());
        arrows.filter(|&(side, _)| self.has(side)).try_for_each(|(_, arrow)| write!(f, "{arrow}"))
    }
}

/// A block of fuse, which may be turned by quarters, or an empty cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    /// `.`: nothing.
    Empty,
    /// `-`: leads to two opposite sides, left and right if it is not turned.
    Straight,
    /// `L`: leads to two sides that meet, up and right if it is not turned.
    Corner,
    /// `T`: leads to three sides, all but up if it is not turned.
    Tee,
    /// `+`: leads to all sides.
    Cross,
}

impl Block {
    /// Each kind of cell, and the characters that stand for them in boards.
    pub const EACH: [(Block, char); 5] = [
        (Block::Empty, '.'),
        (Block::Straight, '-'),
        (Block::Corner, 'L'),
        (Block::Tee, 'T'),
        (Block::Cross, '+'),
    ];

    /// The block that a character of a board stands for.
    #[must_use]
    pub fn from_char(found: char) -> Option<Block> {
        Block::EACH.into_iter().find(|&(_, character)| character == found).map(|(block, _)| block)
    }

    /// The character that stands for it.
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

    /// Where it leads as long as it is not turned.
    #[must_use]
    pub const fn sides(self) -> Sides {
        match self {
            Block::Empty => Sides::NONE,
            Block::Straight => Sides::RIGHT.and(Sides::LEFT),
            Block::Corner => Sides::UP.and(Sides::RIGHT),
            Block::Tee => Sides::RIGHT.and(Sides::DOWN).and(Sides::LEFT),
            Block::Cross => Sides::UP.and(Sides::RIGHT).and(Sides::DOWN).and(Sides::LEFT),
        }
    }

    /// Where it can lead to, each possibility once: one, two or four of them, by the number of
    /// quarter turns clockwise.
    pub fn turns(self) -> impl ExactSizeIterator<Item = Sides> + Clone {
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
    fn turns_are_all_different_and_complete() {
        for (block, character) in Block::EACH {
            assert_eq!((Block::from_char(character), block.to_char()), (Some(block), character));
            let listed: Vec<Sides> = block.turns().collect();
            for quarters in 0..8 {
                let sides = block.sides().turned(quarters);
                assert_eq!(
                    listed.iter().filter(|&&turn| turn == sides).count(),
                    1,
                    "{block:?} {quarters}"
                );
            }
        }
        assert_eq!(format!("{:?} {:?}", Block::Corner.sides().turned(1), Sides::NONE), "→↓ none");
    }
}
