//! The state code with a component and a colour for each plug: [`Coloured`].

use std::fmt;

use super::bits::Bits;
use super::labels::{Labels, check};
use super::word::Word;
use crate::plug::TooWide;

/// [`Labels`] and [`Bits`] in one word: components, and a colour (or any other bit) for each plug.
///
/// The labels occupy the low bits of the word and the colours the bits above them. The operations
/// on labels therefore work unchanged, which a colour between two labels would prevent, and the
/// layer stores and hashes *one* word, half the size of a pair of words. The type only packs: a
/// step unpacks the code, works on the parts and packs them again.
///
/// ```
/// use secateurs::plug::code::{Bits, Coloured, Labels};
///
/// let code = Coloured::new("211".parse::<Labels>()?.canonical(), ".##".parse()?);
/// assert_eq!(code.to_string(), "122 .##");
/// assert!(code.labels().same(1, 2) && code.colours().get(1));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Coloured<W: Word = u64, const BITS: u32 = 4>(W);

impl<W: Word, const BITS: u32> Coloured<W, BITS> {
    /// The code without plugs and with all colour bits clear.
    pub const EMPTY: Self = Coloured(Labels::<W, BITS>::EMPTY.0);

    /// The number of labels that fit into the word: 12 labels of four bits or 16 labels of three
    /// bits in a `u64`.
    pub const CAPACITY: usize = (W::BITS / (BITS + 1)) as usize;

    /// The number of colours that fit into the word: one for each label, and the remaining bits (4
    /// beside labels of four bits in a `u64`, none beside labels of three bits), for other flags of
    /// the problem.
    pub const COLOURS: usize = W::BITS as usize - Self::LABEL_BITS as usize;

    const LABEL_BITS: u32 = W::BITS / (BITS + 1) * BITS;

    /// Checks whether `plugs` labels for this number of components (including one that is being
    /// [begun](Labels::fresh), but not the reserved one) and `colours` colours fit into the word,
    /// for [`ContourProblem::fits`](crate::plug::ContourProblem::fits).
    ///
    /// # Errors
    /// Returns [`TooWide`] if the labels do not fit into their part of the word, or the colours
    /// into the rest.
    pub fn fits(plugs: usize, components: usize, colours: usize) -> Result<(), TooWide> {
        check::<BITS>(plugs, components, Self::LABEL_BITS as usize)?;
        TooWide::check(colours, Self::COLOURS)
    }

    /// Packs labels and colours into one word. There must be no label from plug
    /// [`CAPACITY`](Self::CAPACITY) on and no colour from plug [`COLOURS`](Self::COLOURS) on.
    #[inline]
    #[must_use]
    pub fn new(labels: Labels<W, BITS>, colours: Bits<W>) -> Self {
        debug_assert!(
            labels.len() <= Self::CAPACITY && colours.len() <= Self::COLOURS,
            "{labels} {colours}"
        );
        Coloured(labels.word() | (colours.word() << Self::LABEL_BITS))
    }

    /// Returns the components.
    #[inline]
    #[must_use]
    pub fn labels(self) -> Labels<W, BITS> {
        Labels::from_word(self.0 & W::low_ones(Self::LABEL_BITS))
    }

    /// Returns the colours.
    #[inline]
    #[must_use]
    pub fn colours(self) -> Bits<W> {
        Bits::from_word(self.0 >> Self::LABEL_BITS)
    }

    /// Returns the word.
    #[inline]
    #[must_use]
    pub fn word(self) -> W {
        self.0
    }

    /// Returns the code with its labels in minimal representation.
    #[inline]
    #[must_use]
    pub fn canonical(self) -> Self {
        Self::new(self.labels().canonical(), self.colours())
    }
}

/// Draws the labels, a space, and the colours. A width draws at least this number of plugs of both.
impl<W: Word, const BITS: u32> fmt::Display for Coloured<W, BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.labels(), f)?;
        f.write_str(" ")?;
        fmt::Display::fmt(&self.colours(), f)
    }
}

impl<W: Word, const BITS: u32> fmt::Debug for Coloured<W, BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Coloured({self})")
    }
}
