//! n-queens as a constraint network: the article's trees and its times beside today's, first solutions of large boards,
//! completions, and levels of propagation.

use std::hint::black_box;

use secateurs::csp::{
    Ascending, Branching, CentreOut, InputOrder, Network, Propagate, Propagation, SmallestDomain, SwappedOrder,
    VariableOrder,
};
use secateurs::problems::queens::{Board, Effort, Queens};
use secateurs::{Brancher, Limits, Search};

use crate::support::{self, Clock, Contender, NO_LIMIT, timed};

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

fn network(n: usize) -> Network {
    Board::new(n).expect("a board that is not too large").network()
}

fn count(network: &Network, propagate: Propagate, order: impl Brancher<Network>) -> Option<u128> {
    Search::new(black_box(network)).hooks((propagate,)).brancher(order).count().exact()
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

/// The article's trees, all up to n = 12.
pub fn trees() {
    println!("the article's programs: expected / found");
    let titles = ["n", "placed", "exclude", "dom <", "dom <=", "excludes"];
    println!("{:>3}{:>24}{:>24}{:>24}{:>24}{:>24}", titles[0], titles[1], titles[2], titles[3], titles[4], titles[5]);
    for [n, expected @ ..] in TREES.into_iter().filter(|row| row[0] <= 12) {
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

/// The article's table of times. Backtracking is the program that looks back at the queens placed; today's fastest way to do the same is on bit masks.
pub fn times() {
    println!("all solutions: the article's times, and today's processor times, in milliseconds");
    println!(
        "{:>3}{:>16}{:>12}{:>12}{:>16}{:>12}{:>12}",
        "n", "backtracking", "look back", "bits", "propagation", "program", "network"
    );
    for (n, solutions, backtracking, propagation) in TIMES {
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

pub fn first() {
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

pub fn completion() {
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

/// All solutions at each level, smallest domain first, and in the order of the rows.
pub fn levels() {
    let (large, small) = (network(13), network(9));
    let (large, small) = (&large, &small);
    let smallest = |level: Propagation| {
        let order = || Branching::new(SmallestDomain::first_tie(), Ascending);
        Contender::new(format!("{level:?}"), NO_LIMIT, move || count(large, Propagate::new(level), order()))
    };
    let in_order = |level: Propagation| {
        let order = || Branching::new(InputOrder, Ascending);
        Contender::new(format!("{level:?}"), NO_LIMIT, move || count(small, Propagate::new(level), order()))
    };
    let (title, expected) = ("all 13-queens, smallest domain first", Some(73_712));
    support::ratios(title, Clock::Processor, 5, &expected, &[1, 2, 3].map(|level| smallest(LEVELS[level])));
    support::ratios("all 9-queens, row by row", Clock::Processor, 9, &Some(352), &LEVELS.map(in_order));
}
