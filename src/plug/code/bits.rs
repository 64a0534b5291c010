//! The state code with one bit per plug: [`Bits`].

use std::fmt;
use std::str::FromStr;

use super::word::{Word, draw, fields, position, read, require};
use crate::plug::TooWide;
use crate::text::ParseError;

/// One bit per plug: whether the cell at the plug is taken, a domino crosses the contour, or the
/// cell has a colour.
///
/// The code for problems that do not depend on connections: tilings, matchings, independent sets. A
/// layer has at most 2ⁿ states for `n` plugs.
///
/// Plugs are numbered from 0; [`CAPACITY`](Self::CAPACITY) of them fit into the word. Operations on
/// a plug beyond that [panic](super#at-the-full-width).
///
/// ```
/// use secateurs::plug::code::Bits;
///
/// // A vertical domino crosses the contour at plug 1.
/// let code = Bits::<u64>::EMPTY.with(1, true);
/// assert!(code.get(1) && !code.get(0));
/// assert_eq!(code.to_string(), ".#");
/// assert_eq!(code.shift().to_string(), "..#");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bits<W: Word = u64>(W);

impl<W: Word> Bits<W> {
    /// The code without a set bit.
    pub const EMPTY: Self = Bits(W::ZERO);

    /// The number of plugs that fit into the word.
    pub const CAPACITY: usize = W::BITS as usize;

    /// Checks whether `plugs` plugs fit into the word, for
    /// [`ContourProblem::fits`](crate::plug::ContourProblem::fits).
    ///
    /// # Errors
    /// Returns [`TooWide`] if they do not.
    pub fn fits(plugs: usize) -> Result<(), TooWide> {
        TooWide::check(plugs, Self::CAPACITY)
    }

    /// Creates the code with bit `i` of `word` as plug `i`.
    #[inline]
    #[must_use]
    pub fn from_word(word: W) -> Self {
        Bits(word)
    }

    /// Returns whether the bit of `plug` is set.
    #[inline]
    #[must_use]
    pub fn get(self, plug: usize) -> bool {
        (self.0 >> Self::at(plug)) & W::ONE != W::ZERO
    }

    /// Returns the code with the bit of `plug` set or cleared.
    #[inline]
    #[must_use]
    pub fn with(self, plug: usize, set: bool) -> Self {
        let at = Self::at(plug);
        Bits((self.0 & !(W::ONE << at)) | (W::from_low(set.into()) << at))
    }

    /// Returns the number of set bits.
    #[inline]
    #[must_use]
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether every bit of `other` is set in this code.
    #[inline]
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        other.0 & !self.0 == W::ZERO
    }

    /// Moves every plug to the next one and clears plug 0. The last plug of the word must be clear.
    #[inline]
    #[must_use]
    pub fn shift(self) -> Self {
        require(!self.get(Self::CAPACITY - 1), self, "no plug follows the last one");
        Bits(self.0 << 1)
    }

    /// Returns the plugs with set bits, in ascending order.
    pub fn plugs(self) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(self.0), |rest| Some(rest.without_lowest()))
            .take_while(|&rest| rest != W::ZERO)
            .map(|rest| rest.trailing_zeros() as usize)
    }
}

/// Draws `#` for a set bit and a dot for a clear bit, from plug 0 to the last plug with a set bit.
/// A width, as in `{:8}`, draws at least this number of plugs.
impl<W: Word> fmt::Display for Bits<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = (self.len(), Self::CAPACITY);
        draw(f, size, |plug| if self.get(plug) { '#' } else { '.' })
    }
}

fields!(Bits<W>, 1, "bit", "clear");

/// Reads the format of `Display`.
impl<W: Word> FromStr for Bits<W> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text, Self::CAPACITY, Self::EMPTY, |code, plug, found| match found {
            '.' => Ok(code),
            '#' => Ok(code.with(plug, true)),
            _ => Err("`.` or `#`"),
        })
    }
}
