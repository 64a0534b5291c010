//! n-queens as a constraint network: the exact trees of the programs of the article that
//! [`secateurs_problems::queens`] describes, known counts at every level of propagation and in
//! every order, first solutions of large boards, and completions compared with the bit-mask model.

use proptest::prelude::*;
use secateurs::Search;
use secateurs_csp::{
    Ascending, Assignment, Branching, CentreOut, InputOrder, Model, Network, Propagate,
    SmallestDomain, SwappedOrder, VariableOrder,
};
use secateurs_problems::queens::{Effort, Queens, QueensBoard};

use crate::shared::known::QUEENS;
use crate::shared::queens_network::{
    SOLUTIONS, check_completions, check_every_level_and_order, completions, count, first, network,
};
use crate::support::propagation::LEVELS;
use crate::support::sizes::sized;

/// Counts the placements and the excluded squares of the article's program, which does not test
/// whether a row has no squares left.
fn article_program(n: usize, rows: impl VariableOrder<Network>) -> (u64, u64) {
    let (network, effort) = (network(n), Effort::new());
    let outcome = Search::new(&network)
        .hooks((effort.excludes_hook(), Propagate::forward().without_wipe_out_test()))
        .brancher(Branching::new(rows, Ascending))
        .count();
    assert_eq!(outcome.exact(), Some(SOLUTIONS[n]), "n = {n}");
    assert_eq!(outcome.report().hooks()[0].stats(), [("squares".to_owned(), effort.excludes())]);
    (outcome.report().nodes() - 1, effort.excludes())
}

/// Checks the sizes of boards of up to `largest` columns.
fn check_published_sizes(largest: usize) {
    for [n, _, placed, _, _, excluded, first_placed, last_placed, last_excluded] in QUEENS {
        let n = n as usize;
        if n > largest {
            break;
        }
        let (first, last) = (SwappedOrder::first_tie(), SwappedOrder::last_tie());
        assert_eq!(article_program(n, InputOrder), (placed, excluded), "fixed order, n = {n}");
        assert_eq!(article_program(n, first).0, first_placed, "first tie, n = {n}");
        assert_eq!(article_program(n, last), (last_placed, last_excluded), "last tie, n = {n}");
    }
}

#[test]
fn the_articles_programs_have_the_published_sizes() {
    check_published_sizes(sized(10, 12));
}

#[test]
fn every_level_and_order_finds_the_known_counts() {
    check_every_level_and_order(sized(8, 10));
}

#[test]
fn every_level_finds_the_known_counts_to_12() {
    for (n, solutions) in (0..).zip(SOLUTIONS).skip(10) {
        let cover = Queens::new(n).expect("a small board").cover();
        assert_eq!(Search::new(cover.cover()).count().exact(), Some(solutions), "cover, n = {n}");
        let network = network(n);
        // Backward checking is by far the slowest.
        for level in LEVELS.into_iter().skip(usize::from(n > 10)) {
            let order = Branching::new(SmallestDomain::first_tie(), Ascending);
            assert_eq!(
                count(&network, Propagate::new(level), order).0,
                Some(solutions),
                "n = {n}, {level:?}"
            );
        }
    }
}

/// Those with the smallest domain first come from an independent program that counts the queens
/// attacking each square.
#[test]
fn first_solutions_take_the_known_placements() {
    for (n, swapped, smallest) in [
        (40, 5_073, 5_216),
        (60, 9_668, 517),
        (100, 102, 103),
        (200, 207, 200),
        (300, 301, 328),
        (500, 503, 500),
        (1000, 1_015, 1_047),
    ] {
        assert_eq!(first(n, SwappedOrder::first_tie()), swapped, "n = {n}");
        assert_eq!(first(n, SmallestDomain::first_tie()), smallest, "n = {n}");
        // Reflection upside down exchanges the first tie and the last one.
        assert_eq!(first(n, SmallestDomain::last_tie()), smallest, "n = {n}");
    }
}

#[test]
fn solutions_of_other_boards_do_not_complete_a_board() {
    let empty = QueensBoard::new(4).expect("a small board");
    let network = empty.network();
    let search = Search::new(&network).hooks((Propagate::forward(),)).extract(Assignment::of);
    let given = empty.clone().with_queen(0, 1).expect("a square of the board");
    let completed: Vec<bool> =
        search.solutions().map(|solution| given.completed(&solution).is_some()).collect();
    assert_eq!(completed, [true, false]);
    // A model without constraints, whose solutions have queens that attack each other.
    let mut model = Model::new();
    model.variables(4, 0..1).expect("a small model");
    let first = Search::new(&model.build()).extract(Assignment::of).first();
    assert_eq!(first.solution().map(|solution| empty.completed(solution)), Some(None));
}

#[test]
fn excludes_are_counted_for_given_queens_too() {
    // The search places the given queen as well.
    let board: QueensBoard = ".Q..\n....\n....\n....\n".parse().expect("a board");
    let (network, effort) = (board.network(), Effort::new());
    let outcome = Search::new(&network)
        .hooks((effort.excludes_hook(), Propagate::forward().without_wipe_out_test()))
        .count();
    assert_eq!(outcome.exact(), Some(1));
    // The squares attacked in the rows below, including those that are excluded already: (0, 1)
    // attacks 3, 2 and 1 squares of them, (1, 3) 2 and 2, and (2, 0) 2.
    assert_eq!(effort.excludes(), 3 + 2 + 1 + 2 + 2 + 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(16, 256)))]

    #[test]
    fn completions_agree_with_bit_masks_and_cover(board in completions(sized(7, 10))) {
        check_completions(&board)?;
    }
}

proptest! {
    #[test]
    fn random_queens_do_not_attack_each_other(n in 0usize..=40, count in 0usize..=50, seed: u64) {
        let board = QueensBoard::random(n, count, seed).expect("a small board");
        prop_assert_eq!(board.attack(), None);
        prop_assert!(board.queens().len() <= count.min(n));
        prop_assert_eq!(&board, &QueensBoard::random(n, count, seed).expect("a small board"));
        // There are fewer than requested only if no square is left.
        if board.queens().len() < count {
            for square in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
                if !board.queens().contains(&square) {
                    let more = board.clone().with_queen(square.0, square.1);
                    let more = more.expect("a square of the board");
                    prop_assert!(more.attack().is_some(), "{:?} is free", square);
                }
            }
        }
    }
}

#[test]
fn random_queens_reach_every_square() {
    let mut reached = [false; 16];
    for seed in 0..200 {
        let board = QueensBoard::random(4, 1, seed).expect("a small board");
        let (row, column) = board.queens()[0];
        reached[4 * row + column] = true;
    }
    assert_eq!(reached, [true; 16]);
}

#[test]
fn levels_above_backward_checking_decide_large_completions() {
    for seed in 0..6 {
        let board = QueensBoard::random(24, 8, seed).expect("a small board");
        let decided = |level| {
            let network = board.network();
            let order = Branching::new(SmallestDomain::first_tie(), CentreOut);
            Search::new(&network).hooks((Propagate::new(level),)).brancher(order).exists().exists()
        };
        let expected = Search::new(&board.bits().expect("at most 64 columns")).exists().exists();
        assert!(expected.is_some());
        for level in &LEVELS[1..] {
            assert_eq!(decided(*level), expected, "seed {seed}, {level:?}");
        }
    }
}
