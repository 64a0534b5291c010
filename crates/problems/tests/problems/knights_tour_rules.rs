//! Rules of knight's tours: compared with a hand-written walk, and run from every start of square
//! boards.
//!
//! Longer tests:
//! `FULL=1 cargo test --release --test problems -- --include-ignored knights_tour_rules::`.

use secateurs::Search;
use secateurs_problems::knights_tour::{KnightsTour, Rule};

use crate::shared::knights_tour::{board, check_square_boards, check_walks, solve_every_start};
use crate::support::sizes::sized;

#[test]
fn every_start_of_square_boards_is_solved() {
    let (by_default, by_any) = sized((9, 6), (20, 8));
    check_square_boards(by_default, by_any);
}

/// Of the starts of 5×5 that have a tour, this one takes the most nodes.
#[test]
fn the_plain_search_of_5x5_takes_the_documented_nodes() {
    let tour = KnightsTour::open(board(5, 5)).starting_at(1, 1).expect("on the board");
    let outcome = Search::new(&tour).brancher(Rule::Plain.brancher()).first();
    assert_eq!((outcome.solution().is_some(), outcome.report().nodes()), (true, 781_420));
}

/// `cargo test --release --test problems -- --ignored --nocapture rules_solve`
#[test]
#[ignore = "takes half a minute in release mode"]
fn rules_solve_every_start_to_40x40() {
    let others = [Rule::Warnsdorff, Rule::Successor, Rule::SuccessorFarthest, Rule::Pohl];
    for rule in [Rule::default()].into_iter().chain(others) {
        println!("{}", solve_every_start(5..=40, rule));
    }
}

#[test]
fn rules_agree_with_a_hand_written_walk() {
    let (side, least) = sized((8, 100), (14, 1000));
    check_walks(5..=side, least);
}
