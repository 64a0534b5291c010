//! Fire-net boards: text format, error messages, generator, pictures, and the matching oracle.

use proptest::prelude::*;
use secateurs_problems::InstanceError;
use secateurs_problems::fire_net::{FireNetBoard, maximum_matching};

/// Returns the message of the error of creating a board.
fn refusal(board: Result<FireNetBoard, InstanceError>) -> String {
    board.expect_err("not a board").to_string()
}

#[test]
fn line_endings_and_trailing_blank_lines_are_ignored() {
    let board: FireNetBoard = "2 3\n.X.\n..X\n".parse().expect("a board");
    for text in
        ["2 3\n.X.\n..X", "2 3\r\n.X.\r\n..X\r\n", "2 3 \n.X.\n..X\n\n\r\n\n", " 2\t3\n.X.\n..X\n"]
    {
        assert_eq!(text.parse(), Ok(board.clone()), "{text:?}");
    }
    assert_eq!(
        "2\n..\nX.".parse::<FireNetBoard>().expect("a board"),
        FireNetBoard::new(2, 2, |row, column| row > column)
    );
}

#[test]
fn boards_of_old_files_are_read() {
    let expected: FireNetBoard = "4\n.X..\n....\nXX..\n....\n".parse().expect("a board");
    // The walls are Cyrillic letters, and the file ends with Ctrl-Z.
    for text in ["4\r\n.Х..\r\n....\r\nХХ..\r\n....\r\n\u{1a}", "4\n.X..\n....\nXХ..\n....\u{1a}"]
    {
        assert_eq!(text.parse(), Ok(expected.clone()));
    }
}

#[test]
fn boards_without_cells_may_have_sides_of_any_length() {
    assert_eq!("0\n".parse(), Ok(FireNetBoard::empty(0, 0)));
    assert_eq!("0 18446744073709551615\n".parse(), Ok(FireNetBoard::empty(0, usize::MAX)));
    assert_eq!(FireNetBoard::empty(usize::MAX, 0).cells(), 0);
    let board = FireNetBoard::empty(0, usize::MAX);
    assert!(board.svg(&board).contains("viewBox=\"0 0 16 16\""));
    assert_eq!("0 5\n".parse(), Ok(FireNetBoard::empty(0, 5)));
}

#[test]
fn bunkers_off_the_board_on_walls_or_in_sight_are_rejected() {
    let board: FireNetBoard = "2\n.X\n..\n".parse().expect("a board");
    assert_eq!(
        refusal(board.with_bunkers([4])),
        "found a bunker on cell 4, expected a cell below 4"
    );
    assert_eq!(
        refusal(board.with_bunkers([1])),
        "row 1, column 2: found a bunker on a wall, expected an empty cell"
    );
    let seen = "found a bunker that sees the one in row 1, column 1, expected no two that see each \
                other";
    assert_eq!(refusal(board.with_bunkers([0, 2])), format!("row 2, column 1: {seen}"));
    assert_eq!(refusal(board.with_bunkers([0, 0])), format!("row 1, column 1: {seen}"));
    assert_eq!(board.with_bunkers([3, 0]).map(|board| board.bunkers().to_vec()), Ok(vec![0, 3]));
}

#[test]
fn the_generator_draws_empty_cells_with_the_given_probability() {
    let board = FireNetBoard::random(200, 200, 0.9, 1).expect("in range");
    let empty = (0..board.cells()).filter(|&cell| !board.is_wall(cell)).count();
    assert!((35_600..36_400).contains(&empty), "{empty}");
    assert_ne!(board, FireNetBoard::random(200, 200, 0.9, 2).expect("in range"));
}

#[test]
fn the_picture_shows_every_cell_and_bunker() {
    let given: FireNetBoard = "2 3\n.XB\n..X\n".parse().expect("a board");
    let solved = given
        .with_bunkers(maximum_matching(&given).into_iter().filter(|&cell| cell != 2))
        .expect("legal");
    let svg = solved.svg(&given);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<rect class=\"cell wall\"").count(), 2);
    assert_eq!(svg.matches("<rect class=\"cell soft\"").count(), 1);
    assert_eq!(svg.matches("<rect class=\"cell").count(), 6);
    assert_eq!(svg.matches("<circle").count(), solved.bunkers().len());
}

/// Returns the optimum of a small board by brute force, without segments or candidates: the cells
/// between two bunkers are scanned for walls.
fn by_brute_force(board: &FireNetBoard, cell: usize, bunkers: &mut Vec<usize>) -> usize {
    if cell == board.cells() {
        return bunkers.len();
    }
    let mut best = by_brute_force(board, cell + 1, bunkers);
    let sees = |&other: &usize| {
        let (row, column) = board.position(cell);
        let (other_row, other_column) = board.position(other);
        (row == other_row
            && (other_column.min(column)..=other_column.max(column))
                .all(|column| !board.is_wall(board.cell(row, column))))
            || (column == other_column
                && (other_row.min(row)..=row).all(|row| !board.is_wall(board.cell(row, column))))
    };
    if !board.is_wall(cell) && !bunkers.iter().any(sees) {
        bunkers.push(cell);
        best = best.max(by_brute_force(board, cell + 1, bunkers));
        bunkers.pop();
    }
    best
}

#[test]
fn the_matching_oracle_agrees_with_brute_force_on_all_3_by_4_boards() {
    for walls in 0..1 << 12 {
        let board = FireNetBoard::new(3, 4, |row, column| walls >> (4 * row + column) & 1 == 1);
        assert_eq!(
            maximum_matching(&board).len(),
            by_brute_force(&board, 0, &mut Vec::new()),
            "{board}"
        );
    }
}

proptest! {
    #[test]
    fn printing_and_parsing_round_trips(
        rows in 0usize..9,
        columns in 1usize..9,
        empty in 0.0..=1.0,
        bunkers in 0usize..5,
        seed: u64,
    ) {
        let board = FireNetBoard::random(rows, columns, empty, seed).expect("in range");
        let board = board.with_random_bunkers(bunkers, seed);
        prop_assert_eq!(board.to_string().parse(), Ok(board));
    }
}
