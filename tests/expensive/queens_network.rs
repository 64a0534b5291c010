//! n-queens as a constraint network: more counts, larger boards.

use proptest::prelude::*;
use secateurs::csp::SmallestDomain;
use secateurs::problems::queens::QueensBoard;

use crate::shared::queens_network::{
    check_completions, check_every_level_and_order, completions, first,
};

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn known_counts_at_every_level_in_every_order() {
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
    fn completions_are_what_bit_masks_find(board in completions(10)) {
        check_completions(&board)?;
    }
}
