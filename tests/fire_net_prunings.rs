//! Fire-net: every pruning keeps the optimum, alone and with all the others, and each wrong reading is rejected.

use std::cell::Cell;

use proptest::prelude::*;
use secateurs::problems::fire_net::{
    Board, Bound, Branching, Prunings, Scope, Settings, SmallestSegment, State, closed_rectangle, maximum_matching,
    open_ends, open_short_side, open_side, walled_long_sides,
};
use secateurs::{Effect, Hook, Incumbent, Limits, NodeMut, Objective, Search, Verdict, hook};

/// Each pruning alone, and all together.
fn selections() -> impl Iterator<Item = Prunings> {
    (1..=10).map(|number| Prunings::of([number])).chain([Prunings::ALL])
}

/// Solves the board with the prunings in several ways, and compares with the matching.
fn check(board: &Board, prunings: Prunings, settings: &[Settings]) -> Result<(), String> {
    let optimum = maximum_matching(board).len();
    for settings in settings {
        let outcome = settings.clone().prunings(prunings).solve(board);
        if outcome.proven() != Some(&optimum) {
            return Err(format!("{prunings}, {settings:?}: {:?}, not {optimum}, on\n{board}", outcome.value()));
        }
    }
    Ok(())
}

/// Every board of the given size, with every pruning.
fn all_boards(rows: usize, columns: usize, settings: &[Settings], beside: Prunings) {
    std::thread::scope(|scope| {
        for part in 0..2u32 {
            scope.spawn(move || {
                for walls in (0..1u32 << (rows * columns)).filter(|walls| walls % 2 == part) {
                    let board = Board::new(rows, columns, |row, column| walls >> (columns * row + column) & 1 == 1);
                    for prunings in selections() {
                        let prunings = Prunings::of(prunings.iter().chain(beside.iter()));
                        check(&board, prunings, settings).unwrap_or_else(|error| panic!("{error}"));
                    }
                }
            });
        }
    });
}

#[test]
fn all_boards_of_4_by_4() {
    // Alone means alone: no bound.
    all_boards(4, 4, &[Settings::default().bound(None)], Prunings::NONE);
}

#[test]
fn all_boards_of_3_by_4_cell_by_cell() {
    let settings = [Settings::article(Prunings::NONE), Settings::article(Prunings::NONE).scope(Scope::EveryNode)];
    all_boards(3, 4, &settings, Prunings::NONE);
    // In increasing order, so that cells are excluded.
    all_boards(3, 4, &settings, Prunings::of([1, 2]));
}

/// `cargo test --release --test fire_net_prunings -- --ignored`
#[test]
#[ignore = "permutations on 65,536 boards, a dozen times over, take half a minute"]
fn all_boards_of_4_by_4_cell_by_cell() {
    let settings = [Settings::article(Prunings::NONE), Settings::article(Prunings::NONE).scope(Scope::EveryNode)];
    all_boards(4, 4, &settings, Prunings::NONE);
    all_boards(4, 4, &settings, Prunings::of([1, 2]));
}

/// An inference between two observers that compute what is attainable below the node, before it and behind it: they must
/// agree at every node, not only in the end. With `holes`, some candidates are excluded at random first, for an inference
/// must hold whatever is excluded. Returns the number of bunkers that were inferred.
fn audit(board: &Board, number: usize, branching: Branching, nodes: u64, holes: Option<u64>) -> Result<u64, String> {
    let mut random = holes.map(fastrand::Rng::with_seed);
    let attainable = Cell::new(0);
    let lost = Cell::new(None);
    let incumbent = Incumbent::new(secateurs::Direction::Maximise);
    let settings = Settings::default().prunings(Prunings::of([number])).branching(branching).bound(None);
    let inference = settings.hooks(&incumbent).pop().expect("one pruning, one hook");
    let before = hook::enter("before", Effect::Preserving, |node| {
        let board: &Board = node.problem();
        node.state_mut().exclude_passed(board);
        if let Some(random) = &mut random {
            for _ in 0..=board.cells() / 8 {
                node.state_mut().exclude(board, random.usize(0..board.cells()));
            }
        }
        attainable.set(Bound::Matching.at(board, node.state()));
        Verdict::Keep
    });
    let behind = hook::watch("behind", |node: &secateurs::Node<'_, Board>| {
        if Bound::Matching.at(node.problem(), node.state()) != attainable.get() && lost.take().is_none() {
            lost.set(Some(format!("after {:?}: {:?}", node.path(), node.state().bunkers())));
        }
    });
    let search = Search::new(board).hooks((before, inference, behind)).limits(Limits::new().nodes(nodes));
    let outcome = match branching {
        Branching::Cells => search.count(),
        Branching::Segments => search.brancher(SmallestSegment::new()).count(),
    };
    let report = outcome.report();
    let placed = report.hooks()[1].figure("placed").unwrap_or(0);
    match lost.take() {
        Some(lost) => Err(format!("pruning {number}, {branching}: {lost} on\n{board}")),
        None => Ok(placed),
    }
}

#[test]
fn each_inference_keeps_what_is_attainable_at_every_node_of_all_boards_of_3_by_4() {
    let mut placed = [0; 11];
    for walls in 0..1 << 12 {
        let board = Board::new(3, 4, |row, column| walls >> (4 * row + column) & 1 == 1);
        for (number, placed) in placed.iter_mut().enumerate().skip(5) {
            for branching in [Branching::Cells, Branching::Segments] {
                *placed += audit(&board, number, branching, 40, None).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
    assert!(placed[5..].iter().all(|&placed| placed > 1000), "a pruning that does nothing proves nothing: {placed:?}");
}

/// At later nodes a rule for rectangles looks only at those that a change concerns: one that looks at all of them must
/// find nothing more.
#[test]
fn rectangles_that_are_not_looked_at_have_nothing_to_place() {
    for seed in 0..200 {
        let empty = [0.6, 0.75, 0.9][seed as usize % 3];
        let board = &Board::random(9, 10, empty, seed).expect("in range").with_random_bunkers(seed as usize % 4, seed);
        for rule in [closed_rectangle, open_short_side, walled_long_sides, open_side, open_ends] {
            let looks_at_all = hook::enter("looks at all", Effect::Preserving, |node| {
                let mut fresh = rule(Scope::EveryNode);
                assert_eq!(fresh.enter(node), Verdict::Keep);
                assert_eq!(fresh.figures()[0].1, 0, "{} after {:?} on\n{board}", fresh.name(), node.path());
                Verdict::Keep
            });
            // Other hooks may exclude any candidate: here about one in thirty.
            let mut random = fastrand::Rng::with_seed(seed);
            let holes = hook::enter("holes", Effect::Lossy, move |node: &mut NodeMut<'_, Board>| {
                for cell in (0..board.cells()).filter(|_| random.u8(..30) == 0) {
                    node.state_mut().exclude(board, cell);
                }
                Verdict::Keep
            });
            let outcome = Search::new(board)
                .hooks((holes, rule(Scope::EveryNode), looks_at_all))
                .brancher(SmallestSegment::new())
                .limits(Limits::new().nodes(60))
                .count();
            assert!(outcome.report().nodes() > 0);
        }
    }
}

fn boards(most: usize) -> impl Strategy<Value = Board> {
    (1..=most, 1..=most, 0.5..0.95, any::<u64>(), 0usize..6).prop_map(|(rows, columns, empty, seed, bunkers)| {
        Board::random(rows, columns, empty, seed).expect("in range").with_random_bunkers(bunkers, !seed)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn random_boards_with_bunkers(board in boards(12)) {
        let settings = [
            Settings::default(),
            Settings::default().branching(Branching::Cells),
            Settings::default().branching(Branching::Cells).scope(Scope::Root),
        ];
        for prunings in selections() {
            if let Err(error) = check(&board, prunings, &settings) {
                prop_assert!(false, "{}", error);
            }
        }
        // All together, and with a bound that is not exact.
        let segments = Settings::default().bound(Some(Bound::Segments));
        prop_assert_eq!(check(&board, Prunings::ALL, &[segments]), Ok(()));
    }

    #[test]
    fn each_inference_keeps_what_is_attainable_at_every_node(board in boards(12), seed: u64) {
        for number in 5..=10 {
            for branching in [Branching::Cells, Branching::Segments] {
                for holes in [None, Some(seed), Some(!seed)] {
                    if let Err(error) = audit(&board, number, branching, 60, holes) {
                        prop_assert!(false, "{}", error);
                    }
                }
            }
        }
    }

    #[test]
    fn small_boards_without_any_bound(board in boards(5)) {
        let cells = Settings::default().bound(None).branching(Branching::Cells);
        let settings = [Settings::default().bound(None), cells.clone(), cells.scope(Scope::Root)];
        for number in 3..=10 {
            // Beside prunings 1 and 2: cells are excluded.
            prop_assert_eq!(check(&board, Prunings::of([1, 2, number]), &settings), Ok(()));
        }
        prop_assert_eq!(check(&board, Prunings::ALL, &settings), Ok(()));
    }
}

/// Where a pruning alone places bunkers at the root, as (row, column) from 1.
fn placed_at_root(number: usize, text: &str) -> Vec<(usize, usize)> {
    let board: Board = text.parse().expect("a board");
    let incumbent = Objective::maximise(|_: &Board, state: &State| state.placed()).incumbent().clone();
    let settings = Settings::default().prunings(Prunings::of([number])).bound(None);
    let mut hooks = settings.hooks(&incumbent);
    let outcome = Search::new(&board)
        .hooks(hooks.pop().into_iter().collect::<Vec<_>>())
        .extract(|node| node.state().bunkers().to_vec())
        .limits(Limits::new().depth(0))
        .brancher(secateurs::problems::fire_net::Cells { listed: true, increasing: true })
        .first();
    let mut cells: Vec<(usize, usize)> =
        outcome.solution().expect("the root is a solution").iter().map(|&cell| board.position(cell)).collect();
    cells.sort_unstable();
    cells.into_iter().map(|(row, column)| (row + 1, column + 1)).collect()
}

#[test]
fn the_wrong_readings_are_not_made() {
    // 5 on any cell of a segment with two candidates would place on (2, 1).
    let cells = placed_at_root(5, "2 3\n.X.\n..X\n");
    assert!(!cells.contains(&(2, 1)), "{cells:?}");
    // 9a, 9b: a bunker on any cell of the upper row, or on the one beside the side wall, would be (1, 1).
    assert_eq!(placed_at_root(9, "2 3\n...\n.X.\n"), [(1, 2), (2, 1), (2, 3)]);
    // 9c: always as many as rows, columns 3 and 4; right is one, in column 3.
    let cells = placed_at_root(9, "3 4\n....\n....\n..X.\n");
    let upper: Vec<usize> = cells.iter().filter(|&&(row, _)| row < 3).map(|&(_, column)| column).collect();
    assert!(upper.contains(&3) && !upper.contains(&4), "{cells:?}");
    // 10a: any cell, (1, 2); right is (2, 2).
    assert!(!placed_at_root(10, "2 3\n...\nX.X\n").contains(&(1, 2)));
    // 10b: a wall at one end only, (2, 2). 10c: point-symmetric walls, (2, 1).
    assert!(!placed_at_root(10, "3\n..X\n...\n.XX\n").contains(&(2, 2)));
    assert!(!placed_at_root(10, "3\nX..\n...\n.XX\n").contains(&(2, 1)));
}

#[test]
fn each_rectangle_rule_works_where_the_article_says() {
    // In the rectangle of rows 2 and 3, columns 2 to 4.
    let count = |number, text| {
        let inside = |&&(row, column): &&(usize, usize)| (2..=3).contains(&row) && (2..=4).contains(&column);
        placed_at_root(number, text).iter().filter(inside).count()
    };
    let closed = "4 5\n.XXX.\nX...X\nX...X\n.XXX.\n";
    let three_sides = "4 5\n.XXX.\nX....\nX....\n.XXX.\n";
    assert_eq!([6, 7, 8, 9, 10].map(|number| count(number, closed)), [2, 2, 2, 2, 2]);
    assert_eq!([7, 8].map(|number| count(number, three_sides)), [2, 2]);
    let corridor = "4 7\n..XXX..\n.......\n.......\n..XXX..\n";
    assert_eq!([6, 7].map(|number| placed_at_root(number, corridor)), [[], []]);
    assert_eq!(placed_at_root(8, corridor).iter().filter(|&&(_, column)| (3..=5).contains(&column)).count(), 2);
    // Open below, where only the middle column ends at a wall; then open above as well.
    let one_line = "4 5\nXXXXX\nX...X\nX...X\n..X..\n";
    assert!(placed_at_root(9, one_line).iter().any(|&(row, column)| row < 4 && column == 3));
    let both_ends = "4 5\n..X..\nX...X\nX...X\n..X..\n";
    assert_eq!(
        placed_at_root(10, both_ends).iter().filter(|&&(row, column)| (2..4).contains(&row) && column == 3).count(),
        1
    );
}
