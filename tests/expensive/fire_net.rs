//! Fire-net: tree sizes, all settings, and every pruning on all small boards and on random ones.

use proptest::prelude::*;

use crate::shared::fire_net::{
    EMPTY_BOARDS, audit_all_boards, audit_every_inference, boards, check_all_boards_cell_by_cell,
    check_all_boards_without_bound, check_combinations_of_settings, check_every_pruning,
    check_tree_sizes,
};

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn tree_sizes_of_empty_boards() {
    check_tree_sizes(&EMPTY_BOARDS);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn every_combination_of_settings_proves_the_same() {
    check_combinations_of_settings(5, 6);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn all_small_boards() {
    check_all_boards_without_bound(4, 4);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn all_small_boards_cell_by_cell() {
    check_all_boards_cell_by_cell(3, 4);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn each_inference_keeps_what_is_attainable_at_every_node_of_all_small_boards() {
    audit_all_boards(3, 4, 1000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    #[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
    fn random_boards_with_bunkers(board in boards(12)) {
        check_every_pruning(&board).map_err(TestCaseError::fail)?;
    }

    #[test]
    #[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
    fn each_inference_keeps_what_is_attainable_at_every_node(board in boards(12), seed: u64) {
        audit_every_inference(&board, seed).map_err(TestCaseError::fail)?;
    }
}
