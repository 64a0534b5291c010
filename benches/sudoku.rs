//! Hard Sudokus by both families, model included: `cargo bench --bench sudoku`.
//!
//! A board of side 9 is to take at most a millisecond, be it to find its solution or to prove that there is no other.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use secateurs::Limits;
use secateurs::problems::sudoku::{Family, Sudoku};

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
    ("side 16", include_str!("../examples/data/sudoku-16.txt")),
    ("side 25", include_str!("../examples/data/sudoku-25.txt")),
];

fn boards(criterion: &mut Criterion) {
    for (group, boards) in [("side 9", &HARD[..]), ("large", &LARGE[..])] {
        let mut group = criterion.benchmark_group(group);
        group.sample_size(20);
        for (name, text) in boards {
            let Ok(sudoku) = text.parse::<Sudoku>() else { continue };
            for family in [Family::Network, Family::Cover] {
                let id = |what| BenchmarkId::new(format!("{family:?}, {what}"), name);
                group.bench_function(id("first"), |b| b.iter(|| sudoku.solve(family, &Limits::new())));
                group.bench_function(id("all"), |b| b.iter(|| sudoku.count(family, &Limits::new())));
            }
        }
        group.finish();
    }
}

criterion_group!(benches, boards);
criterion_main!(benches);
