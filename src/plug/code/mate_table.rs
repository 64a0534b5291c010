//! Where a parenthesis finds its mate: tables that take four plugs at a time.
//!
//! Scanning symbol by symbol ends in a branch that is mispredicted, since the states of a layer
//! come in no order. With four plugs, a byte, at a time most searches end in the first round.
//! Measured on the joins of Hamiltonian cycles on 16 × 16 cells, the tables take 0.4 to 1.0 times
//! as long as a scan over the bits that are set. Comparing the heights of all plugs at once, by
//! multiplication (word parallelism as in Knuth, *TAOCP* 7.1.3), takes the same time wherever the
//! mate is: half as long as the tables if it is at the far end of a wide board, and two to four
//! times as long if it is near, as mostly it is.

/// Plugs in a byte.
const PLUGS: usize = 4;

/// What four plugs do to a search for a mate, by their byte.
pub(super) struct MateTable {
    /// How many more mates than before are wanted after the four.
    change: [i8; 256],
    /// At which of the four the last mate is found of as many as are wanted, none to five; `NONE`
    /// at none.
    found: [[u8; 256]; PLUGS + 2],
}

const NONE: u8 = u8::MAX;

/// From lower plugs to higher ones: each `(` wants one more mate.
pub(super) static FORWARD: MateTable = MateTable::new(false);

/// From higher plugs to lower ones: each `)` wants one more mate.
pub(super) static BACKWARD: MateTable = MateTable::new(true);

impl MateTable {
    const fn new(backward: bool) -> Self {
        let mut table = MateTable { change: [0; 256], found: [[NONE; 256]; PLUGS + 2] };
        let mut byte = 0;
        while byte < 256 {
            // Bits reversed, four plugs are reversed and their parentheses exchanged.
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

    /// Among these four plugs, the one (in the direction of the search) at which the last of
    /// `wanted` mates is found, or else how many are wanted after them. At least one must be
    /// wanted.
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
