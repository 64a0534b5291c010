//! Ends of paths in any graph, each with the number of its mate: [`Mates`].

use std::fmt;
use std::str::FromStr;

use super::shared::{Joined, draw, read};
use super::word::Word;
use crate::plug::TooWide;
use crate::text::ParseError;

/// What the vertex in a slot is in [`Mates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// No path has come here: the slot may hold a vertex or none.
    Untouched,
    /// One end of a path; this is the slot of the other one.
    End(usize),
    /// One end of a path whose other end lies behind: a loose end.
    Loose,
    /// A path goes through.
    Inner,
}

impl Role {
    /// How many edges meet the vertex.
    #[inline]
    #[must_use]
    pub fn degree(self) -> usize {
        match self {
            Role::Untouched => 0,
            Role::End(_) | Role::Loose => 1,
            Role::Inner => 2,
        }
    }
}

/// The ends of paths among the vertices of a frontier, in which any may be matched with any.
///
/// A path through a part of a graph is known by its two ends. For each slot of the frontier the
/// code has the slot of its *mate*: the other end of its path, or the slot itself if no path has
/// come there, or a mark for a vertex that a path goes through. Joining two vertices by an edge is
/// a change of four slots at most, wherever they are. On a planar board
/// [`Parentheses`](super::Parentheses) do the same in half the bits. (The mates are those of
/// Knuth's `SIMPATH`, *The Art of Computer Programming* 4A, 2011, exercise 7.1.4–225; before him,
/// Sekine and Imai, 1995.)
///
/// Slots that are empty look untouched, so that states that behave alike are the same word, as long
/// as each slot holds the same vertex in all of them; there is nothing to make canonical. A slot
/// may be used again once its vertex has [left](Self::without) it; or else all vertices
/// [slide](Self::slide) down.
///
/// # How it is packed
///
/// A slot takes 4 bits in a `u32` or `u64`, and 5 in a `u128`: there is room for 8, 16 and 25 slots
/// ([`CAPACITY`](Self::CAPACITY)). It holds the *distance* to the mate, modulo 16 or 32. No number
/// is set aside for slots without a mate: they name one that does not name them. An inner slot
/// holds distance 1, a loose one distance 2. Neither can be mistaken for an end, since the slot
/// that it names never names it: an untouched one names itself, an end names another end, and an
/// inner or loose one names one that is further on still. So 16 slots, two ranks of a chessboard,
/// fit into a `u64`; and sliding is a shift of the word.
///
/// Naming a slot beyond the capacity panics where overflow checks are on, and gives some other code
/// without memory being touched where they are off.
///
/// ```
/// use secateurs::plug::code::{Joined, Mates, Role};
///
/// let code: Mates = Mates::EMPTY.join(0, 2).and_then(Joined::path).expect("a path from slot 0 to slot 2");
/// let code = code.join(2, 3).and_then(Joined::path).expect("a path from slot 0 by slot 2 to slot 3");
/// assert_eq!(code.get(0), Role::End(3));
/// assert_eq!(code.to_string(), "a.#a");
/// assert_eq!(code.join(1, 2), None); // a path goes through slot 2
/// assert!(matches!(code.join(0, 3), Some(Joined::Loop(_))));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mates<W: Word = u64>(W);

impl<W: Word> Mates<W> {
    /// All slots untouched.
    pub const EMPTY: Self = Mates(W::ZERO);

    /// Bits a slot.
    const SLOT: u32 = if W::BITS > 64 { 5 } else { 4 };
    /// All bits of a slot: the modulus of distances, less one.
    const FULL: u32 = (1 << Self::SLOT) - 1;

    const INNER: u32 = 1;
    const LOOSE: u32 = 2;

    /// Slots that fit into the word.
    pub const CAPACITY: usize = (W::BITS / Self::SLOT) as usize;

    /// Whether `slots` slots fit into the word: for
    /// [`ContourProblem::fits`](crate::plug::ContourProblem::fits).
    ///
    /// # Errors
    /// [`TooWide`] if they do not.
    pub fn fits(slots: usize) -> Result<(), TooWide> {
        // Each slot must be able to name any other.
        let bits = usize::BITS - slots.saturating_sub(1).leading_zeros();
        TooWide::check(slots.saturating_mul(bits.max(Self::SLOT) as usize), W::BITS as usize)
    }

    /// The code whose bits are `word`, as [`word`](Self::word) gave them.
    #[inline]
    #[must_use]
    pub fn from_word(word: W) -> Self {
        Mates(word)
    }

    /// The word: for each slot, from the low bits up, the distance to its mate, so that zero is
    /// untouched. It is never all ones, which is left for a mark of your own.
    #[inline]
    #[must_use]
    pub fn word(self) -> W {
        self.0
    }

    /// What a slot holds.
    #[inline]
    fn distance(self, slot: usize) -> u32 {
        u32::from((self.0 >> at::<W>(slot)).lowest_byte()) & Self::FULL
    }

    /// The code with another distance at a slot.
    #[inline]
    fn with_distance(self, slot: usize, distance: u32) -> Self {
        Mates(self.without(slot).0 | (W::from_low(distance.into()) << at::<W>(slot)))
    }

    /// The code in which `a` and `b` are the two ends of a path, or one and the same untouched
    /// slot.
    #[inline]
    fn matched(self, a: usize, b: usize) -> Self {
        let distance = narrow(b).wrapping_sub(narrow(a));
        self.with_distance(a, distance & Self::FULL)
            .with_distance(b, distance.wrapping_neg() & Self::FULL)
    }

    /// The other end of the path that ends in `slot`, or `slot` itself if it is untouched; `None`
    /// if it is inner or a loose end.
    #[inline]
    #[must_use]
    pub fn far_end(self, slot: usize) -> Option<usize> {
        let distance = self.distance(slot);
        let end = slot.wrapping_add(distance as usize) & Self::FULL as usize;
        // There and back is a whole turn.
        (end < Self::CAPACITY && (distance + self.distance(end)) & Self::FULL == 0).then_some(end)
    }

    /// What the vertex in `slot` is.
    #[inline]
    #[must_use]
    pub fn get(self, slot: usize) -> Role {
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

    /// The code with `slot` untouched, or empty. A mate that it had is left alone with it.
    #[inline]
    #[must_use]
    pub fn without(self, slot: usize) -> Self {
        Mates(self.0 & !(W::from_low(Self::FULL.into()) << at::<W>(slot)))
    }

    /// The code with a path through `slot`, which must be untouched.
    #[inline]
    #[must_use]
    pub fn with_inner(self, slot: usize) -> Self {
        self.with_distance(slot, Self::INNER)
    }

    /// The code with a loose end in `slot`, which must be untouched: a path that begins there and
    /// has no other end.
    #[inline]
    #[must_use]
    pub fn with_loose(self, slot: usize) -> Self {
        self.with_distance(slot, Self::LOOSE)
    }

    /// Adds an edge between `a` and `b`, two different slots; `None` if a path goes through one of
    /// them.
    ///
    /// Both must be untouched or ends. What was an end becomes inner. If they were mates, the path
    /// has become a [loop](Joined::Loop); if both were loose, it is [whole](Joined::Whole).
    #[inline]
    #[must_use]
    pub fn join(self, a: usize, b: usize) -> Option<Joined<Self>> {
        debug_assert!(a != b, "an edge from slot {a} to itself");
        // The far ends are mates now; those that were far ends themselves are overwritten.
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
            (None, None) if self.is_loose(a) && self.is_loose(b) => Some(Joined::Whole(inner)),
            _ => None,
        }
    }

    /// Whether a slot that is no end with a mate is a loose end.
    #[inline]
    fn is_loose(self, slot: usize) -> bool {
        self.distance(slot) == Self::LOOSE
    }

    /// The path that ends in `slot` ends there for good: the slot is empty, and its mate becomes a
    /// loose end. If it was one itself, the path is [whole](Joined::Whole). The slot must be an
    /// end.
    #[inline]
    #[must_use]
    pub fn close(self, slot: usize) -> Joined<Self> {
        let rest = self.without(slot);
        match self.get(slot) {
            Role::End(mate) => Joined::Path(rest.with_loose(mate)),
            role => {
                debug_assert!(role == Role::Loose, "slot {slot} is no end");
                Joined::Whole(rest)
            }
        }
    }

    /// The slots that are not untouched, each with its role.
    pub fn roles(self) -> impl Iterator<Item = (usize, Role)> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == W::ZERO {
                return None;
            }
            let slot = (rest.trailing_zeros() / Self::SLOT) as usize;
            rest = Mates(rest).without(slot).0;
            Some((slot, self.get(slot)))
        })
    }

    /// Whether any path has an end among the slots.
    #[inline]
    #[must_use]
    pub fn has_ends(self) -> bool {
        self.roles().any(|(_, role)| role != Role::Inner)
    }

    /// How many loose ends there are.
    #[must_use]
    pub fn loose_ends(self) -> usize {
        self.roles().filter(|&(_, role)| role == Role::Loose).count()
    }

    /// One more than the last slot that is not untouched.
    #[must_use]
    pub fn len(self) -> usize {
        (W::BITS - self.0.leading_zeros()).div_ceil(Self::SLOT) as usize
    }

    /// Whether all slots are untouched.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// Every vertex moves down by one slot, and the last one is empty: for frontiers that pass over
    /// a board whose vertices are numbered row by row. The vertex in slot 0 must have left.
    #[inline]
    #[must_use]
    pub fn slide(self) -> Self {
        debug_assert!(self.get(0) == Role::Untouched, "slot 0 of {self} is in use");
        Mates(self.0 >> Self::SLOT)
    }

    /// The code in which the vertex of each slot `i` has moved to slot `to(i)`: for frontiers that
    /// are numbered anew, mirrored or turned. Slots that are in use must go to different ones. The
    /// word may be another one; `None` if a slot does not fit into it.
    ///
    /// Takes time by the number of slots.
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

/// A slot's number, to calculate with.
#[inline]
#[allow(clippy::cast_possible_truncation)] // slots are far fewer
fn narrow(slot: usize) -> u32 {
    slot as u32
}

/// The lowest bit of a slot.
#[inline]
fn at<W: Word>(slot: usize) -> u32 {
    narrow(slot) * Mates::<W>::SLOT
}

/// Draws a dot for an untouched slot, `#` for an inner one, `!` for a loose end, and the two ends
/// of a path by the same letter, from slot 0 to the last one that is not untouched. A width, as in
/// `{:8}`, draws at least as many slots.
impl<W: Word> fmt::Display for Mates<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = 'a'..;
        let mut names = ['?'; 32];
        draw(f, self.len(), |f, slot| {
            let role = if slot < Self::CAPACITY { self.get(slot) } else { Role::Untouched };
            let drawn = match role {
                Role::Untouched => '.',
                Role::Inner => '#',
                Role::Loose => '!',
                Role::End(mate) if mate < slot => names[mate],
                Role::End(_) => {
                    names[slot] = letters.next().unwrap_or('?');
                    names[slot]
                }
            };
            write!(f, "{drawn}")
        })
    }
}

impl<W: Word> fmt::Debug for Mates<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mates({self})")
    }
}

/// Reads what `Display` writes. Any lower-case letter may stand for a path, twice.
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
