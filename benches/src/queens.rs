//! Sizes of n-queens, which several benches count.

use secateurs_problems::queens::Queens;

/// A size of the board, with its known results.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub(crate) n: usize,
    pub(crate) solutions: u128,
    /// The nodes of a search row by row.
    pub(crate) nodes: u64,
}

impl Size {
    /// Eleven queens.
    pub const N11: Self = Size { n: 11, solutions: 2680, nodes: 166_926 };
    /// Thirteen queens.
    pub const N13: Self = Size { n: 13, solutions: 73_712, nodes: 4_674_890 };
    /// Fourteen queens.
    pub const N14: Self = Size { n: 14, solutions: 365_596, nodes: 27_358_553 };
    /// Fifteen queens.
    pub const N15: Self = Size { n: 15, solutions: 2_279_184, nodes: 171_129_072 };

    /// Returns the number of nodes that the mirror symmetry leaves. All nodes come in pairs, except
    /// the root and, if `n` is odd, a queen in the middle of the first row.
    pub(crate) fn mirrored(self) -> u64 {
        self.nodes / 2 + 1
    }
}

/// Returns the problem of a size that is in range.
pub(crate) fn queens(n: usize) -> Queens {
    Queens::new(n).expect("the size is in range")
}
