//! The dense table against known values, the table found by hashing, and trying all.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use secateurs::plug::algebra::{Counting, Modulo, ZeroModulus};
use secateurs::plug::code::Parentheses;
use secateurs::plug::motzkin::{CellRule, MotzkinProfile, Piece};
use secateurs::plug::{Profile, Sweep};
use secateurs::problems::catalogue::{
    Strands, hamiltonian_cycles, hamiltonian_paths, simple_cycles, simple_paths, two_factors,
};
use secateurs::{Cancel, Limits, Stop};

use crate::brute::{SMALL, boards, counts};
use crate::{PROBLEMS, grid};

fn by_rank(problem: &Strands) -> u128 {
    Sweep::new(problem).dense().count().exact().expect("a small count")
}

#[cfg(feature = "bigint")]
fn digits(problem: &Strands) -> String {
    Sweep::new(problem).dense().count_natural().total().expect("a complete sweep").to_string()
}

#[test]
fn hamiltonian_cycles_are_as_known() {
    for (side, expected) in [
        (2, 1),
        (4, 6),
        (6, 1072),
        (8, 4_638_576),
        (10, 467_260_456_608),
        (12, 1_076_226_888_605_605_706),
        (14, 56_126_499_620_491_437_281_263_608),
        (16, 65_882_516_522_625_836_326_159_786_165_530_572),
    ] {
        assert_eq!(by_rank(&hamiltonian_cycles(&grid(side, side))), expected, "{side}");
    }
    for (columns, expected) in [(4, 6), (5, 14), (6, 37), (7, 92), (8, 236), (9, 596), (10, 1517)] {
        assert_eq!(by_rank(&hamiltonian_cycles(&grid(4, columns))), expected);
        assert_eq!(by_rank(&hamiltonian_cycles(&grid(columns, 4))), expected);
    }
    let rectangles = [(5, 6, 154), (6, 7, 5320), (6, 8, 32675), (7, 8, 301_384), (8, 9, 49_483_138), (7, 9, 0)];
    for (rows, columns, expected) in rectangles {
        assert_eq!(by_rank(&hamiltonian_cycles(&grid(rows, columns))), expected);
    }
    assert_eq!(by_rank(&hamiltonian_cycles(&grid(9, 10))), 13_916_993_782);
    for (rows, columns) in [(1, 1), (3, 3), (5, 7), (9, 9), (3, 25)] {
        assert_eq!(by_rank(&hamiltonian_cycles(&grid(rows, columns))), 0, "both sides are odd");
    }
}

/// `cargo test --release --test motzkin -- --ignored` runs this.
#[test]
#[ignore = "takes some seconds and 300 MiB"]
#[cfg(feature = "bigint")]
fn hamiltonian_cycles_of_the_board_of_18() {
    let cycles = hamiltonian_cycles(&grid(18, 18));
    assert_eq!(digits(&cycles), "1733926377888966183927790794055670829347983946");
}

/// `cargo test --release --test motzkin -- --ignored of_20` runs this, as does the example: `count hamiltonian-cycles 20 20`.
#[test]
#[ignore = "takes a minute and 2 GiB"]
#[cfg(feature = "bigint")]
fn hamiltonian_cycles_of_the_board_of_20() {
    let cycles = hamiltonian_cycles(&grid(20, 20));
    assert_eq!(digits(&cycles), "1020460427390768793543026965678152831571073052662428097106");
}

#[test]
#[cfg(feature = "bigint")]
fn simple_paths_are_as_known() {
    let known = ["1", "2", "12", "184", "8512", "1262816", "575780564", "789360053252"];
    for (side, expected) in (1..).zip(known) {
        assert_eq!(digits(&simple_paths(&grid(side, side))), expected);
    }
    assert_eq!(digits(&simple_paths(&grid(14, 14))), "69450664761521361664274701548907358996488");
}

/// `cargo test --release --test motzkin -- --ignored` runs this.
#[test]
#[ignore = "takes some seconds"]
#[cfg(feature = "bigint")]
fn simple_paths_of_the_board_of_16() {
    let paths = simple_paths(&grid(16, 16));
    assert_eq!(digits(&paths), "2266745568862672746374567396713098934866324885408319028");
}

#[test]
fn cycles_two_factors_and_hamiltonian_paths_are_as_known() {
    for (side, expected) in [(1, 0), (2, 1), (3, 13), (4, 213), (12, 109_331_355_810_135_629_946_698_361_371)] {
        assert_eq!(by_rank(&simple_cycles(&grid(side, side))), expected);
    }
    for (side, expected) in [(1, 0), (2, 1), (3, 0), (4, 18)] {
        assert_eq!(by_rank(&two_factors(&grid(side, side))), expected);
    }
    for (side, expected) in [(1, 1), (2, 0), (3, 2), (4, 0), (5, 104), (6, 0), (7, 111_712), (9, 2_688_307_514)] {
        assert_eq!(by_rank(&hamiltonian_paths(&grid(side, side))), expected);
    }
}

/// Of the problems in which every free cell is visited: the dense table has no word that does not occur.
#[test]
fn states_are_those_that_hashing_finds() {
    for problem in [hamiltonian_cycles, two_factors, simple_paths] {
        for (rows, columns) in [(6, 6), (5, 8), (7, 7)] {
            let problem = problem(&grid(rows, columns));
            let layers =
                |report: &secateurs::Report| report.levels().iter().map(|level| level.nodes).collect::<Vec<_>>();
            let (hash, dense) = (Sweep::new(&problem).count(), Sweep::new(&problem).dense().count());
            assert_eq!(layers(hash.report()), layers(dense.report()), "{}", problem.grid());
        }
    }
}

const LARGER: &[(usize, usize)] = &[(5, 5), (6, 4), (4, 7), (6, 6), (7, 5), (5, 8), (7, 7), (1, 9), (2, 9)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn dense_is_brute_force(grid in boards(SMALL)) {
        for ((name, problem), expected) in PROBLEMS.into_iter().zip(counts(&grid)) {
            prop_assert_eq!(by_rank(&problem(&grid)), expected, "{} on\n{}", name, grid);
        }
    }

    #[test]
    fn dense_is_hash(grid in boards(LARGER)) {
        for (name, problem) in PROBLEMS {
            let problem = problem(&grid);
            let (hash, dense) = (crate::by_hash(&problem), Sweep::new(&problem).dense().count());
            prop_assert_eq!(Some(hash), dense.exact(), "{} on\n{}", name, grid);
            let modulo = Modulo::new([97, u64::MAX]).expect("not 0");
            let remainders = Sweep::new(&problem).dense().count_moduli(&modulo);
            prop_assert_eq!(remainders.total(), Some(&[97, u64::MAX].map(|m| (hash % u128::from(m)) as u64)));
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    for problem in [hamiltonian_cycles(&grid(14, 14)), simple_paths(&grid(11, 12))] {
        let one = Sweep::new(&problem).dense().count();
        for threads in [0, 2, 3, 7] {
            let many = Sweep::new(&problem).threads(threads).dense().count();
            assert_eq!(one.exact(), many.exact());
            assert_eq!(one.report().levels(), many.report().levels());
        }
    }
}

#[test]
fn a_count_that_does_not_fit_is_no_number() {
    let paths = simple_paths(&grid(14, 14));
    let outcome = Sweep::new(&paths).dense().count();
    assert_eq!((outcome.exact(), outcome.stop()), (None, Stop::CountOverflow));
    let cycles = hamiltonian_cycles(&grid(6, 200));
    let outcome = Sweep::new(&cycles).dense().count();
    assert_eq!((outcome.exact(), outcome.stop()), (None, Stop::CountOverflow));
}

/// Counted in 64 bits that wrap, the cycles of the board of 14 are this many: a number that looks like any other.
#[test]
fn a_count_beyond_64_bits_is_never_wrapped() {
    const WRAPPED: u64 = 11_826_709_060_214_734_840;
    let cycles = hamiltonian_cycles(&grid(14, 14));
    let exact = by_rank(&cycles);
    assert_eq!(exact % (1 << 64), u128::from(WRAPPED));
    let outcome = Sweep::new(&cycles).run(&Counting::<u64>::new());
    assert_eq!((outcome.total(), outcome.stop()), (None, Stop::CountOverflow));
    // A count that is asked for modulo 2^63 says so.
    let modulo = Modulo::new([1 << 63]).expect("not 0");
    assert_eq!(Sweep::new(&cycles).dense().count_moduli(&modulo).total(), Some(&[WRAPPED % (1 << 63)]));
}

#[test]
fn limits_hold() {
    let cycles = hamiltonian_cycles(&grid(12, 12));
    let stop = |limits| {
        let outcome = Sweep::new(&cycles).limits(limits).dense().count();
        assert_eq!(outcome.exact(), None);
        assert!(outcome.report().peak_bytes().is_some());
        outcome.stop()
    };
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(stop(Limits::new().cancel(&cancel)), Stop::Cancelled);
    assert_eq!(stop(Limits::new().time(Duration::ZERO)), Stop::TimeLimit);
    assert_eq!(stop(Limits::new().nodes(1000)), Stop::NodeLimit);
    assert_eq!(stop(Limits::new().depth(100)), Stop::DepthLimit);
    assert_eq!(stop(Limits::new().states(1000)), Stop::StateLimit);
    assert_eq!(stop(Limits::new().memory(100_000)), Stop::MemoryLimit);
    let outcome = Sweep::new(&cycles).limits(Limits::new().memory(1 << 20)).dense().count();
    assert_eq!(outcome.exact(), Some(1_076_226_888_605_605_706));
    assert!(outcome.report().peak_bytes() <= Some(1 << 20));
}

/// Paths on a board, with an eye on which cell is asked about, and with plugs moved up.
struct Watched<'a> {
    strands: Strands,
    higher: usize,
    asked: &'a (dyn Fn(usize) + Sync),
}

impl Profile for Watched<'_> {
    type State = Parentheses;
    type Label = Piece;
    fn cells(&self) -> usize {
        self.strands.cells()
    }
    fn start(&self) -> Parentheses {
        self.strands.start()
    }
    fn step(&self, cell: usize, state: Parentheses, emit: &mut impl FnMut(Parentheses, Piece)) {
        self.strands.step(cell, state, emit);
    }
    fn accept(&self, state: Parentheses) -> bool {
        self.strands.accept(state)
    }
}

impl MotzkinProfile for Watched<'_> {
    fn plugs(&self) -> usize {
        self.strands.plugs() + self.higher
    }
    fn low(&self, cell: usize) -> usize {
        self.strands.low(cell) + self.higher
    }
    fn rule(&self, cell: usize) -> CellRule {
        (self.asked)(cell);
        self.strands.rule(cell)
    }
}

#[test]
fn the_switch_is_looked_at_within_a_cell() {
    const CELL: usize = 90;
    for threads in [1, 2] {
        let (cancel, is_due) = (Cancel::new(), AtomicBool::new(false));
        // Thrown when the sweep has looked at it before the cell, and asks what the cell's rule is.
        let asked = |cell| {
            if cell == CELL && is_due.load(Ordering::Relaxed) {
                cancel.cancel();
            }
        };
        let watched = Watched { strands: simple_paths(&grid(14, 14)), higher: 0, asked: &asked };
        let sweep = Sweep::new(&watched).limits(Limits::new().cancel(&cancel)).threads(threads);
        let sweep = sweep.progress(Duration::ZERO, |progress| {
            is_due.store(progress.cells_done == CELL, Ordering::Relaxed);
        });
        let error = sweep.dense().count().complete().expect_err("cancelled");
        assert_eq!((error.stop(), error.cell()), (Stop::Cancelled, Some(CELL)));
    }
}

#[test]
fn a_modulus_is_the_same_for_both_tables() {
    let paths = simple_paths(&grid(7, 7)); // 575 780 564
    for (modulus, expected) in [(1, 0), (2, 0), (1000, 564), (1 << 63, 575_780_564), (u64::MAX, 575_780_564)] {
        let hash = Sweep::new(&paths).count_modulo(modulus).expect("not 0");
        let dense = Sweep::new(&paths).dense().count_modulo(modulus).expect("not 0");
        assert_eq!((hash.total(), dense.total()), (Some(&expected), Some(&expected)));
    }
    assert_eq!(Sweep::new(&paths).dense().count_modulo(0).err(), Some(ZeroModulus));
    let stopped = Sweep::new(&paths).limits(Limits::new().depth(9)).dense().count_modulo(1000).expect("not 0");
    assert_eq!((stopped.total(), stopped.stop()), (None, Stop::DepthLimit));
}

#[test]
fn words_that_are_too_long_are_told_wherever_the_sweep_begins() {
    let watched = Watched { strands: simple_paths(&grid(3, 3)), higher: 36, asked: &|_| {} };
    assert_eq!(Sweep::new(&watched).dense().count().stop(), Stop::StateTooWide);
}

#[test]
fn boards_that_are_too_wide_are_told_and_not_tried() {
    let cycles = hamiltonian_cycles(&grid(40, 40));
    let outcome = Sweep::new(&cycles).dense().count();
    assert_eq!(outcome.stop(), Stop::StateTooWide);
    let wide = hamiltonian_cycles(&grid(30, 30));
    let outcome = Sweep::new(&wide).limits(Limits::new().memory(1 << 24)).dense().count();
    assert_eq!(outcome.stop(), Stop::MemoryLimit);
    assert!(outcome.complete().expect_err("not complete").to_string().contains("memory limit"));
}

#[test]
fn long_boards_need_wide_numbers_only() {
    let cycles = hamiltonian_cycles(&grid(4, 1000));
    let modulo = Modulo::<1>::primes(0);
    let dense = Sweep::new(&cycles).dense().count_moduli(&modulo);
    let hash = Sweep::new(&cycles).run(&modulo);
    assert_eq!(dense.total(), hash.total());
    assert!(dense.total().is_some());
    assert_eq!(cycles.cells(), 4000);
    #[cfg(feature = "bigint")]
    {
        let all = Sweep::new(&cycles).dense().count_natural();
        assert_eq!(
            all.total().and_then(|count| count.remainder(modulo.moduli()[0])),
            dense.total().map(|rest| rest[0])
        );
    }
}
