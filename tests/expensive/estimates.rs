//! Estimates of random trees.

use crate::shared::estimates::{check_profiles, check_standard_errors};

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn standard_errors_are_honest_on_random_trees() {
    check_standard_errors(6, 2_000);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn the_profile_is_that_of_the_tree() {
    check_profiles(20);
}
