//! Rules of knight's tours: compared with a hand-written walk, and run from every start of square
//! boards.
//!
//! Longer tests:
//! `cargo test --release --test problems -- --ignored --nocapture knights_tour_rules::`.

use secateurs::{Limits, Search};
use secateurs_problems::knights_tour::{KnightsTour, Rule};

use crate::shared::knights_tour::{board, check_square_boards, check_walks, solve_every_start};

#[test]
fn every_start_of_square_boards_is_solved() {
    check_square_boards(9, 6);
}

/// Of the starts of 5×5 that have a tour, this one takes the most nodes.
#[test]
fn the_plain_search_of_5x5_takes_the_documented_nodes() {
    let tour = KnightsTour::open(board(5, 5)).starting_at(1, 1).expect("on the board");
    let outcome = Search::new(&tour).brancher(Rule::Plain.brancher()).first();
    assert_eq!((outcome.solution().is_some(), outcome.report().nodes()), (true, 781_420));
}

/// `cargo test --release --test problems -- --ignored --nocapture the_default_rule_solves`
#[test]
#[ignore = "takes some seconds in release mode"]
fn the_default_rule_solves_every_start_to_40x40() {
    println!("{}", solve_every_start(5..=40, Rule::default()));
}

/// `cargo test --release --test problems -- --ignored --nocapture other_rules_solve`
#[test]
#[ignore = "takes half a minute in release mode"]
fn other_rules_solve_every_start_to_40x40() {
    for rule in [Rule::Warnsdorff, Rule::Successor, Rule::SuccessorFarthest, Rule::Pohl] {
        println!("{}", solve_every_start(5..=40, rule));
    }
}

/// Checks the table in the documentation of [`Rule`]:
/// `cargo test --release --test problems -- --ignored knights_tour_rules::nodes_of_rules`
#[test]
#[ignore = "takes half a minute in release mode"]
fn nodes_of_rules_without_hooks_match_the_documentation() {
    let table = Rule::ALL[1..].iter().map(|rule| {
        // By number of nodes: one per square, at most two, at most a hundred, more.
        let mut starts = [0; 4];
        for side in 5..=40 {
            let board = board(side, side);
            for square in board.squares().filter(|&square| side % 2 == 0 || board.is_dark(square)) {
                let (row, column) = (board.row(square), board.column(square));
                let tour = KnightsTour::open(board).starting_at(row, column).expect("on the board");
                let squares = board.len() as u64;
                let limits = Limits::new().nodes(100 * squares);
                let outcome = Search::new(&tour).brancher(rule.brancher()).limits(limits).exists();
                let class = match (outcome.exists(), outcome.report().nodes()) {
                    (Some(true), nodes) if nodes == squares => 0,
                    (Some(true), nodes) if nodes <= 2 * squares => 1,
                    (Some(true), _) => 2,
                    _ => 3,
                };
                starts[class] += 1;
            }
        }
        assert_eq!(starts.iter().sum::<u32>(), 16_794);
        starts
    });
    let expected = [
        [15982, 122, 68, 622],
        [16663, 111, 8, 12],
        [16712, 27, 5, 50],
        [15459, 100, 30, 1205],
        [16715, 34, 29, 16],
    ];
    assert_eq!(table.collect::<Vec<_>>(), expected);
}

#[test]
fn rules_agree_with_a_hand_written_walk() {
    check_walks(5..=8, 100);
}
