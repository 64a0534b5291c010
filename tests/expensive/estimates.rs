//! Estimates of the sizes of random trees.

use crate::shared::estimates::{check_profiles, check_standard_errors};

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn confidence_intervals_cover_the_sizes_of_random_trees() {
    check_standard_errors(6, 2_000);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn estimated_levels_match_the_tree() {
    check_profiles(20);
}
