//! Sweeps in dense tables, against known values, sweeps in hash tables and brute force.

use std::time::Duration;

use proptest::prelude::*;
use secateurs::plug::algebra::{Modulo, Natural, ZeroModulus};
use secateurs::plug::code::Symbol;
use secateurs::plug::motzkin::{CellRule, Closing, Side};
use secateurs::plug::{ContourProblem, Sweep};
use secateurs::{Cancel, Limits, Stop};
use secateurs_problems::catalogue::{
    Grid, hamiltonian_cycles, hamiltonian_paths, simple_cycles, simple_paths, two_factors,
};

use super::entrances::Board;
use crate::shared::dense_sweeps::{
    PROBLEMS, SMALL, Watched, boards, by_rank, check_cancelling_within_a_cell, check_known,
    check_never_wrapped, check_overflow, check_threads, counts, digits,
};
use crate::support::problems::{count as by_hash, grid};
use crate::support::sizes::sized;

#[test]
fn all_problems_on_strands_have_known_counts() {
    check_known(100, by_hash);
    check_known(sized(144, usize::MAX), by_rank);
}

/// The program with parentheses of Chen Danqi (2008) expands 134,010 and 1,333,112 states; the
/// report also counts the initial state.
#[test]
fn formula_1_expands_as_many_states_as_the_paper() {
    for (side, states) in [(10, 134_011), (12, 1_333_113)] {
        let cycles = hamiltonian_cycles(&grid(side, side));
        for outcome in [Sweep::new(&cycles).count(), Sweep::new(&cycles).dense().count()] {
            assert_eq!(outcome.report().nodes(), states, "{side} × {side}");
        }
    }
}

#[test]
fn boards_of_obstacles_have_only_the_empty_two_factor() {
    let grid: Grid = "***\n***\n".parse().expect("a board");
    let counts = PROBLEMS.map(|(_, problem, _)| by_hash(&problem(&grid)));
    assert_eq!(counts, [0, 0, 0, 0, 1]);
}

#[test]
fn boards_of_impossible_sizes_are_refused() {
    assert!(Grid::new(0, 3).is_err());
    assert!(Grid::new(usize::MAX, 3).is_err());
    assert!(Grid::new(1 << 20, 1 << 20).is_err());
}

#[test]
fn cell_is_the_inverse_of_position() {
    for (rows, columns) in [(1, 1), (3, 5), (5, 3), (4, 4), (1, 7)] {
        let grid = grid(rows, columns);
        for cell in 0..grid.cells() {
            let (row, column) = grid.position(cell);
            assert_eq!(grid.cell(row, column), cell);
        }
    }
}

/// Runs with `cargo test --release --test plug -- --ignored 20_by_20`, and as the example
/// `count hamiltonian-cycles 20 20`.
#[test]
#[ignore = "takes a minute and 2 GiB"]
fn hamiltonian_cycles_of_the_18_by_18_and_20_by_20_boards_have_the_known_counts() {
    let cycles = hamiltonian_cycles(&grid(18, 18));
    assert_eq!(digits(&cycles), "1733926377888966183927790794055670829347983946");
    let cycles = hamiltonian_cycles(&grid(20, 20));
    assert_eq!(digits(&cycles), "1020460427390768793543026965678152831571073052662428097106");
}

/// Runs with `cargo test --release --test plug -- --ignored motzkin::dense::`.
#[test]
#[ignore = "takes some seconds"]
fn simple_paths_of_the_16_by_16_board_have_the_known_count() {
    let paths = simple_paths(&grid(16, 16));
    let expected = "2266745568862672746374567396713098934866324885408319028";
    assert_eq!(digits(&paths), expected);
    // 64-bit residues in three passes, and 32-bit residues in six, after one for the bound.
    for (mebibytes, passes) in [(64, 4), (40, 7)] {
        let limits = Limits::new().memory(mebibytes << 20);
        let outcome = Sweep::new(&paths).limits(limits).dense().count_by_residues();
        assert_eq!(outcome.total().map(Natural::to_string).as_deref(), Some(expected));
        assert_eq!(outcome.report().passes(), Some(passes));
    }
}

/// A dense table also has entries for words that do not occur. Their value is 0, and they are not
/// counted as states.
#[test]
fn dense_sweeps_report_the_state_counts_of_hashing() {
    // No count is a multiple of it, so that no word that occurs has the remainder 0.
    let modulus = 1 << 62;
    for problem in [hamiltonian_cycles, two_factors, simple_paths] {
        for (rows, columns) in [(6, 6), (5, 8), (7, 7)] {
            let problem = problem(&grid(rows, columns));
            let layers = |report: &secateurs::Report| {
                report.levels().iter().map(|level| level.nodes).collect::<Vec<_>>()
            };
            let (hash, dense) =
                (Sweep::new(&problem).count(), Sweep::new(&problem).dense().count());
            assert_eq!(layers(hash.report()), layers(dense.report()), "{}", problem.grid());
            let modulo = Sweep::new(&problem).dense().count_modulo(modulus);
            let modulo = modulo.expect("not 0");
            assert_eq!(layers(hash.report()), layers(modulo.report()), "{}", problem.grid());
        }
    }
}

const LARGER: &[(usize, usize)] =
    &[(5, 5), (6, 4), (4, 7), (6, 6), (7, 5), (5, 8), (7, 7), (1, 9), (2, 9)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(16, 100)))]

    #[test]
    fn both_tables_agree_with_brute_force(grid in boards(SMALL)) {
        for ((name, problem, _), expected) in PROBLEMS.into_iter().zip(counts(&grid)) {
            let problem = problem(&grid);
            let found = (by_hash(&problem), by_rank(&problem));
            prop_assert_eq!(found, (expected, expected), "{} on\n{}", name, grid);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn dense_sweeps_agree_with_hashing(grid in boards(LARGER)) {
        for (name, problem, _) in PROBLEMS {
            let problem = problem(&grid);
            let (hash, dense) = (by_hash(&problem), Sweep::new(&problem).dense().count());
            prop_assert_eq!(Some(hash), dense.exact(), "{} on\n{}", name, grid);
            let modulo = Modulo::new([97, u64::MAX]).expect("not 0");
            let remainders = Sweep::new(&problem).dense().count_moduli(&modulo);
            let expected = [97, u64::MAX].map(|modulus| (hash % u128::from(modulus)) as u64);
            prop_assert_eq!(remainders.total(), Some(&expected));
            let modulo = Modulo::new([]).expect("no modulus is 0");
            let no_remainders = Sweep::new(&problem).dense().count_moduli(&modulo);
            prop_assert_eq!(no_remainders.total(), Some(&[]));
        }
    }
}

#[test]
fn threads_do_not_change_the_answer() {
    let [square, board] =
        sized([(8, 8), (6, 7)], [(14, 14), (11, 12)]).map(|(rows, columns)| grid(rows, columns));
    check_threads(&[hamiltonian_cycles(&square), simple_paths(&board)]);
}

#[test]
fn a_count_beyond_128_bits_is_an_overflow() {
    check_overflow(&hamiltonian_cycles(&grid(6, 200)));
}

#[test]
fn a_count_beyond_64_bits_is_never_wrapped() {
    let full = (14, 14, 11_826_709_060_214_734_840);
    let (rows, columns, wrapped) = sized((6, 40, 3_309_720_415_863_581_694), full);
    check_never_wrapped(rows, columns, wrapped);
}

/// Numbers outgrow each width in another cell of each board, by another of the additions.
#[test]
fn counts_of_any_width_agree_with_hashing() {
    let mut most_bits = 0;
    for (name, problem, _) in PROBLEMS {
        for (rows, columns) in [(90, 3), (61, 4), (3, 60), (46, 5), (37, 6), (5, 40)] {
            let board = grid(rows, columns);
            // Two neighbours at a long side, so that all cells can still be visited.
            let beside = if rows > columns { (1, columns - 1) } else { (0, columns - 2) };
            let fewer = board.clone().with_obstacle(0, columns - 1);
            let fewer = fewer.with_obstacle(beside.0, beside.1);
            for board in [board, fewer] {
                let problem = problem(&board);
                let hash = Sweep::new(&problem).count_natural();
                let dense = Sweep::new(&problem).dense().count_natural();
                assert_eq!(hash.total(), dense.total(), "{name} on\n{board}");
                let bits = hash.total().map(Natural::bits).expect("no limit");
                assert!(bits > 0, "no {name} on\n{board}");
                most_bits = most_bits.max(bits);
            }
        }
    }
    assert!(most_bits > 128, "{most_bits} bits");
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
    let (side, at) = sized((12, 60), (14, 90));
    check_cancelling_within_a_cell(side, at);
}

#[test]
fn counts_modulo_a_number_agree_with_hashing() {
    // There are 575,780,564 paths.
    let paths = simple_paths(&grid(7, 7));
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
        dense.total().map(|remainders| remainders[0])
    );
}

/// Returns a path that enters the first cell from outside and has two ways to leave each cell. So
/// there are 2 to the `cells` solutions, and half of them end at each of the two plugs.
fn forked_path(cells: usize) -> Board {
    let mut path = Board::of_cells(2, vec![(0, CellRule::visited(true, true)); cells]);
    path.cells[0].1.entrance = Some((Side::Low, Symbol::Open));
    path
}

/// Returns 2 to the `exponent`.
fn power_of_two(exponent: usize) -> Natural {
    (0..exponent).fold(Natural::from(1_u64), |power, _| &power + &power)
}

#[test]
fn an_overflow_of_the_final_sum_leads_to_wider_numbers() {
    for cells in [62, 63, 64, 65, 127, 128, 129, 192, 256] {
        let (path, expected) = (forked_path(cells), power_of_two(cells));
        assert_eq!(Sweep::new(&path).dense().count_natural().total(), Some(&expected), "{cells}");
        assert_eq!(Sweep::new(&path).count_natural().total(), Some(&expected), "{cells}");
        let (hash, dense) = (Sweep::new(&path).count(), Sweep::new(&path).dense().count());
        let expected = u128::try_from(&expected).ok();
        assert_eq!((hash.exact(), dense.exact()), (expected, expected), "{cells}");
        let stop = if expected.is_some() { Stop::Exhausted } else { Stop::CountOverflow };
        assert_eq!((hash.stop(), dense.stop()), (stop, stop), "{cells}");
    }
}

#[test]
fn a_loop_that_closes_before_a_cell_that_must_be_visited_is_no_solution() {
    let begins = CellRule::visited(true, true);
    let closes = CellRule { closing: Closing::Last, ..CellRule::visited(false, false) };
    let skipped = CellRule { skip: true, ..closes };
    for (last, expected) in [(skipped, 1), (closes, 0)] {
        let cells = [begins, skipped, last].map(|rule| (0, rule)).to_vec();
        let list = Board::of_cells(2, cells);
        assert_eq!(Sweep::new(&list).count().exact(), Some(expected));
        assert_eq!(Sweep::new(&list).dense().count().exact(), Some(expected));
    }
}

#[test]
fn boards_of_isolated_cells_of_one_colour_have_no_solution() {
    // The colour balance grows far beyond the number of plugs.
    let line = |odd| (0..40).map(move |column| if column % 2 == odd { '.' } else { '*' });
    let board: String = line(0).chain(['\n']).chain(line(1)).chain(['\n']).collect();
    let board: Grid = board.parse().expect("a board");
    for problem in [hamiltonian_cycles, hamiltonian_paths, two_factors] {
        let problem = problem(&board);
        assert_eq!((by_hash(&problem), by_rank(&problem)), (0, 0));
    }
}

#[test]
fn a_final_sum_beyond_4096_bits_is_an_overflow() {
    let path = forked_path(4095);
    let outcome = Sweep::new(&path).dense().count_natural();
    assert_eq!(outcome.total(), Some(&power_of_two(4095)));
    // Each of the two words of the last layer has the value 2 to the 4095.
    let path = forked_path(4096);
    let outcome = Sweep::new(&path).dense().count_natural();
    assert_eq!((outcome.total(), outcome.stop()), (None, Stop::CountOverflow));
}

#[test]
fn remainders_that_are_all_equal_are_not_zero() {
    let modulo = Modulo::new([97, 89]).expect("not 0");
    for (rows, columns, expected) in [(2, 2, 1), (4, 4, 6), (4, 5, 14)] {
        let cycles = hamiltonian_cycles(&grid(rows, columns));
        let outcome = Sweep::new(&cycles).dense().count_moduli(&modulo);
        assert_eq!(outcome.total(), Some(&[expected; 2]));
        assert_eq!(outcome.report().solutions(), 1);
    }
}

/// The number of words of each table in the middle rows of the 8 by 8 board, for Hamiltonian
/// cycles: Motzkin words of nine plugs that obey the rules of the contour, without second twins.
const WORDS: u64 = 228;

#[test]
fn a_state_limit_of_a_dense_sweep_is_exact() {
    let cycles = hamiltonian_cycles(&grid(8, 8));
    let count = |states| Sweep::new(&cycles).limits(Limits::new().states(states)).dense().count();
    assert_eq!(count(WORDS).exact(), Some(4_638_576));
    for states in [0, 1, 100, WORDS - 1] {
        let outcome = count(states);
        assert_eq!((outcome.stop(), outcome.exact()), (Stop::StateLimit, None), "{states}");
    }
    let error = count(WORDS - 1).complete().expect_err("too few states");
    assert_eq!((error.cell(), error.states()), (Some(8), Some(WORDS)));
}

#[test]
fn peak_bytes_of_a_dense_sweep_include_two_tables_and_observe_the_limit() {
    let cycles = hamiltonian_cycles(&grid(8, 8));
    let limit = 1 << 20;
    let outcome = Sweep::new(&cycles).limits(Limits::new().memory(limit)).dense().count();
    assert_eq!(outcome.exact(), Some(4_638_576));
    let peak = outcome.report().peak_bytes().expect("a sweep");
    assert!((2 * 8 * WORDS..=limit).contains(&peak), "{peak}");
}

#[test]
fn needed_bytes_are_those_of_the_largest_table_or_of_two_tables_with_threads() {
    let cycles = hamiltonian_cycles(&grid(8, 8));
    let sweep = || Sweep::new(&cycles).limits(Limits::new().memory(1000));
    let error = sweep().dense().count().complete().expect_err("too little memory");
    assert_eq!((error.stop(), error.needed_bytes()), (Stop::MemoryLimit, Some(8 * WORDS)));
    assert!(error.to_string().contains("the largest ones need at least 1824 "), "{error}");
    let error = sweep().threads(2).dense().count().complete().expect_err("too little memory");
    assert_eq!(error.needed_bytes(), Some(2 * 8 * WORDS));
    // Remainders have 32 bits if all moduli do.
    for (moduli, bytes) in [([97, 89], 8), ([97, 1 << 32], 16)] {
        let modulo = Modulo::new(moduli).expect("not 0");
        let outcome = sweep().dense().count_moduli(&modulo);
        let error = outcome.complete().expect_err("too little memory");
        assert_eq!(error.needed_bytes(), Some(bytes * WORDS));
    }
    // Only the last table has two words: one word of each other table stands for its twin.
    let path = forked_path(4);
    let sweep = Sweep::new(&path).limits(Limits::new().memory(1));
    let error = sweep.dense().count().complete().expect_err("too little memory");
    assert_eq!((error.cell(), error.needed_bytes()), (Some(0), Some(2 * 8)));
}

#[test]
fn contours_of_up_to_31_plugs_have_dense_tables() {
    for plugs in [4, 16, 17, 20, 30, 31, 32] {
        let strands = simple_cycles(&grid(3, 3));
        let watched = Watched { strands, higher: plugs - 4, asked: &|_| {} };
        let outcome = Sweep::new(&watched).dense().count();
        let expected = if plugs <= 31 { Some(13) } else { None };
        assert_eq!(outcome.exact(), expected, "{plugs} plugs");
        let stop = if plugs <= 31 { Stop::Exhausted } else { Stop::StateTooWide };
        assert_eq!(outcome.stop(), stop, "{plugs} plugs");
    }
}

/// The cells cannot be coloured like those of a chessboard.
#[test]
fn boards_whose_cells_form_a_triangle_are_counted() {
    let rule = |low, high| CellRule { closing: Closing::Any, ..CellRule::visited(low, high) };
    // Each cell is a neighbour of the two others.
    let cells = vec![(0, rule(true, true)), (1, rule(true, false)), (0, rule(false, false))];
    let triangle = Board::of_cells(3, cells);
    assert_eq!(by_hash(&triangle), 1);
    assert_eq!(Sweep::new(&triangle).dense().count().exact(), Some(1));
}
