//! Sweeps in dense tables, against known values, sweeps in hash tables and brute force.

use std::time::Duration;

use proptest::prelude::*;
use secateurs::plug::algebra::{Modulo, ZeroModulus};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::problems::catalogue::{
    hamiltonian_cycles, hamiltonian_paths, simple_cycles, simple_paths, two_factors,
};
use secateurs::{Cancel, Limits, Stop};

use crate::shared::dense_sweeps::{
    PROBLEMS, SMALL, Watched, boards, by_rank, check_by_brute_force,
    check_cancelling_within_a_cell, check_hamiltonian_cycles, check_never_wrapped, check_overflow,
    check_simple_paths, check_threads, digits,
};
use crate::support::problems::{count as by_hash, grid};

#[test]
fn hamiltonian_cycles_have_known_counts() {
    check_hamiltonian_cycles(&[(2, 1), (4, 6), (6, 1072), (8, 4_638_576)]);
}

/// Runs with `cargo test --release --test plug -- --ignored motzkin::dense::`.
#[test]
#[ignore = "takes some seconds and 300 MiB"]
fn hamiltonian_cycles_of_the_18_by_18_board_have_the_known_count() {
    let cycles = hamiltonian_cycles(&grid(18, 18));
    assert_eq!(digits(&cycles), "1733926377888966183927790794055670829347983946");
}

/// Runs with `cargo test --release --test plug -- --ignored 20_by_20`, and as the example
/// `count hamiltonian-cycles 20 20`.
#[test]
#[ignore = "takes a minute and 2 GiB"]
fn hamiltonian_cycles_of_the_20_by_20_board_have_the_known_count() {
    let cycles = hamiltonian_cycles(&grid(20, 20));
    assert_eq!(digits(&cycles), "1020460427390768793543026965678152831571073052662428097106");
}

#[test]
fn simple_paths_have_known_counts() {
    check_simple_paths();
}

/// Runs with `cargo test --release --test plug -- --ignored motzkin::dense::`.
#[test]
#[ignore = "takes some seconds"]
fn simple_paths_of_the_16_by_16_board_have_the_known_count() {
    let paths = simple_paths(&grid(16, 16));
    assert_eq!(digits(&paths), "2266745568862672746374567396713098934866324885408319028");
}

#[test]
fn cycles_two_factors_and_hamiltonian_paths_have_known_counts() {
    for (side, expected) in
        [(1, 0), (2, 1), (3, 13), (4, 213), (12, 109_331_355_810_135_629_946_698_361_371)]
    {
        assert_eq!(by_rank(&simple_cycles(&grid(side, side))), expected);
    }
    for (side, expected) in [(1, 0), (2, 1), (3, 0), (4, 18)] {
        assert_eq!(by_rank(&two_factors(&grid(side, side))), expected);
    }
    for (side, expected) in
        [(1, 1), (2, 0), (3, 2), (4, 0), (5, 104), (6, 0), (7, 111_712), (9, 2_688_307_514)]
    {
        assert_eq!(by_rank(&hamiltonian_paths(&grid(side, side))), expected);
    }
}

/// A dense table numbers also words that do not occur. They are worth 0 and are not counted as
/// states.
#[test]
fn dense_sweeps_report_the_state_counts_of_hashing() {
    for problem in [hamiltonian_cycles, two_factors, simple_paths] {
        for (rows, columns) in [(6, 6), (5, 8), (7, 7)] {
            let problem = problem(&grid(rows, columns));
            let layers = |report: &secateurs::Report| {
                report.levels().iter().map(|level| level.nodes).collect::<Vec<_>>()
            };
            let (hash, dense) =
                (Sweep::new(&problem).count(), Sweep::new(&problem).dense().count());
            assert_eq!(layers(hash.report()), layers(dense.report()), "{}", problem.grid());
        }
    }
}

const LARGER: &[(usize, usize)] =
    &[(5, 5), (6, 4), (4, 7), (6, 6), (7, 5), (5, 8), (7, 7), (1, 9), (2, 9)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn dense_sweeps_agree_with_brute_force(grid in boards(SMALL)) {
        check_by_brute_force(&grid)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn dense_sweeps_agree_with_hashing(grid in boards(LARGER)) {
        for (name, problem) in PROBLEMS {
            let problem = problem(&grid);
            let (hash, dense) = (by_hash(&problem), Sweep::new(&problem).dense().count());
            prop_assert_eq!(Some(hash), dense.exact(), "{} on\n{}", name, grid);
            let modulo = Modulo::new([97, u64::MAX]).expect("not 0");
            let remainders = Sweep::new(&problem).dense().count_moduli(&modulo);
            let expected = [97, u64::MAX].map(|modulus| (hash % u128::from(modulus)) as u64);
            prop_assert_eq!(remainders.total(), Some(&expected));
        }
    }
}

#[test]
fn threads_do_not_change_the_answer() {
    check_threads(&[hamiltonian_cycles(&grid(8, 8)), simple_paths(&grid(6, 7))]);
}

#[test]
fn a_count_beyond_128_bits_is_an_overflow() {
    check_overflow(&hamiltonian_cycles(&grid(6, 200)));
}

#[test]
fn a_count_beyond_64_bits_is_never_wrapped() {
    check_never_wrapped(6, 40, 3_309_720_415_863_581_694);
}

#[test]
fn limits_stop_dense_sweeps() {
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

#[test]
fn a_dense_sweep_can_be_cancelled_within_a_cell() {
    check_cancelling_within_a_cell(11, 60);
}

#[test]
fn counts_modulo_a_number_agree_with_hashing() {
    let paths = simple_paths(&grid(7, 7)); // 575 780 564
    for (modulus, expected) in
        [(1, 0), (2, 0), (1000, 564), (1 << 63, 575_780_564), (u64::MAX, 575_780_564)]
    {
        let hash = Sweep::new(&paths).count_modulo(modulus).expect("not 0");
        let dense = Sweep::new(&paths).dense().count_modulo(modulus).expect("not 0");
        assert_eq!((hash.total(), dense.total()), (Some(&expected), Some(&expected)));
    }
    assert_eq!(Sweep::new(&paths).dense().count_modulo(0).err(), Some(ZeroModulus));
    let stopped = Sweep::new(&paths)
        .limits(Limits::new().depth(9))
        .dense()
        .count_modulo(1000)
        .expect("not 0");
    assert_eq!((stopped.total(), stopped.stop()), (None, Stop::DepthLimit));
}

#[test]
fn too_long_words_stop_the_sweep_even_if_the_low_plug_is_large() {
    let watched = Watched { strands: simple_paths(&grid(3, 3)), higher: 36, asked: &|_| {} };
    assert_eq!(Sweep::new(&watched).dense().count().stop(), Stop::StateTooWide);
}

#[test]
fn too_wide_boards_stop_before_a_table_is_allocated() {
    let cycles = hamiltonian_cycles(&grid(40, 40));
    let outcome = Sweep::new(&cycles).dense().count();
    assert_eq!(outcome.stop(), Stop::StateTooWide);
    let wide = hamiltonian_cycles(&grid(30, 30));
    let outcome = Sweep::new(&wide).limits(Limits::new().memory(1 << 24)).dense().count();
    assert_eq!(outcome.stop(), Stop::MemoryLimit);
    assert!(outcome.complete().expect_err("not complete").to_string().contains("memory limit"));
}

#[test]
fn long_boards_are_counted_with_wide_numbers() {
    let cycles = hamiltonian_cycles(&grid(4, 1000));
    let modulo = Modulo::<1>::primes(0);
    let dense = Sweep::new(&cycles).dense().count_moduli(&modulo);
    let hash = Sweep::new(&cycles).run(&modulo);
    assert_eq!(dense.total(), hash.total());
    assert!(dense.total().is_some());
    assert_eq!(cycles.cells(), 4000);
    let all = Sweep::new(&cycles).dense().count_natural();
    assert_eq!(
        all.total().and_then(|count| count.remainder(modulo.moduli()[0])),
        dense.total().map(|rest| rest[0])
    );
}
