//! Fire-net: the known figures of the article, and the speed of the default settings in nodes.

use secateurs::problems::fire_net::{
    Board, Bound, Branching, Cells, Prunings, Settings, SmallestSegment, State, greedy, greedy_restarts,
    maximum_matching,
};
use secateurs::{Objective, Search};

const SAMPLE: &str = "4\n.X..\n....\nXX..\n....\n";

fn sample() -> Board {
    SAMPLE.parse().expect("the sample is a board")
}

/// Nodes of the article's program with prunings 1 to `last`.
fn nodes(board: &Board, last: usize) -> u64 {
    let outcome = Settings::article(Prunings::of(1..=last)).solve(board);
    assert_eq!(outcome.proven(), Some(&maximum_matching(board).len()));
    outcome.report().nodes()
}

#[test]
fn tree_sizes_of_the_sample() {
    assert_eq!([0, 2, 3, 4, 5].map(|last| nodes(&sample(), last)), [1844, 175, 111, 6, 3]);
    assert_eq!(nodes(&sample(), 1), 1844, "pruning 1 leaves the tree what it is");
}

#[test]
fn tree_sizes_of_empty_boards() {
    let sizes = |side| [0, 2, 3, 4, 5].map(|last| nodes(&Board::empty(side, side), last));
    assert_eq!(sizes(4), [1313, 209, 146, 5, 5]);
    let [plain, rest @ ..] = sizes(5);
    assert_eq!((plain / 100, rest), (328, [1546, 1060, 6, 6]), "{plain}");
    let [plain, ordered, rest @ ..] = sizes(6);
    assert_eq!((plain / 10_000, ordered / 100, rest), (117, 133, [9297, 7, 7]), "{plain} {ordered}");
    let [ordered, bounded, rest @ ..] = [2, 3, 4, 5].map(|last| nodes(&Board::empty(7, 7), last));
    assert_eq!((ordered / 1000, bounded / 100, rest), (130, 932, [8, 8]), "{ordered} {bounded}");
}
#[test]
fn timing() {
    for (n, p) in [(100, 0.8), (100, 0.7), (300, 0.8), (300, 0.7), (300, 0.9), (300, 0.95)] {
        for seed in 0..(if n == 100 { 8 } else { 2 }) {
            let board = Board::random(n, n, p, seed).unwrap();
            let t = std::time::Instant::now();
            let o = Settings::default().solve(&board);
            let e = t.elapsed();
            let g = if n == 100 { *greedy(&board).best_so_far().unwrap() } else { 0 };
            println!(
                "{n} {p} {seed}: {:?} {:?} nodes {} matching {} greedy {}",
                e,
                o.proven(),
                o.report().nodes(),
                maximum_matching(&board).len(),
                g
            );
        }
    }
}
