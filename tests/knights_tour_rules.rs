//! Knight's tours by the rules: against a walk written by hand, and over every start of square boards.
//!
//! Heavier checks: `cargo test --release --test knights_tour_rules -- --ignored --nocapture`.

mod tours;

use std::collections::HashSet;
use std::time::Instant;

use secateurs::problems::knights_tour::{Answer, KnightsTour, MOVES, NoTour, Rule, TourSearch};
use secateurs::{Limits, Search};

use tours::{board, checked};

/// Solves every start of the square boards of these sides by a rule, and says how it went.
fn sweep(sides: std::ops::RangeInclusive<usize>, rule: Rule) -> String {
    let began = Instant::now();
    let (mut starts, mut at_first, mut most, mut failed) = (0, 0, 0, 0);
    for side in sides {
        let board = board(side, side);
        for square in board.squares() {
            let (row, column) = (board.row(square), board.column(square));
            let search = TourSearch::new(board).rule(rule).starting_at(row, column).expect("on the board");
            let solved = search.solve();
            if side % 2 == 1 && (row + column) % 2 == 1 {
                assert_eq!(solved.answer(), &Answer::None(NoTour::StartColour));
                continue;
            }
            starts += 1;
            at_first += u32::from(solved.attempts() == 1);
            most = most.max(solved.attempts());
            match solved.tour() {
                Some(tour) => assert_eq!(checked(tour).steps()[0], square),
                None => failed += 1,
            }
        }
    }
    assert_eq!(failed, 0, "{rule}");
    format!("{rule}: {starts} starts, {at_first} at the first attempt, at most {most} attempts, {:?}", began.elapsed())
}

#[test]
fn every_start_of_square_boards_is_solved() {
    println!("{}", sweep(5..=20, Rule::default()));
    for rule in Rule::ALL {
        println!("{}", sweep(5..=8, rule));
    }
}

/// `cargo test --release --test knights_tour_rules full_sweep -- --ignored --nocapture`
#[test]
#[ignore = "takes some seconds in release mode"]
fn full_sweep() {
    println!("{}", sweep(5..=40, Rule::default()));
}

/// `cargo test --release --test knights_tour_rules sweep_by_rule -- --ignored --nocapture`
#[test]
#[ignore = "takes half a minute in release mode"]
fn sweep_by_rule() {
    for rule in [Rule::Warnsdorff, Rule::Successor, Rule::SuccessorFarthest, Rule::Pohl] {
        println!("{}", sweep(5..=40, rule));
    }
}

/// The table in the documentation of [`Rule`]:
/// `cargo test --release --test knights_tour_rules rules_without_hooks -- --ignored`
#[test]
#[ignore = "takes half a minute in release mode"]
fn rules_without_hooks() {
    let table = Rule::ALL[1..].iter().map(|rule| {
        // No step back, at most twice as many nodes as squares, at most a hundred times as many, more.
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
    let expected =
        [[15982, 122, 68, 622], [16663, 111, 8, 12], [16712, 27, 5, 50], [15459, 100, 30, 1205], [16715, 34, 29, 16]];
    assert_eq!(table.collect::<Vec<_>>(), expected);
}

/// Warnsdorff's rule and Roth's, written by hand on a board of rows, without stepping back.
fn greedy(side: i32, start: (i32, i32), farthest: bool) -> Option<Vec<(i32, i32)>> {
    let on = |(row, column): (i32, i32)| (0..side).contains(&row) && (0..side).contains(&column);
    let mut visited = HashSet::from([start]);
    let mut walk = vec![start];
    while walk.len() < (side * side) as usize {
        let (row, column) = walk[walk.len() - 1];
        let free = |from: (i32, i32), visited: &HashSet<(i32, i32)>| -> Vec<(i32, i32)> {
            let ends = MOVES.iter().map(|(down, right)| (from.0 + down, from.1 + right));
            ends.filter(|&end| on(end) && !visited.contains(&end)).collect()
        };
        let mut best = None;
        for next in free((row, column), &visited) {
            let exits = free(next, &visited).len();
            let distance = (2 * next.0 + 1 - side).pow(2) + (2 * next.1 + 1 - side).pow(2);
            let key = (exits, if farthest { -distance } else { 0 });
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, next));
            }
        }
        let (_, next) = best?;
        visited.insert(next);
        walk.push(next);
    }
    Some(walk)
}

#[test]
fn rules_walk_as_a_walk_written_by_hand() {
    let mut compared = 0;
    for side in 5..=14 {
        for start in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
            for (rule, farthest) in [(Rule::Warnsdorff, false), (Rule::Farthest, true)] {
                let board = board(side as usize, side as usize);
                let tour =
                    KnightsTour::open(board).starting_at(start.0 as usize, start.1 as usize).expect("on the board");
                let limits = Limits::new().nodes(board.len() as u64);
                let outcome = Search::new(&tour)
                    .brancher(rule.brancher())
                    .limits(limits)
                    .extract(|node| node.state().squares())
                    .first();
                let places = outcome.solution().map(|squares| {
                    squares.iter().map(|&at| (board.row(at) as i32, board.column(at) as i32)).collect::<Vec<_>>()
                });
                compared += usize::from(places.is_some());
                assert_eq!(places, greedy(side, start, farthest), "{side}, {start:?}, {rule}");
            }
        }
    }
    assert!(compared > 1000);
}
