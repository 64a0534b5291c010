//! Dense sweeps of large boards, and state codes that fill their words.

use proptest::prelude::*;
use secateurs_problems::catalogue::{hamiltonian_cycles, simple_paths};

use crate::shared::dense_sweeps::{
    SMALL, boards, by_rank, check_by_brute_force, check_cancelling_within_a_cell, check_known,
    check_never_wrapped, check_overflow, check_threads, digits,
};
use crate::shared::parentheses::{actions, agree_to_the_last_plug};
use crate::support::problems::grid;

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn problems_on_strands_match_the_known_counts() {
    check_known(usize::MAX, by_rank);
    assert_eq!(digits(&simple_paths(&grid(14, 14))), "69450664761521361664274701548907358996488");
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn any_number_of_threads_counts_the_same() {
    check_threads(&[hamiltonian_cycles(&grid(14, 14)), simple_paths(&grid(11, 12))]);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn overflowing_counts_are_not_exact() {
    check_overflow(&simple_paths(&grid(14, 14)));
    check_overflow(&hamiltonian_cycles(&grid(6, 200)));
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn counts_beyond_64_bits_never_wrap() {
    check_never_wrapped(14, 14, 11_826_709_060_214_734_840);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn cancellation_is_noticed_within_a_cell() {
    check_cancelling_within_a_cell(14, 90);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    #[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
    fn dense_sweeps_agree_with_brute_force(grid in boards(SMALL)) {
        check_by_brute_force(&grid)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    #[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
    fn codes_agree_up_to_the_last_plug_of_the_word(actions in actions(150)) {
        agree_to_the_last_plug(&actions);
    }
}
