//! Rocket Mania: the boards of the paper, random boards, and prunings against brute force.

use std::fmt::Write;

use proptest::prelude::*;
use secateurs_problems::rocket_mania::{
    Block, Case, DominanceScope, Matches, Mode, RocketBoard, RocketPrunings, RocketSettings,
    Rotation, rotate_all,
};

/// Returns a board of 9×6 with the blocks that `block` returns for each row and column.
fn board(block: impl Fn(usize, usize) -> Block) -> RocketBoard {
    let rows: Vec<Vec<Block>> =
        (0..9).map(|row| (0..6).map(|column| block(row, column)).collect()).collect();
    RocketBoard::new(&rows).expect("a rectangle")
}

fn single(board: RocketBoard, number: usize) -> Case {
    Case::new(board, Matches::One(number - 1)).expect("a row of the board")
}

/// Returns boards 1 to 6 of the paper: four with one kind of block, one with corners in every other
/// row, and one that alternates tees and corners.
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

/// Returns settings with these prunings and without dominance.
pub fn plain(prunings: &str) -> RocketSettings {
    RocketSettings::default().prunings(prunings.parse().expect("prunings")).dominance(None)
}

/// Returns the number of expanded contours: those of all layers, and one for the start.
pub fn expanded(settings: &RocketSettings, case: &Case) -> u64 {
    settings.rockets(case).report().nodes()
}

/// Checks that sweeps with three threads and with one keep the same contours, although the order
/// within a layer differs.
pub fn check_threads(case: &Case) {
    for settings in [
        plain("1,2"),
        plain("all"),
        RocketSettings::default(),
        plain("1").dominance(Some(DominanceScope::Best)),
    ] {
        let (one, many) = (settings.rockets(case), settings.clone().threads(3).rockets(case));
        assert_eq!(one.value(), many.value());
        assert_eq!(one.report().levels().len(), many.report().levels().len());
        for (one, many) in one.report().levels().iter().zip(many.report().levels()) {
            assert_eq!(one, many);
        }
    }
}

/// Generates the text of a board with these numbers of rows and columns.
pub fn text(rows: usize, columns: usize) -> impl Strategy<Value = String> {
    let row = prop::collection::vec(prop::sample::select(vec!['L', 'T', '+', '-', '.']), columns);
    let rows = prop::collection::vec(row.prop_map(|row| row.into_iter().collect::<String>()), rows);
    rows.prop_map(|rows| rows.join("\n"))
}

/// Generates the text of a board of at most `cells` cells: brute force is feasible up to 9, which
/// have at most 4^9 rotations.
pub fn small(cells: usize) -> impl Strategy<Value = String> {
    let sizes = (1_usize..=4, 1_usize..=4)
        .prop_filter("few cells", move |&(rows, columns)| rows * columns <= cells);
    sizes.prop_flat_map(|(rows, columns)| text(rows, columns))
}

/// Returns a board as cases of both games, with the match in each row.
pub fn games(board: &str) -> Vec<Case> {
    let mut text = String::new();
    for number in 1..=board.lines().count() {
        writeln!(text, "{number}\n{board}").expect("writing to a string never fails");
    }
    let mut cases = Mode::Single.cases(&text).expect("a board");
    cases.extend(Mode::Plus.cases(board).expect("a board"));
    cases
}

/// Checks that every combination of prunings and dominance finds the optimum of brute force, and a
/// rotation that attains it.
pub fn agrees_with_brute_force(case: &Case) -> Result<(), TestCaseError> {
    let (most, rotation) = rotate_all(case, 1 << 20).expect("the board is small");
    prop_assert_eq!(case.fire(&rotation).count(), most);
    for dominance in [None, Some(DominanceScope::Best), Some(DominanceScope::Full)] {
        for prunings in 0..16_usize {
            let prunings =
                RocketPrunings::of((1..=4).filter(|number| prunings >> (number - 1) & 1 == 1));
            let settings = RocketSettings::default().prunings(prunings).dominance(dominance);
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
