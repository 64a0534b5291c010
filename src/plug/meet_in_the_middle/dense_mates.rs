//! The state code of half a cycle: [`DenseMates`] with its [`Degrees`], and maps of positions.

use std::fmt;

use crate::limits::TooWide;
use crate::plug::code::{PathEnds, Role};

/// The maximum number of positions in a frontier while a state is unpacked: sets of positions are
/// 32-bit words.
pub(super) const POSITIONS: usize = 32;

/// The mate of each end, by position; undefined for other positions. In a perfect matching, every
/// point is an end.
pub(super) type Matching = [u8; POSITIONS];

/// The paths through the vertices behind a frontier, as far as they concern the frontier: which of
/// its vertices are untouched, touched once (the end of a path) or touched twice, and which ends
/// belong to the same path.
///
/// The vertices of the frontier have positions, counted from 0. Their number, the *width*, is known
/// from the cell and not stored. The word has two planes of `width` bits, and above them a number
/// for the matching of the ends:
///
/// - plane 0: whether a path ends in this vertex;
/// - plane 1: for an end, whether the other end of its path has a lower position; for another
///   vertex, whether it has been touched twice;
/// - above: for each second end in order of position, the index of its first end among the first
///   ends that still wait for their second, in as many bits as their number requires.
///
/// [`Mates`](crate::plug::code::Mates) is an alternative code. This one is denser (59 bits for 19
/// vertices, where mates have room for 16 in a word). A vertex that leaves or enters the frontier
/// shifts the planes and leaves the matching as it is. The degrees, by which states are filtered,
/// mirrored and joined, can be read without unpacking anything. On the other hand, mates are
/// changed in place, and can mark a path that ends behind the frontier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DenseMates(u64);

/// The degrees of the vertices of a frontier, as two sets. The degree of all other vertices is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Degrees {
    /// The vertices of degree 1, one bit for each position.
    pub ends: u32,
    /// The vertices of degree 2.
    pub full: u32,
}

impl Degrees {
    /// Returns, for each vertex of a frontier of this width, how much its degree falls short of 2.
    pub(super) fn missing(self, width: usize) -> Degrees {
        Degrees { ends: self.ends, full: low_mask(width) & !(self.ends | self.full) }
    }

    /// Removes a position; those above it move down.
    #[inline]
    pub(super) fn without(self, position: usize) -> Degrees {
        Degrees { ends: remove_bit(self.ends, position), full: remove_bit(self.full, position) }
    }

    /// Adds an edge at a vertex. Returns `None` if it has two.
    #[inline]
    pub(super) fn touched(self, position: usize) -> Option<Degrees> {
        let bit = 1 << position;
        if self.full & bit != 0 {
            None
        } else if self.ends & bit != 0 {
            Some(Degrees { ends: self.ends & !bit, full: self.full | bit })
        } else {
            Some(Degrees { ends: self.ends | bit, full: self.full })
        }
    }

    /// Removes an edge at a vertex. Returns `None` if it has none.
    pub(super) fn released(self, position: usize) -> Option<Degrees> {
        let bit = 1 << position;
        if self.full & bit != 0 {
            Some(Degrees { ends: self.ends | bit, full: self.full & !bit })
        } else if self.ends & bit != 0 {
            Some(Degrees { ends: self.ends & !bit, full: self.full })
        } else {
            None
        }
    }
}

/// Returns a mask of the lowest `count` bits, at most 31.
#[inline]
pub(super) fn low_mask(count: usize) -> u32 {
    (1 << count) - 1
}

/// Removes a bit; those above it move down.
#[inline]
fn remove_bit(bits: u32, position: usize) -> u32 {
    let below = low_mask(position);
    (bits & below) | ((bits >> 1) & !below)
}

/// Returns the number of bits that number `choices` alternatives, of which there are at most 16.
#[inline]
fn bits_for(choices: u32) -> u32 {
    u32::BITS - choices.saturating_sub(1).leading_zeros()
}

impl DenseMates {
    /// The width of the widest frontier whose states fit into 64 bits.
    pub const MAX_WIDTH: usize = 19;

    /// The state in which no vertex is touched.
    pub const NONE: DenseMates = DenseMates(0);

    /// Checks that the states of a frontier of this width fit.
    ///
    /// # Errors
    /// Returns the number of bits that a state may need if there are more than
    /// [`MAX_WIDTH`](Self::MAX_WIDTH) vertices.
    pub fn check_width(width: usize) -> Result<(), TooWide> {
        let paths = width.min(POSITIONS) / 2;
        let matching: u32 = (1..=paths as u32).map(bits_for).sum();
        TooWide::check(width.saturating_mul(2).saturating_add(matching as usize), 64)
    }

    /// Returns whether this is a state of a frontier of this width: each end has another one, and
    /// no other bits are set.
    #[must_use]
    pub fn is_legal(self, width: usize) -> bool {
        if Self::check_width(width).is_err() {
            return false;
        }
        let planes = self.0 & ((1 << (2 * width)) - 1);
        let (ends, marks) = (planes & ((1 << width) - 1), planes >> width);
        let (mut matching, mut waiting) = (self.0 >> (2 * width), 0);
        for end in (0..width).filter(|end| ends >> end & 1 != 0) {
            if marks >> end & 1 == 0 {
                waiting += 1;
                continue;
            }
            let bits = bits_for(waiting);
            if matching & ((1 << bits) - 1) >= u64::from(waiting) {
                return false;
            }
            matching >>= bits;
            waiting -= 1;
        }
        waiting == 0 && matching == 0
    }

    /// Returns the degrees of the vertices of the frontier.
    #[inline]
    #[must_use]
    pub fn degrees(self, width: usize) -> Degrees {
        let ends = self.0 as u32 & low_mask(width);
        Degrees { ends, full: (self.0 >> width) as u32 & low_mask(width) & !ends }
    }

    /// Returns the state without a position in which no path ends.
    #[inline]
    pub(super) fn without(self, width: usize, position: usize) -> DenseMates {
        let plane = |shift: usize| {
            u64::from(remove_bit((self.0 >> shift) as u32 & low_mask(width), position))
        };
        DenseMates(
            plane(0) | plane(width) << (width - 1) | (self.0 >> (2 * width)) << (2 * width - 2),
        )
    }

    /// Returns the state in a frontier with additional positions at the end, whose vertices are
    /// untouched.
    #[inline]
    pub(super) fn widened(self, from: usize, to: usize) -> DenseMates {
        let plane = |shift: usize| u64::from((self.0 >> shift) as u32 & low_mask(from));
        DenseMates(plane(0) | plane(from) << to | (self.0 >> (2 * from)) << (2 * to))
    }

    /// Unpacks the state of a frontier of this width.
    #[inline]
    pub(super) fn unpack(self, width: usize) -> UnpackedMates {
        let ends = self.0 as u32 & low_mask(width);
        let marks = (self.0 >> width) as u32 & low_mask(width);
        let mut matching = self.0 >> (2 * width);
        let mut mate = [0; POSITIONS];
        // The ends that wait for their second end: a list of 5 bits each, the first lowest.
        let (mut waiting, mut count) = (0_u64, 0);
        let mut rest = ends;
        while rest != 0 {
            let end = rest.trailing_zeros();
            rest &= rest - 1;
            if marks >> end & 1 == 0 {
                waiting |= u64::from(end) << (5 * count);
                count += 1;
            } else {
                let bits = bits_for(count);
                let place = 5 * (matching & ((1 << bits) - 1));
                matching >>= bits;
                let first = (waiting >> place) as usize % POSITIONS;
                let below = (1 << place) - 1;
                waiting = (waiting & below) | ((waiting >> 5) & !below);
                count = count.wrapping_sub(1);
                mate[first] = end as u8;
                mate[end as usize % POSITIONS] = first as u8;
            }
        }
        UnpackedMates { ends, seconds: marks & ends, full: marks & !ends, mate }
    }
}

impl fmt::Debug for DenseMates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DenseMates({:#x})", self.0)
    }
}

/// The [path ends](PathEnds) of a frontier, unpacked: none of them is loose.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnpackedMates {
    ends: u32,
    /// The ends whose other end has a lower position.
    seconds: u32,
    full: u32,
    mate: Matching,
}

impl UnpackedMates {
    #[inline]
    pub(super) fn degrees(&self) -> Degrees {
        Degrees { ends: self.ends, full: self.full }
    }

    #[inline]
    pub(super) fn mate(&self, end: usize) -> usize {
        usize::from(self.mate[end % POSITIONS])
    }

    #[inline]
    fn is_end(&self, position: usize) -> bool {
        self.ends >> position & 1 != 0
    }

    #[inline]
    pub(super) fn is_full(&self, position: usize) -> bool {
        self.full >> position & 1 != 0
    }

    /// Makes these two vertices the ends of one path.
    #[inline]
    fn pair(&mut self, a: usize, b: usize) {
        self.ends |= 1 << a | 1 << b;
        self.seconds = self.seconds & !(1 << a.min(b)) | 1 << a.max(b);
        self.mate[a % POSITIONS] = b as u8;
        self.mate[b % POSITIONS] = a as u8;
    }

    /// Gives an end its second edge.
    #[inline]
    fn fill(&mut self, end: usize) {
        let bit = 1 << end;
        self.ends &= !bit;
        self.seconds &= !bit;
        self.full |= bit;
    }

    /// Returns the state with one more edge at each of two vertices, which are on one path then:
    /// joined by an edge, or each by an edge to the same third vertex. Returns `None` if one of
    /// them has two edges, or if that closes a loop.
    #[inline]
    pub(super) fn link(&self, a: usize, b: usize) -> Option<UnpackedMates> {
        if self.is_full(a) || self.is_full(b) {
            return None;
        }
        let mut linked = *self;
        let (mut first, mut second) = (a, b);
        if self.is_end(a) {
            first = self.mate(a);
            if first == b {
                return None;
            }
            linked.fill(a);
        }
        if self.is_end(b) {
            second = self.mate(b);
            linked.fill(b);
        }
        linked.pair(first, second);
        Some(linked)
    }

    /// Returns the state with each position `p` renamed to `names[p]`.
    pub(super) fn renamed(&self, names: &[u8]) -> UnpackedMates {
        let mut renamed = UnpackedMates { ends: 0, seconds: 0, full: 0, mate: [0; POSITIONS] };
        for (position, &name) in names.iter().enumerate() {
            match self.role(position) {
                Role::Inner => renamed.full |= 1 << name,
                Role::End(mate) if mate < position => {
                    renamed.pair(usize::from(name), usize::from(names[mate]));
                }
                Role::End(_) | Role::Untouched | Role::Loose => {}
            }
        }
        renamed
    }

    /// Returns the number of the matching, for the upper bits of the word.
    #[inline]
    fn matching(&self) -> u64 {
        let (mut matching, mut shift) = (0, 0);
        let mut waiting = self.ends & !self.seconds;
        let mut rest = self.seconds;
        while rest != 0 {
            let end = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let before = waiting & low_mask(end);
            let below_first = low_mask(self.mate(end));
            matching |= u64::from((before & below_first).count_ones()) << shift;
            shift += bits_for(before.count_ones());
            // The sum is the bit of the first end.
            waiting &= !(below_first + 1);
        }
        matching
    }

    #[inline]
    pub(super) fn pack(&self, width: usize) -> DenseMates {
        let marks = self.seconds | self.full;
        DenseMates(
            u64::from(self.ends) | u64::from(marks) << width | self.matching() << (2 * width),
        )
    }
}

impl PathEnds for UnpackedMates {
    #[inline]
    fn role(&self, position: usize) -> Role {
        if self.is_full(position) {
            Role::Inner
        } else if self.is_end(position) {
            Role::End(self.mate(position))
        } else {
            Role::Untouched
        }
    }
}

/// A map of positions. Sets of positions are mapped by one table for every 8 positions.
#[derive(Clone, Debug)]
pub(super) struct PositionMap {
    /// The image of each position.
    names: Vec<u8>,
    tables: Vec<[u32; 256]>,
}

impl PositionMap {
    pub(super) fn new(names: Vec<u8>) -> Self {
        let tables = names.chunks(8).map(|chunk| {
            let mut table = [0; 256];
            for (bits, entry) in table.iter_mut().enumerate() {
                let set =
                    chunk.iter().enumerate().filter(|&(position, _)| bits >> position & 1 != 0);
                *entry = set.map(|(_, &name)| 1 << name).sum();
            }
            table
        });
        PositionMap { tables: tables.collect(), names }
    }

    pub(super) fn names(&self) -> &[u8] {
        &self.names
    }

    #[inline]
    fn set(&self, set: u32) -> u32 {
        let bytes = set.to_le_bytes();
        self.tables
            .iter()
            .zip(bytes)
            .fold(0, |mapped, (table, byte)| mapped | table[usize::from(byte)])
    }

    #[inline]
    pub(super) fn degrees(&self, degrees: Degrees) -> Degrees {
        Degrees { ends: self.set(degrees.ends), full: self.set(degrees.full) }
    }

    /// Returns the composition of this map and then another.
    pub(super) fn then(&self, other: &PositionMap) -> PositionMap {
        PositionMap::new(self.names.iter().map(|&name| other.names[usize::from(name)]).collect())
    }
}
