//! Counting and listing 14-queens on bit masks, against a recursion written by hand.

use std::hint::black_box;

use secateurs::problems::queens::{BitQueens, Queens};
use secateurs::{Hook, Problem, Search};

use crate::support::{self, Clock, Contender};

const N: usize = 14;
const ROUNDS: usize = 15;

/// What one would write by hand.
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
struct Idle;

impl<P: Problem> Hook<P> for Idle {
    fn name(&self) -> &str {
        "idle"
    }
}

/// A name, the ratio that may not be exceeded, and a way to count.
type Way = (&'static str, f64, fn(&BitQueens) -> u64);

/// The first is the rival.
const WAYS: [Way; 5] = [
    ("recursion", 1.0, |_| recursion(black_box((1 << N) - 1), 0, 0, 0)),
    ("count", 1.15, |bits| Search::new(bits).count().at_least() as u64),
    ("count, four idle hooks", 1.15 * 1.02, |bits| {
        Search::new(bits).hooks((Idle, Idle, Idle, Idle)).count().at_least() as u64
    }),
    ("count, mirror symmetry", 0.60, |bits| Search::new(bits).hooks((Queens::mirror(),)).count().at_least() as u64),
    ("solutions", 1.20, |bits| Search::new(bits).solutions().map(black_box).count() as u64),
];

pub fn run() {
    let bits = Queens::new(N).expect("14 is in range").bits();
    let board = &bits;
    let contenders = WAYS.map(|(name, limit, run)| Contender::new(name, limit, move || run(black_box(board))));
    support::ratios(&format!("{N}-queens"), Clock::Processor, ROUNDS, &365_596, &contenders);
}
