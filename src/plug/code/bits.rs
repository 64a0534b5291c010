//! One bit a plug: [`Bits`].

use std::fmt;
use std::str::FromStr;

use super::shared::{draw, read};
use super::word::Word;
use crate::plug::TooWide;
use crate::text::ParseError;

/// A bit a plug: whether the cell behind the contour is taken, a domino sticks out, a colour.
///
/// The code for problems in which it does not matter what is connected with what: tilings,
/// matchings, independent sets. Layers have at most 2ⁿ states for `n` plugs.
///
/// Plugs are numbered from 0; [`CAPACITY`](Self::CAPACITY) of them fit into the word. Naming a plug
/// beyond that panics where overflow checks are on, and names some other plug where they are off.
///
/// ```
/// use secateurs::plug::code::Bits;
///
/// // Of a domino that stands on plug 1, the upper half is laid.
/// let code = Bits::<u64>::EMPTY.with(1, true);
/// assert!(code.get(1) && !code.get(0));
/// assert_eq!(code.to_string(), ".#");
/// assert_eq!(code.shift().to_string(), "..#");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bits<W: Word = u64>(W);

impl<W: Word> Bits<W> {
    /// No bit set.
    pub const EMPTY: Self = Bits(W::ZERO);

    /// Plugs that fit into the word.
    pub const CAPACITY: usize = W::BITS as usize;

    /// Whether `plugs` plugs fit into the word: for
    /// [`ContourProblem::fits`](crate::plug::ContourProblem::fits).
    ///
    /// # Errors
    /// [`TooWide`] if they do not.
    pub fn fits(plugs: usize) -> Result<(), TooWide> {
        TooWide::check(plugs, Self::CAPACITY)
    }

    /// The code whose plug `i` is bit `i` of `word`.
    #[inline]
    #[must_use]
    pub fn from_word(word: W) -> Self {
        Bits(word)
    }

    /// The word.
    #[inline]
    #[must_use]
    pub fn word(self) -> W {
        self.0
    }

    /// Whether the bit of `plug` is set.
    #[inline]
    #[must_use]
    pub fn get(self, plug: usize) -> bool {
        (self.0 >> at(plug)) & W::ONE != W::ZERO
    }

    /// The code with the bit of `plug` as told.
    #[inline]
    #[must_use]
    pub fn with(self, plug: usize, set: bool) -> Self {
        Bits((self.0 & !(W::ONE << at(plug))) | (W::from_low(set.into()) << at(plug)))
    }

    /// Whether no bit is set.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// One more than the last plug whose bit is set.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        (W::BITS - self.0.leading_zeros()) as usize
    }

    /// How many bits are set.
    #[inline]
    #[must_use]
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether every bit that `other` has is set here.
    #[inline]
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        other.0 & !self.0 == W::ZERO
    }

    /// Every plug becomes the next one, and plug 0 is empty; a bit at the last plug of the word is
    /// lost.
    #[inline]
    #[must_use]
    pub fn shift(self) -> Self {
        debug_assert!(!self.get(Self::CAPACITY - 1), "the last plug would be lost");
        Bits(self.0 << 1)
    }

    /// The plugs whose bits are set, in order.
    pub fn plugs(self) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(self.0), |rest| Some(rest.without_lowest()))
            .take_while(|&rest| rest != W::ZERO)
            .map(|rest| rest.trailing_zeros() as usize)
    }
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // plugs are far fewer
fn at(plug: usize) -> u32 {
    plug as u32
}

/// Draws `#` for a bit that is set and a dot for one that is not, from plug 0 to the last one that
/// is set. A width, as in `{:8}`, draws at least as many plugs.
impl<W: Word> fmt::Display for Bits<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, self.len(), |f, plug| {
            f.write_str(if plug < Self::CAPACITY && self.get(plug) { "#" } else { "." })
        })
    }
}

impl<W: Word> fmt::Debug for Bits<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bits({self})")
    }
}

/// Reads what `Display` writes.
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
