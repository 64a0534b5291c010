//! n-queens as a constraint network: larger boards than in the default tests.

use proptest::prelude::*;
use secateurs_csp::SmallestDomain;
use secateurs_problems::queens::QueensBoard;

use crate::shared::queens_network::{
    check_completions, check_every_level_and_order, completions, first,
};

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn all_levels_and_orders_match_the_known_counts() {
    check_every_level_and_order(10);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn the_largest_boards_are_solved() {
    assert!(first(2000, SmallestDomain::first_tie()) >= 2000);
    assert!(
        first(QueensBoard::MAX_SIZE, SmallestDomain::first_tie()) >= QueensBoard::MAX_SIZE as u64
    );
}

proptest! {
    #[test]
    #[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
    fn completions_match_the_bit_mask_model(board in completions(10)) {
        check_completions(&board)?;
    }
}
