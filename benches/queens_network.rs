//! n-queens as a constraint network: the article's trees and its times beside today's, first solutions of large boards,
//! completions, and levels of propagation.
//!
//! `cargo bench --bench queens_network` prints everything; with one or more of these words, that part only:
//!
//! - `-- trees [N]`: the article's tree sizes to N (12 unless told) beside what is found here;
//! - `-- times [N]`: the article's table of times to N (14) beside today's;
//! - `-- first`: the first solutions of boards to 4096;
//! - `-- completion`: random boards of 100 rows, some queens given, to be completed;
//! - `-- thirteen`: all 13-queens, smallest domain first, at each level of propagation;
//! - `-- levels`: all 9-queens at each level in each order, by criterion.

#[path = "support/mod.rs"]
mod support;

use std::hint::black_box;
use std::time::Instant;

use criterion::{BenchmarkId, Criterion};
use secateurs::csp::{
    Ascending, Branching, CentreOut, InputOrder, Network, Propagate, Propagation, SmallestDomain, SwappedOrder,
    VariableOrder,
};
use secateurs::problems::queens::{Board, Effort, Queens};
use secateurs::{Brancher, Limits, Search};
use support::{Clock, Contender};

/// n; in fixed order: placements, squares excluded; smallest domain first: placements by the first tie, placements and
/// squares excluded by the last.
const TREES: [[u64; 6]; 11] = [
    [4, 16, 60, 16, 16, 61],
    [5, 53, 216, 53, 52, 211],
    [6, 152, 824, 120, 114, 698],
    [7, 551, 3_224, 393, 381, 2_312],
    [8, 2_056, 13_510, 1_338, 1_309, 8_916],
    [9, 8_393, 59_876, 5_351, 5_200, 37_386],
    [10, 35_538, 277_654, 20_025, 19_652, 158_971],
    [11, 166_925, 1_395_876, 86_316, 84_233, 717_492],
    [12, 856_188, 7_530_546, 416_988, 400_505, 3_516_394],
    [13, 4_674_889, 42_949_734, 2_151_630, 2_068_320, 18_610_960],
    [14, 27_358_552, 261_296_702, 11_775_415, 11_362_859, 106_473_963],
];

/// n, solutions, and the article's hundredths of a second: backtracking, and propagation with the smallest domain first.
const TIMES: [(usize, u128, u32, u32); 7] = [
    (8, 92, 6, 3),
    (9, 352, 33, 16),
    (10, 724, 154, 60),
    (11, 2_680, 851, 280),
    (12, 14_200, 5_174, 1_368),
    (13, 73_712, 33_010, 7_272),
    (14, 365_596, 420_397, 41_507),
];

const LEVELS: [Propagation; 4] =
    [Propagation::Backward, Propagation::Forward, Propagation::ArcConsistency, Propagation::Full];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let largest = arguments.iter().find_map(|argument| argument.parse().ok());
    let asked = |part: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == part);
    if asked("trees") {
        trees(largest.unwrap_or(12));
    }
    if asked("times") {
        times(largest.unwrap_or(14));
    }
    if asked("first") {
        first();
    }
    if asked("completion") {
        completion();
    }
    if asked("thirteen") {
        thirteen();
    }
    if asked("levels") {
        levels();
    }
}

fn network(n: usize) -> Network {
    Board::new(n).expect("a board that is not too large").network()
}

fn count(network: &Network, propagate: Propagate, order: impl Brancher<Network>) -> Option<u128> {
    Search::new(black_box(network)).hooks((propagate,)).brancher(order).count().exact()
}

/// What `run` gives, and the processor time that it takes, in milliseconds: the least of three means of so many runs that
/// the clock has moved on. What else the machine does only adds to a time.
fn timed<T>(mut run: impl FnMut() -> T) -> (T, f64) {
    const LONG_ENOUGH: f64 = 0.05;
    let start = Instant::now();
    let mut least = f64::INFINITY;
    let mut given = run();
    for _ in 0..3 {
        let before = support::seconds(Clock::Processor, start);
        let (mut runs, mut seconds) = (0, 0.0);
        while seconds < LONG_ENOUGH {
            // Looking at the clock takes as long as a short run: twice as many of these before the next look.
            let more = runs + 1;
            for _ in 0..more {
                given = black_box(run());
            }
            runs += more;
            seconds = support::seconds(Clock::Processor, start) - before;
        }
        least = f64::min(least, 1000.0 * seconds / f64::from(runs));
        if seconds > 1.0 {
            break;
        }
    }
    (given, least)
}

/// Placements and squares excluded by the article's program.
fn program(n: usize, rows: impl VariableOrder) -> [u64; 2] {
    let (network, effort) = (network(n), Effort::new());
    let outcome = Search::new(&network)
        .hooks((effort.excludes_hook(), Propagate::forward().without_wipe_out_test()))
        .brancher(Branching::new(rows, Ascending))
        .count();
    [outcome.report().nodes() - 1, effort.excludes()]
}

fn trees(largest: u64) {
    println!("the article's programs: expected / found");
    let titles = ["n", "placed", "exclude", "dom <", "dom <=", "excludes"];
    println!("{:>3}{:>24}{:>24}{:>24}{:>24}{:>24}", titles[0], titles[1], titles[2], titles[3], titles[4], titles[5]);
    for [n, expected @ ..] in TREES.into_iter().filter(|row| row[0] <= largest) {
        let size = n as usize;
        let [placed, exclude] = program(size, InputOrder);
        let [first, _] = program(size, SwappedOrder::first_tie());
        let [last, excludes] = program(size, SwappedOrder::last_tie());
        let found = [placed, exclude, first, last, excludes];
        let columns =
            expected.iter().zip(found).map(|(expected, found)| format!("{:>24}", format!("{expected} / {found}")));
        println!("{n:>3}{}", columns.collect::<String>());
        assert_eq!(found, expected, "n = {n}");
    }
    println!();
}

/// Backtracking is the program that looks back at the queens placed; today's fastest way to do the same is on bit masks.
fn times(largest: u64) {
    println!("all solutions: the article's times, and today's processor times, in milliseconds");
    println!(
        "{:>3}{:>16}{:>12}{:>12}{:>16}{:>12}{:>12}",
        "n", "backtracking", "look back", "bits", "propagation", "program", "network"
    );
    for (n, solutions, backtracking, propagation) in TIMES.into_iter().filter(|row| row.0 as u64 <= largest) {
        let queens = Queens::new(n).expect("a small board");
        let network = network(n);
        let (lookback, bits) = (queens.lookback(), queens.bits());
        let order = || Branching::new(SwappedOrder::last_tie(), Ascending);
        let program = Propagate::forward().without_wipe_out_test();
        let today = |run: &dyn Fn() -> Option<u128>| {
            let (counted, ms) = timed(run);
            assert_eq!(counted, Some(solutions), "n = {n}");
            ms
        };
        let smallest = || Branching::new(SmallestDomain::first_tie(), Ascending);
        println!(
            "{n:>3}{:>16}{:>12.2}{:>12.2}{:>16}{:>12.2}{:>12.2}",
            10 * backtracking,
            today(&|| Search::new(&lookback).count().exact()),
            today(&|| Search::new(&bits).count().exact()),
            10 * propagation,
            today(&|| count(&network, program.clone(), order())),
            today(&|| count(&network, Propagate::forward(), smallest())),
        );
    }
    println!();
}

fn first() {
    println!(
        "first solutions, smallest domain, centre-out: placements, and milliseconds with the making of the network"
    );
    println!("{:>5}{:>12}{:>12}{:>12}{:>12}", "n", "array", "ms", "rows", "ms");
    for n in [40, 60, 100, 200, 300, 500, 1000, 2000, 4096] {
        let (array, array_ms) = first_of(n, SwappedOrder::first_tie());
        let (rows, rows_ms) = first_of(n, SmallestDomain::first_tie());
        println!("{n:>5}{array:>12}{array_ms:>12.2}{rows:>12}{rows_ms:>12.2}");
    }
    println!();
}

/// Placements to the first solution, or to the limit of them, and the time.
fn first_of(n: usize, rows: impl VariableOrder + Clone) -> (String, f64) {
    timed(|| {
        let network = network(n);
        let outcome = Search::new(&network)
            .hooks((Propagate::forward(),))
            .brancher(Branching::new(rows.clone(), CentreOut))
            .limits(Limits::new().nodes(100_000))
            .first();
        let placed = outcome.report().nodes() - 1;
        if outcome.solution().is_some() { placed.to_string() } else { format!("> {placed}") }
    })
}

fn completion() {
    const SIZE: usize = 100;
    const BOARDS: u64 = 20;
    const NODES: u64 = 20_000;
    println!(
        "{BOARDS} boards of {SIZE} rows, random queens given, at most {NODES} nodes each; smallest domain, centre-out"
    );
    println!(
        "{:>6}  {:<18}{:>10}{:>8}{:>10}{:>12}{:>12}",
        "given", "", "completed", "none", "not known", "nodes", "ms"
    );
    for given in [10, 30, 50, 70, 80, 85] {
        for level in [Propagation::Forward, Propagation::ArcConsistency] {
            let ((answers, nodes), ms) = timed(|| {
                let (mut answers, mut nodes) = ([0; 3], 0);
                for seed in 0..BOARDS {
                    let network = Board::random(SIZE, given, seed).expect("a board that is not too large").network();
                    let outcome = Search::new(&network)
                        .hooks((Propagate::new(level),))
                        .brancher(Branching::new(SmallestDomain::first_tie(), CentreOut))
                        .limits(Limits::new().nodes(NODES))
                        .exists();
                    answers[match outcome.exists() {
                        Some(true) => 0,
                        Some(false) => 1,
                        None => 2,
                    }] += 1;
                    nodes += outcome.report().nodes();
                }
                (answers, nodes)
            });
            let [completed, none, unknown] = answers;
            let name = format!("{level:?}");
            println!("{given:>6}  {name:<18}{completed:>10}{none:>8}{unknown:>10}{nodes:>12}{ms:>12.1}");
        }
    }
    println!();
}

fn thirteen() {
    let network = network(13);
    let contenders = LEVELS[1..].iter().map(|&level| {
        let network = &network;
        Contender::new(format!("{level:?}"), f64::INFINITY, move || {
            count(network, Propagate::new(level), Branching::new(SmallestDomain::first_tie(), Ascending))
        })
    });
    let contenders: Vec<_> = contenders.collect();
    support::ratios("all 13-queens, smallest domain first", Clock::Processor, 5, &Some(73_712), &contenders);
}

fn levels() {
    let network = network(9);
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let mut group = criterion.benchmark_group("levels");
    for level in LEVELS {
        let propagate = || Propagate::new(level);
        group.bench_function(BenchmarkId::new("input order", format!("{level:?}")), |bencher| {
            bencher.iter(|| count(&network, propagate(), Branching::new(InputOrder, Ascending)));
        });
        group.bench_function(BenchmarkId::new("smallest domain", format!("{level:?}")), |bencher| {
            bencher.iter(|| count(&network, propagate(), Branching::new(SmallestDomain::first_tie(), Ascending)));
        });
    }
    group.finish();
    criterion.final_summary();
}
