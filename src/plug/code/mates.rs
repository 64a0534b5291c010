//! The other end of every path, for graphs that need not be planar: [`Mates`].

use std::fmt;

use super::{Joined, Word, draw};
use crate::plug::TooWide;

/// What is known of a vertex of the frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// No edge meets it yet.
    Free,
    /// One edge does: it is the end of a path whose other end is the vertex in this slot.
    Mate(usize),
    /// One edge does: it is the end of a path whose other end lies behind the frontier.
    Loose,
    /// Two edges do: a path passes through.
    Inner,
}

impl Slot {
    /// How many edges meet the vertex.
    #[inline]
    #[must_use]
    pub fn degree(self) -> usize {
        match self {
            Slot::Free => 0,
            Slot::Mate(_) | Slot::Loose => 1,
            Slot::Inner => 2,
        }
    }
}

/// The paths on the vertices of a frontier, as the other end of each: for Hamiltonian cycles, paths and linear forests of any
/// graph.
///
/// A vertex whose edges are being decided has a *slot*; it enters a slot that is [free](Slot::Free) and leaves it by
/// [`close`](Self::close). Paths are known by their ends alone: each end names the slot of the other one, its *mate*. (The
/// frontier method: Sekine, Imai and Tani, 1995; mates: Knuth's *Simpath*, *TAOCP* 7.1.4, exercise 225; Kawahara, Inoue,
/// Iwashita and Minato, 2017.) The code of a state is unique: there is nothing to make canonical, unless the frontier has a
/// symmetry, which is an affair of [`moved`](Self::moved).
///
/// # How it is packed
///
/// A slot has `BITS` bits, 3 to 6. They hold the *distance* to the mate, modulo 2 to the power of `BITS`. So a free slot, its
/// own mate, holds 0; the code of a frontier without an edge is the word 0; and if all vertices move down by one slot, the
/// word is [shifted](Self::slide), and that is all. Nothing is set aside for the two kinds of slots that have no mate:
/// they name one that does not name them. An inner one holds 1, a loose one holds 2. The slot one further on cannot hold
/// the way back: if it is inner or loose, it names the second or third one from here; otherwise it names itself or an end
/// that names *it*. The same goes for two further on.
///
/// | | slots |
/// |---|---|
/// | `Mates<u32, 3>` | 8 |
/// | `Mates<u64, 4>` | 16: two ranks of a chessboard |
/// | `Mates<u128, 5>` | 25: what a knight needs on the way from rank to rank |
///
/// Naming a slot from [`CAPACITY`](Self::CAPACITY) on panics where overflow checks are on, and gives some other code where
/// they are off.
///
/// ```
/// use secateurs::plug::code::{Joined, Mates, Slot};
///
/// // A path through slots 0, 1, 2.
/// let path = Mates::<u64>::EMPTY.connect(0, 1).and_then(Joined::path).expect("two free ends");
/// let path = path.connect(1, 2).and_then(Joined::path).expect("an end and a free vertex");
/// assert_eq!([0, 1, 2].map(|slot| path.get(slot)), [Slot::Mate(2), Slot::Inner, Slot::Mate(0)]);
/// assert_eq!(path.to_string(), "2+0");
/// assert_eq!(path.connect(1, 3), None); // a third edge
/// assert!(matches!(path.connect(0, 2), Some(Joined::Loop(_))));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mates<W: Word = u64, const BITS: u32 = 4>(W);

impl<W: Word, const BITS: u32> Mates<W, BITS> {
    /// All slots are free.
    pub const EMPTY: Self = {
        assert!(3 <= BITS && BITS <= 6, "slots have 3 to 6 bits");
        Mates(W::ZERO)
    };

    /// Slots that fit into the word, and whose distances fit into a slot.
    pub const CAPACITY: usize = {
        let fit = W::BITS / BITS;
        if fit < 1 << BITS { fit as usize } else { 1 << BITS }
    };

    /// The bits of a slot, and what distances are taken modulo, less one.
    const FULL: u32 = (1 << BITS) - 1;

    const INNER: u32 = 1;
    const LOOSE: u32 = 2;

    /// Whether `slots` slots fit into the word, and their distances into `BITS` bits: for
    /// [`Profile::fits`](crate::plug::Profile::fits).
    ///
    /// # Errors
    /// [`TooWide`] if they do not, with the bits that slots wide enough would need.
    pub fn fits(slots: usize) -> Result<(), TooWide> {
        let bits = (usize::BITS - slots.saturating_sub(1).leading_zeros()).max(BITS);
        let needed = slots.saturating_mul(bits as usize);
        TooWide::check(needed, if bits > BITS { Self::CAPACITY * BITS as usize } else { W::BITS as usize })
    }

    /// The word, of which slot `i` has bits `BITS * i` and up.
    #[inline]
    #[must_use]
    pub fn word(self) -> W {
        self.0
    }

    /// The code that [`word`](Self::word) gave.
    #[inline]
    #[must_use]
    pub fn from_word(word: W) -> Self {
        Mates(word)
    }

    /// What is known of the vertex in `slot`.
    #[inline]
    #[must_use]
    pub fn get(self, slot: usize) -> Slot {
        let distance = self.distance(slot);
        if distance == 0 {
            Slot::Free
        } else if let Some(end) = self.far_end(slot) {
            Slot::Mate(end)
        } else if distance == Self::INNER {
            Slot::Inner
        } else {
            Slot::Loose
        }
    }

    /// The vertex in `slot`: can another edge meet it?
    #[inline]
    #[must_use]
    pub fn is_open(self, slot: usize) -> bool {
        self.far_end(slot).is_some() || self.distance(slot) == Self::LOOSE
    }

    /// Whether no slot is in use.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// One more than the last slot that is not free.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        (W::BITS - self.0.leading_zeros()).div_ceil(BITS) as usize
    }

    /// An edge between the vertices in slots `a` and `b`, which differ: `None` if either has two edges already.
    ///
    /// Otherwise the two paths that end there become one, where a free vertex is a path by itself. They may be the same,
    /// and become a [loop](Joined::Loop); or both have their other ends behind, and become a [whole](Joined::Whole) path.
    #[inline]
    #[must_use]
    pub fn connect(self, a: usize, b: usize) -> Option<Joined<Self>> {
        debug_assert!(a != b, "an edge from slot {a} to itself");
        if let (Some(from), Some(to)) = (self.far_end(a), self.far_end(b)) {
            // A vertex that is the far end of its own path is written twice: it was free, and becomes an end.
            let passed = self.set(a, Self::INNER).set(b, Self::INNER);
            return Some(if from == b { Joined::Loop(passed) } else { Joined::Path(passed.matched(from, to)) });
        }
        self.connect_loose(a, b)
    }

    /// The same, if one of the two ends at least is not matched.
    fn connect_loose(self, a: usize, b: usize) -> Option<Joined<Self>> {
        if !(self.is_open(a) && self.is_open(b)) {
            return None;
        }
        let passed = self.set(a, Self::INNER).set(b, Self::INNER);
        Some(match self.far_end(a).or(self.far_end(b)) {
            Some(end) => Joined::Path(passed.set(end, Self::LOOSE)),
            None => Joined::Whole(passed),
        })
    }

    /// The vertex in `slot` leaves the frontier, and the slot is free for another one. The mate of an end becomes loose.
    ///
    /// Also says what the vertex was: its degree is final.
    #[inline]
    #[must_use]
    pub fn close(self, slot: usize) -> (Self, Slot) {
        let last = self.get(slot);
        let rest = self.set(slot, 0);
        (if let Slot::Mate(end) = last { rest.set(end, Self::LOOSE) } else { rest }, last)
    }

    /// Every vertex moves down by one slot, and the last slot is free: for frontiers that move over a board whose vertices are
    /// numbered row by row. Slot 0 must be [closed](Self::close).
    #[inline]
    #[must_use]
    pub fn slide(self) -> Self {
        debug_assert!(self.get(0) == Slot::Free, "slot 0 of {self} is in use");
        Mates(self.0 >> BITS)
    }

    /// The code in which the vertex of each slot `i` has moved to slot `to(i)`: for frontiers that are numbered anew,
    /// mirrored or turned. Slots that are not free must go to different ones. The word may be another one; if a slot
    /// does not fit into it, `None`.
    ///
    /// Takes time by the number of slots.
    #[must_use]
    pub fn moved<V: Word, const OTHER: u32>(self, to: impl Fn(usize) -> usize) -> Option<Mates<V, OTHER>> {
        (0..self.len()).try_fold(Mates::EMPTY, |code, slot| {
            let place = |slot| Some(to(slot)).filter(|&place| place < Mates::<V, OTHER>::CAPACITY);
            Some(match self.get(slot) {
                Slot::Free => code,
                Slot::Mate(end) if end < slot => code,
                Slot::Mate(end) => code.matched(place(slot)?, place(end)?),
                Slot::Loose => code.set(place(slot)?, Mates::<V, OTHER>::LOOSE),
                Slot::Inner => code.set(place(slot)?, Mates::<V, OTHER>::INNER),
            })
        })
    }

    /// The other end of the path that ends in `slot`, or `slot` itself if it is free; `None` if it is inner or loose.
    #[inline]
    #[must_use]
    pub fn far_end(self, slot: usize) -> Option<usize> {
        let distance = self.distance(slot);
        let end = (slot + distance as usize) & Self::FULL as usize;
        // Distances there and back make a whole turn.
        (end < Self::CAPACITY && (distance + self.distance(end)) & Self::FULL == 0).then_some(end)
    }

    /// The code in which `a` and `b` are the two ends of a path, or the same free vertex.
    #[inline]
    fn matched(self, a: usize, b: usize) -> Self {
        let distance = Self::bits(b).wrapping_sub(Self::bits(a));
        self.set(a, distance & Self::FULL).set(b, distance.wrapping_neg() & Self::FULL)
    }

    #[inline]
    fn distance(self, slot: usize) -> u32 {
        u32::from((self.0 >> (BITS * Self::bits(slot))).lowest_byte()) & Self::FULL
    }

    #[inline]
    fn set(self, slot: usize, distance: u32) -> Self {
        let at = BITS * Self::bits(slot);
        Mates((self.0 & !(W::from_low(Self::FULL.into()) << at)) | (W::from_low(distance.into()) << at))
    }

    /// A slot's number, to calculate with.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // slots are far fewer
    fn bits(slot: usize) -> u32 {
        slot as u32
    }
}

/// Draws a dot for a free slot, a digit or letter for the slot of a mate, `~` for a loose end and `+` for an inner vertex, from
/// slot 0 to the last one that is not free. A width, as in `{:8}`, draws at least as many slots.
impl<W: Word, const BITS: u32> fmt::Display for Mates<W, BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, self.len(), |f, slot| {
            let class = if slot < Self::CAPACITY { self.get(slot) } else { Slot::Free };
            let character = match class {
                Slot::Free => '.',
                Slot::Loose => '~',
                Slot::Inner => '+',
                Slot::Mate(end) => char::from_digit(end as u32, 36).unwrap_or('?'),
            };
            write!(f, "{character}")
        })
    }
}

impl<W: Word, const BITS: u32> fmt::Debug for Mates<W, BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mates({self})")
    }
}
