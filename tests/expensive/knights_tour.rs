//! Knight's tours: larger counts, and searches from every start of more boards.

use secateurs_problems::knights_tour::KnightsTour;

use crate::shared::knights_tour::{
    board, check_closed_tours, check_open_tours_of_5_by_5, check_solved, check_square_boards,
    check_starts, check_starts_of_rectangles, check_subsets_of_prunings, check_undo, check_walks,
    count_closed_tours, count_open_tours,
};

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn open_tours_of_5_by_5_match_the_known_counts() {
    for row in 0..5 {
        for column in 0..5 {
            // A count without prunings takes long: one start for each known count suffices.
            let also_without_prunings = [(0, 0), (0, 1), (2, 2), (1, 1)].contains(&(row, column));
            check_open_tours_of_5_by_5(row, column, also_without_prunings);
        }
    }
    assert_eq!(count_open_tours(5, 5), 1728);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn closed_tours_match_the_known_counts() {
    check_closed_tours(&[(5, 6, 8), (6, 5, 8), (3, 10, 16), (3, 12, 176), (6, 6, 9862)]);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn larger_boards_match_the_known_counts() {
    assert_eq!(count_open_tours(3, 11), 21344);
    assert_eq!(count_open_tours(4, 7), 12756);
    // The known counts of closed tours disregard the direction.
    assert_eq!([count_closed_tours(3, 14), count_closed_tours(5, 8)], [2 * 1536, 2 * 44202]);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn prunings_lose_no_tour() {
    let mut boards: Vec<(usize, usize)> =
        (1..=4).flat_map(|rows| (1..=5).map(move |columns| (rows, columns))).collect();
    boards.extend([(3, 6), (3, 7), (6, 3), (7, 3), (2, 9)]);
    check_subsets_of_prunings(&boards);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn undo_restores_the_state() {
    check_undo(&[KnightsTour::open(board(4, 5)), KnightsTour::closed(board(3, 6))]);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn every_start_of_small_boards_is_answered() {
    check_starts(&[
        (1, 1),
        (3, 4),
        (3, 7),
        (3, 8),
        (7, 3),
        (3, 9),
        (4, 5),
        (5, 5),
        (5, 6),
        (4, 7),
        (6, 6),
    ]);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn every_start_of_every_rectangle_is_answered() {
    check_starts_of_rectangles(13);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn long_and_large_boards_are_solved() {
    check_solved(&[
        (1000, 1000, false),
        (1000, 1000, true),
        (3, 300, false),
        (300, 3, true),
        (4, 1001, false),
        (5, 1000, true),
        (1000, 7, false),
        (8, 2500, true),
    ]);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn every_start_of_square_boards_is_solved() {
    check_square_boards(20, 8);
}

#[test]
#[ignore = "expensive: cargo test --release --test expensive -- --ignored"]
fn rules_agree_with_a_hand_written_walk() {
    check_walks(5..=14, 1000);
}
