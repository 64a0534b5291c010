//! Rocket Mania: the table of the paper for all boards, threads, and more random boards.

use proptest::prelude::*;

use crate::shared::rocket_mania::{
    agrees_with_brute_force, check_threads, expanded, games, paper, plain, small,
};

/// Table 4 of the paper, boards 1 to 6.
#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn prunings_1_and_2_reproduce_table_4() {
    let counts: Vec<u64> = paper().iter().map(|case| expanded(&plain("1,2"), case)).collect();
    assert_eq!(counts, [55, 8758, 1_133_036, 55, 2, 438_714]);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn threads_do_not_change_the_answer() {
    check_threads(&paper()[5]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    #[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
    fn all_prunings_agree_with_brute_force(board in small(9)) {
        for case in games(&board) {
            agrees_with_brute_force(&case)?;
        }
    }
}
