//! Knight's tours: known counts, prunings compared with the plain search, and the existence
//! theorems compared with exhaustive searches.
//!
//! Longer tests:
//! `FULL=1 cargo test --release --test problems -- --include-ignored --nocapture knights_tour::`.

use std::time::Duration;

use proptest::prelude::*;
use secateurs::{Cancel, Limits, Problem, Search, Stop};
use secateurs_problems::knights_tour::{
    DeadEnds, DisconnectedRest, KnightsTour, NoTour, OneExit, Parity, Rule, Square, Tour,
    TourAnswer, TourSearch, existence,
};

use crate::shared::knights_tour::{
    board, check_closed_tours, check_solved, check_starts_of_rectangles, check_subsets_of_prunings,
    check_undo, checked, count_closed_tours, count_open_tours,
};
use crate::support::sizes::sized;

#[test]
fn open_tours_of_narrow_boards_are_counted() {
    // OEIS A118067.
    for (columns, expected) in (1..).zip([0, 0, 0, 16, 0, 0, 104, 792, 1120, 6096]) {
        assert_eq!(count_open_tours(3, columns), expected, "3×{columns}");
        assert_eq!(count_open_tours(columns, 3), expected, "{columns}×3");
    }
    assert_eq!(
        [count_open_tours(4, 4), count_open_tours(4, 5), count_open_tours(4, 6)],
        [0, 164, 1488]
    );
    assert_eq!([count_open_tours(5, 4), count_open_tours(6, 4)], [164, 1488]);
    for side in 1..=20 {
        assert_eq!(count_open_tours(1, side), u128::from(side == 1));
        assert_eq!(count_open_tours(2, side), 0);
    }
}

#[test]
fn closed_tours_are_counted() {
    let known = [(5, 6, 8), (6, 5, 8), (3, 10, 16), (3, 12, 176), (6, 6, 9862)];
    check_closed_tours(&known[..sized(3, 5)]);
}

/// `cargo test --release --test problems -- --ignored knights_tour::tours_of_larger`
#[test]
#[ignore = "takes a minute in release mode"]
fn tours_of_larger_boards_are_counted() {
    assert_eq!(count_open_tours(5, 5), 1728);
    assert_eq!([count_open_tours(3, 11), count_open_tours(4, 7)], [21_344, 12_756]);
    assert_eq!([count_closed_tours(3, 14), count_closed_tours(5, 8)], [2 * 1536, 2 * 44_202]);
    assert_eq!(count_closed_tours(6, 7), 2 * 1_067_638);
    assert_eq!(count_open_tours(6, 6), 6_637_920);
}

#[test]
fn prunings_solve_30x30_in_the_plain_order() {
    let tour = KnightsTour::open(board(30, 30)).starting_at(0, 0).expect("on the board");
    let hooks = (Parity, DeadEnds, OneExit, DisconnectedRest::default());
    let outcome = Search::new(&tour).hooks(hooks).limits(Limits::new().nodes(1000)).exists();
    assert_eq!(outcome.exists(), Some(true));
    let without = Search::new(&tour).limits(Limits::new().nodes(1_000_000)).exists();
    assert_eq!(without.exists(), None);
}

#[test]
fn prunings_lose_no_tour() {
    let quick = vec![(1, 1), (2, 3), (3, 3), (3, 4), (4, 3), (4, 4), (2, 9)];
    let small = (1..=4).flat_map(|rows| (1..=5).map(move |columns| (rows, columns)));
    let full = small.chain([(3, 6), (3, 7), (6, 3), (7, 3), (2, 9)]).collect();
    check_subsets_of_prunings(&sized(quick, full));
}

#[test]
fn each_pruning_prunes() {
    let tour = KnightsTour::open(board(3, 7));
    let hooks = (Parity, DeadEnds, OneExit, DisconnectedRest::default());
    let report = Search::new(&tour).hooks(hooks).count().report().clone();
    for hook in report.hooks() {
        assert!(hook.cuts() > 0, "{}", hook.name());
    }
    let plain = Search::new(&tour).count().report().nodes();
    for hooks in [(true, false), (false, true)] {
        let one = (hooks.0.then_some(DeadEnds), hooks.1.then(DisconnectedRest::default));
        assert!(Search::new(&tour).hooks(one).count().report().nodes() < plain);
    }
}

#[test]
fn undo_restores_the_position() {
    let (open, closed) = sized((board(3, 5), board(4, 4)), (board(4, 5), board(3, 6)));
    check_undo(&[KnightsTour::open(open), KnightsTour::closed(closed)]);
}

/// Compares the theorems with exhaustive searches, without `Parity`, which implies part of them.
#[test]
fn existence_theorems_agree_with_exhaustive_search() {
    for rows in 1..=6 {
        for columns in 1..=12 {
            if rows * columns > 30 && rows > 2 {
                continue;
            }
            let board = board(rows, columns);
            let exists = |tour: &KnightsTour| {
                let hooks = (DeadEnds, OneExit, DisconnectedRest::default());
                let search = Search::new(tour).brancher(Rule::Farthest.brancher()).hooks(hooks);
                search.exists().exists().expect("exhausted")
            };
            let closed = exists(&KnightsTour::closed(board));
            assert_eq!(existence::closed(rows, columns).is_ok(), closed, "closed {board}");
            let from = |square: Square| {
                let (row, column) = (board.row(square), board.column(square));
                KnightsTour::open(board).starting_at(row, column).expect("on the board")
            };
            let any = board.squares().filter(|&square| {
                let found = exists(&from(square));
                let may_exist = existence::open_from(board, square).is_ok();
                assert!(!found || may_exist, "{board} from {square:?}");
                found
            });
            assert_eq!(existence::open(rows, columns).is_ok(), any.count() > 0, "open {board}");
        }
    }
}

#[test]
fn each_reason_for_no_tour_is_reported() {
    let reason = |rows, columns, closed| {
        let result =
            if closed { existence::closed(rows, columns) } else { existence::open(rows, columns) };
        result.expect_err("none").to_string()
    };
    assert_eq!(reason(7, 9, true), "both sides odd, closed tours alternate colours (Schwenk 1991)");
    assert!(reason(1, 8, true).starts_with("a side of 1 is too narrow"));
    assert!(reason(8, 3, true).starts_with("3×8 is one of the small boards without a closed tour"));
    assert!(reason(4, 9, true).starts_with("a side of 4"));
    assert!(reason(6, 3, false).starts_with("3×6 is one of the small boards without a tour"));
    assert!(reason(usize::MAX, 2, false).starts_with("a side of 2 is too narrow"));
    let from = |rows, columns, row, column| {
        TourSearch::new(board(rows, columns))
            .starting_at(row, column)
            .expect("on the board")
            .solve()
    };
    assert_eq!(from(7, 7, 0, 1).answer(), &TourAnswer::None(NoTour::StartColour));
    assert_eq!(from(4, 7, 1, 3).answer(), &TourAnswer::None(NoTour::InnerStart));
    let searched = from(3, 7, 1, 3);
    assert!(matches!(searched.answer(),
            TourAnswer::None(NoTour::Searched { nodes }) if *nodes == searched.nodes()));
    assert!(from(7, 7, 0, 1).report().is_none());
}

#[test]
fn every_start_of_rectangles_is_decided() {
    check_starts_of_rectangles(sized(8, 13));
}

#[test]
fn rectangles_have_tours_as_the_theorems_state() {
    for rows in 1..=20 {
        for columns in 1..=20 {
            for closed in [false, true] {
                let search = TourSearch::new(board(rows, columns));
                let (search, known) = if closed {
                    (search.closed(), existence::closed(rows, columns))
                } else {
                    (search, existence::open(rows, columns))
                };
                let solved = search.solve();
                match (solved.answer(), known) {
                    (TourAnswer::Tour(tour), Ok(())) => {
                        assert!(checked(tour).is_closed() || !closed)
                    }
                    (TourAnswer::None(reason), Err(known)) => assert_eq!(*reason, known),
                    (other, _) => panic!("{rows}×{columns}, closed {closed}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn long_and_large_boards_are_solved() {
    let quick = [
        (50, 50, false),
        (50, 50, true),
        (3, 100, false),
        (100, 3, true),
        (100, 7, false),
        (8, 60, true),
    ];
    let full = [
        (1000, 1000, false),
        (1000, 1000, true),
        (4, 1001, false),
        (300, 3, true),
        (1000, 7, false),
        (8, 2500, true),
    ];
    check_solved(&sized(quick, full));
}

#[test]
fn closed_tours_begin_at_the_given_start() {
    let board = board(6, 7);
    for square in board.squares() {
        let (row, column) = (board.row(square), board.column(square));
        let solved =
            TourSearch::new(board).closed().starting_at(row, column).expect("on the board").solve();
        let tour = checked(solved.tour().expect("there is one"));
        assert!(tour.is_closed());
        assert_eq!(tour.steps()[0], square);
    }
}

#[test]
fn limits_stop_a_search_without_an_answer() {
    let hard = TourSearch::new(board(6, 6)).rule(Rule::Plain);
    let solved = hard.clone().limits(Limits::new().nodes(20)).solve();
    assert_eq!(solved.answer(), &TourAnswer::Unknown(Stop::NodeLimit));
    assert_eq!(solved.nodes(), 20);
    // A limit must not turn into a proof that there is no tour.
    let start = TourSearch::new(board(3, 7)).starting_at(1, 3).expect("on the board");
    assert!(matches!(start.clone().solve().answer(), TourAnswer::None(NoTour::Searched { .. })));
    let cancel = Cancel::new();
    cancel.cancel();
    let corner = TourSearch::new(board(6, 6)).starting_at(0, 0).expect("on the board");
    let any = TourSearch::new(board(6, 6));
    for (search, limits, stop) in [
        (&hard, Limits::new().cancel(&cancel), Stop::Cancelled),
        (&start, Limits::new().nodes(5), Stop::NodeLimit),
    ] {
        let solved = search.clone().limits(limits).solve();
        assert_eq!(solved.answer(), &TourAnswer::Unknown(stop));
    }
    for search in [corner.clone(), corner.closed(), any] {
        for (limits, stop) in [
            (Limits::new().depth(0), Stop::DepthLimit),
            (Limits::new().depth(5), Stop::DepthLimit),
            (Limits::new().depth(34), Stop::DepthLimit),
            (Limits::new().time(Duration::ZERO), Stop::TimeLimit),
            (Limits::new().solutions(0), Stop::SolutionLimit),
        ] {
            let solved = search.clone().limits(limits).solve();
            assert_eq!(solved.answer(), &TourAnswer::Unknown(stop));
        }
        for depth in [35, usize::MAX] {
            assert!(search.clone().limits(Limits::new().depth(depth)).solve().tour().is_some());
        }
    }
}

#[test]
fn squares_of_other_boards_cause_no_panic() {
    let far = board(50, 50).square(49, 49).expect("on the board");
    let position = KnightsTour::open(board(3, 4)).root();
    assert!(!position.is_free(far));
    assert_eq!(position.step(far), None);
    assert_eq!(position.exits(far), 0);
}

#[test]
fn names_of_rules_round_trip() {
    for rule in Rule::ALL {
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
}

#[test]
fn lists_of_squares_that_are_no_tours_are_rejected() {
    let solved = TourSearch::new(board(5, 5)).solve();
    let tour = solved.tour().expect("there is one");
    let mut squares = tour.steps().to_vec();
    assert_eq!(Tour::new(board(5, 5), squares.clone()).as_ref(), Ok(tour));
    let refusal = |columns, squares: &[Square]| {
        let tour = Tour::new(board(5, columns), squares.to_vec());
        tour.expect_err("not a tour").to_string()
    };
    assert_eq!(
        refusal(6, &squares),
        "found a list of length 25, expected 30, all squares of the board"
    );
    squares.swap(3, 4);
    assert_eq!(
        refusal(5, &squares),
        "step 4 is not next to the previous one; expected a knight's move"
    );
    squares[7] = squares[0];
    squares.swap(3, 4);
    assert_eq!(
        refusal(5, &squares),
        "step 8 is on a square that was visited before or is not on the board; expected a free \
         square"
    );
}

#[test]
fn tours_are_printed_and_drawn() {
    let one = TourSearch::new(board(1, 1)).solve();
    assert_eq!(one.tour().expect("the only square").to_string(), "1\n");
    let solved = TourSearch::new(board(10, 10)).solve();
    let tour = solved.tour().expect("there is one");
    let text = tour.to_string();
    assert!(text.lines().all(|line| line.len() == 10 * 3 + 9));
    let mut numbers: Vec<usize> =
        text.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    assert_eq!(numbers, tour.numbers());
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(1..=100));
    let svg = tour.to_svg();
    assert_eq!(svg.matches("<text").count(), 100);
    assert_eq!(svg.matches("h32v32h-32z").count(), 50, "the dark squares");
    let solved = TourSearch::new(board(150, 200)).closed().solve();
    let svg = solved.tour().expect("there is one").to_svg();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<text").count(), 0);
    assert!(
        svg.lines().all(|line| line.len() < 1_000_000),
        "some XML parsers reject long attributes"
    );
    assert!(svg.contains("width=\"1600\" height=\"1200\""), "the picture fits on a screen");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_rule_and_seed_decides_or_stops_at_the_limit(
        rows in 5_usize..25,
        columns in 5_usize..25,
        at in any::<(prop::sample::Index, prop::sample::Index)>(),
        rule in prop::sample::select(Rule::ALL.to_vec()),
        seed: u64,
    ) {
        let (row, column) = (at.0.index(rows), at.1.index(columns));
        let search = TourSearch::new(board(rows, columns)).rule(rule).seed(seed);
        let search = search.starting_at(row, column)?.limits(Limits::new().nodes(100_000));
        let solved = search.solve();
        match solved.answer() {
            TourAnswer::Tour(tour) => {
                checked(tour);
                prop_assert_eq!(tour.steps()[0], board(rows, columns).square(row, column)?);
            }
            TourAnswer::None(reason) => prop_assert_eq!(*reason, NoTour::StartColour),
            _ => prop_assert!(solved.nodes() >= 90_000),
        }
        let again = search.solve();
        prop_assert_eq!(again.answer(), solved.answer());
    }
}
