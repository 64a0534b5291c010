//! Text formats: files with more than the reader needs, and texts of any kind.

use std::fmt::Debug;
use std::str::FromStr;

use proptest::prelude::*;
use secateurs::ParseError;
use secateurs::Search;
use secateurs_problems::Selection;
use secateurs_problems::coloring::Coloring;
use secateurs_problems::dimacs;
use secateurs_problems::fire_net::FireNetBoard;
use secateurs_problems::job_shop::JobShop;
use secateurs_problems::knapsack::Knapsack;
use secateurs_problems::max_2sat::MaxTwoSat;
use secateurs_problems::maze::Maze;
use secateurs_problems::packing::PackingBoard;
use secateurs_problems::queens::QueensBoard;
use secateurs_problems::sudoku::Sudoku;
use secateurs_problems::tardiness::{Job, Tardiness};
use secateurs_problems::tsptw::TimeWindows;

#[test]
fn graphs_with_weights_and_parameters_are_read_with_one_note() {
    let plain = dimacs::read("p edge 3 2\ne 1 2\ne 2 3\n").expect("a graph");
    assert_eq!(plain.ignored, None);
    let files = [
        ("P EDGE 3 2\nE 1 2\nE 2 3\n%\n0\n", None),
        (
            "p edge 3 2 50\ne 1 2\ne 2 3\n",
            Some("line 1: found more than two numbers in the line `p`; this is ignored"),
        ),
        (
            "p col 3 2\nn 1 7\nn 2 5\nn 3 1\ne 1 2\ne 2 3\n",
            Some(
                "line 2: found the weight of a vertex; \
                 this and 2 more lines are ignored in whole or in part",
            ),
        ),
        (
            "d 2\np edge 3 2\ne 1 2 0.5\nv 1 2 3\nx 9\ne 2 3 -1\n",
            Some(
                "line 1: found a parameter of a generator; \
                 this and 4 more lines are ignored in whole or in part",
            ),
        ),
        // The number of edges may be twice that of the lines, but half of them may be missing.
        (
            "c\np edge 3 4\ne 1 2\ne 2 3\n",
            Some(
                "line 2: found twice the number of edges that follow \
                 (of which half may be missing); this is ignored",
            ),
        ),
        (
            "d 2\np edge 3 4\ne 1 2\ne 2 1\ne 2 3\n",
            Some(
                "line 2: found twice the number of edges that follow \
                 (of which half may be missing); \
                 this and 1 more line are ignored in whole or in part",
            ),
        ),
        (
            "p edge 3 4 7\ne 1 2\ne 2 3\n",
            Some(
                "line 1: found more than two numbers in the line `p`, and twice the number of \
                 edges that follow (of which half may be missing); this is ignored",
            ),
        ),
        ("p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n", None),
        ("p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n", None),
    ];
    for (text, note) in files {
        let file = dimacs::read(text).expect(text);
        assert_eq!(file.graph.edges().collect::<Vec<_>>(), [(0, 1), (1, 2)], "{text}");
        assert_eq!(file.ignored.as_deref(), note, "{text}");
    }
}

#[test]
fn hard_clauses_are_read_in_both_formats_and_outweigh_the_others() {
    // One of two variables at most, and weights for both.
    let texts = [
        "p wcnf 2 3 100\n100 -1 -2 0\n3 1 0\n4 2 0\n",
        "c 2022\nh -1 -2 0\n3 1 0 c behind a clause\n4 2 0\n",
        "3 1 0\n4 2 0\nh -1 -2 0\n%\n",
    ];
    for text in texts {
        let clauses: MaxTwoSat = text.parse().expect(text);
        let weight = MaxTwoSat::objective();
        let outcome = Search::new(&clauses).diagrams(&weight, 4).best(&weight);
        let best = outcome.proven().copied().expect("a small problem");
        assert_eq!((best, clauses.soft_weight(best)), (8 + 4, Some(4)), "{text}");
        assert_eq!(clauses.soft_weight(7), None, "{text}");
        assert_eq!(clauses.to_string().parse().as_ref(), Ok(&clauses), "{text}");
    }
    let contradiction: MaxTwoSat = "h 1 0\nh -1 0\n5 1 0\n".parse().expect("clauses");
    let weight = MaxTwoSat::objective();
    let outcome = Search::new(&contradiction).diagrams(&weight, 4).best(&weight);
    assert_eq!(outcome.proven().and_then(|&best| contradiction.soft_weight(best)), None);
}

#[test]
fn the_greatest_tardiness_does_not_overflow() {
    let jobs = |last| [1 << 30, last].map(|weight| Job { duration: 1 << 30, due: 0, weight });
    let schedules = Tardiness::new(jobs(1 << 30)).expect("2^62");
    let tardiness = Tardiness::objective();
    let outcome = Search::new(&schedules).diagrams(&tardiness, 1).best(&tardiness);
    assert_eq!(outcome.proven(), Some(&(3 << 60)));
    assert!(Tardiness::new(jobs((1 << 30) + 1)).is_err());
}

#[test]
fn boards_of_queens_and_mazes_have_other_symbols_too() {
    let board: QueensBoard = ".Q..\n...Q\nQ...\n..Q.\n".parse().expect("a board");
    for text in ["_Q__\n___Q\nQ___\n__Q_\n", ". Q . .\n. . . Q\n Q\t. . . \r\n. . Q .\n"] {
        assert_eq!(text.parse().as_ref(), Ok(&board), "{text}");
    }
    let maze: Maze = "S.#\n#.G\n".parse().expect("a maze");
    for text in ["S █\n█ E\n", "S.#\n# E\n"] {
        assert_eq!(text.parse().as_ref(), Ok(&maze), "{text}");
    }
}

/// Parses a text, and what it parses to is written and parsed again.
fn round_trip<T: FromStr<Err = ParseError> + ToString + PartialEq + Debug>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse().as_ref(), Ok(&value), "{text:?}"),
        Err(error) => assert!(!error.message().is_empty()),
    }
}

/// Texts of any kind, and texts that resemble those of one format.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "(p (edge|wcnf|cnf|col)|[ehncp%#Q.SG0-9-]|[0-9]{1,21}| |\n|\r\n|\\PC){0,60}",
        4 => "([0-9. \n\r]|[0-9A-Ga.*_|+=#,; \n-]){0,120}",
        4 => "[0-3]{1} [0-3]{1}\n[0-9 #\n\r-]{0,60}",
        4 => "[.Qx\r\n]{0,20}",
        4 => "[0-9 ]{0,3}\n([.XBo\r]{0,4}\n){0,5}",
        4 => "[SG#. x\r\n]{0,40}",
        4 => "[pce0-9 edgcol\n\r]{0,80}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// No text makes a reader panic, and all that is read can be written and read again.
    #[test]
    fn any_text_is_read_and_written_or_refused(text in texts()) {
        round_trip::<Coloring>(&text);
        round_trip::<FireNetBoard>(&text);
        round_trip::<JobShop>(&text);
        round_trip::<Knapsack>(&text);
        round_trip::<MaxTwoSat>(&text);
        round_trip::<Maze>(&text);
        let error = text.parse::<Maze>().err().map(|error| error.to_string());
        prop_assert!(error.is_none_or(|error| error.starts_with("line ")));
        round_trip::<PackingBoard>(&text);
        round_trip::<QueensBoard>(&text);
        prop_assert!(text.parse::<QueensBoard>().ok().is_none_or(|board| board.size() > 0));
        round_trip::<Sudoku>(&text);
        round_trip::<Tardiness>(&text);
        round_trip::<TimeWindows>(&text);
        if let Ok(file) = dimacs::read(&text) {
            let again = dimacs::parse(&dimacs::write(&file.graph).to_string()).expect("a graph");
            prop_assert_eq!(again.edge_count(), file.graph.edge_count());
        }
    }
}

fn check_full_set<const MOST: usize>() {
    let all: Vec<usize> = (1..=MOST).collect();
    assert_eq!(Selection::<MOST>::ALL.iter().collect::<Vec<_>>(), all);
    assert_eq!(Selection::<MOST>::of(0..=MOST + 1), Selection::ALL);
    assert_eq!(format!("1-{MOST}").parse(), Ok(Selection::<MOST>::ALL));
    assert_eq!(Selection::<MOST>::ALL.to_string().parse(), Ok(Selection::<MOST>::ALL));
    // The examples in the error message are valid.
    let message = "x".parse::<Selection<MOST>>().expect_err("no number").to_string();
    for example in message.split('`').skip(1).step_by(2) {
        assert!(example.parse::<Selection<MOST>>().is_ok(), "{message}");
    }
    assert!(!Selection::<MOST>::ALL.contains(0) && !Selection::<MOST>::ALL.contains(MOST + 1));
}

#[test]
fn full_sets_of_one_to_fifteen_prunings_round_trip() {
    check_full_set::<1>();
    check_full_set::<4>();
    check_full_set::<10>();
    check_full_set::<15>();
}
