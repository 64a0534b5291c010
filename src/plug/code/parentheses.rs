//! The state code of paths on planar boards, two bits per plug: [`Parentheses`].

use std::fmt;
use std::str::FromStr;

use super::path_ends::{Joined, PathEnds, Role};
use super::word::{Word, draw, fields, position, read, require};
use crate::plug::TooWide;
use crate::text::ParseError;

/// The symbol of a plug in [`Parentheses`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// No path crosses the contour here.
    #[default]
    Empty = 0,
    /// `(`: one end of a path with its mate at a later plug. Without a mate it is a loose end: the
    /// other end of the path is behind the contour.
    Open = 1,
    /// `)`: one end of a path with its mate at an earlier plug.
    Close = 2,
}

impl Symbol {
    /// Returns the symbol of two bits; `Close` for the illegal `0b11`.
    #[inline]
    fn from_bits(bits: u64) -> Self {
        match bits & 3 {
            0 => Symbol::Empty,
            1 => Symbol::Open,
            _ => Symbol::Close,
        }
    }
}

/// The ends of paths that cross the contour of a planar board, matched like parentheses.
///
/// Paths do not cross behind a contour that cuts a planar board in two, so their ends pair off like
/// parentheses, and two bits per plug determine which ends belong together. (Paths counted this
/// way: Conway, Enting and Guttmann, 1993; under the name of plug DP: Chen Danqi, 2008.) A word of
/// `n` plugs is a *Motzkin word*; there are about 3ⁿ / n^1.5 of them.
///
/// A `(` without a mate is a **loose end**: its path began at some cell behind the contour. This
/// suffices for paths that begin on the border of the board, such as those between opposite
/// corners, because no pair can enclose such a loose end. A `)` without a mate is never legal. A
/// path that may begin anywhere needs [mates](super::Mates) instead.
///
/// Plugs are numbered from 0; [`CAPACITY`](Self::CAPACITY) of them fit into the word: 32 into a
/// `u64`. Operations on a plug beyond that [panic](super#at-the-full-width).
///
/// ```
/// use secateurs::plug::code::{Joined, Parentheses};
///
/// let code: Parentheses = "(.()).".parse()?;
/// assert_eq!(code.mate(0), Some(4));
/// // The first path moves to the second plug and is joined with the second path.
/// let code = code.moved(0, 1);
/// assert_eq!(code.to_string(), ".(())");
/// assert_eq!(code.join(1, 2), Joined::Path("...()".parse()?));
/// // Joining both ends of one path closes a loop.
/// assert_eq!(code.join(2, 3), Joined::Loop(".(..)".parse()?));
/// # Ok::<(), secateurs::ParseError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Parentheses<W: Word = u64>(W);

impl<W: Word> Parentheses<W> {
    /// The code without plugs.
    pub const EMPTY: Self = Parentheses(W::ZERO);

    /// The number of plugs that fit into the word.
    pub const CAPACITY: usize = W::BITS as usize / 2;

    /// Checks whether `plugs` plugs fit into the word, for
    /// [`ContourProblem::fits`](crate::plug::ContourProblem::fits).
    ///
    /// # Errors
    /// Returns [`TooWide`] if they do not.
    pub fn fits(plugs: usize) -> Result<(), TooWide> {
        TooWide::check(plugs.saturating_mul(2), W::BITS as usize)
    }

    /// Creates the code from a word: bit `2 i` is set if plug `i` is `(`, and bit `2 i + 1` if it
    /// is `)`. If both bits of a plug are set, the results of all operations are unspecified.
    #[inline]
    #[must_use]
    pub const fn from_word(word: W) -> Self {
        Parentheses(word)
    }

    /// Returns the symbol of plug `plug`.
    #[inline]
    #[must_use]
    pub fn get(self, plug: usize) -> Symbol {
        Symbol::from_bits((self.0 >> Self::at(plug)).low())
    }

    /// Returns the code with `symbol` at `plug`.
    #[inline]
    #[must_use]
    pub fn with(self, plug: usize, symbol: Symbol) -> Self {
        Parentheses(self.without(plug).0 | (W::from_low(symbol as u64) << Self::at(plug)))
    }

    /// Returns the code with an empty `plug`.
    #[inline]
    #[must_use]
    pub fn without(self, plug: usize) -> Self {
        Parentheses(self.0 & !(W::from_low(3) << Self::at(plug)))
    }

    /// Moves the symbol at `from` to `to`, which must be empty.
    #[inline]
    #[must_use]
    pub fn moved(self, from: usize, to: usize) -> Self {
        let symbol = (self.0 >> Self::at(from)) & W::from_low(3);
        let rest = self.without(from).0;
        let is_free = Parentheses(rest).get(to) == Symbol::Empty;
        require(is_free, self, "a path moves to a plug that is taken");
        Parentheses(rest | (symbol << Self::at(to)))
    }

    /// Adds a path from `a` to `b`, two empty plugs, `a < b`. Every path with an end between them
    /// must have both ends there.
    #[inline]
    #[must_use]
    pub fn pair(self, a: usize, b: usize) -> Self {
        let are_free = self.get(a) == Symbol::Empty && self.get(b) == Symbol::Empty;
        require(a < b && are_free, self, "a path between plugs in descending order, or taken ones");
        Parentheses(self.0 | (W::ONE << Self::at(a)) | (W::from_low(2) << Self::at(b)))
    }

    /// Returns the taken plugs below plug `end`, as a pattern with one bit for every two.
    #[inline]
    #[must_use]
    pub fn occupied_below(self, end: usize) -> W {
        self.occupied() & Self::below(end)
    }

    /// Returns the taken plugs from plug `begin` on, as a pattern with one bit for every two.
    #[inline]
    #[must_use]
    pub fn occupied_from(self, begin: usize) -> W {
        self.occupied() & !Self::below(begin)
    }

    /// Returns the taken plugs, as a pattern with one bit for every two.
    #[inline]
    fn occupied(self) -> W {
        (self.0 | self.0 >> 1) & Self::opens()
    }

    /// Returns the number of plugs that are not empty.
    #[inline]
    #[must_use]
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Moves every plug to the next one and clears plug 0. This happens at the end of a row, where
    /// the contour's vertical plug, the last one, is empty and becomes the first plug of the next
    /// row.
    ///
    /// The last plug of the *word* must be empty.
    #[inline]
    #[must_use]
    pub fn shift(self) -> Self {
        let last = self.get(Self::CAPACITY - 1);
        require(last == Symbol::Empty, self, "no plug follows the last one");
        Parentheses(self.0 << 2)
    }

    /// Returns the other end of the path that ends in `plug`; `None` if `plug` is empty or a loose
    /// end.
    ///
    /// Takes time linear in the number of plugs between the two ends, four at a time.
    #[inline]
    #[must_use]
    pub fn mate(self, plug: usize) -> Option<usize> {
        match self.get(plug) {
            Symbol::Empty => None,
            Symbol::Open => self.mate_of_open(plug),
            Symbol::Close => self.mate_of_close(plug),
        }
    }

    #[inline]
    fn mate_of_open(self, plug: usize) -> Option<usize> {
        let mut rest = self.0 >> Self::at(plug) >> 2;
        let (mut first, mut wanted) = (plug + 1, 1);
        while rest != W::ZERO {
            match FORWARD.find(rest.lowest_byte(), wanted) {
                Ok(found) => return Some(first + found),
                Err(more) => wanted = more,
            }
            rest = rest >> 8;
            first += 4;
        }
        None
    }

    #[inline]
    fn mate_of_close(self, plug: usize) -> Option<usize> {
        // Shift the preceding plug to the top of the word.
        let mut rest = self.0 << (W::BITS - 2 - Self::at(plug)) << 2;
        let (mut end, mut wanted) = (plug, 1);
        while rest != W::ZERO {
            match BACKWARD.find(rest.highest_byte(), wanted) {
                Ok(found) => return end.checked_sub(found + 1),
                Err(more) => wanted = more,
            }
            rest = rest << 8;
            end = end.wrapping_sub(4);
        }
        None
    }

    /// Joins the plugs `a` and `b`, `a < b`, neither empty: removes both and matches the far ends
    /// of their paths.
    ///
    /// Every path with an end between `a` and `b` must have both ends there; this holds if they are
    /// neighbours on the contour. If both are loose ends, the path is
    /// [complete](Joined::Complete); if they are mates, it is a [loop](Joined::Loop).
    #[inline]
    #[must_use]
    pub fn join(self, a: usize, b: usize) -> Joined<Self> {
        let are_taken = self.get(a) != Symbol::Empty && self.get(b) != Symbol::Empty;
        require(a < b && are_taken, self, "plugs in descending order, or empty ones, are joined");
        let rest = self.without(a).without(b);
        match (self.get(a), self.get(b)) {
            (Symbol::Open, Symbol::Close) => Joined::Loop(rest),
            // The far ends, a `(` on the left and a `)` on the right, already match.
            (Symbol::Close, Symbol::Open) => Joined::Path(rest),
            (Symbol::Open, _) => match self.mate_of_open(b) {
                Some(mate) => Joined::Path(rest.flipped(mate)),
                None => Joined::Complete(rest),
            },
            (_, _) => match self.mate_of_close(a) {
                Some(mate) => Joined::Path(rest.flipped(mate)),
                None => Joined::Complete(rest),
            },
        }
    }

    /// Ends the path at `plug`: removes the plug and makes its mate a loose end. If `plug` was a
    /// loose end itself, the path is [complete](Joined::Complete).
    ///
    /// No pair may enclose `plug`; this always holds for cells on the border of the board.
    #[inline]
    #[must_use]
    pub fn close(self, plug: usize) -> Joined<Self> {
        require(self.get(plug) != Symbol::Empty, self, "an empty plug is closed");
        let rest = self.without(plug);
        match self.get(plug) {
            Symbol::Open => match self.mate_of_open(plug) {
                Some(mate) => Joined::Path(rest.flipped(mate)),
                None => Joined::Complete(rest),
            },
            // Its mate is a `(`, which is a loose end without any change.
            _ => Joined::Path(rest),
        }
    }

    /// Replaces the parenthesis at a plug by the other one.
    #[inline]
    fn flipped(self, plug: usize) -> Self {
        Parentheses(self.0 ^ (W::from_low(3) << Self::at(plug)))
    }

    /// Returns the number of pairs and loose ends that enclose the position just before `plug`,
    /// which may be as large as [`CAPACITY`](Self::CAPACITY): the height of a Motzkin path after
    /// `plug` steps.
    #[inline]
    #[must_use]
    pub fn height(self, plug: usize) -> usize {
        let before = self.0 & Self::below(plug);
        let opens = before & Self::opens();
        (2 * opens.count_ones()).wrapping_sub(before.count_ones()) as usize
    }

    /// Returns the number of loose ends.
    #[inline]
    #[must_use]
    pub fn loose_ends(self) -> usize {
        self.height(Self::CAPACITY)
    }

    /// Returns whether this is a Motzkin word of `plugs` plugs: every parenthesis has a mate, all
    /// plugs from number `plugs` on are empty, and no plug has both bits set.
    #[must_use]
    pub fn is_motzkin(self, plugs: usize) -> bool {
        self.len() <= plugs && self.is_legal() && self.loose_ends() == 0
    }

    /// Returns whether every `)` has a mate and no plug has both bits set.
    #[must_use]
    pub fn is_legal(self) -> bool {
        let mut height = 0usize;
        (0..Self::CAPACITY).all(|plug| {
            let bits = (self.0 >> Self::at(plug)).low() & 3;
            match bits {
                1 => height += 1,
                2 if height == 0 => return false,
                2 => height -= 1,
                _ => {}
            }
            bits != 3
        })
    }

    /// Returns the code for the mirrored board: plug `i` of the first `plugs` plugs becomes plug
    /// `plugs - 1 - i`, and `(` becomes `)`. There must be no loose ends, and no plug from number
    /// `plugs` on.
    ///
    /// If the rest of the board is symmetric, the smaller of a code and its mirror image can
    /// represent both.
    #[must_use]
    pub fn mirrored(self, plugs: usize) -> Self {
        require(self.is_motzkin(plugs), self, "a word that is no Motzkin word is mirrored");
        (0..plugs).fold(Self::EMPTY, |mirrored, plug| {
            let symbol = match self.get(plug) {
                Symbol::Empty => Symbol::Empty,
                Symbol::Open => Symbol::Close,
                Symbol::Close => Symbol::Open,
            };
            mirrored.with(plugs - 1 - plug, symbol)
        })
    }

    /// Returns the mask of the bits for `(`.
    #[inline]
    fn opens() -> W {
        W::from_pattern(u128::MAX / 3)
    }

    /// Returns the mask of the plugs below plug `end`.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // plugs are far fewer
    fn below(end: usize) -> W {
        W::low_ones(2 * end.min(Self::CAPACITY) as u32)
    }
}

impl<W: Word> PathEnds for Parentheses<W> {
    #[inline]
    fn role(&self, plug: usize) -> Role {
        match (self.get(plug), self.mate(plug)) {
            (Symbol::Empty, _) => Role::Untouched,
            (_, Some(mate)) => Role::End(mate),
            (_, None) => Role::Loose,
        }
    }
}

/// Draws a dot for an empty plug, and parentheses, from plug 0 to the last plug that is not empty.
/// A width, as in `{:8}`, draws at least this number of plugs.
impl<W: Word> fmt::Display for Parentheses<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw(f, (self.len(), Self::CAPACITY), |plug| match self.get(plug) {
            Symbol::Empty => '.',
            Symbol::Open => '(',
            Symbol::Close => ')',
        })
    }
}

fields!(Parentheses<W>, 2, "plug", "empty");

/// Reads the format of `Display`.
impl<W: Word> FromStr for Parentheses<W> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut height = 0usize;
        read(text, Self::CAPACITY, Self::EMPTY, |code, plug, found| match found {
            '.' => Ok(code),
            '(' => {
                height += 1;
                Ok(code.with(plug, Symbol::Open))
            }
            ')' if height > 0 => {
                height -= 1;
                Ok(code.with(plug, Symbol::Close))
            }
            _ if height > 0 => Err("`.`, `(` or `)`"),
            _ => Err("`.` or `(`"),
        })
    }
}

/// The number of plugs in a byte.
const PLUGS: usize = 4;

/// The effect of four plugs on a search for a mate, indexed by their byte.
///
/// A scan symbol by symbol ends in a mispredicted branch, since the states of a layer come in no
/// particular order. Most searches end in the first round if four plugs, one byte, are examined at
/// a time. Measured on the joins of Hamiltonian cycles on 16 × 16 cells, the tables take 0.4 to 1.0
/// times as long as a scan over the set bits. The alternative, comparing the heights of all plugs
/// at once by multiplication (word parallelism as in Knuth, *TAOCP* 7.1.3), takes the same time
/// wherever the mate is: half as long as the tables if the mate is at the far end of a wide board,
/// and two to four times as long if it is near, which is the usual case.
struct MateTable {
    /// The change of the number of wanted mates after the four plugs.
    change: [i8; 256],
    /// The plug at which the last wanted mate is found, by the number of wanted mates (0 to 5);
    /// `NONE` if it is not among the four.
    found: [[u8; 256]; PLUGS + 2],
}

const NONE: u8 = u8::MAX;

/// The table of searches from lower to higher plugs: each `(` wants one more mate.
static FORWARD: MateTable = MateTable::new(false);

/// The table of searches from higher to lower plugs: each `)` wants one more mate.
static BACKWARD: MateTable = MateTable::new(true);

impl MateTable {
    const fn new(backward: bool) -> Self {
        let mut table = MateTable { change: [0; 256], found: [[NONE; 256]; PLUGS + 2] };
        let mut byte = 0;
        while byte < 256 {
            // Reversing the bits reverses the four plugs and exchanges `(` and `)`.
            #[allow(clippy::cast_possible_truncation)] // counts to 255
            let plugs = if backward { (byte as u8).reverse_bits() } else { byte as u8 };
            let mut change = 0;
            let mut plug = 0;
            while plug < PLUGS {
                let bits = plugs >> (2 * plug) & 3;
                change += (bits & 1) as i8 - (bits >> 1) as i8;
                let mut wanted = 1;
                while wanted <= PLUGS {
                    if change + wanted as i8 == 0 && table.found[wanted][byte] == NONE {
                        table.found[wanted][byte] = plug as u8;
                    }
                    wanted += 1;
                }
                plug += 1;
            }
            table.change[byte] = change;
            byte += 1;
        }
        table
    }

    /// Searches four plugs, and returns the plug (counted in the direction of the search) at which
    /// the last of `wanted` mates is found, or else the number of mates that are still wanted. At
    /// least one must be wanted.
    #[inline]
    fn find(&self, plugs: u8, wanted: usize) -> Result<usize, usize> {
        let found = self.found[wanted.min(PLUGS + 1)][usize::from(plugs)];
        if found == NONE {
            Err(wanted.wrapping_add_signed(isize::from(self.change[usize::from(plugs)])))
        } else {
            Ok(usize::from(found))
        }
    }
}
