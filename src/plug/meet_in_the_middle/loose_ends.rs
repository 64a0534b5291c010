//! The state code of half a cycle: [`LooseEnds`].

use std::fmt;

use crate::limits::TooWide;

/// FrontierPlan vertices are numbered in 32 bits while a state is being worked on.
pub(super) const POSITIONS: usize = 32;

/// Paths through the vertices behind a frontier, as far as the frontier knows of them: which of its
/// vertices they have touched not at all, once (there a path ends) or twice, and which ends are
/// those of one path.
///
/// The vertices of the frontier have positions, counted from 0; how many there are, the *width*, is
/// known from the cell and not kept. The word has two planes of `width` bits, and above them a
/// number for the matching of the ends:
///
/// - plane 0: whether a path ends in this vertex;
/// - plane 1: of an end, whether the other end of its path has a lower position; of another vertex,
///   whether it has been touched twice;
/// - then, for each second end in order of position, which of the ends that wait for their second
///   it answers: the 0th, 1st, … in so many bits as their number asks for.
///
/// Why not [`Mates`](crate::plug::code::Mates)? This is denser (59 bits for 19 vertices, where
/// mates have room for 14 in a word); a vertex that leaves or enters the frontier shifts the planes
/// and leaves the matching as it is; and the degrees, by which states are filtered, mirrored and
/// joined, can be read without unpacking anything. In return, mates are changed in place, and have
/// a mark for a path that ends behind the frontier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LooseEnds(u64);

/// The degrees of the vertices of a frontier, as two sets: of the others, the degree is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Degrees {
    /// Vertices of degree 1, one bit a position.
    pub ends: u32,
    /// Vertices of degree 2.
    pub full: u32,
}

impl Degrees {
    /// What the vertices of a frontier of this width lack of degree 2.
    pub(super) fn missing(self, width: usize) -> Degrees {
        Degrees { ends: self.ends, full: low(width) & !(self.ends | self.full) }
    }

    /// Takes a position out; those above move down.
    #[inline]
    pub(super) fn without(self, position: usize) -> Degrees {
        Degrees { ends: squeeze(self.ends, position), full: squeeze(self.full, position) }
    }

    /// One more edge at a vertex, unless it has two.
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

    /// One edge less at a vertex, if it has one.
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

/// The lowest `count` bits, of at most 31.
#[inline]
pub(super) fn low(count: usize) -> u32 {
    (1 << count) - 1
}

/// Takes out a bit; those above move down.
#[inline]
fn squeeze(bits: u32, position: usize) -> u32 {
    let below = low(position);
    (bits & below) | ((bits >> 1) & !below)
}

/// The bits for choosing among so many, of at most 16.
#[inline]
fn bits_for(choices: u32) -> u32 {
    u32::BITS - choices.saturating_sub(1).leading_zeros()
}

impl LooseEnds {
    /// The widest frontier whose states fit into 64 bits.
    pub const MAX_WIDTH: usize = 19;

    /// No vertex touched.
    pub const NONE: LooseEnds = LooseEnds(0);

    /// Whether the states of a frontier of this width fit.
    ///
    /// # Errors
    /// How many bits a state may need, if there are more than [`MAX_WIDTH`](Self::MAX_WIDTH)
    /// vertices.
    pub fn check_width(width: usize) -> Result<(), TooWide> {
        let paths = width.min(POSITIONS) / 2;
        let matching: u32 = (1..=paths as u32).map(bits_for).sum();
        TooWide::check(width.saturating_mul(2).saturating_add(matching as usize), 64)
    }

    /// The degrees of the frontier's vertices.
    #[inline]
    #[must_use]
    pub fn degrees(self, width: usize) -> Degrees {
        let ends = self.0 as u32 & low(width);
        Degrees { ends, full: (self.0 >> width) as u32 & low(width) & !ends }
    }

    /// The state with a position taken out, in which no path ends.
    #[inline]
    pub(super) fn without(self, width: usize, position: usize) -> LooseEnds {
        let plane =
            |shift: usize| u64::from(squeeze((self.0 >> shift) as u32 & low(width), position));
        LooseEnds(
            plane(0) | plane(width) << (width - 1) | (self.0 >> (2 * width)) << (2 * width - 2),
        )
    }

    /// The state seen in a frontier with more positions, whose vertices have not been touched.
    #[inline]
    pub(super) fn widened(self, from: usize, to: usize) -> LooseEnds {
        let plane = |shift: usize| u64::from((self.0 >> shift) as u32 & low(from));
        LooseEnds(plane(0) | plane(from) << to | (self.0 >> (2 * from)) << (2 * to))
    }

    /// Unpacks the state, of a frontier of this width.
    #[inline]
    pub(super) fn open(self, width: usize) -> Open {
        let ends = self.0 as u32 & low(width);
        let marks = (self.0 >> width) as u32 & low(width);
        let mut matching = self.0 >> (2 * width);
        let mut mate = [0; POSITIONS];
        // The ends that wait for their second: a list of 5 bits each, the first lowest.
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
        Open { ends, seconds: marks & ends, full: marks & !ends, mate }
    }
}

impl fmt::Debug for LooseEnds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LooseEnds({:#x})", self.0)
    }
}

/// A state while it is being worked on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    ends: u32,
    /// Ends whose other end has a lower position.
    seconds: u32,
    full: u32,
    /// The other end of the path that ends here; of other vertices, anything.
    mate: [u8; POSITIONS],
}

impl Open {
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

    /// Makes these two the ends of one path.
    #[inline]
    fn pair(&mut self, a: usize, b: usize) {
        self.ends |= 1 << a | 1 << b;
        self.seconds = self.seconds & !(1 << a.min(b)) | 1 << a.max(b);
        self.mate[a % POSITIONS] = b as u8;
        self.mate[b % POSITIONS] = a as u8;
    }

    #[inline]
    fn fill(&mut self, end: usize) {
        let bit = 1 << end;
        self.ends &= !bit;
        self.seconds &= !bit;
        self.full |= bit;
    }

    /// The state with one more edge at each of two vertices, which are thereby on one path: that
    /// they are joined by an edge, or both by one to a third. `None` if one of them has two edges,
    /// or that closes a loop.
    #[inline]
    pub(super) fn link(&self, a: usize, b: usize) -> Option<Open> {
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

    /// The state as seen in a frontier whose positions are others.
    pub(super) fn renamed(&self, names: &[u8]) -> Open {
        let mut renamed = Open { ends: 0, seconds: 0, full: 0, mate: [0; POSITIONS] };
        for (position, &name) in names.iter().enumerate() {
            if self.is_full(position) {
                renamed.full |= 1 << name;
            } else if self.seconds >> position & 1 != 0 {
                renamed.pair(usize::from(name), usize::from(names[self.mate(position)]));
            }
        }
        renamed
    }

    /// The matching, in the upper bits.
    #[inline]
    fn matching(&self) -> u64 {
        let (mut matching, mut shift) = (0, 0);
        let mut waiting = self.ends & !self.seconds;
        let mut rest = self.seconds;
        while rest != 0 {
            let end = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let before = waiting & low(end);
            let first = low(self.mate(end));
            matching |= u64::from((before & first).count_ones()) << shift;
            shift += bits_for(before.count_ones());
            waiting &= !(first + 1);
        }
        matching
    }

    #[inline]
    pub(super) fn pack(&self, width: usize) -> LooseEnds {
        let marks = self.seconds | self.full;
        LooseEnds(u64::from(self.ends) | u64::from(marks) << width | self.matching() << (2 * width))
    }
}

/// A map of positions, as tables for 8 of them each: sets of positions are mapped by looking up.
#[derive(Clone, Debug)]
pub(super) struct PositionMap {
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

    /// This map, and then another.
    pub(super) fn then(&self, other: &PositionMap) -> PositionMap {
        PositionMap::new(self.names.iter().map(|&name| other.names[usize::from(name)]).collect())
    }
}
