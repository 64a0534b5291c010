//! What an estimate costs: 10 000 random probes against counting 14-queens, 27 358 553 nodes.

use std::hint::black_box;

use secateurs::Search;
use secateurs::problems::queens::{BitQueens, Queens};
use secateurs::search::estimate::Estimate;

use crate::support::{self, Clock, Contender};

const N: usize = 14;
const NODES: u64 = 27_358_553;
const ROUNDS: usize = 11;
/// An estimate is over before the clock has moved: each is made so many times, and the ratio is that of so many.
const REPEATED: u64 = 20;

/// A name, the part of a search that it may take, and an estimate from a seed.
type Way = (&'static str, f64, fn(&BitQueens, u64) -> Estimate);

const WAYS: [Way; 2] = [
    ("10 000 random probes", 0.01, |bits, seed| Search::new(bits).estimate(10_000, seed)),
    ("100 stratified probes", 0.01, |bits, seed| Search::new(bits).estimate_stratified(100, seed)),
];

pub fn run() {
    let bits = Queens::new(N).expect("14 is in range").bits();
    println!("{N}-queens, {NODES} nodes");
    for (name, _, estimate) in WAYS {
        let estimate = estimate(&bits, 1);
        let nodes = estimate.nodes().expect("there were probes");
        println!(
            "{name}: {:.0} ± {:.0} nodes; {} nodes entered, {:.3} % of the tree",
            nodes.mean,
            nodes.standard_error.unwrap_or(f64::NAN),
            estimate.visited(),
            100.0 * estimate.visited() as f64 / NODES as f64
        );
    }
    println!();
    let board = &bits;
    let count = move || Search::new(black_box(board)).count().report().nodes() == NODES;
    let mut contenders = vec![Contender::new("count", 1.0, count)];
    contenders.extend(WAYS.map(|(name, share, estimate)| {
        Contender::new(format!("{name}, {REPEATED} times"), share * REPEATED as f64, move || {
            (0..REPEATED).all(|seed| estimate(black_box(board), seed).nodes().is_some())
        })
    }));
    support::ratios("estimates", Clock::Processor, ROUNDS, &true, &contenders);
}
