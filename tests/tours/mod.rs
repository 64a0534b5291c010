//! What the tests of knight's tours share.

use secateurs::problems::knights_tour::{Board, Tour};

/// A board of so many rows and columns.
pub fn board(rows: usize, columns: usize) -> Board {
    Board::new(rows, columns).expect("a board")
}

/// Checks a tour without any of the crate's own arithmetic, and gives it back.
pub fn checked(tour: &Tour) -> &Tour {
    let board = tour.board();
    let places: Vec<(i64, i64)> =
        tour.steps().iter().map(|&square| (board.row(square) as i64, board.column(square) as i64)).collect();
    assert_eq!(places.len(), board.rows() * board.columns());
    let mut seen = vec![false; places.len()];
    for &(row, column) in &places {
        assert!(row < board.rows() as i64 && column < board.columns() as i64);
        assert!(!std::mem::replace(&mut seen[row as usize * board.columns() + column as usize], true));
    }
    let apart = |a: (i64, i64), b: (i64, i64)| (a.0 - b.0).pow(2) + (a.1 - b.1).pow(2);
    assert!(places.windows(2).all(|pair| apart(pair[0], pair[1]) == 5));
    assert_eq!(tour.is_closed(), apart(places[0], places[places.len() - 1]) == 5);
    tour
}
