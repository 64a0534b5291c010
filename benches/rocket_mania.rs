//! Rocket Mania: what the prunings and dominance are worth, in contours and in time.
//!
//! `cargo bench --bench rocket_mania` prints a table of contours, and the ratios of runs that took turns in one process; with one of
//! the words `contours`, `time` behind `--`, that part only.

#[path = "support/mod.rs"]
mod support;

use std::hint::black_box;

use secateurs::problems::rocket_mania::{Block, Board, Case, Comparison, Matches, Prunings, Settings};
use support::{Clock, Contender, NO_LIMIT};

/// The paper's boards 2, 3 and 6, and four random ones of 9×6, of which more and more is empty.
fn boards() -> Vec<(String, Case)> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut of = |name: String, number: usize, block: &mut dyn FnMut(&mut fastrand::Rng, usize) -> Block| {
        let rows: Vec<Vec<Block>> =
            (0..9).map(|row| (0..6).map(|column| block(&mut random, row + column)).collect()).collect();
        let board = Board::new(&rows).expect("a rectangle");
        (name, Case::new(board, Matches::One(number - 1)).expect("the row is there"))
    };
    let mut boards = vec![
        of("all L".to_owned(), 5, &mut |_, _| Block::Corner),
        of("all T".to_owned(), 5, &mut |_, _| Block::Tee),
        of("T and L".to_owned(), 1, &mut |_, place| if place % 2 == 0 { Block::Tee } else { Block::Corner }),
    ];
    for empty in 0..4 {
        let kinds = [Block::Straight, Block::Corner, Block::Corner, Block::Tee, Block::Tee, Block::Cross];
        boards.push(of(format!("random, {empty} of {} empty", kinds.len() + empty), 5, &mut |random, _| {
            kinds.get(random.usize(..kinds.len() + empty)).copied().unwrap_or(Block::Empty)
        }));
    }
    boards
}

fn settings() -> [(&'static str, Settings); 4] {
    let plain = |prunings| Settings::default().prunings(prunings).dominance(None);
    [
        ("prunings 1-4", plain(Prunings::ALL)),
        ("best state", plain(Prunings::ALL).dominance(Some(Comparison::Best))),
        ("full dominance", plain(Prunings::NONE).dominance(Some(Comparison::Full))),
        ("everything", Settings::default()),
    ]
}

fn contours() {
    print!("{:>22}", "board");
    settings().iter().for_each(|(name, _)| print!("  {name:>15}"));
    println!();
    for (name, case) in boards() {
        print!("{name:>22}");
        settings().iter().for_each(|(_, settings)| print!("  {:>15}", settings.rockets(&case).report().nodes()));
        println!();
    }
    println!();
}

fn time() {
    let boards = boards();
    let rockets = |settings: &Settings| {
        boards.iter().map(|(_, case)| settings.rockets(black_box(case)).proven().copied()).collect::<Vec<_>>()
    };
    let (settings, rockets) = (settings(), &rockets);
    let contenders: Vec<_> =
        settings.iter().map(|(name, settings)| Contender::new(*name, NO_LIMIT, move || rockets(settings))).collect();
    support::ratios("the most rockets of all boards", Clock::Processor, 5, &rockets(&Settings::default()), &contenders);
}

fn main() {
    support::parts(&[("contours", contours), ("time", time)]);
}
