//! Hard Sudokus as networks and as exact covers. The times include the construction of the model.

use secateurs::Limits;
use secateurs_problems::sudoku::{Family, Sudoku};

use crate::group::{Group, RunResult};

/// Well-known hard boards of side 9.
const HARD: [&str; 7] = [
    // AI Escargot (Inkala 2006).
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    // Inkala 2012.
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    // Golden Nugget.
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    // Platinum Blonde.
    ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...",
    // 17 clues (Royle).
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    // 17 clues, against plain search.
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    // Hard for hidden singles.
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
];

/// Returns the groups that compare families of models on seven hard boards of side 9 and on larger
/// boards. Each contender proves that each board has exactly one solution.
pub fn groups() -> impl Iterator<Item = Group<Vec<Sudoku>>> {
    // The two numbers are the expected nodes of the network and of the cover.
    let boards = [
        ("7 hard Sudokus", HARD.to_vec(), [659, 13_051]),
        (
            "Sudoku of side 16",
            vec![include_str!("../../../crates/cli/data/sudoku-16.txt")],
            [707, 34_419],
        ),
        (
            "Sudoku of side 25",
            vec![include_str!("../../../crates/cli/data/sudoku-25.txt")],
            [119, 50_842],
        ),
    ];
    boards.into_iter().map(|(name, texts, [network_nodes, cover_nodes])| {
        let sudokus: Vec<Sudoku> =
            texts.into_iter().map(|text| text.parse().expect("a board")).collect();
        let solutions = sudokus.len() as u128;
        let count = |family| {
            move |sudokus: &Vec<Sudoku>| {
                let limits = Limits::new();
                RunResult::sum(sudokus.iter().map(|sudoku| sudoku.count(family, &limits).into()))
            }
        };
        Group::new(format!("csp/{name}"), sudokus, solutions, network_nodes)
            .contender("network", count(Family::Network))
            .contender("cover", count(Family::Cover))
            .nodes(cover_nodes)
    })
}
