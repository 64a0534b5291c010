//! Boards whose middle repeats: against sweeps of the whole board, and against published
//! recurrences.

use std::ops::Range;
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use secateurs::plug::algebra::Natural;
use secateurs::plug::{ContourProblem, Repetition, RepetitionError, Sweep};
use secateurs::{Cancel, Limits, Stop};
use secateurs_problems::catalogue::{
    BlackAndWhite, Grid, connected_subsets, domino_tilings, hamiltonian_cycles, hamiltonian_paths,
    independent_sets, monomer_dimer, simple_cycles, simple_paths, spanning_forests, spanning_trees,
    two_factors,
};

use crate::automata::{Automaton, automata};
use crate::shared::sweeps::Steps;
use crate::support::sizes::sized;

fn modulo(repetition: &Repetition, times: u128, modulus: u64) -> u64 {
    let outcome = repetition.count_modulo(times, modulus).expect("a modulus");
    *outcome.total().expect("no limit")
}

proptest! {
    #[test]
    fn counts_and_recurrences_agree_with_sweeps_of_the_whole_board(
        problem in automata(),
        ends in (0_usize..8, 0_usize..8),
        modulus in prop_oneof![1_u64..20, 1_u64.., Just(1 << 32), Just(u64::MAX)],
    ) {
        let ends = [ends.0, ends.1].map(|end| end.min(problem.cells()));
        let repeated = ends[0].min(ends[1])..ends[0].max(ends[1]);
        let repetition = Sweep::new(&problem).repeated(repeated.clone()).expect("cells");
        let function = repetition.generating_function();
        let function = function.total().expect("no limit");
        prop_assert!(function.order() <= repetition.states());
        let terms: Vec<Natural> = function.terms().take(30).collect();
        for (times, term) in terms.iter().enumerate() {
            let whole = Sweep::new(&problem.repeated(repeated.clone(), times)).count_natural();
            let expected = whole.total().cloned().unwrap_or_default();
            prop_assert_eq!(term, &expected, "{} times", times);
            let residue = term.remainder(modulus);
            prop_assert_eq!(Some(modulo(&repetition, times as u128, modulus)), residue);
        }
    }
}

/// Returns a repetition of two rows of boards with this many columns, after two rows and before
/// this many; there are at least as many rows as columns, because a sweep follows the shorter side.
/// Paths and loops are swept in alternating directions, so that only pairs of rows are the same.
fn pairs_of_rows<P: ContourProblem>(
    problem: impl Fn(&Grid) -> P,
    columns: usize,
    last: usize,
) -> Repetition {
    let grid = Grid::new(4 + last, columns).expect("a board");
    let repetition = Sweep::new(&problem(&grid)).repeated(2 * columns..4 * columns);
    repetition.expect("no limit")
}

/// Returns the first numbers of a repetition.
fn first_terms(repetition: &Repetition, number: usize) -> Vec<Natural> {
    let function = repetition.generating_function();
    function.total().expect("no limit").terms().take(number).collect()
}

#[test]
fn rows_of_the_catalogue_agree_with_sweeps_of_longer_boards() {
    fn check<P: ContourProblem>(problem: impl Fn(&Grid) -> P) {
        for (columns, last) in [(2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2)] {
            let terms = first_terms(&pairs_of_rows(&problem, columns, last), 8);
            for (times, term) in terms.into_iter().enumerate() {
                let grid = Grid::new(2 + last + 2 * times, columns).expect("a board");
                let count = Sweep::new(&problem(&grid)).count_natural();
                assert_eq!(term, count.total().cloned().unwrap_or_default(), "{grid}");
            }
        }
    }
    check(domino_tilings);
    check(monomer_dimer);
    check(independent_sets);
    check(spanning_trees);
    check(simple_paths);
    check(simple_cycles);
    check(hamiltonian_paths);
    check(hamiltonian_cycles);
    check(two_factors);
    check(spanning_forests);
    check(connected_subsets);
    check(BlackAndWhite::new);
}

#[test]
fn recurrences_are_those_that_are_published() {
    let rows = |problem: &dyn Fn(&Grid) -> Repetition, columns| {
        let function = problem(&Grid::new(5, columns).expect("a board")).generating_function();
        function.total().map(ToString::to_string)
    };
    // Dominoes on 4 columns: a(n) = a(n-1) + 5 a(n-2) + a(n-3) - a(n-4) (OEIS A005178).
    let dominoes = |grid: &Grid| Sweep::new(&domino_tilings(grid)).repeated(8..12).expect("cells");
    assert_eq!(
        rows(&dominoes, 4).as_deref(),
        Some("(36 + 59x + 6x^2 - 11x^3) / (1 - x - 5x^2 - x^3 + x^4)")
    );
    // Hamiltonian cycles on 4 columns: a(n) = 2 a(n-1) + 2 a(n-2) - 2 a(n-3) + a(n-4) (A006864).
    let function = pairs_of_rows(hamiltonian_cycles, 4, 1).generating_function();
    let every_other: Vec<Natural> = function.total().expect("no limit").terms().take(9).collect();
    let mut published = vec![1_u64, 2, 6, 14];
    for n in 4..30 {
        published
            .push(2 * (published[n - 1] + published[n - 2] - published[n - 3]) + published[n - 4]);
    }
    let published = published[1..].iter().step_by(2).copied().map(Natural::from);
    assert!(published.take(9).eq(every_other));
}

#[test]
fn wider_boards_have_the_published_recurrences_and_numbers() {
    // Dominoes on 6 and 8 columns (A028468, A028470).
    for (columns, recurrence) in [
        (6, "(1 - x - 20x^2 - 10x^3 + 38x^4 + 10x^5 - 20x^6 + x^7 + x^8)"),
        (
            8,
            "(1 - x - 76x^2 - 69x^3 + 921x^4 + 584x^5 - 4019x^6 - 829x^7 + 7012x^8 - \
             829x^9 - 4019x^10 + 584x^11 + 921x^12 - 69x^13 - 76x^14 - x^15 + x^16)",
        ),
    ] {
        let tilings = domino_tilings(&Grid::new(columns + 1, columns).expect("a board"));
        let rows = Sweep::new(&tilings).repeated(2 * columns..3 * columns).expect("cells");
        let function = rows.generating_function().total().map(ToString::to_string);
        let function = function.expect("no limit");
        assert!(function.ends_with(recurrence), "{function}");
    }
    // Hamiltonian cycles on 5 columns: a(n) = 11 a(n-1) + 2 a(n-3) for each two rows (A006865).
    let terms = first_terms(&pairs_of_rows(hamiltonian_cycles, 5, 2), 12);
    let mut published = vec![1_u64, 14, 154];
    for n in 3..13 {
        published.push(11 * published[n - 1] + 2 * published[n - 3]);
    }
    assert!(published[1..].iter().copied().map(Natural::from).eq(terms));
    // Hamiltonian cycles on 6, 7 and 8 columns and 6, 8, 10, 12 rows (A145401, A145416, A145418).
    for (columns, published) in [
        (6, [1_072, 32_675, 1_024_028, 32_463_802]),
        (7, [5_320, 301_384, 17_066_492, 966_656_134]),
        (8, [32_675, 4_638_576, 681_728_204, 102_283_239_429]),
    ] {
        let repetition = pairs_of_rows(hamiltonian_cycles, columns, 4);
        let counts = [0, 1, 2, 3].map(|times| modulo(&repetition, times, u64::MAX));
        assert_eq!(counts, published, "{columns} columns");
    }
}

/// Asserts that the recurrence of least order is a(n) = c₁ a(n − 1) + c₂ a(n − 2) + … with these
/// coefficients, which are those for each row or for each pair of rows.
fn assert_recurrence(repetition: &Repetition, coefficients: &str, is_of_pairs: bool) {
    let number = |text: &str| text.parse::<i128>().expect("128 bits");
    let coefficients = coefficients.split_whitespace().map(|coefficient| -number(coefficient));
    let denominator: Vec<i128> = [1].into_iter().chain(coefficients).collect();
    let order = denominator.len() - 1;
    // If D(x) is the denominator for each row, D(√x) D(−√x) is that for each pair.
    let of_pairs = |power: usize| -> i128 {
        let factor = |at| denominator.get(at).copied().unwrap_or(0);
        let signed = |one| if one % 2 == 0 { factor(one) } else { -factor(one) };
        (0..=power).map(|one| signed(one) * factor(power - one)).sum()
    };
    let expected = match is_of_pairs {
        true => denominator.clone(),
        false => (0..=order).map(|half| of_pairs(2 * half)).collect(),
    };
    let function = repetition.generating_function();
    let function = function.total().expect("no limit");
    let found: Vec<i128> = function.denominator().map(|text| number(&text)).collect();
    assert_eq!(found, expected);
    assert_eq!(function.order(), order, "the first terms obey it");
}

#[test]
fn cycles_on_six_to_eight_columns_have_the_published_recurrences() {
    // On 6 and 8 columns, for each row (A145401, A145418); on 7 columns, which have no cycle of an
    // odd number of rows, for each pair (A145416).
    let of_six = "5 14 -63 12 90 -35 -66 118 -8 -82 42 28 -4 2";
    let of_seven = "\
        85 -1932 20403 -116734 386724 -815141 1251439 -1690670 2681994 -4008954 3390877 \
        -1036420 -178842 92790 17732 -5972 1728 144";
    let of_eight = "\
        16 59 -1824 3898 55218 -243282 -545916 4861689 -2576498 -43488068 94333210 \
        141446298 -752431432 377840445 2789611474 -4656548198 -5258354388 18170944298 3512822542 \
        -45026326037 9980240588 84208620015 -44876200668 -121497215791 102246696772 117755621290 \
        -145213823124 -60571088405 136877858022 3649170978 -100110796416 42689760462 39482359310 \
        -72614614806 27495494908 40732692257 -38863698070 9092063794 5076214026 -9600155591 \
        4294619636 -1463899423 4331661320 -2669382577 -998576578 1722204514 -1646502104 1188567443 \
        -143652474 -380794039 -27735814 132682964 79877148 41238077 -16408310 -42867025 -18129698 \
        4261277 4951334 985598 -103168 -13629 34282 6952 -532 36";
    let known = [(6, of_six), (7, of_seven), (8, of_eight)];
    for (columns, coefficients) in known.into_iter().take(sized(2, 3)) {
        let repetition = pairs_of_rows(hamiltonian_cycles, columns, 4);
        assert_recurrence(&repetition, coefficients, columns == 7);
    }
    // Sets of cycles on 7 columns, for each pair of rows (A145415).
    let of_sets = "171 -5496 56617 -240021 457923 -420254 186912 -37569 2584";
    let repetition = pairs_of_rows(two_factors, 7, 4);
    assert_recurrence(&repetition, of_sets, true);
    let counts = [0, 1, 2, 3].map(|times| modulo(&repetition, times, u64::MAX));
    assert_eq!(counts, [99_051, 13_049_563, 1_729_423_756, 229_435_550_806]);
}

#[test]
fn a_range_beyond_the_cells_is_an_error() {
    let problem = Automaton::complete(3, 2);
    for repeated in [2..4, 4..4, Range { start: 2, end: 1 }] {
        let error = Sweep::new(&problem).repeated(repeated.clone()).expect_err("no such cells");
        assert_eq!(error, RepetitionError::NoSuchCells { repeated, cells: 3 });
    }
    assert!(Sweep::new(&problem).repeated(3..3).is_ok());
    let repetition = Sweep::new(&problem).repeated(0..3).expect("cells");
    assert!(repetition.count_modulo(5, 0).is_err());
}

#[test]
fn limits_stop_the_exploration_and_the_count() {
    let grid = Grid::new(5, 6).expect("a board");
    let problem = hamiltonian_cycles(&grid);
    let stop = |limits: Limits| match Sweep::new(&problem).limits(limits).repeated(12..18) {
        Err(RepetitionError::Stopped(incomplete)) => Some(incomplete.stop()),
        _ => None,
    };
    assert_eq!(stop(Limits::new().states(10)), Some(Stop::StateLimit));
    assert_eq!(stop(Limits::new().memory(2_000)), Some(Stop::MemoryLimit));
    assert_eq!(stop(Limits::new().nodes(50)), Some(Stop::NodeLimit));
    assert_eq!(stop(Limits::new()), None);
    // As in a sweep, an error names the cell and the states of its layer.
    let message = |limits: Limits| {
        let error = Sweep::new(&problem).limits(limits).repeated(12..18).expect_err("a limit");
        format!("{error}").split(" and layers").next().map(str::to_owned)
    };
    let swept = |limits: Limits| {
        let error = Sweep::new(&problem).limits(limits).count().complete().expect_err("a limit");
        format!("{error}").split(" and layers").next().map(str::to_owned)
    };
    for limits in [Limits::new().states(5), Limits::new().nodes(30), Limits::new().depth(7)] {
        assert_eq!(message(limits.clone()), swept(limits));
    }

    let cancel = Cancel::new();
    let sweep = Sweep::new(&problem).limits(Limits::new().cancel(&cancel));
    let repetition = sweep.repeated(12..18).expect("not cancelled");
    cancel.cancel();
    let outcome = repetition.count_modulo(u128::MAX, 1_000_000_007).expect("a modulus");
    assert_eq!((outcome.total(), outcome.stop()), (None, Stop::Cancelled));
    let outcome = repetition.generating_function();
    assert_eq!((outcome.total(), outcome.stop()), (None, Stop::Cancelled));
}

#[test]
fn a_state_that_grows_ends_at_the_limit_of_states() {
    let rows = Steps::new(1, 0_u64, |_, rows, emit| emit(rows + 1, ()));
    let stopped = Sweep::new(&rows).limits(Limits::new().states(1000)).repeated(0..1);
    let Err(RepetitionError::Stopped(incomplete)) = stopped else { panic!("no end of states") };
    assert_eq!(incomplete.stop(), Stop::StateLimit);
}

#[test]
fn the_time_of_an_exploration_includes_the_counts() {
    let (time, row) =
        (Duration::from_secs(1), independent_sets(&Grid::new(1, 1).expect("a board")));
    let repetition = Sweep::new(&row).limits(Limits::new().time(time)).repeated(0..1);
    let repetition = repetition.expect("enough time");
    thread::sleep(time);
    let outcome = repetition.count_modulo(u128::MAX, 1_000_000_007).expect("a modulus");
    assert_eq!((outcome.total(), outcome.stop()), (None, Stop::TimeLimit));
    assert_eq!(repetition.generating_function().stop(), Stop::TimeLimit);
}

#[test]
fn the_limit_of_states_holds_before_the_first_cell() {
    let ring = Steps::new(1, 0_u32, |_, state, emit| emit((state + 1) % 100, ()));
    let explored = |limit| Sweep::new(&ring).limits(Limits::new().states(limit)).repeated(0..1);
    assert_eq!(explored(100).expect("100 states").states(), 100);
    let Err(RepetitionError::Stopped(incomplete)) = explored(99) else { panic!("100 states") };
    assert_eq!(incomplete.stop(), Stop::StateLimit);
}
