//! Fire-net: exact tree sizes of the article, and node counts of the default settings.

use secateurs::{Limits, Objective, Problem, Search, Stop};
use secateurs_problems::fire_net::{
    BoundKind, Cells, FireNetBoard, FireNetBranching, FireNetPrunings, FireNetSettings,
    SmallestSegment, State, greedy, greedy_restarts, maximum_matching,
};

use crate::shared::fire_net::{
    EMPTY_BOARDS, check_combinations_of_settings, check_tree_sizes, nodes, ordered_placements,
    random, rook_placements,
};
use crate::support::sizes::sized;

const SAMPLE: &str = "4\n.X..\n....\nXX..\n....\n";

/// Returns the sample board of the article.
fn sample() -> FireNetBoard {
    SAMPLE.parse().expect("the sample is a board")
}

#[test]
fn the_sample_has_the_answer_and_the_tree_sizes_of_the_article() {
    assert_eq!(FireNetSettings::default().solve(&sample()).proven(), Some(&5));
    assert_eq!([0, 2, 3, 4, 5].map(|last| nodes(&sample(), last)), [1844, 175, 111, 6, 3]);
    assert_eq!(nodes(&sample(), 1), 1844, "pruning 1 does not change the tree");
}

#[test]
fn empty_boards_have_the_known_tree_sizes() {
    check_tree_sizes(&EMPTY_BOARDS[..sized(2, EMPTY_BOARDS.len())]);
}

/// `cargo test --release --test problems -- --ignored fire_net::large_empty_boards`
#[test]
#[ignore = "millions of nodes take seconds without optimisation"]
fn large_empty_boards_have_the_known_tree_sizes() {
    for (side, known) in [(7, [130_922, 93_317, 8, 8]), (8, [1_441_729, 1_047_412, 9, 9])] {
        let board = FireNetBoard::empty(side as usize, side as usize);
        assert_eq!(known[0], rook_placements(side).iter().sum::<u64>());
        assert_eq!([2, 3, 4, 5].map(|last| nodes(&board, last)), known);
    }
}

/// `cargo test --release --test problems -- --ignored fire_net::without_prunings_the_empty`
#[test]
#[ignore = "3.7 billion nodes take some minutes"]
fn without_prunings_the_empty_boards_have_a_node_per_ordered_placement() {
    for side in [7, 8] {
        let expected = ordered_placements(&rook_placements(side));
        assert_eq!(nodes(&FireNetBoard::empty(side as usize, side as usize), 0), expected);
    }
}

#[test]
fn branchers_count_the_same_placements() {
    let count = |board: &FireNetBoard| -> Vec<u64> {
        let outcome = Search::new(board).count();
        let levels: Vec<u64> =
            outcome.report().levels().iter().map(|level| level.solutions).collect();
        assert_eq!(outcome.exact(), Some(u128::from(levels.iter().sum::<u64>())));
        levels
    };
    assert_eq!(count(&sample()), [1, 13, 51, 72, 34, 4]);
    assert_eq!(count(&FireNetBoard::empty(5, 5)), rook_placements(5));
    for seed in 0..3 {
        let board = random(4, 5, 0.7, seed);
        let placements = count(&board);
        assert_eq!(placements.len(), maximum_matching(&board).len() + 1);
        for brancher in [SmallestSegment::new(), SmallestSegment::matched_first()] {
            let segments = Search::new(&board).brancher(brancher).check_undo().count();
            assert_eq!(segments.exact(), Some(u128::from(placements.iter().sum::<u64>())));
        }
        let permuted = Search::new(&board)
            .brancher(Cells { listed: true, increasing: false })
            .check_undo()
            .count();
        assert_eq!(permuted.exact(), Some(u128::from(ordered_placements(&placements))));
    }
}

#[test]
fn a_thousand_boards_are_solved_within_a_thousand_nodes_each() {
    let bounds = [BoundKind::Segments, BoundKind::Components, BoundKind::Matching];
    for seed in 0..1000 {
        let bound = bounds[seed as usize % 3];
        let settings = FireNetSettings::default()
            .branching(FireNetBranching::Segments)
            .prunings(FireNetPrunings::of([5]))
            .bound(Some(bound));
        let board = random(10, 10, [0.8, 0.85, 0.9, 0.95][seed as usize % 4], seed);
        let outcome = settings.limits(Limits::new().nodes(1000)).solve(&board);
        assert_eq!(outcome.proven(), Some(&maximum_matching(&board).len()), "{bound}\n{board}");
    }
}

/// Solves a random square board with a part of its cells empty, in a limited number of nodes.
fn check_large_board(side: usize, empty: f64, nodes: u64) {
    let board = random(side, side, empty, 3);
    let settings = FireNetSettings::default().branching(FireNetBranching::Segments);
    let outcome = settings.limits(Limits::new().nodes(nodes)).solve(&board);
    assert_eq!(outcome.proven(), Some(&maximum_matching(&board).len()), "{side} {empty}");
    let cells = outcome.solution().expect("no incumbent was given").clone();
    assert!(board.with_bunkers(cells).is_ok());
}

#[test]
fn large_boards_are_solved_to_optimality_in_few_nodes() {
    let (side, factor) = sized((100, 1), (300, 10));
    check_large_board(side, 0.8, factor * 20_000);
    check_large_board(side, 0.7, factor * 5_000);
}

/// The node count follows from the proof in [`SmallestSegment::matched_first`].
#[test]
fn the_matched_cell_first_proves_the_optimum_in_one_dive() {
    let dive = |board: &FireNetBoard, settings: &FireNetSettings| {
        let outcome = settings.solve(board);
        let optimum = maximum_matching(board).len();
        assert_eq!(outcome.proven(), Some(&optimum), "{settings:?}\n{board}");
        assert!(outcome.report().nodes() <= optimum as u64 + 1, "{settings:?}\n{board}");
        let cells = outcome.solution().expect("no incumbent was given");
        let new = cells.iter().copied().filter(|cell| !board.bunkers().contains(cell));
        assert!(board.with_bunkers(new).is_ok());
    };
    for seed in 0..1000 {
        let sides = (1 + seed as usize % 12, 1 + seed as usize / 12 % 15);
        let board = random(sides.0, sides.1, [0.5, 0.7, 0.8, 0.9, 0.95][seed as usize % 5], seed)
            .with_random_bunkers(seed as usize % 3, seed);
        let numbers = (3..=10).filter(|number| seed >> (number - 3) & 1 == 1);
        dive(&board, &FireNetSettings::default().prunings(FireNetPrunings::of(numbers)));
    }
    for (side, empty) in [(70, 0.95), (100, 0.9), (150, 0.8)] {
        dive(&random(side, side, empty, 3), &FireNetSettings::default());
    }
}

/// `cargo test --release --test problems -- --ignored fire_net::boards_of_a_million_cells`
#[test]
#[ignore = "a few boards of a million cells take some seconds"]
fn boards_of_a_million_cells_are_solved_to_optimality() {
    for (seed, empty) in [(0, 0.95), (1, 0.9), (2, 0.8)] {
        let board = random(1000, 1000, empty, seed);
        let outcome = FireNetSettings::default().solve(&board);
        assert_eq!(outcome.proven(), Some(&maximum_matching(&board).len()));
    }
}

#[test]
fn every_combination_of_settings_proves_the_same_optimum() {
    let (rows, columns) = sized((3, 4), (5, 6));
    check_combinations_of_settings(rows, columns);
}

#[test]
fn degenerate_boards_are_solved() {
    for (board, optimum) in [
        (FireNetBoard::empty(0, 0), 0),
        (FireNetBoard::empty(0, 7), 0),
        (FireNetBoard::empty(1, 1), 1),
        (FireNetBoard::new(1, 1, |_, _| true), 0),
        (FireNetBoard::new(9, 9, |_, _| true), 0),
        (FireNetBoard::empty(1, 300), 1),
        (FireNetBoard::empty(200, 3), 3),
        (FireNetBoard::empty(130, 130), 130),
        (FireNetBoard::new(2, 260, |_, column| column % 2 == 1), 130),
    ] {
        assert_eq!(maximum_matching(&board).len(), optimum);
        for prunings in [FireNetPrunings::NONE, FireNetPrunings::of(1..=5), FireNetPrunings::ALL] {
            let outcome = FireNetSettings::default().prunings(prunings).solve(&board);
            assert_eq!(outcome.proven(), Some(&optimum));
        }
        assert_eq!(
            FireNetSettings::article(FireNetPrunings::of(1..=5)).solve(&board).proven(),
            Some(&optimum)
        );
        assert_eq!(greedy(&board).best_so_far(), Some(&optimum));
    }
}

#[test]
fn greedy_is_nearly_always_optimal_and_never_claims_a_proof() {
    let mut optimal = 0;
    let mut restarted = 0;
    for seed in 0..200 {
        let board = random(10, 10, [0.8, 0.85, 0.9, 0.95][seed as usize % 4], seed);
        let optimum = maximum_matching(&board).len();
        let outcome = greedy(&board);
        assert_eq!(outcome.proven(), None);
        optimal += usize::from(outcome.best_so_far() == Some(&optimum));
        let outcome = greedy_restarts(&board, 5, seed, Limits::new());
        assert!(outcome.best_so_far() <= Some(&optimum));
        assert_eq!(outcome.solution().map(Vec::len).as_ref(), outcome.best_so_far());
        restarted += usize::from(outcome.best_so_far() == Some(&optimum));
    }
    assert!(optimal >= 198, "{optimal} of 200");
    assert!(restarted >= optimal, "{restarted} of 200");
}

#[test]
fn greedy_dives_are_deterministic_and_share_their_limits() {
    let board = random(30, 30, 0.85, 5);
    let answer = |seed| greedy_restarts(&board, 4, seed, Limits::new()).into_parts().0;
    assert_eq!(answer(1), answer(1));
    let single = greedy_restarts(&board, 0, 1, Limits::new());
    assert_eq!(single.into_parts().0, greedy(&board).into_parts().0);
    let dive = greedy(&board).report().nodes();
    let outcome = greedy_restarts(&board, 10, 1, Limits::new().nodes(dive + dive / 2));
    assert_eq!((outcome.stop(), outcome.report().nodes()), (Stop::NodeLimit, dive + dive / 2));
    assert_eq!(outcome.best_so_far(), greedy(&board).best_so_far());
}

#[test]
fn improvements_increase_and_end_with_a_proof() {
    let board = random(6, 6, 0.8, 2);
    let placed = Objective::maximise(|_: &FireNetBoard, state: &State| state.placed());
    let settings = FireNetSettings::default().bound(Some(BoundKind::Segments));
    let search = Search::new(&board)
        .hooks(settings.hooks(placed.incumbent()))
        .brancher(SmallestSegment::new());
    let search = search.extract(|node| node.state().bunkers().len());
    let mut improvements = search.improvements(&placed);
    let found: Vec<(usize, usize)> = improvements.by_ref().collect();
    assert!(found.iter().all(|(value, bunkers)| value == bunkers));
    let values: Vec<usize> = found.into_iter().map(|(value, _)| value).collect();
    assert!(values.is_sorted_by(|a, b| a < b));
    assert_eq!(values.last(), Some(&maximum_matching(&board).len()));
    assert!(improvements.is_proven());
}

#[test]
fn a_limited_run_proves_nothing() {
    let outcome = FireNetSettings::article(FireNetPrunings::NONE)
        .limits(Limits::new().nodes(100))
        .solve(&sample());
    assert_eq!((outcome.stop(), outcome.report().nodes()), (Stop::NodeLimit, 100));
    assert_eq!(outcome.proven(), None);
    assert!(outcome.best_so_far().is_some());
}

#[test]
fn every_inference_restores_the_state_and_works_breadth_first() {
    for seed in 0..10 {
        let board = random(6, 7, 0.8, seed).with_random_bunkers(1, seed);
        for branching in FireNetBranching::ALL {
            let settings = FireNetSettings::default()
                .prunings(FireNetPrunings::ALL)
                .branching(branching)
                .bound(Some(BoundKind::Cells));
            let best = |breadth_first: bool| {
                let placed = Objective::maximise(|_: &FireNetBoard, state: &State| state.placed());
                let search = settings.search(&board, placed.incumbent());
                let outcome = if breadth_first {
                    search.breadth_first().best(&placed)
                } else {
                    search.check_undo().best(&placed)
                };
                outcome.proven().copied()
            };
            let optimum = Some(maximum_matching(&board).len());
            assert_eq!((best(false), best(true)), (optimum, optimum), "{branching}\n{board}");
        }
    }
}

#[test]
fn bounds_decrease_to_the_optimum() {
    for seed in 0..100 {
        let board = random(8, 9, 0.7, seed).with_random_bunkers(seed as usize % 4, seed);
        let bounds = BoundKind::ALL.map(|bound| bound.at(&board, &board.root()));
        assert!(bounds.is_sorted_by(|a, b| a >= b), "{bounds:?}");
        assert_eq!(bounds[3], maximum_matching(&board).len());
    }
}

#[test]
fn names_of_settings_round_trip() {
    for bound in BoundKind::ALL {
        assert_eq!(bound.to_string().parse(), Ok(bound));
    }
    for branching in FireNetBranching::ALL {
        assert_eq!(branching.to_string().parse(), Ok(branching));
    }
    for bits in 0..1024u32 {
        let prunings = FireNetPrunings::of((1..=10).filter(|number| bits >> (number - 1) & 1 == 1));
        assert_eq!(prunings.to_string().parse(), Ok(prunings));
    }
}
