//! Fire-net: how long a proof takes, from the article's boards of 10×10 to boards of 300×300.
//!
//! `cargo bench --bench fire_net`; the slowest of many random boards of each kind are printed first.

#![allow(missing_docs, reason = "criterion's macros")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use secateurs::problems::fire_net::{Board, Bound, Branching, Cells, Prunings, Settings, greedy, maximum_matching};
use secateurs::{Limits, Search};

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
fn slowest(_: &mut Criterion) {
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

fn proofs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fire_net/prove");
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    for (side, empty) in [(10, 0.9), (100, 0.8), (100, 0.7), (300, 0.8), (300, 0.7)] {
        let board = random(side, empty, 1);
        let name = format!("{side}x{side}, {empty} empty");
        group.bench_with_input(BenchmarkId::new("default", &name), &board, |bencher, board| {
            bencher.iter(|| Settings::default().solve(black_box(board)));
        });
        group.bench_with_input(BenchmarkId::new("matching oracle", &name), &board, |bencher, board| {
            bencher.iter(|| maximum_matching(black_box(board)));
        });
        if side == 10 {
            for bound in Bound::ALL {
                let settings = Settings::default().bound(Some(bound));
                group.bench_with_input(BenchmarkId::new(format!("bound {bound}"), &name), &board, |bencher, board| {
                    bencher.iter(|| settings.solve(black_box(board)));
                });
            }
            group.bench_with_input(BenchmarkId::new("all prunings", &name), &board, |bencher, board| {
                bencher.iter(|| Settings::default().prunings(Prunings::ALL).solve(black_box(board)));
            });
            group.bench_with_input(BenchmarkId::new("greedy", &name), &board, |bencher, board| {
                bencher.iter(|| greedy(black_box(board)));
            });
            let article = Settings::article(Prunings::of(1..=5)).limits(Limits::new().nodes(10_000));
            let name = format!("{name}, at most 10000 nodes");
            group.bench_with_input(BenchmarkId::new("article", name), &board, |bencher, board| {
                bencher.iter(|| article.solve(black_box(board)));
            });
        }
    }
    group.finish();
}

/// The same trees with and without pruning 1: what a list of candidates saves.
fn nodes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fire_net/count placements of 5x5");
    group.sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    let board = Board::empty(5, 5);
    for listed in [false, true] {
        for increasing in [false, true] {
            let cells = Cells { listed, increasing };
            group.bench_function(format!("{cells:?}"), |bencher| {
                bencher.iter(|| Search::new(black_box(&board)).brancher(cells).count());
            });
        }
    }
    group.bench_function(format!("{:?}", Branching::Segments), |bencher| {
        let settings = Settings::default().prunings(Prunings::NONE).bound(None);
        bencher.iter(|| settings.solve(black_box(&board)));
    });
    group.finish();
}

criterion_group!(benches, slowest, proofs, nodes);
criterion_main!(benches);
