//! Tables of the articles, by bundled comparisons.

use crate::shared::bundled::{check_estimates, compare_large_boards, nodes};

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn what_is_too_large_is_estimated() {
    check_estimates(20_000, 10_000, 0.05);
}

/// The two large boards with the prunings that make them small.
#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn rocket_mania_table_4_of_the_large_boards() {
    let comparison = compare_large_boards(2);
    assert_eq!(
        nodes(&comparison),
        [[1_133_036, 9989, 9989, 82, 73], [438_714, 115_761, 115_282, 6210, 4091]]
    );
}
