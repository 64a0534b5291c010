//! Which plug belongs to which component, as numbers: [`Labels`].

use std::fmt;
use std::str::FromStr;

use super::bits::Bits;
use super::shared::{Joined, draw, read};
use super::word::Word;
use crate::plug::TooWide;
use crate::text::ParseError;

/// The component of each plug as a label of `BITS` bits (2 to 5), in minimal representation.
///
/// Two plugs have the same label if they are connected behind the contour. For equal states to be
/// equal words, labels are numbered 1, 2, 3, … as they first appear from plug 0 on: the *minimal
/// representation* (Chen Danqi, 2008; the restricted growth strings of Hutchinson, 1963). Label 0
/// is no plug at all. The highest label is [`RESERVED`](Self::RESERVED): it is never renumbered,
/// and marks *one* component that is unlike the others (lit, joined to the border, holding the
/// start).
///
/// A step first does what it has to do, which leaves labels in any order, and calls
/// [`canonical`](Self::canonical) once, at its end. Any number of components may be connected and
/// closed meanwhile, and *one* may be [begun](Self::fresh).
///
/// | labels | plugs in `u64` | in `u128` | components beside the reserved one |
/// |---|---|---|---|
/// | `Labels<_, 3>` | 21 | 42 | 6 |
/// | `Labels<_, 4>` | 16 | 32 | 14 |
/// | `Labels<_, 5>` | 12 | 25 | 30 |
///
/// Where neighbouring plugs are of one component, as those of connected subsets are, at most ⌊n/2⌋
/// + 1 components meet a contour of `n` plugs (there is one pair of plugs, at the step of the
/// contour, that are no neighbours). Plugs are numbered from 0. Naming one from
/// [`CAPACITY`](Self::CAPACITY) on, or a label above `RESERVED`, panics where overflow checks are
/// on, and gives some other code where they are off.
///
/// ```
/// use secateurs::plug::code::{Joined, Labels};
///
/// let code: Labels = "1.2.1".parse()?;
/// assert!(code.same(0, 4));
/// // A component of its own begins at plug 1, and meets the one on its right.
/// let code = code.fresh(1).connect(1, 2).state();
/// assert_eq!(code.canonical(), "122.1".parse()?);
/// // Meeting its own, a component closes a circle.
/// assert!(matches!(code.connect(0, 4), Joined::Loop(_)));
/// // Its first plug gone, component 1 is named later than the other.
/// assert_eq!(code.without(0).canonical(), ".11.2".parse()?);
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Labels<W: Word = u64, const BITS: u32 = 4>(pub(super) W);

impl<W: Word, const BITS: u32> Labels<W, BITS> {
    /// No plug at all.
    pub const EMPTY: Self = {
        assert!(2 <= BITS && BITS <= 5, "labels have 2 to 5 bits");
        Labels(W::ZERO)
    };

    /// Plugs that fit into the word.
    pub const CAPACITY: usize = (W::BITS / BITS) as usize;

    /// The label that is never renumbered: the highest one.
    pub const RESERVED: u8 = (1 << BITS) - 1;

    /// How many components there may be beside the reserved one, the one being [begun](Self::fresh)
    /// included.
    pub const COMPONENTS: usize = Self::RESERVED as usize - 1;

    /// The label of a component that is being begun: the highest one that is not reserved.
    const FRESH: u8 = Self::RESERVED - 1;

    /// The lowest bit of every plug.
    const LOWEST: u128 = lowest(BITS, W::BITS);

    /// Whether `plugs` plugs fit into the word, and labels for so many components (the one being
    /// begun included, the reserved one not) into `BITS` bits: for
    /// [`ContourProblem::fits`](crate::plug::ContourProblem::fits).
    ///
    /// # Errors
    /// [`TooWide`] if they do not, with the bits that labels wide enough would need.
    pub fn fits(plugs: usize, components: usize) -> Result<(), TooWide> {
        check::<BITS>(plugs, components, W::BITS as usize)
    }

    /// The code whose plug `i` has its label at bits `BITS * i` and up of `word`; bits of no plug
    /// must be zero.
    #[inline]
    #[must_use]
    pub fn from_word(word: W) -> Self {
        Labels(word)
    }

    /// The word.
    #[inline]
    #[must_use]
    pub fn word(self) -> W {
        self.0
    }

    /// The minimal representation of components numbered in any way: 0 is no plug, and
    /// [`RESERVED`](Self::RESERVED) is reserved; plugs with the same number, whatever else it is,
    /// are connected.
    ///
    /// For steps that are easier done on an array. Renumbers plug by plug, since there is nothing
    /// packed to compare. There must be no more than [`CAPACITY`](Self::CAPACITY) plugs and
    /// [`COMPONENTS`](Self::COMPONENTS) components.
    #[inline]
    #[must_use]
    pub fn numbered(numbers: &[u8]) -> Self {
        debug_assert!(numbers.len() <= Self::CAPACITY, "{} plugs", numbers.len());
        let mut labels = [0; 256];
        labels[usize::from(Self::RESERVED)] = Self::RESERVED;
        let mut last = 0;
        numbers.iter().enumerate().filter(|&(_, &number)| number != 0).fold(
            Self::EMPTY,
            |code, (plug, &number)| {
                let label = &mut labels[usize::from(number)];
                if *label == 0 {
                    last += 1;
                    *label = last;
                }
                code.with(plug, *label)
            },
        )
    }

    /// The label of plug `plug`; 0 if there is no plug.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // BITS bits
    pub fn get(self, plug: usize) -> u8 {
        (self.0 >> Self::at(plug)).lowest_byte() & Self::RESERVED
    }

    /// The code with `label` at `plug`, whatever was there; label 0 takes the plug away.
    #[inline]
    #[must_use]
    pub fn with(self, plug: usize, label: u8) -> Self {
        debug_assert!(label <= Self::RESERVED, "label {label}");
        Labels(self.without(plug).0 | (W::from_low(label.into()) << Self::at(plug)))
    }

    /// The code with nothing at `plug`, and no question asked of what becomes of its component: see
    /// [`close`](Self::close).
    #[inline]
    #[must_use]
    pub fn without(self, plug: usize) -> Self {
        Labels(self.0 & !(W::from_low(Self::RESERVED.into()) << Self::at(plug)))
    }

    /// The code with `plug`, whatever was there, in a component of its own.
    ///
    /// One component may be begun between two calls of [`canonical`](Self::canonical), and none
    /// where [`COMPONENTS`](Self::COMPONENTS) of them are there already: what [`fits`](Self::fits)
    /// rules out.
    #[inline]
    #[must_use]
    pub fn fresh(self, plug: usize) -> Self {
        debug_assert!(
            !self.without(plug).has(Self::FRESH),
            "a second component is begun in {self}"
        );
        self.with(plug, Self::FRESH)
    }

    /// Whether there is no plug at all.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// One more than the last plug that is not empty.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        (W::BITS - self.0.leading_zeros()).div_ceil(BITS) as usize
    }

    /// How many plugs are not empty.
    #[inline]
    #[must_use]
    pub fn count(self) -> usize {
        Self::CAPACITY - self.count_of(0)
    }

    /// How many plugs have this label.
    #[inline]
    #[must_use]
    pub fn count_of(self, label: u8) -> usize {
        self.plugs_of(label).count_ones() as usize
    }

    /// The plugs that have this label, as a bit each.
    #[must_use]
    pub fn places(self, label: u8) -> Bits<W> {
        let lowest = Bits::from_word(self.plugs_of(label));
        lowest.plugs().fold(Bits::EMPTY, |places, bit| places.with(bit / BITS as usize, true))
    }

    /// The labels of plugs 0, 1, 2, …, up to [`len`](Self::len).
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..self.len()).map(move |plug| self.get(plug))
    }

    /// Whether a plug has this label.
    #[inline]
    #[must_use]
    pub fn has(self, label: u8) -> bool {
        self.plugs_of(label) != W::ZERO
    }

    /// Whether `a` and `b` are plugs, and connected.
    #[inline]
    #[must_use]
    pub fn same(self, a: usize, b: usize) -> bool {
        self.get(a) == self.get(b) && self.get(a) != 0
    }

    /// How many components there are beside the reserved one. Takes time by their number.
    #[must_use]
    pub fn components(self) -> usize {
        self.parts().filter(|&(label, _)| label != Self::RESERVED).count()
    }

    /// The code with every `old` label replaced by `new`: a component is merged with another, or
    /// gets or loses the reserved label.
    #[inline]
    #[must_use]
    pub fn relabelled(self, old: u8, new: u8) -> Self {
        Labels(self.0 ^ self.plugs_of(old).wrapping_mul(W::from_low((old ^ new).into())))
    }

    /// The components of plugs `a` and `b`, neither empty, become one; reserved if either is.
    /// [`Joined::Loop`], with the code unchanged, if they are one already.
    #[inline]
    #[must_use]
    pub fn connect(self, a: usize, b: usize) -> Joined<Self> {
        let (a, b) = (self.get(a), self.get(b));
        debug_assert!(a != 0 && b != 0, "an empty plug is connected in {self}");
        // The reserved label is the highest: the higher one stays.
        if a == b { Joined::Loop(self) } else { Joined::Path(self.relabelled(a.min(b), a.max(b))) }
    }

    /// Plug `plug`, which is not empty, goes: its component goes on elsewhere ([`Joined::Path`]),
    /// or this was the last of it ([`Joined::Whole`]).
    #[inline]
    #[must_use]
    pub fn close(self, plug: usize) -> Joined<Self> {
        let label = self.get(plug);
        debug_assert!(label != 0, "plug {plug} of {self} is empty");
        let rest = self.without(plug);
        if rest.has(label) { Joined::Path(rest) } else { Joined::Whole(rest) }
    }

    /// Every plug becomes the next one, and plug 0 is empty; the last one that fits the word must
    /// be.
    #[inline]
    #[must_use]
    pub fn shift(self) -> Self {
        debug_assert!(self.get(Self::CAPACITY - 1) == 0, "the last plug would be lost");
        Labels(self.0 << BITS)
    }

    /// The minimal representation: labels renumbered from 1 as they first appear; the reserved one
    /// stays.
    ///
    /// Takes time by the number of components, not of plugs: each is found, compared with all plugs
    /// at once and written under its new label in one go. On the states of connected subsets of 8
    /// to 11 columns, of which three in four are canonical already, this takes 0.5 to 0.8 times as
    /// long as renumbering plug by plug; to look first whether there is anything to renumber gains
    /// nothing more.
    #[inline]
    #[must_use]
    pub fn canonical(self) -> Self {
        let full = W::from_low(Self::RESERVED.into());
        let mut code = self.plugs_of(Self::RESERVED).wrapping_mul(full);
        let mut rest = self.0 ^ code;
        let mut label = W::ONE;
        while rest != W::ZERO {
            let part = Labels::<W, BITS>(rest).plugs_of(Labels::<W, BITS>(rest).first());
            code |= part.wrapping_mul(label);
            rest &= !part.wrapping_mul(full);
            label = label.wrapping_add(W::ONE);
        }
        Labels(code)
    }

    /// Whether this is the minimal representation.
    #[must_use]
    pub fn is_canonical(self) -> bool {
        self == self.canonical()
    }

    /// Whether `other` has every plug of this code, every connection, and every plug of the
    /// reserved component in its own: what is wanted of a state that can do all that this one can.
    /// Takes time by the number of components.
    #[inline]
    #[must_use]
    pub fn is_contained_in(self, other: Self) -> bool {
        self.parts().all(|(label, plugs)| {
            let there = other.get((plugs.trailing_zeros() / BITS) as usize);
            let kept = plugs & !other.plugs_of(there) == W::ZERO;
            there != 0 && kept && (label != Self::RESERVED || there == label)
        })
    }

    /// The minimal representation of the mirrored board: plug `i` of the first `plugs` becomes plug
    /// `plugs - 1 - i`. There must be none from number `plugs` on.
    #[must_use]
    pub fn mirrored(self, plugs: usize) -> Self {
        debug_assert!(self.len() <= plugs, "{self} has more than {plugs} plugs");
        (0..plugs)
            .fold(Self::EMPTY, |code, plug| code.with(plugs - 1 - plug, self.get(plug)))
            .canonical()
    }

    /// Labels by first appearance, each with the lowest bits of its plugs.
    #[inline]
    fn parts(self) -> impl Iterator<Item = (u8, W)> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let label = (!rest.is_empty()).then(|| rest.first())?;
            let plugs = rest.plugs_of(label);
            rest = rest.relabelled(label, 0);
            Some((label, plugs))
        })
    }

    /// The label that appears first; there must be one.
    #[inline]
    fn first(self) -> u8 {
        let bit = self.0.trailing_zeros();
        (self.0 >> (bit - bit % BITS)).lowest_byte() & Self::RESERVED
    }

    /// The lowest bit of each plug that has this label.
    #[inline]
    fn plugs_of(self, label: u8) -> W {
        // A field is zero if neither its highest bit is set nor any of the others, which would
        // carry into it.
        let lowest = W::from_pattern(Self::LOWEST);
        let others = W::from_pattern(Self::LOWEST * ((1 << (BITS - 1)) - 1));
        let differing = self.0 ^ lowest.wrapping_mul(W::from_low(label.into()));
        let high = (differing & others).wrapping_add(others) | differing;
        !(high >> (BITS - 1)) & lowest
    }

    /// The lowest bit of a plug.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // plugs are far fewer
    fn at(plug: usize) -> u32 {
        BITS * plug as u32
    }
}

/// The lowest bit of every field of `bits` bits that fits into a word.
const fn lowest(bits: u32, word: u32) -> u128 {
    let mut pattern = 0;
    let mut field = 0;
    while field < word / bits {
        pattern |= 1 << (bits * field);
        field += 1;
    }
    pattern
}

/// Whether `plugs` labels of `BITS` bits fit into `available` ones, and `components` into a label.
pub(super) fn check<const BITS: u32>(
    plugs: usize,
    components: usize,
    available: usize,
) -> Result<(), TooWide> {
    // Besides the components there are no label and the reserved one.
    let bits = usize::BITS - components.saturating_add(1).leading_zeros();
    let available =
        if bits > BITS { available.min(plugs.saturating_mul(BITS as usize)) } else { available };
    TooWide::check(plugs.saturating_mul(bits.max(BITS) as usize), available)
}

/// Draws a dot for an empty plug, a digit or a letter for a label, and an asterisk for the reserved
/// one, from plug 0 to the last one that is not empty. A width, as in `{:8}`, draws at least as
/// many plugs.
impl<W: Word, const BITS: u32> fmt::Display for Labels<W, BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, self.len(), |f, plug| {
            match if plug < Self::CAPACITY { self.get(plug) } else { 0 } {
                0 => f.write_str("."),
                label if label == Self::RESERVED => f.write_str("*"),
                label => write!(f, "{}", char::from_digit(label.into(), 36).unwrap_or('?')),
            }
        })
    }
}

impl<W: Word, const BITS: u32> fmt::Debug for Labels<W, BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Labels({self})")
    }
}

/// Reads what `Display` writes, in minimal representation or not.
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
