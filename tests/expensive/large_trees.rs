//! Deep, wide and large trees: mazes, combs and semigroups.

use crate::shared::combs::check_combs;
use crate::shared::maze::check_large_mazes;
use crate::shared::semigroups::check_counts_by_genus;

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn large_mazes_need_no_deep_recursion() {
    check_large_mazes(1000);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn wide_and_deep_combs_are_searched() {
    check_combs(&[(1_000_000, 1), (2, 1_000_000), (1_000, 1_000)]);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn semigroups_match_the_known_counts() {
    check_counts_by_genus(25);
}
