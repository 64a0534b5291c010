//! Fire-net boards: reading, printing, errors that say where, pictures.

use proptest::prelude::*;
use secateurs::problems::fire_net::{
    Board, BunkerError, GeneratorError, ParseBoardError, maximum_matching,
};

fn message(text: &str) -> String {
    text.parse::<Board>().expect_err("not a board").to_string()
}

#[test]
fn line_ends_and_blank_lines_at_the_end_do_not_matter() {
    let board: Board = "2 3\n.X.\n..X\n".parse().expect("a board");
    for text in
        ["2 3\n.X.\n..X", "2 3\r\n.X.\r\n..X\r\n", "2 3 \n.X.\n..X\n\n\r\n\n", " 2\t3\n.X.\n..X\n"]
    {
        assert_eq!(text.parse(), Ok(board.clone()), "{text:?}");
    }
    assert_eq!(
        "2\n..\nX.".parse::<Board>().expect("a board"),
        Board::new(2, 2, |row, column| row > column)
    );
}

#[test]
fn errors_say_where_what_and_what_was_expected() {
    assert_eq!(
        message(""),
        "line 1, column 1: the text is empty, expected the size of the board, `n` or `rows columns`"
    );
    assert_eq!(message(" \n\n"), message(""));
    for header in ["four", "-4", "4 4 4", "4.0", "+4", "3 0", "99999999999999999999999"] {
        let expected = format!(
            "line 1, column 1: found {header:?}, expected the size of the board, `n` or `rows columns`"
        );
        assert_eq!(message(&format!("{header}\n....\n")), expected);
    }
    assert_eq!(message("3\n...\n...\n"), "line 4, column 1: found 2 rows, expected 3");
    assert_eq!(message("3"), "line 2, column 1: found 0 rows, expected 3");
    assert_eq!(message("3\n...\n\n...\n"), "line 3, column 1: found 1 rows, expected 3");
    assert_eq!(message("2\n..\n.\n"), "line 3, column 2: the row ends after 1 cells, expected 2");
    assert_eq!(
        message("2\n..\n....\n"),
        "line 3, column 3: the row goes on to 4 cells, expected 2"
    );
    assert_eq!(
        message("2\n..\n..\n..\n"),
        "line 4, column 1: found text after the last row, expected 2 rows"
    );
    assert_eq!(
        message("2\n..\n.x\n"),
        "line 3, column 2: found `x`, expected `.` (empty), `X` (wall) or `B` (bunker)"
    );
    assert_eq!(
        message("2\n.\t\n..\n"),
        "line 2, column 2: found `\\t`, expected `.` (empty), `X` (wall) or `B` (bunker)"
    );
    assert_eq!(
        message("2\n..\nBB\n"),
        "line 3, column 2: the bunker sees the one in line 3, column 1, expected none to see another"
    );
}

#[test]
fn a_header_that_promises_too_much_costs_nothing() {
    for header in ["18446744073709551615", "4000000000 4000000000", "1 18446744073709551615"] {
        assert!(matches!(
            format!("{header}\n...\n").parse::<Board>(),
            Err(ParseBoardError::ShortRow { line: 2, found: 3, .. })
        ));
    }
    assert!(matches!(
        "18446744073709551615 1\n.\n".parse::<Board>(),
        Err(ParseBoardError::MissingRow { line: 3, found: 1, .. })
    ));
    assert_eq!("0\n".parse(), Ok(Board::empty(0, 0)));
    // Without cells there is nothing to run through, however long the sides are.
    assert_eq!("0 18446744073709551615\n".parse(), Ok(Board::empty(0, usize::MAX)));
    assert_eq!(Board::empty(usize::MAX, 0).cells(), 0);
    let board = Board::empty(0, usize::MAX);
    assert!(board.svg(&board).contains("viewBox=\"0 0 16 16\""));
    assert_eq!("0 5\n".parse(), Ok(Board::empty(0, 5)));
}

#[test]
fn bunkers_that_cannot_stand_are_refused() {
    let board: Board = "2\n.X\n..\n".parse().expect("a board");
    assert_eq!(board.with_bunkers([4]), Err(BunkerError::NotOnBoard { cell: 4, cells: 4 }));
    assert_eq!(board.with_bunkers([1]), Err(BunkerError::OnWall { row: 0, column: 1 }));
    assert_eq!(
        board.with_bunkers([0, 2]),
        Err(BunkerError::Seen { row: 1, column: 0, by: (0, 0) })
    );
    assert_eq!(
        board.with_bunkers([0, 0]),
        Err(BunkerError::Seen { row: 0, column: 0, by: (0, 0) })
    );
    assert_eq!(board.with_bunkers([3, 0]).map(|board| board.bunkers().to_vec()), Ok(vec![0, 3]));
}

#[test]
fn the_generator_refuses_what_is_no_probability() {
    for empty in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(Board::random(3, 3, empty, 1), Err(GeneratorError::Probability { .. })));
    }
    assert!(matches!(Board::random(usize::MAX, 2, 0.5, 1), Err(GeneratorError::TooLarge { .. })));
    assert!(matches!(
        Board::random(1 << 20, 1 << 20, 0.5, 1),
        Err(GeneratorError::TooLarge { .. })
    ));
}

#[test]
fn the_probability_is_that_of_an_empty_cell() {
    let board = Board::random(200, 200, 0.9, 1).expect("in range");
    let empty = (0..board.cells()).filter(|&cell| !board.is_wall(cell)).count();
    assert!((35_600..36_400).contains(&empty), "{empty}");
    assert_ne!(board, Board::random(200, 200, 0.9, 2).expect("in range"));
}

#[test]
fn the_picture_shows_every_cell_and_bunker() {
    let given: Board = "2 3\n.XB\n..X\n".parse().expect("a board");
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

/// The optimum of a small board by trying, without segments or candidates: whether bunkers see each
/// other is looked up cell by cell.
fn by_trying(board: &Board, cell: usize, bunkers: &mut Vec<usize>) -> usize {
    if cell == board.cells() {
        return bunkers.len();
    }
    let mut best = by_trying(board, cell + 1, bunkers);
    let sees = |&other: &usize| {
        let ((row, column), (above, left)) = (board.position(cell), board.position(other));
        (row == above
            && (left.min(column)..=left.max(column))
                .all(|column| !board.is_wall(board.cell(row, column))))
            || (column == left
                && (above.min(row)..=row).all(|row| !board.is_wall(board.cell(row, column))))
    };
    if !board.is_wall(cell) && !bunkers.iter().any(sees) {
        bunkers.push(cell);
        best = best.max(by_trying(board, cell + 1, bunkers));
        bunkers.pop();
    }
    best
}

#[test]
fn the_matching_oracle_is_right_on_all_boards_of_3_by_4() {
    for walls in 0..1 << 12 {
        let board = Board::new(3, 4, |row, column| walls >> (4 * row + column) & 1 == 1);
        assert_eq!(
            maximum_matching(&board).len(),
            by_trying(&board, 0, &mut Vec::new()),
            "{board}"
        );
    }
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(
        rows in 0usize..9, columns in 1usize..9, empty in 0.0..=1.0, bunkers in 0usize..5, seed: u64,
    ) {
        let board = Board::random(rows, columns, empty, seed).expect("in range").with_random_bunkers(bunkers, seed);
        prop_assert_eq!(board.to_string().parse(), Ok(board));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[0-9 ]{0,3}\n([.XBo\r]{0,4}\n){0,5}") {
        if let Ok(board) = text.parse::<Board>() {
            prop_assert_eq!(board.to_string().parse(), Ok(board));
        }
    }
}
