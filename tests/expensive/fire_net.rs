//! Fire-net: tree sizes, all combinations of bound and branching, and every pruning on all small
//! boards and on random boards.

use proptest::prelude::*;

use crate::shared::fire_net::{
    EMPTY_BOARDS, audit_all_boards, audit_every_inference, boards, check_all_boards_cell_by_cell,
    check_all_boards_without_bound, check_combinations_of_settings, check_every_pruning,
    check_tree_sizes,
};

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn empty_boards_have_the_known_tree_sizes() {
    check_tree_sizes(&EMPTY_BOARDS);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn all_combinations_of_bound_and_branching_prove_the_optimum() {
    check_combinations_of_settings(5, 6);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn all_small_boards_are_solved_without_bound() {
    check_all_boards_without_bound(4, 4);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn all_small_boards_are_solved_cell_by_cell() {
    check_all_boards_cell_by_cell(3, 4);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn no_inference_loses_the_optimum_of_a_node_of_any_small_board() {
    let min_inferred_bunkers = 1000;
    audit_all_boards(3, 4, min_inferred_bunkers);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    #[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
    fn every_pruning_keeps_the_optimum_of_random_boards(board in boards(12)) {
        check_every_pruning(&board).map_err(TestCaseError::fail)?;
    }

    #[test]
    #[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
    fn no_inference_loses_the_optimum_of_a_node(board in boards(12), seed: u64) {
        audit_every_inference(&board, seed).map_err(TestCaseError::fail)?;
    }
}
