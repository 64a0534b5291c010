//! Networks of one-word domains against what one would write by hand for just this problem: all 13-queens by forward
//! checking, smallest domain first, on bare machine words. All make the same tree.

use std::hint::black_box;

use secateurs::Search;
use secateurs::csp::{Ascending, Branching, Network, Propagate, Propagation, SmallestDomain};
use secateurs::problems::queens::Queens;

use crate::support::{self, Clock, Contender};

const N: usize = 13;
const SOLUTIONS: u64 = 73_712;

/// The columns left to the queen of each row.
type Words = [u64; 16];

/// The open row with the fewest columns left, the first of them.
fn smallest(words: &Words, open: u64) -> usize {
    let (mut rest, mut best, mut least) = (open, 0, u32::MAX);
    while rest != 0 {
        let row = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let size = words[row].count_ones();
        if size < least {
            (best, least) = (row, size);
        }
    }
    best
}

/// Takes a step back by copying all words.
fn copying(words: &Words, open: u64) -> u64 {
    if open == 0 {
        return 1;
    }
    let row = smallest(words, open);
    let open = open & !(1 << row);
    let (mut columns, mut solutions) = (words[row], 0);
    while columns != 0 {
        let queen = columns & columns.wrapping_neg();
        columns ^= queen;
        let mut below = *words;
        let mut rest = open;
        let mut dead = false;
        while rest != 0 && !dead {
            let other = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let away = other.abs_diff(row);
            below[other] &= !(queen | queen << away | queen >> away);
            dead = below[other] == 0;
        }
        if !dead {
            solutions += copying(&below, open);
        }
    }
    solutions
}

/// Takes a step back by a trail of the words that were changed.
fn trailing(words: &mut Words, open: u64, trail: &mut Vec<(u32, u64)>) -> u64 {
    if open == 0 {
        return 1;
    }
    let row = smallest(words, open);
    let open = open & !(1 << row);
    let (mut columns, mut solutions) = (words[row], 0);
    while columns != 0 {
        let queen = columns & columns.wrapping_neg();
        columns ^= queen;
        let mark = trail.len();
        let mut rest = open;
        let mut dead = false;
        while rest != 0 && !dead {
            let other = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let away = other.abs_diff(row);
            let lost = words[other] & (queen | queen << away | queen >> away);
            if lost != 0 {
                trail.push((other as u32, words[other]));
                words[other] ^= lost;
                dead = words[other] == 0;
            }
        }
        if !dead {
            solutions += trailing(words, open, trail);
        }
        while trail.len() > mark {
            let Some((other, before)) = trail.pop() else { break };
            words[other as usize] = before;
        }
    }
    solutions
}

fn network(network: &Network, level: Propagation) -> u64 {
    let order = Branching::new(SmallestDomain::first_tie(), Ascending);
    Search::new(network).hooks((Propagate::new(level),)).brancher(order).count().at_least() as u64
}

pub fn run() {
    let queens = Queens::new(N).expect("13 is in range").board().network();
    let queens = &queens;
    let all = (1 << N) - 1;
    let contenders = [
        Contender::new("by hand, with a trail", 1.0, || trailing(black_box(&mut [all; 16]), all, &mut Vec::new())),
        Contender::new("by hand, copying", 1.0, || copying(black_box(&[all; 16]), all)),
        Contender::new("network, forward checking", 2.0, || network(black_box(queens), Propagation::Forward)),
        Contender::new("network, arc consistency", 4.0, || network(black_box(queens), Propagation::ArcConsistency)),
        Contender::new("network, full", 4.0, || network(black_box(queens), Propagation::Full)),
    ];
    support::ratios(&format!("all {N}-queens"), Clock::Processor, 15, &SOLUTIONS, &contenders);
}
