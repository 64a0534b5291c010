//! Counting and listing n-queens on bit masks, by the engine and by a hand-written recursion.

use std::hint::black_box;

use secateurs::{Hook, Problem, Search};
use secateurs_problems::queens::{BitQueens, Queens};

use crate::group::Group;
use crate::queens::{Size, queens};

/// Counts solutions by a hand-written recursion.
#[inline(never)]
fn recursion(board: u64, columns: u64, left: u64, right: u64) -> u64 {
    if columns == board {
        return 1;
    }
    let mut free = board & !(columns | left | right);
    let mut solutions = 0;
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free &= free - 1;
        solutions += recursion(board, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    solutions
}

/// A hook that overrides nothing.
pub(crate) struct Idle;

impl<P: Problem> Hook<P> for Idle {
    fn name(&self) -> &str {
        "idle"
    }
}

/// Returns the group of contenders that count or list all solutions of n-queens.
pub fn group(size: Size) -> Group<BitQueens> {
    let Size { n, solutions, nodes } = size;
    Group::new(format!("kernel/{n}-queens"), queens(n).bits(), solutions, nodes)
        .contender("recursion", move |_| recursion(black_box((1 << n) - 1), 0, 0, 0))
        .contender("count", |bits| Search::new(bits).count())
        .limit(1.08)
        .contender("count, four idle hooks", |bits| {
            Search::new(bits).hooks((Idle, Idle, Idle, Idle)).count()
        })
        // Two percent more than without hooks.
        .limit(1.08 * 1.02)
        .contender("count, mirror symmetry", |bits| {
            Search::new(bits).hooks((Queens::mirror(),)).count()
        })
        .nodes(size.mirrored())
        .limit(0.60)
        .contender("solutions", |bits| Search::new(bits).solutions().map(black_box).count())
        .limit(1.12)
}
