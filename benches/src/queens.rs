//! n-queens: models of the state, and symmetry.

use secateurs::{Problem, Search};
use secateurs_problems::queens::{
    BitCompletion, BitQueens, Effort, LookBackQueens, MarkQueens, Queens,
};

use crate::group::{Group, RunResult};

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
    /// Twelve queens.
    pub const N12: Self = Size { n: 12, solutions: 14_200, nodes: 856_189 };
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

/// Eleven queens in each model.
pub struct Models {
    bits: BitQueens,
    completion: BitCompletion,
    marks: MarkQueens,
    lookback: LookBackQueens,
    counting: LookBackQueens,
}

fn count(problem: &impl Problem) -> RunResult {
    Search::new(problem).count().into()
}

/// Returns the group of models of the state, which all have the same tree.
pub fn models() -> Group<Models> {
    let Size { n, solutions, nodes } = Size::N11;
    let queens = queens(n);
    let models = Models {
        bits: queens.bits(),
        completion: queens.board().bits().expect("an empty board"),
        marks: queens.marks(),
        lookback: queens.lookback(),
        counting: queens.lookback().counting(&Effort::new()),
    };
    Group::new(format!("queens/models of {n}"), models, solutions, nodes)
        .contender("bits", |models| count(&models.bits))
        .contender("bits, completion", |models| count(&models.completion))
        .contender("marks on a copied board", |models| count(&models.marks))
        .contender("looking back", |models| count(&models.lookback))
        .contender("looking back, pairs counted", |models| count(&models.counting))
}

/// Returns the group of symmetry hooks: a search without hooks, one with the mirror hook, which
/// keeps one of each mirrored pair, and one with the lex-leader hook, which keeps one of each
/// orbit.
pub fn symmetry() -> Group<BitQueens> {
    let size @ Size { n, solutions, nodes } = Size::N12;
    Group::new(format!("queens/symmetry of {n}"), queens(n).bits(), solutions, nodes)
        .contender("no symmetry", |bits| Search::new(bits).count())
        .contender("mirror", |bits| Search::new(bits).hooks((Queens::mirror(),)).count())
        .nodes(size.mirrored())
        .limit(0.6)
        .contender("lex leader of all eight", |bits| {
            let leader = Queens::lex_leader(bits).expect("a small board");
            Search::new(bits).hooks((leader,)).count()
        })
        .nodes(222_292)
}
