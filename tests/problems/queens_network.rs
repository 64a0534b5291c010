//! n-queens as a constraint network: the article's programs to the node, known counts at every
//! level and in every order, first solutions of large boards, and completions against the bit-mask
//! model.

use proptest::prelude::*;
use secateurs::Search;
use secateurs::csp::{
    Ascending, Assignment, Branching, CentreOut, InputOrder, Model, Propagate, Propagation,
    SmallestDomain, SwappedOrder, VariableOrder,
};
use secateurs::problems::queens::{Effort, Queens, QueensBoard};

use crate::shared::queens_network::{
    SOLUTIONS, all_orders, check_completions, check_every_level_and_order, completions, count,
    first, network,
};
use crate::support::propagation::LEVELS;

/// n; in fixed order: placements, squares excluded; smallest domain first: placements by the first
/// tie, placements and squares excluded by the last.
const ARTICLE: [(usize, u64, u64, u64, u64, u64); 9] = [
    (4, 16, 60, 16, 16, 61),
    (5, 53, 216, 53, 52, 211),
    (6, 152, 824, 120, 114, 698),
    (7, 551, 3_224, 393, 381, 2_312),
    (8, 2_056, 13_510, 1_338, 1_309, 8_916),
    (9, 8_393, 59_876, 5_351, 5_200, 37_386),
    (10, 35_538, 277_654, 20_025, 19_652, 158_971),
    (11, 166_925, 1_395_876, 86_316, 84_233, 717_492),
    (12, 856_188, 7_530_546, 416_988, 400_505, 3_516_394),
];

/// Placements and squares excluded of the article's program: no test whether a row has no square
/// left.
fn program(n: usize, rows: impl VariableOrder) -> (u64, u64) {
    let (network, effort) = (network(n), Effort::new());
    let outcome = Search::new(&network)
        .hooks((effort.excludes_hook(), Propagate::forward().without_wipe_out_test()))
        .brancher(Branching::new(rows, Ascending))
        .count();
    assert_eq!(outcome.exact(), Some(SOLUTIONS[n]), "n = {n}");
    assert_eq!(outcome.report().hooks()[0].stats(), [("squares".to_owned(), effort.excludes())]);
    (outcome.report().nodes() - 1, effort.excludes())
}

#[test]
fn the_articles_programs_to_the_node() {
    for (n, placed, exclude, first, last, excludes) in
        ARTICLE.into_iter().take_while(|row| row.0 <= 10)
    {
        assert_eq!(program(n, InputOrder), (placed, exclude), "fixed order, n = {n}");
        assert_eq!(program(n, SwappedOrder::first_tie()).0, first, "first tie, n = {n}");
        assert_eq!(program(n, SwappedOrder::last_tie()), (last, excludes), "last tie, n = {n}");
    }
}

/// `cargo test --release --test problems -- --ignored queens_network::the_articles`
#[test]
#[ignore = "seconds; the bench does it as well"]
fn the_articles_programs_to_the_node_to_12() {
    for (n, placed, exclude, first, last, excludes) in ARTICLE {
        assert_eq!(program(n, InputOrder), (placed, exclude), "fixed order, n = {n}");
        assert_eq!(program(n, SwappedOrder::first_tie()).0, first, "first tie, n = {n}");
        assert_eq!(program(n, SwappedOrder::last_tie()), (last, excludes), "last tie, n = {n}");
    }
}

#[test]
fn forward_checking_in_fixed_order_is_plain_backtracking() {
    // What is struck out is not placed: the tree is that of the row-by-row models, and a wiped-out
    // row cuts it earlier.
    for n in 4..=9 {
        let plain =
            Search::new(&Queens::new(n).expect("a small board").bits()).count().report().nodes();
        let order = || Branching::new(InputOrder, Ascending);
        assert_eq!(
            count(&network(n), Propagate::forward().without_wipe_out_test(), order()).1.nodes(),
            plain
        );
        assert!(count(&network(n), Propagate::forward(), order()).1.nodes() <= plain, "n = {n}");
        // Looking back, every square of the next row is a node, and most are cut off.
        let backward = count(&network(n), Propagate::backward(), order()).1;
        assert_eq!(backward.nodes() - backward.hooks()[0].cuts(), plain, "n = {n}");
    }
}

#[test]
fn known_counts_at_every_level_in_every_order() {
    check_every_level_and_order(8);
}

#[test]
fn known_counts_to_12_at_every_level() {
    for (n, solutions) in (0..).zip(SOLUTIONS).skip(10) {
        let cover = Queens::new(n).expect("a small board").cover();
        assert_eq!(Search::new(cover.cover()).count().exact(), Some(solutions), "cover, n = {n}");
        let network = network(n);
        // Looking back takes the longest by far: beyond 10 it is left to the ignored test.
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

/// `cargo test --release --test problems -- --ignored queens_network::known_counts`
#[test]
#[ignore = "every model, level and order: about a minute"]
fn known_counts_to_12_by_everything() {
    for (n, solutions) in (0..).zip(SOLUTIONS).skip(10) {
        let queens = Queens::new(n).expect("a small board");
        assert_eq!(Search::new(&queens.bits()).count().exact(), Some(solutions), "bits, n = {n}");
        assert_eq!(Search::new(&queens.marks()).count().exact(), Some(solutions), "marks, n = {n}");
        assert_eq!(
            Search::new(&queens.lookback()).count().exact(),
            Some(solutions),
            "lookback, n = {n}"
        );
        let cover = queens.cover();
        assert_eq!(Search::new(cover.cover()).count().exact(), Some(solutions), "cover, n = {n}");
        let network = network(n);
        for level in LEVELS {
            all_orders(&network, level, Ascending, solutions);
            all_orders(&network, level, CentreOut, solutions);
        }
    }
}

#[test]
fn first_solutions_in_the_order_of_the_array() {
    let placements =
        [(40, 5_073), (60, 9_668), (100, 102), (200, 207), (300, 301), (500, 503), (1000, 1_015)];
    for (n, placed) in placements {
        assert_eq!(first(n, SwappedOrder::first_tie()), placed, "n = {n}");
    }
}

#[test]
fn first_solutions_in_the_order_of_the_rows() {
    // By a program of its own, which counts the queens that attack each square.
    let placements =
        [(40, 5_216), (60, 517), (100, 103), (200, 200), (300, 328), (500, 500), (1000, 1_047)];
    for (n, placed) in placements {
        assert_eq!(first(n, SmallestDomain::first_tie()), placed, "n = {n}");
        // Turned upside down, the first tie is the last one.
        assert_eq!(first(n, SmallestDomain::last_tie()), placed, "n = {n}");
    }
}

#[test]
fn two_and_three_queens_have_no_place() {
    for n in [2, 3] {
        for level in LEVELS {
            let outcome = Search::new(&network(n)).hooks((Propagate::new(level),)).first();
            assert!(outcome.is_proven_none(), "n = {n}, {level:?}");
        }
    }
}

#[test]
fn given_queens_that_attack_each_other_have_no_completion() {
    for text in ["QQ..\n....\n....\n....\n", "Q...\n....\nQ...\n....\n", "...Q\n..Q.\n....\n....\n"]
    {
        let network = text.parse::<QueensBoard>().expect("a board").network();
        for level in LEVELS {
            let outcome = Search::new(&network).hooks((Propagate::new(level),)).first();
            assert!(outcome.is_proven_none(), "{text}, {level:?}");
        }
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
    // Without propagation between rows, queens that attack each other.
    let mut model = Model::new();
    model.variables(4, 0..1).expect("a small model");
    let first = Search::new(&model.build()).extract(Assignment::of).first();
    assert_eq!(first.solution().map(|solution| empty.completed(solution)), Some(None));
}

#[test]
fn undoing_restores_the_network() {
    for level in LEVELS {
        let network = network(6);
        let order = Branching::new(SmallestDomain::first_tie(), CentreOut);
        let outcome = Search::new(&network)
            .hooks((Propagate::new(level),))
            .brancher(order)
            .check_undo()
            .count();
        assert_eq!(outcome.exact(), Some(4), "{level:?}");
    }
}

#[test]
fn excludes_are_of_the_queens_placed() {
    // Of a completion, the queens given are placed as well.
    let board: QueensBoard = ".Q..\n....\n....\n....\n".parse().expect("a board");
    let (network, effort) = (board.network(), Effort::new());
    let outcome = Search::new(&network)
        .hooks((effort.excludes_hook(), Propagate::forward().without_wipe_out_test()))
        .count();
    assert_eq!(outcome.exact(), Some(1));
    // On the rows below (0, 1): 3, 2 and 1 squares; below (1, 3): 2 and 2; below (2, 0): 2.
    assert_eq!(effort.excludes(), 3 + 2 + 1 + 2 + 2 + 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn completions_are_what_bit_masks_find(board in completions(7)) {
        check_completions(&board)?;
    }
}

proptest! {
    #[test]
    fn random_queens_leave_each_other_alone(n in 0usize..=40, count in 0usize..=50, seed: u64) {
        let board = QueensBoard::random(n, count, seed).expect("a small board");
        prop_assert_eq!(board.attack(), None);
        prop_assert!(board.queens().len() <= count.min(n));
        prop_assert_eq!(&board, &QueensBoard::random(n, count, seed).expect("a small board"));
        // Fewer than asked for only if no square is left.
        if board.queens().len() < count {
            for square in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
                if !board.queens().contains(&square) {
                    let more = board.clone().with_queen(square.0, square.1).expect("a square of the board");
                    prop_assert!(more.attack().is_some(), "{:?} is free", square);
                }
            }
        }
    }
}

#[test]
fn random_queens_stand_anywhere() {
    let mut seen = [false; 16];
    for seed in 0..200 {
        let board = QueensBoard::random(4, 1, seed).expect("a small board");
        let (row, column) = board.queens()[0];
        seen[4 * row + column] = true;
    }
    assert_eq!(seen, [true; 16]);
    assert_eq!(
        QueensBoard::random(4097, 1, 0).expect_err("too large").to_string(),
        "a board of 4097 rows and columns is too large: expected at most 4096"
    );
}

#[test]
fn large_completions_are_decided_by_all_levels() {
    for seed in 0..6 {
        let board = QueensBoard::random(24, 8, seed).expect("a small board");
        let decided = |level| {
            let network = board.network();
            let order = Branching::new(SmallestDomain::first_tie(), CentreOut);
            Search::new(&network).hooks((Propagate::new(level),)).brancher(order).exists().exists()
        };
        let expected = Search::new(&board.bits().expect("at most 64 columns")).exists().exists();
        assert!(expected.is_some());
        assert_eq!(decided(Propagation::Forward), expected, "seed {seed}");
        assert_eq!(decided(Propagation::ArcConsistency), expected, "seed {seed}");
        assert_eq!(decided(Propagation::Full), expected, "seed {seed}");
    }
}
