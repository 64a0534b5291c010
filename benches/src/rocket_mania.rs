//! Rocket Mania: prunings and dominance of a sweep.

use secateurs_problems::rocket_mania::{
    Block, Case, DominanceScope, Matches, RocketBoard, RocketPrunings, RocketSettings,
};

use crate::group::{Group, RunResult};

/// Returns a board of 9×6 that is lit from one row. `block` chooses each block by the sum of its
/// row and column.
fn case(lit_row: usize, mut block: impl FnMut(usize) -> Block) -> Case {
    let row = |row: usize, block: &mut dyn FnMut(usize) -> Block| {
        (0..6).map(|column| block(row + column)).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<Block>> = (0..9).map(|index| row(index, &mut block)).collect();
    let board = RocketBoard::new(&rows).expect("a rectangle");
    Case::new(board, Matches::One(lit_row)).expect("the row exists")
}

/// Returns boards 2, 3 and 6 of the paper (see [`secateurs_problems::rocket_mania`]), and four
/// random ones with more and more empty blocks.
fn cases() -> Vec<Case> {
    let mut cases = vec![
        case(4, |_| Block::Corner),
        case(4, |_| Block::Tee),
        case(0, |sum| if sum % 2 == 0 { Block::Tee } else { Block::Corner }),
    ];
    let kinds =
        [Block::Straight, Block::Corner, Block::Corner, Block::Tee, Block::Tee, Block::Cross];
    let mut random = fastrand::Rng::with_seed(1);
    for empty in 0..4 {
        cases.push(case(4, |_| {
            kinds.get(random.usize(..kinds.len() + empty)).copied().unwrap_or(Block::Empty)
        }));
    }
    cases
}

/// Returns the group of prunings and dominance: the most rockets of all boards.
pub fn rockets() -> Group<Vec<Case>> {
    let plain = |prunings| RocketSettings::default().prunings(prunings).dominance(None);
    let settings = [
        ("prunings 1-4", plain(RocketPrunings::ALL), 174_384),
        ("best state", plain(RocketPrunings::ALL).dominance(Some(DominanceScope::Best)), 146_524),
        (
            "full dominance",
            plain(RocketPrunings::NONE).dominance(Some(DominanceScope::Full)),
            15_229,
        ),
        ("everything", RocketSettings::default(), 7589),
    ];
    let group = Group::new("rocket_mania/most rockets of seven boards", cases(), 39, 0);
    settings.into_iter().fold(group, |group, (name, settings, contours)| {
        let rockets = move |cases: &Vec<Case>| {
            RunResult::sum(cases.iter().map(|case| settings.rockets(case).into()))
        };
        group.contender(name, rockets).nodes(contours)
    })
}
