//! Sudoku: the text format, and solutions by both models.

use proptest::prelude::*;
use secateurs::{Limits, ParseError, Search, Stop};
use secateurs_csp::{Assignment, Propagate, Propagation};
use secateurs_problems::sudoku::{Family, Sudoku};

/// The board in the Wikipedia article on Sudoku.
const ROWS: &str = concat!(
    "53..7....\n6..195...\n.98....6.\n",
    "8...6...3\n4..8.3..1\n7...2...6\n",
    ".6....28.\n...419..5\n....8..79\n",
);

fn parse(text: &str) -> Result<Sudoku, ParseError> {
    text.parse()
}

#[test]
fn all_text_formats_parse_to_the_same_board() {
    let board = parse(ROWS).expect("a board");
    assert_eq!(
        (board.side(), board.blanks(), board.number(0, 4), board.number(0, 2)),
        (9, 51, Some(7), None)
    );
    assert_eq!(board.numbers().next(), Some((0, 0, 5)));
    let one_line: String = ROWS.split_whitespace().collect();
    let zeros = ROWS.replace('.', "0");
    let spaced: String =
        ROWS.chars().map(|cell| format!("{cell} ")).collect::<String>().replace("\n ", "\r\n");
    let unfinished = ROWS.trim_end();
    let with_more_lines = format!("{ROWS}\n\r\n\n");
    for text in
        [&one_line, &zeros, &spaced, unfinished, &with_more_lines, &ROWS.replace('\n', "\r\n")]
    {
        assert_eq!(parse(text).as_ref(), Ok(&board), "{text:?}");
    }
    assert_eq!(board.to_string(), ROWS);
}

#[test]
fn blanks_separators_frames_and_comments_of_other_programs_are_read() {
    let board = parse(ROWS).expect("a board");
    let rows: Vec<&str> = ROWS.lines().collect();
    // A board drawn by `row`, with `frame` at the bands and `edge` above and below.
    let drawn = |edge: &str, frame: &str, row: fn(&str) -> String| {
        let bands: Vec<String> =
            rows.chunks(3).map(|band| band.iter().map(|text| row(text)).collect()).collect();
        format!("{edge}{}{edge}", bands.join(frame))
    };
    let spaced = |text: &str| text.chars().flat_map(|cell| [cell, ' ']).collect::<String>();
    let texts = [
        ROWS.replace('.', "-"),
        ROWS.replace('.', "*"),
        ROWS.replace('.', "_"),
        ROWS.replace('.', " "),
        ROWS.replace('.', " ").lines().map(|row| row.trim_end().to_owned() + "\n").collect(),
        rows.iter().map(|row| spaced(row).trim_end().replace(' ', ",") + "\n").collect(),
        rows.iter().map(|row| spaced(row).replace(' ', ", ").replace('.', "") + "\n").collect(),
        rows.iter().map(|row| spaced(row).replace(' ', ";").replace('.', "0") + "\n").collect(),
        drawn("", "\n", |row| format!("{row}\n")),
        drawn("", "------+-------+------\n", |row| {
            let cells: Vec<char> = row.chars().collect();
            let third = |range: &[char]| range.iter().map(|c| format!("{c} ")).collect::<String>();
            format!("{}| {}| {}\n", third(&cells[..3]), third(&cells[3..6]), third(&cells[6..]))
        }),
        drawn("", "-----------\n", |row| format!("{}|{}|{}\n", &row[..3], &row[3..6], &row[6..])),
        drawn("*-----------*\n", "|---+---+---|\n", |row| {
            format!("|{}|{}|{}|\n", &row[..3], &row[3..6], &row[6..])
        }),
        drawn("╔═══╤═══╗\n", "╟───┼───╢\n", |row| {
            format!("║{}│{}│{}║\n", &row[..3], &row[3..6], &row[6..])
        }),
        drawn("", "", |row| format!("{} {} {}\n", &row[..3], &row[3..6], &row[6..])),
        format!("# by hand\n% source\n{ROWS}// end\n"),
    ];
    for (index, text) in texts.iter().enumerate() {
        assert_eq!(parse(text).as_ref(), Ok(&board), "layout {index}:\n{text}");
    }
}

#[test]
fn rows_of_dashes_are_blank_cells_or_frames_by_the_number_of_rows() {
    let blank = Sudoku::blank(2, 2).expect("a board");
    assert_eq!(parse("----\n----\n----\n----\n"), Ok(blank.clone()));
    assert_eq!(parse("..|..\n..|..\n-----\n..|..\n..|..\n"), Ok(blank.clone()));
    assert_eq!(parse("-- --\n**|**\n____\n0000\n"), Ok(blank));
}

#[test]
fn letters_count_from_ten_beside_digits_from_one_alone_and_from_eleven_beside_a_zero() {
    let row = |text: &str, side: usize| {
        let text = format!("{text}\n{}", format!("{}\n", ".".repeat(side)).repeat(side - 1));
        let board = parse(&text).unwrap_or_else(|error| panic!("{text}{error}"));
        board.numbers().map(|(_, _, number)| number).collect::<Vec<_>>()
    };
    let all: Vec<usize> = (1..=16).collect();
    for text in ["123456789ABCDEFG", "123456789abcdefg", "ABCDEFGHIJKLMNOP", "0123456789ABCDEF"] {
        assert_eq!(row(text, 16), all, "{text}");
    }
    let all: Vec<usize> = (1..=25).collect();
    for text in ["ABCDEFGHIJKLMNOPQRSTUVWXY", "123456789ABCDEFGHIJKLMNOP"] {
        assert_eq!(row(text, 25), all, "{text}");
    }
    // Without another blank, 0 is a blank cell.
    let zeros = format!("1234000000000ABG\n{}", format!("{}\n", "0".repeat(16)).repeat(15));
    let board = parse(&zeros).expect("a board");
    assert_eq!((board.blanks(), board.number(0, 15)), (249, Some(16)));
}

#[test]
fn numbers_count_from_zero_if_zero_is_beside_another_blank_and_the_side_is_missing() {
    let board = |row: &str| format!("{row}\n{}", format!("{}\n", ". ".repeat(16)).repeat(15));
    let from_zero = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";
    let numbers = |text: &str| -> Vec<Option<usize>> {
        let board = parse(&board(text)).expect("a board");
        (0..16).map(|column| board.number(0, column)).collect()
    };
    assert_eq!(numbers(from_zero), (1..=16).map(Some).collect::<Vec<_>>());
    let mut expected: Vec<_> = (0..16).map(|number| Some(number).filter(|&n| n > 0)).collect();
    expected[1] = Some(16);
    assert_eq!(numbers(&from_zero.replacen(" 1 ", " 16 ", 1)), expected);
}

#[test]
fn a_row_may_be_too_short_if_spaces_are_blanks() {
    let board = parse("1234\n3 12\n2143\n432\n").expect("a board with blanks");
    assert_eq!(board.blanks(), 2);
}

#[test]
fn blank_rows_between_drawn_bars_are_rows() {
    let rows = ["--|12", "34|21", "12|--", "--|--"];
    let drawn = rows.map(|row| format!("│{}│\n", row.replace('|', "│"))).concat();
    let plain = rows.map(|row| format!("|{row}|\n")).concat();
    assert_eq!(parse(&drawn), parse(&plain));
    assert_eq!(parse(&drawn).map(|board| board.blanks()).ok(), Some(8));
}

#[test]
fn collections_have_a_board_per_line_or_are_one_board() {
    let line: String = ROWS.split_whitespace().collect();
    let board = parse(ROWS).expect("a board");
    assert_eq!(board.line(), line);
    let text = format!("# two boards\n{line}\n\n{}\r\n", line.replace('.', "0"));
    assert_eq!(Sudoku::collection(&text), Ok(vec![board.clone(); 2]));
    assert_eq!(Sudoku::collection(ROWS), Ok(vec![board.clone()]));
    assert_eq!(Sudoku::collection(&line), Ok(vec![board]));
    // Above side 9 as well.
    let wide = Sudoku::blank(4, 4).and_then(|board| board.with_number(3, 5, 16)).expect("a cell");
    let text = format!("{}\n{}\n", wide.line(), wide.line());
    assert_eq!(Sudoku::collection(&text), Ok(vec![wide; 2]));
    // Rows of 16 cells are not boards of side 4.
    let large = Sudoku::blank(4, 4).expect("a board");
    assert_eq!(Sudoku::collection(&"................\n".repeat(16)), Ok(vec![large]));
}

#[test]
fn display_and_parse_round_trip_for_every_box_size() {
    for (rows, columns) in
        [(1, 1), (2, 2), (2, 3), (3, 2), (1, 7), (3, 3), (2, 5), (4, 4), (5, 5), (8, 8)]
    {
        let side = rows * columns;
        let mut board = Sudoku::blank(rows, columns).expect("a board");
        for number in 1..=side {
            board = board
                .with_number(number - 1, (number * 3) % side, number)
                .expect("a cell and a number");
        }
        let text = board.to_string();
        assert_eq!(Sudoku::from_text(&text, rows, columns).as_ref(), Ok(&board));
        let joined: String = text
            .lines()
            .map(|line| if side > 9 { format!("{line} ") } else { line.to_owned() })
            .collect();
        assert_eq!(Sudoku::from_text(&joined, rows, columns).as_ref(), Ok(&board), "in one line");
        assert_eq!(text.parse().ok(), (rows == columns).then_some(board));
    }
}

#[test]
fn conflicts_in_rows_columns_and_boxes_are_found() {
    assert_eq!(Sudoku::blank(2, 3).expect("a board").number(6, 0), None);
    let board = Sudoku::blank(2, 3).expect("a board").with_number(2, 3, 5).expect("a cell");
    let with = |row, column, number| {
        board.clone().with_number(row, column, number).expect("a cell").conflict()
    };
    for row in 0..6 {
        for column in (0..6).filter(|&column| (row, column) != (2, 3)) {
            let conflicts =
                row == 2 || column == 3 || ((2..4).contains(&row) && (3..6).contains(&column));
            let places = [(row, column).min((2, 3)), (row, column).max((2, 3))];
            assert_eq!(with(row, column, 5), conflicts.then_some(places), "{row}, {column}");
            assert_eq!(with(row, column, 4), None);
        }
    }
    assert_eq!(with(2, 3, 6), None, "the new number replaces the old one");
}

#[test]
fn pictures_show_all_numbers_and_mark_given_ones() {
    let given = parse("1...\n..1.\n.4..\n...2\n").expect("a board");
    let more = given.clone().with_number(0, 1, 3).expect("a cell");
    let svg = more.svg(&given);
    assert_eq!(svg.matches("<text").count(), 5);
    assert_eq!(svg.matches("class=\"cell soft\"").count(), 4);
    // Two of the eight cells of dark boxes have given numbers, so they are marked instead.
    assert_eq!(svg.matches("class=\"cell dark\"").count(), 8 - 2);
    assert!(more.completes(&given) && !given.completes(&more));
}

const BOTH: [Family; 2] = [Family::Network, Family::Cover];

/// Hard boards with one solution: some with 17 given numbers, and some famous ones.
const HARD: [&str; 7] = [
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
];

const BUNDLED: [&str; 3] = [
    include_str!("../../../cli/data/sudoku.txt"),
    include_str!("../../../cli/data/sudoku-16.txt"),
    include_str!("../../../cli/data/sudoku-25.txt"),
];

#[test]
fn proper_boards_are_solved_and_have_one_solution() {
    for text in HARD.iter().chain(&BUNDLED).chain([&ROWS]) {
        let board = parse(text).expect("a board");
        let solutions = BOTH.map(|family| {
            let solved =
                board.solve(family, &Limits::new()).solution().cloned().expect("a solution");
            assert!(solved.is_solved() && solved.completes(&board), "{solved}");
            let outcome = board.is_unique(family, &Limits::new());
            assert_eq!(outcome.is_unique(), Some(true), "{text}");
            solved
        });
        assert_eq!(solutions[0], solutions[1]);
    }
    let solved = parse(ROWS).expect("a board").solve(Family::Network, &Limits::new());
    let printed = concat!(
        "534678912\n672195348\n198342567\n",
        "859761423\n426853791\n713924856\n",
        "961537284\n287419635\n345286179\n",
    );
    assert_eq!(solved.solution().map(ToString::to_string).as_deref(), Some(printed));
}

/// Returns a solved board whose rows are shifted copies of the first.
fn pattern(box_rows: usize, box_columns: usize) -> Sudoku {
    let side = box_rows * box_columns;
    let number = |row: usize, column: usize| {
        (row % box_rows * box_columns + row / box_rows + column) % side + 1
    };
    let cells = (0..side * side).map(|cell| (cell / side, cell % side));
    let blank = Sudoku::blank(box_rows, box_columns).expect("a board");
    cells.fold(blank, |board, (row, column)| {
        board.with_number(row, column, number(row, column)).expect("a cell")
    })
}

#[test]
fn boards_with_any_box_size_are_counted_and_solved() {
    for family in BOTH {
        // The solved boards of sides 1 to 4. If boxes are rows or columns, they are Latin squares.
        for (rows, columns, solutions) in
            [(1, 1, 1), (1, 2, 2), (2, 1, 2), (1, 3, 12), (2, 2, 288), (1, 4, 576)]
        {
            let blank = Sudoku::blank(rows, columns).expect("a board");
            let count = blank.count(family, &Limits::new()).exact();
            assert_eq!(count, Some(solutions), "{rows} × {columns}");
        }
        for (rows, columns) in [(2, 3), (3, 2), (2, 4), (2, 5), (3, 4), (5, 5), (4, 8)] {
            let full = pattern(rows, columns);
            assert!(full.is_solved());
            let side = full.side();
            // Two thirds of the numbers are given, then all of them.
            let two_thirds = full.numbers().filter(|(row, column, _)| (row + 2 * column) % 3 > 0);
            let given = two_thirds.fold(
                Sudoku::blank(rows, columns).expect("a board"),
                |board, (row, column, number)| {
                    board.with_number(row, column, number).expect("a cell")
                },
            );
            let solved = given.solve(family, &Limits::new()).solution().cloned();
            let solved = solved.unwrap_or_else(|| panic!("no solution of side {side}"));
            assert!(solved.is_solved() && solved.completes(&given), "{side}");
            assert_eq!(full.count(family, &Limits::new()).exact(), Some(1));
        }
    }
}

#[test]
fn unsolvable_boards_are_proven_unsolvable() {
    // A conflict; a cell without candidates; two cells with the same single candidate; a number
    // without places in a box.
    for text in [
        "11..\n....\n....\n....\n",
        "123.\n...4\n....\n....\n",
        "12..\n..3.\n....\n...4\n",
        "...1\n23..\n....\n....\n",
    ] {
        let board = parse(text).expect("a board");
        for family in BOTH {
            assert!(board.solve(family, &Limits::new()).is_proven_none(), "{text}");
            assert_eq!(board.count(family, &Limits::new()).exact(), Some(0), "{text}");
        }
    }
}

#[test]
fn a_network_refutes_a_board_that_singles_do_not() {
    let text = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
    let outcome = parse(text).expect("a board").count(Family::Network, &Limits::new());
    assert_eq!((outcome.exact(), outcome.report().nodes()), (Some(0), 1));
}

#[test]
fn stopped_runs_prove_nothing() {
    let blank = Sudoku::blank(3, 3).expect("a board");
    for family in BOTH {
        let outcome = blank.count(family, &Limits::new().solutions(1000));
        assert_eq!(
            (outcome.exact(), outcome.at_least(), outcome.stop()),
            (None, 1000, Stop::SolutionLimit)
        );
        let outcome = blank.solve(family, &Limits::new().nodes(5));
        assert_eq!((outcome.exists(), outcome.stop()), (None, Stop::NodeLimit));
    }
}

#[test]
fn assignments_and_options_of_other_boards_are_refused() {
    let (small, large) = (pattern(2, 2), pattern(2, 3));
    let network = small.network();
    let outcome = Search::new(&network).hooks((Propagate::full(),)).extract(Assignment::of).first();
    let assignment = outcome.solution().expect("a solution");
    assert_eq!(small.completed(assignment).as_ref(), Some(&small));
    assert_eq!(large.completed(assignment), None);
    let cover = small.cover();
    assert_eq!(small.covered(&cover, &[0, 1, 2]), None);
    assert_eq!(small.covered(&cover, &(0..16).collect::<Vec<_>>()), Some(small.clone()));
    assert_eq!(large.covered(&cover, &(0..16).collect::<Vec<_>>()), None);
    // The same number in all cells.
    let blank = Sudoku::blank(2, 2).expect("a board");
    let ones: Vec<usize> = (0..16).map(|cell| 4 * cell).collect();
    assert_eq!(blank.covered(&blank.cover(), &ones), None);
}

/// Counts all solutions by brute force: cell by cell, with every number that does not conflict.
fn brute_force(board: &Sudoku) -> u128 {
    let side = board.side();
    let Some(cell) = (0..side * side).find(|cell| board.number(cell / side, cell % side).is_none())
    else {
        return u128::from(board.conflict().is_none());
    };
    let with =
        |number| board.clone().with_number(cell / side, cell % side, number).expect("a cell");
    (1..=side)
        .map(with)
        .filter(|board| board.conflict().is_none())
        .map(|board| brute_force(&board))
        .sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn both_models_and_all_propagation_levels_agree_with_brute_force(
        is_wide: bool,
        numbers in prop::collection::vec((0..36_usize, 1..=6_usize), 3..9),
        of_pattern in prop::collection::vec(0..36_usize, 14..24),
    ) {
        let (rows, columns) = if is_wide { (2, 3) } else { (2, 2) };
        let mut board = Sudoku::blank(rows, columns).expect("a board");
        let side = board.side();
        let full = pattern(rows, columns);
        for cell in of_pattern.into_iter().filter(|_| is_wide) {
            let (row, column) = (cell / side, cell % side);
            let number = full.number(row, column).expect("full");
            board = board.with_number(row, column, number).expect("a cell");
        }
        // Arbitrary numbers may conflict or leave no solution. Wide boards, which have numbers of
        // the pattern, get at most one.
        for (cell, number) in numbers.into_iter().skip(if is_wide { 7 } else { 0 }) {
            let cell = cell % (side * side);
            let (row, column, number) = (cell / side, cell % side, (number - 1) % side + 1);
            board = board.with_number(row, column, number).expect("a cell");
        }
        let expected = brute_force(&board);
        for family in BOTH {
            let outcome = board.count(family, &Limits::new());
            prop_assert_eq!(outcome.exact(), Some(expected));
            prop_assert_eq!(board.solve(family, &Limits::new()).exists(), Some(expected > 0));
        }
        let network = board.network();
        for level in [Propagation::Forward, Propagation::ArcConsistency, Propagation::Full] {
            let search = Search::new(&network).hooks((Propagate::new(level),));
            let outcome = search.check_undo().count();
            prop_assert_eq!(outcome.exact(), Some(expected));
        }
    }
}
