//! The state code of paths in any graph, with the mate of each end: [`Mates`].

use std::fmt;
use std::str::FromStr;

use super::path_ends::{Joined, PathEnds, Role};
use super::word::{Word, draw, fields, position, read, require};
use crate::plug::TooWide;
use crate::text::ParseError;

/// The ends of paths among the vertices of a frontier, matched in any way.
///
/// A path through a part of a graph is determined by its two ends. For each slot of the frontier
/// the code stores the slot of its *mate*: the other end of its path, or the slot itself if no path
/// visits it, or a mark for an inner vertex of a path. Joining two vertices by an edge changes at
/// most four slots, wherever they are. On a planar board [`Parentheses`](super::Parentheses) store
/// the same in half the bits. (Mates: Knuth's `SIMPATH`, *The Art of Computer Programming* 4A,
/// 2011, exercise 7.1.4–225; earlier Sekine and Imai, 1995.)
///
/// Empty slots look untouched, so equivalent states are equal words if each slot holds the same
/// vertex in all of them; no canonical form is needed. A slot can be reused when its vertex has
/// [left](Self::without) it; alternatively all vertices [slide](Self::slide) down.
///
/// # Packing
///
/// A slot takes 4 bits in a `u32` or `u64`, and 5 bits in a `u128`: there is room for 8, 16 and 25
/// slots ([`CAPACITY`](Self::CAPACITY)). It holds the *distance* to the mate, modulo 16 or 32. A
/// slot without a mate is recognised by asymmetry: the slot at the stored distance does not store
/// the distance back. An inner slot holds distance 1, a loose one distance 2. Neither can be
/// mistaken for an end, because the slot that it names never names it. That slot is one or two
/// further on, so it would have to hold the distance -1 or -2. Only an end can, and an end names
/// its mate. This also holds from the last slots on to the first ones, at the full capacity. So 16
/// slots, two ranks of a chessboard, fit into a `u64`, and sliding is a shift of the word.
///
/// Operations on a slot beyond the capacity [panic](super#at-the-full-width).
///
/// ```
/// use secateurs::plug::code::{Joined, Mates, PathEnds, Role};
///
/// let code: Mates = Mates::EMPTY.join(0, 2).and_then(Joined::path).expect("a path from 0 to 2");
/// let code = code.join(2, 3).and_then(Joined::path).expect("a path from 0 by 2 to 3");
/// assert_eq!(code.role(0), Role::End(3));
/// assert_eq!(code.to_string(), "a.#a");
/// assert_eq!(code.join(1, 2), None); // slot 2 is inner
/// assert!(matches!(code.join(0, 3), Some(Joined::Loop(_))));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mates<W: Word = u64>(W);

impl<W: Word> Mates<W> {
    /// The code with all slots untouched.
    pub const EMPTY: Self = Mates(W::ZERO);

    /// The number of bits per slot.
    const SLOT_BITS: u32 = if W::BITS > 64 { 5 } else { 4 };
    /// The mask of a slot: the modulus of distances minus one.
    const FULL: u32 = (1 << Self::SLOT_BITS) - 1;

    /// The distance that an inner slot holds.
    const INNER: u32 = 1;
    /// The distance that a loose end holds.
    const LOOSE: u32 = 2;

    /// The number of slots that fit into the word.
    pub const CAPACITY: usize = (W::BITS / Self::SLOT_BITS) as usize;

    /// Checks whether `slots` slots fit into the word, for
    /// [`ContourProblem::fits`](crate::plug::ContourProblem::fits).
    ///
    /// # Errors
    /// Returns [`TooWide`] if they do not.
    pub fn fits(slots: usize) -> Result<(), TooWide> {
        // A slot must be able to name any other slot.
        let bits = usize::BITS - slots.saturating_sub(1).leading_zeros();
        TooWide::check(slots.saturating_mul(bits.max(Self::SLOT_BITS) as usize), W::BITS as usize)
    }

    /// Creates the code from a word that [`word`](Self::word) returned: for each slot, from the low
    /// bits up, the distance to its mate, so that zero is untouched. No word is all ones; a problem
    /// can use this value as a mark of its own.
    #[inline]
    #[must_use]
    pub fn from_word(word: W) -> Self {
        Mates(word)
    }

    /// Returns the distance that a slot holds.
    #[inline]
    fn distance(self, slot: usize) -> u32 {
        u32::from((self.0 >> Self::at(slot)).lowest_byte()) & Self::FULL
    }

    /// Returns the code with another distance at a slot.
    #[inline]
    fn with_distance(self, slot: usize, distance: u32) -> Self {
        Mates(self.without(slot).0 | (W::from_low(distance.into()) << Self::at(slot)))
    }

    /// Returns the code with `a` and `b` as the two ends of a path, or, if they are equal, with an
    /// untouched slot.
    #[inline]
    fn matched(self, a: usize, b: usize) -> Self {
        let distance = narrow(b).wrapping_sub(narrow(a));
        self.with_distance(a, distance & Self::FULL)
            .with_distance(b, distance.wrapping_neg() & Self::FULL)
    }

    /// Returns the other end of the path that ends in `slot`, `slot` itself if it is untouched, and
    /// `None` if it is inner or a loose end.
    #[inline]
    #[must_use]
    pub fn far_end(self, slot: usize) -> Option<usize> {
        let distance = self.distance(slot);
        let end = slot.wrapping_add(distance as usize) & Self::FULL as usize;
        // The two distances of mates add up to the modulus.
        (end < Self::CAPACITY && (distance + self.distance(end)) & Self::FULL == 0).then_some(end)
    }

    /// Returns the code with `slot` untouched, or empty. The mate of the slot, if it has one, is
    /// left without a mate.
    #[inline]
    #[must_use]
    pub fn without(self, slot: usize) -> Self {
        Mates(self.0 & !(W::from_low(Self::FULL.into()) << Self::at(slot)))
    }

    /// Returns the code with an inner vertex in `slot`, which must be untouched.
    #[inline]
    #[must_use]
    pub fn with_inner(self, slot: usize) -> Self {
        self.with_distance(slot, Self::INNER)
    }

    /// Returns the code with a loose end in `slot`, which must be untouched: a path that begins
    /// there and has no other end on the frontier.
    #[inline]
    #[must_use]
    pub fn with_loose(self, slot: usize) -> Self {
        self.with_distance(slot, Self::LOOSE)
    }

    /// Adds an edge between two different slots `a` and `b`. Returns `None` if one of them is
    /// inner.
    ///
    /// An end becomes inner, and an untouched slot an end. If the slots were mates, the path
    /// becomes a [loop](Joined::Loop); if both were loose, the path is
    /// [complete](Joined::Complete).
    #[inline]
    #[must_use]
    pub fn join(self, a: usize, b: usize) -> Option<Joined<Self>> {
        require(a != b, self, "an edge from a slot to itself");
        // The far ends become mates. An untouched slot is its own far end: its inner mark is
        // overwritten.
        let inner = self.with_inner(a).with_inner(b);
        match (self.far_end(a), self.far_end(b)) {
            (Some(from), Some(_)) if from == b => Some(Joined::Loop(inner)),
            (Some(from), Some(to)) => Some(Joined::Path(inner.matched(from, to))),
            (Some(from), None) if self.is_loose(b) => {
                Some(Joined::Path(inner.with_distance(from, Self::LOOSE)))
            }
            (None, Some(to)) if self.is_loose(a) => {
                Some(Joined::Path(inner.with_distance(to, Self::LOOSE)))
            }
            (None, None) if self.is_loose(a) && self.is_loose(b) => Some(Joined::Complete(inner)),
            _ => None,
        }
    }

    /// Returns whether `slot`, which must have no mate, is a loose end.
    #[inline]
    fn is_loose(self, slot: usize) -> bool {
        self.distance(slot) == Self::LOOSE
    }

    /// Ends the path in `slot`, which must be an end: the slot becomes empty, and its mate a loose
    /// end. If `slot` was a loose end itself, the path is [complete](Joined::Complete).
    #[inline]
    #[must_use]
    pub fn close(self, slot: usize) -> Joined<Self> {
        let rest = self.without(slot);
        match self.role(slot) {
            Role::End(mate) => Joined::Path(rest.with_loose(mate)),
            role => {
                require(role == Role::Loose, self, "a path ends in a slot that is no end");
                Joined::Complete(rest)
            }
        }
    }

    /// Returns the slots in use, with their roles.
    pub fn roles(self) -> impl Iterator<Item = (usize, Role)> {
        let mut rest = self.0 & W::low_ones(W::BITS / Self::SLOT_BITS * Self::SLOT_BITS);
        std::iter::from_fn(move || {
            if rest == W::ZERO {
                return None;
            }
            let slot = (rest.trailing_zeros() / Self::SLOT_BITS) as usize;
            rest = Mates(rest).without(slot).0;
            Some((slot, self.role(slot)))
        })
    }

    /// Returns whether any path has an end among the slots.
    #[inline]
    #[must_use]
    pub fn has_ends(self) -> bool {
        self.roles().any(|(_, role)| role != Role::Inner)
    }

    /// Returns the number of loose ends.
    #[must_use]
    pub fn loose_ends(self) -> usize {
        self.roles().filter(|&(_, role)| role == Role::Loose).count()
    }

    /// Moves every vertex down by one slot and empties the last slot: for frontiers that pass over
    /// a board with vertices numbered row by row. The vertex in slot 0 must have left.
    #[inline]
    #[must_use]
    pub fn slide(self) -> Self {
        require(self.distance(0) == 0, self, "the vertex in slot 0 has not left");
        Mates(self.0 >> Self::SLOT_BITS)
    }

    /// Returns the code with the vertex of each slot `i` moved to slot `to(i)`, in a word of any
    /// width: for frontiers that are renumbered, mirrored or rotated. Different slots in use must
    /// move to different slots. Returns `None` if a slot does not fit into the word.
    ///
    /// Takes time linear in the number of slots.
    #[must_use]
    pub fn moved<V: Word>(self, to: impl Fn(usize) -> usize) -> Option<Mates<V>> {
        let place = |slot| Some(to(slot)).filter(|&place| place < Mates::<V>::CAPACITY);
        self.roles().try_fold(Mates::EMPTY, |code, (slot, role)| {
            Some(match role {
                Role::End(mate) if mate > slot => code.matched(place(slot)?, place(mate)?),
                Role::End(_) | Role::Untouched => code,
                Role::Loose => code.with_loose(place(slot)?),
                Role::Inner => code.with_inner(place(slot)?),
            })
        })
    }
}

impl<W: Word> PathEnds for Mates<W> {
    #[inline]
    fn role(&self, slot: usize) -> Role {
        let distance = self.distance(slot);
        if distance == 0 {
            return Role::Untouched;
        }
        match self.far_end(slot) {
            Some(end) => Role::End(end),
            None if distance == Self::INNER => Role::Inner,
            None => Role::Loose,
        }
    }
}

/// Converts the number of a slot for arithmetic.
#[inline]
#[allow(clippy::cast_possible_truncation)] // slots are far fewer
fn narrow(slot: usize) -> u32 {
    slot as u32
}

/// Draws a dot for an untouched slot, `#` for an inner slot, `!` for a loose end, and the same
/// letter for both ends of a path, from slot 0 to the last slot that is not untouched. A width, as
/// in `{:8}`, draws at least this number of slots.
impl<W: Word> fmt::Display for Mates<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = 'a'..;
        let mut names = ['?'; 32];
        draw(f, (self.len(), Self::CAPACITY), |slot| match self.role(slot) {
            Role::Untouched => '.',
            Role::Inner => '#',
            Role::Loose => '!',
            Role::End(mate) if mate < slot => names[mate],
            Role::End(_) => {
                names[slot] = letters.next().unwrap_or('?');
                names[slot]
            }
        })
    }
}

fields!(Mates<W>, Self::SLOT_BITS, "slot", "untouched");

/// Reads the format of `Display`. Any lower-case letter may mark a path, by occurring twice.
impl<W: Word> FromStr for Mates<W> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text, Self::CAPACITY, Self::EMPTY, |code, slot, found| match found {
            '.' => Ok(code),
            '#' => Ok(code.with_inner(slot)),
            '!' => Ok(code.with_loose(slot)),
            'a'..='z' => {
                let mut same = text
                    .chars()
                    .enumerate()
                    .filter(|&(other, letter)| other != slot && letter == found);
                match (same.next(), same.next()) {
                    (Some((mate, _)), None) => Ok(code.matched(slot, mate)),
                    _ => Err("a letter that occurs exactly twice"),
                }
            }
            _ => Err("`.`, `#`, `!` or a letter from `a` to `z`"),
        })
    }
}
