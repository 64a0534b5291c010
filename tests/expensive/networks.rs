//! Constraint networks: counts of Latin and magic squares, Golomb rulers, wide domains.

use secateurs_csp::Propagation;

use crate::shared::networks::{
    check_large_networks, check_latin_squares, check_nothing_shorter, count_magic_squares,
    latin_squares, squares,
};
use crate::support::propagation::count;

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn latin_squares_match_the_known_counts() {
    check_latin_squares(&[(1, 1), (2, 2), (3, 12), (4, 576)]);
    assert_eq!(count(&latin_squares(5, true), Propagation::Full), Some(161_280));
    assert_eq!(count(&latin_squares(5, false), Propagation::Forward), Some(161_280));
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn magic_squares_of_order_4_are_7040() {
    assert_eq!(count_magic_squares(squares(4)), 7040);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn pruning_by_an_incumbent_does_not_prove_infeasibility() {
    check_nothing_shorter(5, 20, 11);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn wide_domains_and_many_variables_are_searched() {
    check_large_networks(5_000, 100_000);
}
