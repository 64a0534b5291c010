//! Estimates of the sizes of random trees.

use crate::shared::estimates::{check_power_laws, check_profiles, check_standard_errors};

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

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored --nocapture power_laws"]
fn reliable_estimates_of_trees_of_power_laws_cover_the_size() {
    check_power_laws(12, 3);
}
