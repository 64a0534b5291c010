//! Hard Sudokus by both families, the making of the model included.
//!
//! A board of side 9 is to take at most a millisecond. Processor time, so that it holds on a busy machine.

use std::hint::black_box;

use secateurs::Limits;
use secateurs::problems::sudoku::{Family, Sudoku};

use crate::support::timed;

/// Boards of side 9 with a name among people who solve or set them.
const HARD: [(&str, &str); 7] = [
    ("AI Escargot (Inkala 2006)", "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."),
    ("Inkala 2012", "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."),
    ("Golden Nugget", ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."),
    ("Platinum Blonde", ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6..."),
    ("17 clues (Royle)", "000000010400000000020000000000050407008000300001090000300400200050100000000806000"),
    (
        "17 clues, against plain search",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    ),
    ("hard for hidden singles", "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"),
];

const LARGE: [(&str, &str); 2] = [
    ("side 16", include_str!("../../examples/data/sudoku-16.txt")),
    ("side 25", include_str!("../../examples/data/sudoku-25.txt")),
];

fn milliseconds(run: impl FnMut()) -> f64 {
    timed(run).1
}

pub fn run() {
    println!("milliseconds of processor time, model included; `all` proves that there is no second solution");
    println!("{:<34}{:>9}{:>10}{:>10}{:>10}{:>10}", "", "family", "model", "first", "all", "nodes");
    for (name, text) in HARD.into_iter().chain(LARGE) {
        let Ok(sudoku) = text.parse::<Sudoku>() else { continue };
        for family in [Family::Network, Family::Cover] {
            let limits = Limits::new();
            let model = milliseconds(|| match family {
                Family::Network => drop(black_box(sudoku.network())),
                Family::Cover => drop(black_box(sudoku.cover())),
            });
            let first = milliseconds(|| drop(black_box(sudoku.solve(family, &limits))));
            let all = milliseconds(|| drop(black_box(sudoku.count(family, &limits))));
            let nodes = sudoku.count(family, &limits).report().nodes();
            let family = format!("{family:?}");
            println!("{name:<34}{family:>9}{model:>10.3}{first:>10.3}{all:>10.3}{nodes:>10}");
        }
    }
}
