//! Knight's tours: what a rule costs and how far it gets, on a fixed set of boards.
//!
//! `cargo bench --bench knights`; how many starts each rule solves, and with how many nodes, is printed first.

#![allow(missing_docs, reason = "criterion's macros")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use secateurs::problems::knights_tour::{
    Board, DeadEnds, DisconnectedRest, KnightsTour, OneExit, Parity, Rule, TourSearch,
};
use secateurs::{Limits, Search};

fn board(rows: usize, columns: usize) -> Board {
    Board::new(rows, columns).expect("in range")
}

/// Every start of these boards: the attempts of the search that restarts, and its nodes for each square.
fn how_far_rules_get(_: &mut Criterion) {
    println!("{:>20}  {:>7}  {:>6}  {:>13}  {:>13}", "rule", "starts", "solved", "first attempt", "nodes/square");
    for rule in Rule::ALL {
        let (mut starts, mut solved, mut at_first, mut nodes, mut squares) = (0, 0, 0, 0, 0);
        let began = Instant::now();
        for board in [board(6, 6), board(8, 8), board(5, 20), board(20, 20)] {
            for square in board.squares() {
                let search = TourSearch::new(board).rule(rule).starting_at(board.row(square), board.column(square));
                let found = search.expect("on the board").solve();
                starts += 1;
                solved += u32::from(found.tour().is_some());
                at_first += u32::from(found.tour().is_some() && found.attempts() == 1);
                nodes += found.nodes();
                squares += board.len() as u64;
            }
        }
        let ratio = nodes as f64 / squares as f64;
        let elapsed = began.elapsed();
        println!("{:>20}  {starts:>7}  {solved:>6}  {at_first:>13}  {ratio:>13.3}  in {elapsed:.3?}", rule.name());
    }
}

/// One walk from the corner without hooks, wherever a rule needs no step back: the price of its key.
fn rules(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("knights/rule");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    for side in [8, 50, 200] {
        let tour = KnightsTour::open(board(side, side)).starting_at(0, 0).expect("on the board");
        for rule in &Rule::ALL[1..] {
            let limits = Limits::new().nodes((side * side) as u64);
            let run = || Search::new(&tour).brancher(rule.brancher()).limits(limits.clone()).exists();
            if run().exists() == Some(true) {
                group.bench_function(BenchmarkId::new(rule.name(), side), |bencher| bencher.iter(|| black_box(run())));
            }
        }
    }
}

/// The search as it comes, with prunings and restarts, on boards of all shapes.
fn solve(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("knights/solve");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    for (rows, columns, closed) in
        [(8, 8, false), (8, 8, true), (3, 300, false), (4, 1001, false), (100, 100, true), (1000, 1000, false)]
    {
        let search = TourSearch::new(board(rows, columns)).starting_at(0, 0).expect("on the board");
        let search = if closed { search.closed() } else { search };
        let name = format!("{rows}x{columns}, {}", if closed { "closed" } else { "open" });
        group.bench_function(name, |bencher| bencher.iter(|| black_box(search.solve())));
    }
}

/// Every closed tour of 5×6, with more and more of the prunings.
fn count(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("knights/count closed 5x6");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    let tour = KnightsTour::closed(board(5, 6));
    for on in 1..=4 {
        let hooks = || {
            let rest = (on >= 4).then(DisconnectedRest::default);
            (Parity, (on >= 2).then_some(DeadEnds), (on >= 3).then_some(OneExit), rest)
        };
        let name = ["parity", "+ dead ends", "+ one exit", "+ disconnected rest"][on - 1];
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let outcome = Search::new(&tour).hooks(hooks()).count();
                assert_eq!(outcome.exact(), Some(16));
                outcome
            });
        });
    }
}

criterion_group!(benches, how_far_rules_get, rules, solve, count);
criterion_main!(benches);
