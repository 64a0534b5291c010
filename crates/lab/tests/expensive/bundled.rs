//! The tables of the articles, reproduced by bundled comparisons.

use crate::shared::bundled::{check_estimates, compare_large_boards, nodes};

#[test]
#[ignore = "expensive: cargo test --release -p secateurs-lab --test expensive -- --ignored"]
fn trees_beyond_the_limit_are_estimated() {
    check_estimates(20_000, 10_000, 0.05);
}

/// The two large boards, with the prunings that make their trees small.
#[test]
#[ignore = "expensive: cargo test --release -p secateurs-lab --test expensive -- --ignored"]
fn rocket_mania_reproduces_table_4_for_large_boards() {
    let comparison = compare_large_boards(2);
    assert_eq!(
        nodes(&comparison),
        [[1_133_036, 9989, 9989, 82, 73], [438_714, 115_761, 115_282, 6210, 4091]]
    );
}
