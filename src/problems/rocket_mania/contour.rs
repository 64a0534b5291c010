//! What the sweep remembers of a board: [`Contour`].

use std::fmt;

use crate::plug::TooWide;
use crate::plug::code::Word;

/// The most plugs that any word holds.
pub(super) const MOST_PLUGS: usize = 25;

/// The plugs of a contour, each with a label, packed into a word.
///
/// A contour has a plug for each row, numbered from 1, and plug 0, which leads down between the cell above and the cell
/// below. Plugs with the same label are connected behind the contour. Label 0 is no plug; the greatest label is reserved for
/// plugs that are **lit**, those that fire comes through. All lit plugs are connected by the matches, so to speak, and so
/// one label does for them. Others are numbered by first appearance, from 1: the minimal representation (Chen Danqi,
/// 2008), by which contours are equal if and only if their words are.
///
/// A `u64` holds 14 plugs with 4 bits each (the labels run out at 13 rows), a `u128` 25 with 5 bits each.
///
/// `Debug` and `Display` write one character a plug: `.` for none, `*` for a lit one, letters for others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Contour<W = u64>(W);

impl<W: Word> Contour<W> {
    const BITS: usize = if W::BITS > 64 { 5 } else { 4 };
    /// The label of plugs that are lit.
    pub(super) const LIT: u8 = (1 << Self::BITS) - 1;
    /// A label that no plug of a contour has.
    pub(super) const FRESH: u8 = Self::LIT + 1;

    /// Whether any contour of so many rows fits: a plug more than rows, and labels for as many, for none and for lit.
    pub(super) fn fits(rows: usize) -> Result<(), TooWide> {
        let labels = rows.saturating_add(3).next_power_of_two().trailing_zeros() as usize;
        let needed = rows.saturating_add(1).saturating_mul(labels);
        TooWide::check(needed, W::BITS as usize)
    }

    /// Packs labels, renumbering those that are neither none nor lit. Labels go up to [`FRESH`](Self::FRESH).
    #[inline]
    pub(super) fn pack(labels: &[u8]) -> Self {
        let mut names = [0_u8; 64];
        names[usize::from(Self::LIT)] = Self::LIT;
        let (mut next, mut word) = (1, W::ZERO);
        for (plug, &label) in labels.iter().enumerate() {
            if label != 0 {
                let name = &mut names[usize::from(label & 63)];
                if *name == 0 {
                    *name = next;
                    next += 1;
                }
                word |= W::from_low(u64::from(*name)) << (plug * Self::BITS) as u32;
            }
        }
        Contour(word)
    }

    /// The labels of all plugs.
    #[inline]
    pub(super) fn labels(self) -> [u8; MOST_PLUGS] {
        let mut labels = [0; MOST_PLUGS];
        let mut rest = self.0;
        for label in &mut labels {
            if rest == W::ZERO {
                break;
            }
            *label = (rest.low() & u64::from(Self::LIT)) as u8;
            rest = rest >> Self::BITS as u32;
        }
        labels
    }

    /// The plugs that there are, and those of them that are lit, as sets of bits.
    #[inline]
    pub(super) fn plugs(self) -> (u32, u32) {
        let (mut plugs, mut lit) = (0, 0);
        for (plug, &label) in self.labels().iter().enumerate() {
            plugs |= u32::from(label != 0) << plug;
            lit |= u32::from(label == Self::LIT) << plug;
        }
        (plugs, lit)
    }

    /// How many plugs are lit.
    #[must_use]
    pub fn lit(self) -> usize {
        self.plugs().1.count_ones() as usize
    }

    /// Whether a plug is lit.
    #[inline]
    #[must_use]
    pub fn is_lit(self) -> bool {
        let mut all = self.0;
        for bit in 1..Self::BITS {
            all &= self.0 >> bit as u32;
        }
        // Lit is the label all of whose bits are set: of each label, the lowest bit is left if they all are.
        let mut rest = all;
        while rest != W::ZERO {
            if (rest.trailing_zeros() as usize).is_multiple_of(Self::BITS) {
                return true;
            }
            rest = rest.without_lowest();
        }
        false
    }
}

impl<W: Word> fmt::Display for Contour<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = self.labels();
        let length = labels.iter().rposition(|&label| label != 0).map_or(1, |last| last + 1);
        labels[..length].iter().try_for_each(|&label| match label {
            0 => f.write_str("."),
            _ if label == Self::LIT => f.write_str("*"),
            _ => write!(f, "{}", char::from(b'`' + label)),
        })
    }
}

impl<W: Word> fmt::Debug for Contour<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Contour({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<W: Word>(rows: usize) {
        assert_eq!((Contour::<W>::fits(rows).is_ok(), Contour::<W>::fits(rows + 1).is_ok()), (true, false));
        let labels: Vec<u8> = (0..=rows).map(|plug| (plug + 1) as u8).collect();
        let packed = Contour::<W>::pack(&labels);
        assert_eq!(packed.labels()[..=rows], labels[..]);
        assert_eq!((packed.is_lit(), packed.lit()), (false, 0));
        let mut labels = labels;
        labels[rows] = Contour::<W>::LIT;
        labels[rows - 1] = Contour::<W>::FRESH;
        let packed = Contour::<W>::pack(&labels);
        assert_eq!((packed.is_lit(), packed.lit()), (true, 1));
        assert_eq!(packed.labels()[rows - 1], rows as u8);
    }

    #[test]
    fn words_hold_what_is_promised() {
        check::<u32>(7);
        check::<u64>(13);
        check::<u128>(24);
        assert!(Contour::<u128>::fits(usize::MAX).is_err());
    }

    #[test]
    fn labels_are_numbered_by_first_appearance() {
        let lit = Contour::<u64>::LIT;
        let contour = Contour::<u64>::pack(&[0, 9, lit, 3, 9, 0, 3]);
        assert_eq!(contour.to_string(), ".a*ba.b");
        assert_eq!(contour.plugs(), (0b101_1110, 0b100));
        assert_eq!(format!("{:?}", Contour::<u64>::pack(&[])), "Contour(.)");
    }
}
