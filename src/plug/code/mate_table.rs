//! Lookup tables that find the mate of a parenthesis, four plugs at a time.
//!
//! A scan symbol by symbol ends in a mispredicted branch, since the states of a layer come in no
//! order. With four plugs, one byte, at a time most searches end in the first round. Measured on
//! the joins of Hamiltonian cycles on 16 × 16 cells, the tables take 0.4 to 1.0 times as long as a
//! scan over the set bits. The alternative, comparing the heights of all plugs at once by
//! multiplication (word parallelism as in Knuth, *TAOCP* 7.1.3), takes the same time wherever the
//! mate is: half as long as the tables if the mate is at the far end of a wide board, and two to
//! four times as long if it is near, which is the usual case.

/// The number of plugs in a byte.
const PLUGS: usize = 4;

/// The effect of four plugs on a search for a mate, indexed by their byte.
pub(super) struct MateTable {
    /// The change of the number of wanted mates after the four plugs.
    change: [i8; 256],
    /// The plug at which the last wanted mate is found, by the number of wanted mates (0 to 5);
    /// `NONE` if it is not among the four.
    found: [[u8; 256]; PLUGS + 2],
}

const NONE: u8 = u8::MAX;

/// The table of searches from lower to higher plugs: each `(` wants one more mate.
pub(super) static FORWARD: MateTable = MateTable::new(false);

/// The table of searches from higher to lower plugs: each `)` wants one more mate.
pub(super) static BACKWARD: MateTable = MateTable::new(true);

impl MateTable {
    const fn new(backward: bool) -> Self {
        let mut table = MateTable { change: [0; 256], found: [[NONE; 256]; PLUGS + 2] };
        let mut byte = 0;
        while byte < 256 {
            // Reversing the bits reverses the four plugs and exchanges `(` and `)`.
            #[allow(clippy::cast_possible_truncation)] // counts to 255
            let plugs = if backward { (byte as u8).reverse_bits() } else { byte as u8 };
            let mut wanted = 0;
            let mut plug = 0;
            while plug < PLUGS {
                let bits = plugs >> (2 * plug) & 3;
                wanted += (bits & 1) as i8 - (bits >> 1) as i8;
                let mut before = 1;
                while before <= PLUGS {
                    if wanted + before as i8 == 0 && table.found[before][byte] == NONE {
                        table.found[before][byte] = plug as u8;
                    }
                    before += 1;
                }
                plug += 1;
            }
            table.change[byte] = wanted;
            byte += 1;
        }
        table
    }

    /// Searches four plugs, and returns the plug (counted in the direction of the search) at which
    /// the last of `wanted` mates is found, or else the number of mates that are still wanted. At
    /// least one must be wanted.
    #[inline]
    pub(super) fn find(&self, plugs: u8, wanted: usize) -> Result<usize, usize> {
        let found = self.found[wanted.min(PLUGS + 1)][usize::from(plugs)];
        if found == NONE {
            Err(wanted.wrapping_add_signed(isize::from(self.change[usize::from(plugs)])))
        } else {
            Ok(usize::from(found))
        }
    }
}
