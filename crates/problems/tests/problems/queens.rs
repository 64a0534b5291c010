//! n-queens: known counts and tree sizes, and three models compared with each other and with brute
//! force.

use std::fmt::Debug;

use proptest::prelude::*;
use secateurs::{Effect, Hook, Problem, Report, Search};
use secateurs_csp::Propagate;
use secateurs_problems::queens::{
    BitCompletion, Effort, LookBackQueens, MarkQueens, Queens, QueensBoard, RowByRow,
};

use crate::shared::known::QUEENS;
use crate::shared::queens_network::SOLUTIONS;
use crate::support::propagation::LEVELS;
use crate::support::sizes::sized;

/// The numbers of fundamental solutions, from n = 0 (A002562).
const FUNDAMENTAL: [u128; 13] = [1, 1, 0, 0, 1, 2, 1, 6, 12, 46, 92, 341, 1787];

/// Returns the problem of `n` queens.
fn n_queens(n: usize) -> Queens {
    Queens::new(n).expect("a board of at most 64 columns")
}

/// Returns the exact count and the report of a search.
fn count(problem: &impl Problem) -> (Option<u128>, Report) {
    let outcome = Search::new(problem).count();
    (outcome.exact(), outcome.report().clone())
}

/// Returns the count, the number of representatives, and the report of a search with a hook.
fn with_hook<P: Problem>(problem: &P, hook: impl Hook<P>) -> (Option<u128>, Option<u128>, Report) {
    let outcome = Search::new(problem).hook(hook).count();
    (outcome.exact(), outcome.representatives(), outcome.report().clone())
}

/// Checks the count of a model, also with each hook of symmetry.
fn check_counts<P: RowByRow>(model: &str, queens: &P) {
    let n = queens.size();
    let (solutions, fundamental) = (Some(SOLUTIONS[n]), Some(FUNDAMENTAL[n]));
    let plain = count(queens);
    assert_eq!(plain.0, solutions, "{model}, n = {n}");
    let lex_leader = Queens::lex_leader(queens).expect("a small board");
    let outcome = with_hook(queens, lex_leader);
    assert_eq!((outcome.0, outcome.1), (solutions, fundamental), "{model}, n = {n}");
    assert_eq!(outcome.2.effect(), Effect::Representatives);
    let mirrored = with_hook(queens, Queens::mirror());
    assert_eq!(mirrored.0, solutions, "{model}, n = {n}");
    if n > 1 {
        assert_eq!(mirrored.1.map(|half| 2 * half), solutions, "{model}, n = {n}");
        // On boards of odd size, a queen in the middle of the first row is its own image, so the
        // hook keeps it.
        let self_symmetric = u64::from(n % 2 == 1);
        let nodes = plain.1.nodes() - 1 + self_symmetric;
        assert_eq!(2 * (mirrored.2.nodes() - 1), nodes, "{model}, n = {n}");
    }
}

#[test]
fn every_model_counts_all_and_fundamental_solutions() {
    for n in 0..SOLUTIONS.len() {
        check_counts("bits", &n_queens(n).bits());
        if n < 10 {
            check_counts("marks", &n_queens(n).marks());
            check_counts("lookback", &n_queens(n).lookback());
            check_counts("completion", &n_queens(n).board().bits().expect("a small board"));
        }
    }
}

/// Compares the trees of all models up to this size with the known sizes.
fn check_tree_sizes(largest: usize) {
    for [n, solutions, placed, attempts, pair_tests, ..] in QUEENS {
        let size = n as usize;
        if size > largest {
            break;
        }
        let (marks_effort, lookback_effort) = (Effort::new(), Effort::new());
        let runs = [
            ("bits", count(&n_queens(size).bits())),
            ("marks", count(&n_queens(size).marks().counting(&marks_effort))),
            ("lookback", count(&n_queens(size).lookback().counting(&lookback_effort))),
        ];
        for (model, (counted, report)) in runs {
            assert_eq!(counted, Some(solutions.into()), "{model}, n = {n}");
            assert_eq!(report.nodes() - 1, placed, "{model}, n = {n}");
            // Every node except a solution tests all squares of the next row.
            assert_eq!((report.nodes() - report.solutions()) * n, attempts, "{model}, n = {n}");
        }
        assert_eq!((marks_effort.attempts(), marks_effort.pair_tests()), (attempts, 0), "n = {n}");
        assert_eq!(
            (lookback_effort.attempts(), lookback_effort.pair_tests()),
            (attempts, pair_tests),
            "n = {n}"
        );
    }
}

#[test]
fn trees_have_the_known_sizes() {
    check_tree_sizes(sized(10, 14));
}

#[test]
fn symmetry_hooks_work_breadth_first() {
    let queens = n_queens(7).bits();
    let lex_leader = Queens::lex_leader(&queens).expect("a small board");
    let fundamental = Search::new(&queens).hook(lex_leader).breadth_first().count();
    let mirrored = Search::new(&queens).hook(Queens::mirror()).breadth_first().count();
    for (outcome, representatives) in [(fundamental, 6), (mirrored, 20)] {
        let counts = (outcome.representatives(), outcome.exact());
        assert_eq!(counts, (Some(representatives), Some(40)));
    }
}

#[test]
fn a_lex_leader_can_be_reused_after_an_unfinished_run() {
    let queens = n_queens(8).bits();
    let mut lex_leader = Queens::lex_leader(&queens).expect("a small board");
    assert!(Search::new(&queens).hooks((&mut lex_leader,)).first().solution().is_some());
    assert_eq!(Search::new(&queens).hooks((&mut lex_leader,)).count().representatives(), Some(12));
}

#[test]
fn first_solutions_take_the_known_effort() {
    let bits = Search::new(&n_queens(20).bits()).first().report().nodes() - 1;
    assert_eq!(bits, 199_635);
    let effort = Effort::new();
    let queens = n_queens(8).lookback().counting(&effort);
    let outcome = Search::new(&queens).first();
    assert_eq!(outcome.solution(), Some(&vec![0, 4, 7, 5, 2, 6, 1, 3]));
    assert_eq!((outcome.report().nodes() - 1, effort.attempts()), (113, 876));
}

/// Returns a board of size `n` with these queens.
fn board_with(n: usize, queens: &[(usize, usize)]) -> QueensBoard {
    let empty = QueensBoard::new(n).expect("a board");
    let board =
        queens.iter().try_fold(empty, |board, &(row, column)| board.with_queen(row, column));
    board.expect("squares of the board")
}

/// Constructs a solution for a board of `n` > 3 columns, after Pauls (1874): the even columns, then
/// the odd ones, rearranged.
fn pauls_solution(n: usize) -> Vec<usize> {
    let mut even: Vec<usize> = (2..=n).step_by(2).collect();
    let mut odd: Vec<usize> = (1..=n).step_by(2).collect();
    match n % 6 {
        2 => {
            odd.swap(0, 1);
            let five = odd.remove(2);
            odd.push(five);
        }
        3 => {
            let two = even.remove(0);
            even.push(two);
            odd.rotate_left(2);
        }
        _ => {}
    }
    even.into_iter().chain(odd).map(|column| column - 1).collect()
}

#[test]
fn wide_boards_are_completed() {
    for n in [63, 64, 65, 130, 200] {
        let columns = pauls_solution(n);
        let full = QueensBoard::from_columns(&columns).expect("a board of this size");
        assert_eq!(full.attack(), None, "n = {n}");
        // All rows but the first twelve are given.
        let board = board_with(n, &full.queens()[12..]);
        let marks = count(&board.marks());
        let lookback = count(&board.lookback());
        assert!(marks.0 >= Some(1), "n = {n}");
        assert_eq!((marks.0, marks.1.nodes()), (lookback.0, lookback.1.nodes()), "n = {n}");
        match board.bits() {
            Ok(bits) => assert_eq!((count(&bits).0, n <= 64), (marks.0, true)),
            Err(error) => assert_eq!(
                error.to_string(),
                format!("a board of {n} rows and columns is too large: expected at most 64")
            ),
        }
    }
}

#[test]
fn the_largest_board_is_solved() {
    let n = QueensBoard::MAX_SIZE;
    let board = QueensBoard::from_columns(&pauls_solution(n)).expect("a board of this size");
    assert_eq!(count(&board.lookback()).0, Some(1));
}

#[test]
fn pictures_show_lines_of_attack_if_queens_are_missing() {
    let partial = board_with(4, &[(0, 1)]);
    for svg in [partial.svg(&partial), partial.lookback().svg(&[1])] {
        assert_eq!(svg.matches("<use href=\"#queen\" x=\"56\" y=\"24\"/>").count(), 1, "{svg}");
        assert_eq!(svg.matches("<use").count(), 1, "{svg}");
    }
    let solution = board_with(4, &[(0, 1), (1, 3), (2, 0), (3, 2)]);
    for svg in [solution.svg(&partial), partial.lookback().svg(&[1, 3, 0, 2])] {
        assert_eq!(
            svg.matches("<circle class=\"mark\" cx").count(),
            5,
            "a definition, 4 discs: {svg}"
        );
        assert_eq!(svg.matches("<use").count(), 0, "{svg}");
    }
}

#[test]
fn line_ends_do_not_matter() {
    let crlf: QueensBoard = "Q..\r\n..Q\r\n...".parse().expect("a board");
    assert_eq!(crlf.to_string(), "Q..\n..Q\n...\n");
    assert_eq!(crlf.queens(), [(0, 0), (1, 2)]);
}

#[test]
fn given_queens_that_attack_each_other_have_no_completion() {
    for text in ["QQ..\n....\n....\n....\n", "Q...\n....\nQ...\n....\n", "...Q\n..Q.\n....\n....\n"]
    {
        let board: QueensBoard = text.parse().expect("a board");
        assert!(board.attack().is_some());
        assert!(Search::new(&board.marks()).first().is_proven_none());
        assert!(Search::new(&board.lookback()).first().is_proven_none());
        assert!(Search::new(&board.bits().expect("a small board")).first().is_proven_none());
        let network = board.network();
        for level in LEVELS {
            assert!(Search::new(&network).hook(Propagate::new(level)).first().is_proven_none());
        }
    }
}

/// Finds all solutions of the empty board, by trying all permutations.
fn solve_by_permutations(n: usize, columns: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if columns.len() == n {
        let board = QueensBoard::from_columns(columns).expect("a small board");
        if board.attack().is_none() {
            found.push(columns.clone());
        }
        return;
    }
    for column in 0..n {
        if !columns.contains(&column) {
            columns.push(column);
            solve_by_permutations(n, columns, found);
            columns.pop();
        }
    }
}

/// Returns all solutions of a model, as columns.
fn all_solutions<P: RowByRow<State: Clone + PartialEq + Debug, Choice: Debug>>(
    queens: &P,
) -> Vec<Vec<usize>> {
    let search = Search::new(queens).check_undo();
    search.extract(|node| P::columns(node.path().iter())).solutions().collect()
}

/// Returns the smallest image of a solution under the symmetries of the square that map `given` to
/// itself.
fn smallest_image(columns: &[usize], given: &[(usize, usize)]) -> Vec<usize> {
    let n = columns.len();
    let image = |symmetry: u8, (row, column): (usize, usize)| {
        let (row, column) = if symmetry & 1 != 0 { (column, row) } else { (row, column) };
        (
            if symmetry & 2 != 0 { n - 1 - row } else { row },
            if symmetry & 4 != 0 { n - 1 - column } else { column },
        )
    };
    let keeps = |symmetry: &u8| given.iter().all(|&queen| given.contains(&image(*symmetry, queen)));
    let images = (0..8).filter(keeps).map(|symmetry| {
        let mut squares: Vec<_> =
            columns.iter().copied().enumerate().map(|queen| image(symmetry, queen)).collect();
        squares.sort_unstable();
        squares.into_iter().map(|(_, column)| column).collect()
    });
    images.min().expect("the identity is a symmetry")
}

/// Generates the size of a board and some squares of given queens.
fn given() -> impl Strategy<Value = (usize, Vec<(usize, usize)>)> {
    (1usize..=7).prop_flat_map(|n| (Just(n), prop::collection::vec((0..n, 0..n), 0..=3)))
}

proptest! {
    #[test]
    fn completions_agree_with_brute_force((n, given) in given(), centre in any::<bool>()) {
        let mut given = given;
        if centre {
            // Random positions are hardly ever symmetric.
            given = vec![(n / 2, n / 2)];
        }
        let board = board_with(n, &given);
        let mut expected = Vec::new();
        solve_by_permutations(n, &mut Vec::new(), &mut expected);
        expected.retain(|columns| given.iter().all(|&(row, column)| columns[row] == column));
        let (marks, lookback): (MarkQueens, LookBackQueens) = (board.marks(), board.lookback());
        let bits: BitCompletion = board.bits().expect("a small board");
        prop_assert_eq!(&all_solutions(&marks), &expected);
        prop_assert_eq!(&all_solutions(&lookback), &expected);
        prop_assert_eq!(&all_solutions(&bits), &expected);

        let images = expected.iter().map(|columns| smallest_image(columns, board.queens()));
        let mut fundamental: Vec<_> = images.collect();
        fundamental.sort_unstable();
        fundamental.dedup();
        let lex_leader = || Queens::lex_leader(&bits).expect("a small board");
        let found: Vec<_> = Search::new(&bits)
            .hooks((lex_leader(),))
            .extract(|node| BitCompletion::columns(node.path().iter()))
            .solutions()
            .collect();
        prop_assert_eq!(found, fundamental);
        let outcome = Search::new(&bits).hooks((lex_leader(),)).count();
        prop_assert_eq!(outcome.exact(), Some(expected.len() as u128));
        let mirrored = Search::new(&bits).hooks((Queens::mirror(),)).count();
        prop_assert_eq!(mirrored.exact(), Some(expected.len() as u128));
    }

    #[test]
    fn printing_and_parsing_round_trips((n, given) in given()) {
        let board = board_with(n, &given);
        prop_assert_eq!(board.to_string().parse::<QueensBoard>(), Ok(board.clone()));
        let crlf = board.to_string().trim_end().replace('\n', "\r\n");
        prop_assert_eq!(crlf.parse::<QueensBoard>(), Ok(board));
    }
}
