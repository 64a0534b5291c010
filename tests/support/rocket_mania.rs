//! Rocket Mania: the boards of the paper, random boards, and prunings against the exhaustive
//! rotator.

use std::fmt::Write;

use proptest::prelude::*;
use secateurs::problems::rocket_mania::{
    Block, Board, Case, Comparison, Matches, Mode, Prunings, Rotation, Settings, rotate_all,
};

/// A board of 9×6 of which a cell is what `block` says of its row and its column.
fn board(block: impl Fn(usize, usize) -> Block) -> Board {
    let rows: Vec<Vec<Block>> =
        (0..9).map(|row| (0..6).map(|column| block(row, column)).collect()).collect();
    Board::new(&rows).expect("it is a rectangle")
}

fn single(board: Board, number: usize) -> Case {
    Case::new(board, Matches::One(number - 1)).expect("the row is there")
}

/// Boards 1 to 6 of the paper: all of one kind; corners in every other row; tees and corners by
/// turns.
pub fn paper() -> Vec<Case> {
    let of = |block| move |_, _| block;
    vec![
        single(board(of(Block::Straight)), 5),
        single(board(of(Block::Corner)), 5),
        single(board(of(Block::Tee)), 5),
        single(board(of(Block::Cross)), 5),
        single(board(|row, _| if row % 2 == 0 { Block::Corner } else { Block::Empty }), 1),
        single(
            board(|row, column| if (row + column) % 2 == 0 { Block::Tee } else { Block::Corner }),
            1,
        ),
    ]
}

/// Settings with these prunings, without dominance.
pub fn plain(prunings: &str) -> Settings {
    Settings::default().prunings(prunings.parse().expect("prunings")).dominance(None)
}

/// Contours expanded: those of all layers, and one for the start.
pub fn expanded(settings: &Settings, case: &Case) -> u64 {
    settings.rockets(case).report().nodes()
}

/// Sweeps the case with three threads and with one: the same contours are left whatever the order
/// in which a layer has them.
pub fn check_threads(case: &Case) {
    for settings in [
        plain("1,2"),
        plain("all"),
        Settings::default(),
        plain("1").dominance(Some(Comparison::Best)),
    ] {
        let (one, many) = (settings.rockets(case), settings.clone().threads(3).rockets(case));
        assert_eq!(one.value(), many.value());
        assert_eq!(one.report().levels().len(), many.report().levels().len());
        for (one, many) in one.report().levels().iter().zip(many.report().levels()) {
            assert_eq!(one, many);
        }
    }
}

/// The text of a board of so many cells.
pub fn text(rows: usize, columns: usize) -> impl Strategy<Value = String> {
    let row = prop::collection::vec(prop::sample::select(vec!['L', 'T', '+', '-', '.']), columns);
    let rows = prop::collection::vec(row.prop_map(|row| row.into_iter().collect::<String>()), rows);
    rows.prop_map(|rows| rows.join("\n"))
}

/// The text of a board of at most so many cells: all rotations of 9, at most 4^9, can be tried.
pub fn small(cells: usize) -> impl Strategy<Value = String> {
    let sizes = (1_usize..=4, 1_usize..=4)
        .prop_filter("few cells", move |&(rows, columns)| rows * columns <= cells);
    sizes.prop_flat_map(|(rows, columns)| text(rows, columns))
}

/// Both games on a board, with the match in each row.
pub fn games(board: &str) -> Vec<Case> {
    let mut text = String::new();
    for number in 1..=board.lines().count() {
        writeln!(text, "{number}\n{board}").expect("strings take whatever is written");
    }
    let mut cases = Mode::Single.cases(&text).expect("a board");
    cases.extend(Mode::Plus.cases(board).expect("a board"));
    cases
}

/// Every combination of the prunings with every dominance gives what the rotator gives, with a
/// rotation that does.
pub fn agrees_with_rotator(case: &Case) -> Result<(), TestCaseError> {
    let (most, rotation) = rotate_all(case, 1 << 20).expect("the board is small");
    prop_assert_eq!(case.fire(&rotation).count(), most);
    for dominance in [None, Some(Comparison::Best), Some(Comparison::Full)] {
        for prunings in 0..16_usize {
            let prunings = Prunings::of((1..=4).filter(|number| prunings >> (number - 1) & 1 == 1));
            let settings = Settings::default().prunings(prunings).dominance(dominance);
            let outcome = settings.solve(case);
            prop_assert_eq!(
                outcome.proven(),
                Some(&most),
                "prunings {}, {:?}:\n{}",
                prunings,
                dominance,
                case
            );
            let rotation = outcome.solution().expect("an optimum comes with a rotation");
            prop_assert_eq!(case.fire(rotation).count(), most, "{}", case.draw(rotation));
            let again = Rotation::new(case.board(), rotation.sides().to_vec());
            prop_assert_eq!(again.as_ref(), Ok(rotation));
            let outcome = settings.rockets(case);
            prop_assert_eq!(outcome.proven(), Some(&most));
        }
    }
    Ok(())
}
