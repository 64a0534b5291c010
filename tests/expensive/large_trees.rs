//! Trees that are very deep, wide or numerous: mazes, combs and semigroups.

use crate::shared::combs::check_combs;
use crate::shared::maze::check_large_mazes;
use crate::shared::semigroups::check_numbers;

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn large_mazes_without_deep_recursion() {
    check_large_mazes(1000);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn many_open_nodes_and_many_steps_down() {
    check_combs(&[(1_000_000, 1), (2, 1_000_000), (1_000, 1_000)]);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn semigroups_of_each_genus_are_as_many_as_are_known() {
    check_numbers(25);
}
