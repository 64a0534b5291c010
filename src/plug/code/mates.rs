//! Ends of paths in any graph, each with the number of its mate: [`Mates`].

use std::fmt;
use std::str::FromStr;

use super::{Joined, ParseCodeError, Word};
use crate::plug::TooWide;

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

/// The ends of paths among the vertices of a frontier, in which any may be matched with any.
///
/// A path through a part of a graph is known by its two ends. For each slot of the frontier the code has the slot of its
/// *mate*: the other end of its path, or the slot itself if no path has come there, or a mark for a vertex that a path goes
/// through. Joining two vertices by an edge is a change of four slots at most, wherever they are. On a planar board
/// [`Parentheses`](super::Parentheses) do the same in half the bits. (The mates are those of Knuth's `SIMPATH`, *The Art of
/// Computer Programming* 4A, 2011, exercise 7.1.4–225; before him, Sekine and Imai, 1995.)
///
/// A slot takes 4 bits in a `u32` or `u64`, and 5 in a `u128`: there is room for 8, 14, and 25 slots
/// ([`CAPACITY`](Self::CAPACITY)). Slots that are empty look untouched, so that states that behave alike are the same word, as
/// long as each slot holds the same vertex in all of them. Naming a slot beyond the capacity panics where overflow checks
/// are on, and gives some other code without memory being touched where they are off.
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
pub struct Mates<W: Word = u64>(W);

impl<W: Word> Mates<W> {
    /// All slots untouched.
    pub const EMPTY: Self = Mates(W::ZERO);

    /// Bits a slot.
    const SLOT: u32 = if W::BITS > 64 { 5 } else { 4 };
    /// The codes for what is no slot: the two highest.
    const INNER: u64 = (1 << Self::SLOT) - 1;
    const LOOSE: u64 = Self::INNER - 1;

    /// Slots that fit into the word.
    pub const CAPACITY: usize = smaller((W::BITS / Self::SLOT) as usize, Self::LOOSE as usize);

    /// Whether `slots` slots fit into the word: for [`Profile::fits`](crate::plug::Profile::fits).
    ///
    /// # Errors
    /// [`TooWide`] if they do not.
    pub fn fits(slots: usize) -> Result<(), TooWide> {
        // A slot has the number of any of them, or one of two marks.
        let bits = usize::BITS - slots.saturating_add(1).leading_zeros();
        TooWide::check(slots.saturating_mul(bits as usize), W::BITS as usize)
    }

    /// The code whose bits are `word`, as [`word`](Self::word) gave them.
    #[inline]
    #[must_use]
    pub fn from_word(word: W) -> Self {
        Mates(word)
    }

    /// The word: for each slot, from the low bits up, the number of its mate *xor* its own, so that zero is untouched. It is
    /// never all ones, which is left for a mark of your own.
    #[inline]
    #[must_use]
    pub fn word(self) -> W {
        self.0
    }

    /// The number at a slot.
    #[inline]
    fn number(self, slot: usize) -> u64 {
        ((self.0 >> at::<W>(slot)).low() & Self::INNER) ^ slot as u64
    }

    /// The code with another number at a slot.
    #[inline]
    fn with_number(self, slot: usize, number: u64) -> Self {
        Mates(self.without(slot).0 | (W::from_low(number ^ slot as u64) << at::<W>(slot)))
    }

    /// What the vertex in `slot` is.
    #[inline]
    #[must_use]
    pub fn get(self, slot: usize) -> Role {
        match self.number(slot) {
            number if number == slot as u64 => Role::Untouched,
            number if number == Self::INNER => Role::Inner,
            number if number == Self::LOOSE => Role::Loose,
            number => Role::End(narrow(number)),
        }
    }

    /// The code with `slot` untouched, or empty. A mate that it had is left alone with it.
    #[inline]
    #[must_use]
    pub fn without(self, slot: usize) -> Self {
        Mates(self.0 & !(W::from_low(Self::INNER) << at::<W>(slot)))
    }

    /// The code with a path through `slot`, which must be untouched.
    #[inline]
    #[must_use]
    pub fn with_inner(self, slot: usize) -> Self {
        self.with_number(slot, Self::INNER)
    }

    /// The code with a loose end in `slot`, which must be untouched: a path that begins there and has no other end.
    #[inline]
    #[must_use]
    pub fn with_loose(self, slot: usize) -> Self {
        self.with_number(slot, Self::LOOSE)
    }

    /// Adds an edge between `a` and `b`, two different slots; `None` if a path goes through one of them.
    ///
    /// Both must be untouched or ends. What was an end becomes inner. If they were mates, the path has become a
    /// [loop](Joined::Loop); if both were loose, it is [whole](Joined::Whole).
    #[inline]
    #[must_use]
    pub fn join(self, a: usize, b: usize) -> Option<Joined<Self>> {
        debug_assert!(a != b, "an edge from slot {a} to itself");
        let (from, to) = (self.number(a), self.number(b));
        if from == Self::INNER || to == Self::INNER {
            return None;
        }
        // The far ends are mates now; those that were far ends themselves are overwritten.
        let inner = self.with_number(a, Self::INNER).with_number(b, Self::INNER);
        if from == b as u64 {
            return Some(Joined::Loop(inner));
        }
        Some(match (from == Self::LOOSE, to == Self::LOOSE) {
            (false, false) => Joined::Path(inner.with_number(narrow(from), to).with_number(narrow(to), from)),
            (false, true) => Joined::Path(inner.with_number(narrow(from), Self::LOOSE)),
            (true, false) => Joined::Path(inner.with_number(narrow(to), Self::LOOSE)),
            (true, true) => Joined::Whole(inner),
        })
    }

    /// The path that ends in `slot` ends there for good: the slot is empty, and its mate becomes a loose end. If it was one itself,
    /// the path is [whole](Joined::Whole). The slot must be an end.
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
}

const fn smaller(one: usize, other: usize) -> usize {
    if one < other { one } else { other }
}

/// A slot's number as an index.
#[inline]
#[allow(clippy::cast_possible_truncation)] // it has 5 bits
fn narrow(number: u64) -> usize {
    number as usize
}

/// The lowest bit of a slot.
#[inline]
#[allow(clippy::cast_possible_truncation)] // slots are far fewer
fn at<W: Word>(slot: usize) -> u32 {
    slot as u32 * Mates::<W>::SLOT
}

/// Draws a dot for an untouched slot, `#` for an inner one, `!` for a loose end, and the two ends of a path by the same letter, from
/// slot 0 to the last one that is not untouched. A width, as in `{:8}`, draws at least as many slots.
impl<W: Word> fmt::Display for Mates<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = 'a'..;
        let mut names = ['?'; 32];
        super::draw(f, self.len(), |f, slot| {
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
    type Err = ParseCodeError;

    fn from_str(text: &str) -> Result<Self, ParseCodeError> {
        let slots = text.chars().count();
        if slots > Self::CAPACITY {
            return Err(ParseCodeError::TooLong { plugs: slots, capacity: Self::CAPACITY });
        }
        let mut code = Self::EMPTY;
        for (slot, found) in text.chars().enumerate() {
            match found {
                '.' => {}
                '#' => code = code.with_inner(slot),
                '!' => code = code.with_loose(slot),
                'a'..='z' => {
                    let mut same = text.chars().enumerate().filter(|&(other, letter)| other != slot && letter == found);
                    let (Some((mate, _)), None) = (same.next(), same.next()) else {
                        let expected = "a letter that comes just twice";
                        return Err(ParseCodeError::Unexpected { column: slot + 1, found, expected });
                    };
                    code = code.with_number(slot, mate as u64);
                }
                _ => {
                    let expected = "'.', '#', '!' or a letter";
                    return Err(ParseCodeError::Unexpected { column: slot + 1, found, expected });
                }
            }
        }
        Ok(code)
    }
}
