//! The state code with the component of each plug, as a number: [`Labels`].

use std::fmt;
use std::str::FromStr;

use super::bits::Bits;
use super::path_ends::Joined;
use super::word::{Word, debug_as_displayed, draw, fields, position, read, require};
use crate::plug::TooWide;
use crate::text::ParseError;

/// The component of each plug as a label of `BITS` bits (2 to 5), in minimal representation.
///
/// Two plugs have the same label if they are connected behind the contour. Labels are numbered 1,
/// 2, 3, … by first appearance from plug 0 on, so that equal states are equal words: this is the
/// *minimal representation* (Chen Danqi, 2008; the restricted growth strings of Hutchinson, 1963).
/// Label 0 is an empty plug. The highest label is [`RESERVED`](Self::RESERVED): it is never
/// renumbered, and marks *one* distinguished component (lit, joined to the border, containing the
/// start).
///
/// A step first applies its changes, which leave the labels in any order, and finally calls
/// [`canonical`](Self::canonical) once. Between two calls, any number of components may be
/// [begun](Self::fresh), connected and closed.
///
/// | labels | plugs in `u64` | in `u128` | components beside the reserved one |
/// |---|---|---|---|
/// | `Labels<_, 3>` | 21 | 42 | 6 |
/// | `Labels<_, 4>` | 16 | 32 | 14 |
/// | `Labels<_, 5>` | 12 | 25 | 30 |
///
/// If neighbouring plugs always belong to one component, as in connected subsets, at most ⌊n/2⌋ + 1
/// components meet a contour of `n` plugs (only the two plugs at the step of the contour are not
/// neighbours). Plugs are numbered from 0. Operations on a plug from [`CAPACITY`](Self::CAPACITY)
/// on, on a label above `RESERVED`, or that would begin more than [`COMPONENTS`](Self::COMPONENTS)
/// components [panic](super#at-the-full-width).
///
/// ```
/// use secateurs::plug::code::{Joined, Labels};
///
/// let code: Labels = "1.2.1".parse()?;
/// assert!(code.same(0, 4));
/// // A new component begins at plug 1, and is connected with the component on its right.
/// let code = code.fresh(1).connect(1, 2).state();
/// assert_eq!(code.canonical(), "122.1".parse()?);
/// // Connecting two plugs of one component closes a cycle.
/// assert!(matches!(code.connect(0, 4), Joined::Loop(_)));
/// // Without its first plug, component 1 appears after the other one.
/// assert_eq!(code.without(0).canonical(), ".11.2".parse()?);
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Labels<W: Word = u64, const BITS: u32 = 4>(pub(super) W);

impl<W: Word, const BITS: u32> Labels<W, BITS> {
    /// The code without plugs.
    pub const EMPTY: Self = {
        assert!(2 <= BITS && BITS <= 5, "labels have 2 to 5 bits");
        Labels(W::ZERO)
    };

    /// The number of plugs that fit into the word.
    pub const CAPACITY: usize = (W::BITS / BITS) as usize;

    /// The label that is never renumbered: the highest label.
    pub const RESERVED: u8 = (1 << BITS) - 1;

    /// The maximal number of components beside the reserved one, including one that is being
    /// [begun](Self::fresh).
    pub const COMPONENTS: usize = Self::RESERVED as usize - 1;

    /// The label that a new component has if no plug has it: the highest label below the reserved
    /// one.
    const FRESH: u8 = Self::RESERVED - 1;

    /// The lowest bits of all plugs: the quotient of all bits of all plugs and all bits of one.
    const LOWEST: u128 = (u128::MAX >> (128 - W::BITS / BITS * BITS)) / ((1 << BITS) - 1);

    /// Checks whether `plugs` plugs fit into the word, and labels for this number of components
    /// (including one that is being begun, but not the reserved one) into `BITS` bits, for
    /// [`ContourProblem::fits`](crate::plug::ContourProblem::fits).
    ///
    /// # Errors
    /// Returns [`TooWide`] if they do not, with the number of bits that wide enough labels would
    /// need.
    pub fn fits(plugs: usize, components: usize) -> Result<(), TooWide> {
        check::<BITS>(plugs, components, W::BITS as usize)
    }

    /// Creates the code with the label of plug `i` at bits `BITS * i` and up of `word`. Bits beyond
    /// the last plug are ignored.
    #[inline]
    #[must_use]
    pub fn from_word(word: W) -> Self {
        Labels(word & Self::all_plugs())
    }

    /// Returns the word with all bits of all plugs set.
    #[inline]
    fn all_plugs() -> W {
        W::low_ones(W::BITS / BITS * BITS)
    }

    /// Creates the minimal representation of components in any numbering: 0 is an empty plug,
    /// [`RESERVED`](Self::RESERVED) the reserved component, and plugs with the same other number
    /// are connected.
    ///
    /// This is for steps that work on an array. It renumbers plug by plug, since there is no packed
    /// word to compare. There must be at most [`COMPONENTS`](Self::COMPONENTS) components, and none
    /// from plug [`CAPACITY`](Self::CAPACITY) on.
    #[inline]
    #[must_use]
    pub fn numbered(numbers: &[u8]) -> Self {
        let mut labels = [0; 256];
        labels[usize::from(Self::RESERVED)] = Self::RESERVED;
        let mut last = 0;
        numbers.iter().enumerate().filter(|&(_, &number)| number != 0).fold(
            Self::EMPTY,
            |code, (plug, &number)| {
                let label = &mut labels[usize::from(number)];
                if *label == 0 {
                    require(last < Self::FRESH, code, "no label is left for another component");
                    last += 1;
                    *label = last;
                }
                code.with(plug, *label)
            },
        )
    }

    /// Returns the label of plug `plug`; 0 if it is empty.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // BITS bits
    pub fn get(self, plug: usize) -> u8 {
        (self.0 >> Self::at(plug)).lowest_byte() & Self::RESERVED
    }

    /// Returns the code with `label` at `plug`; label 0 removes the plug.
    #[inline]
    #[must_use]
    pub fn with(self, plug: usize, label: u8) -> Self {
        Self::require_label(label);
        Labels(self.without(plug).0 | (W::from_low(label.into()) << Self::at(plug)))
    }

    /// Returns the code with an empty `plug`. [`close`](Self::close) also reports what happens to
    /// its component.
    #[inline]
    #[must_use]
    pub fn without(self, plug: usize) -> Self {
        Labels(self.0 & !(W::from_low(Self::RESERVED.into()) << Self::at(plug)))
    }

    /// Returns the code with a new component at `plug`.
    ///
    /// There must be fewer than [`COMPONENTS`](Self::COMPONENTS) other ones; [`fits`](Self::fits)
    /// ensures that.
    #[inline]
    #[must_use]
    pub fn fresh(self, plug: usize) -> Self {
        let rest = self.without(plug);
        // The labels need not be in minimal representation, so the highest label may be in use
        // although there are few components.
        let label = if rest.has(Self::FRESH) { rest.unused() } else { Self::FRESH };
        rest.with(plug, label)
    }

    /// Returns a label that no plug has.
    #[cold]
    fn unused(self) -> u8 {
        let unused = (1..Self::FRESH).rev().find(|&label| !self.has(label));
        require(unused.is_some(), self, "no label is left for another component");
        unused.unwrap_or(Self::FRESH)
    }

    #[inline]
    fn require_label(label: u8) {
        require(label <= Self::RESERVED, label, "a label above the reserved one");
    }

    /// Returns the number of plugs that are not empty.
    #[inline]
    #[must_use]
    pub fn count(self) -> usize {
        Self::CAPACITY - self.count_of(0)
    }

    /// Returns the number of plugs with this label.
    #[inline]
    #[must_use]
    pub fn count_of(self, label: u8) -> usize {
        self.plugs_of(label).count_ones() as usize
    }

    /// Returns the plugs with this label, one bit per plug.
    #[must_use]
    pub fn places(self, label: u8) -> Bits<W> {
        let lowest = Bits::from_word(self.plugs_of(label));
        lowest.plugs().fold(Bits::EMPTY, |places, bit| places.with(bit / BITS as usize, true))
    }

    /// Returns the labels of plugs 0, 1, 2, … up to [`len`](Self::len).
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..self.len()).map(move |plug| self.get(plug))
    }

    /// Returns whether any plug has this label.
    #[inline]
    #[must_use]
    pub fn has(self, label: u8) -> bool {
        self.plugs_of(label) != W::ZERO
    }

    /// Returns whether `a` and `b` are not empty and are connected.
    #[inline]
    #[must_use]
    pub fn same(self, a: usize, b: usize) -> bool {
        self.get(a) == self.get(b) && self.get(a) != 0
    }

    /// Returns the number of components beside the reserved one, in time linear in this number.
    #[must_use]
    pub fn components(self) -> usize {
        self.parts().filter(|&(label, _)| label != Self::RESERVED).count()
    }

    /// Returns the code with every label `old` replaced by `new`: this merges two components, or
    /// makes a component reserved or not reserved.
    #[inline]
    #[must_use]
    pub fn relabelled(self, old: u8, new: u8) -> Self {
        Self::require_label(new);
        Labels(self.0 ^ self.plugs_of(old).wrapping_mul(W::from_low((old ^ new).into())))
    }

    /// Connects the components of plugs `a` and `b`, which must not be empty; the result is
    /// reserved if either is. Returns [`Joined::Loop`] with the code unchanged if they are the same
    /// component.
    #[inline]
    #[must_use]
    pub fn connect(self, a: usize, b: usize) -> Joined<Self> {
        let (a, b) = (self.get(a), self.get(b));
        require(a != 0 && b != 0, self, "an empty plug is connected");
        // The reserved label is the highest label, so keeping the higher label keeps the reserved
        // one.
        if a == b { Joined::Loop(self) } else { Joined::Path(self.relabelled(a.min(b), a.max(b))) }
    }

    /// Removes plug `plug`, which must not be empty. Returns [`Joined::Path`] if its component has
    /// other plugs, and [`Joined::Complete`] if this was its last one.
    #[inline]
    #[must_use]
    pub fn close(self, plug: usize) -> Joined<Self> {
        let label = self.get(plug);
        require(label != 0, self, "an empty plug is closed");
        let rest = self.without(plug);
        if rest.has(label) { Joined::Path(rest) } else { Joined::Complete(rest) }
    }

    /// Moves every plug to the next one and clears plug 0. The last plug of the word must be empty.
    #[inline]
    #[must_use]
    pub fn shift(self) -> Self {
        require(self.get(Self::CAPACITY - 1) == 0, self, "no plug follows the last one");
        Labels(self.0 << BITS)
    }

    /// Returns the minimal representation: labels renumbered from 1 by first appearance, except the
    /// reserved one.
    ///
    /// The time depends on the number of components, not of plugs: each component is found,
    /// compared with all plugs at once and written under its new label in one go. On the states of
    /// connected subsets of 8 to 11 columns, three quarters of which are canonical already, this
    /// takes 0.5 to 0.8 times as long as renumbering plug by plug. A check whether any label
    /// changes saves no further time.
    #[inline]
    #[must_use]
    pub fn canonical(self) -> Self {
        let full = W::from_low(Self::RESERVED.into());
        let mut code = self.plugs_of(Self::RESERVED).wrapping_mul(full);
        let mut rest = (self.0 & Self::all_plugs()) ^ code;
        let mut label = W::ONE;
        while rest != W::ZERO {
            let part = Labels::<W, BITS>(rest).plugs_of(Labels::<W, BITS>(rest).first());
            code |= part.wrapping_mul(label);
            rest &= !part.wrapping_mul(full);
            label = label.wrapping_add(W::ONE);
        }
        Labels(code)
    }

    /// Returns whether this is the minimal representation.
    #[must_use]
    pub fn is_canonical(self) -> bool {
        self == self.canonical()
    }

    /// Returns whether this is the minimal representation of a code without plugs from number
    /// `plugs` on: for [`ContourProblem::is_legal`](crate::plug::ContourProblem::is_legal).
    #[must_use]
    pub fn is_legal(self, plugs: usize) -> bool {
        self.len() <= plugs.min(Self::CAPACITY) && self.is_canonical()
    }

    /// Returns whether `other` has every plug and every connection of this code, and every plug of
    /// its reserved component in the reserved component. If additional plugs and connections never
    /// hurt in a problem, `other` then dominates this code. The time is linear in the number of
    /// components.
    #[inline]
    #[must_use]
    pub fn is_contained_in(self, other: Self) -> bool {
        self.parts().all(|(label, plugs)| {
            let there = other.get((plugs.trailing_zeros() / BITS) as usize);
            let kept = plugs & !other.plugs_of(there) == W::ZERO;
            there != 0 && kept && (label != Self::RESERVED || there == label)
        })
    }

    /// Returns the minimal representation for the mirrored board: plug `i` of the first `plugs`
    /// plugs becomes plug `plugs - 1 - i`. There must be no plug from number `plugs` on.
    #[must_use]
    pub fn mirrored(self, plugs: usize) -> Self {
        require(self.len() <= plugs, self, "a mirrored code has more plugs than its contour");
        (0..plugs)
            .fold(Self::EMPTY, |code, plug| code.with(plugs - 1 - plug, self.get(plug)))
            .canonical()
    }

    /// Returns the labels by first appearance, each with the lowest bits of its plugs.
    #[inline]
    fn parts(self) -> impl Iterator<Item = (u8, W)> {
        let mut rest = Self::from_word(self.0);
        std::iter::from_fn(move || {
            let label = (!rest.is_empty()).then(|| rest.first())?;
            let plugs = rest.plugs_of(label);
            rest = rest.relabelled(label, 0);
            Some((label, plugs))
        })
    }

    /// Returns the label that appears first. The code must not be empty.
    #[inline]
    fn first(self) -> u8 {
        let bit = self.0.trailing_zeros();
        (self.0 >> (bit - bit % BITS)).lowest_byte() & Self::RESERVED
    }

    /// Returns the lowest bits of the plugs with this label.
    #[inline]
    fn plugs_of(self, label: u8) -> W {
        // A field of `differing` is zero if its highest bit is clear and adding ones to the other
        // bits does not carry into it. All fields are tested at once, and no carry leaves its
        // field.
        Self::require_label(label);
        let lowest = W::from_pattern(Self::LOWEST);
        let others = W::from_pattern(Self::LOWEST * ((1 << (BITS - 1)) - 1));
        let differing = self.0 ^ lowest.wrapping_mul(W::from_low(label.into()));
        let high = (differing & others).wrapping_add(others) | differing;
        !(high >> (BITS - 1)) & lowest
    }
}

/// Checks whether `plugs` labels of `BITS` bits fit into `available` bits, and `components` into a
/// label.
fn check<const BITS: u32>(
    plugs: usize,
    components: usize,
    available: usize,
) -> Result<(), TooWide> {
    // Labels also encode the empty plug and the reserved component.
    let bits = usize::BITS - components.saturating_add(1).leading_zeros();
    // Labels that are too narrow are an error even if wider ones would fit into the word.
    let available =
        if bits > BITS { available.min(plugs.saturating_mul(BITS as usize)) } else { available };
    TooWide::check(plugs.saturating_mul(bits.max(BITS) as usize), available)
}

/// Draws a dot for an empty plug, a digit or a letter for a label, and an asterisk for the reserved
/// label, from plug 0 to the last plug that is not empty. A width, as in `{:8}`, draws at least
/// this number of plugs.
impl<W: Word, const BITS: u32> fmt::Display for Labels<W, BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, (self.len(), Self::CAPACITY), |plug| match self.get(plug) {
            0 => '.',
            label if label == Self::RESERVED => '*',
            label => char::from_digit(label.into(), 36).unwrap_or('?'),
        })
    }
}

fields!(Labels<W, BITS>, BITS, "plug", "empty");

/// Reads the format of `Display`, in minimal representation or not.
impl<W: Word, const BITS: u32> FromStr for Labels<W, BITS> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text, Self::CAPACITY, Self::EMPTY, |code, plug, found| {
            let digit = found
                .to_digit(36)
                .filter(|_| !found.is_ascii_uppercase())
                .and_then(|digit| digit.try_into().ok());
            match (found, digit) {
                ('.', _) => Ok(code),
                ('*', _) => Ok(code.with(plug, Self::RESERVED)),
                (_, Some(label)) if (1..Self::RESERVED).contains(&label) => {
                    Ok(code.with(plug, label))
                }
                _ => Err(match BITS {
                    2 => "`.`, `*` or a label from 1 to 2",
                    3 => "`.`, `*` or a label from 1 to 6",
                    4 => "`.`, `*` or a label from 1 to e",
                    _ => "`.`, `*` or a label from 1 to u",
                }),
            }
        })
    }
}

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

    /// The number of low bits that hold the labels.
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
        require(labels.len() <= Self::CAPACITY, labels, "more labels than fit beside colours");
        require(colours.len() <= Self::COLOURS, colours, "more colours than fit beside labels");
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

debug_as_displayed!(Coloured<W, BITS>);
