//! Fire-net: every pruning preserves the optimum, alone and with all others, and no pruning follows
//! an unsound interpretation of the article.

use proptest::prelude::*;
use secateurs::{Effect, Hook, Limits, NodeMut, Objective, Search, Verdict, hook};
use secateurs_problems::fire_net::{
    Cells, DegreeOne, FireNetBoard, FireNetBranching, FireNetPrunings, FireNetSettings, Scope,
    SmallestSegment, State, TooFewCells, closed_rectangle, maximum_matching, open_ends,
    open_short_side, open_side, walled_long_sides,
};

use crate::shared::fire_net::{audit_all_boards, audit_every_inference, boards, check, random};
use crate::support::sizes::sized;

#[test]
fn each_inference_preserves_the_optimum_of_every_subtree_of_all_small_boards() {
    let (rows, least) = sized((2, 100), (3, 1000));
    audit_all_boards(rows, 4, least);
}

/// Below the root, a rectangle rule examines only the rectangles that a change affects. A rule that
/// examines all of them must find nothing more.
#[test]
fn incremental_rectangle_rules_miss_no_rectangle() {
    for seed in 0..200 {
        let empty = [0.6, 0.75, 0.9][seed as usize % 3];
        let board = &FireNetBoard::random(9, 10, empty, seed)
            .expect("in range")
            .with_random_bunkers(seed as usize % 4, seed);
        for rule in [closed_rectangle, open_short_side, walled_long_sides, open_side, open_ends] {
            let full_scan = hook::enter("full scan", Effect::Preserving, |node| {
                let mut fresh = rule(Scope::EveryNode);
                assert_eq!(fresh.enter(node), Verdict::Keep);
                assert_eq!(
                    fresh.stats()[0].1,
                    0,
                    "{} after {:?} on\n{board}",
                    fresh.name(),
                    node.path()
                );
                Verdict::Keep
            });
            // Other hooks may exclude any candidate. This one excludes about one in thirty.
            let mut random = fastrand::Rng::with_seed(seed);
            let holes =
                hook::enter("holes", Effect::Lossy, move |node: &mut NodeMut<'_, FireNetBoard>| {
                    for cell in (0..board.cells()).filter(|_| random.u8(..30) == 0) {
                        node.state_mut().exclude(board, cell);
                    }
                    Verdict::Keep
                });
            let outcome = Search::new(board)
                .hooks((holes, rule(Scope::EveryNode), full_scan))
                .brancher(SmallestSegment::new())
                .limits(Limits::new().nodes(60))
                .count();
            assert!(outcome.report().nodes() > 0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(10, 1000)))]

    #[test]
    fn each_inference_preserves_the_optimum_of_every_subtree(
        board in boards(sized(8, 12)),
        seed: u64,
    ) {
        audit_every_inference(&board, seed).map_err(TestCaseError::fail)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(1000, 10_000)))]

    #[test]
    fn prunings_without_a_bound_preserve_the_optimum_of_random_boards(board in boards(5)) {
        let cells = FireNetSettings::default().bound(None).branching(FireNetBranching::Cells);
        let matching = FireNetSettings::default().bound(None);
        let segments = matching.clone().branching(FireNetBranching::Segments);
        let settings = [matching, segments, cells.clone(), cells.scope(Scope::Root)];
        for number in 3..=10 {
            // Together with prunings 1 and 2, which exclude cells.
            prop_assert_eq!(check(&board, FireNetPrunings::of([1, 2, number]), &settings), Ok(()));
        }
        prop_assert_eq!(check(&board, FireNetPrunings::ALL, &settings), Ok(()));
    }

    #[test]
    fn single_prunings_without_a_bound_preserve_the_optimum_of_random_boards(
        board in boards(sized(3, 4)),
    ) {
        let matching = FireNetSettings::default().bound(None);
        let cells = matching.clone().branching(FireNetBranching::Cells);
        let settings = [matching, cells];
        for number in 1..=10 {
            prop_assert_eq!(check(&board, FireNetPrunings::of([number]), &settings), Ok(()));
        }
    }
}

/// Returns the bunkers that a pruning alone places at the root, as (row, column) from 1.
fn placed_at_root(number: usize, text: &str) -> Vec<(usize, usize)> {
    let board: FireNetBoard = text.parse().expect("a board");
    let incumbent =
        Objective::maximise(|_: &FireNetBoard, state: &State| state.placed()).incumbent().clone();
    let settings = FireNetSettings::default().prunings(FireNetPrunings::of([number])).bound(None);
    let mut hooks = settings.hooks(&incumbent);
    let outcome = Search::new(&board)
        .hooks(hooks.pop().into_iter().collect::<Vec<_>>())
        .extract(|node| node.state().bunkers().to_vec())
        .limits(Limits::new().depth(0))
        .brancher(Cells { listed: true, increasing: true })
        .first();
    let mut cells: Vec<(usize, usize)> = outcome
        .solution()
        .expect("the root is a solution")
        .iter()
        .map(|&cell| board.position(cell))
        .collect();
    cells.sort_unstable();
    cells.into_iter().map(|(row, column)| (row + 1, column + 1)).collect()
}

/// Each comment states an unsound interpretation of a pruning, and the bunkers that it would place.
#[test]
fn no_pruning_follows_an_unsound_interpretation() {
    // Pruning 5, on any cell of a segment with two candidates: on (2, 1).
    let cells = placed_at_root(5, "2 3\n.X.\n..X\n");
    assert!(!cells.contains(&(2, 1)), "{cells:?}");
    // Pruning 9, on any cell of the upper row, or on the cell next to the side wall: on (1, 1).
    assert_eq!(placed_at_root(9, "2 3\n...\n.X.\n"), [(1, 2), (2, 1), (2, 3)]);
    // Pruning 9, as many bunkers as rows: in columns 3 and 4. Only the one in column 3 is sound.
    let cells = placed_at_root(9, "3 4\n....\n....\n..X.\n");
    let upper: Vec<usize> =
        cells.iter().filter(|&&(row, _)| row < 3).map(|&(_, column)| column).collect();
    assert!(upper.contains(&3) && !upper.contains(&4), "{cells:?}");
    // Pruning 10, on any cell: on (1, 2). Only (2, 2) is sound.
    assert!(!placed_at_root(10, "2 3\n...\nX.X\n").contains(&(1, 2)));
    // Pruning 10, on a line that is walled at one end only: on (2, 2).
    assert!(!placed_at_root(10, "3\n..X\n...\n.XX\n").contains(&(2, 2)));
    // Pruning 10, on a line if the walls are point-symmetric: on (2, 1).
    assert!(!placed_at_root(10, "3\nX..\n...\n.XX\n").contains(&(2, 1)));
}

#[test]
fn each_rectangle_rule_applies_to_the_rectangles_of_the_article() {
    // Counts the bunkers in the rectangle of rows 2 and 3, columns 2 to 4.
    let count = |number, text| {
        let inside =
            |&&(row, column): &&(usize, usize)| (2..=3).contains(&row) && (2..=4).contains(&column);
        placed_at_root(number, text).iter().filter(inside).count()
    };
    let closed = "4 5\n.XXX.\nX...X\nX...X\n.XXX.\n";
    let three_sides = "4 5\n.XXX.\nX....\nX....\n.XXX.\n";
    assert_eq!([6, 7, 8, 9, 10].map(|number| count(number, closed)), [2, 2, 2, 2, 2]);
    assert_eq!([7, 8].map(|number| count(number, three_sides)), [2, 2]);
    let corridor = "4 7\n..XXX..\n.......\n.......\n..XXX..\n";
    assert_eq!([6, 7].map(|number| placed_at_root(number, corridor)), [[], []]);
    assert_eq!(
        placed_at_root(8, corridor)
            .iter()
            .filter(|&&(_, column)| (3..=5).contains(&column))
            .count(),
        2
    );
    // Open at the bottom, where only the middle column ends at a wall; then also at the top.
    let one_line = "4 5\nXXXXX\nX...X\nX...X\n..X..\n";
    assert!(placed_at_root(9, one_line).iter().any(|&(row, column)| row < 4 && column == 3));
    let both_ends = "4 5\n..X..\nX...X\nX...X\n..X..\n";
    assert_eq!(
        placed_at_root(10, both_ends)
            .iter()
            .filter(|&&(row, column)| (2..4).contains(&row) && column == 3)
            .count(),
        1
    );
}

/// An inference after the bound places bunkers that the bound did not see when it entered the node.
#[test]
fn the_programmed_bound_preserves_the_optimum_if_an_inference_follows() {
    for seed in 0..2000 {
        let board = random(5 + seed as usize % 4, 6, [0.5, 0.6, 0.7, 0.8][seed as usize % 4], seed)
            .with_random_bunkers(seed as usize % 7, seed);
        let objective = Objective::maximise(|_: &FireNetBoard, state: &State| state.placed());
        let bound = TooFewCells::as_programmed(objective.incumbent().clone());
        let hooks = (bound, DegreeOne::new(Scope::EveryNode));
        let search = Search::new(&board).hooks(hooks);
        let outcome = search.brancher(Cells { listed: true, increasing: true }).best(&objective);
        assert_eq!(outcome.proven(), Some(&maximum_matching(&board).len()), "{seed}\n{board}");
    }
}

#[test]
fn threads_find_the_first_best_placement_of_the_programmed_bound() {
    for (rows, columns) in [(1, 1), (2, 2), (2, 3), (3, 3)] {
        let board = FireNetBoard::empty(rows, columns);
        let settings = FireNetSettings::article(FireNetPrunings::of(1..=3));
        let cells = |threads: Option<usize>| {
            let placed = Objective::maximise(|_: &FireNetBoard, state: &State| state.placed());
            let search =
                settings.search(&board, placed.incumbent()).extract(|node| node.state().clone());
            let outcome = match threads {
                None => search.best(&placed),
                Some(threads) => search.threads(threads).in_order().best(&placed),
            };
            outcome.solution().cloned()
        };
        assert_eq!(cells(Some(2)), cells(None), "{rows} × {columns}");
    }
}
