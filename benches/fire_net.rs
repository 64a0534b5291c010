//! Fire-net: how long a proof takes, from the article's boards of 10×10 to boards of 300×300, and what prunings and bounds are
//! worth.
//!
//! `cargo bench --bench fire_net` prints everything; with one or more of these words behind `--`, that part only:
//!
//! - `slowest`: the slowest of many random boards of each kind;
//! - `matching`: proofs beside a maximum matching, which solves the same problem without any search;
//! - `bounds`: a board of 10×10 by bound and prunings;
//! - `lists`: the same trees with and without pruning 1, a list of candidates.

#[path = "support/mod.rs"]
mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};

use secateurs::Search;
use secateurs::problems::fire_net::{Board, Bound, Cells, Prunings, Settings, maximum_matching};
use support::{Clock, Contender, NO_LIMIT};

fn random(side: usize, empty: f64, seed: u64) -> Board {
    Board::random(side, side, empty, seed).expect("in range")
}

/// The proof, compared with the matching; the time it took and its nodes.
fn prove(settings: &Settings, board: &Board) -> (Duration, u64) {
    let start = Instant::now();
    let outcome = settings.solve(board);
    let elapsed = start.elapsed();
    assert_eq!(outcome.proven(), Some(&maximum_matching(board).len()));
    (elapsed, outcome.report().nodes())
}

/// The slowest of many boards: the promise is about each of them.
fn slowest() {
    println!(
        "{:>9}  {:>6}  {:>6}  {:>12}  {:>12}  {:>11}",
        "board", "walls", "boards", "median", "slowest", "most nodes"
    );
    for (side, boards) in [(10, 1000), (100, 200), (300, 20)] {
        for walls in [0.05, 0.1, 0.2, 0.3] {
            let proofs = (0..boards).map(|seed| prove(&Settings::default(), &random(side, 1.0 - walls, seed)));
            let (mut times, nodes): (Vec<Duration>, Vec<u64>) = proofs.unzip();
            times.sort_unstable();
            let size = format!("{side}×{side}");
            let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
            let most = nodes.into_iter().max().unwrap_or(0);
            println!("{size:>9}  {:>4} %  {boards:>6}  {median:>12.3?}  {slowest:>12.3?}  {most:>11}", walls * 100.0);
        }
    }
}

/// Beside the matching alone, which is the rival: it solves nothing but fire-net.
fn matching() {
    for (side, empty) in [(10, 0.9), (100, 0.8), (100, 0.7), (300, 0.8), (300, 0.7)] {
        let board = random(side, empty, 1);
        let expected = Some(maximum_matching(&board).len());
        let contenders = [
            Contender::new("maximum matching", 1.0, || Some(maximum_matching(black_box(&board)).len())),
            Contender::new("search", NO_LIMIT, || Settings::default().solve(black_box(&board)).proven().copied()),
        ];
        let title = format!("{side}×{side}, {:.0} % empty", 100.0 * empty);
        support::ratios(&title, Clock::Processor, 9, &expected, &contenders);
    }
}

fn bounds() {
    let board = random(10, 0.9, 1);
    let solve = |settings: Settings| {
        let board = &board;
        move || settings.solve(black_box(board)).proven().copied()
    };
    let named = Bound::ALL.map(|bound| (format!("bound: {bound}"), Settings::default().bound(Some(bound))));
    let prunings = ("all prunings".to_owned(), Settings::default().prunings(Prunings::ALL));
    let all = [("default".to_owned(), Settings::default())].into_iter().chain(named).chain([prunings]);
    let contenders: Vec<_> = all
        .map(|(name, settings)| {
            let nodes = settings.solve(&board).report().nodes();
            Contender::new(format!("{name}, {nodes} nodes"), NO_LIMIT, solve(settings))
        })
        .collect();
    let expected = Some(maximum_matching(&board).len());
    support::ratios("10×10, 90 % empty", Clock::Processor, 9, &expected, &contenders);
}

/// All placements on an empty board, in increasing order of cells and in any.
fn lists() {
    let board = Board::empty(5, 5);
    let count = |cells: Cells| Search::new(black_box(&board)).brancher(cells).count().exact();
    for increasing in [true, false] {
        let [scanned, listed] = [false, true].map(|listed| Cells { listed, increasing });
        let contenders = [
            Contender::new("cells scanned", 1.0, || count(scanned)),
            Contender::new("cells listed", NO_LIMIT, || count(listed)),
        ];
        let order = if increasing { "increasing cells" } else { "cells in any order" };
        let title = format!("placements on 5×5, {order}");
        support::ratios(&title, Clock::Processor, 9, &count(scanned), &contenders);
    }
}

fn main() {
    support::parts(&[("slowest", slowest), ("matching", matching), ("bounds", bounds), ("lists", lists)]);
}
