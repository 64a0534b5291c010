//! Sudoku: boards as text, and their solutions.

use proptest::prelude::*;
use secateurs::problems::sudoku::{ParseSudokuError, Sudoku, SudokuError};

/// A board that many have solved, in three forms.
const ROWS: &str =
    "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";

fn parse(text: &str) -> Result<Sudoku, ParseSudokuError> {
    text.parse()
}

#[test]
fn every_form_of_a_board_is_read_and_one_is_written() {
    let board = parse(ROWS).expect("a board");
    assert_eq!((board.side(), board.blanks(), board.number(0, 4), board.number(0, 2)), (9, 51, Some(7), None));
    assert_eq!(board.numbers().next(), Some((0, 0, 5)));
    let one_line: String = ROWS.split_whitespace().collect();
    let zeros = ROWS.replace('.', "0");
    let spaced: String = ROWS.chars().map(|cell| format!("{cell} ")).collect::<String>().replace("\n ", "\r\n");
    let unfinished = ROWS.trim_end();
    let with_more_lines = format!("{ROWS}\n\r\n\n");
    for text in [&one_line, &zeros, &spaced, unfinished, &with_more_lines, &ROWS.replace('\n', "\r\n")] {
        assert_eq!(parse(text).as_ref(), Ok(&board), "{text:?}");
    }
    assert_eq!(board.to_string(), ROWS);
}

#[test]
fn boards_of_every_shape_print_as_they_are_read() {
    for (rows, columns) in [(1, 1), (2, 2), (2, 3), (3, 2), (1, 7), (3, 3), (2, 5), (4, 4), (5, 5), (8, 8)] {
        let side = rows * columns;
        let mut board = Sudoku::blank(rows, columns).expect("a board");
        for number in 1..=side {
            board = board.with_number(number - 1, (number * 3) % side, number).expect("a cell and a number");
        }
        let text = board.to_string();
        assert_eq!(Sudoku::from_text(&text, rows, columns).as_ref(), Ok(&board));
        let joined: String =
            text.lines().map(|line| if side > 9 { format!("{line} ") } else { line.to_owned() }).collect();
        assert_eq!(Sudoku::from_text(&joined, rows, columns).as_ref(), Ok(&board), "in one line");
        assert_eq!(text.parse().ok(), (rows == columns).then_some(board));
    }
}

#[test]
fn what_is_no_board_is_said_where_it_is_not() {
    let message = |text: &str| parse(text).expect_err(text).to_string();
    for text in ["", "\n\n", "   \n12\n", "\u{feff}"] {
        assert_eq!(parse(text), Err(ParseSudokuError::Empty), "{text:?}");
    }
    assert_eq!(
        message(&ROWS.replacen('6', "x", 1)),
        "line 2, column 1: found \"x\", expected 1 to 9, or `.` or `0` for a blank"
    );
    assert_eq!(
        message("1234\n....\n..5.\n....\n"),
        "line 3, column 3: found \"5\", expected 1 to 4, or `.` or `0` for a blank"
    );
    assert_eq!(message("1234\n...\n....\n....\n"), "line 2, column 4: found a row of 3 cells, expected 4");
    assert_eq!(message("1234\n....\n.. ...\n....\n"), "line 3, column 6: found a row of 5 cells, expected 4");
    assert_eq!(message("1234\n....\n"), "line 3: found the end of the text, expected row 3 of 4");
    assert_eq!(message("1234\n....\n\n....\n....\n"), "line 3, column 1: found a row of 0 cells, expected 4");
    assert_eq!(message("1234\n....\n....\n....\n....\n"), "line 5: found one more row, expected 4 only");
    assert_eq!(message("1234"), "line 2: found the end of the text, expected row 2 of 4");
    assert_eq!(parse("123456\n"), Err(ParseSudokuError::Side { found: 6 }));
    assert_eq!(parse(&"1 ".repeat(100)), Err(ParseSudokuError::Side { found: 100 }));
    let found = "99999999999999999999".to_owned();
    let text = format!(" 1 . {found} 4\n");
    assert_eq!(parse(&text), Err(ParseSudokuError::Cell { line: 1, column: 6, found, side: 4 }));
    assert!(matches!(parse("+1 . . 4\n"), Err(ParseSudokuError::Cell { line: 1, column: 1, .. })));
    assert!(matches!(parse("é..4\n"), Err(ParseSudokuError::Cell { line: 1, column: 1, .. })));
    assert_eq!(
        Sudoku::from_text("1234", 0, 3),
        Err(ParseSudokuError::Boxes(SudokuError::Boxes { rows: 0, columns: 3 }))
    );
    assert!(Sudoku::from_text("12345\n", 2, 3).is_err());
}

#[test]
fn cells_and_numbers_off_the_board_are_errors() {
    for (rows, columns) in [(0, 0), (0, 5), (5, 13), (65, 1), (usize::MAX, 2)] {
        assert_eq!(Sudoku::blank(rows, columns), Err(SudokuError::Boxes { rows, columns }));
    }
    let board = Sudoku::blank(2, 3).expect("a board");
    assert_eq!(board.number(6, 0), None);
    assert_eq!(board.clone().with_number(0, 6, 1), Err(SudokuError::OffTheBoard { row: 0, column: 6, side: 6 }));
    for number in [0, 7, 257] {
        assert_eq!(board.clone().with_number(0, 0, number), Err(SudokuError::Number { number, side: 6 }));
    }
}

#[test]
fn a_clash_in_a_row_a_column_or_a_box_is_found() {
    let board = Sudoku::blank(2, 3).expect("a board").with_number(2, 3, 5).expect("a cell");
    let with = |row, column, number| board.clone().with_number(row, column, number).expect("a cell").conflict();
    for row in 0..6 {
        for column in (0..6).filter(|&column| (row, column) != (2, 3)) {
            let clashes = row == 2 || column == 3 || ((2..4).contains(&row) && (3..6).contains(&column));
            let places = [(row, column).min((2, 3)), (row, column).max((2, 3))];
            assert_eq!(with(row, column, 5), clashes.then_some(places), "{row}, {column}");
            assert_eq!(with(row, column, 4), None);
        }
    }
    assert_eq!(with(2, 3, 6), None, "in place of what was there");
}

#[test]
fn a_picture_has_every_number_and_marks_those_given() {
    let given = parse("1...\n..1.\n.4..\n...2\n").expect("a board");
    let more = given.clone().with_number(0, 1, 3).expect("a cell");
    let svg = more.svg(&given);
    assert_eq!(svg.matches("<text").count(), 5);
    assert_eq!(svg.matches("class=\"cell soft\"").count(), 4);
    assert_eq!(svg.matches("class=\"cell dark\"").count(), 8 - 2);
    assert!(more.completes(&given) && !given.completes(&more));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[0-9. \n\r]{0,120}") {
        if let Ok(board) = parse(&text) {
            prop_assert_eq!(board.to_string().parse(), Ok(board));
        }
    }
}
