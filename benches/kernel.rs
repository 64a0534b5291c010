//! The kernel against a hand-written recursion: counting and listing 14-queens on bit masks, in one process.
//!
//! `cargo bench --bench kernel` prints, beside criterion's own figures, the ratios of runs that took turns, which hold on
//! a noisy machine. `-- --ratios` prints the ratios only.

use std::hint::black_box;
use std::time::Instant;

use criterion::Criterion;
use secateurs::problems::queens::{BitQueens, Queens};
use secateurs::{Hook, Problem, Search};

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

type Contender = (&'static str, f64, fn(&BitQueens) -> u64);

/// The first is the rival; each with the ratio that it may not exceed.
const CONTENDERS: [Contender; 5] = [
    ("recursion", 1.0, |_| recursion(black_box((1 << N) - 1), 0, 0, 0)),
    ("count", 1.15, |bits| Search::new(bits).count().at_least() as u64),
    ("count, four idle hooks", 1.15 * 1.02, |bits| {
        Search::new(bits).hooks((Idle, Idle, Idle, Idle)).count().at_least() as u64
    }),
    ("count, mirror symmetry", 0.60, |bits| Search::new(bits).hooks((Queens::mirror(),)).count().at_least() as u64),
    ("solutions", 1.20, |bits| Search::new(bits).solutions().map(black_box).count() as u64),
];

/// Processor time of this thread, in seconds, where the system tells; else the time on the wall. What other processes
/// take is not counted; the figure moves on by some milliseconds at a time.
fn clock(start: Instant) -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|figures| figures.split_whitespace().next()?.parse::<f64>().ok())
        .map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn time(run: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    let before = clock(start);
    assert_eq!(black_box(run()), 365_596);
    clock(start) - before
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn ratios(bits: &BitQueens) {
    let mut times = vec![Vec::with_capacity(ROUNDS); CONTENDERS.len()];
    for _ in 0..ROUNDS {
        for (times, (_, _, run)) in times.iter_mut().zip(CONTENDERS) {
            times.push(time(|| run(black_box(bits))));
        }
    }
    println!("{N}-queens, {ROUNDS} rounds in turns; ratios to the recursion round by round");
    println!("{:<24}{:>12}{:>12}{:>12}{:>12}", "", "median", "ratio", "least", "at most");
    for (index, (name, limit, _)) in CONTENDERS.into_iter().enumerate() {
        let ratio: Vec<f64> = times[index].iter().zip(&times[0]).map(|(ours, rival)| ours / rival).collect();
        let least = ratio.iter().copied().fold(f64::INFINITY, f64::min);
        let ms = 1000.0 * median(times[index].clone());
        println!("{name:<24}{ms:>9.1} ms{:>12.3}{least:>12.3}{limit:>12.3}", median(ratio));
    }
}

fn main() {
    let bits = Queens::new(N).expect("14 is in range").bits();
    ratios(&bits);
    if std::env::args().any(|argument| argument == "--ratios") {
        return;
    }
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let mut group = criterion.benchmark_group("kernel");
    for (name, _, run) in CONTENDERS {
        group.bench_function(name, |bencher| bencher.iter(|| run(black_box(&bits))));
    }
    group.finish();
    criterion.final_summary();
}
