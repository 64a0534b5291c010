//! Knight's tours: checks of counts, of prunings, and of searches from every start.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::time::Instant;

use secateurs::{Effect, Limits, Search};
use secateurs_problems::knights_tour::{
    DeadEnds, DisconnectedRest, KnightsTour, MOVES, NoTour, OneExit, Parity, Rule, Tour,
    TourAnswer, TourBoard, TourSearch, existence,
};

/// Creates a board of these numbers of rows and columns.
pub fn board(rows: usize, columns: usize) -> TourBoard {
    TourBoard::new(rows, columns).expect("a board")
}

/// Checks a tour independently of the crate's arithmetic, and returns it.
pub fn checked(tour: &Tour) -> &Tour {
    let board = tour.board();
    let places: Vec<(i64, i64)> = tour
        .steps()
        .iter()
        .map(|&square| (board.row(square) as i64, board.column(square) as i64))
        .collect();
    assert_eq!(places.len(), board.rows() * board.columns());
    let mut visited = vec![false; places.len()];
    for &(row, column) in &places {
        assert!(row < board.rows() as i64 && column < board.columns() as i64);
        assert!(!std::mem::replace(
            &mut visited[row as usize * board.columns() + column as usize],
            true
        ));
    }
    let squared_distance = |a: (i64, i64), b: (i64, i64)| (a.0 - b.0).pow(2) + (a.1 - b.1).pow(2);
    assert!(places.windows(2).all(|pair| squared_distance(pair[0], pair[1]) == 5));
    assert_eq!(tour.is_closed(), squared_distance(places[0], places[places.len() - 1]) == 5);
    tour
}

/// Counts the tours with all four prunings.
pub fn count(tour: &KnightsTour) -> u128 {
    let hooks = (Parity, DeadEnds, OneExit, DisconnectedRest::default());
    Search::new(tour).hooks(hooks).count().exact().expect("an exhaustive and lossless search")
}

/// Counts the tours without prunings.
pub fn count_plain(tour: &KnightsTour) -> u128 {
    Search::new(tour).count().exact().expect("exhausted")
}

/// Counts the open tours of a board.
pub fn count_open_tours(rows: usize, columns: usize) -> u128 {
    count(&KnightsTour::open(board(rows, columns)))
}

/// Counts the closed tours of a board.
pub fn count_closed_tours(rows: usize, columns: usize) -> u128 {
    count(&KnightsTour::closed(board(rows, columns)))
}

/// Compares the known numbers of closed tours, without regard to direction, with counts in both
/// directions.
pub fn check_closed_tours(numbers: &[(usize, usize, u128)]) {
    for &(rows, columns, number) in numbers {
        assert_eq!(count_closed_tours(rows, columns), 2 * number, "{rows}×{columns}");
    }
    // The start does not matter.
    for (row, column) in [(0, 1), (2, 3), (4, 4)] {
        let tour = KnightsTour::closed(board(5, 6)).starting_at(row, column).expect("on the board");
        assert_eq!(count(&tour), 16);
    }
}

/// Counts the tours from every start with every subset of the prunings, and compares with the plain
/// search.
pub fn check_subsets_of_prunings(boards: &[(usize, usize)]) {
    for &(rows, columns) in boards {
        let board = board(rows, columns);
        let mut tours = vec![KnightsTour::open(board), KnightsTour::closed(board)];
        for square in board.squares() {
            let (row, column) = (board.row(square), board.column(square));
            tours.push(KnightsTour::open(board).starting_at(row, column).expect("on the board"));
            tours.push(KnightsTour::closed(board).starting_at(row, column).expect("on the board"));
        }
        for tour in tours {
            let expected = count_plain(&tour);
            for subset in 0..16 {
                let on = |bit: usize| subset >> bit & 1 == 1;
                let hooks = (
                    on(0).then_some(Parity),
                    on(1).then_some(DeadEnds),
                    on(2).then_some(OneExit),
                    on(3).then(DisconnectedRest::default),
                );
                let outcome = Search::new(&tour).hooks(hooks).count();
                assert_eq!(outcome.effect(), Effect::Preserving);
                assert_eq!(outcome.exact(), Some(expected), "{tour:?}, prunings {subset:04b}");
            }
        }
    }
}

/// Searches with and without an order, and compares states after each undo.
pub fn check_undo(tours: &[KnightsTour]) {
    for tour in tours {
        let expected = count_plain(tour);
        assert_eq!(Search::new(tour).check_undo().count().exact(), Some(expected));
        let order = Rule::SuccessorFarthest.brancher().random_ties(3);
        assert_eq!(Search::new(tour).brancher(order).check_undo().count().exact(), Some(expected));
    }
}

/// Searches from every start of every board of sides up to `longest`. All but three of the starts
/// that [`existence::open_from`] allows have a tour.
pub fn check_starts_of_rectangles(longest: usize) {
    let mut searched = Vec::new();
    for (rows, columns) in
        (1..=longest).flat_map(|rows| (rows..=longest).map(move |columns| (rows, columns)))
    {
        let board = board(rows, columns);
        for square in board.squares() {
            let (row, column) = (board.row(square), board.column(square));
            let solved =
                TourSearch::new(board).starting_at(row, column).expect("on the board").solve();
            match solved.answer() {
                TourAnswer::Tour(tour) => assert_eq!(checked(tour).steps()[0], square),
                TourAnswer::None(NoTour::Searched { .. }) => searched.push((rows, columns)),
                TourAnswer::None(reason) => {
                    assert_eq!(existence::open_from(board, square), Err(*reason))
                }
                other => panic!("{board} from {row},{column}: {other:?}"),
            }
        }
    }
    assert_eq!(searched, [(3, 7), (3, 8), (3, 8)]);
}

/// Solves boards, given as rows, columns, and whether the tour is to be closed.
pub fn check_solved(boards: &[(usize, usize, bool)]) {
    for &(rows, columns, closed) in boards {
        let search = TourSearch::new(board(rows, columns)).starting_at(0, 0).expect("on the board");
        let solved = if closed { search.closed() } else { search }.solve();
        let tour = solved
            .tour()
            .unwrap_or_else(|| panic!("{rows}×{columns} closed {closed}: {:?}", solved.answer()));
        assert!(checked(tour).is_closed() || !closed);
    }
}

/// Solves every start of the square boards of these sides by a rule, and returns a summary.
pub fn solve_every_start(sides: RangeInclusive<usize>, rule: Rule) -> String {
    let began = Instant::now();
    let (mut starts, mut at_first, mut most, mut failed) = (0, 0, 0, 0);
    for side in sides {
        let board = board(side, side);
        for square in board.squares() {
            let (row, column) = (board.row(square), board.column(square));
            let search =
                TourSearch::new(board).rule(rule).starting_at(row, column).expect("on the board");
            let solved = search.solve();
            if side % 2 == 1 && (row + column) % 2 == 1 {
                assert_eq!(solved.answer(), &TourAnswer::None(NoTour::StartColour));
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
    format!(
        "{rule}: {starts} starts, {at_first} at the first attempt, at most {most} attempts, {:?}",
        began.elapsed()
    )
}

/// Solves every start of square boards from side 5: up to `by_default` by the default rule, and up
/// to `by_any` by each rule.
pub fn check_square_boards(by_default: usize, by_any: usize) {
    println!("{}", solve_every_start(5..=by_default, Rule::default()));
    for rule in Rule::ALL {
        println!("{}", solve_every_start(5..=by_any, rule));
    }
}

/// Walks by Warnsdorff's rule or by Roth's, without backtracking: a hand-written reference.
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

/// Compares the walks of two rules with the hand-written ones. More than `least` must be tours.
pub fn check_walks(sides: RangeInclusive<i32>, least: usize) {
    let mut compared = 0;
    for side in sides {
        for start in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
            for (rule, farthest) in [(Rule::Warnsdorff, false), (Rule::Farthest, true)] {
                let board = board(side as usize, side as usize);
                let tour = KnightsTour::open(board)
                    .starting_at(start.0 as usize, start.1 as usize)
                    .expect("on the board");
                let limits = Limits::new().nodes(board.len() as u64);
                let outcome = Search::new(&tour)
                    .brancher(rule.brancher())
                    .limits(limits)
                    .extract(|node| node.state().squares())
                    .first();
                let places = outcome.solution().map(|squares| {
                    squares
                        .iter()
                        .map(|&at| (board.row(at) as i32, board.column(at) as i32))
                        .collect::<Vec<_>>()
                });
                compared += usize::from(places.is_some());
                assert_eq!(places, greedy(side, start, farthest), "{side}, {start:?}, {rule}");
            }
        }
    }
    assert!(compared > least);
}
